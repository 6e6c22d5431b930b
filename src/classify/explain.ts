// The rule table in words, for `stormgate explain`.
import type { Signal, Target, Verdict } from '../record.ts';
import { findRule, verdictOf } from './classify.ts';
import { RULES, type Match, type Range, type Rule } from './rules.ts';

/** A rule as people read it: its verdict, when it fires, what the answer says and where that is written. */
export interface RuleInWords extends Verdict {
  /** Place in the table, from 1: earlier rules win. */
  order: number;
  when: string;
  says: string;
  source: string;
}

/** Returns the rule that decides an answer, in words. */
export function explain(target: Target, signal: Signal): RuleInWords {
  return inWords(findRule(target, signal));
}

/** Returns the whole rule table in words, in the order in which rules are tried. */
export function allRules(): RuleInWords[] {
  return RULES.map(inWords);
}

function inWords(rule: Rule): RuleInWords {
  const tests = Object.entries(rule.when).map(([fact, match]) => `${fact.replaceAll('_', ' ')} ${matchInWords(match)}`);
  return {
    order: RULES.indexOf(rule) + 1,
    ...verdictOf(rule),
    when: tests.length === 0 ? 'anything else' : tests.join(', '),
    says: rule.says,
    source: rule.source,
  };
}

function matchInWords(match: Match): string {
  if (match === null) return 'none';
  if (typeof match === 'boolean') return match ? 'yes' : 'no';
  if (typeof match !== 'object') return String(match);
  if ('from' in match) return rangeInWords(match);
  return match.map(matchInWords).join(' or ');
}

function rangeInWords({ from, to }: Range): string {
  if (from === -Infinity) return `up to ${to}`;
  if (to === Infinity) return `from ${from}`;
  return `${from} to ${to}`;
}
