// What a nightly run remembers, in one DuckDB file: rows, read positions and history. Rows and positions change in one transaction.
import { existsSync, statSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InputError, QueryError } from '../errors.ts';
import * as messages from '../messages.ts';
import type { Database, Value } from '../store/database.ts';
import { createTable, TABLES } from '../store/schema.ts';

/** The name under which the state's tables are reached: `kept.requests`. */
export const KEPT = 'kept';

/** Tables that hold what was read, as the report's own base tables do. */
export const ROW_TABLES = [
  'requests',
  'client_texts',
  'target_texts',
  'signal_texts',
  'rejects',
  'credentials',
  'request_keys',
] as const;

const TABLE_COLUMNS = {
  /** What a log is known by, how far it was read, and where it lies. `id` is the `source` of its rows. */
  generations:
    'id BIGINT, source VARCHAR, name VARCHAR, title VARCHAR, head VARCHAR, position BIGINT, lines BIGINT, mark VARCHAR, format VARCHAR, path VARCHAR, seen_size BIGINT, partial_night VARCHAR, last_night VARCHAR',
  /** What was read of a log in one go. */
  stretches:
    'generation BIGINT, night VARCHAR, from_byte BIGINT, to_byte BIGINT, mark VARCHAR, first_line BIGINT, bytes BIGINT, lines BIGINT, records BIGINT, rejects BIGINT, other BIGINT, parts BIGINT, duplicates BIGINT',
  /** Logs that tagged requests say they were first read from. */
  cited: 'id BIGINT, name VARCHAR',
  /** Archives that were read to their end: as long as nothing about the file changes, it is not unpacked again. */
  archives: 'path VARCHAR, identity VARCHAR, generation BIGINT',
  /** Windows that were reported on or are about to be. */
  nights: 'night VARCHAR, since_us BIGINT, until_us BIGINT, is_due BOOLEAN, notified VARCHAR',
  figures: 'night VARCHAR, name VARCHAR, n BIGINT',
  night_storms:
    'night VARCHAR, kind VARCHAR, client VARCHAR, storms BIGINT, requests BIGINT, avoidable BIGINT, under_gate BIGINT, start_ts VARCHAR, end_ts VARCHAR',
} as const;

export type StateTable = keyof typeof TABLE_COLUMNS;

/** Statements that turn a state of one version into the next; a version is their number. Never change one that was released. */
const MIGRATIONS: readonly string[] = [
  [
    ...ROW_TABLES.map((table) => createTable(table).replace(`EXISTS ${table} `, `EXISTS ${KEPT}.${table} `)),
    ...Object.entries(TABLE_COLUMNS).map(([table, columns]) => `CREATE TABLE ${KEPT}.${table} (${columns})`),
  ].join(';\n'),
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** How long a run waits for another that works on the same state. */
export interface Patience {
  waitMs: number;
  /** Told once, when waiting begins. */
  onWait?: (() => void) | undefined;
}

const POLL_MS = 200;

/**
 * Attaches the state to a database, making or migrating it. The engine's lock on the file lasts as long as the database is open
 * and ends with its process, however that ends.
 */
export async function openState(database: Database, path: string, patience: Patience): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (!existsSync(path)) await makeState(database, path);
  await attachWhenFree(database, path, patience);
  await migrate(database, path);
  await clearAfterKilled(path);
}

/** States that were in the making when a run was killed. */
async function clearAfterKilled(path: string): Promise<void> {
  const left = /^\.\d+\.new(?:\.wal)?$/;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(basename(path)) && left.test(name.slice(basename(path).length)))
      await rm(join(dirname(path), name), { force: true });
  }
}

/** The state that is made anew, until it takes its place. */
const FORMER = 'former';
const anewPath = (path: string): string => `${path}.rebuild`;

/** Attaches an empty state that knows the history of the one at the path, and locks that one. A former state beyond repair is put aside. */
export async function openStateAnew(database: Database, path: string, patience: Patience): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await removeDatabase(anewPath(path));
  const isThere = existsSync(path) && (await attachFormer(database, path, patience));
  await attach(database, anewPath(path));
  await migrate(database, path);
  if (!isThere) return;
  const known = await database.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_catalog = '${FORMER}'`,
  );
  await inTransaction(database, async () => {
    for (const table of ['nights', 'figures', 'night_storms'] as const) {
      if (!known.some(({ name }) => name === table)) continue;
      await database.run(`INSERT INTO ${KEPT}.${table} BY NAME SELECT * FROM ${FORMER}.${table}`, 'rebuild');
    }
  });
}

async function attachFormer(database: Database, path: string, patience: Patience): Promise<boolean> {
  try {
    await attachWhenFree(database, path, patience, FORMER);
    return true;
  } catch (error) {
    if (error instanceof InputError && error.message === messages.cannotOpenState(path)) return false;
    throw error;
  }
}

/** Puts the state that was made anew in the place of the former one. */
export async function replaceState(database: Database, path: string): Promise<void> {
  await database.run(`CHECKPOINT ${KEPT}`, 'rebuild');
  await rm(`${path}.wal`, { force: true });
  await rename(anewPath(path), path);
}

/** A state appears whole: it is made under another name. If two runs make one at once, the first stays. */
async function makeState(database: Database, path: string): Promise<void> {
  const passing = `${path}.${process.pid}.new`;
  await removeDatabase(passing);
  try {
    await attach(database, passing);
    await migrate(database, passing);
    await database.run(`CHECKPOINT ${KEPT}`);
    await database.run(`DETACH ${KEPT}`);
    await link(passing, path).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(path)) throw error;
    });
  } finally {
    await removeDatabase(passing);
  }
}

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '.wal']) await rm(path + suffix, { force: true });
}

async function attachWhenFree(database: Database, path: string, { waitMs, onWait }: Patience, alias = KEPT): Promise<void> {
  const begin = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const before = inode(path);
    const holder = await attach(database, path, alias).then(
      () => undefined,
      (error: unknown) => holderOf(path, error),
    );
    // A state that was compacted meanwhile is another file.
    if (holder === undefined && inode(path) === before) return;
    if (holder === undefined) {
      await database.run(`DETACH ${alias}`);
      continue;
    }
    if (performance.now() - begin >= waitMs)
      throw new InputError(messages.stateInUse(path, holder), { help: messages.waitLonger() });
    if (isFirst) onWait?.();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function inode(path: string): number | undefined {
  return existsSync(path) ? statSync(path).ino : undefined;
}

async function attach(database: Database, path: string, alias = KEPT): Promise<void> {
  await database.run(`ATTACH ${literal(path)} AS ${alias}`, 'state');
}

/** Returns who holds the lock, if that is what an attempt failed on. */
function holderOf(path: string, error: unknown): string {
  const reason = error instanceof QueryError ? (error.detail.reason ?? '') : String(error);
  if (!/lock/i.test(reason))
    throw new InputError(messages.cannotOpenState(path), { reason, help: messages.rebuildState() }, { cause: error });
  return /\(PID \d+\)/.exec(reason)?.[0].slice(1, -1) ?? 'another process';
}

async function migrate(database: Database, path: string): Promise<void> {
  const [found] = await database.rows<{ n: number }>(
    `SELECT COUNT(*) AS n FROM information_schema.tables WHERE table_catalog = '${KEPT}' AND table_name = 'schema_version'`,
  );
  if (found?.n === 0) {
    const tables = await database.rows(`SELECT 1 FROM information_schema.tables WHERE table_catalog = '${KEPT}'`);
    if (tables.length > 0) throw new InputError(messages.noState(path), { help: messages.nameOtherState() });
    await database.run(`CREATE TABLE ${KEPT}.schema_version AS SELECT CAST(0 AS BIGINT) AS version`);
  }
  const [row] = await database.rows<{ version: number }>(`SELECT version FROM ${KEPT}.schema_version`);
  const version = row?.version ?? 0;
  if (version > SCHEMA_VERSION) {
    throw new InputError(messages.newerState(path, version, SCHEMA_VERSION), { help: messages.updateProgram() });
  }
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await inTransaction(database, async () => {
      await database.run(statements, `migration ${index + 1}`);
      await database.run(`UPDATE ${KEPT}.schema_version SET version = ${index + 1}`);
    });
  }
}

/** Runs some statements as one: all of them happen, or none. */
export async function inTransaction(database: Database, work: () => Promise<void>): Promise<void> {
  await database.run('BEGIN');
  try {
    await work();
    await database.run('COMMIT');
  } catch (error) {
    await database.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Adds rows to a table of the state; what a row does not name is NULL. */
export async function addRows(
  database: Database,
  table: StateTable,
  rows: readonly Readonly<Record<string, Value | bigint>>[],
): Promise<void> {
  const columns = TABLE_COLUMNS[table].split(', ').map((column) => column.split(' ')[0] ?? '');
  for (let at = 0; at < rows.length; at += 500) {
    const tuples = rows.slice(at, at + 500).map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(', ')})`);
    await database.run(`INSERT INTO ${KEPT}.${table} (${columns.join(', ')}) VALUES ${tuples.join(', ')}`, table);
  }
}

/** Returns a value as SQL. */
export function literal(value: Value | bigint): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** Empties the database around the state, but for tables that are to stay, so that the next tables can be made in it. */
export async function clearTables(database: Database, isGone: (name: string) => boolean = () => true): Promise<void> {
  const kinds = await database.rows<{ name: string; kind: string }>(
    `SELECT table_name AS name, table_type AS kind FROM information_schema.tables WHERE table_catalog IN (current_database(), 'temp') ORDER BY kind DESC`,
  );
  for (const { name, kind } of kinds.filter((each) => isGone(each.name)))
    await database.run(`DROP ${kind === 'VIEW' ? 'VIEW' : 'TABLE'} IF EXISTS "${name}"`);
  for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) await database.run(createTable(table));
}

/** Drops rows that are older than the raw rows are kept, and texts that no row needs any more. */
export async function forgetRows(database: Database, beforeUs: number, beforeNight: string): Promise<void> {
  await inTransaction(database, async () => {
    await database.run(
      `DELETE FROM ${KEPT}.requests WHERE COALESCE(ts, -1) BETWEEN 0 AND ${beforeUs - 1}
         OR (ts IS NULL AND EXISTS (SELECT 1 FROM ${KEPT}.stretches AS s WHERE s.generation = source AND line >= s.first_line AND line < s.first_line + s.lines AND s.night < ${literal(beforeNight)}))`,
      'retention',
    );
    for (const [texts, column] of [
      ['client_texts', 'client'],
      ['target_texts', 'target'],
      ['signal_texts', 'signal'],
    ])
      await database.run(`DELETE FROM ${KEPT}.${texts} WHERE id NOT IN (SELECT ${column} FROM ${KEPT}.requests)`, 'retention');
    for (const table of ['rejects', 'credentials', 'request_keys'])
      await database.run(
        `DELETE FROM ${KEPT}.${table} WHERE EXISTS (SELECT 1 FROM ${KEPT}.stretches AS s WHERE s.generation = ${table}.source AND ${table}.line >= s.first_line AND ${table}.line < s.first_line + s.lines AND s.night < ${literal(beforeNight)})`,
        'retention',
      );
    // A log that is still there must stay known, or it would be read again.
    await database.run(
      `DELETE FROM ${KEPT}.generations WHERE last_night < ${literal(beforeNight)} AND id NOT IN (SELECT source FROM ${KEPT}.requests)`,
      'retention',
    );
    await database.run(
      `DELETE FROM ${KEPT}.stretches WHERE night < ${literal(beforeNight)} AND generation NOT IN (SELECT id FROM ${KEPT}.generations)`,
      'retention',
    );
    await database.run(`DELETE FROM ${KEPT}.archives WHERE generation NOT IN (SELECT id FROM ${KEPT}.generations)`, 'retention');
  });
}

/** Drops the history of nights before one. */
export async function forgetNights(database: Database, beforeNight: string): Promise<void> {
  await inTransaction(database, async () => {
    for (const table of ['nights', 'figures', 'night_storms'])
      await database.run(`DELETE FROM ${KEPT}.${table} WHERE night < ${literal(beforeNight)}`, 'retention');
  });
}

const BLOCKS_WORTH_IT = 64;

/**
 * Writes the state anew without its holes, if there are enough of them: the last thing a run does. The old file keeps its lock until
 * the new one is in its place.
 */
export async function compactState(database: Database, path: string): Promise<void> {
  await database.run(`CHECKPOINT ${KEPT}`, 'compaction');
  const [size] = await database.rows<{ total: number; free: number }>(
    `SELECT total_blocks AS total, free_blocks AS free FROM pragma_database_size() WHERE database_name = '${KEPT}'`,
  );
  if (size === undefined || size.free < BLOCKS_WORTH_IT || size.free * 4 < size.total) return;
  const passing = `${path}.${process.pid}.new`;
  await removeDatabase(passing);
  try {
    await database.run(`ATTACH ${literal(passing)} AS compacted`, 'compaction');
    try {
      await database.run(`COPY FROM DATABASE ${KEPT} TO compacted`, 'compaction');
      await database.run('CHECKPOINT compacted', 'compaction');
    } finally {
      await database.run('DETACH compacted', 'compaction');
    }
    await rename(passing, path);
  } finally {
    await removeDatabase(passing);
  }
}
