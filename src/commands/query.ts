// Any table behind the report, or the answer to SQL of one's own, over logs or over a database that was kept.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { InputError, UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import type { Database } from '../store/database.ts';
import { ANALYSIS_FLAGS, analysisRequest, databaseOptions, inputsOf, openAnalysis } from './analysis.ts';
import { defineCommand, type Call, type Values } from './command.ts';
import { unknownName } from './nearest.ts';
import { print } from './output.ts';
import { printRows, ROW_FORMATS, type RowFormat } from './rows.ts';

const FLAGS = {
  list: { describe: 'list the queries with what a row of each means', group: 'What is asked' },
  sql: { value: 'TEXT', describe: 'ask this SQL instead of a query by name', group: 'What is asked' },
  file: { value: 'FILE', describe: 'ask the SQL in this file', group: 'What is asked' },
  format: { value: 'FORMAT', describe: 'how rows are printed (default table)', choices: ROW_FORMATS, group: 'What comes out' },
  ...ANALYSIS_FLAGS,
} as const;

export const query = defineCommand({
  operands: '[NAME] [FILES…]',
  about: [
    'NAME is a step (its table as it stands) or a section of the report. With --db FILE and no logs, a database that an earlier run kept is asked; any DuckDB shell can open it, too.',
  ],
  flags: FLAGS,
  thresholds: true,
  examples: [
    ['stormgate query --list', 'what there is'],
    ['stormgate query storms access.log --format csv', 'a section of the report as CSV'],
    ['stormgate access.log --db run.duckdb && stormgate query sessions --db run.duckdb', 'read once, ask often'],
    ['stormgate query --db run.duckdb --sql "SELECT kind, COUNT(*) AS n FROM requests_tagged GROUP BY kind"', 'SQL of your own'],
  ],
  async run({ flags, operands, settings }) {
    if (flags.list) {
      const { listQueries } = await import('../store/steps.ts');
      await print(messages.queryList(listQueries()));
      return 0;
    }
    const { name, sql, files } = await questionOf(flags, operands);
    const database = await openData(files, { flags, settings });
    try {
      await printRows((flags.format ?? 'table') as RowFormat, database.batches(sql, name));
      return 0;
    } finally {
      await database.close();
    }
  },
});

interface Question {
  /** Name of the query, or of the file, for errors. */
  name: string;
  sql: string;
  files: readonly string[];
}

async function questionOf(flags: Values<typeof FLAGS>, operands: readonly string[]): Promise<Question> {
  const { sql, file } = flags;
  if (sql !== undefined && file !== undefined) throw new UsageError(messages.flagsExclude('sql', 'file'));
  if (sql !== undefined) return { name: '--sql', sql, files: operands };
  if (file !== undefined) return { name: file, sql: await readSql(file), files: operands };
  const [name, ...files] = operands;
  if (name === undefined) throw new UsageError(messages.missingOperand('NAME'), { help: messages.seeQueries() });
  return { name, sql: await namedSql(name), files };
}

/** A name is looked up in a closed list, and only what that list holds becomes SQL. A report goes before a step of its name. */
async function namedSql(name: string): Promise<string> {
  const { listQueries } = await import('../store/steps.ts');
  const queries = listQueries();
  const found = queries.findLast((each) => each.name === name);
  if (found === undefined) {
    throw unknownName(
      'query',
      name,
      queries.map((each) => each.name),
      messages.seeQueries(),
    );
  }
  return found.part === 'report' ? found.sql : `SELECT * FROM ${found.name}`;
}

async function readSql(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new InputError(messages.cannotRead('SQL', file), { reason: (error as Error).message }, { cause: error });
  }
}

/** A kept database without logs is asked as it stands; otherwise logs are read first. Here a pipe must be named (`-`). */
async function openData(
  files: readonly string[],
  { flags, settings }: Pick<Call<typeof FLAGS>, 'flags' | 'settings'>,
): Promise<Database> {
  if (files.length > 0 || flags.db === undefined) {
    const { database } = await openAnalysis(await analysisRequest(inputsOf(files), { flags, settings }), flags);
    return database;
  }
  if (!existsSync(flags.db)) throw new InputError(messages.noDatabase(flags.db), { help: messages.makeDatabase(flags.db) });
  refuseReadingFlags(flags, settings);
  const { openKeptDatabase } = await import('../store/database.ts');
  return openKeptDatabase(flags.db, databaseOptions(flags));
}

/** What a kept database holds was read and counted before; a flag that would have changed it must not look as if it did. */
function refuseReadingFlags(flags: Values<typeof FLAGS>, settings: Readonly<Record<string, number>>): void {
  const { db: _db, memory: _memory, threads: _threads, quiet: _quiet, ...reading } = ANALYSIS_FLAGS;
  const isGiven = (name: keyof typeof reading) => {
    const value = flags[name];
    return typeof value === 'object' ? value.length > 0 : value !== undefined && value !== false;
  };
  const given = [
    ...(Object.keys(reading) as (keyof typeof reading)[]).filter(isGiven),
    ...Object.keys(settings).map((column) => column.replaceAll('_', '-')),
  ];
  if (given[0] !== undefined) throw new UsageError(messages.needsLog(given[0]), { help: messages.nameLog() });
}
