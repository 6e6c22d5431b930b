import { expect, test } from 'vitest';
import type { Half } from '../../src/formats/format.ts';
import { mcpTranscript } from '../../src/formats/mcp-transcript.ts';
import { openPairing, type Paired } from '../../src/formats/pair.ts';
import { blankRecord, readStatus } from '../../src/formats/request.ts';

function halvesOf(message: unknown, wrap: Record<string, unknown> = {}): Half[] {
  const line = Object.keys(wrap).length === 0 ? message : { ...wrap, message };
  const parsed = mcpTranscript.parse(JSON.stringify(line), { timeZone: 'UTC' });
  if (typeof parsed === 'string' || !('halves' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.halves;
}

const call = (id: unknown, method = 'tools/list', more = {}) => ({ jsonrpc: '2.0', id, method, ...more });
const result = (id: unknown, value: unknown = {}) => ({ jsonrpc: '2.0', id, result: value });
const failure = (id: unknown, code: number, message = 'x') => ({ jsonrpc: '2.0', id, error: { code, message } });

/** Runs lines through a pairing; each is a message or [message, envelope]. */
function run(lines: [unknown, Record<string, unknown>?][], cap?: number): string[] {
  const pairing = openPairing(cap);
  const out: string[] = [];
  const show = ({ record, line, part }: Paired): void => {
    const { rpc_code, rpc_outcome } = record.signal;
    out.push(`${line}.${part} ${record.rpc_method} ${rpc_code ?? rpc_outcome}`);
  };
  for (const [index, [message, wrap]] of lines.entries()) pairing.add(halvesOf(message, wrap), index + 1, show);
  out.push('end');
  pairing.end(show);
  return out;
}

test('an answer joins its request under the line of the request', () => {
  expect(run([[call(1)], [call('1', 'ping')], [failure('1', -32_601)], [result(1)]])).toEqual([
    '2.0 ping -32601',
    '1.0 tools/list result',
    'end',
  ]);
});

test('a batch is several requests of one line, whatever the order of the answers', () => {
  expect(run([[[call(1), call(2, 'ping')]], [[result(2), result(1)]]])).toEqual([
    '1.1 ping result',
    '1.0 tools/list result',
    'end',
  ]);
});

test('what is never answered comes out at the end, in order', () => {
  expect(run([[call(1)], [call(2, 'ping')]])).toEqual(['end', '1.0 tools/list unknown', '2.0 ping unknown']);
});

test('a full pairing lets the oldest go first', () => {
  expect(run([[call(1)], [call(2, 'ping')], [call(3, 'x')], [result(1)]], 2)).toEqual([
    '1.0 tools/list unknown',
    '4.0 null result',
    'end',
    '2.0 ping unknown',
    '3.0 x unknown',
  ]);
});

test('an id that begins again ends the wait for its first answer', () => {
  expect(run([[call(1)], [call(1, 'ping')], [result(1)]])).toEqual(['1.0 tools/list unknown', '2.0 ping result', 'end']);
});

test('directions and connections keep equal ids apart', () => {
  const c2s = { direction: 'client_to_server' };
  const s2c = { direction: 'server_to_client' };
  expect(
    run([
      [call(1), c2s],
      [call(1, 'sampling/createMessage'), s2c],
      [result(1), s2c],
      [failure(1, -1), c2s],
    ]),
  ).toEqual(['1.0 tools/list result', '2.0 sampling/createMessage -1', 'end']);
  expect(
    run([
      [call(1), { session: 'a' }],
      [call(1, 'ping'), { session: 'b' }],
      [result(1), { session: 'a' }],
    ]),
  ).toEqual(['1.0 tools/list result', 'end', '2.0 ping unknown']);
});

test('without a direction the shape of a result tells whose question it answers', () => {
  expect(run([[call(1)], [call(1, 'roots/list')], [result(1, { roots: [] })], [result(1)]])).toEqual([
    '2.0 roots/list result',
    '1.0 tools/list result',
    'end',
  ]);
});

test('a notification is a request by itself', () => {
  expect(run([[{ jsonrpc: '2.0', method: 'notifications/initialized' }]])).toEqual([
    '1.0 notifications/initialized unknown',
    'end',
  ]);
});

test('whoever opens a connection is its client, and its revision holds for all that follows', () => {
  const pairing = openPairing();
  const seen: Paired[] = [];
  const emit = (paired: Paired): void => void seen.push(paired);
  const opening = call(0, 'initialize', { params: { protocolVersion: '2025-11-25', clientInfo: { name: 'a', version: '1' } } });
  for (const message of [opening, result(0, { protocolVersion: '2025-06-18' }), call(1), result(1)])
    pairing.add(halvesOf(message), 1, emit);
  expect(seen.map(({ record }) => [record.rpc_method, record.user_agent, record.signal.protocol_version])).toEqual([
    ['initialize', 'a/1', '2025-06-18'],
    ['tools/list', 'a/1', '2025-06-18'],
  ]);
});

test('the time between the halves is the duration', () => {
  const seen: Paired[] = [];
  const pairing = openPairing();
  pairing.add(halvesOf(call(1), { ts: '2026-11-20T10:00:00.000Z' }), 1, () => {});
  const begins = pairing.add(
    halvesOf(result(1, { isError: true, content: [] }), { ts: '2026-11-20T10:00:00.120Z' }),
    2,
    (paired) => seen.push(paired),
  );
  expect(begins).toBe(false);
  expect(seen[0]?.record).toMatchObject({ duration_us: 120_000, signal: { tool_error: 'yes' } });
});

/** Halves without ids, as `<-- GET /x` and `--> GET /x 200` are. */
function ordered(side: 'request' | 'response', key: string, path: string | null, status: number | null): Half[] {
  const record = { ...blankRecord(), path };
  readStatus(record, status);
  return [{ key, side, isOrdered: true, record }];
}

test('halves without ids are joined in their order', () => {
  const pairing = openPairing();
  const out: unknown[] = [];
  const show = ({ record, line }: Paired): void => void out.push([line, record.path, record.signal.status]);
  pairing.add(ordered('request', 'GET /x', '/x', null), 1, show);
  pairing.add(ordered('request', 'GET /y', '/y', null), 2, show);
  pairing.add(ordered('request', 'GET /x', '/x', null), 3, show);
  pairing.add(ordered('response', 'GET /x', null, 200), 4, show);
  pairing.add(ordered('response', 'GET /x', null, 404), 5, show);
  pairing.add(ordered('response', 'GET /x', null, 500), 6, show);
  pairing.end(show);
  expect(out).toEqual([
    [1, '/x', 200],
    [3, '/x', 404],
    [6, null, 500],
    [2, '/y', null],
  ]);
});

test('a queue under one key has an end', () => {
  const pairing = openPairing();
  let emitted = 0;
  for (let line = 1; line <= 3000; line++) pairing.add(ordered('request', 'GET /x', '/x', null), line, () => void emitted++);
  expect(emitted).toBe(3000 - 1024);
});

test('without a connection nobody speaks for anybody else', () => {
  const pairing = openPairing();
  const out: unknown[] = [];
  const show = ({ record }: Paired): void => void out.push(record.user_agent);
  for (const [key, user_agent] of [
    ['1', 'agent/1'],
    ['2', null],
  ] as const) {
    pairing.add([{ key, side: 'request', record: { ...blankRecord(), user_agent } }], 1, show);
  }
  pairing.end(show);
  expect(out).toEqual(['agent/1', null]);
});
