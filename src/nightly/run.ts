// One nightly run: read what is new, report on every night that is due, keep the history, forget what is old.
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError, QueryError } from '../errors.ts';
import type { Findings } from '../findings/findings.ts';
import { isoTime } from '../findings/time.ts';
import * as messages from '../messages.ts';
import { render } from '../report/renderers.ts';
import { openDatabase, type Database, type DatabaseOptions } from '../store/database.ts';
import { hashOf } from './content.ts';
import { compare, readHistory, recordNight, summarise, type Comparison } from './history.ts';
import { analyseNight, type NightRequest } from './night.ts';
import { renderIndex } from './page.ts';
import { renderMetrics } from './prometheus.ts';
import {
  addRows,
  compactState,
  forgetNights,
  forgetRows,
  inTransaction,
  KEPT,
  literal,
  openState,
  openStateAnew,
  replaceState,
} from './state.ts';
import { renderSummary } from './summary.ts';
import { previewSources, takeSources, type NightlySource } from './take.ts';
import { datesBetween, nightAt, nightOf, plusDays, startOfDay, type Night, type WindowKind } from './window.ts';
import { pointLink, writeFile, type Readers } from './write.ts';

/** What a config says, checked. */
export interface NightlyConfig extends Omit<NightRequest, 'onWarning'> {
  sources: readonly NightlySource[];
  window: WindowKind;
  /** Of the window, and of the dates that nights are called after. */
  zone: string;
  /** Files and folders, absolute. */
  state: string;
  reports: string;
  metrics: string;
  readers: Readers;
  keepRowsDays: number;
  keepNightsDays: number;
  lockWaitMs: number;
  database: Pick<DatabaseOptions, 'memory' | 'threads'>;
}

export interface RunOptions {
  /** Microseconds since the epoch. */
  now: number;
  version: string;
  /** Nights to report on besides this one, first and last included. */
  backfill?: { from: string; to: string } | undefined;
  /** Makes the state anew from the logs that are there. */
  isRebuild?: boolean;
  /** Works on a copy of the state and writes nothing. */
  isDry?: boolean;
  onWarning(sentence: string): void;
  onNote(sentence: string): void;
  /** Returns a sentence for each limit that a night crosses. */
  crossed(findings: Findings, comparison: Comparison): string[];
  /** Takes the summary of the run's own night. */
  notify?: ((summary: string, night: { crossed: readonly string[]; storms: number }) => Promise<void>) | undefined;
}

export interface RunResult {
  night: string;
  lines: number;
  /** Nights that were reported on, oldest first. */
  reported: string[];
  summary: string;
  crossed: string[];
  /** What could not be read. */
  failures: string[];
}

/** Runs a night. What an earlier run left undone is done, too. */
export async function runNightly(config: NightlyConfig, options: RunOptions): Promise<RunResult> {
  const database = await openDatabase(config.database);
  const copy = options.isDry === true ? await copyState(config.state) : undefined;
  const state = copy ?? config.state;
  try {
    const patience = { waitMs: config.lockWaitMs, onWait: () => options.onNote(messages.waiting(state)) };
    const isRebuild = options.isRebuild === true;
    await (isRebuild ? openStateAnew : openState)(database, state, patience);
    const night = nightAt(options.now, config.window, config.zone);
    await registerNights(database, config, options, night);
    const taken = await takeSources(database, config.sources, {
      night: night.name,
      zone: config.zone,
      threads: config.database.threads ?? 1,
      onWarning: options.onWarning,
    });
    if (isRebuild) await replaceState(database, state);
    const told = await reportNights(database, config, options, night);
    if (options.isDry !== true) {
      await writeHistory(database, config, options, told.last);
      await tell(database, night, told, options);
      const cutoff = plusDays(night.name, 1 - config.keepRowsDays);
      await forgetRows(database, startOfDay(cutoff, config.zone), cutoff);
      await forgetNights(database, plusDays(night.name, 1 - config.keepNightsDays));
      await compactState(database, state);
    }
    const { summary, crossed } = told.last;
    return { night: night.name, lines: taken.lines, reported: told.reported, summary, crossed, failures: taken.failures };
  } catch (error) {
    throw error instanceof QueryError && IO_FAULT.test(error.detail.reason ?? '') ? diskFault(state, error) : error;
  } finally {
    await database.close();
    if (copy !== undefined) await rm(join(copy, '..'), { recursive: true, force: true });
  }
}

const IO_FAULT = /^(?:IO|FATAL|TransactionContext) Error|No space left/;

function diskFault(state: string, error: QueryError): InputError {
  const reason = error.detail.reason?.split('\n', 1)[0];
  return new InputError(messages.cannotKeep(state), { reason, help: messages.nextRunRepairs() }, { cause: error });
}

/** A dry run reads the state's copy, log of changes included. */
async function copyState(state: string): Promise<string> {
  const copy = join(await mkdtemp(join(tmpdir(), 'stormgate-dry-')), 'state.duckdb');
  for (const suffix of ['', '.wal']) if (existsSync(state + suffix)) await copyFile(state + suffix, copy + suffix);
  return copy;
}

/** Returns what a run would do, without doing it. */
export async function previewNightly(config: NightlyConfig, now: number) {
  const database = await openDatabase(config.database);
  const copy = await copyState(config.state);
  try {
    await openState(database, copy, { waitMs: 0 });
    const night = nightAt(now, config.window, config.zone);
    const due = await database.rows<{ night: string }>(
      `SELECT night FROM ${KEPT}.nights WHERE is_due AND night < ${literal(night.name)} ORDER BY night`,
    );
    const missed = (await missedNights(database, config, night)).map(({ name }) => name);
    const { files, failures } = await previewSources(database, config.sources, night.name);
    return { night, due: [...new Set([...due.map((row) => row.night), ...missed])].toSorted(), files, failures };
  } finally {
    await database.close();
    await rm(join(copy, '..'), { recursive: true, force: true });
  }
}

/** Days on which no run was made, since the last on which one was. */
async function missedNights(database: Database, { window, zone }: NightlyConfig, night: Night): Promise<Night[]> {
  if (window.is !== 'yesterday') return [];
  const [row] = await database.rows<{ last: string | null }>(
    `SELECT MAX(night) AS last FROM ${KEPT}.nights WHERE night < ${literal(night.name)}`,
  );
  if (row?.last == null) return [];
  return datesBetween(plusDays(row.last, 1), plusDays(night.name, -1)).map((date) => nightOf(date, zone));
}

async function registerNights(
  database: Database,
  config: NightlyConfig,
  { backfill, isRebuild }: RunOptions,
  night: Night,
): Promise<void> {
  const missed = await missedNights(database, config, night);
  const filled = backfill === undefined ? [] : datesBetween(backfill.from, backfill.to).map((date) => nightOf(date, config.zone));
  const wanted = new Map([...missed, ...filled, night].map((one) => [one.name, one]));
  await inTransaction(database, async () => {
    const names = [...wanted.keys()].map(literal).join(', ');
    const known = await database.rows<{ night: string }>(`SELECT night FROM ${KEPT}.nights WHERE night IN (${names})`);
    for (const row of known) {
      if (row.night !== night.name || config.window.is === 'yesterday') wanted.delete(row.night);
    }
    // A window of the last hours moves with the run of its night.
    if (wanted.has(night.name)) await database.run(`DELETE FROM ${KEPT}.nights WHERE night = ${literal(night.name)}`);
    await addRows(
      database,
      'nights',
      [...wanted.values()].map(({ name, since, until }) => ({ night: name, since_us: since, until_us: until, is_due: true })),
    );
    await database.run(`UPDATE ${KEPT}.nights SET is_due = TRUE WHERE night IN (${names})`);
    if (isRebuild === true) await database.run(`UPDATE ${KEPT}.nights SET notified = NULL WHERE night = ${literal(night.name)}`);
  });
}

interface Told {
  night: Night;
  findings: Findings;
  comparison: Comparison;
  summary: string;
  crossed: string[];
}

/** Reports on each night that is due, oldest first, since each is compared with those before it. */
async function reportNights(
  database: Database,
  config: NightlyConfig,
  options: RunOptions,
  current: Night,
): Promise<{ reported: string[]; last: Told }> {
  const rows = await database.rows<{ night: string; since_us: number; until_us: number }>(
    `SELECT night, since_us, until_us FROM ${KEPT}.nights WHERE is_due AND night <= ${literal(current.name)} ORDER BY night`,
  );
  const reported: string[] = [];
  let last: Told | undefined;
  for (const { night: name, since_us: since, until_us: until } of rows) {
    if (name !== current.name && !(await hasRows(database, { name, since, until })) && (await isInHistory(database, name))) {
      await database.run(`UPDATE ${KEPT}.nights SET is_due = FALSE WHERE night = ${literal(name)}`);
      options.onWarning(messages.rowsAreGone(name));
      continue;
    }
    last = await reportNight(database, config, options, { name, since, until });
    reported.push(name);
  }
  if (last === undefined) throw new Error(`night ${current.name} is not due`);
  return { reported, last };
}

/** A night whose rows were forgotten keeps the report that it has. */
async function hasRows(database: Database, { since, until }: Night): Promise<boolean> {
  const [row] = await database.rows<{ n: number }>(
    `SELECT COUNT(*) AS n FROM (SELECT 1 FROM ${KEPT}.requests WHERE ts >= ${since} AND ts < ${until} LIMIT 1)`,
  );
  return row?.n === 1;
}

async function isInHistory(database: Database, night: string): Promise<boolean> {
  const rows = await database.rows(`SELECT 1 FROM ${KEPT}.figures WHERE night = ${literal(night)} LIMIT 1`);
  return rows.length > 0;
}

async function reportNight(database: Database, config: NightlyConfig, options: RunOptions, night: Night): Promise<Told> {
  const analysis = await analyseNight(database, night, { ...config, onWarning: options.onWarning });
  const findings = await analysis.findings({ generatedAt: isoTime(options.now).replace(/000Z$/, 'Z'), version: options.version });
  const entry = summarise(night.name, findings);
  const comparison = compare(entry, await readHistory(database));
  const crossed = options.crossed(findings, comparison);
  const summary = renderSummary(night.name, findings, comparison, crossed);
  if (options.isDry !== true) {
    const folder = join(config.reports, night.name);
    const files = {
      'report.html': await render('html', findings, { series: await analysis.series() }),
      'report.json': await render('json', findings),
      'storms.csv': await render('csv', findings),
      'summary.md': summary,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, config.readers);
    await recordNight(database, entry);
  }
  return { night, findings, comparison, summary, crossed };
}

/** Writes what is about all nights. Everything in it comes from the history, so a run that was broken off is made up for by the next. */
async function writeHistory(database: Database, config: NightlyConfig, options: RunOptions, last: Told): Promise<void> {
  const history = await readHistory(database);
  const stamp = { generatedAt: last.findings.generated_at, version: options.version };
  await writeFile(join(config.reports, 'index.html'), await renderIndex(history, stamp), config.readers);
  // After a clock that jumped back, the run's own night is not the newest.
  await pointLink(join(config.reports, 'latest'), history.at(-1)?.night ?? last.night.name);
  await writeFile(config.metrics, renderMetrics(last.night, last.findings, last.comparison), config.readers);
}

/** Hands the summary on, once for the same summary. */
async function tell(database: Database, night: Night, { last }: { last: Told }, options: RunOptions): Promise<void> {
  if (options.notify === undefined) return;
  const text = last.summary.replace(/\n<sub>.*<\/sub>\n/, '');
  const [row] = await database.rows<{ notified: string | null }>(
    `SELECT notified FROM ${KEPT}.nights WHERE night = ${literal(night.name)}`,
  );
  const told = hashOf(Buffer.from(text));
  if (row?.notified === told) return;
  await options.notify(last.summary, { crossed: last.crossed, storms: last.findings.storms.length });
  await database.run(`UPDATE ${KEPT}.nights SET notified = ${literal(told)} WHERE night = ${literal(night.name)}`);
}
