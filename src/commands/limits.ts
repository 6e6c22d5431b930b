// `--fail-on 'storms>0'`: a figure of the report, a comparison and a number. A crossed limit is exit code 1.
import { UsageError } from '../errors.ts';
import { FINDING_RULES, STORM_KINDS, type Findings } from '../findings/findings.ts';
import * as messages from '../messages.ts';
import { KINDS } from '../record.ts';
import { unknownName } from './nearest.ts';

export type Figures<T> = Readonly<Record<string, (of: T) => number>>;
type Figure = (findings: Findings) => number;

const each = (names: readonly string[], figure: (name: string) => Figure) =>
  Object.fromEntries(names.map((name) => [name, figure(name)]));

/** Figures by name: totals, savings, then storms, findings and requests of each kind by the kind's name. */
export const FIGURES: Figures<Findings> = {
  storms: (findings) => findings.storms.length,
  findings: (findings) => findings.findings.length,
  requests: (findings) => findings.requests.total,
  rejects: (findings) => findings.rejects.total,
  clients: (findings) => findings.clients.total,
  sessions: (findings) => findings.sessions.total,
  undeclared: (findings) => findings.contract.undeclared,
  avoidable: (findings) => findings.savings.upper,
  lower: (findings) => findings.savings.lower,
  upper: (findings) => findings.savings.upper,
  avoidable_first: (findings) => findings.savings.avoidable_first,
  overrun: (findings) => findings.savings.overrun,
  harm: (findings) => findings.savings.harm,
  ambiguous_repeats: (findings) => findings.savings.ambiguous_repeats,
  ...each(STORM_KINDS, (kind) => (findings) => findings.storms.filter((storm) => storm.kind === kind).length),
  ...each(FINDING_RULES, (rule) => (findings) => findings.findings.filter((finding) => finding.rule === rule).length),
  ...each(KINDS, (kind) => (findings) => findings.requests.by_kind[kind as (typeof KINDS)[number]] ?? 0),
};

const OPERATORS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '=': (value, bound) => value === bound,
  '!=': (value, bound) => value !== bound,
};

export interface Limit {
  /** As the user wrote it. */
  readonly text: string;
  readonly figure: string;
  readonly operator: string;
  readonly bound: number;
}

/** Returns the limit that a text states of one of the figures. */
export function readLimit(text: string, figures: Readonly<Record<string, unknown>>): Limit {
  const [, figure, operator, bound] = /^\s*([\w.-]+)\s*([<>!=]=?)\s*(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  const known = operator === '==' ? '=' : operator;
  if (figure === undefined || known === undefined || bound === undefined || !Object.hasOwn(OPERATORS, known)) {
    throw new UsageError(messages.badLimit(text), { help: messages.limitShape() });
  }
  if (!Object.hasOwn(figures, figure)) throw unknownName('figure', figure, Object.keys(figures));
  return { text: text.trim(), figure, operator: known, bound: Number(bound) };
}

/** Returns a sentence for each limit that the figures of a value cross. */
export function crossedLimits<T>(of: T, limits: readonly Limit[], figures: Figures<T>): string[] {
  return limits.flatMap(({ text, figure, operator, bound }) => {
    const value = figures[figure]?.(of) ?? 0;
    return OPERATORS[operator]?.(value, bound) === true ? [messages.limitCrossed(text, figure, String(value))] : [];
  });
}
