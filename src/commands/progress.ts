// The progress line: bytes, lines per second, time left. Only for people: on a terminal, and not with --quiet.
import * as messages from '../messages.ts';
import { bytes, count, duration } from '../report/numbers.ts';
import { printProgress } from './stderr.ts';

export interface Progress {
  bytes: number;
  totalBytes: number | null;
  lines: number;
  source: string;
}

/** Returns the progress line for what was done in `seconds`. */
export function progressLine({ bytes: done, totalBytes, lines, source }: Progress, seconds: number): string {
  const left = totalBytes === null || done === 0 ? undefined : ((totalBytes - done) / done) * seconds;
  const amount = messages.bytesOf(bytes(done), totalBytes === null ? undefined : bytes(totalBytes));
  const name = source === '-' ? 'stdin' : source;
  const rate = count(lines / Math.max(seconds, 0.001));
  return messages.progress(amount, rate, left === undefined ? undefined : duration(Math.ceil(left)), name);
}

/** Returns a function that keeps the progress line up to date, five times a second at most; undefined where nobody looks. */
export function maybeProgress(isQuiet: boolean): ((progress: Progress) => void) | undefined {
  if (isQuiet || !process.stderr.isTTY) return undefined;
  const begin = performance.now();
  let last = begin;
  return (progress) => {
    const now = performance.now();
    if (now - last < 200) return;
    last = now;
    printProgress(progressLine(progress, (now - begin) / 1000));
  };
}
