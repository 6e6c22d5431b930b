// A slab: up to one data chunk of rows of `requests`, as typed arrays that can be filled without allocating and handed to another thread.
import { REQUEST_COLUMNS, type RequestColumn } from '../record.ts';

/** Rows of one DuckDB data chunk. */
export const SLAB_ROWS = 2048;

const VALUE_BYTES = SLAB_ROWS * 8;
/** A cache line more than the values: rows are written across all columns, and columns a power of two apart would share cache sets. */
const COLUMN_BYTES = VALUE_BYTES + 64;
const VALIDITY_BYTES = SLAB_ROWS / 8;
const VALIDITY_WORDS = VALIDITY_BYTES / 4;
const COLUMNS = REQUEST_COLUMNS.length;
const VALIDITY_OFFSET = COLUMNS * COLUMN_BYTES;
const SLAB_BYTES = VALIDITY_OFFSET + COLUMNS * VALIDITY_BYTES;
const TWO_32 = 2 ** 32;

/** Position of each column, for callers that fill rows by number. */
export const COLUMN = Object.fromEntries(REQUEST_COLUMNS.map((name, index) => [name, index])) as Record<RequestColumn, number>;

/** What crosses threads: column after column of 64-bit values, then a validity bitmap for each column. */
export interface SlabData {
  rows: number;
  buffer: ArrayBuffer;
}

/** A class because rows are filled by the million: one shape, its methods inlined. */
export class Slab implements SlabData {
  rows = 0;
  readonly buffer: ArrayBuffer;
  readonly #halves: Int32Array;
  readonly #validity: Int32Array;

  /** Takes the buffer of a slab that is done with, if there is one. */
  constructor(spare?: ArrayBuffer) {
    this.buffer = spare ?? new ArrayBuffer(SLAB_BYTES);
    this.#halves = new Int32Array(this.buffer, 0, VALIDITY_OFFSET / 4);
    this.#validity = new Int32Array(this.buffer, VALIDITY_OFFSET);
    if (spare) this.#validity.fill(0);
  }

  /** Sets a value of the current row by its halves; a column that is not set is NULL. */
  setHalves(column: number, lo: number, hi: number): void {
    const at = column * (COLUMN_BYTES / 4) + (this.rows << 1);
    this.#halves[at] = lo;
    this.#halves[at + 1] = hi;
    const word = column * VALIDITY_WORDS + (this.rows >>> 5);
    this.#validity[word] = (this.#validity[word] as number) | (1 << (this.rows & 31));
  }

  /** Sets an integer of at most 53 bits. */
  setNumber(column: number, value: number): void {
    this.setHalves(column, value | 0, Math.floor(value / TWO_32));
  }

  endRow(): void {
    this.rows++;
  }
}

/** Returns the 64-bit values and the validity bitmap of one column. */
export function slabColumn(
  slab: SlabData,
  column: number,
): { values: BigInt64Array<ArrayBuffer>; validity: Uint8Array<ArrayBuffer> } {
  return {
    values: new BigInt64Array(slab.buffer, column * COLUMN_BYTES, SLAB_ROWS),
    validity: new Uint8Array(slab.buffer, VALIDITY_OFFSET + column * VALIDITY_BYTES, VALIDITY_BYTES),
  };
}

/** Sets the source of all rows, and moves their lines, counted within a block so far, behind the lines before it. */
export function placeSlab(slab: SlabData, source: bigint, linesBefore: number): void {
  const sources = slabColumn(slab, COLUMN.source);
  sources.values.fill(source, 0, slab.rows);
  sources.validity.fill(0xff);
  const halves = new Int32Array(slab.buffer, COLUMN.line * COLUMN_BYTES, slab.rows * 2);
  for (let row = 0; row < slab.rows; row++) {
    const line = linesBefore + (halves[row * 2] as number);
    halves[row * 2] = line | 0;
    halves[row * 2 + 1] = Math.floor(line / TWO_32);
  }
}
