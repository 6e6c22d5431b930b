// What a front and the application behind it log of one request is one request: the status of the front, the RPC code of the application.
import { withSignal } from '../formats/signal.ts';
import { SIGNAL_COLUMNS, UNKNOWN_SIGNAL, type LineTarget, type Signal } from '../record.ts';
import type { Cell } from '../store/append.ts';
import type { Database } from '../store/database.ts';
import { openDictionary } from './dictionary.ts';
import { idNumber } from './ids.ts';

/** Clocks of two hosts, and stamps in whole seconds. */
const SLACK_US = 1_000_000;

/**
 * Requests under one id that begin while the other is under way, and ask for the same. Either only one of them shows RPC, or they are
 * logged in different formats: under one format, equal ids are a client that tries again. Where an id has more than one partner on
 * either side, nothing is joined.
 */
const JOINED = `
WITH seen AS (
  SELECT r.rowid AS request, r.source AS source, o.format AS format, r.correlation AS correlation, r.ts AS ts, r.duration_us AS duration_us,
    t.http_method AS http_method, t.path AS path, s.status AS status,
    t.rpc_method IS NOT NULL OR s.rpc_outcome <> 'unknown' OR s.tool_error <> 'unknown' AS is_rpc
  FROM requests r
  SEMI JOIN (
    SELECT correlation FROM requests WHERE correlation IS NOT NULL GROUP BY correlation HAVING COUNT(DISTINCT source) > 1
  ) c ON c.correlation = r.correlation
  JOIN sources o ON o.id = r.source
  JOIN (SELECT DISTINCT * FROM target_texts) t ON t.id = r.target
  JOIN (SELECT DISTINCT * FROM signal_texts) s ON s.id = r.signal
  WHERE r.ts IS NOT NULL AND r.rowid NOT IN (SELECT request FROM doubles)
),
partners AS (
  SELECT f.request AS front, a.request AS application
  FROM seen f JOIN seen a ON a.correlation = f.correlation AND a.source <> f.source
    AND a.ts BETWEEN f.ts - ${SLACK_US} AND f.ts + COALESCE(f.duration_us, 0) + ${SLACK_US}
  WHERE f.status IS NOT NULL AND f.http_method IS NOT NULL AND NOT f.is_rpc
    AND COALESCE(a.http_method, f.http_method) = f.http_method AND COALESCE(a.path, f.path) = f.path
    AND (
      a.is_rpc
      OR (f.format <> a.format AND a.http_method IS NOT NULL AND a.path IS NOT NULL AND f.duration_us > a.duration_us)
    )
)
SELECT front, application FROM partners
QUALIFY COUNT(*) OVER (PARTITION BY front) = 1 AND COUNT(*) OVER (PARTITION BY application) = 1
  AND application NOT IN (SELECT front FROM partners) AND front NOT IN (SELECT application FROM partners)`;

/** What is the same of all requests that are joined alike. */
interface Kind extends LineTarget, Record<string, Cell> {
  front_target: string;
  front_signal: string;
  target: string;
  signal: string;
  arguments_hash: string | null;
}

const KINDS = `
SELECT DISTINCT f.target AS front_target, f.signal AS front_signal, a.target AS target, a.signal AS signal, a.arguments_hash AS arguments_hash,
  ft.authority AS authority, ft.http_method AS http_method, ft.path AS path, t.rpc_method AS rpc_method, t.rpc_name AS rpc_name
FROM joined j JOIN requests f ON f.rowid = j.front JOIN requests a ON a.rowid = j.application
JOIN target_texts ft ON ft.id = f.target JOIN target_texts t ON t.id = a.target`;

/** Puts what applications know into the requests of their fronts, and their own requests into `doubles`. */
export async function joinApplications(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TEMP TABLE joined AS ${JOINED}`, 'joined requests');
  const kinds = await database.rows<Kind>(KINDS, 'joined requests');
  if (kinds.length > 0) {
    await storeKinds(database, kinds);
    await database.run(UPDATE_FRONTS, 'joined requests');
    await database.run('INSERT INTO doubles SELECT application FROM joined; DROP TABLE join_kinds', 'joined requests');
  }
  await database.run('DROP TABLE joined', 'joined requests');
}

async function storeKinds(database: Database, kinds: readonly Kind[]): Promise<void> {
  const rows = await database.rows<Signal & { id: string }>('SELECT DISTINCT * FROM signal_texts', 'signals');
  const signals = new Map(rows.map((row) => [String(row.id), row]));
  const dictionary = openDictionary();
  const values = kinds.map((kind) => {
    const { authority, http_method, path, rpc_method, rpc_name, arguments_hash } = kind;
    const target = dictionary.target({ authority, http_method, path, rpc_method, rpc_name });
    const operation = idNumber(dictionary.operation(target, arguments_hash === null ? null : hexOf(arguments_hash)));
    const signal = idNumber(
      dictionary.signal(joinSignals(signals.get(String(kind.front_signal)), signals.get(String(kind.signal)))),
    );
    const from = [kind.front_target, kind.front_signal, kind.target, kind.signal, kind.arguments_hash ?? 'NULL'];
    return `(${[...from, idNumber(target), operation, signal].map(String).join(', ')})`;
  });
  await database.run(
    `CREATE OR REPLACE TEMP TABLE join_kinds (front_target BIGINT, front_signal BIGINT, target BIGINT, signal BIGINT, arguments_hash BIGINT,
      new_target BIGINT, new_operation BIGINT, new_signal BIGINT)`,
    'joined requests',
  );
  for (let at = 0; at < values.length; at += 500)
    await database.run(`INSERT INTO join_kinds VALUES ${values.slice(at, at + 500).join(', ')}`, 'joined requests');
  const { targets, signals: told } = dictionary.take();
  for (const row of targets) await database.insert('target_texts', [{ ...row }]);
  for (const row of told) await database.insert('signal_texts', [{ ...row }]);
}

function hexOf(id: string): string {
  return BigInt.asUintN(64, BigInt(id)).toString(16).padStart(16, '0');
}

/** The front's word counts; where it says nothing, the application's does. */
function joinSignals(front: Signal = UNKNOWN_SIGNAL, application: Signal = UNKNOWN_SIGNAL): Signal {
  let signal: Signal = Object.fromEntries(SIGNAL_COLUMNS.map((column) => [column, front[column]])) as unknown as Signal;
  for (const column of SIGNAL_COLUMNS)
    if (signal[column] === UNKNOWN_SIGNAL[column]) signal = withSignal(signal, column, application[column]);
  return signal;
}

const UPDATE_FRONTS = `
UPDATE requests SET target = k.new_target, operation = k.new_operation, signal = k.new_signal, arguments_hash = a.arguments_hash,
  session_token = COALESCE(requests.session_token, a.session_token), retry_after_ms = COALESCE(requests.retry_after_ms, a.retry_after_ms)
FROM joined j
JOIN requests f ON f.rowid = j.front
JOIN requests a ON a.rowid = j.application
JOIN join_kinds k ON k.front_target = f.target AND k.front_signal = f.signal AND k.target = a.target AND k.signal = a.signal
  AND k.arguments_hash IS NOT DISTINCT FROM a.arguments_hash
WHERE requests.rowid = j.front`;
