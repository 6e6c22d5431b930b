// Appends to the store without awaiting: slabs of requests (a plain memory copy per column) and rows of the other tables.
import duckdb, { type DuckDBAppender, type DuckDBConnection } from '@duckdb/node-api';
import bindings from '@duckdb/node-bindings';
import { InputError } from '../errors.ts';
import * as messages from '../messages.ts';
import { REQUEST_COLUMNS } from '../record.ts';
import { TABLES, type TableName } from './schema.ts';
import { SLAB_ROWS, slabColumn, type SlabData } from './slab.ts';

export interface RequestAppender {
  append(slab: SlabData): void;
  close(): void;
}

/** Opens an appender to table `requests`. Slabs may come in any order. */
export async function openRequestAppender(connection: DuckDBConnection): Promise<RequestAppender> {
  const appender = await connection.createAppender('requests');
  const chunk = duckdb.DuckDBDataChunk.create(
    REQUEST_COLUMNS.map(() => duckdb.BIGINT),
    SLAB_ROWS,
  );
  const vectors = REQUEST_COLUMNS.map((_, column) => bindings.data_chunk_get_vector(chunk.chunk, column));
  return {
    append(slab) {
      if (slab.rows === 0) return;
      chunk.rowCount = slab.rows;
      for (const [column, vector] of vectors.entries()) {
        const { values, validity } = slabColumn(slab, column);
        bindings.copy_data_to_vector(vector, 0, values.buffer, values.byteOffset, slab.rows * 8);
        bindings.vector_ensure_validity_writable(vector);
        bindings.copy_data_to_vector_validity(vector, 0, validity.buffer, validity.byteOffset, validity.byteLength);
      }
      attempt(() => appender.appendDataChunk(chunk));
    },
    close() {
      attempt(() => appender.closeSync());
    },
  };
}

/** A value of a row to append; a BIGINT may be a number, a bigint or a decimal string. */
export type Cell = string | number | bigint | boolean | null | undefined;

export interface RowAppender {
  /** Appends a row; a column that is missing is NULL. */
  append(row: Readonly<Record<string, Cell>>): void;
  close(): void;
}

export async function openRowAppender(connection: DuckDBConnection, table: TableName): Promise<RowAppender> {
  const appender = await connection.createAppender(table);
  const columns = Object.entries(TABLES[table]);
  return {
    append(row) {
      for (const [column, type] of columns) appendCell(appender, type, row[column] ?? null);
      attempt(() => appender.endRow());
    },
    close() {
      attempt(() => appender.closeSync());
    },
  };
}

function appendCell(appender: DuckDBAppender, type: string, value: Exclude<Cell, undefined>): void {
  if (value === null) appender.appendNull();
  else if (type === 'BIGINT') appender.appendBigInt(BigInt(value));
  else if (type === 'BOOLEAN') appender.appendBoolean(Boolean(value));
  else appender.appendVarchar(String(value));
}

/** What fails here is the disk: rows are written out while they come in. */
function attempt(write: () => void): void {
  try {
    write();
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    throw new InputError(messages.cannotStore(), { reason, help: messages.otherDisk() }, { cause: error });
  }
}
