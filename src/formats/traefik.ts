// Traefik's access log: CLF with router, service and time appended, or JSON. A line bears the start of its request.
import type { AccessRecord } from '../record.ts';
import { firstForwarded, parseAddress, parseAuthority } from './address.ts';
import { isCommon, readCommon, type CommonLine } from './common-log.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { normalizeKey, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { principalOf } from './identity.ts';
import { objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget, readUserAgent } from './request.ts';
import { withSignal } from './signal.ts';
import { parseStamp, startOf } from './time.ts';

/** Count of requests, router, URL of the service, milliseconds. Nothing in front of it is escaped, so it is read from the end. */
const TAIL = / \d{1,19} "[^"]*" "([^"]*)" (\d{1,15})ms$/;
const AGENTS = /^ "([^"]*)" "(.*)"$/;

/** Returns whether Traefik wrote what stands behind the user agent. */
export function isTraefikClf({ rest }: CommonLine): boolean {
  return rest.endsWith('ms') && TAIL.test(rest);
}

/** Returns whether an object is a line of Traefik's JSON access log. */
export function isTraefik(object: Record<string, unknown>): boolean {
  return 'RequestMethod' in object && ('DownstreamStatus' in object || 'OriginStatus' in object || 'StartUTC' in object);
}

const parseJson = objectParser('"RequestMethod"', isTraefik, readObject);

function parse(line: string, context: ParseContext): Parsed {
  return line.endsWith('ms') ? parseClfLine(line) : parseJson(line, context);
}

function parseClfLine(line: string): Parsed {
  const tail = TAIL.exec(line);
  if (tail === null) return 'foreign';
  const part = readCommon(line.slice(0, tail.index));
  if (!isCommon(part)) return part;
  const { record, agents, rest } = part;
  const agent = rest === '' ? undefined : AGENTS.exec(agents)?.[2];
  if (agent !== undefined) readUserAgent(record, agent);
  // Status and size are the service's; without a service Traefik answered, and what it said is not logged.
  if (tail[1] === '-') record.attempts = 0;
  record.duration_us = parseDuration(tail[2], 'ms');
  return { records: [record] };
}

function readObject(object: Record<string, unknown>, context: ParseContext): Parsed {
  const record = blankRecord();
  record.duration_us = parseDuration(object['Duration'], 'ns');
  record.ts = startIn(object, record.duration_us, context.timeZone);
  if (record.ts === null) return { reject: 'bad_time' };
  readHeaderFields(record, object);
  readRequest(record, object);
  readAnswer(record, object);
  return { records: [record] };
}

function startIn(object: Record<string, unknown>, duration_us: number | null, timeZone: string): number | null {
  const start = parseStamp(object['StartUTC'], timeZone) ?? parseStamp(object['StartLocal'], timeZone);
  if (start !== null) return start.us;
  const end = parseStamp(object['time'], timeZone);
  return end === null ? null : startOf(end, duration_us);
}

/** Kept headers are keys of their own: `request_Mcp-Method`, `downstream_Retry-After`; the origin's count where the client's are not kept. */
function readHeaderFields(record: AccessRecord, object: Record<string, unknown>): void {
  for (const [prefix, readers] of [
    ['request_', REQUEST_HEADERS],
    ['origin_', RESPONSE_HEADERS],
    ['downstream_', RESPONSE_HEADERS],
  ] as const) {
    for (const key in object) {
      const value = object[key];
      if (key.startsWith(prefix) && typeof value === 'string')
        readers.get(normalizeKey(key.slice(prefix.length)))?.(record, value);
    }
  }
}

function readRequest(record: AccessRecord, object: Record<string, unknown>): void {
  const text = (key: string): string => textOf(object[key]);
  record.address = firstForwarded(text('ClientHost')) ?? parseAddress(text('ClientAddr'));
  record.principal = principalOf('user', text('ClientUsername'));
  record.http_method = parseMethod(text('RequestMethod'));
  if (text('RequestPath') !== '') readTarget(record, text('RequestPath'));
  const scheme = text('RequestScheme') || null;
  const authority = parseAuthority(text('RequestAddr'), scheme) ?? parseAuthority(text('RequestHost'), scheme);
  record.authority = authority ?? record.authority;
  record.request_bytes = parseCount(numberOf(object['RequestContentSize']));
  record.correlation ??= (text('TraceId') || text('trace_id')).toLowerCase() || null;
}

function readAnswer(record: AccessRecord, object: Record<string, unknown>): void {
  const origin = parseStatus(numberOf(object['OriginStatus']));
  const status = 'DownstreamStatus' in object ? parseStatus(numberOf(object['DownstreamStatus'])) : origin;
  record.signal = withSignal(record.signal, 'status', status);
  if (status === 401) record.principal = null;
  record.response_bytes = parseCount(numberOf(object['DownstreamContentSize'] ?? object['OriginContentSize']));
  const retries = parseCount(numberOf(object['RetryAttempts']));
  if ('OriginStatus' in object && origin === null && retries === 0) record.attempts = 0;
  else if (retries !== null) record.attempts = retries + 1;
}

/** Shippers write numbers as text, at times with a fraction. */
function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}\.0+$/.test(value) ? value.slice(0, value.indexOf('.')) : value;
}

export const traefik: Format = {
  name: 'traefik',
  title: 'Traefik access log, CLF and JSON',
  spec: 'https://doc.traefik.io/traefik/observe/logs-and-access-logs/',
  time: 'start',
  parse,
  samples: [
    {
      line: '198.51.100.5 - - [02/Nov/2026:08:00:00 +0000] "POST /mcp HTTP/2.0" 404 88 "-" "python-httpx/0.28.1" 51 "mcp@docker" "http://10.42.0.9:8000" 2ms',
      expect: {
        ts: 1_793_606_400_000_000,
        duration_us: 2000,
        address: '198.51.100.5',
        user_agent: 'python-httpx/0.28.1',
        http_method: 'POST',
        path: '/mcp',
        response_bytes: 88,
        attempts: null,
        signal: { status: 404 },
      },
    },
    {
      line: '2001:db8::5 - - [02/Nov/2026:08:00:02 +0000] "GET /undeclared?x=1 HTTP/1.1" - - "-" "an "odd" agent" 52 "-" "-" 1500ms',
      expect: {
        ts: 1_793_606_402_000_000,
        duration_us: 1_500_000,
        user_agent: 'an "odd" agent',
        path: '/undeclared',
        response_bytes: null,
        attempts: 0,
        signal: { status: null },
      },
    },
    {
      line: '198.51.100.5 - - [02/Nov/2026:08:00:03 +0000] "POST /mcp HTTP/2.0" 429 17 "-" "node" 53 "limit@file -> auth@file -> mcp@docker" "-" 0ms',
      expect: { attempts: 0, signal: { status: 429 } },
    },
    {
      line: '{"ClientAddr":"10.42.0.1:40114","ClientHost":"198.51.100.5, 10.0.0.7","ClientPort":"40114","ClientUsername":"-","DownstreamContentSize":11,"DownstreamStatus":502,"Duration":6003000111,"OriginContentSize":11,"OriginDuration":6002000000,"OriginStatus":502,"Overhead":1000111,"RequestAddr":"mcp.example.com:8443","RequestContentSize":156,"RequestCount":53,"RequestHost":"mcp.example.com","RequestMethod":"POST","RequestPath":"/mcp?a=b","RequestPort":"8443","RequestProtocol":"HTTP/2.0","RequestScheme":"https","RetryAttempts":2,"RouterName":"mcp@docker","ServiceURL":{"Scheme":"http","Host":"10.42.0.9:8000","Path":""},"StartLocal":"2026-11-02T09:00:05.000000001+01:00","StartUTC":"2026-11-02T08:00:05.000000001Z","entryPointName":"websecure","level":"info","msg":"","request_Mcp-Method":"tools/call","request_Mcp-Name":"search","request_User-Agent":"node","downstream_Retry-After":"7","origin_Retry-After":"9","time":"2026-11-02T09:00:11+01:00"}',
      expect: {
        ts: 1_793_606_405_000_000,
        duration_us: 6_003_000,
        address: '198.51.100.5',
        user_agent: 'node',
        principal: null,
        authority: 'mcp.example.com:8443',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        request_bytes: 156,
        response_bytes: 11,
        retry_after_ms: 7000,
        attempts: 3,
        signal: { status: 502, retry_after: 'yes' },
      },
    },
    {
      line: '{"ClientAddr":"[2001:db8::9]:40113","ClientUsername":"alice","DownstreamContentSize":"19.0","DownstreamStatus":"401.0","Duration":"90114","OriginStatus":0,"RequestAddr":"mcp.example.com","RequestMethod":"GET","RequestPath":"/mcp","RequestScheme":"http","RetryAttempts":0,"SpanId":"00f067aa0ba902b7","TraceId":"4BF92F3577B34DA6A3CE929D0E0E4736","time":"2026-11-02T09:00:02+01:00"}',
      expect: {
        ts: 1_793_606_402_000_000,
        duration_us: 90,
        address: '2001:db8::9',
        principal: null,
        response_bytes: 19,
        attempts: 0,
        correlation: '4bf92f3577b34da6a3ce929d0e0e4736',
        signal: { status: 401 },
      },
    },
    {
      line: '{"ClientHost":"198.51.100.5","DownstreamStatus":0,"OriginStatus":0,"RequestMethod":"GET","RequestPath":"/sse","RetryAttempts":0,"StartUTC":"2026-11-02T08:00:02Z"}',
      expect: { path: '/sse', attempts: 0, signal: { status: null } },
    },
    {
      line: '{"ClientHost":"198.51.100.5","RequestMethod":"GET","DownstreamStatus":200,"StartUTC":"soon"}',
      expect: { reject: 'bad_time' },
    },
    {
      line: '{"ClientHost":"198.51.100.5","DownstreamStatus":404,"RequestMethod":"POST","RequestPa',
      expect: { reject: 'truncated' },
    },
    {
      line: '198.51.100.5 - - [02/Nov/2026:08:00:00 +0000] "POST /mcp HTTP/2.0" 4x4 88 "-" "node" 51 "a@docker" "http://10.42.0.9:8000" 2ms',
      expect: { reject: 'bad_status' },
    },
  ],
};
