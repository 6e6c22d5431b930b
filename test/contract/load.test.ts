import { describe, expect, test } from 'vitest';
import { loadDocument } from '../../src/contract/load.ts';
import * as documents from './documents.ts';

const load = (document: unknown) =>
  loadDocument({ name: 'card.json', text: typeof document === 'string' ? document : JSON.stringify(document) });

/** Paths as `authority methods path`. */
const listed = async (document: unknown) =>
  (await load(document)).paths?.map(({ authority, path, methods }) => `${authority ?? '*'} ${methods?.join() ?? 'any'} ${path}`);

describe('a document is recognised by what it holds', () => {
  test.each([
    [documents.AGENT_CARD_10, 'A2A agent card 1.0'],
    [documents.AGENT_CARD_03, 'A2A agent card 0.3'],
    [documents.AGENT_CARD_02, 'A2A agent card 0.2'],
    [documents.SERVER_CARD, 'MCP server card'],
    [{ name: 'com.example/plain', remotes: [] }, 'MCP server card'],
    [documents.INITIALIZE_RESULT, 'MCP initialize result 2025-11-25'],
    [documents.DISCOVER_RESULT, 'MCP server/discover result'],
    [documents.TOOLS_LIST, 'MCP tools/list result'],
    [{ jsonrpc: '2.0', id: 1, result: documents.TOOLS_LIST }, 'MCP tools/list result'],
    [{ jsonrpc: '2.0', id: 1, result: documents.INITIALIZE_RESULT }, 'MCP initialize result 2025-11-25'],
    [documents.OPENAPI_YAML, 'OpenAPI 3.1.0'],
    [documents.SWAGGER_2, 'Swagger 2.0'],
    [`\uFEFF${JSON.stringify(documents.SWAGGER_2)}`, 'Swagger 2.0'],
  ])('%o: %s', async (document, title) => {
    expect((await load(document)).title).toBe(title);
  });
});

describe('what it declares', () => {
  test('an agent card 1.0: each interface for all methods, REST paths below theirs, with and without the tenant', async () => {
    const paths = await listed(documents.AGENT_CARD_10);
    expect(paths).toHaveLength(1 + 1 + 2 * 9 + 1);
    expect(paths).toEqual(
      expect.arrayContaining([
        'gateway.example.com any /a2a',
        'gateway.example.com any /rest',
        'gateway.example.com any /rest/message:send',
        'gateway.example.com any /rest/tasks/{id}:cancel',
        'gateway.example.com any /rest/acme/tasks/{id}',
        'gateway.example.com any /rest/extendedAgentCard',
        'grpc.example.com:443 any /{package}.A2AService/{method}',
      ]),
    );
  });

  test('an agent card 0.3: REST paths below /v1', async () => {
    const paths = await listed(documents.AGENT_CARD_03);
    expect(paths).toEqual(
      expect.arrayContaining([
        'agents.example.com any /recipes',
        'agents.example.com any /v1/message:send',
        'agents.example.com any /v1/tasks/{id}',
        'agents.example.com any /v1/card',
      ]),
    );
  });

  test('an agent card 0.2: its URL, without the default port', async () => {
    expect(await listed(documents.AGENT_CARD_02)).toEqual(['agents.example.com any /']);
  });

  test('a server card: its remotes, with the defaults of variables filled in', async () => {
    expect(await listed(documents.SERVER_CARD)).toEqual(['gateway.example.com any /mcp', '* any /main/sse']);
  });

  test('OpenAPI: methods below every server, HEAD with GET, servers of a path, and a reference for any method', async () => {
    expect(await listed(documents.OPENAPI_YAML)).toEqual([
      'api.example.com GET,HEAD /v2/things',
      '* GET,HEAD /internal/things',
      'api.example.com POST /v2/things',
      '* POST /internal/things',
      'api.example.com GET,HEAD /v2/things/{id}',
      '* GET,HEAD /internal/things/{id}',
      'api.example.com DELETE /v2/things/{id}',
      '* DELETE /internal/things/{id}',
      'api.example.com GET,HEAD /v2/things/{id}/copies/{copy}.{format}',
      '* GET,HEAD /internal/things/{id}/copies/{copy}.{format}',
      'api.example.com PUT /v2/things/latest',
      '* PUT /internal/things/latest',
      'other.example.com GET,HEAD /e/elsewhere',
      'api.example.com any /v2/referred',
      '* any /internal/referred',
    ]);
  });

  test('Swagger 2: host and base path', async () => {
    expect(await listed(documents.SWAGGER_2)).toEqual([
      'api.example.com GET,HEAD /v1/orders/{id}',
      'api.example.com PATCH /v1/orders/{id}',
    ]);
  });

  test('run-time results: capabilities and tools, no path', async () => {
    expect(await load(documents.INITIALIZE_RESULT)).toMatchObject({ capabilities: ['tools'] });
    expect(await load(documents.DISCOVER_RESULT)).toMatchObject({ capabilities: ['tools', 'resources'] });
    expect(await load(documents.TOOLS_LIST)).toEqual({ title: 'MCP tools/list result', tools: ['get_page', 'search'] });
  });
});

describe('a document that is none is an input error that says what was found', () => {
  test.each([
    ['an object of another kind', { id: 7, items: [] }, 'found an object with "id", "items"'],
    [
      'an object of many keys',
      Object.fromEntries([...'abcdefghij'].map((key) => [key, 1])),
      'found an object with "a", "b", "c", "d", "e", "f", "g", "h" …',
    ],
    ['a list', [1, 2], 'found a list of 2'],
    ['a number', 7, 'found a number'],
    ['an empty file', '', 'found nothing'],
    ['a log line', '192.0.2.1 - - [01/Nov/2026] "GET /"', /^found text: "192\.0\.2\.1/],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: -32601 } }, 'found a JSON-RPC message without a result'],
    ['an empty object', {}, 'found an object without keys'],
  ])('%s', async (_, document, reason) => {
    await expect(load(document)).rejects.toMatchObject({
      name: 'InputError',
      message: 'not a discovery document: "card.json"',
      detail: {
        reason: expect.stringMatching(reason) as unknown,
        help: expect.stringContaining('A2A agent card, MCP server card') as unknown,
      },
    });
  });

  test.each([
    ['broken JSON', '{\n  "name": "x",\n  "url": ]\n}', 'card.json:3:10'],
    ['broken YAML', 'openapi: 3.1.0\npaths:\n\t/things: {}\n', 'card.json:3:1'],
    ['cut JSON', '{"tools": [{"name": "a"}', 'card.json:1:25'],
  ])('%s is told with its place', async (_, text, at) => {
    await expect(load(text)).rejects.toMatchObject({
      name: 'InputError',
      message: 'neither JSON nor YAML: "card.json"',
      detail: { at, reason: expect.any(String) as unknown },
    });
  });

  test('aliases that multiply are refused', async () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefg'.split('').map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[i]}`).join()}]`),
    ].join('\n');
    await expect(load(bomb)).rejects.toMatchObject({ name: 'InputError', message: 'cannot expand: "card.json"' });
  });
});
