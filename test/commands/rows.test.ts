import { expect, it } from 'vitest';
import { renderRows, type RowFormat } from '../../src/commands/rows.ts';
import type { Row } from '../../src/store/database.ts';

async function* batches(...all: Row[][]): AsyncIterable<Row[]> {
  for (const rows of all) yield structuredClone(rows);
}

async function text(format: RowFormat, ...all: Row[][]): Promise<string> {
  let whole = '';
  for await (const piece of renderRows(format, batches(...all))) whole += piece;
  return whole;
}

const ROWS: Row[][] = [
  [{ client: '=cmd()', id: '-109541707602670214', start_ts: 1_793_800_800_000_123, n: 7, is_held: true }],
  [{ client: 'a\u001b[2J"b"', id: '2', start_ts: null, n: 12_345, is_held: false }],
];

it('draws a table: numbers right, moments as text, control characters shown', async () => {
  expect(await text('table', ...ROWS)).toBe(
    [
      'client  id                   start_ts                     n  is_held',
      '------  -------------------  ---------------------------  -  -------',
      '=cmd()  -109541707602670214  2026-11-04T14:00:00.000123Z  7  true',
      String.raw`a\x1b[2J"b"  2                                                 12345  false`,
      '',
    ].join('\n'),
  );
});

it('writes CSV in which no text is a formula and no id is a text', async () => {
  expect(await text('csv', ...ROWS)).toBe(
    [
      'client,id,start_ts,n,is_held',
      `"'=cmd()",-109541707602670214,2026-11-04T14:00:00.000123Z,7,true`,
      String.raw`"a\x1b[2J""b""",2,,12345,false`,
      '',
    ].join('\r\n'),
  );
});

it.each(['json', 'ndjson'] as const)('writes %s that reads back as the rows', async (format) => {
  const written = await text(format, ...ROWS);
  const parsed =
    format === 'json'
      ? JSON.parse(written)
      : written
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
  expect(parsed).toEqual([
    { ...ROWS[0]?.[0], start_ts: '2026-11-04T14:00:00.000123Z' },
    { ...ROWS[1]?.[0], start_ts: null },
  ]);
  expect(written).not.toContain('\u001b');
});

it.each([
  ['table', ''],
  ['csv', ''],
  ['json', '[]\n'],
  ['ndjson', ''],
] as const)('writes no rows as %s', async (format, nothing) => {
  expect(await text(format, [])).toBe(nothing);
  expect(await text(format)).toBe(nothing);
});
