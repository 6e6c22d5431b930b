// The report as JUnit XML for CI: a storm is a failed test, a kind without storms a passed one, and what the log cannot show is skipped.
import { FINDING_RULES, STORM_KINDS, type Finding, type Findings, type Storm, type StormKind } from '../findings/findings.ts';
import { escapeXml } from './escape.ts';
import { place, stormTallies, stormTime } from './facts.ts';
import { count } from './numbers.ts';
import { clip, write } from './phrase.ts';
import type { Renderer } from './renderer.ts';
import { deed, targetName } from './verdict.ts';

const EVIDENCE = 12;

interface Case {
  name: string;
  /** Why it failed: a line, and what proves it. */
  failure?: { message: string; detail: readonly string[] };
  skipped?: string;
}

const plain = (text: string): string => clip(text, 400);

function stormCase(storm: Storm): Case {
  const { kind, client, targets, evidence } = storm;
  const message = plain(`${client} ${write(deed(storm), (log) => log)}`);
  const detail = [
    stormTallies(storm)
      .map(({ n, label }) => `${count(n)} ${label}`)
      .join(', '),
    stormTime(storm),
    ...targets
      .slice(0, EVIDENCE)
      .map((target) => `${targetName(target)}: ${count(target.requests)} sent, ${count(target.avoidable)} avoidable`),
    ...evidence.slice(0, EVIDENCE).map(place),
  ];
  return { name: plain(`${kind}: ${client}`), failure: { message, detail: detail.map(plain) } };
}

const WAITING: ReadonlySet<StormKind> = new Set(['throttle_hammering', 'transient_hammering', 'reconnect_loop']);

/** Returns why storms of a kind could not have been seen in this log, if so. */
function maybeBlind(kind: StormKind, { visibility, requests }: Findings): string | undefined {
  if (requests.total === 0) return 'the log has no requests';
  if (!visibility.status && !visibility.rpc_code && !visibility.tool_error) return 'the log cannot show a refusal';
  if (WAITING.has(kind) && !visibility.status) return 'the log shows no HTTP statuses';
  return WAITING.has(kind) && !visibility.time ? 'the log has no time stamps' : undefined;
}

function stormCases(findings: Findings): Case[] {
  return STORM_KINDS.flatMap((kind) => {
    const storms = findings.storms.filter((storm) => storm.kind === kind);
    if (storms.length > 0) return storms.map(stormCase);
    const skipped = maybeBlind(kind, findings);
    return [{ name: kind, ...(skipped === undefined ? {} : { skipped }) }];
  });
}

function findingCase({ rule, title, advice, evidence }: Finding): Case {
  const detail = [advice, ...evidence.slice(0, EVIDENCE).map(place)];
  return { name: plain(`${rule}: ${title}`), failure: { message: plain(title), detail: detail.map(plain) } };
}

/** Only findings of high severity fail: the others are worth reading, not worth stopping for. */
function findingCases({ findings }: Findings): Case[] {
  return FINDING_RULES.flatMap((rule) => {
    const grave = findings.filter((finding) => finding.rule === rule && finding.severity === 'high');
    return grave.length > 0 ? grave.map(findingCase) : [{ name: rule }];
  });
}

function renderCase(suite: string, { name, failure, skipped }: Case): string {
  const open = `    <testcase classname="stormgate.${suite}" name="${escapeXml(name)}"`;
  if (failure !== undefined) {
    const detail = failure.detail.map(escapeXml).join('\n');
    return `${open}>\n      <failure type="${suite}" message="${escapeXml(failure.message)}">${detail}</failure>\n    </testcase>\n`;
  }
  return skipped === undefined ? `${open}/>\n` : `${open}>\n      <skipped message="${escapeXml(skipped)}"/>\n    </testcase>\n`;
}

const totals = (cases: readonly Case[]): string =>
  `tests="${cases.length}" failures="${cases.filter(({ failure }) => failure).length}" errors="0" skipped="${cases.filter(({ skipped }) => skipped).length}"`;

function render(findings: Findings): string {
  const suites: Readonly<Record<string, Case[]>> = { storms: stormCases(findings), findings: findingCases(findings) };
  const stamp = findings.generated_at.replace(/\.\d+Z$/, 'Z');
  const bodies = Object.entries(suites).map(
    ([name, cases]) =>
      `  <testsuite name="${name}" ${totals(cases)} time="0" timestamp="${escapeXml(stamp)}">\n${cases.map((each) => renderCase(name, each)).join('')}  </testsuite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="stormgate" ${totals(Object.values(suites).flat())} time="0">\n${bodies.join('')}</testsuites>\n`;
}

export const junit: Renderer = {
  title: 'JUnit XML for CI: a storm is a failed test',
  extensions: ['xml'],
  hasCharts: false,
  render,
};
