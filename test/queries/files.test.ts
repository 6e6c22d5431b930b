// What holds for every file of queries/: its head, the portable core, and that it answers wherever its tables are.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import duckdb from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { listQueries, listSettings, runReport, runSteps } from '../../src/store/steps.ts';
import { tell, storeHistory } from '../support/histories.ts';

const queries = listQueries();
const steps = queries.filter(({ part }) => part === 'step');
const reports = queries.filter(({ part }) => part === 'report');
const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Comments and strings out of the way. */
function codeOf(sql: string): string {
  return sql.replaceAll(/--.*$/gm, '').replaceAll(/'[^']*'/g, "''");
}

describe.each(queries)('$file', ({ file, description, grain, reads, sql }) => {
  test('has a head of three lines: what a row means, grain, what it reads', () => {
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(grain).toMatch(/^(one row|one row per .+)/);
    expect(reads).toMatch(/^Reads .+\.$/);
    expect(sql.split('\n')[1]).toMatch(/^-- Grain: /);
  });

  test('is one statement that ends in its only semicolon', () => {
    expect(codeOf(sql).trim()).toMatch(/^(SELECT|WITH)\b[^;]*;$/s);
  });

  test('says what it reads', () => {
    const ctes = new Set([...codeOf(sql).matchAll(/^(\w+) AS \($/gm)].map(([, cte]) => cte));
    const read = [...codeOf(sql).matchAll(/\b(?:FROM|JOIN) (\w+)/g)].map(([, table]) => table as string);
    for (const table of read) {
      if (ctes.has(table) || table === 'settings') continue;
      expect(reads, `${file} reads ${table}`).toMatch(new RegExp(`\\b${table}\\b`));
    }
  });
});

/** Design 10, row by row: what not every engine understands in the same way. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'every column': /SELECT\s+(?:\w+\.)?\*/,
  'an empty frame or a frame on LAG or LEAD': /\b(?:LAG|LEAD)\([^)]*\)[^,]*ROWS/,
  'LAG or LEAD without a default': /\b(?:LAG|LEAD)\(\w+\)/,
  'integer division': /\/\//,
  rounding: /\bROUND\(/,
  'a typed NULL': /CAST\(NULL/,
  'functions that differ':
    /\b(?:GREATEST|LEAST|IFNULL|NVL|MEDIAN|QUANTILE\w*|PERCENTILE\w*|ARG_M(?:IN|AX)|MIN_BY|MAX_BY|ANY_VALUE|FIRST_VALUE|LAST_VALUE|STRPOS|POSITION|STARTS_WITH|LENGTH|LIST\w*|ARRAY\w*|STRUCT\w*|UNNEST|TRY_CAST|DATE_\w+|TO_TIMESTAMP|EPOCH\w*|GENERATE_SERIES|RANGE)\(/i,
  'IGNORE NULLS': /IGNORE NULLS/,
  'COUNT(DISTINCT …)': /COUNT\(DISTINCT/,
  'syntax of one engine':
    /\b(?:QUALIFY|INTERVAL|GROUP BY ALL|ORDER BY ALL|USING|LATERAL|ASOF|PIVOT|EXCLUDE|REPLACE(?!\()|EXCEPT|INTERSECT|SEMI|ANTI)\b|::|\bILIKE\b|~/,
  'UNION that sorts': /\bUNION\b(?! ALL)/,
  'lists and structs': /\[|\]|\{|\}/,
  'reserved names': /\bAS (?:end|start|at|order|group|user|value|index|time|timestamp|interval|first|last|rows)\b/i,
  'a join on an expression': /\bON [^\n]*(?:\(|CASE)/,
  GLOB: /\bGLOB\b/,
  LIMIT: /\bLIMIT\b/,
};

describe('portable core', () => {
  test.each(queries)('$file', ({ sql }) => {
    const code = codeOf(sql);
    const found = Object.entries(FORBIDDEN).flatMap(([what, pattern]) => {
      const match = pattern.exec(code);
      return match === null ? [] : [`${what}: ${match[0].trim()}`];
    });
    // `time` is a field of the report's visibility.
    expect(found.filter((each) => each !== 'reserved names: AS time')).toEqual([]);
  });

  test.each(queries)('every column of a join in $file has a name of its own', ({ sql }) => {
    const plain = codeOf(sql)
      .replaceAll(/\bOVER \([^()]*\)/g, '')
      .replaceAll(/\b[A-Z]+\([^()]*\)/g, 'call')
      .replaceAll(/\b[A-Z]+\([^()]*\)/g, 'call')
      .replaceAll(/GROUP BY\s.+?(?=\n\)|\n *HAVING|\n *ORDER|;)/gs, '');
    expect(plain.match(/(?:SELECT|,)\s+\w+\.\w+\s*(?=,|\n\s*FROM)/g)).toBeNull();
  });

  test.each(queries)('every order in $file says where NULL goes', ({ sql }) => {
    for (const [, list = ''] of codeOf(sql).matchAll(/ORDER BY ((?:[\w.]+(?: DESC)?(?: NULLS LAST)?,?\s*)+)/g)) {
      for (const item of list
        .split(',')
        .map((each) => each.trim())
        .filter((each) => /^[\w.]/.test(each))) {
        expect(item).toMatch(/NULLS LAST\b/);
      }
    }
  });

  test.each(queries)('no part of $file is read twice', ({ sql }) => {
    const code = codeOf(sql);
    for (const [, cte] of code.matchAll(/^(\w+) AS \($/gm)) {
      expect([...code.matchAll(new RegExp(`\\b(?:FROM|JOIN) ${cte}\\b`, 'g'))], `uses of ${cte}`).toHaveLength(1);
    }
  });
});

describe('on an empty database', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openDatabase({ threads: 1 });
    await runSteps(database);
  });

  afterAll(() => database.close());

  test('every step has the columns and types that are written down', async () => {
    const columns = await database.rows<{ step: string; list: string }>(
      `SELECT table_name AS step, string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position) AS list
       FROM information_schema.columns GROUP BY table_name ORDER BY table_name`,
    );
    const known = new Set(steps.map(({ name }) => name));
    const lines = columns.filter(({ step }) => known.has(step)).map(({ step, list }) => `${step}: ${list}\n`);
    await expect(lines.join('\n')).toMatchFileSnapshot('columns.txt');
    expect(lines.filter((line) => /HUGEINT|DOUBLE|DECIMAL|\[\]|STRUCT|INTEGER/.test(line))).toEqual([]);
  });

  test.each(reports)('$file answers', async ({ name }) => {
    expect((await runReport(database, name)).length).toBeLessThanOrEqual(1);
  });
});

describe('in a kept database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stormgate-queries-'));
  const path = join(folder, 'kept.duckdb');

  beforeAll(async () => {
    const database = await openDatabase({ path, threads: 1 });
    await storeHistory(
      database,
      tell(
        [0, 'card', 'ok'],
        [1, 'guess', 'undeclared'],
        [2, 'guess_b', 'undeclared'],
        [3, 'stream', 'unsupported'],
        [4, 'guess', 'undeclared'],
      ),
    );
    await runSteps(database);
    database.keep();
    await database.close();
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(reports)('$file answers as it stands', async ({ file }) => {
    const instance = await duckdb.DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(textOf(file));
    expect(reader.columnCount).toBeGreaterThan(0);
    connection.closeSync();
    instance.closeSync();
  });
});

describe('settings', () => {
  test('every column has a comment, and the table has just those', async () => {
    const database = await openDatabase({ threads: 1 });
    await runSteps(database);
    const [row] = await database.rows('SELECT * FROM settings');
    await database.close();
    expect(row).toEqual(Object.fromEntries(listSettings().map((setting) => [setting.name, setting.default])));
    expect(listSettings().every(({ description }) => description.length > 10)).toBe(true);
  });

  test.each([
    [{ sesion_gap_s: 1 }, 'unknown setting: "sesion_gap_s"'],
    [{ session_gap_s: 'soon' }, 'setting session_gap_s must be a whole number: "soon"'],
    [{ session_gap_s: 1.5 }, 'setting session_gap_s must be a whole number: 1.5'],
  ])('%o is refused', async (values, message) => {
    const database = await openDatabase({ threads: 1 });
    await expect(runSteps(database, values)).rejects.toThrow(message);
    await database.close();
  });

  test('text is taken as it is', async () => {
    const database = await openDatabase({ threads: 1 });
    await runSteps(database, { client_key: "o'brien\\", session_gap_s: 60 });
    expect(await database.rows('SELECT client_key, session_gap_s FROM settings')).toEqual([
      { client_key: "o'brien\\", session_gap_s: 60 },
    ]);
    await database.close();
  });
});
