// What a renderer is. A new one is a file that exports a `Renderer`, plus a line in `renderers.ts`.
import type { Findings, Series } from '../findings/findings.ts';

export interface RenderOptions {
  /** Cells of the terminal; what is not a terminal counts as 80. */
  width: number;
  color: boolean;
  /** Draw with ASCII only. */
  ascii: boolean;
  /** Rows for charts; a renderer that has charts leaves them out where this is null. */
  series: Series | null;
}

export const DEFAULT_OPTIONS: RenderOptions = { width: 80, color: false, ascii: false, series: null };

export interface Renderer {
  /** For the list in `--help`. */
  readonly title: string;
  /** File name extensions that mean this format, the usual one first. */
  readonly extensions: readonly [string, ...string[]];
  /** Whether it draws charts and so needs `series`. */
  readonly hasCharts: boolean;
  /** Pure: text of the findings (already in order) and the options, nothing else. Ends in a newline. */
  render(findings: Findings, options: RenderOptions): string | Promise<string>;
}
