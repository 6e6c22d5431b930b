// A record becomes a row of `requests`.
import type { AccessRecord } from '../record.ts';
import { COLUMN, type Slab } from '../store/slab.ts';
import type { Dictionary } from './dictionary.ts';
import { hashText, newId, parseHexId, type Id } from './ids.ts';

const NUMBERS = ['ts', 'duration_us', 'request_bytes', 'response_bytes', 'retry_after_ms', 'attempts'] as const;
const LEAST_ID = 16;
const scratch = newId();

/** Where a row says its request was read. */
export interface Place {
  source: string;
  line: number;
  part: number;
}

/**
 * Fills the slab's current row and ends it. The source is set for all rows of a slab later (`placeSlab`); its name matters here
 * because a log without clients has one client per source.
 */
export function writeRow(slab: Slab, record: AccessRecord, { source, line, part }: Place, dictionary: Dictionary): void {
  const target = dictionary.target(record);
  setId(slab, COLUMN.client, dictionary.client(record, source));
  setId(slab, COLUMN.target, target);
  setId(slab, COLUMN.operation, dictionary.operation(target, record.arguments_hash));
  setId(slab, COLUMN.signal, dictionary.signal(record.signal));
  slab.setNumber(COLUMN.line, line);
  slab.setNumber(COLUMN.part, part);
  for (const name of NUMBERS) {
    const value = record[name];
    if (value !== null) slab.setNumber(COLUMN[name], value);
  }
  setHex(slab, COLUMN.session_token, record.session);
  setHex(slab, COLUMN.arguments_hash, record.arguments_hash);
  if (record.correlation !== null && isUnique(record.correlation.length)) {
    hashText(record.correlation, scratch);
    setId(slab, COLUMN.correlation, scratch);
  }
  slab.endRow();
}

/** Returns whether an id is long enough to be that of one request: a shorter one may be a counter, and joins nothing. */
export function isUnique(length: number): boolean {
  return length >= LEAST_ID;
}

export function setId(slab: Slab, column: number, id: Id): void {
  slab.setHalves(column, id[0] as number, id[1] as number);
}

/** Fills the current row's source, for a record that cites another than the one it is read from, before `writeRow`. */
export function writeSource(slab: Slab, source: string): void {
  hashText(source, scratch);
  setId(slab, COLUMN.source, scratch);
}

function setHex(slab: Slab, column: number, hex: string | null): void {
  if (hex === null) return;
  parseHexId(hex, scratch);
  setId(slab, column, scratch);
}
