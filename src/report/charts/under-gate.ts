// What was sent against what a gate would have sent: all refusals with the lower to upper range, then each kind.
import type { Findings } from '../../findings/findings.ts';
import { KINDS } from '../../record.ts';
import { savingsRows } from '../facts.ts';
import { plural, range } from '../numbers.ts';
import { gateRows } from '../page/slice.js';
import { KIND_COLOURS, SURFACES } from '../palette.ts';
import { CHART_WIDTH, labels, THEME, type Chart } from './chart.ts';

const STEP = 46;

const COLOURS = { all: SURFACES.ink.light, ...Object.fromEntries(KINDS.map((kind) => [kind, KIND_COLOURS[kind].light])) };

const BAR = { type: 'bar', height: 16, yOffset: 8 } as const;
const X = (field: string): object => ({ field, type: 'quantitative' });

/** Returns the chart, or nothing where the gate had nothing to judge. */
export function maybeUnderGate(findings: Findings): Chart | undefined {
  const rows = gateRows(savingsRows(findings), findings.savings.upper - findings.savings.lower, COLOURS);
  const [all] = rows;
  if (!all || all.sent === 0) return undefined;
  const isDoubtful = all.most > all.least;
  const isHarmful = all.harm > 0;
  const layer = [
    {
      mark: { ...BAR, color: SURFACES.line.light },
      encoding: { x: { ...X('sent'), axis: { title: 'requests', format: ',d', tickMinStep: 1, tickCount: 6 } } },
    },
    { mark: BAR, encoding: { x: X('least'), color: { field: 'colour', type: 'nominal', scale: null } } },
    isDoubtful && {
      transform: [{ filter: 'datum.most > datum.least' }],
      mark: { type: 'bar', height: 6, yOffset: 8 },
      encoding: { x: X('least'), x2: { field: 'most' }, color: { field: 'colour', type: 'nominal', scale: null } },
    },
    isHarmful && {
      transform: [{ filter: 'datum.harm > 0' }, { calculate: 'datum.sent - datum.harm', as: 'kept' }],
      mark: { ...BAR, color: 'transparent', stroke: SURFACES.spared.light, strokeWidth: 1.5, strokeDash: [3, 2] },
      encoding: { x: X('kept'), x2: { field: 'sent' } },
    },
    ...labels('words', -11, {}),
  ].filter((part) => part !== false);
  return {
    name: 'under-gate',
    title: `Of ${plural(all.sent, 'request')} that met a refusal, a gate would have sent ${range(all.least, all.most)}${all.harm > 0 ? ` and lost ${plural(all.harm, 'good answer')}` : ''}`,
    description: [
      'For each kind the requests that were sent (pale), and those of them that a gate would have sent (solid).',
      isDoubtful && 'The thin bar spans the lower to the upper bound.',
      isHarmful && 'A dashed end marks good answers that the gate would have lost.',
    ]
      .filter((part) => part !== false)
      .join(' '),
    kinds: [],
    live: { gate: 'rows' },
    spec: {
      width: CHART_WIDTH - 12,
      height: rows.length * STEP,
      autosize: 'none',
      padding: { left: 2, right: 10, top: 2, bottom: 40 },
      config: THEME,
      data: { name: 'rows', values: rows },
      encoding: {
        y: { field: 'name', type: 'nominal', sort: null, axis: null },
        tooltip: [{ field: 'words', title: 'kind' }],
      },
      layer,
    } as unknown as Chart['spec'],
  };
}
