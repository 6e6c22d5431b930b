// Apache APISIX: nginx's access log with host, times and upstream tries in their own places, or the JSON of its logger plugins.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import { isCommon, readCommon, type CommonLine } from './common-log.ts';
import { unescapeField } from './escape.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { closeRequestHeaders, closeResponseHeaders, readHeaders, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { principalOf } from './identity.ts';
import { isObject, objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget, readUserAgent } from './request.ts';
import { withSignal } from './signal.ts';
import { parseStamp, startOf } from './time.ts';
import { countTries, splitTries } from './upstream.ts';

/** Seconds, referer, user agent, upstream address, status and time, upstream URL, and in newer releases the request id. */
const TAIL =
  /^ (\d{1,9}\.\d{1,6}|-) "[^"]*" "([^"]*)" ([^"]+) "[a-z]{0,8}:\/\/[^"]*"(?: "([\da-f-]{32,36})"(?: {1,2}"[^"]*")*)?$/;

/** Returns whether APISIX wrote what stands behind the size. */
export function isApisixText({ agents }: CommonLine): boolean {
  return agents.endsWith('"') && TAIL.test(agents);
}

/** Returns whether an object is an entry of an APISIX logger with its default fields. */
export function isApisix(object: Record<string, unknown>): boolean {
  return 'apisix_latency' in object || ('route_id' in object && 'start_time' in object && isObject(object['response']));
}

const parseJson = objectParser('"start_time"', isApisix, readObject);

function parse(line: string, context: ParseContext): Parsed {
  if (line.charCodeAt(0) === 123) return parseJson(line, context);
  return line.endsWith('"') && line.includes('://') ? parseText(line) : 'foreign';
}

function parseText(line: string): Parsed {
  const part = readCommon(line);
  if (!isCommon(part)) return 'foreign';
  const match = TAIL.exec(part.agents);
  if (match === null) return 'foreign';
  const [, seconds, agent = '', upstream = '', id] = match;
  const fields = splitTries(upstream);
  if (fields.length !== 3) return { reject: 'bad_fields' };
  const { record } = part;
  readUserAgent(record, unescapeField(agent));
  record.duration_us = parseDuration(seconds, 's');
  record.attempts = countTries(fields[0] ?? '');
  record.correlation = id ?? null;
  if (record.ts !== null) record.ts = startOf({ us: record.ts, resolution_us: 1_000_000 }, record.duration_us);
  return { records: [record] };
}

function readObject(object: Record<string, unknown>, context: ParseContext): Parsed {
  const { request, response } = object;
  if (!isObject(request) || !isObject(response)) return { reject: 'bad_fields' };
  const start = parseStamp(object['start_time'], context.timeZone);
  if (start === null) return { reject: 'bad_time' };

  const record = blankRecord();
  record.duration_us = parseDuration(object['latency'], 'ms');
  record.ts = start.us;
  readRequest(record, request);
  readResponse(record, response);
  record.address = parseAddress(textOf(object['client_ip']));
  const consumer = isObject(object['consumer']) ? textOf(object['consumer']['username']) : '';
  record.principal = principalOf('user', consumer);
  // A plugin that answers by itself leaves the upstream out.
  record.attempts = countTries(textOf(object['upstream']) || '-');
  return { records: [record] };
}

function readRequest(record: AccessRecord, request: Record<string, unknown>): void {
  record.http_method = parseMethod(textOf(request['method']));
  // The URL names the address that APISIX listens on; the Host header and the URI are what the client asked for.
  readTarget(record, textOf(request['url']) || textOf(request['uri']));
  if (isObject(request['headers'])) {
    record.authority = parseAuthority(textOf(request['headers']['host'])) ?? record.authority;
    readHeaders(record, request['headers'], REQUEST_HEADERS);
    closeRequestHeaders(record);
  }
  record.request_bytes = parseCount(request['size']);
}

function readResponse(record: AccessRecord, response: Record<string, unknown>): void {
  record.signal = withSignal(record.signal, 'status', parseStatus(response['status']));
  if (isObject(response['headers'])) {
    readHeaders(record, response['headers'], RESPONSE_HEADERS);
    closeResponseHeaders(record);
  }
  record.response_bytes = parseCount(response['size']);
}

export const apisix: Format = {
  name: 'apisix',
  title: 'Apache APISIX, access log and logger plugins',
  spec: 'https://apisix.apache.org/docs/apisix/plugins/http-logger/',
  time: 'end',
  parse,
  samples: [
    {
      line: '198.51.100.30 - - [05/Nov/2026:18:02:11 +0000] mcp.example.com:9080 "POST /mcp HTTP/1.1" 502 912 3.127 "-" "an \\x22odd\\x22 agent" 10.0.0.4:8000, 10.0.0.5:8000 502, 502 3.001, 0.120 "http://mcp.example.com:9080/mcp"',
      expect: {
        ts: 1_793_901_728_000_000,
        duration_us: 3_127_000,
        address: '198.51.100.30',
        user_agent: 'an "odd" agent',
        authority: 'mcp.example.com:9080',
        path: '/mcp',
        response_bytes: 912,
        attempts: 2,
        signal: { status: 502 },
      },
    },
    {
      line: '198.51.100.30 - - [05/Nov/2026:18:02:12 +0000] mcp.example.com "GET /nope HTTP/1.1" 404 36 0.000 "-" "node" - - - "http://mcp.example.com/nope" "9364ef51c08293a0b607182930a4b5c6" "traditional_http" "0" "-" "-"  "0" "0"',
      expect: { path: '/nope', attempts: 0, correlation: '9364ef51c08293a0b607182930a4b5c6', signal: { status: 404 } },
    },
    {
      line: '{"response":{"status":429,"headers":{"content-type":"application/json","retry-after":"3"},"size":614},"service_id":"","client_ip":"198.51.100.30","server":{"hostname":"gw","version":"3.11.0"},"upstream":"","apisix_latency":13.999900817871,"consumer":{"username":"alice"},"request":{"method":"POST","url":"http://127.0.0.1:9080/mcp?a=b","querystring":{"a":"b"},"size":86,"uri":"/mcp?a=b","headers":{"host":"mcp.example.com","user-agent":"node","mcp-method":"tools/call","mcp-name":"search","mcp-session-id":"s-1"}},"route_id":"mcp","upstream_latency":null,"latency":13.999900817871,"start_time":1793901731598}',
      expect: {
        ts: 1_793_901_731_598_000,
        duration_us: 14_000,
        address: '198.51.100.30',
        user_agent: 'node',
        principal: 'user:2bd806c97f0e00af',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        request_bytes: 86,
        response_bytes: 614,
        retry_after_ms: 3000,
        attempts: 0,
        signal: { status: 429, has_session: 'yes', is_stream: 'no' },
      },
    },
    {
      line: '{"route_id":"1","start_time":1793901731598,"latency":5,"apisix_latency":1,"upstream":"10.0.0.4:8000","response":{"status":200}}',
      expect: { reject: 'bad_fields' },
    },
    {
      line: '198.51.100.30 - - [05/Nov/2026:18:02:12 +0000] mcp.example.com "GET / HTTP/1.1" 404 36 0.000 "-" "node" - - "http://mcp.example.com/"',
      expect: { reject: 'bad_fields' },
    },
  ],
};
