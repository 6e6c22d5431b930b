// What was sent against what a gate would have sent: all refusals with the lower to upper range, then each kind.
import type { Findings } from '../../findings/findings.ts';
import { savingsRows } from '../facts.ts';
import { count, plural, range } from '../numbers.ts';
import { KIND_COLOURS, SURFACES } from '../palette.ts';
import { CHART_WIDTH, labels, THEME, type Chart } from './chart.ts';

const STEP = 46;

interface Row {
  name: string;
  words: string;
  colour: string;
  sent: number;
  /** Sent under the gate at least, and at most. */
  least: number;
  most: number;
  harm: number;
}

const harmWords = (harm: number): string => (harm > 0 ? `, harm ${count(harm)}` : '');

function rowsOf(findings: Findings): Row[] {
  const kinds = savingsRows(findings);
  const sum = (key: 'requests' | 'under_gate' | 'harm'): number => kinds.reduce((total, row) => total + row[key], 0);
  const doubt = findings.savings.upper - findings.savings.lower;
  const under = sum('under_gate');
  return [
    {
      name: 'all',
      words: `all: ${count(sum('requests'))} sent, ${range(under, under + doubt)} under the gate${harmWords(sum('harm'))}`,
      colour: SURFACES.ink.light,
      sent: sum('requests'),
      least: under,
      most: under + doubt,
      harm: sum('harm'),
    },
    ...kinds.map(({ kind, requests, under_gate, harm }) => ({
      name: kind,
      words: `${kind}: ${count(requests)} sent, ${count(under_gate)} under the gate${harmWords(harm)}`,
      colour: KIND_COLOURS[kind].light,
      sent: requests,
      least: under_gate,
      most: under_gate,
      harm,
    })),
  ];
}

const BAR = { type: 'bar', height: 16, yOffset: 8 } as const;
const X = (field: string): object => ({ field, type: 'quantitative' });

/** Returns the chart, or nothing where the gate had nothing to judge. */
export function maybeUnderGate(findings: Findings): Chart | undefined {
  const rows = rowsOf(findings);
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
    spec: {
      width: CHART_WIDTH - 12,
      height: rows.length * STEP,
      autosize: 'none',
      padding: { left: 2, right: 10, top: 2, bottom: 40 },
      config: THEME,
      data: { values: rows },
      encoding: {
        y: { field: 'name', type: 'nominal', sort: null, axis: null },
        tooltip: [{ field: 'words', title: 'kind' }],
      },
      layer,
    } as unknown as Chart['spec'],
  };
}
