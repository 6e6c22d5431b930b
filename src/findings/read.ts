// Runs queries/reports and shapes their rows into the one value that every renderer takes.
import type { Contract } from '../contract/contract.ts';
import type { Declared, Kind } from '../record.ts';
import type { Database } from '../store/database.ts';
import { runReport } from '../store/steps.ts';
import {
  REPORT_SCHEMA,
  type Evidence,
  type Findings,
  type InputSummary,
  type KindSavings,
  type Savings,
  type Storm,
  type StormKind,
  type StormTarget,
  type Visibility,
} from './findings.ts';
import { groupBy } from './group.ts';
import { readFindingList } from './rules.ts';
import { stormId } from './storm-id.ts';
import { maybeIsoTime } from './time.ts';

export { readSeries } from './series.ts';

/** What the tables do not know. */
export interface ReportStamp {
  /** Version of the tool. */
  version: string;
  /** ISO 8601. */
  generatedAt: string;
  contract: Pick<Contract, 'source' | 'documents'>;
  /** What clients are told by, if that was chosen. */
  clientKey?: string | undefined;
}

/** Returns the findings of a database in which all steps have run. */
export async function readFindings(database: Database, stamp: ReportStamp): Promise<Findings> {
  const storms = await readStorms(database);
  const { n_clients, n_sessions } = await one<{ n_clients: number; n_sessions: number }>(database, 'totals');
  const { visibility, key } = await readVisibility(database);
  const rejects = await runReport<{ reason: string; n_lines: number }>(database, 'rejects');
  const inputs = await runReport<InputSummary>(database, 'inputs');
  return {
    schema: REPORT_SCHEMA,
    tool: { name: 'stormgate', version: stamp.version },
    generated_at: stamp.generatedAt,
    window: await readWindow(database),
    inputs,
    visibility,
    contract: { source: stamp.contract.source, documents: [...stamp.contract.documents], ...(await readDeclared(database)) },
    requests: await readRequests(database),
    clients: { total: n_clients, key: stamp.clientKey ?? key },
    sessions: { total: n_sessions },
    storms,
    savings: await readSavings(database),
    findings: await readFindingList(database),
    rejects: {
      total: sum(inputs.map((input) => input.rejects)),
      by_reason: Object.fromEntries(rejects.map(({ reason, n_lines }) => [reason, n_lines])),
      samples: await runReport(database, 'reject_samples'),
    },
  };
}

async function one<T>(database: Database, report: string): Promise<T> {
  const [row] = await runReport<T>(database, report);
  if (row === undefined) throw new Error(`report ${report} is empty`);
  return row;
}

async function readWindow(database: Database): Promise<Findings['window']> {
  const row = await one<{ start_ts: number | null; end_ts: number | null; n_requests: number; n_timed: number }>(
    database,
    'window',
  );
  const timed = row.n_requests > 0 && row.n_timed === row.n_requests;
  return { start: maybeIsoTime(row.start_ts), end: maybeIsoTime(row.end_ts), timed };
}

interface VisibilityRow extends Omit<Visibility, 'client'> {
  address: boolean;
  user_agent: boolean;
  principal: boolean;
}

async function readVisibility(database: Database): Promise<{ visibility: Visibility; key: string }> {
  const { address, user_agent, principal, ...levels } = await one<VisibilityRow>(database, 'visibility');
  const line = [...(address ? ['address'] : []), ...(user_agent ? ['user agent'] : [])].join(' and ');
  const key = [...(principal ? ['principal'] : []), line || 'source'].join(', else ');
  return { visibility: { ...levels, client: address || principal }, key };
}

async function readDeclared(database: Database): Promise<Record<Declared, number>> {
  const rows = await runReport<{ declared: Declared; n_targets: number }>(database, 'contract');
  const counts = { declared: 0, undeclared: 0, unknown: 0 };
  for (const { declared, n_targets } of rows) counts[declared] = n_targets;
  return counts;
}

async function readRequests(database: Database): Promise<Findings['requests']> {
  const kinds = await runReport<{ kind: Kind; reason: string; n_requests: number }>(database, 'kinds');
  const statuses = await runReport<{ status: number | null; n_requests: number }>(database, 'statuses');
  return {
    total: sum(kinds.map(({ n_requests }) => n_requests)),
    by_kind: tally(kinds.map(({ kind, n_requests }) => [kind, n_requests])),
    by_reason: tally(kinds.map(({ reason, n_requests }) => [reason, n_requests])),
    by_status: tally(statuses.map(({ status, n_requests }) => [String(status ?? 'unknown'), n_requests])),
  };
}

interface StormKey {
  client_id: number | string;
  episode: number | string;
}

interface StormRow extends StormKey {
  kind: StormKind;
  client: string;
  session_token: number | string | null;
  start_ts: number | null;
  end_ts: number | null;
  n_requests: number;
  n_refused: number;
  n_avoidable: number;
  n_under_gate: number;
  source: string;
  line: number;
}

interface StormTargetRow extends StormKey {
  storm_kind: StormKind;
  http_method: string | null;
  path: string | null;
  rpc_method: string | null;
  rpc_name: string | null;
  declared: Declared;
  kind: Kind;
  reason: string;
  n_requests: number;
  n_under_gate: number;
  n_avoidable: number;
}

async function readStorms(database: Database): Promise<Storm[]> {
  const rows = await runReport<StormRow>(database, 'storms');
  const targets = groupBy(await runReport<StormTargetRow>(database, 'storm_targets'), (row) => stormKey(row.storm_kind, row));
  const evidence = groupBy(await runReport<StormKey & Evidence & { storm_kind: StormKind }>(database, 'storm_evidence'), (row) =>
    stormKey(row.storm_kind, row),
  );
  return rows.map((row) => {
    const key = stormKey(row.kind, row);
    return {
      id: stormId(row.kind, row.client, row),
      kind: row.kind,
      client: row.client,
      session: row.session_token === null ? null : hex(row.session_token),
      start_ts: maybeIsoTime(row.start_ts),
      end_ts: maybeIsoTime(row.end_ts),
      duration_s: row.start_ts === null || row.end_ts === null ? null : (row.end_ts - row.start_ts) / 1e6,
      requests: row.n_requests,
      refused: row.n_refused,
      avoidable: row.n_avoidable,
      under_gate: row.n_under_gate,
      targets: (targets.get(key) ?? []).map(shapeTarget),
      evidence: (evidence.get(key) ?? []).map(({ source, line }) => ({ source, line })),
    };
  });
}

function stormKey(kind: StormKind, { client_id, episode }: StormKey): string {
  return `${kind} ${client_id} ${episode}`;
}

function shapeTarget(row: StormTargetRow): StormTarget {
  const { http_method, path, rpc_method, rpc_name, declared, kind, reason } = row;
  return {
    http_method,
    path,
    rpc_method,
    rpc_name,
    declared,
    requests: row.n_requests,
    under_gate: row.n_under_gate,
    avoidable: row.n_avoidable,
    kind,
    reason,
  };
}

function hex(id: number | string): string {
  return BigInt.asUintN(64, BigInt(id)).toString(16).padStart(16, '0');
}

interface SavingsRow {
  n_lower: number;
  n_upper: number;
  n_avoidable_first: number;
  n_overrun: number;
  n_harm: number;
  n_ambiguous_repeats: number;
  response_bytes: number;
  server_ms: number;
  client_wait_ms: number;
}

interface KindSavingsRow {
  kind: Kind;
  n_requests: number;
  n_under_gate: number;
  n_avoidable: number;
  n_harm: number;
}

async function readSavings(database: Database): Promise<Savings> {
  const row = await one<SavingsRow>(database, 'savings');
  const kinds = await runReport<KindSavingsRow>(database, 'savings_by_kind');
  return {
    lower: row.n_lower,
    upper: row.n_upper,
    avoidable_first: row.n_avoidable_first,
    overrun: row.n_overrun,
    harm: row.n_harm,
    ambiguous_repeats: row.n_ambiguous_repeats,
    by_kind: Object.fromEntries(kinds.map(({ kind, ...each }) => [kind, shapeKindSavings(each)])),
    response_bytes: row.response_bytes,
    server_ms: row.server_ms,
    client_wait_ms: row.client_wait_ms,
  };
}

function shapeKindSavings(row: Omit<KindSavingsRow, 'kind'>): KindSavings {
  return { requests: row.n_requests, under_gate: row.n_under_gate, avoidable: row.n_avoidable, harm: row.n_harm };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function tally<K extends string>(pairs: readonly (readonly [K, number])[]): Record<K, number> {
  const counts = new Map<K, number>();
  for (const [key, n] of pairs) counts.set(key, (counts.get(key) ?? 0) + n);
  return Object.fromEntries(counts) as Record<K, number>;
}
