// Where the essays, or their code, say something else than the rule table: the resolution chosen, one by one.
import { describe, expect, test } from 'vitest';
import { classify } from '../../src/classify/index.ts';
import type { Kind, Signal, Target } from '../../src/record.ts';
import { outcome, SeedGate } from '../support/seed-gate.ts';
import { signal, TARGETS, type TargetWord } from './cases.ts';

/** What a kind is in the essay's five words; none for what is no refusal there. */
const GATE_KIND: Record<Kind, string> = {
  ok: 'ambiguous',
  protocol_not_supported: 'protocol_not_supported',
  interface_not_declared: 'interface_not_declared',
  policy_refused: 'ambiguous',
  semantic: 'ambiguous',
  corrective: 'ambiguous',
  auth: 'ambiguous',
  throttled: 'throttled',
  transient: 'transient',
  client_gone: 'ambiguous',
  ambiguous: 'ambiguous',
  noise: 'ambiguous',
};

type Row = [
  number: string,
  why: string,
  target: TargetWord,
  facts: Partial<Signal>,
  read: boolean,
  essay: string,
  ours: Kind,
  more?: Partial<Target>,
];

const UNREAD = 'UndeclaredInterfaceError';
const NOTHING = 'RefusalClassificationError';

describe('the 22 disagreements, each with its resolution', () => {
  test.each<Row>([
    [
      'D1',
      'a read document that does not list the path',
      'undeclared',
      { status: 404 },
      true,
      'ambiguous',
      'interface_not_declared',
    ],
    ['D1', 'the same path refusing the method', 'undeclared', { status: 405 }, false, UNREAD, 'protocol_not_supported'],
    ['D2', 'an unread 404 is undecided', 'plain', { status: 404 }, false, 'interface_not_declared', 'ambiguous'],
    ['D2', 'an unread 405 describes itself', 'plain', { status: 405 }, false, UNREAD, 'protocol_not_supported'],
    ['D2', 'an unread -32601 too', 'mcp', { status: 200, rpc_code: -32601 }, false, UNREAD, 'protocol_not_supported'],
    ['D3', 'no status is undecided, not an exception', 'plain', {}, true, NOTHING, 'ambiguous'],
    ['D3', 'a timeout that is stated', 'plain', { status: 408 }, true, 'ambiguous', 'transient'],
    ['D4', 'invalid params are a kind of their own', 'mcp', { status: 200, rpc_code: -32602 }, true, 'ambiguous', 'semantic'],
    ['D5', '429 wins over -32603', 'mcp', { status: 429, rpc_code: -32603 }, true, 'throttled', 'throttled'],
    ['D5', '200 with -32603 is undecided', 'mcp', { status: 200, rpc_code: -32603 }, true, 'ambiguous', 'ambiguous'],
    ['D6', '404 at the endpoint without its code', 'mcp', { status: 404 }, true, 'ambiguous', 'ambiguous'],
    [
      'D6',
      '404 at the endpoint with its code',
      'mcp',
      { status: 404, rpc_code: -32601 },
      true,
      'protocol_not_supported',
      'protocol_not_supported',
    ],
    ['D7', 'a record that does not exist', 'template', { status: 404 }, true, 'ambiguous', 'semantic'],
    ['D8', 'a dead session means start over', 'mcp', { status: 404, has_session: 'yes' }, true, 'ambiguous', 'corrective'],
    [
      'D8',
      'a modern server has no sessions',
      'mcp',
      { status: 404, has_session: 'yes', protocol_version: '2026-07-28' },
      true,
      'ambiguous',
      'ambiguous',
    ],
    [
      'D9',
      'server/discover unknown',
      'mcp',
      { status: 200, rpc_code: -32601 },
      true,
      'protocol_not_supported',
      'protocol_not_supported',
      { rpc_method: 'server/discover' },
    ],
    [
      'D10',
      '405 with -32601 speaks of the HTTP method',
      'mcp',
      { status: 405, rpc_code: -32601 },
      true,
      'protocol_not_supported',
      'protocol_not_supported',
    ],
    ['D11', 'header mismatch has a follow-up', 'mcp', { status: 400, rpc_code: -32020 }, true, 'ambiguous', 'corrective'],
    ['D12', 'version and capability have one too', 'mcp', { status: 400, rpc_code: -32022 }, true, 'ambiguous', 'corrective'],
    ['D13', 'unknown tool as isError', 'mcp', { status: 200, tool_error: 'yes' }, true, 'ambiguous', 'semantic'],
    ['D13', 'unknown tool as 400', 'mcp', { status: 400, rpc_code: -32602 }, true, 'ambiguous', 'semantic'],
    ['D14', '501 states a capability', 'plain', { status: 501 }, true, 'transient', 'protocol_not_supported'],
    ['D14', '505 too', 'plain', { status: 505 }, true, 'transient', 'protocol_not_supported'],
    ['D15', '413 with Retry-After is temporary', 'plain', { status: 413, retry_after: 'yes' }, true, 'ambiguous', 'throttled'],
    ['D16', 'Origin refused under any code', 'mcp', { status: 403, rpc_code: -32000 }, true, 'ambiguous', 'policy_refused'],
    [
      'D16',
      '405 without Allow',
      'plain',
      { status: 405, allow: 'absent' },
      true,
      'protocol_not_supported',
      'protocol_not_supported',
    ],
    ['D17', 'attempts are counted elsewhere; a failure is one', 'plain', { status: 503 }, true, 'transient', 'transient'],
    ['D18', '425 may be repeated', 'plain', { status: 425 }, true, 'ambiguous', 'transient'],
    ['D18', '421 names a follow-up', 'plain', { status: 421 }, true, 'ambiguous', 'corrective'],
    [
      'D19',
      '5xx is tested before the code',
      'mcp',
      { status: 503, rpc_code: -32601 },
      true,
      'protocol_not_supported',
      'transient',
    ],
    [
      'D20',
      'the guessed path is undeclared',
      'guess',
      { status: 404 },
      false,
      'interface_not_declared',
      'interface_not_declared',
    ],
    [
      'D20',
      'GET at the endpoint is declared, and refused by method',
      'mcp',
      { status: 405 },
      true,
      'protocol_not_supported',
      'protocol_not_supported',
      { http_method: 'GET' },
    ],
    ['D21', 'a plain 200 is no refusal', 'plain', { status: 200 }, true, 'ambiguous', 'ok'],
    [
      'D22',
      'whether a retry is safe is not the kind’s matter',
      'mcp',
      { status: 502 },
      true,
      'transient',
      'transient',
      { rpc_method: 'tools/call' },
    ],
  ])('%s: %s', (_number, _why, word, facts, read, essay, ours, more) => {
    const seed = new SeedGate();
    const answer = signal(facts);
    expect(
      outcome(() => seed.classify({ status: answer.status ?? 0, rpc_code: answer.rpc_code, interface_declared: read })),
    ).toBe(essay);
    expect(classify({ ...TARGETS[word], ...more }, answer).kind).toBe(ours);
  });
});

/** Why the gate kind of our verdict differs from the essay code's, for a status and a code at a declared path. */
const REASONS: [reason: string, differs: (status: number, code: number | null) => boolean][] = [
  [
    'D5, D19: 429 and 5xx are tested before the code',
    (status, code) => (status === 429 || status >= 500) && status !== 501 && code === -32601,
  ],
  [
    'D14: 501, 505, 506, 508 and 510 state a capability',
    (status, code) => [501, 505, 506, 508, 510].includes(status) && code !== -32601,
  ],
  ['D18: 408 and 425 may be repeated', (status) => status === 408 || status === 425],
  ['RFC 9110 15.5.11: 410 says the target is gone', (status, code) => status === 410 && code !== -32601],
  ['RFC 6585 6, ALB: 511 and 561 ask for a login', (status, code) => (status === 511 || status === 561) && code !== -32601],
  ['credentials are judged before the method', (status, code) => [401, 402, 407].includes(status) && code === -32601],
  ['the client left before the answer', (status, code) => [460, 499].includes(status) && code === -32601],
  ['codes that servers use for rate limits', (_, code) => code === -32010 || code === -32029],
];

test('at a declared path the essay’s code and the rule table part only where a reason is given', () => {
  const seed = new SeedGate();
  const unlisted: string[] = [];
  const used = new Set<string>();
  for (let status = 100; status < 600; status++) {
    for (const code of [
      null,
      -32700,
      -32600,
      -32601,
      -32602,
      -32603,
      -32000,
      -32001,
      -32002,
      -32010,
      -32020,
      -32029,
      -32500,
      0,
      7,
    ]) {
      for (const target of [TARGETS.declared, TARGETS.mcp]) {
        const ours = GATE_KIND[classify(target, signal({ status, rpc_code: code })).kind];
        const essay = outcome(() => seed.classify({ status, rpc_code: code, interface_declared: true }));
        if (ours === essay) continue;
        const reason = REASONS.find(([, differs]) => differs(status, code))?.[0];
        if (reason === undefined) unlisted.push(`${status} ${code}: essay ${essay}, ours ${ours}`);
        else used.add(reason);
      }
    }
  }
  expect(unlisted).toEqual([]);
  expect(REASONS.map(([reason]) => reason).filter((reason) => !used.has(reason))).toEqual([]);
});
