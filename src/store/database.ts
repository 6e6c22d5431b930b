// The one door to the DuckDB driver: opening, running text, reading rows, appending rows.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import duckdb, { type DuckDBConnection, type DuckDBInstance } from '@duckdb/node-api';
import { InputError, QueryError } from '../errors.ts';
import * as messages from '../messages.ts';
import { openRowAppender, type Cell } from './append.ts';
import { createTable, TABLES, type TableName } from './schema.ts';

export interface DatabaseOptions {
  /** A DuckDB file to keep; without it a temporary file that goes when the database closes. */
  path?: string | undefined;
  /** DuckDB's memory limit, such as `512MB`; what does not fit goes to disk. */
  memory?: string | undefined;
  threads?: number | undefined;
}

export type Value = string | number | boolean | null;
export type Row = Record<string, Value>;

export interface Database {
  /** Runs one or more statements. Throws a QueryError that names `name`. */
  run(sql: string, name?: string): Promise<void>;
  /** Returns rows as plain objects; a BIGINT is a number, or a decimal string if it is not a safe integer. */
  rows<T = Row>(sql: string, name?: string): Promise<T[]>;
  /** Reads rows in batches, for results that may not fit in memory. */
  batches<T = Row>(sql: string, name?: string): AsyncIterable<T[]>;
  /** Appends rows to a base table. */
  insert(table: TableName, rows: readonly Readonly<Record<string, Cell>>[]): Promise<void>;
  readonly connection: DuckDBConnection;
  close(): Promise<void>;
}

/** Opens a database with all base tables in it. */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const folder = options.path === undefined ? await mkdtemp(join(tmpdir(), 'stormgate-')) : undefined;
  const path = options.path ?? join(folder ?? '', 'run.duckdb');
  const instance = await openInstance(path, options);
  const connection = await instance.connect();
  for (const table of Object.keys(TABLES) as TableName[]) await connection.run(createTable(table));
  return new DuckDBDatabase(instance, connection, folder);
}

async function openInstance(path: string, { memory, threads }: DatabaseOptions): Promise<DuckDBInstance> {
  try {
    return await duckdb.DuckDBInstance.create(path, {
      memory_limit: memory ?? '300MB',
      ...(threads === undefined ? {} : { threads: String(threads) }),
      preserve_insertion_order: 'false',
    });
  } catch (error) {
    throw new InputError(messages.cannotOpenDatabase(path), { reason: (error as Error).message }, { cause: error });
  }
}

class DuckDBDatabase implements Database {
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  readonly #removeFolder: () => void;

  constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string | undefined) {
    this.#instance = instance;
    this.connection = connection;
    this.#removeFolder = () => (folder === undefined ? undefined : rmSync(folder, { recursive: true, force: true }));
    // Ctrl-C ends the program without closing anything, and the folder may hold gigabytes.
    process.once('exit', this.#removeFolder);
  }

  async run(sql: string, name = 'statement'): Promise<void> {
    try {
      await this.connection.run(sql);
    } catch (error) {
      throw new QueryError(name, sql, error);
    }
  }

  async rows<T = Row>(sql: string, name = 'statement'): Promise<T[]> {
    const all: T[] = [];
    for await (const batch of this.batches<T>(sql, name)) all.push(...batch);
    return all;
  }

  async *batches<T = Row>(sql: string, name = 'statement'): AsyncIterable<T[]> {
    try {
      const result = await this.connection.stream(sql);
      const names = result.deduplicatedColumnNames();
      for await (const rows of result.yieldRows()) {
        yield rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index], plain(value)])) as T);
      }
    } catch (error) {
      throw new QueryError(name, sql, error);
    }
  }

  async insert(table: TableName, rows: readonly Readonly<Record<string, Cell>>[]): Promise<void> {
    const appender = await openRowAppender(this.connection, table);
    for (const row of rows) appender.append(row);
    appender.close();
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.#instance.closeSync();
    process.off('exit', this.#removeFolder);
    this.#removeFolder();
  }
}

function plain(value: unknown): Value {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return String(value);
}
