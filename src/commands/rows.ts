// Rows of a query as a table, CSV, JSON or NDJSON, written batch by batch.
import { isoTime } from '../findings/time.ts';
import { escapeCsv, escapeTerminal, toJson } from '../report/escape.ts';
import type { Row, Value } from '../store/database.ts';
import { print } from './output.ts';

export const ROW_FORMATS = ['table', 'csv', 'json', 'ndjson'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

type Batches = AsyncIterable<readonly Row[]>;

/** Writes rows to standard output. */
export async function printRows(format: RowFormat, batches: Batches): Promise<void> {
  for await (const text of renderRows(format, batches)) await print(text);
}

/** Returns rows as text, piece by piece; moments (columns `ts` and `…_ts`) as ISO 8601. */
export function renderRows(format: RowFormat, batches: Batches): AsyncIterable<string> {
  return RENDERERS[format](dated(batches));
}

async function* dated(batches: Batches): Batches {
  for await (const rows of batches) {
    const moments = Object.keys(rows[0] ?? {}).filter((name) => /(?:^|_)ts$/.test(name));
    for (const row of rows) for (const name of moments) row[name] = moment(row[name]);
    yield rows;
  }
}

function moment(value: Value | undefined): Value {
  return typeof value === 'number' && Number.isSafeInteger(value) ? isoTime(value) : (value ?? null);
}

const RENDERERS: Readonly<Record<RowFormat, (batches: Batches) => AsyncIterable<string>>> = { table, csv, json, ndjson };

/** A column is as wide as the first batch needs; a later value that is wider moves its own row only. */
async function* table(batches: Batches): AsyncIterable<string> {
  let columns: { name: string; width: number; isNumber: boolean }[] | undefined;
  for await (const rows of batches) {
    const [first] = rows;
    if (first === undefined) continue;
    if (columns === undefined) {
      columns = Object.keys(first).map((name) => ({
        name,
        width: Math.min(60, Math.max(name.length, ...rows.map((row) => cell(row[name]).length))),
        isNumber: rows.every((row) => row[name] === null || typeof row[name] === 'number'),
      }));
      yield line(columns.map(({ name, width, isNumber }) => (isNumber ? name.padStart(width) : name.padEnd(width))));
      yield line(columns.map(({ width }) => '-'.repeat(width)));
    }
    const padded = (row: Row) =>
      (columns ?? []).map(({ name, width, isNumber }) =>
        isNumber ? cell(row[name]).padStart(width) : cell(row[name]).padEnd(width),
      );
    yield rows.map((row) => line(padded(row))).join('');
  }
}

function line(cells: readonly string[]): string {
  return `${cells.join('  ').trimEnd()}\n`;
}

function cell(value: Value | undefined): string {
  return value === null || value === undefined ? '' : escapeTerminal(String(value));
}

async function* csv(batches: Batches): AsyncIterable<string> {
  let isFirst = true;
  for await (const rows of batches) {
    const header = isFirst && rows[0] !== undefined ? [Object.keys(rows[0])] : [];
    if (rows.length > 0) isFirst = false;
    const lines = [...header.map((names) => names.map(escapeCsv)), ...rows.map((row) => Object.values(row).map(csvCell))];
    yield lines.map((cells) => `${cells.join(',')}\r\n`).join('');
  }
}

/** Whole numbers too large for a number come as text, and are no formulas. */
function csvCell(value: Value): string {
  if (typeof value === 'boolean' || (typeof value === 'string' && /^-?\d+$/.test(value))) return String(value);
  return escapeCsv(value);
}

async function* json(batches: Batches): AsyncIterable<string> {
  let before = '[';
  for await (const rows of batches) {
    for (const row of rows) {
      yield `${before}\n  ${toJson(row)}`;
      before = ',';
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

async function* ndjson(batches: Batches): AsyncIterable<string> {
  for await (const rows of batches) yield rows.map((row) => `${toJson(row)}\n`).join('');
}
