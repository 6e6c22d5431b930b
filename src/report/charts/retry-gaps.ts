// How long clients waited before they tried again, against the envelope under which full jitter spreads its waits.
import type { Kind } from '../../record.ts';
import type { PageData } from '../page/data.ts';
import { waitMarks } from '../page/slice.js';
import { count, plural } from '../numbers.ts';
import { SURFACES } from '../palette.ts';
import { CHART_WIDTH, kindScale, kindsIn, THEME, type Chart } from './chart.ts';

/** Of src/gate: what `fullJitter` waits at most before each retry. */
const BASE_MS = 500;
const CAP_MS = 30_000;
const RETRIES = 8;
const envelope = Array.from({ length: RETRIES }, (_, i) => ({ retry: i + 1, wait: Math.min(CAP_MS, BASE_MS * 2 ** i) }));

/** Returns the chart, or nothing where nothing was tried again. */
export function maybeRetryGaps(data: PageData): Chart | undefined {
  const marks = waitMarks(data, data.retries);
  const total = marks.reduce((sum, mark) => sum + mark.retries, 0);
  if (total === 0) return undefined;
  const early = marks.reduce((sum, mark) => sum + mark.early, 0);
  const kinds = kindsIn(marks as { kind: Kind }[]);
  const y = {
    field: 'wait',
    type: 'quantitative',
    scale: { type: 'log', domain: [3, 300_000], nice: false },
    axis: {
      title: 'wait',
      values: [10, 100, 1000, 10_000, 100_000],
      labelExpr: "datum.value < 1000 ? datum.value + ' ms' : datum.value / 1000 + ' s'",
    },
  };
  const x = {
    field: 'retry',
    type: 'quantitative',
    scale: { domain: [0.5, RETRIES + 0.5], nice: false },
    axis: {
      title: 'number of the retry',
      grid: false,
      values: envelope.map(({ retry }) => retry),
      labelExpr: `datum.value == ${RETRIES} ? '${RETRIES}+' : datum.label`,
    },
  };
  return {
    name: 'gaps',
    title: `${count(early)} of ${plural(total, 'retry', 'retries')} came within the first tenth of the full-jitter envelope, where ${count(Math.round(total / 10))} would be expected`,
    description:
      'Waits between the end of a failed answer and the next attempt, by the number of the retry, on a logarithmic scale; a larger mark stands for more retries. The stepped line is the most that full jitter waits (500 ms, doubled each time, at most 30 s); its waits spread evenly from zero up to it.',
    kinds,
    live: { gaps: 'marks' },
    spec: {
      width: CHART_WIDTH - 72,
      height: 260,
      config: THEME,
      layer: [
        {
          data: { name: 'marks', values: marks },
          mark: { type: 'point', filled: true, opacity: 0.85 },
          encoding: {
            x,
            y,
            color: { field: 'kind', type: 'nominal', scale: kindScale(kinds), legend: null },
            size: {
              field: 'retries',
              type: 'quantitative',
              scale: { type: 'sqrt', domain: [1, 200], range: [50, 620], clamp: true },
              legend: null,
            },
            tooltip: [
              { field: 'retry', title: 'retry' },
              { field: 'kind', title: 'after' },
              { field: 'wait', type: 'quantitative', format: ',.0f', title: 'wait around (ms)' },
              { field: 'retries', type: 'quantitative', format: ',d', title: 'retries' },
            ],
          },
        },
        {
          data: { values: envelope },
          mark: {
            type: 'line',
            interpolate: 'step',
            color: SURFACES.ink.light,
            strokeWidth: 1.5,
            strokeDash: [5, 3],
            tooltip: null,
          },
          encoding: { x, y },
        },
      ],
    } as unknown as Chart['spec'],
  };
}
