// Requests over time: refusals and failures by kind above, all others below on a scale of their own, or one would hide the other.
import type { Series } from '../../findings/findings.ts';
import { KINDS, type Kind } from '../../record.ts';
import { count, duration, plural, span } from '../numbers.ts';
import { stacked } from '../page/slice.js';
import { REFUSALS } from '../verdict.ts';
import { CHART_WIDTH, kindScale, kindsIn, THEME, TIME_FORMAT, type Chart } from './chart.ts';

type Row = Series['timeline']['rows'][number];

const REFUSED: ReadonlySet<Kind> = new Set(REFUSALS);
const isRefusedOrFailed = ({ kind }: Row): boolean => REFUSED.has(kind) || kind === 'throttled' || kind === 'transient';

const iso = (ts: number): string => new Date(ts / 1000).toISOString();

function finding(rows: readonly Row[], bucket_us: number): string {
  const refused = new Map<number, number>();
  for (const { ts, kind, requests } of rows) if (REFUSED.has(kind)) refused.set(ts, (refused.get(ts) ?? 0) + requests);
  if (refused.size === 0) return `Requests over time, in steps of ${duration(bucket_us / 1e6)}`;
  const times = [...refused.keys()];
  const total = [...refused.values()].reduce((sum, n) => sum + n, 0);
  const when = span(iso(Math.min(...times)), iso(Math.max(...times) + bucket_us)).replaceAll(/(\d\d:\d\d):00\b/g, '$1');
  return `${plural(total, 'refusal')} from ${when}, at most ${count(Math.max(...refused.values()))} in ${duration(bucket_us / 1e6)}`;
}

function panel(name: string, rows: readonly Row[], bucket_us: number, title: string, height: number, isLast: boolean): object {
  return {
    width: CHART_WIDTH - 60,
    height,
    data: { name, values: stacked(rows, bucket_us) },
    mark: 'rect',
    encoding: {
      x: {
        field: 'start',
        type: 'temporal',
        scale: { type: 'utc', nice: false },
        axis: {
          grid: false,
          format: TIME_FORMAT,
          labels: isLast,
          title: isLast ? 'time (UTC)' : null,
          tickCount: 8,
          labelFlush: true,
        },
      },
      x2: { field: 'end' },
      y: {
        field: 'base',
        type: 'quantitative',
        axis: { title, tickCount: height > 80 ? 4 : 2, format: ',d', minExtent: 40, maxExtent: 40, tickMinStep: 1 },
      },
      y2: { field: 'top' },
      color: { field: 'kind', type: 'nominal', scale: kindScale(kindsIn(rows)), legend: null },
      tooltip: [
        { field: 'start', type: 'temporal', format: '%Y-%m-%d %H:%M:%S', title: 'from (UTC)' },
        { field: 'kind', title: 'kind' },
        { field: 'requests', type: 'quantitative', format: ',d', title: 'requests' },
      ],
    },
  };
}

/** Returns the timeline, or nothing for a log without time. */
export function maybeTimeline({ timeline }: Series): Chart | undefined {
  const { bucket_us, rows } = timeline;
  if (rows.length === 0) return undefined;
  const sorted = rows.toSorted((a, b) => a.ts - b.ts || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  const above = sorted.filter(isRefusedOrFailed);
  const below = sorted.filter((row) => !isRefusedOrFailed(row));
  const bucket = duration(bucket_us / 1e6);
  const others = below.every((row) => row.kind === 'ok') ? 'answered' : 'others';
  const panels = [
    above.length > 0 && panel('refused', above, bucket_us, 'refused or failed', 150, below.length === 0),
    below.length > 0 && panel('others', below, bucket_us, others, above.length > 0 ? 70 : 150, true),
  ].filter((part) => part !== false);
  const total = rows.reduce((sum, row) => sum + row.requests, 0);
  return {
    name: 'timeline',
    title: finding(sorted, bucket_us),
    description: `${count(total)} requests in steps of ${bucket}, by kind${panels.length > 1 ? '; refused and failed requests above, all others below on a scale of their own' : ''}.`,
    kinds: kindsIn(sorted),
    live: { ...(above.length > 0 && { refused: 'refused' }), ...(below.length > 0 && { others: 'others' }) },
    spec: {
      config: THEME,
      spacing: 14,
      resolve: { scale: { x: 'shared', color: 'independent' } },
      vconcat: panels,
    } as Chart['spec'],
  };
}
