import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar, cut, pad, table, width, wrap } from '../../src/report/layout.ts';

describe('cells of text', () => {
  it.each([
    ['abc', 3],
    ['漢字', 4],
    ['カナ', 4],
    ['한글', 4],
    ['e\u0301', 1],
    ['🌪', 1],
    ['🚀', 2],
    ['🇩🇪', 2],
    ['Ｆ', 2],
    ['–…█', 3],
    ['', 0],
  ])('%s takes %i', (text, cells) => expect(width(text)).toBe(cells));

  it('cuts the middle and never exceeds the size', () => {
    expect(cut('/api/v1/very/long/path', 11)).toBe('/api/…/path');
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 3, max: 30 }),
        (text, size) => width(cut(text, size)) <= size,
      ),
      { seed: 1 },
    );
  });

  it('pads by cells, not by characters', () => expect(pad('漢', 4)).toBe('漢  '));
});

describe('wrapped text', () => {
  it('breaks at blanks, and inside a word that is too long', () =>
    expect(wrap('ab cdefghij k', 4)).toEqual(['ab', 'cdef', 'ghij', 'k']));

  it('keeps a number with its unit', () => expect(wrap('up to 1.3 % in 5 min', 10)).toEqual(['up to', '1.3 % in', '5 min']));

  it('loses nothing and exceeds nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 40 }), (text, size) => {
        const lines = wrap(text, size);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(size);
      }),
      { seed: 1 },
    );
  });
});

it('a bar shows every part that is not zero', () => {
  expect(bar(1, 999, 10, ['#', '.'])).toBe('#.........');
  expect(bar(999, 1, 10, ['#', '.'])).toBe('#########.');
  expect(bar(0, 5, 4, ['#', '.'])).toBe('....');
  expect(bar(0, 0, 4, ['#', '.'])).toBe('');
});

it('a table cuts the columns that may shrink until it fits', () => {
  const columns = [
    { title: 'target', shrinks: true, cell: (row: readonly [string, number]) => row[0] },
    { title: 'n', side: 'right' as const, cell: (row: readonly [string, number]) => String(row[1]) },
  ];
  expect(table([['/a/very/long/path/indeed', 5]], columns, 16)).toEqual(
    ['target          n', '/a/ver…indeed   5'].map((line) => line.replace('   5', '  5').replace('          n', '         n')),
  );
});
