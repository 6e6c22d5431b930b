// Whether refusals hold: for each target that was ever refused, what was refused beside what was answered.
import type { PageData } from '../page/data.ts';
import { stabilityBars } from '../page/slice.js';
import { count, plural } from '../numbers.ts';
import { SURFACES } from '../palette.ts';
import { clip } from '../phrase.ts';
import { CHART_WIDTH, labels, MONO, THEME, type Chart } from './chart.ts';

const STEP = 36;
const MOST = 10;

// How much a target contradicts itself.
const both = ({ refused, answered }: { refused: number; answered: number }): number => Math.min(refused, answered);

/** Returns the chart, or nothing where nothing was refused. */
export function maybeStability(data: PageData): Chart | undefined {
  const all = stabilityBars(data, data.requests).filter(({ target }) => target !== data.targets.at(-1));
  if (all.length === 0) return undefined;
  const bars = all
    .toSorted((a, b) => both(b) - both(a) || b.refused - a.refused || (a.target < b.target ? -1 : 1))
    .slice(0, MOST);
  const unstable = all.filter((bar) => both(bar) > 0).length;
  const targets = bars.map(({ target }) => target);
  const drop = STEP / 4;
  const y = { field: 'target', type: 'nominal', sort: null, scale: { domain: targets }, axis: null };
  const bar = { type: 'bar', height: 8, yOffset: drop };
  return {
    name: 'stability',
    title: `${unstable === 0 ? 'None' : count(unstable)} of ${plural(all.length, 'refused target')} ${unstable > 1 ? 'were' : 'was'} also answered well`,
    description:
      'For each target that was ever refused for good, the share of refusals (solid) beside good answers (pale), those that gave both first. A target that gives both may refuse some clients or arguments only, or not hold to its refusals.',
    kinds: [],
    live: { stability: 'bars' },
    spec: {
      width: CHART_WIDTH - 12,
      height: targets.length * STEP,
      autosize: 'none',
      padding: { left: 2, right: 10, top: 2, bottom: 40 },
      config: THEME,
      data: { name: 'bars', values: bars },
      encoding: {
        y,
        tooltip: [
          { field: 'target', title: 'target' },
          { field: 'refused', type: 'quantitative', format: ',d', title: 'refused' },
          { field: 'answered', type: 'quantitative', format: ',d', title: 'answered' },
        ],
      },
      layer: [
        {
          mark: { ...bar, color: SURFACES.line.light },
          encoding: { x: { datum: 0, type: 'quantitative', scale: { domain: [0, 1] } }, x2: { datum: 1 } },
        },
        {
          mark: { ...bar, color: SURFACES.spared.light },
          encoding: {
            x: {
              field: 'share',
              type: 'quantitative',
              scale: { domain: [0, 1] },
              axis: { title: 'refused', format: '.0%', tickCount: 5 },
            },
          },
        },
        ...labels(
          'label',
          3 - drop,
          { font: MONO, fontSize: 11.5 },
          targets.map((target) => ({ target, label: clip(target, 70) })),
        ),
      ],
    } as unknown as Chart['spec'],
  };
}
