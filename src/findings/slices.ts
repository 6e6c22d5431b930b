// All requests as counts, small enough for a page whatever the size of the log.
import { KINDS, type Declared, type Kind } from '../record.ts';
import type { Database } from '../store/database.ts';
import { runReport } from '../store/steps.ts';
import { FATES, type Fate, type Slices, type StormKind } from './findings.ts';
import { stormId } from './storm-id.ts';

/** Rows beyond which clients and targets are summed until it fits. */
const MOST_ROWS = 20_000;
const MOST_STORMS = 200;

interface Placed {
  ts: number | null;
  client_no: number;
  target_no: number;
}

interface RequestRow extends Placed {
  kind: Kind;
  held_kind: Kind | '';
  fate: Fate;
  storm_kind: StormKind | '';
  client_id: number | string;
  episode: number | string;
  n_requests: number;
}

interface RetryRow extends Placed {
  is_after_throttled: boolean;
  retry_no: number;
  wait_ms: number;
  n_retries: number;
  n_early: number;
}

interface StormRow {
  kind: StormKind;
  client_id: number | string;
  episode: number | string;
  client: string;
  source: string;
  line: number;
}

interface TargetRow {
  authority: string | null;
  http_method: string | null;
  path: string | null;
  rpc_method: string | null;
  rpc_name: string | null;
  declared: Declared;
}

interface SessionRow {
  client: string;
  session_token: number | string | null;
  start_ts: number | null;
  end_ts: number | null;
  n_refused: number;
}

/** Returns the slices of a database in which all steps have run. */
export async function readSlices(database: Database): Promise<Slices> {
  const requests = await runReport<RequestRow>(database, 'page_requests');
  const retries = await runReport<RetryRow>(database, 'page_retries');
  const attempts = await runReport<Placed & { attempts: number; n_operations: number }>(database, 'page_attempts');
  const [width] = await runReport<{ bucket_us: number }>(database, 'page_time');
  const clients = await runReport<{ client: string }>(database, 'page_clients');
  const targets = await runReport<TargetRow>(database, 'page_targets');
  const storms = (await runReport<StormRow>(database, 'storms')).slice(0, MOST_STORMS);
  const sessions = await runReport<SessionRow>(database, 'page_sessions');

  const steps = [...new Set([requests, retries, attempts].flatMap((rows) => rows.map(({ ts }) => ts)))]
    .filter((ts) => ts !== null)
    .toSorted((a, b) => a - b);
  const stepNos = new Map<number | null, number>(steps.map((ts, i) => [ts, i]));
  const stormNos = new Map(storms.map((storm, i) => [`${storm.kind} ${storm.client_id} ${storm.episode}`, i]));
  const placed = ({ ts, client_no, target_no }: Placed, ...rest: number[]): number[] => [
    stepNos.get(ts) ?? -1,
    (client_no === 0 ? clients.length + 1 : client_no) - 1,
    (target_no === 0 ? targets.length + 1 : target_no) - 1,
    ...rest,
  ];
  return fitted({
    bucket_us: width?.bucket_us ?? 0,
    steps,
    clients: clients.map(({ client }) => client),
    targets: targets.map(({ authority, http_method, path, rpc_method, rpc_name, declared }) => ({
      authority,
      http_method,
      path,
      rpc_method,
      rpc_name,
      declared,
    })),
    storms: storms.map(({ kind, client, source, line }) => stormId(kind, client, { source, line })),
    requests: requests.map((row) =>
      placed(
        row,
        KINDS.indexOf(row.kind),
        row.held_kind === '' ? -1 : KINDS.indexOf(row.held_kind),
        FATES.indexOf(row.fate),
        stormNos.get(`${row.storm_kind} ${row.client_id} ${row.episode}`) ?? -1,
        row.n_requests,
      ),
    ),
    retries: retries.map((row) =>
      placed(
        row,
        KINDS.indexOf(row.is_after_throttled ? 'throttled' : 'transient'),
        row.retry_no,
        row.wait_ms,
        row.n_retries,
        row.n_early,
      ),
    ),
    attempts: attempts.map((row) => placed(row, row.attempts, row.n_operations)),
    sessions: sessions.map(({ client, session_token, start_ts, end_ts, n_refused }) => ({
      client,
      session: session_token === null ? null : BigInt.asUintN(64, BigInt(session_token)).toString(16).padStart(16, '0'),
      start_ts,
      end_ts,
      refused: n_refused,
    })),
  });
}

/** Returns the slices with so many clients and targets left out of the lists, the last first, that their rows are few enough. */
export function fitted(slices: Slices, most = MOST_ROWS): Slices {
  let kept = merged(slices, slices.clients.length, slices.targets.length);
  while (sizeOf(kept) > most && kept.clients.length + kept.targets.length > 0) {
    kept = merged(kept, Math.floor(kept.clients.length * 0.75), Math.floor(kept.targets.length * 0.75));
  }
  return kept;
}

const sizeOf = ({ requests, retries, attempts }: Slices): number => requests.length + retries.length + attempts.length;

function merged(slices: Slices, clients: number, targets: number): Slices {
  const place = ([step = -1, client = 0, target = 0, ...rest]: readonly number[]): number[] => [
    step,
    Math.min(client, clients),
    Math.min(target, targets),
    ...rest,
  ];
  return {
    ...slices,
    clients: slices.clients.slice(0, clients),
    targets: slices.targets.slice(0, targets),
    requests: summed(slices.requests.map(place), 1),
    retries: summed(slices.retries.map(place), 2),
    attempts: summed(slices.attempts.map(place), 1),
  };
}

/** Rows that differ in nothing but their last `counts` numbers become one. */
function summed(rows: readonly number[][], counts: number): number[][] {
  const sums = new Map<string, number[]>();
  for (const row of rows) {
    const key = row.slice(0, -counts).join(' ');
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, row);
    else for (let i = row.length - counts; i < row.length; i += 1) sum[i] = (sum[i] ?? 0) + (row[i] ?? 0);
  }
  return [...sums.values()];
}
