// The one typed value that every renderer takes: the JSON report, field by field (schema `stormgate.report/1`).
import type { Declared, Kind } from '../record.ts';

export const REPORT_SCHEMA = 'stormgate.report/1';

export const STORM_KINDS = [
  'path_guessing',
  'stale_session',
  'reinitialize_loop',
  'auth_loop',
  'throttle_hammering',
  'transient_hammering',
  'redirect_loop',
  'refused_repeat',
  'semantic_repeat',
  'reconnect_loop',
] as const;
export type StormKind = (typeof STORM_KINDS)[number];

export const FINDING_RULES = [
  'recurring_refusal',
  'unmet_demand',
  'refusal_unstable',
  'probe_refused',
  'scanner',
  'slow_loop',
  'retry_after_ignored',
  'no_backoff',
  'lockstep_herd',
  'gateway_retries_multiply',
  'stale_session_header',
  'cache_ignored',
  'uncached_probing',
  'credential_in_log',
  'forged_line_suspected',
  'refused_before_discovery',
  'deploy_burst',
] as const;
export type FindingRule = (typeof FINDING_RULES)[number];

export interface Evidence {
  source: string;
  line: number;
}

export interface StormTarget {
  http_method: string | null;
  path: string | null;
  rpc_method: string | null;
  rpc_name: string | null;
  declared: Declared;
  requests: number;
  under_gate: number;
  avoidable: number;
  kind: Kind;
  reason: string;
}

export interface Storm {
  id: string;
  kind: StormKind;
  /** The client's key, as text. */
  client: string;
  /** Id of the session of the storm's first request. */
  session: string | null;
  /** ISO 8601 UTC; null where the log has no stamps. */
  start_ts: string | null;
  end_ts: string | null;
  duration_s: number | null;
  requests: number;
  refused: number;
  avoidable: number;
  under_gate: number;
  targets: StormTarget[];
  evidence: Evidence[];
}

export interface KindSavings {
  requests: number;
  under_gate: number;
  avoidable: number;
  harm: number;
}

export interface Savings {
  lower: number;
  upper: number;
  avoidable_first: number;
  overrun: number;
  harm: number;
  ambiguous_repeats: number;
  by_kind: Partial<Record<Kind, KindSavings>>;
  response_bytes: number;
  server_ms: number;
  client_wait_ms: number;
}

export interface Finding {
  rule: FindingRule;
  severity: 'info' | 'low' | 'medium' | 'high';
  title: string;
  /** Keys of the clients it speaks of; the first few when there are many. */
  clients: string[];
  requests: number;
  advice: string;
  evidence: Evidence[];
}

export interface InputSummary {
  name: string;
  format: string;
  bytes: number;
  lines: number;
  records: number;
  rejects: number;
  other: number;
  parts: number;
  duplicates: number;
}

export interface Visibility {
  status: boolean;
  rpc_code: boolean;
  tool_error: boolean;
  time: boolean;
  client: boolean;
}

export interface Findings {
  schema: typeof REPORT_SCHEMA;
  tool: { name: 'stormgate'; version: string };
  generated_at: string;
  window: { start: string | null; end: string | null; timed: boolean };
  inputs: InputSummary[];
  visibility: Visibility;
  contract: {
    source: 'documents' | 'inferred' | 'none';
    documents: string[];
    declared: number;
    undeclared: number;
    unknown: number;
  };
  requests: {
    total: number;
    by_kind: Partial<Record<Kind, number>>;
    by_reason: Record<string, number>;
    /** Keys are statuses as text, `unknown` for none. */
    by_status: Record<string, number>;
  };
  clients: { total: number; key: string };
  sessions: { total: number };
  storms: Storm[];
  savings: Savings;
  findings: Finding[];
  rejects: { total: number; by_reason: Record<string, number>; samples: (Evidence & { reason: string; excerpt: string })[] };
}

/** What a gate or a retry budget makes of a request. */
export const FATES = ['sent', 'avoidable', 'harm', 'overrun'] as const;
export type Fate = (typeof FATES)[number];

/**
 * All requests as counts, for whoever filters: by time, client, target, kind, fate and storm. Rows are tuples of whole numbers, most of
 * them places in the lists beside them; -1 stands for none, and a client or target one beyond its list for all others. Sums over
 * `requests` are those of the report.
 */
export interface Slices {
  /** Width of a step of time. */
  bucket_us: number;
  /** Starts of the steps that occur, in microseconds. */
  steps: number[];
  /** Keys of clients; the others are summed. */
  clients: string[];
  targets: (Pick<StormTarget, 'http_method' | 'path' | 'rpc_method' | 'rpc_name' | 'declared'> & { authority: string | null })[];
  /** Ids of storms. */
  storms: string[];
  /** step, client, target, kind, kind that holds it, fate, storm, requests. */
  requests: number[][];
  /** step, client, target, kind that it follows, number of the retry, start of the class of its wait in ms, retries, those in the first tenth of the envelope. */
  retries: number[][];
  /** step, client, target, attempts, operations. */
  attempts: number[][];
  sessions: { client: string; session: string | null; start_ts: number | null; end_ts: number | null; refused: number }[];
}

/** Rows that charts are drawn from; read only when a renderer draws. */
export interface Series {
  /** Null where only the other rows were read. */
  slices: Slices | null;
  /** Requests per time bucket and kind. `bucket_us` is the width; `ts` the bucket's start in microseconds. */
  timeline: { bucket_us: number; rows: { ts: number; kind: Kind; requests: number }[] };
  /** The requests of each storm's client during the storm, in order. `target` is a label such as `POST /mcp/mcp`. */
  paths: {
    storm: string;
    ts: number | null;
    seq: number;
    target: string;
    kind: Kind;
    status: number | null;
    /** The gate would not have sent it. */
    is_spared: boolean;
    in_storm: boolean;
    source: string;
    line: number;
  }[];
}
