// The evaluator of the rule table: the first rule whose facts all fit gives the verdict.
import type { Signal, Target, Verdict } from '../record.ts';
import { KIND_CONSEQUENCES } from './kinds.ts';
import { RULES, type Facts, type Match, type Rule } from './rules.ts';

type Fact = keyof Facts;

interface CompiledRule {
  rule: Rule;
  verdict: Verdict;
  tests: (readonly [Fact, Match])[];
}

const COMPILED: readonly CompiledRule[] = RULES.map((rule) => ({
  rule,
  verdict: Object.freeze(verdictOf(rule)),
  tests: Object.entries(rule.when) as [Fact, Match][],
}));

/** Facts that few rules share: rules are sought among those that fit these, found once per combination. */
const NARROWING: ReadonlySet<Fact> = new Set(['status', 'rpc_code', 'marker', 'grpc_status', 'wording']);
const MAX_NARROWED = 4096;
const narrowed = new Map<string, readonly CompiledRule[]>();

/** Returns what the rule table says of an answer (pure; the verdict is shared and frozen). */
export function classify(target: Target, signal: Signal): Verdict {
  return find(target, signal).verdict;
}

/** Returns the rule that decides an answer. */
export function findRule(target: Target, signal: Signal): Rule {
  return find(target, signal).rule;
}

/** Returns a rule's verdict: its kind, its id, and what follows from the kind unless the rule says otherwise. */
export function verdictOf(rule: Rule): Verdict {
  const usual = KIND_CONSEQUENCES[rule.kind];
  return {
    kind: rule.kind,
    reason: rule.id,
    advice: rule.advice ?? usual.advice,
    confidence: rule.confidence ?? usual.confidence,
    memory_family: rule.memory_family ?? usual.memory_family,
    lifted_by: rule.lifted_by ?? usual.lifted_by,
    need: rule.need ?? usual.need,
  };
}

/** Returns whether a value fits what a rule asks of it. */
export function fits(match: Match, value: unknown): boolean {
  if (match === null || typeof match !== 'object') return match === value;
  if ('from' in match) return typeof value === 'number' && value >= match.from && value <= match.to;
  return match.some((each) => fits(each, value));
}

function find(target: Target, signal: Signal): CompiledRule {
  const found = candidates(signal).find(({ tests }) => tests.every(([fact, match]) => fits(match, factOf(fact, target, signal))));
  if (found === undefined) throw new Error('the last rule must fit everything');
  return found;
}

/** The rules that the narrowing facts leave, without those tests. Bounded: hostile logs can hold any number of codes. */
function candidates(signal: Signal): readonly CompiledRule[] {
  const key = `${signal.status} ${signal.rpc_code} ${signal.marker} ${signal.grpc_status} ${signal.wording}`;
  let rules = narrowed.get(key);
  if (rules === undefined) {
    rules = COMPILED.flatMap(({ rule, verdict, tests }) => {
      const [early, late] = [tests.filter(([fact]) => NARROWING.has(fact)), tests.filter(([fact]) => !NARROWING.has(fact))];
      return early.every(([fact, match]) => fits(match, signal[fact as keyof Signal])) ? [{ rule, verdict, tests: late }] : [];
    });
    if (narrowed.size >= MAX_NARROWED) narrowed.clear();
    narrowed.set(key, rules);
  }
  return rules;
}

const DISCOVERY_ROLES: ReadonlySet<string> = new Set(['resource_metadata', 'server_metadata', 'card', 'server_card', 'openapi']);

function factOf(fact: Fact, target: Target, signal: Signal): unknown {
  switch (fact) {
    case 'has_method':
      return target.http_method !== null || target.rpc_method !== null;
    case 'is_endpoint':
      return target.endpoint !== null;
    case 'is_discovery':
      return DISCOVERY_ROLES.has(target.probe_role) || (target.path?.includes('/.well-known/') ?? false);
    case 'http_method':
    case 'rpc_method':
    case 'protocol':
    case 'declared':
    case 'declared_by':
    case 'is_template':
    case 'is_tool_declared':
    case 'probe_role':
      return target[fact];
    default:
      return signal[fact];
  }
}
