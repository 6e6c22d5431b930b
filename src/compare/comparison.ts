// Two reports side by side: which storms are gone, new or still there, and every figure as a rate, because two logs are never of one size.
import { STORM_KINDS, type Findings, type Storm, type StormKind } from '../findings/findings.ts';
import { groupBy } from '../findings/group.ts';
import { REFUSALS, requestsOf } from '../report/verdict.ts';
import { maybeCaveats, type Caveat } from './caveats.ts';

export const COMPARE_SCHEMA = 'stormgate.compare/1';

export const STATES = ['new', 'unchanged', 'gone'] as const;
export type StormState = (typeof STATES)[number];

/** A count, and what it is per thousand requests of its own side; null where that side has none. */
export interface Rate {
  count: number;
  per_thousand: number | null;
}

/** One report with the name that the user gave it. */
export interface Side {
  name: string;
  findings: Findings;
}

export interface SideSummary {
  name: string;
  window: Findings['window'];
  requests: number;
  clients: number;
  storms: number;
  visibility: Findings['visibility'];
  contract: Findings['contract']['source'];
  version: string;
}

export interface StormSide {
  storms: number;
  requests: Rate;
  avoidable: Rate;
}

/** The storms of one client and kind on both sides. */
export interface StormChange {
  state: StormState;
  kind: StormKind;
  /** Null where a log does not name its clients and storms are told apart by kind alone. */
  client: string | null;
  before: StormSide | null;
  after: StormSide | null;
}

export const FIGURES = [
  'refused_for_good',
  'throttled',
  'transient',
  'storm_requests',
  'avoidable_lower',
  'avoidable',
  'harm',
  'overrun',
] as const;
export type ComparedFigure = (typeof FIGURES)[number];

export interface FigureChange {
  figure: ComparedFigure;
  before: Rate;
  after: Rate;
}

export interface Comparison {
  schema: typeof COMPARE_SCHEMA;
  tool: { name: 'stormgate'; version: string };
  generated_at: string;
  before: SideSummary;
  after: SideSummary;
  totals: Record<`${StormState}_storms`, number>;
  storms: StormChange[];
  figures: FigureChange[];
  /** Why the two sides may differ for other reasons than what the clients did. */
  caveats: Caveat[];
}

/** Returns the comparison of two reports. */
export function compare(before: Side, after: Side, stamp: { version: string; generatedAt: string }): Comparison {
  const isNamed = before.findings.visibility.client && after.findings.visibility.client;
  const storms = stormChanges(before.findings, after.findings, isNamed);
  const number = (state: StormState): number => storms.filter((storm) => storm.state === state).length;
  return {
    schema: COMPARE_SCHEMA,
    tool: { name: 'stormgate', version: stamp.version },
    generated_at: stamp.generatedAt,
    before: summary(before),
    after: summary(after),
    totals: { new_storms: number('new'), unchanged_storms: number('unchanged'), gone_storms: number('gone') },
    storms,
    figures: FIGURES.map((figure) => ({
      figure,
      before: rate(FIGURE_OF[figure](before.findings), before.findings),
      after: rate(FIGURE_OF[figure](after.findings), after.findings),
    })),
    caveats: maybeCaveats(before.findings, after.findings, storms),
  };
}

const FIGURE_OF: Readonly<Record<ComparedFigure, (findings: Findings) => number>> = {
  refused_for_good: (findings) => requestsOf(findings, REFUSALS),
  throttled: (findings) => requestsOf(findings, ['throttled']),
  transient: (findings) => requestsOf(findings, ['transient']),
  storm_requests: ({ storms }) => storms.reduce((total, storm) => total + storm.requests, 0),
  avoidable_lower: ({ savings }) => savings.lower,
  avoidable: ({ savings }) => savings.upper,
  harm: ({ savings }) => savings.harm,
  overrun: ({ savings }) => savings.overrun,
};

function summary({ name, findings }: Side): SideSummary {
  const { window, requests, clients, storms, visibility, contract, tool } = findings;
  return {
    name,
    window,
    requests: requests.total,
    clients: clients.total,
    storms: storms.length,
    visibility,
    contract: contract.source,
    version: tool.version,
  };
}

// Four digits tell 0.0123 from 0.0124 and do not pretend to know more.
function rate(count: number, { requests }: Findings): Rate {
  return { count, per_thousand: requests.total === 0 ? null : Number(((1000 * count) / requests.total).toPrecision(4)) };
}

function stormChanges(before: Findings, after: Findings, isNamed: boolean): StormChange[] {
  const keyOf = ({ kind, client }: Storm): string => JSON.stringify([kind, isNamed ? client : null]);
  const earlier = groupBy(before.storms, keyOf);
  const later = groupBy(after.storms, keyOf);
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .map((key) => {
      const [kind, client] = JSON.parse(key) as [StormKind, string | null];
      const then = maybeSide(earlier.get(key), before);
      const now = maybeSide(later.get(key), after);
      return { state: stateOf(then, now), kind, client, before: then, after: now };
    })
    .toSorted(byWeight);
}

function stateOf(before: StormSide | null, after: StormSide | null): StormState {
  if (before === null) return 'new';
  return after === null ? 'gone' : 'unchanged';
}

function maybeSide(storms: readonly Storm[] | undefined, findings: Findings): StormSide | null {
  if (storms === undefined) return null;
  const sum = (of: (storm: Storm) => number): number => storms.reduce((total, storm) => total + of(storm), 0);
  return {
    storms: storms.length,
    requests: rate(
      sum((storm) => storm.requests),
      findings,
    ),
    avoidable: rate(
      sum((storm) => storm.avoidable),
      findings,
    ),
  };
}

const weight = ({ before, after }: StormChange): number => (after ?? before)?.requests.per_thousand ?? 0;

function byWeight(a: StormChange, b: StormChange): number {
  return (
    STATES.indexOf(a.state) - STATES.indexOf(b.state) ||
    weight(b) - weight(a) ||
    STORM_KINDS.indexOf(a.kind) - STORM_KINDS.indexOf(b.kind) ||
    ((a.client ?? '') < (b.client ?? '') ? -1 : 1)
  );
}
