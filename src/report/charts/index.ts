// The charts by name; a page shows them all, `--format svg --chart NAME` one.
import type { Findings, Series } from '../../findings/findings.ts';
import { pageData } from '../page/data.ts';
import { maybeAttempts } from './attempts.ts';
import type { Chart } from './chart.ts';
import { maybeLanes } from './lanes.ts';
import { maybeProbePath } from './probe-path.ts';
import { maybeRefusalMap } from './refusal-map.ts';
import { maybeRetryGaps } from './retry-gaps.ts';
import { maybeStability } from './stability.ts';
import { maybeTimeline } from './timeline.ts';
import { maybeUnderGate } from './under-gate.ts';

type MaybeChart = (findings: Findings, series: Series) => Chart | undefined;

const withData =
  (draw: (data: ReturnType<typeof pageData>, findings: Findings) => Chart | undefined): MaybeChart =>
  (findings, series) =>
    series.slices === null ? undefined : draw(pageData(findings, series.slices), findings);

export const CHARTS = {
  timeline: (_, series) => maybeTimeline(series),
  lanes: withData((data, findings) => maybeLanes(findings, data)),
  /** Of the first storm, which is the worst. */
  path: ({ storms: [worst] }, series) => worst && maybeProbePath(worst, series),
  gate: (findings) => maybeUnderGate(findings),
  refusals: withData(maybeRefusalMap),
  gaps: withData(maybeRetryGaps),
  attempts: withData(maybeAttempts),
  stability: withData(maybeStability),
} as const satisfies Record<string, MaybeChart>;

export type ChartName = keyof typeof CHARTS;
