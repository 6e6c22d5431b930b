// The shapes that cross folders, and the column order of what is stored. Field names are the SQL column names.

/** A fact that a log may show, deny or not carry at all. */
export type Known = 'yes' | 'no' | 'unknown';

/** What an answer says, as a closed list (design: kinds). */
export const KINDS = [
  'ok',
  'protocol_not_supported',
  'interface_not_declared',
  'policy_refused',
  'semantic',
  'corrective',
  'auth',
  'throttled',
  'transient',
  'client_gone',
  'ambiguous',
  'noise',
] as const;
export type Kind = (typeof KINDS)[number];

export const ADVICE = [
  'PROCEED',
  'FETCH_DISCOVERY',
  'ROUTE_ELSEWHERE_OR_ABSTAIN',
  'RETRY_WITH_BACKOFF',
  'ABSTAIN',
  'FOLLOW_UP',
  'AUTHENTICATE',
] as const;
export type Advice = (typeof ADVICE)[number];

export type Confidence = 'certain' | 'inferred' | 'status_only';

/** Which refusal memory an answer joins; `none` for answers that are no refusal. Strongest first. */
export const MEMORY_FAMILIES = ['authoritative', 'semantic', 'corrective', 'auth', 'ambiguous', 'none'] as const;
export type MemoryFamily = (typeof MEMORY_FAMILIES)[number];

/** Which good answer of another operation ends that memory, and which answers give one. A handshake (`initialize`) is an `rpc_read` too. */
export type Lift = 'none' | 'rpc_read' | 'document_read' | 'token' | 'handshake';

export const PROBE_ROLES = [
  'none',
  'initialize',
  'discover',
  'stream',
  'close',
  'resource_metadata',
  'server_metadata',
  'oauth_default',
  'register',
  'card',
  'server_card',
  'openapi',
  'noise',
  'health',
  'poll',
] as const;
export type ProbeRole = (typeof PROBE_ROLES)[number];

/**
 * Facts that a gateway states beside or instead of a status. `envoy_*` are response flags (lower case), `haproxy_*` the first two
 * letters of the termination state as logged (`haproxy_CD` left, `haproxy_cD` fell silent), `cloudflare_*` the 1xxx code.
 */
export type GatewayMarker = `envoy_${string}` | `haproxy_${string}` | `cloudflare_${string}` | 'no_answer';

/** MCP revisions and A2A versions we know; any other value that a client sends is `other`. */
export const PROTOCOL_VERSIONS = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
  '0.1',
  '0.2',
  '0.3',
  '1.0',
  'other',
] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** The closed values that one response carries. A day of traffic holds a few hundred different ones. */
export interface Signal {
  /** Three digits from 100 up as logged (460, 499 too); null when nothing was sent or none is logged. */
  status: number | null;
  /** JSON-RPC error code; null when there is none or the log does not show it (see `rpc_outcome`). */
  rpc_code: number | null;
  rpc_outcome: 'result' | 'error' | 'unknown';
  grpc_status: number | null;
  protocol_version: ProtocolVersion | null;
  marker: GatewayMarker | null;
  /** A tool result with `isError: true`. */
  tool_error: Known;
  /** A success that asks the client to repeat the call with answers attached (MCP 2026-07-28). */
  input_required: Known;
  /** What the error text speaks of, found by the format; the text itself is not kept. */
  wording: 'throttle' | 'session' | 'version' | 'origin' | 'task_mode' | 'none' | 'unknown';
  /** The request bore an MCP session id. */
  has_session: Known;
  /** The request bore Last-Event-ID. */
  last_event_id: Known;
  /** The request bore Origin. */
  has_origin: Known;
  /** The `Allow` header of a 405. */
  allow: 'methods' | 'empty' | 'absent' | 'unknown';
  /** What `WWW-Authenticate` (or a 402 body) asks for. */
  challenge: 'token' | 'scope' | 'payment' | 'absent' | 'unknown';
  /** The challenge named a `resource_metadata` URL. */
  resource_metadata: Known;
  retry_after: Known;
  /** The answer was an event stream. */
  is_stream: Known;
}

export const SIGNAL_COLUMNS = [
  'status',
  'rpc_code',
  'rpc_outcome',
  'grpc_status',
  'protocol_version',
  'marker',
  'tool_error',
  'input_required',
  'wording',
  'has_session',
  'last_event_id',
  'has_origin',
  'allow',
  'challenge',
  'resource_metadata',
  'retry_after',
  'is_stream',
] as const satisfies readonly (keyof Signal)[];

/** A signal of which nothing is known; formats spread it and fill in what their lines show. */
export const UNKNOWN_SIGNAL: Signal = Object.freeze({
  status: null,
  rpc_code: null,
  rpc_outcome: 'unknown',
  grpc_status: null,
  protocol_version: null,
  marker: null,
  tool_error: 'unknown',
  input_required: 'unknown',
  wording: 'unknown',
  has_session: 'unknown',
  last_event_id: 'unknown',
  has_origin: 'unknown',
  allow: 'unknown',
  challenge: 'unknown',
  resource_metadata: 'unknown',
  retry_after: 'unknown',
  is_stream: 'unknown',
});

/** Who asked, as one line shows it. */
export interface LineClient {
  /** Peer or best client address without port, IPv6 in RFC 5952 form; null when the log has none. */
  address: string | null;
  user_agent: string | null;
  /** A user, API-key id or client id, hashed as `kind:16 hex digits` (`user:…`, `key:…`); never the text of a secret. */
  principal: string | null;
  /** What the client is told by, if not by the above. */
  client_key?: string;
}

export const CLIENT_KEYS = ['principal', 'address+agent', 'address', 'agent'] as const;
/** What requests of one client have in common. `principal` is the usual: who the log names, else address and user agent. */
export type ClientKey = (typeof CLIENT_KEYS)[number];

/** What was asked for. Paths have no query, are not percent-decoded, and credentials in them are masked. */
export interface LineTarget {
  /** Lower case, port kept unless it is the scheme's default. */
  authority: string | null;
  /** Upper case; null when the request line is not parseable. */
  http_method: string | null;
  path: string | null;
  rpc_method: string | null;
  /** Tool, prompt or resource. */
  rpc_name: string | null;
}

/** One request as one log line (or a pair of lines) shows it. */
export interface AccessRecord extends LineClient, LineTarget {
  /** Start of the request, microseconds since the epoch, UTC; null without a stamp. */
  ts: number | null;
  duration_us: number | null;
  /** MCP session id, hashed as 16 hex digits. */
  session: string | null;
  signal: Signal;
  request_bytes: number | null;
  response_bytes: number | null;
  retry_after_ms: number | null;
  /** Upstream tries that the line shows; 0 if the gateway answered itself; null if it shows none. */
  attempts: number | null;
  /** 16 hex digits over the call's arguments, when logged. */
  arguments_hash: string | null;
  /** Request or trace id, lower case, as logged; joins lines of one request. */
  correlation: string | null;
  /** Where a credential was seen and masked: `query parameter api_key`, `path segment`, `user-info`. */
  credential: string | null;
  /** What only entries about this very request bear, in formats that have such a thing; it tells doubles, and is not stored. */
  request_key?: string;
  /** The forwarded list as logged, and the member that stands for the address where no peer is logged. */
  forwarded?: { list: string; taken: string | null };
  /** The gateway's own request to what stands behind it: a double if the client's request with this key is in the input. */
  is_upstream?: true;
}

/** Columns of table `requests`, in storage order; ids are 64-bit content hashes, missing numbers NULL. */
export const REQUEST_COLUMNS = [
  'source',
  'line',
  'part',
  'ts',
  'duration_us',
  'client',
  'session_token',
  'target',
  'operation',
  'signal',
  'request_bytes',
  'response_bytes',
  'retry_after_ms',
  'attempts',
  'arguments_hash',
  'correlation',
] as const;
export type RequestColumn = (typeof REQUEST_COLUMNS)[number];

export const REJECT_REASONS = [
  'bad_time',
  'bad_status',
  'bad_json',
  'bad_fields',
  'truncated',
  'line_too_long',
  'unpaired',
] as const;
/** Why a line that looks like a record of its format was not understood. */
export type RejectReason = (typeof REJECT_REASONS)[number];

/** A line that looked like a record and was not understood. The excerpt is raw log text: every output escapes it. */
export interface Reject {
  source: string;
  line: number;
  reason: RejectReason;
  excerpt: string;
}

/** Names of the log formats, in detection order (most specific first); `formats/index.ts` is a record over this list. */
export const FORMAT_NAMES = [
  'tagged',
  'supergateway',
  'mcp-remote',
  'claude-desktop',
  'vscode',
  'mcp-transcript',
  'caddy',
  'agentgateway',
  'gcp-load-balancer',
  'azure-front-door',
  'azure-application-gateway',
  'azure-apim-mcp',
  'fastly',
  'vercel',
  'traefik',
  'apisix',
  'kong',
  'tyk',
  'contextforge',
  'litellm',
  'fastmcp',
  'docker-mcp-gateway',
  'pino-http',
  'istio',
  'envoy',
  'aws-api-gateway',
  'cloudflare',
  'envoy-ai-gateway',
  'cloudfront',
  'tomcat',
  'har',
  'otlp',
  'json',
  'aws-alb',
  'aws-elb',
  'ingress-nginx',
  'nginx-proxy-manager',
  'haproxy',
  'chi',
  'morgan',
  'hono',
  'httpx',
  'aiohttp',
  'hypercorn',
  'w3c',
  'combined',
  'uvicorn',
] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** Whether a target is part of the contract. */
export type Declared = 'declared' | 'undeclared' | 'unknown';

/** A target together with what the contract and the protocols say of it; one row of table `targets`. */
export interface Target extends LineTarget {
  protocol: 'mcp' | 'a2a' | 'oauth' | 'http' | 'unknown';
  declared: Declared;
  /** What `declared` rests on. */
  declared_by: 'document' | 'inferred' | 'none';
  /** The path matched a declared template with a variable part (a missing record, not a missing route). */
  is_template: boolean;
  /** A loaded tools/list names the tool of this `tools/call`. */
  is_tool_declared: boolean;
  /** `authority path` of the MCP endpoint this target belongs to; null if it belongs to none. */
  endpoint: string | null;
  probe_role: ProbeRole;
  /** Position in the ordered family of its role, from 0; 0 for roles without an order. */
  probe_step: number;
  /** The lift that a good answer of this target gives. */
  gives: Lift;
  /** Shares a token with a declared path or the protocols' words (mcp, sse, rpc, a2a …): a guess rather than a scan. */
  is_protocol_shaped: boolean;
  /** Foreign-stack enumeration (`/wp-login.php`, `/.env`). */
  is_scanner: boolean;
}

export const TARGET_COLUMNS = [
  'authority',
  'http_method',
  'path',
  'rpc_method',
  'rpc_name',
  'protocol',
  'declared',
  'declared_by',
  'is_template',
  'is_tool_declared',
  'endpoint',
  'probe_role',
  'probe_step',
  'gives',
  'is_protocol_shaped',
  'is_scanner',
] as const satisfies readonly (keyof Target)[];

/** What the rule table says of one (target, signal) pair; one row of table `verdicts`. */
export interface Verdict {
  kind: Kind;
  /** Id of the rule that fired. */
  reason: string;
  advice: Advice;
  confidence: Confidence;
  memory_family: MemoryFamily;
  /** Which lift of another operation ends the memory. */
  lifted_by: Lift;
  /** Refusals that must have started before a repeat is held: 1, or 2. */
  need: 1 | 2;
}

/** How every line of one input was accounted for: records + rejects + other + parts + duplicates = lines. */
export interface SourceCounts {
  name: string;
  format: string;
  bytes: number;
  lines: number;
  /** Lines that begin at least one request. */
  records: number;
  rejects: number;
  other: number;
  /** Further pieces of a record that spans lines, second halves of pairs. */
  parts: number;
  duplicates: number;
}
