// Parquet out and in again: requests by day and client bucket, every other table as one file. Folders of many hosts unite by ids.
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import * as messages from '../messages.ts';
import type { Database } from './database.ts';
import { TABLES, type TableName } from './schema.ts';

const DAY_US = 86_400_000_000;
const BUCKETS = 16;

/** Writes every table of the database into a folder, which must not hold anything yet. */
export async function exportParquet(database: Database, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new InputError(messages.folderNotEmpty(folder), { help: messages.nameNewFolder() });
  }
  const tables = await database.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_type IN ('BASE TABLE', 'LOCAL TEMPORARY') ORDER BY table_name`,
  );
  for (const { name } of tables) {
    const path = literal(join(folder, name === 'requests' ? name : `${name}.parquet`));
    const copy =
      name === 'requests'
        ? `COPY (SELECT *, COALESCE(CAST(make_timestamp(ts - ts % ${DAY_US}) AS DATE)::VARCHAR, 'untimed') AS day, client & ${BUCKETS - 1} AS client_bucket
             FROM requests ORDER BY ts NULLS LAST, source, line, part) TO ${path} (FORMAT parquet, PARTITION_BY (day, client_bucket))`
        : `COPY ${identifier(name)} TO ${path} (FORMAT parquet)`;
    await database.run(copy, `export of ${name}`);
  }
}

/** Tables that a folder gives back; everything else is made of them anew. */
const READ_BACK: readonly (readonly [from: string, into: TableName])[] = [
  ['clients', 'client_texts'],
  ['targets', 'target_texts'],
  ['signals', 'signal_texts'],
  ['sources', 'sources'],
  ['rejects', 'rejects'],
  ['credentials', 'credentials'],
];

/** Returns whether a folder was written by `exportParquet`. */
export function isParquetFolder(folder: string): boolean {
  return existsSync(join(folder, 'requests')) && existsSync(join(folder, 'targets.parquet'));
}

/** Adds what a folder holds to the base tables. */
export async function importParquet(database: Database, folder: string): Promise<void> {
  const requests = columnList('requests');
  await database.run(
    `INSERT INTO requests (${requests}) SELECT ${requests} FROM read_parquet(${literal(join(folder, 'requests', '**', '*.parquet'))}, hive_partitioning = false)`,
    `import of ${folder}`,
  );
  for (const [from, into] of READ_BACK) {
    const columns = columnList(into);
    await database.run(
      `INSERT INTO ${into} (${columns}) SELECT ${columns} FROM read_parquet(${literal(join(folder, `${from}.parquet`))})`,
      `import of ${folder}`,
    );
  }
}

function columnList(table: TableName): string {
  return Object.keys(TABLES[table]).map(identifier).join(', ');
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
