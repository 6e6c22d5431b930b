import { describe, expect, test } from 'vitest';
import type { Observation } from '../../src/contract/contract.ts';
import { openContract } from '../../src/contract/open.ts';
import { UNKNOWN_SIGNAL, type LineTarget, type Signal, type Target } from '../../src/record.ts';
import * as documents from './documents.ts';

const HOST = 'gateway.example.com';

/** A target written as `POST /mcp`, `POST /mcp tools/call get_page`, or with a host: `GET other.example.com/x`; `-` names none. */
function target(text: string): LineTarget {
  const [http_method = null, place = '', rpc_method = null, rpc_name = null] = text.split(' ');
  const [, host = '', path = ''] = /^([^/]*)(.*)$/.exec(place) ?? [];
  return { authority: host === '-' ? null : host === '' ? HOST : host, http_method, path, rpc_method, rpc_name };
}

const answered = (text: string, status: number | null, facts: Partial<Signal> = {}): Observation => ({
  target: target(text),
  signal: { ...UNKNOWN_SIGNAL, status, ...facts },
  requests: 1,
});

async function open(
  given: { documents?: unknown[]; endpoints?: string[]; infer?: boolean; log?: Observation[] } = {},
): Promise<(text: string) => Target> {
  const contract = await openContract(
    {
      documents: (given.documents ?? []).map((each, i) => ({
        name: `${i}.json`,
        text: typeof each === 'string' ? each : JSON.stringify(each),
      })),
      endpoints: given.endpoints ?? [],
      infer: given.infer ?? true,
    },
    given.log ?? [],
  );
  return (text) => contract.describe(target(text));
}

/** `declared inferred template` and the like. */
const judgement = ({ declared, declared_by, is_template }: Target) =>
  `${declared} ${declared_by}${is_template ? ' template' : ''}`;

describe('with documents', () => {
  test.each([
    ['POST /mcp', 'declared document'],
    ['GET /mcp', 'declared document'],
    ['DELETE /mcp', 'declared document'],
    ['POST /a2a', 'declared document'],
    ['POST /mcp/mcp', 'undeclared document'],
    ['POST /mcp/sse', 'undeclared document'],
    ['POST /mcp/a2a/', 'undeclared document'],
    ['POST /mcp/', 'undeclared document'],
    ['GET /rest/tasks/42', 'declared document template'],
    ['POST /rest/tasks/42:cancel', 'declared document template'],
    ['POST /rest/message:send', 'declared document'],
    ['GET /healthz', 'declared inferred'],
    ['GET /readyz', 'undeclared document'],
    ['GET /orders/9', 'declared inferred template'],
    ['POST other.example.com/mcp', 'undeclared document'],
    ['POST -/mcp', 'declared document'],
    ['POST grpc.example.com:443/a2a.v1.A2AService/SendMessage', 'declared document template'],
  ])('%s is %s', async (text, judged) => {
    const log = [answered('GET /healthz', 200), ...[1, 2, 3].map((id) => answered(`GET /orders/${id}`, 200))];
    const describeTarget = await open({ documents: [documents.AGENT_CARD_10, documents.SERVER_CARD], log });
    expect(judgement(describeTarget(text))).toBe(judged);
  });

  test.each([
    ['GET api.example.com/v2/things', 'declared document'],
    ['HEAD api.example.com/v2/things', 'declared document'],
    ['PATCH api.example.com/v2/things', 'undeclared document'],
    ['PUT api.example.com/v2/things', 'declared inferred'],
    ['GET api.example.com/v2/things/7', 'declared document template'],
    ['PUT api.example.com/v2/things/latest', 'declared document'],
    ['GET api.example.com/v2/things/latest', 'declared document template'],
    ['GET any.example.com/internal/things/7', 'declared document template'],
    ['GET any.example.com/v2/things/7', 'undeclared document'],
    ['DELETE any.example.com/internal/referred', 'declared document'],
    ['GET api.example.com/v2/empty', 'undeclared document'],
  ])('by method: %s is %s', async (text, judged) => {
    const log = [answered('PUT api.example.com/v2/things', 204)];
    expect(judgement((await open({ documents: [documents.OPENAPI_YAML], log }))(text))).toBe(judged);
  });

  test('what the filter has: an empty log and documents only', async () => {
    const describeTarget = await open({ documents: [documents.SERVER_CARD], infer: false });
    expect(judgement(describeTarget('GET /healthz'))).toBe('undeclared document');
  });

  test('documents without paths leave paths to the log', async () => {
    const describeTarget = await open({ documents: [documents.TOOLS_LIST], log: [answered('POST /mcp', 200)] });
    expect(judgement(describeTarget('POST /mcp tools/call get_page'))).toBe('declared inferred');
    expect(judgement(describeTarget('POST /mcp/mcp'))).toBe('undeclared inferred');
  });

  test('a tools/list result declares its tools', async () => {
    const describeTarget = await open({ documents: [{ jsonrpc: '2.0', id: 1, result: documents.TOOLS_LIST }] });
    expect(describeTarget('POST /mcp tools/call get_page').is_tool_declared).toBe(true);
    expect(describeTarget('POST /mcp tools/call get_pages').is_tool_declared).toBe(false);
    expect(describeTarget('POST /mcp prompts/get get_page').is_tool_declared).toBe(false);
  });

  test.each([
    ['tools/list', 'declared inferred'],
    ['prompts/list', 'undeclared document'],
    ['resources/read', 'declared inferred'],
    ['logging/setLevel', 'declared inferred'],
    ['initialize', 'declared inferred'],
    ['custom/thing', 'declared inferred'],
  ])('capabilities of several results are united, and an answer overrules them: %s is %s', async (rpcMethod, judged) => {
    const describeTarget = await open({
      documents: [documents.INITIALIZE_RESULT, documents.DISCOVER_RESULT],
      log: [answered('POST /mcp', 200), answered('POST /mcp logging/setLevel', 200, { rpc_outcome: 'result' })],
    });
    const judgedTarget = describeTarget(`POST /mcp ${rpcMethod}`);
    expect(judgement(judgedTarget)).toBe(judged);
    expect(judgedTarget.is_protocol_shaped).toBe(false);
  });

  test('the contract says what it rests on', async () => {
    const text = JSON.stringify(documents.SERVER_CARD);
    const none = { documents: [], endpoints: [], infer: false };
    expect(await openContract({ ...none, documents: [{ name: 'card.json', text }] }, [])).toMatchObject({
      source: 'documents',
      documents: ['card.json (MCP server card)'],
    });
    expect(await openContract({ ...none, infer: true }, [])).toMatchObject({ source: 'inferred', documents: [] });
    expect(await openContract(none, [])).toMatchObject({ source: 'none' });
  });
});

describe('guesses', () => {
  const log = [answered('POST /mcp', 200), answered('POST /a2a', 200), answered('GET /.well-known/agent-card.json', 200)];
  test.each([
    ['POST /mcp/mcp', true],
    ['POST /mcp/sse', true],
    ['POST /mcp/a2a/', true],
    ['GET /mcp/sse', true],
    ['POST /api/mcp', true],
    ['POST /mcp/', true],
    ['POST /v1/chat', true],
    ['GET /mcp', false],
    ['DELETE /mcp', false],
    ['POST /a2a', false],
    ['GET /.well-known/agent.json', false],
    ['GET /.well-known/oauth-protected-resource/mcp', false],
    ['GET /.well-known/mcp.json', false],
    ['GET /mcp/server-card', false],
    ['GET /v1/card', false],
    ['GET /favicon.ico', false],
    ['GET /v3/api-docs', false],
    ['GET /healthz', false],
    ['OPTIONS /mcp/mcp', false],
    ['GET /wp-login.php', false],
    ['GET /api/.env', false],
    ['GET /assets/api.js', false],
    ['GET /about', false],
  ])('%s is protocol-shaped: %s, with documents and without', async (text, shaped) => {
    const guessed = { is_protocol_shaped: shaped };
    expect((await open({ documents: [documents.AGENT_CARD_10, documents.SERVER_CARD], log }))(text)).toMatchObject(guessed);
    expect((await open({ log }))(text)).toMatchObject(guessed);
  });

  test.each([
    ['GET /mcp', 'stream'],
    ['POST /mcp initialize', 'initialize'],
    ['GET /mcp/sse', 'none'],
    ['DELETE /mcp/mcp', 'none'],
    ['POST /mcp/mcp initialize', 'none'],
    ['POST /api/mcp server/discover', 'none'],
  ])('connecting is a sanctioned step only at the endpoint itself: %s is %s', async (text, probe_role) => {
    expect((await open({ documents: [documents.AGENT_CARD_10, documents.SERVER_CARD], log }))(text)).toMatchObject({
      probe_role,
    });
    expect((await open({ log }))(text)).toMatchObject({ probe_role });
  });

  test('where no endpoint ever answers, the one that is tried may be the one that was given', async () => {
    const describeTarget = await open({ log: [answered('GET /healthz', 200), answered('GET /mcp', 405)] });
    expect(describeTarget('GET /mcp')).toMatchObject({ declared: 'undeclared', probe_role: 'stream' });
  });

  test('words of the documents count too', async () => {
    const describeTarget = await open({ documents: [documents.OPENAPI_YAML] });
    expect(describeTarget('GET api.example.com/things/7').is_protocol_shaped).toBe(true);
    expect(describeTarget('GET api.example.com/people/7').is_protocol_shaped).toBe(false);
  });
});

describe('inferred from the log', () => {
  const log = [
    answered('POST /mcp', 200),
    answered('GET /mcp', 405),
    answered('POST /mcp/mcp', 404),
    answered('POST /messages', 202),
    answered('GET /docs', 304),
    ...[101, 102, 103].map((id) => answered(`GET /orders/${id}/items`, 200)),
    ...['fe520e1a-c5d2', 'eb232efd-7d50'].map((id) => answered(`GET /tasks/${id}`, 200)),
    answered('GET /tasks/c80e286a-766d', 404),
    answered('OPTIONS /preflighted', 204),
    answered('POST /rpc tools/call', 200, { rpc_code: -32602, rpc_outcome: 'error' }),
    answered('GET /moved', 301),
    answered('GET silent.example.com/x', 404),
    answered('GET cached.example.com/x', 304),
  ];
  test.each([
    ['POST /mcp', 'declared inferred'],
    ['GET /mcp', 'declared inferred'],
    ['POST /mcp/mcp', 'undeclared inferred'],
    ['POST /messages', 'declared inferred'],
    ['GET /docs', 'declared inferred'],
    ['GET /orders/101/items', 'declared inferred template'],
    ['DELETE /orders/999/items', 'declared inferred template'],
    ['GET /orders/latest/items', 'undeclared inferred'],
    ['GET /orders/101', 'undeclared inferred'],
    ['GET /tasks/fe520e1a-c5d2', 'declared inferred'],
    ['GET /tasks/c80e286a-766d', 'undeclared inferred'],
    ['GET /preflighted', 'undeclared inferred'],
    ['POST /rpc', 'undeclared inferred'],
    ['GET /moved', 'undeclared inferred'],
    ['GET silent.example.com/x', 'unknown none'],
    ['GET silent.example.com/mcp', 'unknown none'],
    ['GET cached.example.com/y', 'unknown none'],
    ['GET -/orders/5/items', 'declared inferred template'],
    ['GET -/nothing', 'undeclared inferred'],
  ])('%s is %s', async (text, judged) => {
    expect(judgement((await open({ log }))(text))).toBe(judged);
  });

  test('nothing is inferred with --contract none, but endpoints are still known', async () => {
    const describeTarget = await open({
      infer: false,
      endpoints: ['/rpc'],
      log: [...log, answered('POST /tools initialize', 200)],
    });
    expect(judgement(describeTarget('POST /orders/1/items'))).toBe('unknown none');
    expect(judgement(describeTarget('POST /rpc'))).toBe('declared document');
    expect(describeTarget('GET /tools').endpoint).toBe(`${HOST} /tools`);
  });

  test('any order of observations gives the same contract', async () => {
    const many = [
      ...log,
      ...Array.from({ length: 400 }, (_, i) => answered(`GET /a/${i % 37}/b/${i}`, i % 3 === 0 ? 404 : 200)),
      ...Array.from({ length: 50 }, (_, i) => answered(`GET -/c/${i % 5}x/page-${i % 4}`, 200)),
    ];
    const asked = [
      ...new Set(many.map(({ target: { http_method, authority, path } }) => `${http_method} ${authority ?? '-'}${path}`)),
    ];
    const first = await open({ log: many });
    const expected = asked.map((text) => first(text));
    let seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 3; round++) {
      const keyed = many.map((each) => ({ each, at: random() })).toSorted((a, b) => a.at - b.at);
      const again = await open({ log: keyed.map(({ each }) => each) });
      expect(asked.map((text) => again(text))).toEqual(expected);
    }
  });
});

describe('MCP endpoints', () => {
  const log = [
    answered('POST /rpc initialize', 200),
    answered('POST /coded', 200, { rpc_code: -32601, rpc_outcome: 'error' }),
    answered('POST /agent message/send', 200),
    answered('POST /agent tasks/get', 200),
  ];
  test.each([
    ['POST /mcp', 'mcp', `${HOST} /mcp`],
    ['POST /deep/mcp/', 'mcp', `${HOST} /deep/mcp`],
    ['GET /sse', 'mcp', `${HOST} /sse`],
    ['POST /messages', 'mcp', `${HOST} /messages`],
    ['GET /rpc', 'mcp', `${HOST} /rpc`],
    ['GET /coded', 'mcp', `${HOST} /coded`],
    ['POST /new ping', 'mcp', `${HOST} /new`],
    ['POST -/mcp', 'mcp', '/mcp'],
    ['GET -/rpc', 'mcp', '/rpc'],
    ['POST /named', 'mcp', `${HOST} /named`],
    ['POST /hosted', 'http', null],
    ['POST other.example.com/hosted', 'mcp', 'other.example.com /hosted'],
    ['POST /agent', 'a2a', null],
    ['POST /agent tasks/get', 'a2a', null],
    ['POST /agent initialize', 'mcp', `${HOST} /agent`],
    ['POST /a2a', 'a2a', null],
    ['GET /things', 'http', null],
    ['GET /.well-known/oauth-protected-resource/mcp', 'oauth', null],
    ['GET other.example.com/rpc', 'http', null],
  ])('%s speaks %s and belongs to %s', async (text, protocol, endpoint) => {
    const describeTarget = await open({ log, endpoints: ['/named', 'https://other.example.com/hosted'] });
    expect(describeTarget(text)).toMatchObject({ protocol, endpoint });
  });

  test('a path that OpenAPI declares is no endpoint because of its name', async () => {
    const paths = { '/chats/{id}/messages': { post: {} } };
    const describeTarget = await open({ documents: [{ openapi: '3.0.0', paths }] });
    expect(describeTarget('POST /chats/7/messages')).toMatchObject({ protocol: 'http', endpoint: null, is_template: true });
  });

  test('a name without a path is a usage error', async () => {
    await expect(open({ endpoints: ['mcp'] })).rejects.toMatchObject({
      name: 'UsageError',
      message: 'endpoint without a path: "mcp"',
    });
  });
});
