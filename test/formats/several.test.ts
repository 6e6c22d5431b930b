// Lines that tell of several requests, and middleware that tells of one request twice.
import { expect, test } from 'vitest';
import type { Format, Parsed } from '../../src/formats/format.ts';
import { FORMATS } from '../../src/formats/index.ts';
import { openPairing } from '../../src/formats/pair.ts';
import type { AccessRecord } from '../../src/record.ts';

const CONTEXT = { timeZone: 'UTC' };

/** Reads lines as one source: every request with the line it begins on, in the order of their ends. */
function readAll(format: Format, lines: readonly string[]): (AccessRecord & { line: number })[] {
  const parse: (line: string) => Parsed = format.open?.(CONTEXT) ?? ((line) => format.parse(line, CONTEXT));
  const pairing = openPairing();
  const found: (AccessRecord & { line: number })[] = [];
  const emit = ({ record, line }: { record: AccessRecord; line: number }): void => void found.push({ ...record, line });
  for (const [index, line] of lines.entries()) {
    const parsed = parse(line);
    if (typeof parsed !== 'object' || 'reject' in parsed) continue;
    if ('records' in parsed) for (const record of parsed.records) emit({ record, line: index + 1 });
    else pairing.add(parsed.halves, index + 1, emit);
  }
  pairing.end(emit);
  return found;
}

test('every RPC of a request that Kong logged is a request with its own outcome', () => {
  const line = FORMATS.kong.samples[0].line;
  expect(readAll(FORMATS.kong, [line])).toMatchObject([
    { path: '/mcp', rpc_method: 'tools/call', rpc_name: 'list_orders', signal: { status: 200, rpc_code: null } },
    { path: '/mcp', rpc_method: 'tools/run', rpc_name: null, signal: { status: 200, rpc_code: -32_601, rpc_outcome: 'error' } },
  ]);
});

function retry(attempt: number): string {
  return `Request tools/call failed (attempt ${attempt}/4): TimeoutError`;
}

test('timing and retry lines of FastMCP count only where nothing else tells of the request', () => {
  const timing = 'Request tools/call completed in 1.23ms';
  const start = 'event=request_start method=tools/call source=client';
  const end = 'event=request_success method=tools/call source=client duration_ms=2.5';
  expect(readAll(FORMATS.fastmcp, [timing, timing])).toHaveLength(2);
  expect(readAll(FORMATS.fastmcp, [retry(1), retry(2), retry(3)])).toHaveLength(1);
  expect(readAll(FORMATS.fastmcp, [start, retry(1), retry(2), timing, end])).toMatchObject([{ line: 1, duration_us: 2500 }]);
});

test('an object that Node printed over several lines is a request that begins on the first', () => {
  const lines = [
    '[supergateway] SSE → Child (session s-1): {',
    "  jsonrpc: '2.0',",
    '  id: 1,',
    "  method: 'tools/call',",
    "  params: { name: 'query', arguments: { id: 7 } }",
    '}',
    '[supergateway] Child → SSE (session s-1): {',
    "  jsonrpc: '2.0',",
    '  id: 1,',
    "  error: { code: -32602, message: 'Invalid params' }",
    '}',
  ];
  expect(readAll(FORMATS.supergateway, lines)).toMatchObject([
    { line: 1, rpc_method: 'tools/call', rpc_name: 'query', signal: { rpc_code: -32_602 } },
  ]);
});

test('what supergateway asks its child by itself is no request of a client', () => {
  const lines = [
    '[supergateway] StreamableHttp → Child (auto-initialize): {"jsonrpc":"2.0","id":"init_1795248600250_ab","method":"initialize"}',
    '[supergateway] Child → StreamableHttp: {"result":{"protocolVersion":"2025-06-18"},"jsonrpc":"2.0","id":"init_1795248600250_ab"}',
    '[supergateway] StreamableHttp → Child (initialized): {"jsonrpc":"2.0","method":"notifications/initialized"}',
    '[supergateway] StreamableHttp → Child (original): {"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    '[supergateway] Child → StreamableHttp: {"result":{"tools":[]},"jsonrpc":"2.0","id":1}',
  ];
  expect(readAll(FORMATS.supergateway, lines)).toMatchObject([{ line: 4, rpc_method: 'tools/list' }]);
});

test('mcp-remote answers belong to the messages before them, failures too', () => {
  const lines = [
    '[7] [Local→Remote] initialize',
    '[7] [Remote→Local] 0',
    '[7] [Local→Remote] tools/call',
    '[7] Error from remote server: Error: Error POSTing to endpoint (HTTP 404): not found',
  ];
  expect(readAll(FORMATS['mcp-remote'], lines)).toMatchObject([
    { line: 1, rpc_method: 'initialize', signal: { status: null } },
    { line: 3, rpc_method: 'tools/call', http_method: 'POST', signal: { status: 404 } },
  ]);
});

test('the two halves of a cut message still meet', () => {
  const lines = [
    '2026-11-21T08:00:00.000Z [notes] [info] Message from client: {"method":"tools/call","params":{"name":"a","arguments":{"t":"x...[900 chars truncated]...\\"}},"jsonrpc":"2.0","id":4} { metadata: undefined }',
    '2026-11-21T08:00:01.000Z [notes] [info] Message from server: {"result":{"content":[{"type":"text","te...[900 chars truncated]...x"}],"isError":true},"jsonrpc":"2.0","id":4} { metadata: undefined }',
  ];
  expect(readAll(FORMATS['claude-desktop'], lines)).toMatchObject([
    { line: 1, rpc_name: 'a', duration_us: 1_000_000, signal: { rpc_outcome: 'result', tool_error: 'yes' } },
  ]);
});

/** Returns an export of spans, each `[id, parent, kind, attributes]`. */
function spans(...list: [string, string, number, Record<string, string>][]): string {
  const all = list.map(([spanId, parentSpanId, kind, attributes], index) => ({
    traceId: 'ab',
    spanId,
    parentSpanId,
    kind,
    startTimeUnixNano: `179550720000${index}000000`,
    endTimeUnixNano: `179550720010${index}000000`,
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: all }] }] });
}

const http = (status: string): Record<string, string> => ({
  'http.request.method': 'POST',
  'url.path': '/mcp',
  'http.response.status_code': status,
});
const call = (name: string, more = {}): Record<string, string> => ({
  'mcp.method.name': 'tools/call',
  'gen_ai.tool.name': name,
  ...more,
});
const BAD = { 'rpc.response.status_code': '-32602' };

test.each<[string, string, unknown[]]>([
  [
    'an HTTP request and the message in it are one',
    spans(['1', '', 2, http('200')], ['2', '1', 1, {}], ['3', '2', 2, call('a', BAD)]),
    [{ path: '/mcp', rpc_name: 'a', attempts: null, signal: { status: 200, rpc_code: -32_602 } }],
  ],
  [
    'a request with two messages is two',
    spans(['1', '', 2, http('200')], ['2', '1', 2, call('a')], ['3', '1', 2, call('b', BAD)]),
    [
      { path: '/mcp', rpc_name: 'a', signal: { rpc_outcome: 'result' } },
      { path: '/mcp', rpc_name: 'b', signal: { rpc_code: -32_602 } },
    ],
  ],
  [
    'a message that its client sent twice is two, and ended as the last did',
    spans(
      ['1', '', 3, call('a')],
      ['2', '1', 3, http('503')],
      ['3', '1', 3, { ...http('200'), 'http.request.resend_count': '1' }],
    ),
    [
      { rpc_name: 'a', signal: { status: 503, rpc_outcome: 'unknown' } },
      { rpc_name: 'a', signal: { status: 200, rpc_outcome: 'result' } },
    ],
  ],
  [
    'both sides of an exchange are one',
    spans(['1', '', 3, http('404')], ['2', '1', 2, { ...http('404'), 'client.address': '192.0.2.1' }], ['3', '2', 2, call('a')]),
    [{ address: '192.0.2.1', rpc_name: 'a', signal: { status: 404 } }],
  ],
  [
    'what a server asks of others are tries of its own request, whatever happens behind',
    spans(['1', '', 2, http('502')], ['2', '1', 3, http('503')], ['3', '1', 3, http('502')], ['4', '3', 2, call('a')]),
    [{ rpc_method: null, attempts: 2, signal: { status: 502 } }],
  ],
  [
    'spans that are their own ancestors',
    spans(['1', '2', 2, http('200')], ['2', '1', 2, call('a')], ['3', '3', 2, call('b')]),
    [{}, {}, {}],
  ],
  ['spans about something else', spans(['1', '', 2, { 'db.system': 'x' }]), []],
])('of spans: %s', (_, line, wanted) => {
  const found = readAll(FORMATS.otlp, [line]);
  expect(found).toHaveLength(wanted.length);
  expect(found).toMatchObject(wanted);
});

test('VS Code tells of one failure in up to three lines', () => {
  const at = '2026-11-21 08:30:0';
  const failed = '404 status sending message to https://mcp.example.com/mcp: not found';
  const traced = `${at}0.000 [debug] [editor -> server] {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`;
  const lines = [traced, `${at}1.500 [info] ${failed}`, `${at}1.600 [info] Connection state: Error ${failed}`];
  const answered = { http_method: 'POST', path: '/mcp', signal: { status: 404 } };
  expect(readAll(FORMATS.vscode, lines)).toMatchObject([{ ...answered, line: 1, rpc_name: 'a', duration_us: 1_500_000 }]);
  expect(readAll(FORMATS.vscode, lines.slice(1))).toMatchObject([{ ...answered, line: 1, rpc_name: null }]);
  expect(readAll(FORMATS.vscode, lines.slice(2))).toMatchObject([{ ...answered, line: 1 }]);
});
