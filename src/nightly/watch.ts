// A pipe that never ends, in bounded memory: requests of the last minutes, and of older ones only those on which a verdict may still
// depend. The steps that judge a whole log judge these rows, again and again; what begins and ends between two looks is an event.
import type { Storm } from '../findings/findings.ts';
import { readInputs } from '../ingest/read-inputs.ts';
import { analyseTables, classifyStream, type AnalysisRequest, type ReadRequest } from '../ingest/run.ts';
import * as messages from '../messages.ts';
import { openDatabase, type Database, type DatabaseOptions } from '../store/database.ts';
import { TABLES, type TableName } from '../store/schema.ts';
import { clearTables } from './state.ts';

export interface StormEvent {
  event: 'start' | 'end';
  /** Time of the log, ISO 8601; null for a log without stamps. */
  at: string | null;
  storm: Storm;
}

export interface WatchRequest extends ReadRequest, Pick<AnalysisRequest, 'settings' | 'client'> {
  windowMs: number;
  /** Least time between two looks. */
  everyMs: number;
  sessionGapMs: number;
  database: DatabaseOptions;
  onEvent(event: StormEvent): Promise<void>;
  /** Told after each look. */
  onLook?: ((seen: { requests: number; storms: number }) => void) | undefined;
}

/** Requests that are looked at together at most, however little time has passed. */
const BATCH = 200_000;
const PATIENCE = 6;
/** Rows that are held at most. */
const MOST_ROWS = 1_000_000;
/** Nothing that a storm depends on is older: a refusal is remembered for a day. */
const MEMORY_MS = 2 * 86_400_000;
const HELD = ['requests', 'client_texts', 'target_texts', 'signal_texts', 'sources'] as const satisfies readonly TableName[];

interface Known {
  storm: Storm;
  isOver: boolean;
}

/** Reads until the pipe ends or the signal fires, and tells each storm when it starts and when it ends. */
export async function watchStream(request: WatchRequest): Promise<void> {
  const database = await openDatabase({ threads: 1, ...request.database });
  const known: Known[] = [];
  let waiting: string[] = [];
  let n = 0;
  let hasNews = false;
  let requests = 0;
  let lastLook = performance.now();
  let isCapped = false;

  const look = async (isLast: boolean): Promise<void> => {
    await hold(database, waiting);
    waiting = [];
    n = 0;
    hasNews = false;
    const { storms, now } = await judgeHeld(database, request);
    await tellChanges(known, storms, now, isLast, request);
    if (now !== undefined) isCapped = (await trim(database, now * 1000, request)) || isCapped;
    request.onLook?.({ requests, storms: known.filter(({ isOver }) => !isOver).length });
    lastLook = performance.now();
  };

  try {
    for (const table of HELD) await database.run(`CREATE TABLE held_${table} AS SELECT * FROM ${table}`);
    await classifyStream(request, async (text) => {
      waiting.push(text);
      const lines = text.split('\n').length - 1;
      n += lines;
      requests += lines;
      // Good answers alone begin few storms, and end them: that can wait.
      hasNews ||= /"kind":"(?!ok"|noise")/.test(text);
      const isDue = performance.now() - lastLook >= request.everyMs * (hasNews ? 1 : PATIENCE);
      if (isDue || n >= BATCH) await look(false);
    });
    await look(true);
    if (isCapped) request.onWarning?.(messages.watchCapped(MOST_ROWS));
  } finally {
    await database.close();
  }
}

/** Puts tagged requests behind those that are held. */
async function hold(database: Database, texts: readonly string[]): Promise<void> {
  await clearTables(database, (name) => !name.startsWith('held_'));
  if (texts.length === 0) return;
  await readInputs(database, [{ name: '-', bytes: null }], {
    logFormat: 'tagged',
    timeZone: 'UTC',
    threads: 1,
    open: () => ({ chunks: bytesOf(texts), bytesRead: () => 0 }),
    onWarning: () => undefined,
  });
  for (const table of HELD)
    await database.run(`INSERT INTO held_${table} SELECT * FROM ${table} EXCEPT SELECT * FROM held_${table}`);
}

async function* bytesOf(texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Judges what is held as a report would, and returns its storms and the last moment that the log has seen, in milliseconds. */
async function judgeHeld(database: Database, request: WatchRequest): Promise<{ storms: Storm[]; now: number | undefined }> {
  await clearTables(database, (name) => !name.startsWith('held_'));
  for (const table of HELD) {
    const columns = Object.keys(TABLES[table]).join(', ');
    await database.run(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM held_${table}`);
  }
  const [row] = await database.rows<{ now: number | null }>('SELECT MAX(ts) AS now FROM held_requests');
  const analysis = await analyseTables(database, request);
  const { storms } = await analysis.findings({ generatedAt: '', version: '' });
  return { storms, now: row?.now == null ? undefined : row.now / 1000 };
}

async function tellChanges(
  known: Known[],
  storms: readonly Storm[],
  now: number | undefined,
  isLast: boolean,
  request: WatchRequest,
) {
  const at = now === undefined ? null : new Date(now).toISOString();
  const seen = new Set<Known>();
  for (const storm of storms) {
    let one = known.find((each) => isSame(each.storm, storm, request.sessionGapMs));
    if (one === undefined) {
      one = { storm, isOver: false };
      known.push(one);
      await request.onEvent({ event: 'start', at, storm });
    }
    if (!one.isOver) one.storm = { ...storm, id: one.storm.id };
    seen.add(one);
  }
  for (const one of known) {
    if (one.isOver) continue;
    const end = one.storm.end_ts === null ? undefined : Date.parse(one.storm.end_ts);
    const isQuiet = now !== undefined && end !== undefined && now - end > request.sessionGapMs;
    // Hindsight may say that it was none: what was refused is answered after all.
    if (!isLast && !isQuiet && seen.has(one)) continue;
    one.isOver = true;
    await request.onEvent({ event: 'end', at, storm: one.storm });
  }
  const oldest = (now ?? 0) - MEMORY_MS - request.sessionGapMs;
  known.splice(0, known.length, ...known.filter(({ storm, isOver }) => !isOver || Date.parse(storm.end_ts ?? '') > oldest));
}

/** A storm of the same client and kind, in the same episode: its beginning may have been forgotten or learned of meanwhile. */
function isSame(a: Storm, b: Storm, gapMs: number): boolean {
  if (a.kind !== b.kind || a.client !== b.client) return false;
  if (a.start_ts === null || b.start_ts === null) return a.start_ts === b.start_ts;
  const [startA, endA, startB, endB] = [a.start_ts, a.end_ts ?? a.start_ts, b.start_ts, b.end_ts ?? b.start_ts].map((ts) =>
    Date.parse(ts),
  );
  return (startA ?? 0) <= (endB ?? 0) + gapMs && (startB ?? 0) <= (endA ?? 0) + gapMs;
}

/**
 * Forgets rows that left the window and on which no verdict depends: of clients that were refused or failed, everything about the
 * operations concerned, what lifts a refusal, and the ends of each stretch of activity stay; of all others, the last answer of each
 * operation; of each kind of answer of each target, one example, by which the contract is inferred. Returns whether more had to go.
 */
async function trim(database: Database, nowUs: number, { windowMs, sessionGapMs }: WatchRequest): Promise<boolean> {
  const horizon = nowUs - windowMs * 1000;
  const oldest = nowUs - MEMORY_MS * 1000;
  await database.run(
    `CREATE OR REPLACE TABLE held_kept AS
     WITH judged AS (
       SELECT r.*, COALESCE(a.is_watched, FALSE) AS is_watched, COALESCE(a.gives, 0) <> 0 AS is_lift
       FROM held_requests AS r LEFT JOIN answers AS a ON a.target = r.target AND a.signal = r.signal
     ),
     placed AS (
       SELECT *,
         BOOL_OR(is_watched) OVER (PARTITION BY client) AS is_suspect,
         BOOL_OR(is_watched) OVER (PARTITION BY client, operation) AS is_concerned,
         ROW_NUMBER() OVER (PARTITION BY client, operation, signal ORDER BY ts DESC, source, line DESC, part) AS of_operation,
         ROW_NUMBER() OVER (PARTITION BY target, signal ORDER BY ts DESC, source, line DESC, part) AS of_answer,
         ROW_NUMBER() OVER (PARTITION BY client, ts // ${sessionGapMs * 1000} ORDER BY ts, source, line, part) AS first_of_stretch,
         ROW_NUMBER() OVER (PARTITION BY client, ts // ${sessionGapMs * 1000} ORDER BY ts DESC, source, line, part) AS last_of_stretch
       FROM judged
     ),
     kept AS (
       SELECT * FROM placed
       WHERE ts IS NULL OR ts >= ${horizon} OR of_answer = 1 OR (ts >= ${oldest} AND (of_operation = 1
         OR (is_suspect AND (is_concerned OR is_lift OR first_of_stretch = 1 OR last_of_stretch = 1))))
     )
     SELECT ${Object.keys(TABLES.requests).join(', ')} FROM kept ORDER BY ts DESC NULLS LAST LIMIT ${MOST_ROWS}`,
    'rolling window',
  );
  await database.run('DROP TABLE held_requests; ALTER TABLE held_kept RENAME TO held_requests', 'rolling window');
  for (const [texts, column] of [
    ['client_texts', 'client'],
    ['target_texts', 'target'],
    ['signal_texts', 'signal'],
  ])
    await database.run(`DELETE FROM held_${texts} WHERE id NOT IN (SELECT ${column} FROM held_requests)`, 'rolling window');
  const [row] = await database.rows<{ n: number }>('SELECT COUNT(*) AS n FROM held_requests');
  return row?.n === MOST_ROWS;
}
