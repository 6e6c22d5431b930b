// All that goes to standard error, in one place: errors, warnings, notes and the progress line.
import { StormgateError } from '../errors.ts';
import * as messages from '../messages.ts';
import { escapeTerminal } from '../report/escape.ts';

const CLEAR_LINE = '\r\u001b[K';
let isLineOpen = false;

function print(text: string): void {
  process.stderr.write(isLineOpen ? CLEAR_LINE + text : text);
  isLineOpen = false;
}

/** Prints an error: what, then why, where and what to do. Anything but ours is a bug and shows its stack. */
export function printError(error: unknown): void {
  if (!(error instanceof StormgateError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    print(messages.bug(stack.split('\n').map(escapeTerminal).join('\n')));
    return;
  }
  const { reason, at, help } = error.detail;
  const parts = Object.entries({ error: error.message, reason, at, help });
  print(parts.map(([label, text]) => (text === undefined ? '' : `${label}: ${paragraph(text)}\n`)).join(''));
}

/** Lines of an engine's message stay lines; everything else that could act on a terminal is shown. */
function paragraph(text: string): string {
  return text.split('\n').map(escapeTerminal).join('\n  ');
}

/** Prints a sentence about something that the user may want to look into. */
export function printWarning(sentence: string): void {
  print(`warning: ${escapeTerminal(sentence)}\n`);
}

/** Prints a sentence that is neither error nor warning. */
export function printNote(sentence: string): void {
  print(`${escapeTerminal(sentence)}\n`);
}

/** Replaces the progress line, cut to the width of the terminal; an empty text takes it away. */
export function printProgress(text: string): void {
  if (text === '' && !isLineOpen) return;
  process.stderr.write(CLEAR_LINE + escapeTerminal(text).slice(0, (process.stderr.columns ?? 80) - 1));
  isLineOpen = text !== '';
}
