// Findings that are no storms: what each rule says, how much it matters, and what to change.
import type { Database } from '../store/database.ts';
import { runReport } from '../store/steps.ts';
import { FINDING_RULES, type Evidence, type Finding, type FindingRule } from './findings.ts';
import { groupBy } from './group.ts';
import { targetLabel } from './label.ts';

interface FindingRow extends Evidence {
  rule: FoundRule;
  /** What the finding is about: rows with the same rule and subject are one finding. */
  subject: number | string;
  http_method: string | null;
  path: string | null;
  rpc_method: string | null;
  rpc_name: string | null;
  client: string;
  n_measured: number;
  n_total: number;
  n_clients: number;
}

interface Told {
  /** What was asked for. */
  target: string;
  clients: string;
  requests: number;
  /** The rule's own measure, summed over all clients. */
  measure: number;
}

interface RuleText {
  severity(told: Told): Finding['severity'];
  title(told: Told): string;
  advice: string;
}

const RULES = {
  refusal_unstable: {
    severity: ({ measure }) => (measure > 0 ? 'high' : 'medium'),
    title: ({ target, measure }) =>
      `${target} is refused and answered in turn; a gate would have lost ${counted(measure, 'good answer')}`,
    advice:
      'look for backends that disagree (a stale deployment, missing session affinity) before any client trusts this refusal',
  },
  recurring_refusal: {
    severity: () => 'low',
    title: ({ target, clients }) => `${target} is refused once in each session of ${clients}`,
    advice: 'remember the refusal across sessions in the client, or offer what it asks for',
  },
  unmet_demand: {
    severity: () => 'medium',
    title: ({ target, clients }) => `${clients} asked for ${target}, which is not part of the contract`,
    advice: 'publish it, redirect it to what is offered, or say in the discovery document where it went',
  },
  refused_before_discovery: {
    severity: () => 'info',
    title: ({ clients }) => `${clients} were refused before they were seen reading the contract`,
    advice: 'fetch the discovery document before the first request; the log may also begin too late to show it',
  },
  scanner: {
    severity: () => 'low',
    title: ({ clients, measure }) => `${clients} asked for ${counted(measure, 'path')} of foreign software`,
    advice: 'a scan, not a client of this interface: block or ignore it',
  },
  retry_after_ignored: {
    severity: () => 'medium',
    title: ({ target, requests, clients }) =>
      `${counted(requests, 'retry', 'retries')} of ${target} by ${clients} came before Retry-After had passed`,
    advice: 'wait as long as Retry-After says, counted from the answer',
  },
  probe_refused: {
    severity: () => 'info',
    title: ({ target, clients }) => `monitoring by ${clients} is refused ${target}`,
    advice: 'point the monitor at a path that answers; a gate must never hold it back',
  },
} as const satisfies Partial<Record<FindingRule, RuleText>>;

type FoundRule = keyof typeof RULES;

const SEVERITIES: readonly Finding['severity'][] = ['high', 'medium', 'low', 'info'];

/** Returns the findings, the most severe first. */
export async function readFindingList(database: Database): Promise<Finding[]> {
  const rows = await runReport<FindingRow>(database, 'findings');
  const findings = [...groupBy(rows, ({ rule, subject }) => `${rule} ${subject}`).values()].map(shapeFinding);
  return [...findings, ...(await readCredentials(database))].toSorted(bySeverity);
}

function shapeFinding(rows: readonly FindingRow[]): Finding {
  const [first] = rows as [FindingRow];
  const text: RuleText = RULES[first.rule];
  const told: Told = {
    target: targetLabel(first),
    clients: first.n_clients === 1 ? first.client : `${first.n_clients} clients`,
    requests: first.n_total,
    measure: first.n_measured,
  };
  return {
    rule: first.rule,
    severity: text.severity(told),
    title: text.title(told),
    clients: rows.map(({ client }) => client),
    requests: first.n_total,
    advice: text.advice,
    evidence: rows.map(({ source, line }) => ({ source, line })),
  };
}

async function readCredentials(database: Database): Promise<Finding[]> {
  const rows = await runReport<Evidence & { place: string; n_lines: number }>(database, 'credentials');
  return [...groupBy(rows, ({ place }) => place).values()].map((group) => {
    const [{ place, n_lines }] = group as [(typeof group)[number]];
    return {
      rule: 'credential_in_log',
      severity: 'high',
      title: `a credential is logged: ${place}`,
      clients: [],
      requests: n_lines,
      advice: 'revoke it, send credentials in headers, and keep them out of the log format; the report holds the place only',
      evidence: group.map(({ source, line }) => ({ source, line })),
    };
  });
}

function bySeverity(a: Finding, b: Finding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.requests - a.requests ||
    FINDING_RULES.indexOf(a.rule) - FINDING_RULES.indexOf(b.rule) ||
    (a.title < b.title ? -1 : Number(a.title > b.title))
  );
}

function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
