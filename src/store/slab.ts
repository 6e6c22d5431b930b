// A slab: up to one data chunk of rows of `requests`, as typed arrays that can be filled without allocating and handed to another thread.
import { REQUEST_COLUMNS, type RequestColumn } from '../record.ts';

/** Rows of one DuckDB data chunk. */
export const SLAB_ROWS = 2048;

const COLUMN_BYTES = SLAB_ROWS * 8;
const VALIDITY_BYTES = SLAB_ROWS / 8;
const COLUMNS = REQUEST_COLUMNS.length;
const SLAB_BYTES = COLUMNS * (COLUMN_BYTES + VALIDITY_BYTES);
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
  readonly buffer = new ArrayBuffer(SLAB_BYTES);
  readonly #halves = new Int32Array(this.buffer, 0, (COLUMNS * COLUMN_BYTES) / 4);
  readonly #validity = new Int32Array(this.buffer, COLUMNS * COLUMN_BYTES);

  /** Sets a value of the current row by its halves; a column that is not set is NULL. */
  setHalves(column: number, lo: number, hi: number): void {
    const at = (column * SLAB_ROWS + this.rows) << 1;
    this.#halves[at] = lo;
    this.#halves[at + 1] = hi;
    const word = column * (SLAB_ROWS / 32) + (this.rows >>> 5);
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
export function slabColumn(slab: SlabData, column: number): { values: BigInt64Array<ArrayBuffer>; validity: Uint8Array<ArrayBuffer> } {
  return {
    values: new BigInt64Array(slab.buffer, column * COLUMN_BYTES, SLAB_ROWS),
    validity: new Uint8Array(slab.buffer, COLUMNS * COLUMN_BYTES + column * VALIDITY_BYTES, VALIDITY_BYTES),
  };
}
