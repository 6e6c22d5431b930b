// Runs the files of queries/: settings first, then each numbered step into its table or view, then reports as they are asked for.
import { readdirSync, readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import type { Database, Row, Value } from './database.ts';

const FOLDER = new URL('../../queries/', import.meta.url);
const SETTINGS_FILE = '00_settings.sql';

/** One file of queries/. */
export interface Query {
  /** The table it becomes, or the report's name. */
  name: string;
  /** Path inside the package: `queries/60_path_guessing_claims.sql`. */
  file: string;
  part: 'step' | 'report';
  isView: boolean;
  description: string;
  grain: string;
  /** What it reads. */
  reads: string;
  sql: string;
}

/** One column of the settings table. */
export interface Setting {
  name: string;
  type: 'number' | 'text';
  /** Null where nothing is set unless the user does. */
  default: number | string | null;
  /** `s`, `ms`, `us`, `percent`, or empty for counts and text. */
  unit: string;
  description: string;
}

export type SettingValues = Readonly<Record<string, Value | undefined>>;

/** Returns all steps in load order, then all reports by name. */
export function listQueries(): Query[] {
  return [...readQueries('', 'step'), ...readQueries('reports/', 'report')];
}

/** Returns the settings with their defaults, read from the file itself. */
export function listSettings(): Setting[] {
  const sql = readFileSync(new URL(SETTINGS_FILE, FOLDER), 'utf8');
  return sql.split('\n').flatMap((line) => maybeSetting(line) ?? []);
}

/** Runs every step in order, replacing what an earlier run left, with some settings overridden. */
export async function runSteps(database: Database, values: SettingValues = {}): Promise<void> {
  const overrides = checkedValues(values);
  for (const step of readQueries('', 'step')) {
    // What goes with the run needs no log of what was written, and no compression.
    const what = `${database.isKept ? '' : 'TEMP '}${step.isView ? 'VIEW' : 'TABLE'}`;
    await database.run(`CREATE OR REPLACE ${what} ${step.name} AS\n${step.sql}`, step.name);
    if (step.name === 'settings' && overrides !== '') await database.run(`UPDATE settings SET ${overrides}`, 'settings');
  }
}

/** Returns the rows of a report. */
export function runReport<T = Row>(database: Database, name: string): Promise<T[]> {
  const report = readQuery(`reports/${name}.sql`, 'report');
  return database.rows<T>(report.sql, name);
}

function readQueries(folder: '' | 'reports/', part: Query['part']): Query[] {
  const files = readdirSync(new URL(folder, FOLDER)).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file) => readQuery(folder + file, part));
}

function readQuery(path: string, part: Query['part']): Query {
  const sql = readFileSync(new URL(path, FOLDER), 'utf8');
  const [description = '', grain = '', reads = ''] = sql.split('\n', 3).map((line) => line.replace(/^-- */, ''));
  const name = path
    .replace(/^reports\//, '')
    .replace(/^\d+_/, '')
    .replace(/\.sql$/, '');
  const isView = description.endsWith('Kept as a view.');
  return { name, file: `queries/${path}`, part, isView, description, grain: grain.replace(/^Grain: /, ''), reads, sql };
}

const SETTING_LINE =
  /^\s+(?:CASE WHEN 1 = 0 THEN )?CAST\((?<value>'[^']*'|-?\d+) AS (?<type>BIGINT|VARCHAR)\) (?<empty>END )?AS (?<name>\w+)[,;] -- (?<description>.+)$/;

function maybeSetting(line: string): Setting | undefined {
  const groups = SETTING_LINE.exec(line)?.groups;
  if (groups === undefined) return undefined;
  const { value = '', type, empty, name = '', description = '' } = groups;
  const given = type === 'VARCHAR' ? value.slice(1, -1) : Number(value);
  return {
    name,
    type: type === 'VARCHAR' ? 'text' : 'number',
    default: empty === undefined ? given : null,
    unit: /_(s|ms|us|percent)$/.exec(name)?.[1] ?? '',
    description,
  };
}

function checkedValues(values: SettingValues): string {
  const known = new Map(listSettings().map((setting) => [setting.name, setting]));
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [assignment(known, name, value)]))
    .join(', ');
}

function assignment(known: ReadonlyMap<string, Setting>, name: string, value: Value): string {
  const setting = known.get(name);
  if (setting === undefined)
    throw new UsageError(`unknown setting: ${JSON.stringify(name)}`, { help: `known: ${[...known.keys()].join(', ')}` });
  if (value === null) return `${name} = NULL`;
  if (setting.type === 'text') return `${name} = '${String(value).replaceAll("'", "''")}'`;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new UsageError(`setting ${name} must be a whole number: ${JSON.stringify(value)}`);
  return `${name} = ${number}`;
}
