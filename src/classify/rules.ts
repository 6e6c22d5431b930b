// The rule table: ordered, first match wins, data only. A new rule is one entry; its id is the reason stored with each request.
import type { Kind, Signal, Target } from '../record.ts';
import type { Consequences } from './kinds.ts';

/** What rules may ask about: the signal, the target, and three facts that follow from the target. */
export interface Facts
  extends
    Omit<Signal, 'last_event_id' | 'resource_metadata' | 'is_stream'>,
    Pick<
      Target,
      'http_method' | 'rpc_method' | 'protocol' | 'declared' | 'declared_by' | 'is_template' | 'is_tool_declared' | 'probe_role'
    > {
  /** The line names an HTTP method or an RPC method; without either it is no request. */
  has_method: boolean;
  /** The target belongs to an MCP endpoint. */
  is_endpoint: boolean;
  /** The target is a place where discovery documents are sought. */
  is_discovery: boolean;
}

type Scalar = string | number | boolean | null;

/** An inclusive range of numbers. */
export interface Range {
  from: number;
  to: number;
}

/** A value, a range, or a list of which one must fit. */
export type Match = Scalar | Range | readonly (Scalar | Range)[];

export interface Rule extends Partial<Consequences> {
  /** Stored as `reason`. */
  readonly id: string;
  readonly kind: Kind;
  /** Every named fact must fit. */
  readonly when: { readonly [F in keyof Facts]?: Match };
  /** What the answer says, in one phrase. */
  readonly says: string;
  /** Where that is written. */
  readonly source: string;
}

const SERVER_ERROR = { from: 500, to: 599 };
const CLIENT_ERROR = { from: 400, to: 499 };
const SUCCESS = { from: 200, to: 299 };
/** Where a JSON-RPC error travels inside a success, or without any status as over stdio. */
const IN_BAND = [null, SUCCESS];
const LEGACY = [null, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', 'other'];
const MODERN = '2026-07-28';

/** Two-letter termination states: who ended the session, then in which phase. */
const haproxy = (who: string, phases: string) =>
  [...who].flatMap((first) => [...phases].map((phase) => `haproxy_${first}${phase}`));
const envoy = (...flags: string[]) => flags.map((flag) => `envoy_${flag}`);
const ANY_PHASE = 'RQCHDLT-';

export const RULES: readonly Rule[] = [
  {
    id: 'not_a_request',
    kind: 'noise',
    when: { has_method: false },
    says: 'the line holds no parseable request',
    source: 'RFC 9112 3',
  },

  // Gateway markers: what the gateway says of the exchange comes before the status it chose.
  {
    id: 'injected_fault',
    kind: 'ambiguous',
    when: { marker: envoy('fi') },
    says: 'the gateway injected this answer as a fault test',
    source: 'Envoy response flags FI',
  },
  {
    id: 'client_aborted',
    kind: 'client_gone',
    when: { marker: haproxy('Cc', 'QCHDLT') },
    says: 'the client left or fell silent before the exchange ended',
    source: 'HAProxy 8.5 C, c',
  },
  {
    id: 'client_disconnected',
    kind: 'client_gone',
    when: { marker: envoy('dc', 'dr'), status: null },
    says: 'the client disconnected before a response began',
    source: 'Envoy response flags DC, DR',
  },
  {
    id: 'client_closed_request',
    kind: 'client_gone',
    when: { status: [499, 460] },
    says: 'the client closed the connection before response headers were sent',
    source: 'nginx ngx_http_request.h 499, AWS ALB 460',
  },
  {
    id: 'incomplete_request',
    kind: 'noise',
    when: { marker: haproxy('Cc', 'R') },
    says: 'the connection ended before a whole request had come: a port probe or a speculative connect',
    source: 'HAProxy 8.5 CR, cR',
  },
  {
    id: 'protocol_error',
    kind: 'noise',
    when: { marker: envoy('dpe') },
    says: 'what the client sent is not HTTP',
    source: 'Envoy response flags DPE',
  },
  {
    id: 'too_many_requests',
    kind: 'throttled',
    when: { status: 429 },
    says: 'too many requests, whatever the body says',
    source: 'RFC 6585 4',
  },
  {
    id: 'gateway_overload',
    kind: 'throttled',
    when: { marker: [...envoy('uo', 'om', 'do', 'udo', 'rl'), 'haproxy_sQ', 'cloudflare_1015'] },
    says: 'the gateway shed load or applied a rate limit',
    source: 'Envoy response flags UO, OM, DO, UDO, RL; HAProxy 8.5 sQ; Cloudflare 1015',
  },
  {
    id: 'gateway_limiter_failed',
    kind: 'transient',
    when: { marker: envoy('rlse') },
    says: 'the rate limiter itself failed',
    source: 'Envoy response flags RLSE',
  },
  {
    id: 'gateway_authorization_denied',
    kind: 'auth',
    when: { marker: envoy('uaex') },
    advice: 'ABSTAIN',
    says: 'the external authorization service denied the request',
    source: 'Envoy response flags UAEX',
  },
  {
    id: 'gateway_policy',
    kind: 'policy_refused',
    when: {
      marker: ['cloudflare_1006', 'cloudflare_1007', 'cloudflare_1008', 'cloudflare_1009', 'cloudflare_1010', 'cloudflare_1020'],
    },
    says: 'a firewall or access rule refused the request',
    source: 'Cloudflare 1006-1010, 1020',
  },
  {
    id: 'gateway_deny_rule',
    kind: 'policy_refused',
    when: { marker: 'haproxy_PR', status: 403 },
    says: 'a deny rule of the gateway refused the request',
    source: 'HAProxy 8.5 PR',
  },
  {
    id: 'gateway_tarpit',
    kind: 'policy_refused',
    when: { marker: 'haproxy_PT' },
    says: 'the gateway held the request back on purpose; the 500 is part of the trap',
    source: 'HAProxy 8.5 PT',
  },
  {
    id: 'gateway_bad_request',
    kind: 'semantic',
    when: { marker: 'haproxy_PR', status: 400 },
    says: 'the request does not parse',
    source: 'HAProxy 8.5 PR',
  },
  {
    id: 'gateway_invalid_header',
    kind: 'semantic',
    when: { marker: envoy('ih') },
    says: 'a header has an invalid value',
    source: 'Envoy response flags IH',
  },
  {
    id: 'gateway_no_route_undeclared',
    kind: 'interface_not_declared',
    when: { marker: envoy('nr'), declared: 'undeclared' },
    says: 'no route leads to this path, and the contract does not list it',
    source: 'Envoy response flags NR',
  },
  {
    id: 'gateway_no_route',
    kind: 'transient',
    when: { marker: envoy('nr') },
    confidence: 'inferred',
    says: 'no route leads to a path that is not known to be outside the contract: a rollout or a missing route',
    source: 'Envoy response flags NR',
  },
  {
    id: 'gateway_fault',
    kind: 'transient',
    when: {
      marker: [
        ...envoy('uh', 'uf', 'uc', 'ur', 'urx', 'lr', 'ut', 'umsdr', 'upe', 'nc', 'df', 'lh', 'dt', 'si', 'nfcf'),
        ...haproxy('Ss', 'CDH'),
        'haproxy_PH',
        'haproxy_PC',
        'haproxy_RC',
        ...haproxy('IDUK', ANY_PHASE),
      ],
    },
    says: 'the gateway could not reach or hear out the server behind it',
    source: 'Envoy response flags; HAProxy 8.5 S, s, P, R, I, D, U, K',
  },

  // gRPC: a status that is present wins over the HTTP one.
  {
    id: 'grpc_exhausted',
    kind: 'throttled',
    when: { grpc_status: 8 },
    says: 'RESOURCE_EXHAUSTED',
    source: 'gRPC statuscodes 8',
  },
  {
    id: 'grpc_unavailable',
    kind: 'transient',
    when: { grpc_status: [14, 4] },
    says: 'UNAVAILABLE or DEADLINE_EXCEEDED; after a deadline the call may have run',
    source: 'gRPC statuscodes 14, 4',
  },
  {
    id: 'grpc_unimplemented',
    kind: 'protocol_not_supported',
    when: { grpc_status: 12 },
    says: 'UNIMPLEMENTED',
    source: 'gRPC statuscodes 12',
  },
  {
    id: 'grpc_unauthenticated',
    kind: 'auth',
    when: { grpc_status: 16 },
    says: 'UNAUTHENTICATED',
    source: 'gRPC statuscodes 16',
  },
  {
    id: 'grpc_permission_denied',
    kind: 'auth',
    when: { grpc_status: 7 },
    advice: 'ABSTAIN',
    says: 'PERMISSION_DENIED',
    source: 'gRPC statuscodes 7',
  },
  {
    id: 'grpc_rejected',
    kind: 'semantic',
    when: { grpc_status: [3, 5, 6, 9, 11] },
    says: 'INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION or OUT_OF_RANGE',
    source: 'gRPC statuscodes 3, 5, 6, 9, 11',
  },
  {
    id: 'grpc_aborted',
    kind: 'corrective',
    when: { grpc_status: 10 },
    says: 'ABORTED: retry the whole transaction, not this call',
    source: 'gRPC statuscodes 10',
  },
  {
    id: 'grpc_cancelled',
    kind: 'client_gone',
    when: { grpc_status: 1 },
    says: 'CANCELLED, usually by the caller',
    source: 'gRPC statuscodes 1',
  },
  {
    id: 'grpc_internal',
    kind: 'ambiguous',
    when: { grpc_status: { from: 1, to: 99 } },
    says: 'INTERNAL, UNKNOWN, DATA_LOSS or a code that gRPC does not define',
    source: 'gRPC statuscodes 2, 13, 15',
  },

  // Throttles that do not come as 429.
  {
    id: 'rpc_rate_limited',
    kind: 'throttled',
    when: { rpc_code: [-32010, -32023, -32029] },
    says: 'a JSON-RPC code that servers use for rate limits',
    source: 'A2A 0.1 -32010, MCP SEP-3304 -32023, vendors -32029',
  },
  {
    id: 'throttle_wording',
    kind: 'throttled',
    when: { wording: 'throttle', status: { from: 400, to: 599 } },
    confidence: 'inferred',
    says: 'the error text speaks of a rate limit or a quota',
    source: 'draft-ietf-httpapi-ratelimit-headers',
  },
  {
    id: 'throttle_wording_in_band',
    kind: 'throttled',
    when: { wording: 'throttle', rpc_outcome: 'error' },
    confidence: 'inferred',
    says: 'a JSON-RPC error that speaks of a rate limit or a quota',
    source: 'MCP servers in the field: -32000 "rate limit exceeded" inside 200',
  },
  {
    id: 'throttle_wording_in_tool',
    kind: 'throttled',
    when: { wording: 'throttle', tool_error: 'yes' },
    confidence: 'inferred',
    says: 'a tool that failed on a rate limit',
    source: 'MCP servers in the field: throttles in tool results',
  },
  {
    id: 'unavailable_with_wait',
    kind: 'throttled',
    when: { status: 503, retry_after: 'yes' },
    says: 'unavailable, and when to come back',
    source: 'RFC 9110 15.6.4, 10.2.3',
  },
  {
    id: 'too_large_for_now',
    kind: 'throttled',
    when: { status: 413, retry_after: 'yes' },
    says: 'too large at this moment, and when to come back',
    source: 'RFC 9110 15.5.14',
  },

  // Credentials.
  {
    id: 'unauthorized',
    kind: 'auth',
    when: { status: [401, 407] },
    says: 'credentials are missing or were refused',
    source: 'RFC 9110 15.5.2, 15.5.8',
  },
  {
    id: 'payment_challenge',
    kind: 'auth',
    when: { status: 402, challenge: 'payment' },
    says: 'a payment that a machine can make is asked for',
    source: 'RFC 9110 15.5.3',
  },
  {
    id: 'payment_required',
    kind: 'policy_refused',
    when: { status: 402 },
    says: 'only paying clients are served',
    source: 'RFC 9110 15.5.3',
  },
  {
    id: 'insufficient_scope',
    kind: 'auth',
    when: { status: 403, challenge: ['scope', 'token'] },
    says: 'the token lacks a scope that the challenge names',
    source: 'MCP 2026-07-28 authorization',
  },
  {
    id: 'network_authentication_required',
    kind: 'auth',
    when: { status: 511 },
    says: 'a captive portal wants a login',
    source: 'RFC 6585 6',
  },
  {
    id: 'identity_provider_error',
    kind: 'auth',
    when: { status: 561 },
    says: 'the identity provider answered with an error',
    source: 'AWS ALB 561',
  },

  // Server errors speak about the moment whatever code they carry, but for those that state a capability.
  {
    id: 'not_implemented',
    kind: 'protocol_not_supported',
    when: { status: [501, 505, 506, 510] },
    says: 'the server lacks the functionality',
    source: 'RFC 9110 15.6.2, 15.6.6; RFC 2295 8.1; RFC 2774 7',
  },
  {
    id: 'loop_detected',
    kind: 'protocol_not_supported',
    when: { status: 508 },
    says: 'the resource leads back to itself',
    source: 'RFC 5842 7.2',
  },
  {
    id: 'agent_answer_invalid',
    kind: 'ambiguous',
    when: { protocol: 'a2a', rpc_code: -32006, protocol_version: [null, '0.2', '0.3', '1.0', 'other'] },
    says: 'the agent broke the protocol; it looks like a gateway fault and is the agent’s own bug',
    source: 'A2A 1.0 InvalidAgentResponseError',
  },
  {
    id: 'origin_tls_broken',
    kind: 'transient',
    when: { status: [525, 526] },
    says: 'the TLS of the server behind the gateway is broken; repeats rarely help soon',
    source: 'Cloudflare 525, 526',
  },
  {
    id: 'origin_unreachable',
    kind: 'transient',
    when: { status: [520, 521, 522, 523, 524, 530] },
    says: 'the gateway could not get an answer from the server behind it',
    source: 'Cloudflare 520-524, 530',
  },
  {
    id: 'gateway_error',
    kind: 'transient',
    when: { status: [502, 503, 504] },
    says: 'the service or the server behind the gateway did not answer',
    source: 'RFC 9110 15.6.3-15.6.5',
  },
  {
    id: 'server_error',
    kind: 'transient',
    when: { status: SERVER_ERROR },
    confidence: 'inferred',
    says: 'the server failed; an unknown 5xx counts as 500',
    source: 'RFC 9110 15, 15.6.1',
  },
  {
    id: 'invalid_status',
    kind: 'ambiguous',
    when: { status: { from: 600, to: Infinity } },
    says: 'a status outside 100 to 599',
    source: 'RFC 9110 15',
  },

  // What the error text says of session, version and origin.
  {
    id: 'session_wording',
    kind: 'corrective',
    when: { wording: 'session', status: CLIENT_ERROR },
    confidence: 'inferred',
    lifted_by: 'handshake',
    need: 1,
    says: 'the error text says that the session is missing or gone: initialize again',
    source: 'MCP 2025-11-25 transports, session management',
  },
  {
    id: 'session_wording_in_band',
    kind: 'corrective',
    when: { wording: 'session', status: IN_BAND, rpc_outcome: 'error' },
    confidence: 'inferred',
    lifted_by: 'handshake',
    need: 1,
    says: 'a JSON-RPC error that says the session is missing or gone: initialize again',
    source: 'MCP 2025-11-25 transports, session management',
  },
  {
    id: 'origin_wording',
    kind: 'policy_refused',
    when: { wording: 'origin', status: CLIENT_ERROR },
    says: 'the Origin or Host of the request is not allowed',
    source: 'MCP 2026-07-28 transport, security',
  },
  {
    id: 'origin_refused',
    kind: 'policy_refused',
    when: { status: 403, has_origin: 'yes', is_endpoint: true, rpc_code: [null, -32000, -32600] },
    confidence: 'inferred',
    says: 'a request with an Origin was refused at an MCP endpoint, as servers must for origins they do not allow',
    source: 'MCP 2026-07-28 transport, security',
  },
  {
    id: 'transport_refused',
    kind: 'policy_refused',
    when: { status: 403, rpc_code: [-32000, -32600] },
    confidence: 'inferred',
    says: 'the transport refused the request before any method ran: Origin, Host or a firewall',
    source: 'MCP TypeScript SDK streamableHttp',
  },
  {
    id: 'version_wording',
    kind: 'corrective',
    when: { wording: 'version', status: [null, SUCCESS, CLIENT_ERROR], rpc_outcome: ['error', 'unknown'] },
    confidence: 'inferred',
    says: 'the error text says that the protocol version does not fit: use one that both speak',
    source: 'MCP 2026-07-28 versioning',
  },

  // The moment, as stated by the client-error statuses.
  {
    id: 'request_timeout',
    kind: 'transient',
    when: { status: 408 },
    says: 'the request did not arrive in time; it may be sent again',
    source: 'RFC 9110 15.5.9',
  },
  {
    id: 'too_early',
    kind: 'transient',
    when: { status: 425 },
    says: 'the server does not risk early data; send again after the handshake',
    source: 'RFC 8470 5.2',
  },

  // A 405 speaks of one HTTP method at one path, whatever code it carries.
  {
    id: 'discovery_method_not_allowed',
    kind: 'protocol_not_supported',
    when: { status: 405, is_discovery: true },
    lifted_by: 'none',
    says: 'a place for discovery documents does not take this method',
    source: 'RFC 9110 15.5.6, RFC 8615',
  },
  {
    id: 'method_disabled',
    kind: 'ambiguous',
    when: { status: 405, allow: 'empty', rpc_code: null },
    says: 'no method at all is allowed now: the resource may be disabled for a while',
    source: 'RFC 9110 10.2.1',
  },
  {
    id: 'method_not_allowed_bare',
    kind: 'protocol_not_supported',
    when: { status: 405, allow: 'absent' },
    confidence: 'inferred',
    says: 'the path does not take this HTTP method, but the answer lacks the Allow header it must have',
    source: 'RFC 9110 15.5.6',
  },
  {
    id: 'method_not_allowed',
    kind: 'protocol_not_supported',
    when: { status: 405 },
    says: 'the path does not take this HTTP method; another one may be right',
    source: 'RFC 9110 15.5.6',
  },

  // 404 where a session may have died, or where the documents rule the path out.
  {
    id: 'path_undeclared',
    kind: 'interface_not_declared',
    when: { status: 404, rpc_code: null, declared: 'undeclared', declared_by: 'document', is_discovery: false },
    says: 'the path is not part of the contract',
    source: 'RFC 9110 15.5.5',
  },
  {
    id: 'session_unknown',
    kind: 'corrective',
    when: { status: 404, is_endpoint: true, rpc_method: null, has_session: 'yes', protocol_version: LEGACY },
    lifted_by: 'handshake',
    need: 1,
    says: 'the session that the request names is gone: initialize again without it',
    source: 'MCP 2025-11-25 transports, session management',
  },
  {
    id: 'session_unknown_by_status',
    kind: 'corrective',
    when: { status: 404, is_endpoint: true, rpc_code: null, has_session: 'yes', protocol_version: LEGACY },
    confidence: 'status_only',
    lifted_by: 'handshake',
    need: 1,
    says: 'a request that names a session met 404 at the endpoint: the session is gone, unless an unlogged code says otherwise',
    source: 'MCP 2025-11-25 transports, session management',
  },
  {
    id: 'session_unknown_by_code',
    kind: 'corrective',
    when: {
      status: 404,
      protocol: ['mcp', 'unknown', 'http'],
      rpc_code: [-32001, -32600],
      has_session: ['yes', 'unknown'],
      protocol_version: LEGACY,
    },
    lifted_by: 'handshake',
    need: 1,
    says: 'the code that SDKs give for a session they do not know: initialize again',
    source: 'MCP TypeScript SDK -32001, MCP Python SDK -32600',
  },

  // JSON-RPC: the method.
  {
    id: 'task_mode_wording',
    kind: 'corrective',
    when: { rpc_code: -32601, wording: 'task_mode' },
    says: 'the tool must be called as a task',
    source: 'MCP 2025-11-25 tasks',
  },
  {
    id: 'task_mode_required',
    kind: 'corrective',
    when: { rpc_code: -32601, rpc_method: 'tools/call', is_tool_declared: true },
    confidence: 'inferred',
    says: 'method not found for a tool that tools/list declares: it must be called as a task',
    source: 'MCP 2025-11-25 tasks',
  },
  {
    id: 'agent_method_not_found',
    kind: 'protocol_not_supported',
    when: { rpc_code: -32601, protocol: 'a2a' },
    says: 'the agent does not know this RPC method, perhaps because it speaks another A2A version',
    source: 'JSON-RPC 2.0 5.1, A2A 1.0 9.5',
  },
  {
    id: 'method_not_found',
    kind: 'protocol_not_supported',
    when: { rpc_code: -32601 },
    lifted_by: 'rpc_read',
    says: 'the interface does not have this RPC method',
    source: 'JSON-RPC 2.0 5.1, MCP 2026-07-28 transport',
  },
  {
    id: 'method_not_in_schema',
    kind: 'protocol_not_supported',
    when: { rpc_code: -32602, status: IN_BAND, rpc_method: ['server/discover', 'subscriptions/listen'] },
    confidence: 'inferred',
    lifted_by: 'rpc_read',
    says: 'a server of an earlier revision that answers unknown methods with invalid params',
    source: 'MCP Python SDK 1.x shared/session.py',
  },
  {
    id: 'handshake_version',
    kind: 'corrective',
    when: { rpc_code: -32602, rpc_method: 'initialize' },
    confidence: 'inferred',
    says: 'the handshake names a protocol version that the server does not speak',
    source: 'MCP 2025-11-25 lifecycle, version negotiation',
  },
  {
    id: 'invalid_params',
    kind: 'semantic',
    when: { rpc_code: -32602 },
    says: 'the parameters, or the tool, prompt, resource or cursor they name, are not valid',
    source: 'JSON-RPC 2.0 5.1, MCP 2026-07-28 tools, resources',
  },

  // JSON-RPC: codes that MCP defines or once defined.
  {
    id: 'header_mismatch',
    kind: 'corrective',
    when: { rpc_code: -32020 },
    says: 'a header is missing or disagrees with the body',
    source: 'MCP 2026-07-28 transport HeaderMismatch',
  },
  {
    id: 'client_capability_missing',
    kind: 'corrective',
    when: { rpc_code: -32021 },
    says: 'the client must declare a capability first',
    source: 'MCP 2026-07-28 MissingRequiredClientCapability',
  },
  {
    id: 'version_unsupported',
    kind: 'corrective',
    when: { rpc_code: -32022 },
    says: 'the protocol version is not supported; the answer lists those that are',
    source: 'MCP 2026-07-28 UnsupportedProtocolVersion',
  },
  {
    id: 'prerelease_header_or_version',
    kind: 'corrective',
    when: { rpc_code: [-32001, -32003, -32004], status: 400, protocol: ['mcp', 'unknown', 'http'], protocol_version: MODERN },
    confidence: 'inferred',
    says: 'the number that pre-release servers used for a header, capability or version fault',
    source: 'MCP 2026-07-28 changelog 12',
  },
  {
    id: 'elicitation_required',
    kind: 'corrective',
    when: { rpc_code: -32042 },
    says: 'the user must visit a URL first',
    source: 'MCP 2025-11-25 elicitation',
  },
  {
    id: 'request_cancelled',
    kind: 'client_gone',
    when: { rpc_code: -32800 },
    says: 'the request was cancelled',
    source: 'LSP 3.17 RequestCancelled',
  },

  // JSON-RPC: codes that A2A defines, by version.
  {
    id: 'agent_task_rejected',
    kind: 'semantic',
    when: { protocol: 'a2a', rpc_code: [-32001, -32002] },
    says: 'the task does not exist, or is over and cannot be cancelled',
    source: 'A2A 1.0 TaskNotFoundError, TaskNotCancelableError',
  },
  {
    id: 'agent_capability_absent',
    kind: 'protocol_not_supported',
    when: { protocol: 'a2a', rpc_code: [-32003, -32004] },
    says: 'the agent does not offer push notifications, or this operation',
    source: 'A2A 1.0 PushNotificationNotSupportedError, UnsupportedOperationError',
  },
  {
    id: 'agent_content_type',
    kind: 'corrective',
    when: { protocol: 'a2a', rpc_code: -32005 },
    says: 'the agent does not take this media type',
    source: 'A2A 1.0 ContentTypeNotSupportedError',
  },
  {
    id: 'agent_streaming_absent',
    kind: 'protocol_not_supported',
    when: { protocol: 'a2a', rpc_code: -32006, protocol_version: '0.1' },
    says: 'the agent does not stream',
    source: 'A2A 0.1 StreamingNotSupported',
  },
  {
    id: 'agent_authentication',
    kind: 'auth',
    when: { protocol: 'a2a', rpc_code: [-32007, -32008], protocol_version: '0.1' },
    says: 'the agent wants other credentials',
    source: 'A2A 0.1 AuthenticationRequired, AuthorizationFailed',
  },
  {
    id: 'agent_task_state',
    kind: 'semantic',
    when: { protocol: 'a2a', rpc_code: -32009, protocol_version: '0.1' },
    says: 'the task is not in a state that permits this',
    source: 'A2A 0.1 InvalidTaskState',
  },
  {
    id: 'agent_resource_unavailable',
    kind: 'transient',
    when: { protocol: 'a2a', rpc_code: -32011, protocol_version: '0.1' },
    says: 'the agent lacks a resource right now',
    source: 'A2A 0.1 ResourceUnavailable',
  },
  {
    id: 'agent_card_absent',
    kind: 'protocol_not_supported',
    when: { protocol: 'a2a', rpc_code: -32007, protocol_version: [null, '0.3', '1.0', 'other'] },
    says: 'the agent has no extended card',
    source: 'A2A 1.0 ExtendedAgentCardNotConfiguredError',
  },
  {
    id: 'agent_extension_or_version',
    kind: 'corrective',
    when: { protocol: 'a2a', rpc_code: [-32008, -32009], protocol_version: [null, '1.0', 'other'] },
    says: 'the call must declare an extension, or use a version that the agent speaks',
    source: 'A2A 1.0 ExtensionSupportRequiredError, VersionNotSupportedError',
  },

  // Statuses that say more than the general codes that ride on them.
  {
    id: 'not_acceptable',
    kind: 'corrective',
    when: { status: 406 },
    says: 'the Accept header must name what the server sends',
    source: 'RFC 9110 15.5.7',
  },
  {
    id: 'conflict',
    kind: 'corrective',
    when: { status: 409 },
    says: 'the request conflicts with the state of the resource; at an MCP endpoint a stream is already open',
    source: 'RFC 9110 15.5.10',
  },
  {
    id: 'precondition',
    kind: 'corrective',
    when: { status: [411, 412, 416, 417, 428] },
    says: 'a header or precondition is missing or does not hold',
    source: 'RFC 9110 15.5.12, 15.5.13, 15.5.17, 15.5.18; RFC 6585 3',
  },
  {
    id: 'unsupported_media_type',
    kind: 'corrective',
    when: { status: 415 },
    says: 'the body’s media type is not taken',
    source: 'RFC 9110 15.5.16',
  },
  {
    id: 'misdirected_request',
    kind: 'corrective',
    when: { status: 421 },
    says: 'the server does not answer for this host on this connection',
    source: 'RFC 9110 15.5.20',
  },
  {
    id: 'upgrade_required',
    kind: 'corrective',
    when: { status: [426, 464, 497] },
    says: 'another version of the protocol, or TLS, must be used',
    source: 'RFC 9110 15.5.22, AWS ALB 464, nginx 497',
  },
  {
    id: 'too_large',
    kind: 'semantic',
    when: { status: [413, 414, 431, 494, 463] },
    says: 'the body, the URL or the headers are too large',
    source: 'RFC 9110 15.5.14, 15.5.15; RFC 6585 5; nginx 494; AWS ALB 463',
  },
  {
    id: 'unprocessable',
    kind: 'semantic',
    when: { status: 422 },
    says: 'the content is well-formed and was rejected',
    source: 'RFC 9110 15.5.21',
  },
  {
    id: 'discovery_gone',
    kind: 'interface_not_declared',
    when: { status: 410, is_discovery: true },
    lifted_by: 'none',
    says: 'a discovery document that once was here is gone',
    source: 'RFC 9110 15.5.11, RFC 8615',
  },
  {
    id: 'gone',
    kind: 'interface_not_declared',
    when: { status: 410 },
    says: 'the target was removed, most likely for good',
    source: 'RFC 9110 15.5.11',
  },

  // JSON-RPC: general codes.
  {
    id: 'parse_error',
    kind: 'semantic',
    when: { rpc_code: -32700 },
    says: 'the body is not valid JSON',
    source: 'JSON-RPC 2.0 5.1',
  },
  {
    id: 'invalid_request',
    kind: 'semantic',
    when: { rpc_code: -32600 },
    says: 'the body is not a JSON-RPC request',
    source: 'JSON-RPC 2.0 5.1',
  },
  {
    id: 'internal_error',
    kind: 'ambiguous',
    when: { rpc_code: [-32603, 0] },
    says: 'the handler failed in a way that says neither contract nor moment',
    source: 'JSON-RPC 2.0 5.1; MCP Python SDK 1.x and Go SDK code 0',
  },
  {
    id: 'unspecified_bad_request',
    kind: 'corrective',
    when: { rpc_code: -32000, status: 400, is_endpoint: true },
    confidence: 'inferred',
    says: 'the transport refused the request: session, version or header',
    source: 'MCP TypeScript SDK streamableHttp',
  },
  {
    id: 'client_local_timeout',
    kind: 'ambiguous',
    when: { rpc_code: [-32001, 408], status: null },
    says: 'a code that client libraries make up when no answer comes',
    source: 'MCP TypeScript SDK types, MCP Python SDK 1.x',
  },
  {
    id: 'resource_not_found',
    kind: 'semantic',
    when: { rpc_code: -32002 },
    says: 'the resource does not exist',
    source: 'MCP 2025-11-25 resources',
  },
  {
    id: 'not_found_code',
    kind: 'semantic',
    when: { rpc_code: -32001, protocol: 'mcp' },
    confidence: 'inferred',
    says: 'what was named does not exist',
    source: 'FastMCP error_handling',
  },
  {
    id: 'unspecified_error',
    kind: 'ambiguous',
    when: { rpc_code: -32000, status: IN_BAND },
    says: 'a server-defined code without a portable meaning',
    source: 'MCP 2026-07-28 error codes',
  },
  {
    id: 'reserved_code',
    kind: 'ambiguous',
    when: { rpc_code: { from: -32768, to: -32001 } },
    says: 'a code from the reserved range that no protocol here defines',
    source: 'JSON-RPC 2.0 5.1',
  },
  {
    id: 'application_code',
    kind: 'semantic',
    when: {
      rpc_code: [
        { from: -Infinity, to: -32769 },
        { from: -31999, to: Infinity },
      ],
    },
    says: 'an error that the application defines',
    source: 'JSON-RPC 2.0 5.1',
  },

  // 404 by what the contract says of the path.
  {
    id: 'discovery_absent',
    kind: 'interface_not_declared',
    when: { status: 404, is_discovery: true },
    lifted_by: 'none',
    says: 'no discovery document here; the next place may have it',
    source: 'RFC 8615',
  },
  {
    id: 'path_unanswered',
    kind: 'interface_not_declared',
    when: { status: 404, declared: 'undeclared' },
    confidence: 'inferred',
    says: 'the path never answered anyone, while others of its host did',
    source: 'RFC 9110 15.5.5',
  },
  {
    id: 'endpoint_not_found',
    kind: 'ambiguous',
    when: { status: 404, is_endpoint: true },
    confidence: 'status_only',
    says: 'unknown method, dead session or missing route: only the JSON-RPC code, which is not logged, could tell',
    source: 'MCP 2026-07-28 transport',
  },
  {
    id: 'record_not_found',
    kind: 'semantic',
    when: { status: 404, declared: 'declared', is_template: true },
    says: 'the path is right and the record it names does not exist',
    source: 'RFC 9110 15.5.5',
  },
  {
    id: 'declared_path_not_found',
    kind: 'ambiguous',
    when: { status: 404, declared: 'declared' },
    says: 'a path of the contract is missing: a rollout, or a contract that is out of date',
    source: 'RFC 9110 15.5.5',
  },
  {
    id: 'path_not_found',
    kind: 'ambiguous',
    when: { status: 404 },
    advice: 'FETCH_DISCOVERY',
    says: 'whether the path is part of the contract is not known: read the discovery document first',
    source: 'RFC 9110 15.5.5',
  },

  // Other client errors.
  {
    id: 'endpoint_bad_request',
    kind: 'ambiguous',
    when: { status: 400, is_endpoint: true },
    confidence: 'status_only',
    says: 'session, version, header or body: only the JSON-RPC code, which is not logged, could tell',
    source: 'MCP 2026-07-28 transport',
  },
  {
    id: 'registration_rejected',
    kind: 'corrective',
    when: { status: 400, probe_role: 'register' },
    says: 'the registration was rejected as it is; it may be adjusted and sent once more',
    source: 'MCP 2026-07-28 client registration, RFC 7591 3.2.2',
  },
  {
    id: 'bad_request',
    kind: 'semantic',
    when: { status: 400 },
    says: 'the request is malformed or was rejected',
    source: 'RFC 9110 15.5.1',
  },
  {
    id: 'client_certificate_missing',
    kind: 'auth',
    when: { status: 496 },
    says: 'a client certificate is asked for',
    source: 'nginx ngx_http_request.h 496',
  },
  {
    id: 'forbidden',
    kind: 'auth',
    when: { status: [403, 495] },
    advice: 'ABSTAIN',
    says: 'these credentials do not permit it',
    source: 'RFC 9110 15.5.4, nginx 495',
  },
  {
    id: 'unavailable_for_legal_reasons',
    kind: 'policy_refused',
    when: { status: 451 },
    says: 'refused on legal grounds',
    source: 'RFC 7725 3',
  },
  {
    id: 'closed_without_answer',
    kind: 'policy_refused',
    when: { status: 444 },
    says: 'the server closed the connection on purpose',
    source: 'nginx ngx_http_request.h 444',
  },
  {
    id: 'client_error',
    kind: 'ambiguous',
    when: { status: CLIENT_ERROR },
    says: 'a client error without a settled meaning here',
    source: 'RFC 9110 15.5, RFC 4918 11',
  },

  // Errors inside a success, and successes.
  {
    id: 'tool_error',
    kind: 'semantic',
    when: { tool_error: 'yes' },
    says: 'the tool ran and failed; changed arguments may work',
    source: 'MCP 2026-07-28 tools, error handling',
  },
  {
    id: 'unnamed_rpc_error',
    kind: 'ambiguous',
    when: { rpc_outcome: 'error', status: IN_BAND },
    says: 'a JSON-RPC error whose code is not logged',
    source: 'JSON-RPC 2.0 5.1',
  },
  {
    id: 'input_required',
    kind: 'ok',
    when: { input_required: 'yes', status: IN_BAND },
    advice: 'FOLLOW_UP',
    says: 'a success that asks for the same call again with answers attached',
    source: 'MCP 2026-07-28 multi-round-trip requests',
  },
  {
    id: 'accepted',
    kind: 'ok',
    when: { status: 202 },
    says: 'accepted; an answer, if any, comes elsewhere',
    source: 'RFC 9110 15.3.3, MCP 2025-11-25 transports',
  },
  {
    id: 'success_by_status',
    kind: 'ok',
    when: { status: SUCCESS, is_endpoint: true, rpc_outcome: 'unknown' },
    confidence: 'status_only',
    says: 'answered; a JSON-RPC error inside would not show in this log',
    source: 'RFC 9110 15.3',
  },
  {
    id: 'success',
    kind: 'ok',
    when: { status: SUCCESS },
    says: 'answered',
    source: 'RFC 9110 15.3',
  },
  {
    id: 'not_modified',
    kind: 'ok',
    when: { status: 304 },
    says: 'what the client holds is still right',
    source: 'RFC 9110 15.4.5',
  },
  {
    id: 'redirected_post',
    kind: 'ambiguous',
    when: { status: [301, 302], http_method: 'POST' },
    says: 'a redirect that may turn the POST into a GET',
    source: 'RFC 9110 15.4.2, 15.4.3',
  },
  {
    id: 'redirect',
    kind: 'ok',
    when: { status: { from: 300, to: 399 } },
    says: 'the target is elsewhere',
    source: 'RFC 9110 15.4',
  },
  {
    id: 'interim',
    kind: 'ok',
    when: { status: { from: 100, to: 199 } },
    says: 'an interim response or a switch of protocol',
    source: 'RFC 9110 15.2',
  },
  {
    id: 'result',
    kind: 'ok',
    when: { status: null, rpc_outcome: 'result' },
    says: 'answered with a result over a transport without statuses',
    source: 'JSON-RPC 2.0 5',
  },
  {
    id: 'grpc_ok',
    kind: 'ok',
    when: { status: null, grpc_status: 0 },
    says: 'OK',
    source: 'gRPC statuscodes 0',
  },
  {
    id: 'no_answer',
    kind: 'ambiguous',
    when: { marker: 'no_answer' },
    says: 'the gateway set no status: the connection ended before an answer',
    source: 'nginx ngx_http_log_module.c 000, AWS ALB -',
  },
  {
    id: 'no_status',
    kind: 'ambiguous',
    when: {},
    says: 'no status is logged',
    source: 'RFC 9110 15',
  },
];
