// Kong's log plugins: one object a request; with the AI plugins every RPC of a request becomes a request of its own.
import type { AccessRecord } from '../record.ts';
import { parseAddress } from './address.ts';
import type { Format, Parsed } from './format.ts';
import { closeRequestHeaders, readHeaders, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { principalOf, sessionOf } from './identity.ts';
import { isObject, memberOf, objectParser, textOf } from './json-text.ts';
import { parseCode, parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readRpcMethod, readRpcName, readTarget } from './request.ts';
import { withSignal, wordingOf } from './signal.ts';
import { parseEpoch } from './time.ts';
import { countTries } from './upstream.ts';

type Members = Record<string, unknown>;

/** Returns whether an object is what Kong's serializer writes. */
export function isKong(object: Members): boolean {
  return isObject(object['latencies']) && isObject(object['request']) && ('tries' in object || 'started_at' in object);
}

function read(object: Members): Parsed {
  const request = memberOf(object, 'request');
  const start = parseEpoch(typeof object['started_at'] === 'number' ? object['started_at'] : textOf(object['started_at']));
  if (start === null) return { reject: 'bad_time' };
  if (!('method' in request) && !('uri' in request)) return { reject: 'bad_fields' };

  const record = blankRecord();
  record.ts = start.us;
  record.duration_us = parseDuration(memberOf(object, 'latencies')['request'], 'ms');
  record.address = parseAddress(textOf(object['client_ip']));
  record.principal = principalIn(object);
  record.attempts = attemptsOf(object);
  readRequest(record, request);
  readResponse(record, memberOf(object, 'response'));
  const mcp = memberOf(memberOf(object, 'ai'), 'mcp');
  const session = sessionOf(textOf(mcp['mcp_session_id'] ?? mcp['session_id']));
  if (session !== null) record.signal = withSignal(record.signal, 'has_session', 'yes');
  record.session = session ?? record.session;
  const calls: unknown = mcp['rpc'];
  const records = Array.isArray(calls) ? calls.filter(isObject).map((call) => withCall(record, call, calls.length)) : [];
  return { records: records.length === 0 ? [record] : records };
}

function readRequest(record: AccessRecord, request: Members): void {
  record.http_method = parseMethod(textOf(request['method']));
  const url = textOf(request['url']);
  if (url !== '') readTarget(record, url);
  const uri = textOf(request['uri']);
  if (uri !== '') readTarget(record, uri);
  record.request_bytes = parseCount(request['size']);
  record.correlation = textOf(request['id']).toLowerCase() || null;
  const headers = memberOf(request, 'headers');
  if (Object.keys(headers).length === 0) return;
  readHeaders(record, headers, REQUEST_HEADERS);
  closeRequestHeaders(record);
}

function readResponse(record: AccessRecord, response: Members): void {
  record.signal = withSignal(record.signal, 'status', parseStatus(response['status']));
  record.response_bytes = parseCount(response['size']);
  readHeaders(record, memberOf(response, 'headers'), RESPONSE_HEADERS);
}

function principalIn(object: Members): string | null {
  const consumer = memberOf(object, 'consumer');
  const user = textOf(consumer['username']) || textOf(consumer['custom_id']) || textOf(consumer['id']);
  return principalOf('user', user) ?? principalOf('key', textOf(memberOf(object, 'authenticated_entity')['id']));
}

/** `tries` is empty where Kong answered itself; old lines have only the statuses of the servers behind. */
function attemptsOf(object: Members): number | null {
  const tries: unknown = object['tries'];
  return Array.isArray(tries) ? tries.length : countTries(textOf(object['upstream_status']));
}

/** Of several calls in one request the headers `Mcp-Method` and `Mcp-Name` can speak of one at most. */
function withCall(shared: AccessRecord, call: Members, count: number): AccessRecord {
  const record = count === 1 ? { ...shared } : { ...shared, rpc_method: null, rpc_name: null };
  readRpcMethod(record, textOf(call['method']));
  readRpcName(record, textOf(call['tool_name']));
  const { error } = call;
  if (error === undefined || error === null || error === '') return record;
  const code = isObject(error) ? parseCode(error['code']) : parseCode(error);
  const message = isObject(error) ? textOf(error['message']) : textOf(error);
  record.signal = withSignal(withSignal(record.signal, 'rpc_outcome', 'error'), 'rpc_code', code);
  record.signal = withSignal(record.signal, 'wording', wordingOf(message));
  return record;
}

export const kong: Format = {
  name: 'kong',
  title: 'Kong Gateway log plugins, with MCP and AI fields',
  spec: 'https://developer.konghq.com/plugins/file-log/',
  time: 'start',
  parse: objectParser('"latencies"', isKong, read),
  samples: [
    {
      line: '{"started_at":1794700800123,"client_ip":"192.0.2.200","request":{"id":"A0B1C2D3E4F5A0B1","method":"POST","uri":"\\/mcp?t=1","url":"https:\\/\\/mcp.example.com:8443\\/mcp","size":402,"querystring":{},"headers":{"host":"mcp.example.com:8443","user-agent":"claude-code\\/2.0.1","mcp-method":"tools\\/call","mcp-name":"list_orders","authorization":"REDACTED"}},"upstream_uri":"\\/mcp","upstream_status":"200","response":{"status":200,"size":5410,"headers":{"content-type":"application\\/json"}},"latencies":{"request":31,"kong":4,"proxy":27},"tries":[{"ip":"10.9.0.4","port":8000,"balancer_start":1794700800127,"balancer_start_ns":1.7947008001277e+18,"balancer_latency":0}],"consumer":{"id":"c-1","username":"alice"},"ai":{"mcp":{"mcp_session_id":"s-1","rpc":[{"method":"tools\\/call","id":"2","latency":6,"tool_name":"list_orders","response_body_size":5030},{"method":"tools\\/run","id":"3","latency":1,"error":"-32601"}]}}}',
      expect: {
        ts: 1_794_700_800_123_000,
        duration_us: 31_000,
        address: '192.0.2.200',
        user_agent: 'claude-code/2.0.1',
        principal: 'user:2bd806c97f0e00af',
        authority: 'mcp.example.com:8443',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'list_orders',
        request_bytes: 402,
        response_bytes: 5410,
        attempts: 1,
        correlation: 'a0b1c2d3e4f5a0b1',
        credential: null,
        signal: { status: 200, has_session: 'yes', has_origin: 'no' },
      },
    },
    {
      line: '{"started_at":1794700804000,"client_ip":"192.0.2.200","request":{"method":"POST","uri":"/mcp","url":"http://mcp.example.com:80/mcp","size":"402","headers":{}},"upstream_status":"502, 200","response":{"status":200,"size":"5410","headers":{}},"latencies":{"request":2044,"kong":5,"proxy":2039}}',
      expect: {
        authority: 'mcp.example.com',
        attempts: 2,
        request_bytes: 402,
        response_bytes: 5410,
        signal: { has_session: 'unknown' },
      },
    },
    {
      line: '{"started_at":1794700805000,"client_ip":"2001:db8::c8","request":{"method":"GET","uri":"/nope","size":90},"response":{"status":429,"size":52,"headers":{"retry-after":"30"}},"latencies":{"request":1,"kong":1,"proxy":-1},"tries":[],"source":"exit","authenticated_entity":{"id":"key-1"}}',
      expect: {
        attempts: 0,
        retry_after_ms: 30_000,
        principal: 'key:be2974546978e373',
        signal: { status: 429, retry_after: 'yes' },
      },
    },
    { line: '{"request":{"method":"GET","uri":"/"},"latencies":{"request":1},"tries":[]}', expect: { reject: 'bad_time' } },
    {
      line: '{"started_at":1794700806000,"request":{"method":"GET"},"latencies":{"request":1},"tri',
      expect: { reject: 'truncated' },
    },
  ],
};
