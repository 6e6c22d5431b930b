import { describe, expect, it } from 'vitest';
import type { Series } from '../../src/findings/findings.ts';
import type { Chart } from '../../src/report/charts/chart.ts';
import { CHARTS, type ChartName } from '../../src/report/charts/index.ts';
import { drawCharts } from '../../src/report/charts/draw.ts';
import { maybeProbePath } from '../../src/report/charts/probe-path.ts';
import { maybeTimeline } from '../../src/report/charts/timeline.ts';
import { maybeUnderGate } from '../../src/report/charts/under-gate.ts';
import { KIND_COLOURS, SURFACES } from '../../src/report/palette.ts';
import { BLIND, EMPTY, EMPTY_SERIES, FEDERATION, FEDERATION_SERIES, hostile, MANY, PROBER_STORM } from './fixtures.ts';

const untimed: Series = {
  ...FEDERATION_SERIES,
  paths: FEDERATION_SERIES.paths.map((step) => Object.assign(structuredClone(step), { ts: null })),
};
const some = (chart: Chart | undefined): Chart => {
  if (!chart) throw new Error('no chart');
  return chart;
};
const chartOf = (name: ChartName): Chart => some(CHARTS[name](FEDERATION, FEDERATION_SERIES));
const charts = {
  lanes: chartOf('lanes'),
  refusals: chartOf('refusals'),
  gaps: chartOf('gaps'),
  attempts: chartOf('attempts'),
  stability: chartOf('stability'),
  timeline: some(maybeTimeline(FEDERATION_SERIES)),
  'under-gate': some(maybeUnderGate(FEDERATION)),
  'under-gate-harm': some(maybeUnderGate(MANY)),
  'probe-path': some(maybeProbePath(PROBER_STORM, FEDERATION_SERIES)),
  'probe-path-untimed': some(maybeProbePath(PROBER_STORM, untimed)),
};

describe.each(Object.entries(charts))('the chart %s', (name, chart) => {
  it('is as it was looked at and agreed to', async () => {
    await expect(`${JSON.stringify(chart, null, 2)}\n`).toMatchFileSnapshot(`../golden/report-charts/${name}.json`);
  });

  it('compiles without a warning and draws the same bytes twice', async () => {
    const warnings: string[] = [];
    const draw = async (): Promise<string | undefined> =>
      (await drawCharts([structuredClone(chart)], (message) => warnings.push(message)))[0]?.svg;
    const svg = await draw();
    expect(warnings).toEqual([]);
    expect(svg).toMatch(/^<svg .*<\/svg>$/s);
    expect(await draw()).toBe(svg);
  });

  it('is drawn in colours of the palette only, and without inline style', async () => {
    const [drawn] = await drawCharts([chart]);
    const known = new Set([...Object.values(KIND_COLOURS), ...Object.values(SURFACES)].map(({ light }) => light));
    const used = Array.from(drawn?.svg.matchAll(/(?:fill|stroke)="(#[^"]+|[a-z]+)"/g) ?? [], ([, colour = '']) => colour);
    expect(used.filter((colour) => !known.has(colour) && colour !== 'none' && colour !== 'transparent')).toEqual([]);
    expect(drawn?.svg).not.toMatch(/ style=|<style|href=/);
  });
});

it.each([
  [charts.timeline, '34 refusals from 2026-03-02 05:00 to 14:45 UTC, at most 4 in 15 min'],
  [charts['under-gate'], 'Of 34 requests that met a refusal, a gate would have sent 9–11'],
  [charts['under-gate-harm'], 'Of 179 requests that met a refusal, a gate would have sent 17–149 and lost 7 good answers'],
  [charts.lanes, '1 storm of one kind, 1 client'],
  [charts.refusals, '26 % of 34 refusals fall on one pair of client and target'],
  [charts.gaps, '5 of 30 retries came within the first tenth of the full-jitter envelope, where 3 would be expected'],
  [charts.attempts, '1 of 9 retried operations went beyond 4 attempts'],
  [charts.stability, 'None of 5 refused targets was also answered well'],
  [charts['probe-path'], '28 requests over 5 targets, 23 spared by a gate'],
])('a title says the finding: %#', (chart, title) => expect(chart.title).toBe(title));

describe('where there is nothing to draw', () => {
  it('there is no chart', () => {
    for (const chart of Object.values(CHARTS)) expect(chart(EMPTY, EMPTY_SERIES)).toBeUndefined();
    expect(maybeTimeline(EMPTY_SERIES)).toBeUndefined();
    expect(maybeUnderGate(EMPTY)).toBeUndefined();
    expect(maybeUnderGate(BLIND)).toBeUndefined();
    expect(maybeProbePath(PROBER_STORM, EMPTY_SERIES)).toBeUndefined();
  });
});

const valuesOf = (chart: Chart): { at: number; lane: string; requests: number }[] =>
  (chart.spec as unknown as { data: { values: [] } }).data.values;

describe('a probe path', () => {
  it('shows order where a log has no time', () => {
    expect(valuesOf(charts['probe-path-untimed']).map((mark) => mark.at)).toEqual(untimed.paths.map((step) => step.seq));
    expect(JSON.stringify(charts['probe-path-untimed'].spec)).toContain('order of the lines');
  });

  it('stays small and adds up, however long the storm and however many its targets', () => {
    const paths = Array.from({ length: 50_000 }, (_, i) => ({
      ...FEDERATION_SERIES.paths[1],
      storm: PROBER_STORM.id,
      ts: i * 1e6,
      seq: i,
      target: `GET /x/${i % 40}`,
    })) as Series['paths'];
    const chart = some(maybeProbePath(PROBER_STORM, { ...FEDERATION_SERIES, paths }));
    const marks = valuesOf(chart);
    expect(marks.reduce((sum, mark) => sum + mark.requests, 0)).toBe(50_000);
    expect(new Set(marks.map((mark) => mark.lane)).size).toBe(12);
    expect(chart.title).toMatch(/^50,000 requests over 40 targets, /);
    expect(marks.length).toBeLessThan(8_000);
  });

  it('shows hostile names as text', async () => {
    const { findings, series } = hostile();
    const drawn = await drawCharts(findings.storms.map((storm) => some(maybeProbePath(storm, series))));
    for (const { svg } of drawn) expect(svg).not.toMatch(/<(?!\/?(?:svg|g|path|line|rect|text|defs|clipPath)\b)/);
  });
});
