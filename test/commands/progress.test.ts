import { expect, it } from 'vitest';
import { progressLine } from '../../src/commands/progress.ts';

it.each([
  [
    { source: 'access.log', bytes: 250e6, totalBytes: 1e9, lines: 3_000_000 },
    10,
    '250 MB of 1 GB, 300,000 lines/s, 30 s left: access.log',
  ],
  [{ source: '-', bytes: 250e6, totalBytes: null, lines: 3_000_000 }, 10, '250 MB, 300,000 lines/s: stdin'],
  [{ source: 'a.log', bytes: 0, totalBytes: 10, lines: 0 }, 0, '0 B of 10 B, 0 lines/s: a.log'],
])('says how far reading is: %j', (progress, seconds, line) => {
  expect(progressLine(progress, seconds)).toBe(line);
});
