// What a renderer is. A new one is a file that exports a `Renderer`, plus a line in `renderers.ts`.
import type { Findings, Series } from '../findings/findings.ts';
import type { ChartName } from './charts/index.ts';
import type { TableName } from './csv.ts';

export interface RenderOptions {
  /** Cells of the terminal; what is not a terminal counts as 80. */
  width: number;
  color: boolean;
  /** Draw with ASCII only. */
  ascii: boolean;
  /** Rows for charts; a renderer that has charts leaves them out where this is null. */
  series: Series | null;
  /** The table of a renderer that writes one. */
  table: TableName;
  /** The chart of a renderer that draws one. */
  chart: ChartName;
}

export const DEFAULT_OPTIONS: RenderOptions = {
  width: 80,
  color: false,
  ascii: false,
  series: null,
  table: 'storms',
  chart: 'timeline',
};

export interface Renderer<Value = Findings> {
  /** For the list in `--help`. */
  readonly title: string;
  /** File name extensions that mean this format, the usual one first. */
  readonly extensions: readonly [string, ...string[]];
  /** Whether it draws charts and so needs `series`. */
  readonly hasCharts: boolean;
  /** Pure: text of the value (findings come in order) and the options, nothing else. Ends in a newline. */
  render(findings: Value, options: RenderOptions): string | Promise<string>;
}

/** Renderers by the name of their format. */
export type Renderers<Value = Findings> = Readonly<Record<string, Renderer<Value>>>;

/** Returns the format that a file name asks for by its extension, if any does. */
export function maybeFormatIn<Format extends string>(
  renderers: Readonly<Record<Format, Pick<Renderer, 'extensions'>>>,
  fileName: string,
): Format | undefined {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return (Object.keys(renderers) as Format[]).find((format) => renderers[format].extensions.includes(extension));
}
