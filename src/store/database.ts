// The one door to the DuckDB driver: opening, running text, reading rows, appending rows.
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import duckdb, { type DuckDBConnection, type DuckDBInstance } from '@duckdb/node-api';
import { InputError, QueryError } from '../errors.ts';
import * as messages from '../messages.ts';
import { openRowAppender, type Cell } from './append.ts';
import { createTable, TABLES, type TableName } from './schema.ts';

export interface DatabaseOptions {
  /** A DuckDB file to make, replacing one that an earlier run made; without it a temporary file that goes when the database closes. */
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
  /** False if everything goes when the database closes. */
  readonly isKept: boolean;
  /** Says that the work is whole: on closing, the file takes its place at `path`. Until then an earlier file stays as it was. */
  keep(): void;
  close(): Promise<void>;
}

/** Opens a new database with all base tables in it. */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  if (options.path !== undefined) await checkReplaceable(options.path);
  const folder = await makeFolder(options.path === undefined ? tmpdir() : dirname(options.path));
  try {
    const instance = await openInstance(join(folder, 'run.duckdb'), options);
    const connection = await instance.connect();
    if (options.path === undefined) await connection.run('PRAGMA disable_checkpoint_on_shutdown');
    for (const table of Object.keys(TABLES) as TableName[]) await connection.run(createTable(table));
    return new DuckDBDatabase(instance, connection, folder, options.path);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Opens a database that an earlier run kept, for reading. */
export async function openKeptDatabase(path: string, options: Omit<DatabaseOptions, 'path'> = {}): Promise<Database> {
  const instance = await openInstance(path, options, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const database = new DuckDBDatabase(instance, connection, undefined, undefined);
  const found = await database.rows(
    `SELECT 1 FROM information_schema.tables WHERE table_name IN ('requests', 'settings')`,
    'kept tables',
  );
  if (found.length === 2) return database;
  await database.close();
  throw new InputError(messages.noKeptDatabase(path), { help: messages.makeDatabase(path) });
}

async function openInstance(path: string, options: DatabaseOptions, more: Record<string, string> = {}): Promise<DuckDBInstance> {
  try {
    return await duckdb.DuckDBInstance.create(path, {
      memory_limit: options.memory ?? '224MB',
      ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
      preserve_insertion_order: 'false',
      ...more,
    });
  } catch (error) {
    throw new InputError(messages.cannotOpenDatabase(path), { reason: firstLine(error) }, { cause: error });
  }
}

async function makeFolder(parent: string): Promise<string> {
  try {
    return await mkdtemp(join(parent, '.stormgate-'));
  } catch (error) {
    throw new InputError(
      messages.cannotWriteFolder(parent),
      { reason: firstLine(error), help: messages.otherFolder() },
      { cause: error },
    );
  }
}

/** A file that is none of ours is not overwritten. */
async function checkReplaceable(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const old = await openKeptDatabase(path);
  await old.close();
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
}

class DuckDBDatabase implements Database {
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  readonly #folder: string | undefined;
  readonly #path: string | undefined;
  readonly #clear = (): void => {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  };
  readonly isKept: boolean;
  #isWhole = false;

  constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string | undefined, path: string | undefined) {
    this.#instance = instance;
    this.connection = connection;
    this.#folder = folder;
    this.#path = path;
    this.isKept = folder === undefined || path !== undefined;
    // Ctrl-C ends the program without closing anything, and the folder may hold gigabytes.
    process.once('exit', this.#clear);
  }

  keep(): void {
    this.#isWhole = true;
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
    process.off('exit', this.#clear);
    if (this.#folder !== undefined && this.#isWhole && this.#path !== undefined)
      await rename(join(this.#folder, 'run.duckdb'), this.#path);
    this.#clear();
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
