// Caddy's access log: one object a request, written when it ends, with both maps of headers; the console encoder puts a head in front.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { closeRequestHeaders, closeResponseHeaders, readHeaders, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { principalOf } from './identity.ts';
import { explainBroken, isObject, parseObject, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseGoDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget } from './request.ts';
import { withSignal } from './signal.ts';
import { parseStamp, startOf } from './time.ts';

const ACCESS_LOGGER = 'http.log.access';

/** Loggers of Caddy's HTTP app; those that do not write the access log tell of the same requests again. */
const LOGGER = /^http\.(?:log|handlers)\./;

/** Returns whether an object is a line of one of Caddy's HTTP loggers. */
export function isCaddy({ logger }: Record<string, unknown>): boolean {
  return typeof logger === 'string' && LOGGER.test(logger);
}

function parse(line: string, context: ParseContext): Parsed {
  if (!line.includes('http.log.') && !line.includes('http.handlers.')) return 'foreign';
  const object = parseObject(line);
  if (object === null) return parseConsole(line, context);
  if (object === 'broken') return line.includes(`"logger":"${ACCESS_LOGGER}`) ? explainBroken(line) : 'foreign';
  if (!isCaddy(object)) return 'foreign';
  return textOf(object['logger']).startsWith(ACCESS_LOGGER) ? toRecord(object, object['ts'], context) : 'other';
}

/** Stamp, level in colours, logger and message between tabs, then the fields as JSON. */
const CONSOLE =
  /^(\S.{7,40}?)[\t ]{1,8}(?:.\[\d{1,3}m)?[A-Za-z]{4,6}(?:.\[0m)?[\t ]{1,8}http\.log\.access[^\s{]*[\t ]{1,8}(?=[^{]{0,80}\{)/;

function parseConsole(line: string, context: ParseContext): Parsed {
  const head = CONSOLE.exec(line);
  if (head === null) return 'foreign';
  const fields = line.slice(line.indexOf('{', head[0].length));
  const object = parseObject(fields);
  if (object === null || object === 'broken') return explainBroken(fields);
  return toRecord(object, head[1], context);
}

function toRecord(object: Record<string, unknown>, ts: unknown, context: ParseContext): Parsed {
  const { request, status } = object;
  if (!isObject(request) || (typeof status !== 'number' && typeof status !== 'string')) return { reject: 'bad_fields' };
  const end = parseStamp(ts, context.timeZone);
  if (end === null) return { reject: 'bad_time' };

  const record = blankRecord();
  record.ts = end.us;
  readRequest(record, request);
  readAnswer(record, object);
  record.principal = principalOf('user', textOf(object['user_id']));
  record.duration_us = parseDuration(object['duration'], 's') ?? parseGoDuration(textOf(object['duration']));
  record.request_bytes = parseCount(object['bytes_read']);
  record.response_bytes = parseCount(object['size']);
  record.ts = startOf(end, record.duration_us);
  return { records: [record] };
}

function readRequest(record: AccessRecord, request: Record<string, unknown>): void {
  record.address = parseAddress(textOf(request['client_ip'] ?? request['remote_ip'] ?? request['remote_addr']));
  record.http_method = parseMethod(textOf(request['method']));
  const target = textOf(request['uri']);
  if (target !== '') readTarget(record, target);
  record.authority = parseAuthority(textOf(request['host']), isObject(request['tls']) ? 'https' : 'http') ?? record.authority;
  if (!hasMembers(request['headers'])) return;
  readHeaders(record, request['headers'], REQUEST_HEADERS);
  closeRequestHeaders(record);
}

function readAnswer(record: AccessRecord, object: Record<string, unknown>): void {
  const status = parseStatus(object['status']);
  record.signal = withSignal(record.signal, 'status', status);
  // Status 0: no handler wrote anything, or the client was gone before.
  if (status === null) record.signal = withSignal(record.signal, 'marker', 'no_answer');
  const headers = object['resp_headers'];
  if (!hasMembers(headers)) return;
  readHeaders(record, headers, RESPONSE_HEADERS);
  closeResponseHeaders(record);
}

function hasMembers(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).length > 0;
}

export const caddy: Format = {
  name: 'caddy',
  title: 'Caddy access log, JSON and console',
  spec: 'https://caddyserver.com/docs/logging',
  time: 'end',
  parse,
  samples: [
    {
      line: '{"level":"info","ts":1792054443.4812331,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"203.0.113.50","remote_port":"51222","client_ip":"203.0.113.50","proto":"HTTP/2.0","method":"POST","host":"mcp.example.com","uri":"/mcp?tenant=a","headers":{"User-Agent":["claude-code/2.0.1"],"Mcp-Method":["tools/call"],"Mcp-Name":["search"],"Mcp-Protocol-Version":["2026-07-28"],"Authorization":["REDACTED"]},"tls":{"resumed":false,"version":772,"proto":"h2","server_name":"mcp.example.com"}},"bytes_read":188,"user_id":"","duration":0.043120112,"size":941,"status":200,"resp_headers":{"Content-Type":["application/json"]}}',
      expect: {
        ts: 1_792_054_443_438_113,
        duration_us: 43_120,
        address: '203.0.113.50',
        user_agent: 'claude-code/2.0.1',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        request_bytes: 188,
        response_bytes: 941,
        credential: null,
        signal: { status: 200, protocol_version: '2026-07-28', has_session: 'no', has_origin: 'no', is_stream: 'no' },
      },
    },
    {
      line: '{"level":"info","ts":1792054451.7,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"203.0.113.50","remote_port":"51222","client_ip":"203.0.113.50","proto":"HTTP/2.0","method":"GET","host":"mcp.example.com","uri":"/sse","headers":{}},"bytes_read":0,"user_id":"","duration":61.204,"size":0,"status":0,"resp_headers":{}}',
      expect: { ts: 1_792_054_390_496_000, path: '/sse', signal: { status: null, marker: 'no_answer', has_session: 'unknown' } },
    },
    {
      line: '{"level":"info","ts":"2026-10-15T08:54:14Z","logger":"http.log.access","msg":"handled request","request":{"remote_ip":"203.0.113.51","method":"POST","host":"mcp.example.com:80","uri":"/mcp","headers":{"Authorization":["Bearer abcdefghijklmnop"],"Mcp-Session-Id":["s-1"]}},"duration":"1.2ms","size":12,"status":401,"resp_headers":{"Www-Authenticate":["Bearer error=\\"insufficient_scope\\", resource_metadata=\\"https://mcp.example.com/.well-known/oauth-protected-resource\\""],"Retry-After":["Thu, 15 Oct 2026 08:54:44 GMT"]}}',
      expect: {
        ts: 1_792_054_454_000_000,
        authority: 'mcp.example.com',
        retry_after_ms: 30_000,
        credential: 'header authorization',
        signal: {
          status: 401,
          has_session: 'yes',
          challenge: 'scope',
          resource_metadata: 'yes',
          retry_after: 'yes',
          allow: 'absent',
        },
      },
    },
    {
      line: '2026/10/15 08:54:03.500\t\u001b[34mINFO\u001b[0m\thttp.log.access.log0\thandled request\t{"request":{"remote_ip":"203.0.113.50","remote_port":"51222","client_ip":"203.0.113.50","proto":"HTTP/1.1","method":"POST","host":"mcp.example.com","uri":"/mcp","headers":{"User-Agent":["node"],"Mcp-Method":["tools/list"]}},"bytes_read":188,"user_id":"","duration":0.25,"size":941,"status":404,"resp_headers":{}}',
      expect: {
        ts: 1_792_054_443_250_000,
        duration_us: 250_000,
        user_agent: 'node',
        path: '/mcp',
        rpc_method: 'tools/list',
        signal: { status: 404 },
      },
    },
    {
      line: '1792054443.500000 error http.log.access handled request {"request":{"remote_ip":"203.0.113.50","method":"POST","host":"mcp.example.com","uri":"/mcp","headers":{}},"duration":0.25,"size":941,"status":502,"resp_headers":{}}',
      expect: { ts: 1_792_054_443_250_000, signal: { status: 502 } },
    },
    {
      line: '2026/10/15 08:54:03.500\tINFO\thttp.log.access.log0\thandled request\t{"request":{"remote_ip":"203.0.113.50","meth',
      expect: { reject: 'truncated' },
    },
    {
      line: '{"level":"info","ts":1792054452.1,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"203.0.113.50","method":"GE',
      expect: { reject: 'truncated' },
    },
    {
      line: '{"level":"info","ts":1792054452.1,"logger":"http.log.access.log0","msg":"handled request","duration":0.1}',
      expect: { reject: 'bad_fields' },
    },
  ],
};
