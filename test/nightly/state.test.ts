// The state as a file: it becomes smaller, versions follow each other, and half a state never shows.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compactState, forgetRows, KEPT, openState, SCHEMA_VERSION } from '../../src/nightly/state.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'stormgate-state-'));
afterAll(() => rmSync(folder, { recursive: true }));
let n = 0;
const newPath = () => join(folder, `${n++}.duckdb`);

async function withState<T>(path: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ threads: 1 });
  try {
    await openState(database, path, { waitMs: 0 });
    return await work(database);
  } finally {
    await database.close();
  }
}

const count = async (database: Database): Promise<unknown> =>
  (await database.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${KEPT}.requests`))[0]?.n;

/** Rows one second apart, of which no column compresses. */
const fill = (rows: number): string =>
  `INSERT INTO ${KEPT}.requests BY NAME SELECT 1 AS source, i AS line, 0 AS part, i * 1000000 AS ts, CAST(hash(i) >> 1 AS BIGINT) AS client,
    CAST(hash(-i) >> 1 AS BIGINT) AS target, CAST(hash(i + 0.5) >> 1 AS BIGINT) AS operation, CAST(hash(i::VARCHAR) >> 1 AS BIGINT) AS correlation
   FROM range(${rows}) AS t(i)`;

describe('compaction', () => {
  it('makes the file smaller once rows were forgotten, and keeps the others', { timeout: 60_000 }, async () => {
    const path = newPath();
    await withState(path, async (database) => {
      await database.run(fill(1_500_000));
      await compactState(database, path);
    });
    const before = statSync(path).size;
    await withState(path, async (database) => {
      await forgetRows(database, 1_200_000 * 1_000_000, '2026-11-10');
      await compactState(database, path);
    });
    expect(statSync(path).size).toBeLessThan(before / 2);
    expect(await withState(path, count)).toBe(300_000);
    expect(readdirSync(folder).filter((name) => name.startsWith('0.'))).toEqual(['0.duckdb']);
  });

  it('leaves a file alone that has few holes', { timeout: 60_000 }, async () => {
    const path = newPath();
    await withState(path, (database) => database.run(fill(1000)));
    const { ino } = statSync(path);
    await withState(path, (database) => compactState(database, path));
    expect(statSync(path).ino).toBe(ino);
  });
});

describe('a state', () => {
  it('that is new is of this version, and is there as a whole', async () => {
    const path = newPath();
    const version = await withState(path, (database) => database.rows(`SELECT version FROM ${KEPT}.schema_version`));
    expect(version).toEqual([{ version: SCHEMA_VERSION }]);
    expect(existsSync(`${path}.wal`)).toBe(false);
  });

  it('is not taken for one if another program made it', async () => {
    const path = newPath();
    const other = await openDatabase({ path });
    await other.run('CREATE TABLE sales (amount BIGINT)');
    other.keep();
    await other.close();
    await expect(withState(path, count)).rejects.toThrow('not the state of nightly runs');
  });

  it('is cleared of what a killed run left in the making', async () => {
    const path = newPath();
    await withState(path, count);
    writeFileSync(`${path}.99999.new`, 'half of a state');
    writeFileSync(`${path}.99999.new.wal`, 'and its log');
    await withState(path, count);
    expect(existsSync(`${path}.99999.new`) || existsSync(`${path}.99999.new.wal`)).toBe(false);
  });
});
