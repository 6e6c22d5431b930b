import { describe, expect, test } from 'vitest';
import { answeredWell, classify } from '../../src/classify/index.ts';
import type { Kind, Signal, Target } from '../../src/record.ts';
import { signal, TARGETS, type TargetWord } from './cases.ts';

type Case = [situation: string, target: TargetWord, facts: Partial<Signal>, kind: Kind, reason?: string, more?: Partial<Target>];

function check(cases: Case[]): void {
  test.each(cases)('%s (%s, %o) is %s', (_, word, facts, kind, reason, more) => {
    const verdict = classify({ ...TARGETS[word], ...more }, signal(facts));
    expect(verdict).toMatchObject(reason === undefined ? { kind } : { kind, reason });
  });
}

const modern = { protocol_version: '2026-07-28' } as const;

const v = (protocol_version: '0.1' | '0.2' | '0.3' | '1.0') => ({ protocol_version });

const statuses = (list: number[], kind: Kind): Case[] => list.map((status) => [`${status}`, 'plain', { status }, kind]);

const markers = (list: string, status: number | null, kind: Kind): Case[] =>
  list.split(' ').map((marker) => [marker, 'plain', { status, marker: marker as Signal['marker'] & string }, kind]);

const codes = (list: number[], kind: Kind): Case[] =>
  list.map((code) => [`${code}`, 'a2a', { status: 200, grpc_status: code }, kind]);

describe('MCP situations', () => {
  check([
    ['unknown RPC method, legacy', 'mcp', { status: 200, rpc_code: -32601 }, 'protocol_not_supported', 'method_not_found'],
    ['unknown RPC method, modern', 'mcp', { status: 404, rpc_code: -32601, ...modern }, 'protocol_not_supported'],
    ['unknown RPC method over stdio', 'mcp', { rpc_code: -32601, rpc_outcome: 'error' }, 'protocol_not_supported'],
    ['unknown tool', 'mcp', { status: 200, rpc_code: -32602 }, 'semantic', 'invalid_params', { rpc_method: 'tools/call' }],
    ['unknown tool, modern Go', 'mcp', { status: 400, rpc_code: -32602, ...modern }, 'semantic'],
    ['tool ran and failed', 'mcp', { status: 200, rpc_outcome: 'result', tool_error: 'yes' }, 'semantic', 'tool_error'],
    ['resource missing, legacy', 'mcp', { status: 200, rpc_code: -32002 }, 'semantic', 'resource_not_found'],
    ['tool wants task mode, by wording', 'mcp', { status: 200, rpc_code: -32601, wording: 'task_mode' }, 'corrective'],
    [
      'tool wants task mode, since tools/list names it',
      'mcp',
      { status: 200, rpc_code: -32601 },
      'corrective',
      'task_mode_required',
      { rpc_method: 'tools/call', is_tool_declared: true },
    ],
    [
      'tools/call of a tool nobody declared',
      'mcp',
      { status: 200, rpc_code: -32601 },
      'protocol_not_supported',
      'method_not_found',
      { rpc_method: 'tools/call' },
    ],
    ['URL elicitation', 'mcp', { status: 200, rpc_code: -32042 }, 'corrective'],
    ['missing session id', 'mcp', { status: 400, rpc_code: -32000, wording: 'session' }, 'corrective', 'session_wording'],
    ['missing session id, text only', 'mcp', { status: 400, wording: 'session' }, 'corrective', 'session_wording'],
    ['dead session, status only', 'mcp', { status: 404, has_session: 'yes' }, 'corrective', 'session_unknown'],
    ['dead session, TypeScript', 'mcp', { status: 404, rpc_code: -32001 }, 'corrective', 'session_unknown_by_code'],
    ['dead session, Python', 'mcp', { status: 404, rpc_code: -32600, has_session: 'yes' }, 'corrective'],
    [
      'dead session even with -32601',
      'mcp',
      { status: 404, rpc_code: -32601, has_session: 'yes' },
      'corrective',
      'session_unknown',
    ],
    [
      'session wording even with -32601',
      'mcp',
      { status: 200, rpc_code: -32601, rpc_outcome: 'error', wording: 'session' },
      'corrective',
    ],
    [
      'unknown method whose name is logged, in a session',
      'mcp',
      { status: 404, rpc_code: -32601, has_session: 'yes' },
      'protocol_not_supported',
      'method_not_found',
      { rpc_method: 'foo/bar' },
    ],
    [
      'session header, method logged, no code',
      'mcp',
      { status: 404, has_session: 'yes' },
      'corrective',
      'session_unknown_by_status',
      { rpc_method: 'tools/list' },
    ],
    [
      'session header that a modern server ignores',
      'mcp',
      { status: 404, has_session: 'yes', ...modern },
      'ambiguous',
      'endpoint_not_found',
    ],
    [
      'session header on a path the documents rule out',
      'guess',
      { status: 404, has_session: 'yes' },
      'interface_not_declared',
      'path_undeclared',
    ],
    ['GET stream not offered', 'mcp', { status: 405 }, 'protocol_not_supported', 'method_not_allowed', { http_method: 'GET' }],
    [
      'DELETE not allowed',
      'mcp',
      { status: 405, rpc_code: -32000 },
      'protocol_not_supported',
      'method_not_allowed',
      { http_method: 'DELETE' },
    ],
    ['POST answered 405 with -32601', 'mcp', { status: 405, rpc_code: -32601 }, 'protocol_not_supported', 'method_not_allowed'],
    ['wrong Accept', 'mcp', { status: 406, rpc_code: -32600 }, 'corrective', 'not_acceptable'],
    ['wrong Content-Type', 'mcp', { status: 415, rpc_code: -32000 }, 'corrective', 'unsupported_media_type'],
    ['Origin refused, TypeScript', 'mcp', { status: 403, rpc_code: -32000 }, 'policy_refused', 'transport_refused'],
    ['Origin refused, essay', 'mcp', { status: 403, rpc_code: -32600 }, 'policy_refused'],
    ['Origin refused, header seen', 'mcp', { status: 403, has_origin: 'yes' }, 'policy_refused', 'origin_refused'],
    ['Host refused, Python', 'mcp', { status: 421, wording: 'origin' }, 'policy_refused', 'origin_wording'],
    ['body too large', 'mcp', { status: 413 }, 'semantic', 'too_large'],
    ['header mismatch', 'mcp', { status: 400, rpc_code: -32020, ...modern }, 'corrective', 'header_mismatch'],
    ['version unsupported', 'mcp', { status: 400, rpc_code: -32022, ...modern }, 'corrective', 'version_unsupported'],
    ['version unsupported, legacy text', 'mcp', { status: 400, wording: 'version' }, 'corrective', 'version_wording'],
    [
      'version negotiation by handshake',
      'mcp',
      { status: 200, rpc_outcome: 'result' },
      'ok',
      'success',
      { rpc_method: 'initialize' },
    ],
    [
      'handshake refused for its version',
      'mcp',
      { status: 200, rpc_code: -32602 },
      'corrective',
      'handshake_version',
      { rpc_method: 'initialize' },
    ],
    ['client capability missing', 'mcp', { status: 400, rpc_code: -32021 }, 'corrective', 'client_capability_missing'],
    ['no token', 'mcp', { status: 401, challenge: 'token' }, 'auth', 'unauthorized'],
    ['insufficient scope', 'mcp', { status: 403, challenge: 'scope', has_origin: 'yes' }, 'auth', 'insufficient_scope'],
    ['rate limited', 'mcp', { status: 429 }, 'throttled', 'too_many_requests'],
    ['answered, status only', 'mcp', { status: 200 }, 'ok', 'success_by_status'],
    ['notification accepted', 'mcp', { status: 202 }, 'ok', 'accepted'],
    ['more input wanted', 'mcp', { status: 200, rpc_outcome: 'result', input_required: 'yes' }, 'ok', 'input_required'],
    [
      'Python 1.x on an era-absent method',
      'mcp',
      { status: 200, rpc_code: -32602 },
      'protocol_not_supported',
      'method_not_in_schema',
      { rpc_method: 'server/discover' },
    ],
    [
      'a modern server that misses _meta',
      'mcp',
      { status: 400, rpc_code: -32602 },
      'semantic',
      'invalid_params',
      { rpc_method: 'server/discover' },
    ],
    [
      'pre-release header mismatch',
      'mcp',
      { status: 400, rpc_code: -32001, ...modern },
      'corrective',
      'prerelease_header_or_version',
    ],
    ['404 without any evidence', 'mcp', { status: 404 }, 'ambiguous', 'endpoint_not_found'],
    ['400 without a code', 'mcp', { status: 400 }, 'ambiguous', 'endpoint_bad_request'],
    ['400 to a client registration', 'registration', { status: 400 }, 'corrective', 'registration_rejected'],
    ['400 without a code, modern header', 'mcp', { status: 400, ...modern }, 'ambiguous', 'endpoint_bad_request'],
    ['second GET stream', 'mcp', { status: 409, rpc_code: -32000 }, 'corrective', 'conflict', { http_method: 'GET' }],
    ['an error whose code is not logged', 'mcp', { status: 200, rpc_outcome: 'error' }, 'ambiguous', 'unnamed_rpc_error'],
  ]);
});

describe('JSON-RPC codes', () => {
  check([
    ['parse error', 'mcp', { status: 400, rpc_code: -32700 }, 'semantic', 'parse_error'],
    ['invalid request', 'mcp', { status: 400, rpc_code: -32600 }, 'semantic', 'invalid_request'],
    ['invalid request with session wording', 'mcp', { status: 400, rpc_code: -32600, wording: 'session' }, 'corrective'],
    ['internal error', 'mcp', { status: 200, rpc_code: -32603 }, 'ambiguous', 'internal_error'],
    [
      'internal error that is a throttle',
      'mcp',
      { status: 200, rpc_code: -32603, rpc_outcome: 'error', wording: 'throttle' },
      'throttled',
    ],
    ['internal error under 429', 'mcp', { status: 429, rpc_code: -32603 }, 'throttled', 'too_many_requests'],
    ['internal error under 500', 'mcp', { status: 500, rpc_code: -32603 }, 'transient', 'server_error'],
    ['-32000 under 200', 'mcp', { status: 200, rpc_code: -32000 }, 'ambiguous', 'unspecified_error'],
    ['-32000 under 400', 'mcp', { status: 400, rpc_code: -32000 }, 'corrective', 'unspecified_bad_request'],
    [
      '-32000 with throttle wording',
      'mcp',
      { status: 200, rpc_code: -32000, rpc_outcome: 'error', wording: 'throttle' },
      'throttled',
    ],
    ['-32001 of A2A', 'a2a', { status: 200, rpc_code: -32001 }, 'semantic', 'agent_task_rejected'],
    ['-32001 of FastMCP', 'mcp', { status: 200, rpc_code: -32001 }, 'semantic', 'not_found_code'],
    ['-32001 of a client library', 'mcp', { rpc_code: -32001, rpc_outcome: 'error' }, 'ambiguous', 'client_local_timeout'],
    ['-32003 without a protocol to read it by', 'mcp', { status: 200, rpc_code: -32003 }, 'ambiguous', 'reserved_code'],
    ['-32010', 'mcp', { status: 200, rpc_code: -32010 }, 'throttled', 'rpc_rate_limited'],
    ['-32029', 'mcp', { status: 200, rpc_code: -32029 }, 'throttled', 'rpc_rate_limited'],
    ['-32023', 'mcp', { status: 200, rpc_code: -32023 }, 'throttled', 'rpc_rate_limited'],
    ['-32800', 'mcp', { status: 200, rpc_code: -32800 }, 'client_gone', 'request_cancelled'],
    ['0', 'mcp', { status: 200, rpc_code: 0 }, 'ambiguous', 'internal_error'],
    ['another reserved code', 'mcp', { status: 200, rpc_code: -32500 }, 'ambiguous', 'reserved_code'],
    ['an application code', 'mcp', { status: 200, rpc_code: 4711 }, 'semantic', 'application_code'],
    ['a code just outside the reserved range', 'mcp', { status: 200, rpc_code: -31999 }, 'semantic', 'application_code'],
  ]);
});

describe('A2A codes by version', () => {
  check([
    ['task not found', 'a2a', { status: 200, rpc_code: -32001, ...v('1.0') }, 'semantic'],
    ['task not cancelable', 'a2a', { status: 200, rpc_code: -32002 }, 'semantic'],
    ['push not supported', 'a2a', { status: 200, rpc_code: -32003 }, 'protocol_not_supported', 'agent_capability_absent'],
    ['unsupported operation', 'a2a', { status: 400, rpc_code: -32004 }, 'protocol_not_supported'],
    ['content type', 'a2a', { status: 200, rpc_code: -32005 }, 'corrective', 'agent_content_type'],
    ['invalid agent response', 'a2a', { status: 200, rpc_code: -32006, ...v('1.0') }, 'ambiguous', 'agent_answer_invalid'],
    ['invalid agent response under 502', 'a2a', { status: 502, rpc_code: -32006 }, 'ambiguous', 'agent_answer_invalid'],
    ['streaming not supported, 0.1', 'a2a', { status: 200, rpc_code: -32006, ...v('0.1') }, 'protocol_not_supported'],
    ['no extended card', 'a2a', { status: 200, rpc_code: -32007, ...v('0.3') }, 'protocol_not_supported', 'agent_card_absent'],
    ['authentication required, 0.1', 'a2a', { status: 200, rpc_code: -32007, ...v('0.1') }, 'auth', 'agent_authentication'],
    ['-32007 in 0.2, which ends at -32006', 'a2a', { status: 200, rpc_code: -32007, ...v('0.2') }, 'ambiguous', 'reserved_code'],
    ['extension required', 'a2a', { status: 200, rpc_code: -32008, ...v('1.0') }, 'corrective'],
    ['authorization failed, 0.1', 'a2a', { status: 200, rpc_code: -32008, ...v('0.1') }, 'auth'],
    ['version not supported', 'a2a', { status: 200, rpc_code: -32009 }, 'corrective', 'agent_extension_or_version'],
    ['invalid task state, 0.1', 'a2a', { status: 200, rpc_code: -32009, ...v('0.1') }, 'semantic'],
    ['rate limit, 0.1', 'a2a', { status: 200, rpc_code: -32010, ...v('0.1') }, 'throttled'],
    ['resource unavailable, 0.1', 'a2a', { status: 200, rpc_code: -32011, ...v('0.1') }, 'transient'],
    ['method of another version', 'a2a', { status: 200, rpc_code: -32601 }, 'protocol_not_supported', 'agent_method_not_found'],
  ]);
});

describe('HTTP statuses', () => {
  check([
    ...statuses([200, 201, 204, 206], 'ok'),
    ...statuses([100, 101, 103, 202, 303, 304, 307, 308], 'ok'),
    ...statuses([401, 407, 511, 561, 496, 403, 495], 'auth'),
    ...statuses([402, 444, 451], 'policy_refused'),
    ...statuses([405, 501, 505, 506, 508, 510], 'protocol_not_supported'),
    ...statuses([410], 'interface_not_declared'),
    ...statuses([406, 409, 411, 412, 415, 416, 417, 421, 426, 428, 464, 497], 'corrective'),
    ...statuses([400, 413, 414, 422, 431, 463, 494], 'semantic'),
    ...statuses([408, 425, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524, 525, 526, 530, 599], 'transient'),
    ...statuses([460, 499], 'client_gone'),
    ...statuses([404, 418, 423, 424, 449, 600, 999], 'ambiguous'),
    ['402 that a machine can pay', 'plain', { status: 402, challenge: 'payment' }, 'auth'],
    ['413 with a wait', 'plain', { status: 413, retry_after: 'yes' }, 'throttled'],
    ['503 with a wait', 'plain', { status: 503, retry_after: 'yes' }, 'throttled', 'unavailable_with_wait'],
    ['403 that is a quota', 'plain', { status: 403, wording: 'throttle' }, 'throttled'],
    ['405 with an empty Allow', 'plain', { status: 405, allow: 'empty' }, 'ambiguous', 'method_disabled'],
    ['405 without Allow', 'plain', { status: 405, allow: 'absent' }, 'protocol_not_supported', 'method_not_allowed_bare'],
    ['404 on an undeclared path', 'undeclared', { status: 404 }, 'interface_not_declared', 'path_undeclared'],
    ['404 on a path that never answered', 'unanswered', { status: 404 }, 'interface_not_declared', 'path_unanswered'],
    ['404 for a record', 'template', { status: 404 }, 'semantic', 'record_not_found'],
    ['404 on a declared path', 'declared', { status: 404 }, 'ambiguous', 'declared_path_not_found'],
    ['404 on an unknown path', 'plain', { status: 404 }, 'ambiguous', 'path_not_found'],
    ['404 for a card', 'card', { status: 404 }, 'interface_not_declared', 'discovery_absent'],
    [
      '404 for metadata under a loaded contract',
      'resource_metadata',
      { status: 404 },
      'interface_not_declared',
      'discovery_absent',
      { declared: 'undeclared', declared_by: 'document' },
    ],
    ['405 for a card', 'card', { status: 405 }, 'protocol_not_supported', 'discovery_method_not_allowed'],
    ['404 on a guessed endpoint', 'guess', { status: 404 }, 'interface_not_declared', 'path_undeclared'],
    ['POST moved', 'mcp', { status: 301 }, 'ambiguous', 'redirected_post'],
    ['GET moved', 'plain', { status: 301 }, 'ok', 'redirect'],
    ['POST moved and kept', 'mcp', { status: 308 }, 'ok', 'redirect'],
    ['501 with an RPC code', 'mcp', { status: 501, rpc_code: -32601 }, 'protocol_not_supported', 'not_implemented'],
    ['503 with -32601', 'mcp', { status: 503, rpc_code: -32601 }, 'transient', 'gateway_error'],
    ['429 with -32601', 'mcp', { status: 429, rpc_code: -32601 }, 'throttled'],
  ]);
});

describe('what the gateway says', () => {
  check([
    ...markers('envoy_dc envoy_dr', null, 'client_gone'),
    ...markers('envoy_dc', 200, 'ok'),
    ...markers('no_answer', null, 'ambiguous'),
    ...markers(
      'envoy_uh envoy_uf envoy_uc envoy_ur envoy_urx envoy_lr envoy_ut envoy_umsdr envoy_upe envoy_nc envoy_df',
      503,
      'transient',
    ),
    ...markers('envoy_lh envoy_dt envoy_si envoy_nfcf envoy_rlse', 504, 'transient'),
    ...markers('envoy_uo envoy_om envoy_do envoy_udo', 503, 'throttled'),
    ...markers('envoy_rl envoy_urx haproxy_PR', 429, 'throttled'),
    ...markers('envoy_uaex', 403, 'auth'),
    ...markers('envoy_ih', 400, 'semantic'),
    ...markers('envoy_dpe', 400, 'noise'),
    ...markers('envoy_fi', 503, 'ambiguous'),
    ...markers('envoy_di envoy_rfcf', 200, 'ok'),
    ...markers('haproxy_CC haproxy_CH haproxy_CQ haproxy_CD haproxy_cD haproxy_CL haproxy_CT', 400, 'client_gone'),
    ...markers('haproxy_CR haproxy_cR', 408, 'noise'),
    ...markers('haproxy_SC haproxy_SD haproxy_SH haproxy_sC haproxy_sD haproxy_sH', 503, 'transient'),
    ...markers('haproxy_sQ', 503, 'throttled'),
    ...markers('haproxy_PR', 403, 'policy_refused'),
    ...markers('haproxy_PR', 400, 'semantic'),
    ...markers('haproxy_PH', 502, 'transient'),
    ...markers('haproxy_PT', 500, 'policy_refused'),
    ...markers('haproxy_PC haproxy_RC haproxy_IH haproxy_D- haproxy_UD haproxy_KD', 500, 'transient'),
    ...markers('haproxy_LR haproxy_LH haproxy_LC', 200, 'ok'),
    ...markers('haproxy_LR', 405, 'protocol_not_supported'),
    ...markers('cloudflare_1015', 429, 'throttled'),
    ...markers('cloudflare_1020', 403, 'policy_refused'),
    ...markers('cloudflare_1016', 530, 'transient'),
    ['no route to an undeclared path', 'undeclared', { status: 404, marker: 'envoy_nr' }, 'interface_not_declared'],
    ['no route to a declared path', 'declared', { status: 404, marker: 'envoy_nr' }, 'transient'],
    ['no status at all', 'plain', {}, 'ambiguous', 'no_status'],
    ['a result without a status', 'mcp', { rpc_outcome: 'result' }, 'ok', 'result'],
    ['no method, whatever the status', 'plain', { status: 429 }, 'noise', 'not_a_request', { http_method: null }],
    [
      'no HTTP method but an RPC method',
      'mcp',
      { rpc_outcome: 'result' },
      'ok',
      'result',
      { http_method: null, rpc_method: 'ping' },
    ],
  ]);
});

describe('gRPC', () => {
  check([
    ...codes([0], 'ok'),
    ...codes([14, 4], 'transient'),
    ...codes([8], 'throttled'),
    ...codes([10], 'corrective'),
    ...codes([12], 'protocol_not_supported'),
    ...codes([3, 5, 6, 9, 11], 'semantic'),
    ...codes([16, 7], 'auth'),
    ...codes([1], 'client_gone'),
    ...codes([2, 13, 15, 17], 'ambiguous'),
    ['a grpc-status wins over the HTTP one', 'a2a', { status: 503, grpc_status: 12 }, 'protocol_not_supported'],
  ]);
});

describe('memory', () => {
  test.each([
    ['an RPC refusal is lifted by an RPC read', 'mcp', { status: 404, rpc_code: -32601 }, ['authoritative', 'rpc_read', 1]],
    ['an HTTP 405 never is', 'mcp', { status: 405, rpc_code: -32601 }, ['authoritative', 'document_read', 1]],
    [
      'an agent’s RPC refusal is lifted by its card',
      'a2a',
      { status: 200, rpc_code: -32601 },
      ['authoritative', 'document_read', 1],
    ],
    ['an undeclared path is lifted by a document', 'undeclared', { status: 404 }, ['authoritative', 'document_read', 1]],
    ['a well-known path is lifted by itself only', 'card', { status: 404 }, ['authoritative', 'none', 1]],
    ['a policy is lifted by nothing', 'plain', { status: 451 }, ['authoritative', 'none', 1]],
    ['semantic refusals are lifted by nothing', 'mcp', { status: 200, rpc_code: -32602 }, ['semantic', 'none', 1]],
    ['a dead session by a handshake', 'mcp', { status: 404, has_session: 'yes' }, ['corrective', 'handshake', 1]],
    ['another corrective one allows a first repeat', 'mcp', { status: 406 }, ['corrective', 'none', 2]],
    ['auth by a token, after a first repeat', 'plain', { status: 401 }, ['auth', 'token', 2]],
    ['scope by a token', 'plain', { status: 403, challenge: 'scope' }, ['auth', 'token', 2]],
    ['ambiguous by nothing', 'mcp', { status: 400 }, ['ambiguous', 'none', 1]],
    ['failures are not remembered', 'plain', { status: 503 }, ['none', 'none', 1]],
    ['nor throttles', 'plain', { status: 429 }, ['none', 'none', 1]],
  ] as const)('%s', (_, word, facts, memory) => {
    const { memory_family, lifted_by, need } = classify(TARGETS[word], signal(facts));
    expect([memory_family, lifted_by, need]).toEqual(memory);
  });
});

describe('advice and confidence', () => {
  test.each([
    ['plain', { status: 200 }, 'PROCEED', 'certain'],
    ['mcp', { status: 200 }, 'PROCEED', 'status_only'],
    ['plain', { status: 404 }, 'FETCH_DISCOVERY', 'certain'],
    ['undeclared', { status: 404 }, 'ROUTE_ELSEWHERE_OR_ABSTAIN', 'certain'],
    ['unanswered', { status: 404 }, 'ROUTE_ELSEWHERE_OR_ABSTAIN', 'inferred'],
    ['mcp', { status: 404 }, 'ABSTAIN', 'status_only'],
    ['plain', { status: 503 }, 'RETRY_WITH_BACKOFF', 'certain'],
    ['plain', { status: 429 }, 'RETRY_WITH_BACKOFF', 'certain'],
    ['plain', { status: 401 }, 'AUTHENTICATE', 'certain'],
    ['plain', { status: 403 }, 'ABSTAIN', 'certain'],
    ['mcp', { status: 404, has_session: 'yes' }, 'FOLLOW_UP', 'certain'],
  ] as const)('%s %o: %s, %s', (word, facts, advice, confidence) => {
    expect(classify(TARGETS[word], signal(facts))).toMatchObject({ advice, confidence });
  });
});

test.each([
  [{ status: 200 }, true],
  [{ status: 204 }, true],
  [{ status: 304 }, true],
  [{ status: 202 }, false],
  [{ status: 101 }, false],
  [{ status: 302 }, false],
  [{ rpc_outcome: 'result' }, true],
  [{ status: 200, rpc_code: -32602 }, false],
] as const)('%o was answered well: %s', (facts, well) => {
  const given = signal(facts);
  expect(answeredWell(classify(TARGETS.plain, given).kind, given)).toBe(well);
});
