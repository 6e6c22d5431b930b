// A night in words: the verdict, what is new against the past, and what to look at. For chat, mail and pagers.
import type { Findings } from '../findings/findings.ts';
import { escapeMarkdown, toMarkdownCode } from '../report/escape.ts';
import { count, plural, share } from '../report/numbers.ts';
import { clip, write, type Phrase } from '../report/phrase.ts';
import { deed, sentence, support } from '../report/verdict.ts';
import type { Comparison, FigureName, NightStorm, Unusual } from './history.ts';

const LIMIT = 20;

const NOUNS: Readonly<Record<FigureName, string>> = {
  requests: 'requests',
  refused: 'requests refused for good',
  throttled: 'throttled requests',
  transient: 'requests that failed for the moment',
  lower: 'certainly avoidable requests',
  avoidable: 'avoidable requests',
  harm: 'good answers that a gate would lose',
  overrun: 'retries beyond the budget',
  clients: 'clients',
  storms: 'storms',
  rejects: 'lines that could not be understood',
};

const prose = (text: Phrase): string => write(text, toMarkdownCode);
const who = ({ client }: NightStorm): string => toMarkdownCode(clip(client, 120));

/** Returns `three times the median of the last Mondays, 40`. */
export function inWords({ name, value, usual, against }: Unusual): string {
  const ratio = usual === 0 ? '' : value >= usual ? `${Number((value / usual).toFixed(1))} times ` : `${share(value, usual)} of `;
  return `${count(value)} ${NOUNS[name]}: ${usual === 0 ? 'there were none in the median of' : `${ratio}the median of`} ${against}${usual === 0 ? '' : `, ${count(usual)}`}`;
}

function tally({ storms, requests, avoidable }: NightStorm): string {
  return `${plural(storms, 'storm')}, ${plural(requests, 'request')}, ${count(avoidable)} avoidable`;
}

function list<T>(all: readonly T[], line: (one: T) => string): string[] {
  const more = all.length > LIMIT ? [`- … and ${count(all.length - LIMIT)} more`] : [];
  return [...all.slice(0, LIMIT).map((one) => `- ${line(one)}`), ...more];
}

function pastLines(comparison: Comparison): string[] {
  const { nights, fresh, returning, ongoing, gone, unusual } = comparison;
  if (nights === 0) return ['This is the first night: there is nothing to compare it with.'];
  const groups = [
    ...list(fresh, (storm) => `**new** \`${storm.kind}\` by ${who(storm)}: ${tally(storm)}`),
    ...list(
      returning,
      (storm) => `**returning** \`${storm.kind}\` by ${who(storm)}, last seen on ${storm.last}: ${tally(storm)}`,
    ),
    ...list(ongoing, (storm) => `ongoing \`${storm.kind}\` by ${who(storm)}: ${tally(storm)}`),
    ...list(gone, (storm) => `gone \`${storm.kind}\` by ${who(storm)}: ${tally(storm)} the night before`),
    ...list(unusual, (one) => `**unusual** ${escapeMarkdown(inWords(one))}`),
  ];
  return groups.length > 0 ? groups : ['Nothing new, nothing gone, no unusual volume.'];
}

/** Returns the summary of a night. `crossed` are the sentences of the limits that it crossed. */
export function renderSummary(night: string, findings: Findings, comparison: Comparison, crossed: readonly string[]): string {
  const storms = list(
    findings.storms,
    (storm) => `\`${storm.kind}\` ${toMarkdownCode(clip(storm.client, 120))} ${prose(deed(storm))}`,
  );
  const urgent = findings.findings.filter(({ severity }) => severity === 'high');
  const lines = [
    `# Night of ${night}`,
    '',
    `**${prose(sentence(findings))}**`,
    ...support(findings).flatMap((words) => ['', prose(words)]),
    ...(crossed.length === 0 ? [] : ['', '## Limits', '', ...crossed.map((words) => `- ${escapeMarkdown(words)}`)]),
    '',
    '## Against the past',
    '',
    ...pastLines(comparison),
    ...(storms.length === 0 ? [] : ['', '## Storms', '', ...storms]),
    ...(urgent.length === 0
      ? []
      : ['', '## Findings of high severity', '', ...list(urgent, ({ title }) => escapeMarkdown(clip(title, 400)))]),
    '',
    `<sub>stormgate ${escapeMarkdown(findings.tool.version)}, ${escapeMarkdown(findings.generated_at)}</sub>`,
  ];
  return `${lines.join('\n')}\n`;
}
