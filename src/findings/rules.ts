// Findings that are no storms: what each rule says, how much it matters, and what to change.
import type { Database } from '../store/database.ts';
import { runReport } from '../store/steps.ts';
import { FINDING_RULES, type Evidence, type Finding, type FindingRule } from './findings.ts';
import { groupBy } from './group.ts';
import { targetLabel } from './label.ts';
import { isoTime } from './time.ts';

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
  since_us: number | null;
}

interface Told {
  /** What was asked for. */
  target: string;
  clients: string;
  requests: number;
  /** The rule's own measure, summed over all requests. */
  measure: number;
}

interface RuleText {
  severity(told: Told): Finding['severity'];
  title(told: Told): string;
  /** What the client's owner could change, and what the server's. */
  advice: readonly [client: string, server: string];
}

const RULES = {
  recurring_refusal: {
    severity: () => 'low',
    title: ({ target, clients }) => `${target} is refused once in each session of ${clients}`,
    advice: [
      'remember the refusal across sessions',
      'offer what it asks for, or let the discovery document say that it is not there',
    ],
  },
  unmet_demand: {
    severity: () => 'medium',
    title: ({ target, clients }) => `${clients} asked for ${target}, which is not part of the contract`,
    advice: [
      'ask for what the discovery document lists',
      'publish it, redirect it to what is offered, or say in the discovery document where it went',
    ],
  },
  refusal_unstable: {
    severity: ({ measure }) => (measure > 0 ? 'high' : 'medium'),
    title: ({ target, measure }) =>
      `${target} is refused and answered in turn; a gate would have lost ${counted(measure, 'good answer')}`,
    advice: [
      'do not trust this refusal until it holds',
      'look for backends that disagree: a stale deployment, missing session affinity',
    ],
  },
  probe_refused: {
    severity: () => 'info',
    title: ({ target, clients }) => `monitoring by ${clients} is refused ${target}`,
    advice: ['point the monitor at a path that answers', 'answer the check, or tell who runs it; a gate must never hold it back'],
  },
  scanner: {
    severity: () => 'low',
    title: ({ clients, measure }) => `${clients} asked for ${counted(measure, 'path')} of foreign software`,
    advice: ['none: a scan is no client of this interface', 'block or ignore it, and leave it out of the figures for clients'],
  },
  slow_loop: {
    severity: () => 'medium',
    title: ({ target, clients, requests, measure }) =>
      `${clients} asked for ${target} ${counted(requests, 'time')} in ${duration(measure)}, waiting politely for an answer that never changed`,
    advice: [
      'a refusal does not pass with time: stop after the first one, however long the wait',
      'say so in the answer: 404 or 410 with a reason, not an error that sounds like a failure of the moment',
    ],
  },
  retry_after_ignored: {
    severity: () => 'medium',
    title: ({ target, requests, clients, measure }) =>
      `${counted(requests, 'retry', 'retries')} of ${target} by ${clients} came before Retry-After had passed, ${duration(measure)} too early in all`,
    advice: [
      'wait as long as Retry-After says, counted from the answer',
      'keep sending Retry-After, and refuse early what comes too soon',
    ],
  },
  no_backoff: {
    severity: () => 'medium',
    title: ({ target, requests, clients, measure }) =>
      `${counted(requests, 'retry', 'retries')} of ${target} by ${clients} did not back off: ${duration(measure / requests)} apart on average, and no longer at the end than at the start`,
    advice: [
      'wait random(0, min(cap, base * 2^attempt)), and give up after 4 attempts',
      'answer 429 or 503 with Retry-After, so that clients need not guess',
    ],
  },
  lockstep_herd: {
    severity: () => 'medium',
    title: ({ target, requests, clients, measure }) =>
      `${clients} failed together at ${target} and came back together, ${duration(measure / requests)} later`,
    advice: [
      'spread retries over the whole wait (full jitter), never add the same delay everywhere',
      'vary Retry-After from answer to answer, and drain connections instead of cutting all at once',
    ],
  },
  gateway_retries_multiply: {
    severity: () => 'medium',
    title: ({ target, requests, clients, measure }) =>
      `${counted(requests, 'failed request')} for ${target} by ${clients} became ${counted(measure, 'try', 'tries')}: the gateway retries, and so does the client`,
    advice: [
      'do not retry what the gateway has retried already',
      'retry in one place only: switch the retries of the gateway off, or give them a budget',
    ],
  },
  stale_session_header: {
    severity: () => 'low',
    title: ({ clients, requests }) =>
      `${clients} sent a session id or Last-Event-ID ${counted(requests, 'time')} to a revision that ignores them`,
    advice: [
      'send neither from 2026-07-28 on: state that hangs on them is lost without an error',
      'nothing to change; the header is ignored as it should be',
    ],
  },
  cache_ignored: {
    severity: () => 'low',
    title: ({ target, clients, requests }) =>
      `${clients} read ${target} again ${counted(requests, 'time')} while the last answer still held`,
    advice: [
      'keep what was read until its ttlMs or max-age has passed, then ask with If-None-Match',
      'send ttlMs, Cache-Control and ETag, so that clients know how long it holds',
    ],
  },
  uncached_probing: {
    severity: () => 'low',
    title: ({ clients, requests, measure }) =>
      `${clients} probed ${counted(measure, 'place')} again that had refused it in the same session, ${counted(requests, 'time')}`,
    advice: [
      'try each place of a discovery sequence once in a session, and remember what was not there',
      'serve the document, or let the 404 be cached',
    ],
  },
  forged_line_suspected: {
    severity: () => 'high',
    title: ({ clients, requests, measure }) =>
      `${counted(requests, 'line')} of ${clients} may be forged: ${measure === requests ? 'a line break stands in what was asked for' : 'the time fits neither neighbour'}`,
    advice: [
      'none, if it is an attack; else encode line breaks',
      'write logs with escapes (escape=json or default), and trust no line that a client could have written',
    ],
  },
  refused_before_discovery: {
    severity: () => 'info',
    title: ({ clients, requests }) =>
      `${clients} were refused before they were seen reading the contract, in ${counted(requests, 'request')}`,
    advice: [
      'fetch the discovery document before the first request',
      'link it where clients look; the log may also begin too late to show that it was read',
    ],
  },
  deploy_burst: {
    severity: () => 'info',
    title: ({ clients, requests }) =>
      `${clients} were refused once each and then answered again, as after a restart (${counted(requests, 'refusal')})`,
    advice: [
      'nothing: one retry or one new session was right',
      'drain before a restart, or keep sessions over it; harmless otherwise',
    ],
  },
} as const satisfies Record<Exclude<FindingRule, 'credential_in_log'>, RuleText>;

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
    title: first.since_us === null ? text.title(told) : `${text.title(told)}, since ${minute(first.since_us)}`,
    clients: [...new Set(rows.map(({ client }) => client))],
    requests: first.n_total,
    advice: adviceFor(...text.advice),
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
      advice: adviceFor(
        'revoke it, and send credentials in headers',
        'keep them out of the log format; the report holds the place only',
      ),
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

function adviceFor(client: string, server: string): string {
  return `client: ${client}; server: ${server}`;
}

/** `2026-10-12 07:14 UTC` */
function minute(us: number): string {
  return `${isoTime(us).slice(0, 16).replace('T', ' ')} UTC`;
}

/** Returns milliseconds in the unit that fits: `40 ms`, `12 s`, `3 h`. */
function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, least]) => ms >= least * 2) ?? ['ms', 1];
  return `${Math.round(ms / size)} ${unit}`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
