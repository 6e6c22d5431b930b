// What a chart is. A new one is a file with a function from rows to a `Chart`, plus a line where a page shows it.
import type { TopLevelSpec } from 'vega-lite';
import { KIND_COLOURS, SURFACES } from '../palette.ts';
import { KINDS, type Kind } from '../../record.ts';

export interface Chart {
  /** Unique on its page. */
  name: string;
  /** Says what the chart shows, as a sentence without a full stop. */
  title: string;
  /** The text alternative: what is drawn and how to read it. */
  description: string;
  /** Kinds that need a key, in order. */
  kinds: readonly Kind[];
  /** Rows that follow a filter, by what they show: the name of their data in the spec. */
  live?: Readonly<Partial<Record<LiveRows, string>>>;
  /** Data inlined, sorted, sized. */
  spec: TopLevelSpec;
}

/** What the page's script can make anew for a filter. */
export type LiveRows = 'refused' | 'others' | 'gate' | 'lanes' | 'refusals' | 'gaps' | 'attempts' | 'stability' | 'path';

/** Width of a drawn chart in pixels; the page fits it to its column. */
export const CHART_WIDTH = 860;

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
export const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Drawn for light; the page's style sheet turns these very colours dark. */
export const THEME = {
  /** The page describes each drawing as a whole; a name for each mark would only make it heavy. */
  aria: false,
  font: SANS,
  background: 'transparent',
  view: { stroke: null },
  axis: {
    domain: false,
    ticks: false,
    grid: true,
    gridColor: SURFACES.line.light,
    labelColor: SURFACES.quiet.light,
    labelFontSize: 12,
    labelPadding: 6,
    titleColor: SURFACES.quiet.light,
    titleFontSize: 12,
    titleFontWeight: 'normal',
  },
  text: { color: SURFACES.ink.light, fontSize: 12 },
} as const;

/** Times of day in 24 hours, dates where a day begins. */
export const TIME_FORMAT = {
  year: '%d %b %Y',
  quarter: '%d %b',
  month: '%d %b',
  week: '%d %b',
  day: '%d %b',
  date: '%d %b',
  hours: '%H:%M',
  minutes: '%H:%M',
  seconds: '%H:%M:%S',
  milliseconds: '%H:%M:%S.%L',
};

/** Returns the kinds that occur, in the order of the closed list. */
export function kindsIn(rows: readonly { kind: Kind }[]): Kind[] {
  const seen = new Set(rows.map((row) => row.kind));
  return KINDS.filter((kind) => seen.has(kind));
}

/** Returns the colour scale of the kinds. */
export function kindScale(kinds: readonly Kind[]): { domain: Kind[]; range: string[] } {
  return { domain: [...kinds], range: kinds.map((kind) => KIND_COLOURS[kind].light) };
}

/** Returns layers that write a field at the left edge, over what is drawn there. */
export function labels(field: string, dy: number, style: object, rows?: readonly object[]): object[] {
  const mark = { type: 'text', align: 'left', baseline: 'middle', dy, tooltip: null, ...style };
  const encoding = { x: { value: 0 }, text: { field } };
  const data = rows ? { data: { values: rows } } : {};
  return [
    { ...data, mark: { ...mark, stroke: SURFACES.ground.light, strokeWidth: 4, strokeJoin: 'round' }, encoding },
    { ...data, mark: { ...mark, color: SURFACES.ink.light }, encoding },
  ];
}
