// Cloudflare Logpush: HTTP requests as the edge saw them, and what MCP server portals passed on.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { normalizeKey, readHeaders, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { principalOf, sessionOf } from './identity.ts';
import { isObject, objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readRpcMethod, readRpcName, readTarget, readUserAgent } from './request.ts';
import { withSignal, wordingOf } from './signal.ts';
import { parseStamp, startOf, type Stamp } from './time.ts';

function isHttpRequest(object: Record<string, unknown>): boolean {
  return (
    'ClientRequestMethod' in object && ('EdgeStartTimestamp' in object || 'RayID' in object || 'EdgeResponseStatus' in object)
  );
}

function isPortal(object: Record<string, unknown>): boolean {
  return (
    'Datetime' in object && 'Method' in object && ('PortalID' in object || 'ServerURL' in object || 'ToolCallName' in object)
  );
}

/** Returns whether an object is a line of one of the two datasets. */
export function isCloudflare(object: Record<string, unknown>): boolean {
  return isHttpRequest(object) || isPortal(object);
}

const parseHttpRequest = objectParser('"ClientRequestMethod"', isHttpRequest, readHttpRequest);
const parsePortal = objectParser('"Datetime"', isPortal, readPortal);

function parse(line: string, context: ParseContext): Parsed {
  const parsed = parseHttpRequest(line, context);
  return parsed === 'foreign' ? parsePortal(line, context) : parsed;
}

/** Each job chooses nanoseconds, seconds or RFC 3339; nanoseconds are more digits than a number holds, so they are read from the text. */
function stampOf(object: Record<string, unknown>, key: string, line: string, { timeZone }: ParseContext): Stamp | null {
  const value = object[key];
  if (typeof value !== 'number' || value < Number.MAX_SAFE_INTEGER) return parseStamp(value, timeZone);
  const at = line.indexOf(`"${key}"`);
  const digits = at === -1 ? undefined : /^\s*:\s*(\d{16,19})\b/.exec(line.slice(at + key.length + 2, at + key.length + 40))?.[1];
  return parseStamp(digits ?? value, timeZone);
}

function readHttpRequest(object: Record<string, unknown>, context: ParseContext, line: string): Parsed {
  const text = (key: string): string => textOf(object[key]);
  const start = stampOf(object, 'EdgeStartTimestamp', line, context);
  const end = stampOf(object, 'EdgeEndTimestamp', line, context);
  const record = blankRecord();
  record.duration_us = durationIn(object, start, end);
  if (start === null && end === null) {
    if ('EdgeStartTimestamp' in object || 'EdgeEndTimestamp' in object) return { reject: 'bad_time' };
  } else record.ts = start?.us ?? (end === null ? null : startOf(end, record.duration_us));

  record.http_method = parseMethod(text('ClientRequestMethod'));
  const target = text('ClientRequestURI') || text('ClientRequestPath');
  if (target !== '') readTarget(record, target);
  record.authority = parseAuthority(text('ClientRequestHost'), text('ClientRequestScheme') || null) ?? record.authority;
  readUserAgent(record, text('ClientRequestUserAgent'));
  const status = parseStatus(object['EdgeResponseStatus']);
  record.signal = withSignal(record.signal, 'status', status);
  // Headers that operators ask for as custom fields.
  if (isObject(object['RequestHeaders'])) readHeaders(record, object['RequestHeaders'], REQUEST_HEADERS);
  if (isObject(object['ResponseHeaders'])) readHeaders(record, object['ResponseHeaders'], RESPONSE_HEADERS);
  record.address = parseAddress(text('ClientIP'));
  record.request_bytes = parseCount(object['ClientRequestBytes']);
  record.response_bytes = parseCount(object['EdgeResponseBodyBytes'] ?? object['EdgeResponseBytes']);
  record.attempts = attemptsOf(object, status);
  record.correlation = text('RayID').toLowerCase() || null;
  const code = errorCodeOf(object);
  if (code !== null) record.signal = withSignal(record.signal, 'marker', `cloudflare_${code}`);
  return { records: [record] };
}

function durationIn(object: Record<string, unknown>, start: Stamp | null, end: Stamp | null): number | null {
  const toFirstByte = parseDuration(object['EdgeTimeToFirstByteMs'], 'ms');
  const isExact = start !== null && end !== null && Math.max(start.resolution_us, end.resolution_us) < 1_000_000;
  if (isExact && end.us >= start.us) return end.us - start.us;
  return toFirstByte;
}

/** An origin status of 0 means that the origin was not asked, or that it gave no answer, which the 52x statuses say. */
function attemptsOf(object: Record<string, unknown>, status: number | null): number | null {
  if (!('OriginResponseStatus' in object)) return null;
  return parseStatus(object['OriginResponseStatus']) !== null || (status !== null && status >= 520 && status <= 530) ? 1 : 0;
}

/** Returns the code of the page that the client was shown, which rules and rate limits imply, or null. */
function errorCodeOf(object: Record<string, unknown>): number | null {
  const actions = [
    object['SecurityAction'],
    object['WAFAction'],
    object['FirewallMatchesActions'],
    object['SecurityActions'],
  ].flat();
  const names = actions.map((action) => normalizeKey(textOf(action)));
  if (names.includes('ratelimit')) return 1015;
  const sources = [object['SecuritySources'], object['FirewallMatchesSources']]
    .flat()
    .map((source) => normalizeKey(textOf(source)));
  const isBlocked = names.some((name) => name === 'block' || name === 'drop');
  if (!isBlocked) return null;
  return sources.includes('ratelimit') ? 1015 : 1020;
}

/** Portal logs are about RPC alone: no HTTP status, no path. */
function readPortal(object: Record<string, unknown>, context: ParseContext, line: string): Parsed {
  const text = (key: string): string => textOf(object[key]);
  const start = stampOf(object, 'Datetime', line, context);
  if (start === null) return { reject: 'bad_time' };
  const record: AccessRecord = blankRecord();
  record.ts = start.us;
  record.duration_us = parseDuration(object['ServerResponseDurationMs'], 'ms');
  record.address = parseAddress(text('ClientIP'));
  record.principal = principalOf('user', text('UserID') || text('UserEmail'));
  record.session = sessionOf(text('SessionID'));
  readRpcMethod(record, text('Method'));
  readRpcName(record, text('ToolCallName') || text('PromptGetName') || text('ResourceReadURI'));
  let { signal } = record;
  if (record.session !== null) signal = withSignal(signal, 'has_session', 'yes');
  if (typeof object['Success'] === 'boolean') signal = withSignal(signal, 'rpc_outcome', object['Success'] ? 'result' : 'error');
  const code = /(?<![\d-])-3\d{4}(?!\d)/.exec(text('Error').slice(0, 1024))?.[0];
  if (code !== undefined) signal = withSignal(signal, 'rpc_code', Number(code));
  if (text('Error') !== '') signal = withSignal(signal, 'wording', wordingOf(text('Error')));
  record.signal = signal;
  return { records: [record] };
}

export const cloudflare: Format = {
  name: 'cloudflare',
  title: 'Cloudflare Logpush, http_requests and mcp_portal_logs',
  spec: 'https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/',
  time: 'start',
  parse,
  samples: [
    {
      line: '{"ClientIP":"203.0.113.160","ClientRequestHost":"mcp.example.com","ClientRequestMethod":"POST","ClientRequestProtocol":"HTTP/2","ClientRequestURI":"/mcp?a=b","ClientRequestUserAgent":"claude-code/2.0.1","ClientRequestBytes":812,"EdgeStartTimestamp":"2026-11-13T01:00:00Z","EdgeEndTimestamp":"2026-11-13T01:00:00Z","EdgeResponseStatus":429,"EdgeResponseBytes":190,"OriginResponseStatus":0,"OriginResponseDurationMs":0,"CacheCacheStatus":"unknown","RayID":"9A0000000000A001","SecurityAction":"rateLimit"}',
      expect: {
        ts: 1_794_531_600_000_000,
        duration_us: null,
        address: '203.0.113.160',
        user_agent: 'claude-code/2.0.1',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        request_bytes: 812,
        response_bytes: 190,
        attempts: 0,
        correlation: '9a0000000000a001',
        signal: { status: 429, marker: 'cloudflare_1015' },
      },
    },
    {
      line: '{"ClientIP":"2001:db8::a0","ClientRequestHost":"mcp.example.com:8443","ClientRequestScheme":"https","ClientRequestMethod":"POST","ClientRequestURI":"/mcp","ClientRequestUserAgent":"","EdgeStartTimestamp":1794531602100000123,"EdgeEndTimestamp":1794531602260000123,"EdgeResponseStatus":522,"EdgeResponseBytes":1500,"OriginResponseStatus":0,"RequestHeaders":{"mcp-method":"tools/call","mcp-name":"search","mcp-session-id":"s-1"},"ResponseHeaders":{"retry-after":"30"},"RayID":"9a0000000000a002"}',
      expect: {
        ts: 1_794_531_602_100_000,
        duration_us: 160_000,
        user_agent: null,
        authority: 'mcp.example.com:8443',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        retry_after_ms: 30_000,
        attempts: 1,
        signal: { status: 522, marker: null, has_session: 'yes' },
      },
    },
    {
      line: '{"ClientIP":"203.0.113.160","ClientRequestHost":"mcp.example.com","ClientRequestMethod":"GET","ClientRequestURI":"/.env","EdgeStartTimestamp":1794531602,"EdgeResponseStatus":403,"OriginResponseStatus":0,"SecurityAction":"block","SecuritySources":["firewallManaged"]}',
      expect: { ts: 1_794_531_602_000_000, signal: { status: 403, marker: 'cloudflare_1020' } },
    },
    {
      line: '{"ClientCountry":"de","ClientIP":"203.0.113.161","Datetime":"2026-11-13T01:00:05.25Z","Error":"MCP error -32602: unknown tool","Method":"tools/call","PortalID":"p-1","PromptGetName":"","ResourceReadURI":"","ServerID":"s-1","ServerResponseDurationMs":41,"ServerURL":"https://mcp.example.com/mcp","SessionID":"sess-1","Success":false,"ToolCallName":"list_isues","UserEmail":"alice@example.com","UserID":"u-1"}',
      expect: {
        ts: 1_794_531_605_250_000,
        duration_us: 41_000,
        address: '203.0.113.161',
        http_method: null,
        rpc_method: 'tools/call',
        rpc_name: 'list_isues',
        signal: { status: null, rpc_code: -32_602, rpc_outcome: 'error', has_session: 'yes', wording: 'none' },
      },
    },
    { line: '{"Datetime":"late","Method":"tools/list","PortalID":"p-1","Success":true}', expect: { reject: 'bad_time' } },
    {
      line: '{"ClientIP":"203.0.113.160","ClientRequestHost":"mcp.example.com","ClientRequestMethod":"POST","ClientReq',
      expect: { reject: 'truncated' },
    },
  ],
};
