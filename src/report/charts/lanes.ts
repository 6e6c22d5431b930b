// Storming clients over time: one lane each, marks by kind, larger where there were more requests.
import { STORM_KINDS, type Findings } from '../../findings/findings.ts';
import type { Kind } from '../../record.ts';
import type { PageData } from '../page/data.ts';
import { laneMarks, totalsBy, COLUMNS } from '../page/slice.js';
import { clip } from '../phrase.ts';
import { count, duration, plural, words } from '../numbers.ts';
import { SURFACES } from '../palette.ts';
import { CHART_WIDTH, kindScale, kindsIn, labels, THEME, TIME_FORMAT, type Chart } from './chart.ts';

const STEP = 40;
const LANES = 16;

/** Returns the lanes, or nothing for a log without storms or without time. */
export function maybeLanes({ storms }: Findings, data: PageData): Chart | undefined {
  const stormed = totalsBy(
    data.requests.filter((row) => (row[COLUMNS.storm] ?? -1) >= 0),
    COLUMNS.client,
    data,
  );
  const shown = [...stormed.keys()].filter((client) => client < data.clients.length - 1).slice(0, LANES);
  const marks = laneMarks(
    data,
    data.requests.filter((row) => shown.includes(row[COLUMNS.client] ?? -1)),
  ) as { at: number; lane: string; kind: Kind; requests: number }[];
  if (marks.length === 0) return undefined;
  const lanes = shown.map((client) => data.clients[client] ?? '').filter((name) => marks.some(({ lane }) => lane === name));
  const kinds = kindsIn(marks);
  const kindsOfStorms = STORM_KINDS.filter((kind) => storms.some((storm) => storm.kind === kind)).length;
  const drop = STEP / 4;
  return {
    name: 'lanes',
    title: `${plural(storms.length, 'storm')} of ${words(kindsOfStorms)} ${kindsOfStorms === 1 ? 'kind' : 'kinds'}, ${plural(lanes.length, 'client')}${lanes.length < stormed.size ? ` of ${count(stormed.size)}` : ''}`,
    description: `One lane for each client that stormed, with all that it sent in steps of ${duration(data.bucket_us / 1e6)}; a larger mark stands for more requests.`,
    kinds,
    live: { lanes: 'marks' },
    spec: {
      width: CHART_WIDTH - 12,
      height: lanes.length * STEP,
      autosize: 'none',
      padding: { left: 2, right: 10, top: 2, bottom: 40 },
      config: THEME,
      encoding: { y: { field: 'lane', type: 'nominal', scale: { domain: lanes }, axis: null } },
      layer: [
        {
          data: { values: lanes.map((lane) => ({ lane })) },
          mark: { type: 'rule', color: SURFACES.line.light, yOffset: drop },
          encoding: { x: { value: 0 }, x2: { value: 'width' } },
        },
        ...labels(
          'label',
          3 - drop,
          { fontSize: 11.5 },
          lanes.map((lane) => ({ lane, label: clip(lane, 64) })),
        ),
        {
          data: { name: 'marks', values: marks },
          mark: { type: 'point', filled: true, opacity: 0.8, yOffset: drop },
          encoding: {
            x: {
              field: 'at',
              type: 'temporal',
              scale: { type: 'utc', nice: false, padding: 14 },
              axis: { title: 'time (UTC)', labelBound: true, format: TIME_FORMAT, tickCount: 8 },
            },
            color: { field: 'kind', type: 'nominal', scale: kindScale(kinds), legend: null },
            size: {
              field: 'requests',
              type: 'quantitative',
              scale: { type: 'sqrt', domain: [1, 200], range: [40, 520], clamp: true },
              legend: null,
            },
            tooltip: [
              { field: 'lane', title: 'client' },
              { field: 'at', type: 'temporal', format: '%Y-%m-%d %H:%M:%S', title: 'around (UTC)' },
              { field: 'kind', title: 'kind' },
              { field: 'requests', type: 'quantitative', format: ',d', title: 'requests' },
            ],
          },
        },
      ],
    } as unknown as Chart['spec'],
  };
}
