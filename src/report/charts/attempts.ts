// How many attempts operations took after a failure of the moment, and where the budget ends.
import type { PageData } from '../page/data.ts';
import { attemptBars } from '../page/slice.js';
import { count, plural } from '../numbers.ts';
import { SURFACES } from '../palette.ts';
import { CHART_WIDTH, THEME, type Chart } from './chart.ts';

const BUDGET = 4;
const MOST = 20;

/** Returns the chart, or nothing where nothing was tried again. */
export function maybeAttempts(data: PageData): Chart | undefined {
  const bars = attemptBars(data.attempts);
  const total = bars.reduce((sum, bar) => sum + bar.operations, 0);
  if (total === 0) return undefined;
  const beyond = bars.filter(({ attempts }) => attempts > BUDGET).reduce((sum, bar) => sum + bar.operations, 0);
  return {
    name: 'attempts',
    title: `${beyond === 0 ? 'None' : count(beyond)} of ${plural(total, 'retried operation')} went beyond ${BUDGET} attempts`,
    description: `Operations that were tried again after a failure of the moment, by the attempts they took until a good answer or the end. The line is the budget: one attempt and three retries.`,
    kinds: [],
    live: { attempts: 'bars' },
    spec: {
      width: CHART_WIDTH - 72,
      height: 150,
      config: THEME,
      layer: [
        {
          data: { name: 'bars', values: bars },
          mark: { type: 'bar', width: { band: 0.8 } },
          encoding: {
            x: {
              field: 'attempts',
              type: 'ordinal',
              scale: { domain: Array.from({ length: MOST - 1 }, (_, i) => i + 2) },
              axis: {
                title: 'attempts',
                grid: false,
                labelAngle: 0,
                labelExpr: `datum.value == ${MOST} ? '${MOST}+' : datum.label`,
              },
            },
            y: {
              field: 'operations',
              type: 'quantitative',
              axis: { title: 'operations', tickCount: 4, tickMinStep: 1, format: ',d' },
            },
            color: {
              field: 'fate',
              type: 'nominal',
              scale: { domain: ['within', 'beyond'], range: [SURFACES.quiet.light, SURFACES.spared.light] },
              legend: null,
            },
            tooltip: [
              { field: 'attempts', title: 'attempts' },
              { field: 'operations', type: 'quantitative', format: ',d', title: 'operations' },
            ],
          },
        },
        {
          data: { values: [{ attempts: BUDGET }] },
          mark: {
            type: 'rule',
            color: SURFACES.ink.light,
            strokeDash: [5, 3],
            xOffset: { expr: "bandwidth('x') / 2 + 2" },
            tooltip: null,
          },
          encoding: { x: { field: 'attempts', type: 'ordinal' } },
        },
      ],
    } as unknown as Chart['spec'],
  };
}
