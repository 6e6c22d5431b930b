import { describe, expect, it } from 'vitest';
import { bytes, count, duration, plural, range, share, span, words } from '../../src/report/numbers.ts';

describe('numbers for people', () => {
  it.each([
    [count(0), '0'],
    [count(999), '999'],
    [count(1_234_567), '1,234,567'],
    [words(3), 'three'],
    [words(13), '13'],
    [plural(1, 'request'), '1 request'],
    [plural(0, 'request'), '0 requests'],
    [plural(2_000, 'retry', 'retries'), '2,000 retries'],
    [range(19, 19), '19'],
    [range(19, 2_400), '19–2,400'],
    [share(0, 10), '0 %'],
    [share(1, 100_000), '<0.1 %'],
    [share(99_999, 100_000), '>99.9 %'],
    [share(17, 1000), '1.7 %'],
    [share(997, 1000), '99 %'],
    [share(10, 10), '100 %'],
    [share(0, 0), '–'],
    [bytes(999), '999 B'],
    [bytes(4_100), '4.1 kB'],
    [bytes(12_345_678), '12 MB'],
    [bytes(0), '0 B'],
    [duration(0), '0 s'],
    [duration(0.034), '34 ms'],
    [duration(2.25), '2.3 s'],
    [duration(59.6), '1 min'],
    [duration(6_480), '1 h 48 min'],
    [duration(3_600), '1 h'],
    [duration(200_000), '2 d 7 h'],
    [span('2026-03-02T09:14:02.5Z', '2026-03-02T11:02:40Z'), '2026-03-02 09:14:02 to 11:02:40 UTC'],
    [span('2026-03-02T23:59:59Z', '2026-03-03T00:00:01Z'), '2026-03-02 23:59:59 to 2026-03-03 00:00:01 UTC'],
    [span('2026-03-02T09:14:02.1Z', '2026-03-02T09:14:02.9Z'), '2026-03-02 09:14:02 UTC'],
  ])('%s', (written, expected) => expect(written).toBe(expected));
});
