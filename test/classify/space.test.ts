// Walks the signal space: every status with every code, target and session, and every other fact next to each status and code.
import { expect, test } from 'vitest';
import { allRules, classify, explain } from '../../src/classify/index.ts';
import { findRule, fits } from '../../src/classify/classify.ts';
import { RULES } from '../../src/classify/rules.ts';
import { PROTOCOL_VERSIONS, type Kind, type Signal, type Target } from '../../src/record.ts';
import { signal, TARGETS } from './cases.ts';

const upTo = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const STATUSES = [
  null,
  100,
  101,
  ...upTo(200, 206),
  ...upTo(300, 308),
  ...upTo(400, 431),
  444,
  449,
  451,
  460,
  463,
  464,
  ...upTo(494, 530),
  561,
  599,
  600,
];
const CODES = [null, -32700, ...upTo(-32603, -32600), ...upTo(-32029, -32000), -32042, -32800, -32500, 0, 408, 7];
const FACTS: { [F in keyof Signal]?: readonly Signal[F][] } = {
  rpc_outcome: ['result', 'error'],
  grpc_status: Array.from({ length: 18 }, (_, i) => i),
  protocol_version: PROTOCOL_VERSIONS,
  marker: [
    ...RULES.flatMap(({ when }) => (when.marker === undefined ? [] : ([when.marker].flat() as Signal['marker'][]))),
    'envoy_rfcf',
    'haproxy_--',
  ],
  tool_error: ['yes', 'no'],
  input_required: ['yes'],
  wording: ['throttle', 'session', 'version', 'origin', 'task_mode', 'none'],
  has_origin: ['yes', 'no'],
  allow: ['methods', 'empty', 'absent'],
  challenge: ['token', 'scope', 'payment', 'absent'],
  retry_after: ['yes'],
};
const POSTED: Target[] = ['initialize', 'server/discover', 'tools/call'].map((rpc_method) =>
  Object.assign({}, TARGETS.mcp, { rpc_method }),
);
const ALL_TARGETS: Target[] = [
  ...Object.values(TARGETS),
  ...POSTED,
  { ...TARGETS.mcp, rpc_method: 'tools/call', is_tool_declared: true },
  { ...TARGETS.mcp, http_method: 'GET' },
  { ...TARGETS.plain, http_method: null },
];

function* signals(): Generator<Signal> {
  for (const status of STATUSES) {
    for (const rpc_code of CODES) {
      for (const has_session of ['yes', 'no', 'unknown'] as const) yield signal({ status, rpc_code, has_session });
      if (rpc_code !== null && status !== null && ![200, 400, 404, 502].includes(status)) continue;
      for (const [fact, values] of Object.entries(FACTS)) {
        if (rpc_code !== null && fact === 'marker') continue;
        for (const value of values) yield signal({ status, rpc_code, [fact]: value });
      }
      yield signal({ status, rpc_code, rpc_outcome: 'error', wording: 'throttle' });
      yield signal({ status, rpc_code, rpc_outcome: 'error', wording: 'session' });
      yield signal({ status, rpc_code, has_session: 'yes', protocol_version: '2026-07-28' });
      yield signal({ status, rpc_code, tool_error: 'yes', wording: 'throttle' });
    }
  }
}

function* space(): Generator<[Target, Signal]> {
  for (const answer of signals()) {
    for (const target of ALL_TARGETS) yield [target, answer];
  }
}

/** Every fact a rule may ask about, worked out without the evaluator's help. */
const factsOf = (target: Target, answer: Signal): Record<string, unknown> => ({
  ...target,
  ...answer,
  has_method: target.http_method !== null || target.rpc_method !== null,
  is_endpoint: target.endpoint !== null,
  is_discovery: target.probe_role === 'card' || target.probe_role === 'resource_metadata',
});

test('every answer meets exactly one rule, every rule is met, and the counts per kind stand', { timeout: 60_000 }, () => {
  const kinds: Partial<Record<Kind, number>> = {};
  const met = new Set<string>();
  for (const [target, answer] of space()) {
    const { kind, reason } = classify(target, answer);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    met.add(reason);
  }
  expect(RULES.map(({ id }) => id).filter((id) => !met.has(id))).toEqual([]);
  expect(kinds).toMatchInlineSnapshot(`
    {
      "ambiguous": 120186,
      "auth": 23081,
      "client_gone": 36429,
      "corrective": 59051,
      "interface_not_declared": 2976,
      "noise": 42294,
      "ok": 11888,
      "policy_refused": 16323,
      "protocol_not_supported": 25705,
      "semantic": 61969,
      "throttled": 53792,
      "transient": 187784,
    }
  `);
});

test('the narrowed search finds what the first fitting rule of the whole table gives', () => {
  let n = 0;
  for (const [target, answer] of space()) {
    if (n++ % 31 !== 0) continue;
    const known = factsOf(target, answer);
    const first = RULES.find(({ when }) => Object.entries(when).every(([fact, match]) => fits(match, known[fact])));
    expect(findRule(target, answer)).toBe(first);
  }
});

test('rules have one id each, words and a source, and only the last fits everything', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  for (const { id, says, source } of RULES) {
    expect(id).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(says).toMatch(/^[A-Za-z4].*[^.]$/);
    expect(source).toMatch(/\w{3}/);
  }
  expect(RULES.filter(({ when }) => Object.keys(when).length === 0).map(({ id }) => id)).toEqual([RULES.at(-1)!.id]);
});

test('a rule is explained with its source, and the table lists all rules in order', () => {
  expect(explain(TARGETS.mcp, signal({ status: 404, rpc_code: -32601 }))).toEqual({
    order: RULES.findIndex(({ id }) => id === 'method_not_found') + 1,
    kind: 'protocol_not_supported',
    reason: 'method_not_found',
    advice: 'ROUTE_ELSEWHERE_OR_ABSTAIN',
    confidence: 'certain',
    memory_family: 'authoritative',
    lifted_by: 'rpc_read',
    need: 1,
    when: 'rpc code -32601',
    says: 'the interface does not have this RPC method',
    source: 'JSON-RPC 2.0 5.1, MCP 2026-07-28 transport',
  });
  expect(allRules().map(({ reason }) => reason)).toEqual(RULES.map(({ id }) => id));
  expect(allRules().find(({ reason }) => reason === 'session_unknown')?.when).toBe(
    'status 404, is endpoint yes, rpc method none, has session yes, ' +
      'protocol version none or 2024-11-05 or 2025-03-26 or 2025-06-18 or 2025-11-25 or other',
  );
  expect(allRules().at(-1)).toMatchObject({ reason: 'no_status', when: 'anything else' });
});
