import { describe, expect, test } from 'vitest';
import {
  MAX_RETRIES,
  ProtocolRefusalGate,
  RefusalClassificationError,
  RefusalKind,
  RetryBudgetExhaustedError,
  UndeclaredInterfaceError,
  type ResponseSignal,
} from '../../src/gate/index.ts';
import { outcome, SeedGate } from '../support/seed-gate.ts';

const signal = (status: number | null, rpcCode: number | null = null, interfaceDeclared = true): ResponseSignal => ({
  status,
  rpcCode,
  interfaceDeclared,
});

const fail = (gate: ProtocolRefusalGate, key = 'key') => outcome(() => gate.decide(key, signal(503)));

describe('every row of the essay on authoritative refusals', () => {
  test.each([
    ['server/discover answered method not found', 200, -32601, true, 'protocol_not_supported', 'ROUTE_ELSEWHERE_OR_ABSTAIN'],
    ['the same over stdio, where no status exists', null, -32601, true, 'protocol_not_supported', 'ROUTE_ELSEWHERE_OR_ABSTAIN'],
    ['POST /mcp/mcp outside the card', 404, null, false, 'interface_not_declared', 'ROUTE_ELSEWHERE_OR_ABSTAIN'],
    ['GET /mcp on a declared path', 405, null, true, 'protocol_not_supported', 'ROUTE_ELSEWHERE_OR_ABSTAIN'],
    ['405 carrying method not found', 405, -32601, true, 'protocol_not_supported', 'ROUTE_ELSEWHERE_OR_ABSTAIN'],
    ['invalid params under 200', 200, -32602, true, 'ambiguous', 'ABSTAIN'],
    ['404 on a declared path', 404, null, true, 'ambiguous', 'ABSTAIN'],
    ['429', 429, null, true, 'throttled', 'RETRY_WITH_BACKOFF'],
    ['500', 500, null, true, 'transient', 'RETRY_WITH_BACKOFF'],
    ['503 from an interface that was not read', 503, null, false, 'transient', 'RETRY_WITH_BACKOFF'],
    ['429 from an interface that was not read', 429, null, false, 'throttled', 'RETRY_WITH_BACKOFF'],
    ['a timeout', 504, null, true, 'transient', 'RETRY_WITH_BACKOFF'],
    ['a timeout that the server states', 408, null, true, 'transient', 'RETRY_WITH_BACKOFF'],
    ['anything else', 409, null, true, 'ambiguous', 'ABSTAIN'],
  ])('%s', (_, status, rpcCode, declared, kind, decision) => {
    const gate = new ProtocolRefusalGate();
    expect(gate.classify(signal(status, rpcCode, declared))).toBe(kind);
    expect(gate.decide('key', signal(status, rpcCode, declared))).toBe(decision);
  });

  test.each([
    ['-32601', 200, -32601],
    ['-32601 under 404', 404, -32601],
    ['405', 405, null],
  ])('%s from an interface that was not read asks for the discovery document', (_, status, rpcCode) => {
    const gate = new ProtocolRefusalGate();
    expect(() => gate.classify(signal(status, rpcCode, false))).toThrow(UndeclaredInterfaceError);
    expect(() => gate.decide('key', signal(status, rpcCode, false))).toThrow(
      expect.objectContaining({ name: 'UndeclaredInterfaceError', decision: 'FETCH_DISCOVERY' }),
    );
  });

  test.each([null, 0, -1])('status %s without a code cannot be classified', (status) => {
    expect(() => new ProtocolRefusalGate().classify(signal(status))).toThrow(RefusalClassificationError);
  });
});

describe('every row of the resilient client table', () => {
  test.each([
    ['429 rate_limited on the REST surface', 429, null, true, 'throttled'],
    ['429 with -32603 on /mcp', 429, -32603, true, 'throttled'],
    ['404 not_found for a wrong reference', 404, null, true, 'ambiguous'],
    ['422', 422, null, true, 'ambiguous'],
    ['403 with -32600, Origin refused', 403, -32600, true, 'ambiguous'],
    ['405 on GET or DELETE /mcp', 405, null, true, 'protocol_not_supported'],
    ['413', 413, null, true, 'ambiguous'],
    ['400 with -32700', 400, -32700, true, 'ambiguous'],
    ['400 with -32020', 400, -32020, true, 'ambiguous'],
    ['404 with -32601', 404, -32601, true, 'protocol_not_supported'],
    ['200 with isError', 200, null, true, 'ambiguous'],
    ['5xx', 502, null, true, 'transient'],
    ['5xx with an RPC code', 503, -32603, true, 'transient'],
  ])('%s', (_, status, rpcCode, declared, kind) => {
    const gate = new ProtocolRefusalGate();
    expect(gate.classify(signal(status, rpcCode, declared))).toBe(kind);
    const retries = kind === 'throttled' || kind === 'transient';
    expect(gate.decide('key', signal(status, rpcCode, declared)) === 'RETRY_WITH_BACKOFF').toBe(retries);
  });
});

describe('the retry budget', () => {
  test('lets a key retry three times; the fourth failure and every one after it exhaust', () => {
    const gate = new ProtocolRefusalGate();
    expect(Array.from({ length: 6 }, () => fail(gate))).toEqual([
      ...Array<string>(MAX_RETRIES).fill('RETRY_WITH_BACKOFF'),
      ...Array<string>(3).fill('RetryBudgetExhaustedError'),
    ]);
  });

  test('is one for throttled and transient answers together, and one per key', () => {
    const gate = new ProtocolRefusalGate();
    const answers = [signal(503), signal(429), signal(500), signal(429)];
    expect(answers.map((answer) => outcome(() => gate.decide('a', answer))).at(-1)).toBe('RetryBudgetExhaustedError');
    expect(fail(gate, 'b')).toBe('RETRY_WITH_BACKOFF');
  });

  test('is refilled by a success and by nothing else', () => {
    const gate = new ProtocolRefusalGate();
    for (let i = 0; i < 3; i++) fail(gate);
    for (const other of [signal(404, null, false), signal(405), signal(400), signal(200)]) gate.decide('key', other);
    expect(fail(gate)).toBe('RetryBudgetExhaustedError');
    gate.succeed('key');
    expect(fail(gate)).toBe('RETRY_WITH_BACKOFF');
  });

  test('is forgotten for the key whose failure is oldest when there are too many keys', () => {
    const gate = new ProtocolRefusalGate({ maxKeys: 2 });
    for (const key of ['a', 'a', 'a', 'b', 'b', 'b']) fail(gate, key);
    expect(fail(gate, 'a')).toBe('RetryBudgetExhaustedError');
    expect(fail(gate, 'c')).toBe('RETRY_WITH_BACKOFF');
    expect(fail(gate, 'a')).toBe('RetryBudgetExhaustedError');
    expect(fail(gate, 'b')).toBe('RETRY_WITH_BACKOFF');
  });

  test('names the key it refuses', () => {
    const gate = new ProtocolRefusalGate();
    for (let i = 0; i < 3; i++) fail(gate, 'POST /mcp');
    const error = new RetryBudgetExhaustedError('POST /mcp', MAX_RETRIES);
    expect(() => gate.decide('POST /mcp', signal(503))).toThrow(error);
    expect(error).toMatchObject({ key: 'POST /mcp', decision: 'ABSTAIN' });
  });
});

test('the kinds are these five words', () => {
  expect(Object.values(RefusalKind)).toEqual([
    'protocol_not_supported',
    'interface_not_declared',
    'transient',
    'throttled',
    'ambiguous',
  ]);
});

/** Where the gate and the essay's own code part, by the number of the disagreement in the protocol notes. */
const DIFFERENCES = [
  {
    reason: 'D5, D19: the moment (429, 5xx) is tested before the RPC code',
    differs: ({ status, rpcCode }: ResponseSignal) =>
      rpcCode === -32601 && (status === 429 || status === 408 || (status! >= 500 && status! < 600)),
  },
  {
    reason: 'D3, D18: a timeout that the server states as 408 is a timeout',
    differs: ({ status }: ResponseSignal) => status === 408,
  },
];

describe('against a literal port of the essay’s code', () => {
  const statuses = [0, ...Array.from({ length: 700 }, (_, i) => i + 100)];
  const codes = [null, 0, -32700, -32600, -32601, -32602, -32603, -32000, -32001, -32020, -32029, 1];

  test('classify differs exactly where a reason is given', () => {
    const gate = new ProtocolRefusalGate();
    const seed = new SeedGate();
    const unlisted: unknown[] = [];
    const used = new Set<string>();
    for (const status of statuses) {
      for (const rpcCode of codes) {
        for (const declared of [true, false]) {
          const ours = signal(status, rpcCode, declared);
          const same =
            outcome(() => gate.classify(ours)) ===
            outcome(() => seed.classify({ status, rpc_code: rpcCode, interface_declared: declared }));
          const reason = DIFFERENCES.find(({ differs }) => differs(ours))?.reason;
          if (reason !== undefined && !same) used.add(reason);
          if (same !== (reason === undefined)) unlisted.push(ours);
        }
      }
    }
    expect(unlisted).toEqual([]);
    expect([...used].toSorted()).toEqual(DIFFERENCES.map(({ reason }) => reason).toSorted());
  });

  test.each([
    ['a refusal between failures', [503, 503, 503, 400, 503], 'RETRY_WITH_BACKOFF', 'RetryBudgetExhaustedError'],
    ['D21: a 200 that nobody called a success', [503, 503, 503, 200, 503], 'RETRY_WITH_BACKOFF', 'RetryBudgetExhaustedError'],
    ['D17: four attempts in all', [503, 503, 503, 503], 'RetryBudgetExhaustedError', 'RetryBudgetExhaustedError'],
  ])('decide after %s', (_, answers, essay, ours) => {
    const gate = new ProtocolRefusalGate();
    const seed = new SeedGate();
    const last = (decide: (status: number) => string) => answers.map((status) => outcome(() => decide(status))).at(-1);
    expect(last((status) => seed.decide('key', { status, rpc_code: null, interface_declared: true }))).toBe(essay);
    expect(last((status) => gate.decide('key', signal(status)))).toBe(ours);
  });
});
