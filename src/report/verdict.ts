// The answer, first as data, then in words: what an engineer on call reads before anything else.
import { KINDS, type Kind } from '../record.ts';
import type { Findings, Storm, StormKind, StormTarget } from '../findings/findings.ts';
import { count, noun, plural, range, share, words } from './numbers.ts';
import { join, phrase, quote, type Phrase } from './phrase.ts';

/** Kinds by which a contract, a policy or an argument speaks: a refusal for good, unlike a failure of the moment. */
export const REFUSALS = [
  'protocol_not_supported',
  'interface_not_declared',
  'policy_refused',
  'semantic',
  'corrective',
  'auth',
] as const satisfies readonly Kind[];

/** What a storming client disregards: a refusal, a wait, or that it gets nowhere. Strongest first. */
const ATTITUDES = ['deaf', 'hasty', 'circling'] as const;
type Attitude = (typeof ATTITUDES)[number];

const ATTITUDE_OF: Readonly<Record<StormKind, Attitude>> = {
  path_guessing: 'deaf',
  stale_session: 'deaf',
  auth_loop: 'deaf',
  refused_repeat: 'deaf',
  semantic_repeat: 'deaf',
  throttle_hammering: 'hasty',
  transient_hammering: 'hasty',
  reinitialize_loop: 'circling',
  redirect_loop: 'circling',
  reconnect_loop: 'circling',
};

const ATTITUDE_WORDS: Readonly<Record<Attitude, string>> = {
  deaf: 'would not take no for an answer',
  hasty: 'would not wait',
  circling: 'went round in circles',
};

/** What the input allows to be said; each carries the numbers of its sentence. */
export type Verdict =
  | { is: 'empty'; lines: number; rejects: number }
  | { is: 'blind'; requests: number }
  | { is: 'quiet'; requests: number }
  | { is: 'heard'; requests: number; refused: number }
  | { is: 'repeated'; requests: number; refused: number }
  | {
      is: 'storms';
      attitudes: Partial<Record<Attitude, number>>;
      clients: number;
      worst: Storm;
      requests: number;
      avoidable: number;
    };

type Stormy = Extract<Verdict, { is: 'storms' }>;

/** Returns how many requests had one of the kinds. */
export function requestsOf(findings: Findings, kinds: readonly Kind[]): number {
  return sum(kinds, (kind) => findings.requests.by_kind[kind] ?? 0);
}

function sum<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}

function attitudes(storms: readonly Storm[]): Partial<Record<Attitude, number>> {
  const strongest = new Map<string, number>();
  for (const { client, kind } of storms) {
    const rank = ATTITUDES.indexOf(ATTITUDE_OF[kind]);
    strongest.set(client, Math.min(rank, strongest.get(client) ?? rank));
  }
  const counted = ATTITUDES.map(
    (attitude, rank) => [attitude, [...strongest.values()].filter((r) => r === rank).length] as const,
  );
  return Object.fromEntries(counted.filter(([, clients]) => clients > 0));
}

/** Returns the verdict. What the log could show decides it: no refusal is reported of a log in which none could be seen. */
export function verdict(findings: Findings): Verdict {
  const { requests, storms, visibility, savings } = findings;
  const [worst] = storms;
  if (requests.total === 0)
    return { is: 'empty', lines: sum(findings.inputs, (input) => input.lines), rejects: findings.rejects.total };
  if (worst) {
    return {
      is: 'storms',
      attitudes: attitudes(storms),
      clients: new Set(storms.map((storm) => storm.client)).size,
      worst,
      requests: sum(storms, (storm) => storm.requests),
      avoidable: sum(storms, (storm) => storm.avoidable),
    };
  }
  const refused = requestsOf(findings, REFUSALS);
  if (refused > 0) return { is: savings.upper > 0 ? 'repeated' : 'heard', requests: requests.total, refused };
  if (!visibility.status && !visibility.rpc_code && !visibility.tool_error) return { is: 'blind', requests: requests.total };
  return { is: 'quiet', requests: requests.total };
}

/** Returns the name of a target: `POST /mcp/mcp`, `tools/call search`. */
export function targetName(target: Pick<StormTarget, 'http_method' | 'path' | 'rpc_method' | 'rpc_name'>): string {
  const parts = [target.http_method, target.path, target.rpc_method, target.rpc_name].filter((part) => part !== null);
  return parts.length === 0 ? '(no target)' : parts.join(' ');
}

/** Returns the storm's targets that the contract does not have. */
export function undeclared(storm: Storm): StormTarget[] {
  return storm.targets.filter((target) => target.declared === 'undeclared');
}

const DEED: Readonly<Record<StormKind, (storm: Storm) => Phrase>> = {
  path_guessing: (storm) => {
    const guesses = undeclared(storm);
    if (guesses.length === 0) return phrase`sent ${plural(storm.requests, 'request')} to paths that were refused`;
    const paths = new Set(guesses.map((target) => target.path)).size;
    return phrase`sent ${plural(
      sum(guesses, (target) => target.requests),
      'request',
    )} to ${words(paths)} undeclared ${noun(paths, 'path')}`;
  },
  stale_session: (storm) => phrase`went on with a dead session for ${plural(storm.requests, 'request')}`,
  auth_loop: (storm) => phrase`sent ${plural(storm.requests, 'request')} with credentials that had been refused`,
  refused_repeat: (storm) => phrase`sent ${plural(storm.requests, 'request')} to ${where(storm)}, refused for good each time`,
  semantic_repeat: (storm) =>
    phrase`sent ${plural(storm.requests, 'call')} to ${where(storm)} unchanged, refused as wrong each time`,
  throttle_hammering: (storm) => phrase`sent ${plural(storm.requests, 'request')} to ${where(storm)} without backing off`,
  transient_hammering: (storm) => phrase`sent ${plural(storm.requests, 'request')} to ${where(storm)} while it was failing`,
  reinitialize_loop: (storm) =>
    phrase`opened ${plural(storm.requests, 'session')} one after another without getting any use of them`,
  redirect_loop: (storm) => phrase`followed a redirect that leads nowhere, ${plural(storm.requests, 'request')} long`,
  reconnect_loop: (storm) => phrase`opened ${plural(storm.requests, 'event stream')} one after another`,
};

function where(storm: Storm): Phrase {
  const [only, another] = storm.targets;
  if (!only) return phrase`one target`;
  return another ? phrase`${words(storm.targets.length)} targets` : phrase`${quote(callName(only), 80)}`;
}

function callName(target: StormTarget): string {
  return target.rpc_method === null ? targetName(target) : targetName({ ...target, http_method: null, path: null });
}

/** Returns what a storm's client did, as a predicate: `sent 22 requests to three undeclared paths`. */
export function deed(storm: Storm): Phrase {
  return DEED[storm.kind](storm);
}

// Of a guessing client the sentence counts the guesses; what else it was refused is in the storm's own numbers.
function gated(storm: Storm): { under_gate: number; avoidable: number } {
  const guesses = storm.kind === 'path_guessing' ? undeclared(storm) : [];
  if (guesses.length === 0) return storm;
  return { under_gate: sum(guesses, (target) => target.under_gate), avoidable: sum(guesses, (target) => target.avoidable) };
}

/** Returns whether a storm is about waiting: its requests failed for the moment, and a retry budget is what would have spared some. */
export function isHasty(storm: Storm): boolean {
  return ATTITUDE_OF[storm.kind] === 'hasty';
}

function gateWouldHave(storm: Storm): Phrase {
  const { under_gate, avoidable } = gated(storm);
  if (isHasty(storm) && under_gate < storm.requests)
    return phrase`; a retry budget would have let ${count(under_gate)} of them through`;
  return avoidable === 0 ? [] : phrase`; a gate would have sent ${count(under_gate)} and spared ${count(avoidable)}`;
}

const LEVELS = { status: 'HTTP statuses', rpc_code: 'JSON-RPC codes', tool_error: 'tool results' } as const;

/** Returns the levels on which the log shows refusals, in words; empty if it shows all of them. */
export function levelsSeen({ visibility }: Findings): string {
  const seen = (Object.keys(LEVELS) as (keyof typeof LEVELS)[]).filter((level) => visibility[level]);
  return seen.length === 3 ? '' : seen.map((level) => LEVELS[level]).join(' and ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function whoStormed(found: Stormy): string {
  const groups = Object.entries(found.attitudes).map(([attitude, clients], i) => {
    const subject = i === 0 ? `${words(clients)} ${noun(clients, 'client')}` : words(clients);
    return `${subject} ${ATTITUDE_WORDS[attitude as Attitude]}`;
  });
  const last = groups.pop() ?? '';
  return capital(groups.length === 0 ? last : `${groups.join(', ')} and ${last}`);
}

function worstWords({ worst }: Stormy): Phrase {
  return phrase`${deed(worst)}${gateWouldHave(worst)}`;
}

function stormSentence(findings: Findings, found: Stormy): Phrase {
  const { worst, clients } = found;
  if (!findings.visibility.client) {
    return phrase`Someone ${ATTITUDE_WORDS[ATTITUDE_OF[worst.kind]]}: a client the log does not name ${worstWords(found)}.`;
  }
  if (findings.storms.length === 1) return phrase`${whoStormed(found)}: ${quote(worst.client)} ${worstWords(found)}.`;
  const spared = found.avoidable === 0 ? '' : `, of which a gate would have spared ${count(found.avoidable)}`;
  const sent = `sent ${plural(found.requests, 'request')} in ${plural(findings.storms.length, 'storm')}${spared}`;
  return clients === 1
    ? phrase`${whoStormed(found)}: ${quote(worst.client)} ${sent}.`
    : phrase`${whoStormed(found)}: together they ${sent}.`;
}

/** Returns the verdict in one sentence. */
export function sentence(findings: Findings): Phrase {
  const found = verdict(findings);
  switch (found.is) {
    case 'empty': {
      if (found.lines === 0) return phrase`There was nothing to judge: the input has no lines.`;
      return phrase`There was nothing to judge: none of the ${plural(found.lines, 'line')} is an access record${found.rejects > 0 ? `, and ${count(found.rejects)} could not be understood` : ''}.`;
    }
    case 'blind':
      return phrase`This log cannot show a refusal: its ${plural(found.requests, 'request')} carry neither a status nor an RPC code.`;
    case 'quiet': {
      const levels = levelsSeen(findings);
      if (levels === '') return phrase`No client was refused for good in ${plural(found.requests, 'request')}.`;
      return phrase`No refusal for good was seen in ${plural(found.requests, 'request')}, looking at ${levels} alone.`;
    }
    case 'heard':
      return phrase`Every refusal seen was taken for an answer: ${count(found.refused)} of ${plural(found.requests, 'request')} ${noun(found.refused, 'was', 'were')} refused for good, and none was asked for again.`;
    case 'repeated':
      return phrase`No storm, but some refusals were asked for again: ${count(found.refused)} of ${plural(found.requests, 'request')} ${noun(found.refused, 'was', 'were')} refused for good.`;
    case 'storms':
      return stormSentence(findings, found);
  }
}

function savingsWords({ savings, requests }: Findings): Phrase {
  const spared = `${range(savings.lower, savings.upper)} of ${plural(requests.total, 'request')} (${savings.lower < savings.upper ? 'up to ' : ''}${share(savings.upper, requests.total)})`;
  const lost = `lost ${plural(savings.harm, 'good answer')}, because those refusals did not hold`;
  if (savings.harm === 0) return phrase`Over all clients a gate would have spared ${spared} and lost no good answer.`;
  if (savings.harm < savings.upper) return phrase`Over all clients a gate would have spared ${spared} but also ${lost}.`;
  return phrase`Over all clients a gate would have done more harm than good: it would have spared ${spared} and ${lost}.`;
}

/** Returns the sentences that stand behind the verdict: the worst storm of several, what a gate saves and costs over all clients, and what is avoidable beyond it. */
export function support(findings: Findings): Phrase[] {
  const { savings } = findings;
  const held = savings.upper > 0 || savings.harm > 0;
  const failures = requestsOf(findings, ['throttled', 'transient']);
  const urgent = findings.findings.filter((finding) => finding.severity === 'high').length;
  const found = verdict(findings);
  const isWorstUntold = found.is === 'storms' && findings.storms.length > 1 && findings.visibility.client;
  return [
    isWorstUntold && phrase`Worst: ${quote(found.worst.client)} ${worstWords(found)}.`,
    held && savingsWords(findings),
    savings.avoidable_first > 0 &&
      phrase`Even ${count(savings.avoidable_first)} of the requests it lets through ${noun(savings.avoidable_first, 'was', 'were')} avoidable: the client had read a contract that does not have the path.`,
    savings.overrun > 0 &&
      phrase`${plural(savings.overrun, 'retry', 'retries')} after failures of the moment went beyond the budget of three.`,
    !held &&
      savings.overrun === 0 &&
      failures > 0 &&
      phrase`${plural(failures, 'request')} failed for the moment (throttled or transient); those may be tried again.`,
    urgent > 0 &&
      phrase`${capital(words(urgent))} ${noun(urgent, 'finding')} of high severity ${noun(urgent, 'needs', 'need')} a look.`,
  ].filter((line) => line !== false);
}

/** Kinds in the order of the closed list, with their requests, those that occur only. */
export function kindsSeen(findings: Findings): { kind: Kind; requests: number }[] {
  return KINDS.map((kind) => ({ kind, requests: findings.requests.by_kind[kind] ?? 0 })).filter((row) => row.requests > 0);
}

/** Returns the storm's targets in one phrase: the first two by name. */
export function targetNames(storm: Storm): Phrase {
  const named = storm.targets.slice(0, 2).map((target) => phrase`${quote(targetName(target), 80)}`);
  const more = storm.targets.length - named.length;
  return more > 0 ? phrase`${join(named, ', ')} and ${more} more` : join(named, ', ');
}
