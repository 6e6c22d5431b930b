import { describe, expect, test } from 'vitest';
import { fullJitter } from '../../src/gate/index.ts';

describe('fullJitter', () => {
  test.each([
    [0, 0.5, 50],
    [1, 0.5, 100],
    [3, 0.5, 400],
    [3, 0, 0],
    [10, 0.5, 500],
    [5000, 0.5, 500],
    [-1, 0.5, 50],
  ])('after attempt %i with chance %f waits %i ms', (attempt, chance, wait) => {
    expect(fullJitter(attempt, { baseMs: 100, capMs: 1000, random: () => chance })).toBe(wait);
  });

  test('stays below the ceiling with the default source of chance', () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const wait = fullJitter(attempt);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThan(Math.min(30_000, 500 * 2 ** attempt));
    }
  });
});
