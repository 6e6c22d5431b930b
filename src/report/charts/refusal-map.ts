// Who was refused what: clients across, targets up, the number in each cell.
import type { PageData } from '../page/data.ts';
import { COLUMNS, refusalCells, totalsBy } from '../page/slice.js';
import { count, plural, share } from '../numbers.ts';
import { SURFACES } from '../palette.ts';
import { CHART_WIDTH, MONO, THEME, type Chart } from './chart.ts';

const ROW = 26;
const MOST = { clients: 12, targets: 16 } as const;
const LEFT = 260;
const BOTTOM = 120;

const heaviest = (data: PageData, column: number, most: number): number[] =>
  [...totalsBy(data.requests, column, data)]
    .filter(([, { refused }]) => refused > 0)
    .toSorted(([a, one], [b, other]) => other.refused - one.refused || a - b)
    .slice(0, most)
    .map(([place]) => place);

/** Returns the map, or nothing where nobody was refused. */
export function maybeRefusalMap(data: PageData): Chart | undefined {
  const clients = heaviest(data, COLUMNS.client, MOST.clients).map((i) => data.clients[i] ?? '');
  const targets = heaviest(data, COLUMNS.target, MOST.targets).map((i) => data.targets[i] ?? '');
  const all = refusalCells(data, data.requests);
  const cells = all.filter(({ client, target }) => clients.includes(client) && targets.includes(target));
  const total = all.reduce((sum, cell) => sum + cell.requests, 0);
  const drawn = cells.reduce((sum, cell) => sum + cell.requests, 0);
  const most = cells.toSorted((a, b) => b.requests - a.requests)[0];
  if (most === undefined) return undefined;
  const x = { field: 'client', type: 'nominal', sort: null, scale: { domain: clients } };
  const y = { field: 'target', type: 'nominal', sort: null, scale: { domain: targets } };
  const axis = { labelColor: SURFACES.ink.light, grid: false, title: null, labelFont: MONO, labelFontSize: 11 };
  return {
    name: 'refusals',
    title: `${share(most.requests, total)} of ${plural(total, 'refusal')} fall on one pair of client and target`,
    description: `Refusals for good of ${plural(clients.length, 'client')} (across) by ${plural(targets.length, 'target')} (up), the most refused first; darker is more.${drawn < total ? ` ${count(total - drawn)} more fall on others.` : ''}`,
    kinds: [],
    live: { refusals: 'cells' },
    spec: {
      width: CHART_WIDTH - LEFT - 12,
      height: targets.length * ROW,
      autosize: 'none',
      padding: { left: LEFT, right: 10, top: 4, bottom: BOTTOM },
      config: THEME,
      data: { name: 'cells', values: cells },
      encoding: {
        x: { ...x, axis: { ...axis, labelAngle: -35, labelLimit: 150 } },
        y: { ...y, axis: { ...axis, labelLimit: LEFT - 10 } },
        tooltip: [
          { field: 'client', title: 'client' },
          { field: 'target', title: 'target' },
          { field: 'requests', type: 'quantitative', format: ',d', title: 'refusals' },
        ],
      },
      layer: [
        {
          mark: { type: 'rect', color: SURFACES.spared.light, stroke: SURFACES.ground.light, strokeWidth: 2 },
          encoding: {
            opacity: {
              field: 'requests',
              type: 'quantitative',
              scale: { type: 'sqrt', zero: true, range: [0.12, 0.6] },
              legend: null,
            },
          },
        },
        {
          mark: { type: 'text', fontSize: 11, color: SURFACES.ink.light },
          encoding: { text: { field: 'requests', type: 'quantitative', format: ',d' } },
        },
      ],
    } as unknown as Chart['spec'],
  };
}
