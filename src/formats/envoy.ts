// Envoy's access log: the default text and JSON of chosen fields, as Envoy Gateway writes it. Istio's variants share the reading.
import type { AccessRecord, GatewayMarker } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { isAbsent, normalizeKey, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { remember } from './identity.ts';
import { objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readForwarded, readRequestLine, readTarget, readUserAgent } from './request.ts';
import { withSignal } from './signal.ts';
import { parseIso, type Stamp } from './time.ts';

/** Start, request, code and flags. The rest differs, and neither paths nor user agents are escaped. */
const HEAD =
  /^\[(\d{4}-\d\d-\d\dT[\d:.]{8,18}Z)\] "([^"]*(?:"(?! \d{1,3} )[^"]*){0,16})" (\d{1,3}) ([A-Z][A-Z,]{0,40}|-) (?=[\w"-])/;
const NUMBERS = /^(\d{1,15}|-) (\d{1,15}|-) (\d{1,15}|-) (?:\d{1,15}|-) (?=")/;

/** A text line as far as Envoy and Istio agree. */
export interface EnvoyHead {
  record: AccessRecord;
  /** What stands behind the flags. */
  rest: string;
}

/** Returns what a text line begins with, undefined for a line of another kind, null for a stamp that is none. */
export function readEnvoyHead(line: string): EnvoyHead | null | undefined {
  if (line.charCodeAt(0) !== 91 || line.charCodeAt(5) !== 45) return undefined;
  const head = HEAD.exec(line);
  if (head === null) return undefined;
  const start = parseIso(head[1] ?? '');
  if (start === null) return null;
  const record = blankRecord();
  record.ts = start.us;
  readRequestLine(record, head[2] ?? '');
  readOutcome(record, head[3], head[4] ?? '');
  return { record, rest: line.slice(head[0].length) };
}

/** Fills in sizes, duration and the five quoted fields; returns what stands behind them, or null if they are not there. */
export function readEnvoyTail(record: AccessRecord, text: string): string | null {
  const numbers = NUMBERS.exec(text);
  const end = text.lastIndexOf('"');
  if (numbers === null) return null;
  const quoted = text.slice(numbers[0].length + 1, end).split('" "');
  if (quoted.length < 5) return null;
  const [id = '', authority = '', upstream = ''] = quoted.slice(-3);
  record.request_bytes = parseCount(numbers[1]);
  record.response_bytes = parseCount(numbers[2]);
  record.duration_us = parseDuration(numbers[3], 'ms');
  readForwarded(record, quoted[0] ?? '');
  readUserAgent(record, quoted.slice(1, -3).join('" "'));
  record.correlation = isAbsent(id) ? null : id.toLowerCase();
  record.authority = parseAuthority(authority) ?? record.authority;
  // Whether it was tried more than once is not logged.
  if (isAbsent(upstream)) record.attempts = 0;
  return text.slice(end + 1);
}

/** These only say how it went on the way to what another flag says. */
const BESIDES = new Set(['URX', 'DI']);

/** Fills in status and marker; of several flags the most telling one is kept. */
function readOutcome(record: AccessRecord, code: unknown, flags: string): void {
  const status = parseStatus(code);
  record.signal = withSignal(record.signal, 'status', status);
  const all = isAbsent(flags) ? [] : flags.split(',', 8);
  const flag = all.find((name) => !BESIDES.has(name)) ?? all[0];
  const marker: GatewayMarker | null =
    flag === undefined ? (status === null ? 'no_answer' : null) : `envoy_${flag.trim().toLowerCase()}`;
  record.signal = withSignal(record.signal, 'marker', marker);
}

/** Returns whether an object is a line of Envoy's JSON log. */
export function isEnvoy(object: Record<string, unknown>): boolean {
  return 'response_code' in object && ('response_flags' in object || 'start_time' in object) && !isAiGateway(object);
}

/** Returns whether a line is of Envoy AI Gateway, which adds what it knows of MCP and writes one line per leg. */
export function isAiGateway(object: Record<string, unknown>): boolean {
  return 'response_code' in object && ('mcp.method.name' in object || 'jsonrpc.request.id' in object);
}

/** What the keys of one line gave, before it becomes a record. */
interface Draft {
  record: AccessRecord;
  start: Stamp | null;
  code: string;
  flags: string;
  path: string;
  peer: string | null;
  forwarded: string;
  upstream: string | null;
}

type Reader = (draft: Draft, text: string) => void;

const READERS = new Map<string, Reader>();
function define(keys: string, reader: Reader): void {
  for (const key of keys.split(' ')) READERS.set(key, reader);
}
for (const headers of [RESPONSE_HEADERS, REQUEST_HEADERS]) {
  for (const [name, read] of headers) READERS.set(name, ({ record }, text) => read(record, text));
}
// Whose type it is the key does not say.
READERS.delete('contenttype');
define('starttime timestamp', (draft, text) => (draft.start ??= parseIso(text)));
define('responsecode', (draft, text) => (draft.code = text));
define('responseflags', (draft, text) => (draft.flags = text));
define('method requestmethod', ({ record }, text) => (record.http_method = parseMethod(text)));
define('path requestpath', (draft, text) => (draft.path ||= text));
// The path before the gateway rewrote it.
define('xenvoyoriginpath xenvoyoriginalpath', (draft, text) => (draft.path = text));
define('authority host', ({ record }, text) => (record.authority ??= parseAuthority(text)));
define('duration', ({ record }, text) => (record.duration_us = parseDuration(text, 'ms')));
define('bytesreceived', ({ record }, text) => (record.request_bytes = parseCount(text)));
define('bytessent', ({ record }, text) => (record.response_bytes = parseCount(text)));
define(
  'downstreamremoteaddress downstreamdirectremoteaddress downstreamremoteaddresswithoutport',
  (draft, text) => (draft.peer ??= parseAddress(text)),
);
define('xforwardedfor', (draft, text) => (draft.forwarded = text));
define('xrequestid requestid', ({ record }, text) => (record.correlation = text.toLowerCase()));
define('traceid', ({ record }, text) => (record.correlation ??= text.toLowerCase()));
define('upstreamhost', (draft, text) => (draft.upstream = text));
define('upstreamrequestattemptcount attemptcount', ({ record }, text) => (record.attempts = parseCount(text)));
define('grpcstatusnumber grpcstatus', ({ record }, text) => {
  record.signal = withSignal(record.signal, 'grpc_status', parseCount(text) ?? record.signal.grpc_status);
});

const NONE: Reader = () => {};
const readerOf = remember((key) => READERS.get(normalizeKey(key)) ?? NONE);

/** Returns the record of a JSON line, or why there is none. */
export function readEnvoyObject(object: Record<string, unknown>): Parsed {
  const record = blankRecord();
  const draft: Draft = { record, start: null, code: '', flags: '-', path: '', peer: null, forwarded: '', upstream: null };
  for (const key in object) {
    const text = textOf(object[key]);
    if (!isAbsent(text)) readerOf(key)(draft, text);
  }
  if (draft.start === null) return { reject: 'bad_time' };
  if (!/^\d{0,3}$/.test(draft.code)) return { reject: 'bad_status' };
  record.ts = draft.start.us;
  if (draft.path !== '') readTarget(record, draft.path);
  record.address = draft.peer;
  readForwarded(record, draft.forwarded);
  // Whether there was a host at all is told by the key alone: nothing was forwarded where it is empty.
  if (record.attempts === null && draft.upstream === null && 'upstream_host' in object) record.attempts = 0;
  readOutcome(record, draft.code, draft.flags);
  return { records: [record] };
}

const parseJson = objectParser('"response_code"', (object) => isEnvoy(object) && !isIstio(object), readEnvoyObject);

function parse(line: string, context: ParseContext): Parsed {
  if (line.charCodeAt(0) === 123) return parseJson(line, context);
  const head = readEnvoyHead(line);
  if (head === undefined) return 'foreign';
  if (head === null) return { reject: 'bad_time' };
  // Istio says the details before the sizes.
  if (!/^[\d-]/.test(head.rest) || head.rest.startsWith('- - "')) return 'foreign';
  if (readEnvoyTail(head.record, head.rest) === null) return { reject: line.endsWith('"') ? 'bad_fields' : 'truncated' };
  return { records: [head.record] };
}

/** Returns whether an object has the keys as Istio spells them. */
export function isIstio(object: Record<string, unknown>): boolean {
  return 'upstream_cluster' in object && 'user_agent' in object && 'authority' in object && isEnvoy(object);
}

export const envoy: Format = {
  name: 'envoy',
  title: 'Envoy access log, text and JSON (Envoy Gateway)',
  spec: 'https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage',
  time: 'start',
  parse,
  samples: [
    {
      line: '[2026-11-03T07:30:00.101Z] "POST /mcp?a=b HTTP/2" 200 - 166 1021 48 47 "192.0.2.60, 10.0.0.1" "claude-code/2.0.1" "0F0A4C2E-6f0b-4a86-9a55-4bb1d8c2f001" "mcp.example.com" "10.0.7.3:8000"',
      expect: {
        ts: 1_793_691_000_101_000,
        duration_us: 48_000,
        address: '192.0.2.60',
        user_agent: 'claude-code/2.0.1',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        request_bytes: 166,
        response_bytes: 1021,
        attempts: null,
        correlation: '0f0a4c2e-6f0b-4a86-9a55-4bb1d8c2f001',
        signal: { status: 200, marker: null },
      },
    },
    {
      line: '[2026-11-03T07:30:01.230Z] "POST /mcp HTTP/2" 503 URX,UF 166 91 3051 - "-" "an "odd" agent" "-" "mcp.example.com:8443" "tcp://10.0.7.3:8000"',
      expect: {
        address: null,
        user_agent: 'an "odd" agent',
        authority: 'mcp.example.com:8443',
        correlation: null,
        signal: { status: 503, marker: 'envoy_uf' },
      },
    },
    {
      line: '[2026-11-03T07:30:07.000Z] "GET /m"cp HTTP/2" 0 DC 0 0 15003 - "2001:db8::61" "claude-code/2.0.1" "0f0a4c2e-6f0b-4a86-9a55-4bb1d8c2f005" "mcp.example.com" "-"',
      expect: { path: '/m"cp', attempts: 0, duration_us: 15_003_000, signal: { status: null, marker: 'envoy_dc' } },
    },
    {
      line: '[2026-11-03T07:30:08.000Z] "- - HTTP/1.1" 400 DPE 0 11 46 - "-" "-" "-" "-" "-"',
      expect: { http_method: null, signal: { status: 400, marker: 'envoy_dpe' } },
    },
    {
      line: '{":authority":"mcp.example.com","bytes_received":171,"bytes_sent":0,"connection_termination_details":null,"downstream_local_address":"10.0.0.9:8443","downstream_remote_address":"198.51.100.71:44100","duration":12,"method":"GET","protocol":"HTTP/2","requested_server_name":"sni.example.com","response_code":404,"response_code_details":"route_not_found","response_flags":"NR","route_name":null,"start_time":"2026-11-03T07:30:00.210Z","upstream_cluster":null,"upstream_host":null,"user-agent":"node","x-envoy-origin-path":"/sse?x=1","x-envoy-upstream-service-time":null,"x-forwarded-for":"203.0.113.9","x-request-id":"c0ffee00-0000-4000-8000-000000000001","mcp-session-id":"s-1","mcp-protocol-version":"2025-11-25"}',
      expect: {
        ts: 1_793_691_000_210_000,
        duration_us: 12_000,
        address: '198.51.100.71',
        user_agent: 'node',
        authority: 'mcp.example.com',
        path: '/sse',
        attempts: 0,
        correlation: 'c0ffee00-0000-4000-8000-000000000001',
        signal: { status: 404, marker: 'envoy_nr', has_session: 'yes', protocol_version: '2025-11-25' },
      },
    },
    {
      line: '{"start_time":"2026-11-03T07:30:00.210Z","method":"POST","path":"/mcp","response_code":"429","response_flags":"RL","duration":"0","x-forwarded-for":"203.0.113.9","retry-after":"5","upstream_request_attempt_count":"0"}',
      expect: {
        address: '203.0.113.9',
        duration_us: 0,
        retry_after_ms: 5000,
        attempts: 0,
        signal: { status: 429, marker: 'envoy_rl' },
      },
    },
    {
      line: '{"start_time":"soon","method":"POST","path":"/mcp","response_code":200,"response_flags":"-"}',
      expect: { reject: 'bad_time' },
    },
    {
      line: '[2026-11-03T07:30:00.101Z] "POST /mcp HTTP/2" 200 - 166 1021 48 47 "192.0.2.60" "claude',
      expect: { reject: 'truncated' },
    },
    {
      line: '[2026-11-33T07:30:00.101Z] "POST /mcp HTTP/2" 200 - 166 1021 48 47 "-" "-" "-" "-" "-"',
      expect: { reject: 'bad_time' },
    },
  ],
};
