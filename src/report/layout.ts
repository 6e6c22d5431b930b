// Text in cells: how wide it is on a terminal, and how it is cut, padded, wrapped and drawn there.
import { UNIT_BLANK } from './numbers.ts';

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18CFF}\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}])/u;
const NONE = /^\p{M}+$/u;
const PLAIN = /^[\x20-\x7E]*$/;

function cells(grapheme: string): number {
  if (NONE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Returns the cells that a text without control characters takes on a terminal. */
export function width(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of SEGMENTS.segment(text)) sum += cells(segment);
  return sum;
}

// The longest start of the text that fits.
function fit(text: string, size: number): string {
  let end = 0;
  let used = 0;
  for (const { segment, index } of SEGMENTS.segment(text)) {
    used += cells(segment);
    if (used > size) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

// The longest end of the text that fits.
function fitEnd(text: string, size: number): string {
  let start = text.length;
  let used = 0;
  for (const { segment, index } of [...SEGMENTS.segment(text)].toReversed()) {
    used += cells(segment);
    if (used > size) break;
    start = index;
  }
  return text.slice(start);
}

/** Returns the text in at most `size` cells, the middle left out where it is too wide: both ends of a path tell something. */
export function cut(text: string, size: number): string {
  if (width(text) <= size) return text;
  const head = Math.ceil((size - 1) * 0.5);
  return `${fit(text, head)}…${fitEnd(text, size - 1 - head)}`;
}

/** Returns the text padded to `size` cells, on the right or, for numbers, on the left. */
export function pad(text: string, size: number, side: 'left' | 'right' = 'right'): string {
  const space = ' '.repeat(Math.max(0, size - width(text)));
  return side === 'left' ? space + text : text + space;
}

// Stands for a blank while words are told apart; log text has none by then.
const BOUND = '\0';

/** Returns the text in lines of at most `size` cells, broken at blanks and, where a word alone is too long, inside it. */
export function wrap(text: string, size: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const bound of text.replace(UNIT_BLANK, BOUND).split(' ')) {
    let word = bound.replaceAll(BOUND, ' ');
    if (line !== '' && width(line) + 1 + width(word) <= size) {
      line += ` ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    while (width(word) > size) {
      const head = fit(word, size);
      lines.push(head);
      word = word.slice(head.length);
    }
    line = word;
  }
  return [...lines, line];
}

/** Returns two parts of a whole as a bar of `size` cells; a part that is not zero has at least one. */
export function bar(first: number, second: number, size: number, [full, light]: readonly [string, string]): string {
  const whole = first + second;
  if (whole === 0) return '';
  const least = first > 0 ? 1 : 0;
  const most = second > 0 ? size - 1 : size;
  const cellsOfFirst = Math.min(most, Math.max(least, Math.round((size * first) / whole)));
  return full.repeat(cellsOfFirst) + light.repeat(size - cellsOfFirst);
}

export interface Column<Row> {
  title: string;
  side?: 'left' | 'right';
  /** Gives up cells first when the table is too wide. */
  shrinks?: boolean;
  cell(row: Row): string;
}

const LEAST = 6;

// Takes cells from the widest column that may shrink until the rest fits.
function shrink(widths: readonly number[], columns: readonly { shrinks?: boolean }[], over: number): number[] {
  const fitted = [...widths];
  for (let left = over; left > 0; left -= 1) {
    const widest = fitted.reduce((best, w, i) => (columns[i]?.shrinks && w > LEAST && w > (fitted[best] ?? 0) ? i : best), -1);
    if (widest === -1) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

/** Returns a table as lines, its columns as wide as their longest cell, the shrinking ones cut so that the whole fits `size` cells. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], size: number, gap = 2): string[] {
  const texts = [columns.map((column) => column.title), ...rows.map((row) => columns.map((column) => column.cell(row)))];
  const wanted = columns.map((_, i) => Math.max(...texts.map((line) => width(line[i] ?? ''))));
  const widths = shrink(wanted, columns, wanted.reduce((sum, w) => sum + w, 0) + gap * (columns.length - 1) - size);
  return texts.map((line) =>
    line
      .map((text, i) => pad(cut(text, widths[i] ?? 0), widths[i] ?? 0, columns[i]?.side === 'right' ? 'left' : 'right'))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}
