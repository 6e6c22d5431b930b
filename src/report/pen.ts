// How a report is drawn on a terminal: its width, its colours, its headings, and the same in ASCII.
import { width, wrap } from './layout.ts';
import { SGR } from './palette.ts';
import type { RenderOptions } from './renderer.ts';

const NARROWEST = 40;
const WIDEST = 132;
export const FULL = '█';
export const LIGHT = '░';
/** Cell by cell, so that what fits before fits after. */
const ASCII: Readonly<Record<string, string>> = { [FULL]: '#', [LIGHT]: '.', '–': '-', '−': '-', '·': '-', '…': '~' };

export interface Pen {
  size: number;
  paint(sgr: number, text: string): string;
}

/** Returns the pen for a terminal. */
export function penOf({ width: asked, color }: RenderOptions): Pen {
  return {
    size: Math.min(WIDEST, Math.max(NARROWEST, asked)),
    paint: (sgr, text) => (color && text !== '' ? `\u001B[${sgr}m${text}\u001B[0m` : text),
  };
}

/** Returns a heading, with a note beside it where there is room and below it where there is none. */
export function heading(title: string, note: string, pen: Pen): string[] {
  const shout = pen.paint(SGR.strong, title.toUpperCase());
  const quiet = (line: string): string => pen.paint(SGR.quiet, line);
  if (note === '') return ['', shout];
  if (title.length + 2 + width(note) <= pen.size) return ['', `${shout}  ${quiet(note)}`];
  return ['', shout, ...wrap(note, pen.size - 2).map((line) => `  ${quiet(line)}`)];
}

/** Returns the report with ASCII in place of what draws, where that is asked for. */
export function toAscii(report: string, { ascii }: Pick<RenderOptions, 'ascii'>): string {
  return ascii ? report.replace(/[█░–−·…]/g, (char) => ASCII[char] ?? char) : report;
}
