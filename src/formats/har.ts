// HAR 1.2: what a browser or an intercepting proxy saw, entry by entry, with the JSON-RPC that the bodies hold.
import type { AccessRecord } from '../record.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import {
  closeRequestHeaders,
  closeResponseHeaders,
  readHeaders,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type HeaderReader,
} from './headers.ts';
import { isObject, memberOf, objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget } from './request.ts';
import { withCalls } from './rpc-text.ts';
import { withSignal } from './signal.ts';
import { parseIso } from './time.ts';

type Members = Record<string, unknown>;

/** Returns whether an object is an archive, its `log`, or one entry of it. */
export function isHar(object: Members): boolean {
  return entriesOf(object) !== null || isEntry(object);
}

function isEntry(object: Members): boolean {
  return 'startedDateTime' in object && isObject(object['request']) && isObject(object['response']);
}

function entriesOf(object: Members): readonly unknown[] | null {
  const log = isObject(object['log']) ? object['log'] : object;
  const entries: unknown = log['entries'];
  return Array.isArray(entries) && ('creator' in log || 'version' in log) ? entries : null;
}

function read(object: Members, { timeZone }: ParseContext): Parsed {
  const entries = entriesOf(object);
  if (entries === null) {
    const records = readEntry(object, timeZone);
    return records === null ? { reject: 'bad_time' } : { records };
  }
  const records = entries.filter(isObject).flatMap((entry) => (isEntry(entry) ? (readEntry(entry, timeZone) ?? []) : []));
  if (records.length > 0) return { records };
  return entries.length === 0 ? 'other' : { reject: 'bad_fields' };
}

/** Returns the requests of an entry: one, or one for each message of a batch; null for one without a time. */
function readEntry(entry: Members, timeZone: string): AccessRecord[] | null {
  const start = parseIso(textOf(entry['startedDateTime']), timeZone);
  if (start === null) return null;
  const request = memberOf(entry, 'request');
  const response = memberOf(entry, 'response');
  const content = memberOf(response, 'content');

  const record = blankRecord();
  record.ts = start.us;
  record.duration_us = parseDuration(entry['time'], 'ms');
  record.http_method = parseMethod(textOf(request['method']));
  const url = textOf(request['url']);
  if (url !== '') readTarget(record, url);
  if (readList(record, request['headers'], REQUEST_HEADERS)) closeRequestHeaders(record);
  const status = parseStatus(response['status']);
  record.signal = withSignal(record.signal, 'status', status);
  if (status === null) record.signal = withSignal(record.signal, 'marker', 'no_answer');
  if (readList(record, response['headers'], RESPONSE_HEADERS)) closeResponseHeaders(record);
  record.request_bytes = parseCount(request['bodySize']);
  record.response_bytes = status === null ? null : (parseCount(response['bodySize']) ?? parseCount(content['size']));
  return withCalls(record, textOf(memberOf(request, 'postData')['text']), bodyOf(content));
}

function readList(record: AccessRecord, list: unknown, readers: ReadonlyMap<string, HeaderReader>): boolean {
  if (!Array.isArray(list) || list.length === 0) return false;
  const pairs = list.filter(isObject).map(({ name, value }): [string, string] => [textOf(name), textOf(value)]);
  readHeaders(record, Object.fromEntries(pairs), readers);
  return true;
}

function bodyOf(content: Members): string {
  const text = textOf(content['text']);
  return content['encoding'] === 'base64' ? Buffer.from(text, 'base64').toString() : text;
}

export const har: Format = {
  name: 'har',
  title: 'HAR 1.2 (browsers, mitmproxy)',
  spec: 'https://w3c.github.io/web-performance/specs/HAR/Overview.html',
  time: 'start',
  parse: objectParser('"startedDateTime"', isHar, read),
  samples: [
    {
      line: '{"log":{"version":"1.2","creator":{"name":"sample","version":"1"},"entries":[{"startedDateTime":"2026-11-25T09:00:00.125+01:00","time":41.2,"request":{"method":"POST","url":"https://mcp.example.com/mcp?a=b","httpVersion":"h2","headers":[{"name":"User-Agent","value":"agent/1"},{"name":"mcp-session-id","value":"s-7"}],"headersSize":-1,"bodySize":61,"postData":{"mimeType":"application/json","text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":3,\\"method\\":\\"tools/run\\"}"}},"response":{"status":404,"headers":[{"name":"content-type","value":"application/json"}],"content":{"size":83,"mimeType":"application/json","text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":3,\\"error\\":{\\"code\\":-32601,\\"message\\":\\"Method not found\\"}}"},"bodySize":83},"timings":{"send":1,"wait":39,"receive":1.2}}]}}',
      expect: {
        ts: 1_795_593_600_125_000,
        duration_us: 41_200,
        address: null,
        user_agent: 'agent/1',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/run',
        request_bytes: 61,
        response_bytes: 83,
        signal: { status: 404, rpc_code: -32_601, rpc_outcome: 'error', has_session: 'yes', retry_after: 'no' },
      },
    },
    {
      line: '{"startedDateTime":"2026-11-25T09:00:01.000+01:00","time":-1,"request":{"method":"POST","url":"https://mcp.example.com/mcp","headers":[],"bodySize":0},"response":{"status":0,"headers":[],"content":{"size":0},"bodySize":-1,"_error":"net::ERR_CONNECTION_RESET"}}',
      expect: { duration_us: null, request_bytes: 0, signal: { status: null, marker: 'no_answer', has_session: 'unknown' } },
    },
    {
      line: '{"startedDateTime":"2026-11-25T08:00:02Z","time":12,"request":{"method":"POST","url":"https://mcp.example.com/mcp","headers":[],"bodySize":-1,"postData":{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":\\"a\\",\\"method\\":\\"tools/call\\",\\"params\\":{\\"name\\":\\"query\\"}}"}},"response":{"status":200,"headers":[],"content":{"size":90,"mimeType":"text/event-stream","encoding":"base64","text":"ZXZlbnQ6IG1lc3NhZ2UKZGF0YTogeyJqc29ucnBjIjoiMi4wIiwiaWQiOiJhIiwicmVzdWx0Ijp7ImlzRXJyb3IiOnRydWV9fQoK"},"bodySize":-1,"_error":"net::ERR_ABORTED"}}',
      expect: {
        rpc_method: 'tools/call',
        rpc_name: 'query',
        request_bytes: null,
        response_bytes: 90,
        signal: { status: 200, rpc_outcome: 'result', tool_error: 'yes' },
      },
    },
    {
      line: '{"startedDateTime":"?","request":{"method":"GET","url":"https://mcp.example.com/"},"response":{"status":200}}',
      expect: { reject: 'bad_time' },
    },
    { line: '{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-11-25T09', expect: { reject: 'truncated' } },
  ],
};
