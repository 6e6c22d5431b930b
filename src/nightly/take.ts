// Reads what is new of all sources, and commits rows and positions together: every line is counted once, whatever happens in between.
import { statSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { textId } from '../ingest/ids.ts';
import { readInputs } from '../ingest/read-inputs.ts';
import * as messages from '../messages.ts';
import { listInputs } from '../read/inputs.ts';
import { groupBy } from '../findings/group.ts';
import { FORMAT_NAMES, type FormatName, type SourceCounts } from '../record.ts';
import { TABLES } from '../store/schema.ts';
import type { Database } from '../store/database.ts';
import { openContent } from './content.ts';
import { askedPositions, headMarks, planReadings, type End, type Found, type Generation, type Reading } from './find.ts';
import { addRows, inTransaction, KEPT, literal } from './state.ts';
import { dateAt } from './window.ts';

/** Logs that are read in one way. */
export interface NightlySource {
  /** Stands before the logs' names, if given. */
  label: string | undefined;
  /** Paths, folders, globs. */
  paths: readonly string[];
  logFormat: FormatName | undefined;
  timeZone: string;
}

export interface TakeOptions {
  night: string;
  zone: string;
  threads: number;
  onWarning(sentence: string): void;
}

/** What a run has read of one log in one go. */
interface Stretch {
  generation: Generation;
  /** The source of its rows until they are committed. */
  passing: string;
  from: number;
  to: number;
  mark: string;
  firstLine: number;
  counts: SourceCounts;
}

export interface Taken {
  lines: number;
  /** Sources, or files of them, that could not be read: their lines wait for the next run. */
  failures: string[];
}

/** A log that changes under the reader is looked at anew; so often. */
const ATTEMPTS = 3;

interface Archive {
  path: string;
  identity: string;
  generation: string;
}

/** Reads the sources into the base tables, and moves what came of it into the state in one transaction. */
export async function takeSources(database: Database, sources: readonly NightlySource[], options: TakeOptions): Promise<Taken> {
  const known = await readGenerations(database);
  const archives = await readArchives(database);
  const changed = new Set<Generation>();
  const stretches: Stretch[] = [];
  const failures: string[] = [];
  const archived: Archive[] = [];
  for (const source of sources) {
    const key = keyOf(source);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const paths = filesOf(source, failures);
      const own = known.filter((generation) => generation.source === key);
      const files = await openFiles(paths, own, { archives, archived, failures });
      try {
        const found = await readFound(database, files, { source, key, known, changed, failures, archived, options });
        stretches.push(...found.stretches);
        if (!found.hasChanged) break;
        if (attempt === ATTEMPTS) failures.push(messages.keepsChanging(key));
      } finally {
        await Promise.all(files.map(({ content }) => content.close()));
      }
    }
  }
  warnOfVanished(known, changed, options);
  await commit(database, changed, stretches, archived, options);
  return { lines: stretches.reduce((sum, { counts }) => sum + counts.lines, 0), failures: [...new Set(failures)] };
}

function keyOf({ label, paths }: NightlySource): string {
  return label ?? paths.join(' ');
}

async function readArchives(database: Database): Promise<Map<string, Archive>> {
  const rows = await database.rows<Archive>(
    `SELECT path, identity, CAST(generation AS VARCHAR) AS generation FROM ${KEPT}.archives`,
  );
  return new Map(rows.map((row) => [row.path, row]));
}

/** Returns what would be read, without reading it: the files with something new. */
export async function previewSources(
  database: Database,
  sources: readonly NightlySource[],
  night: string,
): Promise<{ files: { path: string; bytes: number; isNew: boolean }[]; failures: string[] }> {
  const known = await readGenerations(database);
  const archives = await readArchives(database);
  const failures: string[] = [];
  const files: { path: string; bytes: number; isNew: boolean }[] = [];
  for (const source of sources) {
    const own = known.filter((generation) => generation.source === keyOf(source));
    const opened = await openFiles(filesOf(source, failures), own, { archives, archived: [], failures });
    try {
      for (const { path, from, to, generation } of await planReadings(opened, own, night))
        files.push({ path, bytes: to - from, isNew: generation === undefined });
    } finally {
      await Promise.all(opened.map(({ content }) => content.close()));
    }
  }
  return { files, failures };
}

function filesOf({ paths }: NightlySource, failures: string[]): string[] {
  return paths.flatMap((path) => {
    try {
      const names = listInputs([path]).map(({ name }) => name);
      // A glob gives names from the folder one is in, whatever it was.
      return isAbsolute(path) ? names.map((name) => resolve(name)) : names;
    } catch (error) {
      failures.push((error as Error).message);
      return [];
    }
  });
}

function identityOf(path: string): string {
  const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

type Identified = Found & { identity: string };

/** Opens files; one that cannot be opened, or an archive that was read to its end, is left out. */
async function openFiles(
  paths: readonly string[],
  generations: readonly Generation[],
  notes: { archives: ReadonlyMap<string, Archive>; archived: Archive[]; failures: string[] },
): Promise<Identified[]> {
  const opened: Identified[] = [];
  for (const path of paths) {
    try {
      const identity = identityOf(path);
      const archive = notes.archives.get(path);
      if (archive?.identity === identity) {
        if (!notes.archived.includes(archive)) notes.archived.push(archive);
        continue;
      }
      opened.push({ path, identity, content: await openContent(path, (head) => askedPositions(head, generations)) });
    } catch (error) {
      notes.failures.push(messages.unreadable(path, (error as Error).message));
    }
  }
  return opened;
}

interface ReadContext {
  source: NightlySource;
  key: string;
  /** All generations, those of this run included. */
  known: Generation[];
  changed: Set<Generation>;
  failures: string[];
  archived: Archive[];
  options: TakeOptions;
}

/** Reads what is new in some files. Returns the stretches, and whether a file changed under the reader and must be looked at anew. */
async function readFound(
  database: Database,
  files: readonly Identified[],
  context: ReadContext,
): Promise<{ stretches: Stretch[]; hasChanged: boolean }> {
  const { known, changed, options, failures, archived, key } = context;
  const own = known.filter(({ source }) => source === key);
  const stretches: Stretch[] = [];
  let hasChanged = false;
  for (const reading of await planReadings(files, own, options.night)) {
    if (reading.generation === undefined && reading.fork === undefined && reading.to === 0) continue;
    const generation = reading.generation ?? newGeneration(reading, context);
    const outcome = await readStretch(database, reading, generation, context);
    if (outcome.is === 'whole') {
      if (reading.generation === undefined) known.push(generation);
      if (outcome.stretch !== undefined) stretches.push(outcome.stretch);
      changed.add(generation);
      advance(generation, reading, outcome, options.night);
      if (reading.content.isClosed && reading.to === reading.content.size)
        archived.push({ path: reading.path, identity: identityIn(files, reading.path), generation: generation.id });
      continue;
    }
    await discard(database, textId(outcome.passing));
    if (outcome.is === 'changed') hasChanged = true;
    else failures.push(messages.unreadable(reading.path, outcome.reason));
  }
  return { stretches, hasChanged };
}

function identityIn(files: readonly Identified[], path: string): string {
  return files.find((file) => file.path === path)?.identity ?? '';
}

/** A log that nobody has seen, named by its content: found under any name on any night, it is called the same. */
function newGeneration({ path, content, fork, to }: Reading, { key, source, known }: ReadContext): Generation {
  const head = headMarks(content.head, to);
  const stem = `${nameOf(path, source.label)}@${head[0]?.hash.slice(0, 8) ?? '0'}`;
  let name = stem;
  for (let n = 2; known.some((one) => one.name === name); n++) name = `${stem}.${n}`;
  return {
    id: String(textId(name)),
    source: key,
    name,
    title: name,
    format: 'unknown',
    path,
    head,
    position: fork?.position ?? 0,
    lines: fork?.lines ?? 0,
    mark: fork?.mark ?? '',
    ends: [],
    seenSize: 0,
    partialNight: null,
    lastNight: '',
  };
}

const PACKED = /\.(?:gz|zst|bz2|xz|zip|Z)$/;
const ROTATED = /[.-](?:\d{1,3}|\d{4}-?\d{2}-?\d{2}(?:[T_-]?\d{2}[-:]?\d{2}(?:[-:]?\d{2})?)?|\d{10})(?=\.log$|$)/;

/** Returns what a log is called when it is not rotated. */
export function nameOf(path: string, label: string | undefined): string {
  const plain = path.replace(PACKED, '').replace(ROTATED, '');
  return label === undefined ? plain : `${label}/${basename(plain)}`;
}

type Outcome =
  | { is: 'whole'; mark: string; stretch: Stretch | undefined }
  | { is: 'changed'; passing: string }
  | { is: 'unreadable'; passing: string; reason: string };

async function readStretch(
  database: Database,
  { path, content, from, to }: Reading,
  generation: Generation,
  { source, options }: ReadContext,
): Promise<Outcome> {
  const passing = `${generation.name} from ${from}`;
  const mark = await content.markAt(to);
  if (mark === undefined) return { is: 'changed', passing };
  if (from === to) return { is: 'whole', mark, stretch: undefined };
  const progress: Progress = { bytes: 0, fault: undefined };
  const [counts] = await readInputs(database, [{ name: passing, bytes: to - from }], {
    logFormat: source.logFormat ?? knownFormat(generation.format),
    timeZone: source.timeZone,
    threads: options.threads,
    clientsOf: nameOf(path, source.label),
    onWarning: options.onWarning,
    open: () => ({ chunks: watched(content.read(from, to), progress), bytesRead: () => progress.bytes }),
  });
  if (progress.fault !== undefined) return { is: 'unreadable', passing, reason: progress.fault.message };
  // Truncated and perhaps filled again under the reader: what was read may be of two logs.
  if (counts === undefined || progress.bytes !== to - from || (await content.markAt(to)) !== mark)
    return { is: 'changed', passing };
  return { is: 'whole', mark, stretch: { generation, passing, from, to, mark, firstLine: generation.lines + 1, counts } };
}

function knownFormat(format: string): FormatName | undefined {
  return FORMAT_NAMES.find((name) => name === format);
}

interface Progress {
  bytes: number;
  fault: Error | undefined;
}

/** A log that cannot be read ends here; whoever asked looks at the fault. What fails behind this is not the log. */
async function* watched(chunks: AsyncIterable<Uint8Array>, progress: Progress): AsyncIterable<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      progress.fault = error as Error;
      return { done: true as const, value: undefined };
    });
    if (next.done === true) return;
    progress.bytes += next.value.length;
    yield next.value;
  }
}

async function discard(database: Database, id: bigint): Promise<void> {
  for (const table of ['requests', 'rejects', 'credentials', 'request_keys'])
    await database.run(`DELETE FROM ${table} WHERE source = ${id}`, 'discard');
}

/** Moves a generation to where its reading has ended. */
function advance(
  generation: Generation,
  { content, path, to, isPartial }: Reading,
  { mark, stretch }: { mark: string; stretch: Stretch | undefined },
  night: string,
): void {
  const wasLeft = generation.partialNight !== null && generation.seenSize === content.size;
  generation.position = to;
  generation.mark = mark;
  generation.head = headMarks(content.head, to);
  generation.partialNight = !isPartial ? null : wasLeft ? generation.partialNight : night;
  generation.seenSize = content.size;
  generation.path = path;
  generation.lastNight = night;
  if (stretch === undefined) return;
  generation.lines += stretch.counts.lines;
  generation.format = stretch.counts.format;
  generation.ends = [...generation.ends, { position: to, lines: generation.lines, mark }];
}

/** A log of which something was left and that is nowhere any more. */
function warnOfVanished(known: readonly Generation[], changed: ReadonlySet<Generation>, { night, onWarning }: TakeOptions): void {
  for (const generation of known) {
    if (changed.has(generation) || generation.seenSize <= generation.position || generation.lastNight >= night) continue;
    onWarning(messages.vanished(generation.path, generation.seenSize - generation.position));
  }
}

/** Rows that cite where their request was first read keep their place. */
const PLACE: Readonly<Record<string, string>> = {
  source: 'COALESCE(s.source, r.source)',
  line: 'COALESCE(s.lines_before, 0) + r.line',
};
const ROW_COLUMNS = Object.keys(TABLES.requests).map((column) => PLACE[column] ?? `r."${column}"`);

async function commit(
  database: Database,
  changed: ReadonlySet<Generation>,
  stretches: readonly Stretch[],
  archived: readonly Archive[],
  { night, zone }: TakeOptions,
): Promise<void> {
  await database.run('CREATE OR REPLACE TABLE taken (passing BIGINT, source BIGINT, lines_before BIGINT)');
  if (stretches.length > 0) {
    const tuples = stretches.map(
      ({ generation, passing, firstLine }) => `(${textId(passing)}, ${generation.id}, ${firstLine - 1})`,
    );
    await database.run(`INSERT INTO taken VALUES ${tuples.join(', ')}`);
  }
  await nameByDate(database, changed, zone);
  await inTransaction(database, async () => {
    await database.run(
      `INSERT INTO ${KEPT}.cited SELECT id, name FROM sources WHERE lines IS NULL EXCEPT SELECT * FROM ${KEPT}.cited`,
      'commit',
    );
    await database.run(
      `INSERT INTO ${KEPT}.requests SELECT ${ROW_COLUMNS.join(', ')} FROM requests AS r LEFT JOIN taken AS s ON s.passing = r.source`,
      'commit',
    );
    for (const table of ['client_texts', 'target_texts', 'signal_texts'])
      await database.run(`INSERT INTO ${KEPT}.${table} SELECT * FROM ${table} EXCEPT SELECT * FROM ${KEPT}.${table}`, 'commit');
    for (const [table, rest] of [
      ['rejects', 'r.reason, r.excerpt'],
      ['credentials', 'r.place'],
      ['request_keys', 'r.part, r."key", r.is_upstream'],
    ])
      await database.run(
        `INSERT INTO ${KEPT}.${table} SELECT s.source, s.lines_before + r.line, ${rest} FROM ${table} AS r JOIN taken AS s ON s.passing = r.source`,
        'commit',
      );
    if (changed.size > 0)
      await database.run(`DELETE FROM ${KEPT}.generations WHERE id IN (${[...changed].map(({ id }) => id).join(', ')})`);
    await addRows(database, 'generations', [...changed].map(generationRow));
    await addRows(
      database,
      'stretches',
      stretches.map(({ generation, from, to, mark, firstLine, counts }) => {
        const { bytes, lines, records, rejects, other, parts, duplicates } = counts;
        const place = { generation: BigInt(generation.id), night, from_byte: from, to_byte: to, mark, first_line: firstLine };
        return { ...place, bytes, lines, records, rejects, other, parts, duplicates };
      }),
    );
    await database.run(`DELETE FROM ${KEPT}.archives`);
    await addRows(
      database,
      'archives',
      archived.map(({ path, identity, generation }) => ({ path, identity, generation: BigInt(generation) })),
    );
    const seen = archived.map(({ generation }) => generation);
    if (seen.length > 0)
      await database.run(`UPDATE ${KEPT}.generations SET last_night = ${literal(night)} WHERE id IN (${seen.join(', ')})`);
    await markDue(database, night);
  });
}

/** Nights whose windows got rows must be reported on (again); this night's in any case. */
async function markDue(database: Database, night: string): Promise<void> {
  await database.run(
    `UPDATE ${KEPT}.nights SET is_due = TRUE WHERE night = ${literal(night)}
       OR EXISTS (SELECT 1 FROM requests AS r WHERE r.ts >= since_us AND r.ts < until_us)`,
    'commit',
  );
}

/** People find a log by its date sooner than by a hash of its content. */
async function nameByDate(database: Database, changed: ReadonlySet<Generation>, zone: string): Promise<void> {
  const rows = await database.rows<{ id: string; ts: number }>(
    'SELECT CAST(s.source AS VARCHAR) AS id, MIN(r.ts) AS ts FROM requests AS r JOIN taken AS s ON s.passing = r.source WHERE r.ts IS NOT NULL GROUP BY s.source',
  );
  const firsts = new Map(rows.map(({ id, ts }) => [id, ts]));
  for (const generation of changed) {
    const first = firsts.get(generation.id);
    if (generation.title === generation.name && first !== undefined)
      generation.title = generation.name.replace(/@([^@]*)$/, `@${dateAt(first, zone)}-$1`);
  }
}

function generationRow(generation: Generation): Record<string, string | number | bigint | null> {
  const { id, source, name, title, head, position, lines, mark, format, path, seenSize, partialNight, lastNight } = generation;
  return {
    id: BigInt(id),
    source,
    name,
    title,
    head: JSON.stringify(head.map(({ length, hash }) => [length, hash])),
    position,
    lines,
    mark,
    format,
    path,
    seen_size: seenSize,
    partial_night: partialNight,
    last_night: lastNight,
  };
}

interface GenerationRow {
  id: string;
  source: string;
  name: string;
  title: string;
  head: string;
  position: number;
  lines: number;
  mark: string;
  format: string;
  path: string;
  seen_size: number;
  partial_night: string | null;
  last_night: string;
}

async function readGenerations(database: Database): Promise<Generation[]> {
  const rows = await database.rows<GenerationRow>(
    `SELECT * REPLACE (CAST(id AS VARCHAR) AS id) FROM ${KEPT}.generations ORDER BY name`,
  );
  const ends = groupBy(
    await database.rows<End & { id: string }>(
      `SELECT CAST(generation AS VARCHAR) AS id, to_byte AS position, first_line + lines - 1 AS lines, mark FROM ${KEPT}.stretches ORDER BY to_byte`,
    ),
    ({ id }) => id,
  );
  return rows.map(({ id, source, name, title, head, position, lines, mark, format, path, ...row }) => ({
    id,
    source,
    name,
    title,
    format,
    path,
    head: (JSON.parse(head) as [number, string][]).map(([length, hash]) => ({ length, hash })),
    position,
    lines,
    mark,
    ends: ends.get(id) ?? [],
    seenSize: row.seen_size,
    partialNight: row.partial_night,
    lastNight: row.last_night,
  }));
}
