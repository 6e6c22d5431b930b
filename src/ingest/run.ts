// The whole way from what the user named to findings: read, judge, run the steps. Commands only choose what to read and what to print.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Contract, ContractDocument } from '../contract/contract.ts';
import { InputError } from '../errors.ts';
import type { Findings, Series } from '../findings/findings.ts';
import { readFindings, readSeries } from '../findings/read.ts';
import * as messages from '../messages.ts';
import { listInputs } from '../read/inputs.ts';
import { openDatabase, type Database, type DatabaseOptions } from '../store/database.ts';
import { importParquet, isParquetFolder } from '../store/export.ts';
import { runSteps } from '../store/steps.ts';
import type { RejectedLine } from './block-parser.ts';
import { dropDuplicates } from './duplicates.ts';
import { keyInWords, type Identity } from './identity.ts';
import { judge } from './judge.ts';
export { explainLine, type ExplainedLine, type ExplainedRequest } from './explain-line.ts';
export { classifyStream } from './filter.ts';
import { readInputs, triedFormats, type ReadProgress, type ReadSource } from './read-inputs.ts';

/** What is read, and as what. */
export interface ReadRequest {
  /** Paths, globs, folders, `-`. */
  inputs: readonly string[];
  /** A name, or a description. */
  logFormat?: string | undefined;
  /** Descriptions of formats that may occur besides those that are known. */
  described?: readonly string[] | undefined;
  /** IANA zone of stamps without an offset. */
  timeZone: string;
  /** Nobody chose that zone. */
  isZoneAssumed?: boolean | undefined;
  /** How many times its size an input may expand to. */
  maxExpansion?: number | undefined;
  /** Whom requests count for, if not for whom their lines name. */
  identity?: Identity | undefined;
  documents: readonly ContractDocument[];
  endpoints: readonly string[];
  /** Whether a log without documents is a source of the contract. */
  infer: boolean;
  /** Stops reading when it fires; the analysis of what was read follows. */
  abort?: AbortSignal | undefined;
  onWarning?: ((sentence: string) => void) | undefined;
}

export interface AnalysisRequest extends ReadRequest {
  /** Microseconds since the epoch: only requests that start at or after this, and before that. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only the client with this key. */
  client?: string | undefined;
  database: DatabaseOptions;
  /** Thresholds by their column in `settings`. */
  settings: Readonly<Record<string, string | number>>;
  /** Saves every reject as NDJSON. */
  rejectsFile?: string | undefined;
  onProgress?: ((progress: ReadProgress) => void) | undefined;
}

export interface Analysis {
  database: Database;
  /** Reads the report from the tables. */
  findings(stamp: { generatedAt: string; version: string }): Promise<Findings>;
  /** Reads the rows that charts are drawn from. */
  series(): Promise<Series>;
  /** Closes the database; one that is not kept goes. */
  close(): Promise<void>;
}

/** Reads the inputs and runs every step. Throws an InputError if nothing was understood. */
export async function analyse(request: AnalysisRequest): Promise<Analysis> {
  const exports = request.inputs.filter(isParquetFolder);
  const inputs = listInputs(request.inputs.filter((input) => !exports.includes(input)));
  const threads = request.database.threads ?? availableParallelism();
  const database = await openDatabase({ ...request.database, threads });
  try {
    const rejects = request.rejectsFile === undefined ? undefined : openRejectsFile(request.rejectsFile);
    const warn = request.onWarning ?? (() => undefined);
    const sources = await readInputs(database, inputs, {
      logFormat: request.logFormat,
      described: request.described,
      timeZone: request.timeZone,
      isZoneAssumed: request.isZoneAssumed,
      maxExpansion: request.maxExpansion,
      threads,
      identity: request.identity,
      abort: request.abort,
      onProgress: request.onProgress,
      onWarning: warn,
      onReject: rejects?.write,
    });
    await rejects?.close();
    for (const folder of exports) await importParquet(database, folder);
    if (exports.length === 0) checkUnderstood(sources, warn);
    await dropDuplicates(database);
    return await analyseTables(database, request);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Judges and counts what the base tables hold, wherever it came from: the second half of every analysis. */
export async function analyseTables(
  database: Database,
  request: Omit<AnalysisRequest, 'inputs' | 'timeZone' | 'database'>,
): Promise<Analysis> {
  const { contract, collisions } = await judge(database, request);
  for (const collision of collisions) request.onWarning?.(collision);
  await runSteps(database, settingsOf(request));
  database.keep();
  return {
    database,
    findings: (stamp) =>
      readFindings(database, { ...stamp, contract: summary(contract), clientKey: keyInWords(request.identity) }),
    series: () => readSeries(database),
    close: () => database.close(),
  };
}

function settingsOf({
  settings,
  since,
  until,
  client,
}: Pick<AnalysisRequest, 'settings' | 'since' | 'until' | 'client'>): Record<string, string | number> {
  return {
    ...settings,
    ...(since === undefined ? {} : { since_us: since }),
    ...(until === undefined ? {} : { until_us: until }),
    ...(client === undefined ? {} : { client_key: client }),
  };
}

function summary({ source, documents }: Contract): Pick<Contract, 'source' | 'documents'> {
  return { source, documents };
}

/** An input of which nothing was understood is a warning as long as another gave requests. */
function checkUnderstood(sources: readonly ReadSource[], warn: (sentence: string) => void): void {
  const dark = sources.filter(({ records, lines }) => records === 0 && lines > 0);
  const [first] = dark;
  if (first === undefined) return;
  const detail = { reason: messages.firstLines(first.firstLines), help: messages.triedFormats(triedFormats()) };
  if (sources.every(({ records }) => records === 0))
    throw new InputError(messages.notUnderstood(first.name, first.lines), detail);
  for (const { name, lines } of dark) warn(messages.notUnderstood(name, lines));
}

function openRejectsFile(path: string): { write(source: string, reject: RejectedLine): void; close(): Promise<void> } {
  const stream = createWriteStream(path, { mode: 0o600 });
  let failure: Error | undefined;
  stream.on('error', (error) => (failure = error));
  return {
    write(source, reject) {
      stream.write(`${JSON.stringify({ source, ...reject })}\n`);
    },
    async close() {
      if (!failure) {
        stream.end();
        await Promise.race([once(stream, 'close'), once(stream, 'error').catch(() => undefined)]);
      }
      if (failure) throw new InputError(messages.cannotWrite(path), { reason: failure.message }, { cause: failure });
    },
  };
}
