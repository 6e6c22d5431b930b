// The report for pull requests and chat: the answer, the figures, the storms and findings; the rest in the JSON report.
import type { Findings, Storm } from '../findings/findings.ts';
import { escapeMarkdown, toMarkdownCode } from './escape.ts';
import {
  blindSpots,
  boundsLine,
  clientLine,
  contractLine,
  figures,
  findingClients,
  inputLine,
  places,
  savingsLine,
  savingsRows,
  stormTime,
  windowLine,
} from './facts.ts';
import { table } from './markdown-table.ts';
import { count, plural } from './numbers.ts';
import { clip, write, type Phrase } from './phrase.ts';
import type { Renderer } from './renderer.ts';
import { deed, sentence, support } from './verdict.ts';

const LIMITS = { storms: 20, evidence: 3, findings: 20, inputs: 20 } as const;

const prose = (text: Phrase): string => write(text, toMarkdownCode);
const code = (text: string, length = 120): string => toMarkdownCode(clip(text, length));

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines];
}

function more(all: readonly unknown[], limit: number, singular: string): string[] {
  return all.length > limit ? ['', `…and ${plural(all.length - limit, singular)}.`] : [];
}

function stormRows(storms: readonly Storm[]): string[] {
  if (storms.length === 0) return [];
  const rows = storms
    .slice(0, LIMITS.storms)
    .map((storm, i) => [
      String(i + 1),
      `\`${storm.kind}\``,
      code(storm.client),
      prose(deed(storm)),
      count(storm.requests),
      count(storm.under_gate),
      count(storm.avoidable),
      stormTime(storm),
      prose(places(storm.evidence, LIMITS.evidence)),
    ]);
  const head = [
    ['', 'right'],
    ['kind', 'left'],
    ['client', 'left'],
    ['what it did', 'left'],
    ['requests', 'right'],
    ['under the gate', 'right'],
    ['avoidable', 'right'],
    ['when', 'left'],
    ['lines', 'left'],
  ] as const;
  return [...table(head, rows), ...more(storms, LIMITS.storms, 'smaller storm')];
}

function savings(findings: Findings): string[] {
  const rows = savingsRows(findings).map((row) => [
    `\`${row.kind}\``,
    count(row.requests),
    count(row.under_gate),
    count(row.avoidable),
    count(row.harm),
  ]);
  if (rows.length === 0) return [];
  const spared = savingsLine(findings);
  const head = [
    ['kind', 'left'],
    ['sent', 'right'],
    ['under the gate', 'right'],
    ['avoidable', 'right'],
    ['harm', 'right'],
  ] as const;
  return [
    ...table(head, rows),
    '',
    `Avoidable: ${boundsLine(findings)}.`,
    ...(spared === '' ? [] : ['', `Spared with them: ${spared}.`]),
  ];
}

function findingList({ findings }: Findings): string[] {
  return [
    ...findings.slice(0, LIMITS.findings).map((finding) => {
      const by = prose(findingClients(finding));
      const clients = by === '' ? '' : `, by ${by}`;
      const lines = finding.evidence.length === 0 ? '' : ` Lines: ${prose(places(finding.evidence, LIMITS.evidence))}.`;
      const advice = escapeMarkdown(clip(finding.advice, 600)).replace(/\.$/, '');
      return `- **${finding.severity}** \`${finding.rule}\`: ${escapeMarkdown(clip(finding.title, 400))} (${plural(finding.requests, 'request')}${clients}). Advice: ${advice}.${lines}`;
    }),
    ...more(findings, LIMITS.findings, 'more finding'),
  ];
}

function inputs(findings: Findings): string[] {
  return [
    ...findings.inputs
      .slice(0, LIMITS.inputs)
      .map((input) => `- ${code(input.name)} (${code(input.format)}): ${inputLine(input)}`),
    ...more(findings.inputs, LIMITS.inputs, 'more input'),
    `- time: ${windowLine(findings)}`,
    `- contract: ${prose(contractLine(findings))}`,
    `- clients: ${escapeMarkdown(clientLine(findings))}`,
  ];
}

function render(findings: Findings): string {
  const lines = [
    `**${prose(sentence(findings))}**`,
    '',
    ...support(findings).flatMap((words) => [prose(words), '']),
    ...table(
      [
        ['figure', 'left'],
        ['', 'right'],
        ['', 'left'],
      ],
      figures(findings).map(({ label, value, note }) => [label, value, note]),
    ),
    ...section(
      'Not in this log',
      blindSpots(findings).map(({ what, hides }) => `- ${what}: ${hides}`),
    ),
    ...section('Storms', stormRows(findings.storms)),
    ...section('Savings by kind', savings(findings)),
    ...section('Findings', findingList(findings)),
    ...section('Inputs', inputs(findings)),
    '',
    `<sub>stormgate ${escapeMarkdown(findings.tool.version)}, ${escapeMarkdown(findings.generated_at)}</sub>`,
  ];
  return `${lines.join('\n')}\n`;
}

export const markdown: Renderer = {
  title: 'for pull requests and chat',
  extensions: ['md', 'markdown'],
  hasCharts: false,
  render,
};
