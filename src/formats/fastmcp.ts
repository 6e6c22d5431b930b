// FastMCP's logging, timing and retry middleware: lines about RPC methods, usually without stamp, client or tool name.
import type { AccessRecord } from '../record.ts';
import type { Format, Half, ParseContext, Parsed } from './format.ts';
import { argumentsHash } from './identity.ts';
import { isObject, objectParser, textOf } from './json-text.ts';
import { parseDuration } from './numbers.ts';
import { blankRecord, readRpcMethod, readRpcName } from './request.ts';
import { withSignal, wordingOf } from './signal.ts';
import { parseStamp } from './time.ts';

type Members = Record<string, unknown>;

const EVENT = /^(request|notification)_(start|success|error)$/;

/** Returns whether an object is a line of the structured logging middleware. */
export function isFastmcp(object: Members): boolean {
  return EVENT.test(textOf(object['event'])) && typeof object['method'] === 'string';
}

const parseJson = objectParser('"event"', isFastmcp, (object, { timeZone }) => {
  const parsed = toHalf(textOf(object['event']), textOf(object['method']), textOf(object['duration_ms']), {
    payload: textOf(object['payload']),
    error: textOf(object['error'] ?? object['error_message']),
  });
  // Every line of a request bears the moment it came in.
  const ts = parseStamp(object['timestamp'], timeZone)?.us ?? null;
  for (const { side, record } of parsed.halves) if (side !== 'response') record.ts = ts;
  return parsed;
});

const TEXT = /event=(request|notification)_(start|success|error) method=([\w/$.-]{1,128})(?: source=\w{1,32})?/;
const OLD = /(Processing|Completed|Failed) message: (?:source=\w{1,32} type=(\w{1,32}) method=)?([\w/$.-]{1,128})/;
const TIMING =
  /Request ([\w$.-]{1,64}(?:\/[\w$./-]{1,64})?) (completed in|failed after) (\d{1,12}(?:\.\d{1,9})?)ms(?:: (.*)| {1,200}[\w.]{1,64}:\d{1,6})?$/s;
const RETRY = /Request ([\w$.-]{1,64}(?:\/[\w$./-]{1,64})?) failed \(attempt (\d{1,3})\/\d{1,3}\)(?:: (.*))?$/s;

function parse(line: string, context: ParseContext): Parsed {
  if (line.charCodeAt(0) === 123) return parseJson(line, context);
  if (line.includes('event=request_') || line.includes('event=notification_')) return parseEvent(line);
  if (line.includes(' message: ')) return parseOld(line);
  return line.includes('Request ') ? parseTiming(line) : 'foreign';
}

function parseEvent(line: string): Parsed {
  const match = TEXT.exec(line);
  if (match === null) return 'foreign';
  const rest = line.slice(match.index + match[0].length);
  const [, kind = '', step = '', method = ''] = match;
  return toHalf(`${kind}_${step}`, method, valueOf(rest, 'duration_ms'), {
    payload: rest.slice(rest.indexOf(' payload=') + 1, endOfPayload(rest)).replace(/^payload=/, ''),
    error: rest.slice(rest.includes(' error=') ? rest.indexOf(' error=') + 7 : rest.length),
  });
}

function valueOf(rest: string, key: string): string {
  const at = rest.indexOf(` ${key}=`);
  return at === -1 ? '' : (/^[\d.]{1,24}/.exec(rest.slice(at + key.length + 2, at + key.length + 40))?.[0] ?? '');
}

function endOfPayload(rest: string): number {
  if (!rest.includes(' payload=')) return 0;
  const type = rest.lastIndexOf(' payload_');
  return type === -1 ? rest.length : rest.indexOf(' payload_');
}

/** What releases before 2.13 wrote. */
function parseOld(line: string): Parsed {
  const match = OLD.exec(line);
  if (match === null) return 'foreign';
  const [, word = '', type = 'request', method = ''] = match;
  const step = word === 'Processing' ? 'start' : word === 'Completed' ? 'success' : 'error';
  const kind = type === 'notification' || method.startsWith('notifications/') ? 'notification' : 'request';
  const rest = line.slice(match.index + match[0].length);
  const payload = rest.startsWith(' payload=') ? rest.slice(9) : '';
  return toHalf(`${kind}_${step}`, method, '', { payload, error: step === 'error' ? rest : '' });
}

function toHalf(
  event: string,
  method: string,
  duration_ms: string,
  { payload, error }: { payload: string; error: string },
): { halves: Half[] } {
  const [, kind, step] = EVENT.exec(event) ?? [];
  const record = blankRecord();
  readRpcMethod(record, method);
  if (payload !== '') readPayload(record, payload);
  if (kind === 'notification') return step === 'start' ? halves(method, 'notification', record) : { halves: [] };
  if (step === 'start') return halves(method, 'request', record);
  record.duration_us = parseDuration(duration_ms, 'ms');
  readOutcome(record, step === 'error', error);
  return halves(method, 'response', record);
}

function halves(key: string, side: Half['side'], record: AccessRecord): { halves: Half[] } {
  return { halves: [{ key, side, isOrdered: true, record }] };
}

/** A payload may be cut; then its name is still at its beginning. */
function readPayload(record: AccessRecord, payload: string): void {
  try {
    const params: unknown = JSON.parse(payload);
    if (!isObject(params)) return;
    readRpcName(record, textOf(params['name'] ?? params['uri']));
    record.arguments_hash = argumentsHash(params['arguments']);
  } catch {
    readRpcName(record, /"(?:name|uri)":"([^"\\]{1,256})"/.exec(payload.slice(0, 1024))?.[1] ?? '');
  }
}

function readOutcome(record: AccessRecord, isError: boolean, error: string): void {
  record.signal = withSignal(record.signal, 'rpc_outcome', isError ? 'error' : 'result');
  if (isError) record.signal = withSignal(record.signal, 'wording', wordingOf(error));
}

/** A line that tells of a whole request, or of one try of it. */
function parseTiming(line: string): Parsed {
  const timing = TIMING.exec(line);
  const [, method = '', word = '', number = '', error = ''] = timing ?? RETRY.exec(line) ?? [];
  if (method === '' || !(method.includes('/') || method === 'initialize' || method === 'ping')) return 'foreign';
  // Further tries of a request that the first told of.
  if (timing === null && word !== '1') return { halves: [] };
  const record = blankRecord();
  readRpcMethod(record, method);
  if (timing !== null) record.duration_us = parseDuration(number, 'ms');
  readOutcome(record, word !== 'completed in', timing === null ? number : error);
  return { records: [record] };
}

/** Where the logging middleware speaks too, timing and retry lines tell of requests that are counted already. */
function open(context: ParseContext): (line: string) => Parsed {
  let hasEvents = false;
  return (line) => {
    const parsed = parse(line, context);
    if (typeof parsed !== 'object') return parsed;
    hasEvents ||= 'halves' in parsed && parsed.halves.length > 0;
    return hasEvents && 'records' in parsed ? { halves: [] } : parsed;
  };
}

export const fastmcp: Format = {
  name: 'fastmcp',
  title: 'FastMCP logging, timing and retry middleware',
  spec: 'https://gofastmcp.com/servers/middleware',
  time: 'start',
  parse,
  open,
  samples: [
    {
      line: 'event=request_start method=tools/call source=client payload={"name":"query","arguments":{"q":"x"}} payload_type=CallToolRequestParams payload_length=42',
      expect: { ts: null, rpc_method: 'tools/call', rpc_name: 'query', arguments_hash: argumentsHash({ q: 'x' }) },
    },
    {
      line: 'event=request_success method=tools/call source=client duration_ms=0.02',
      expect: { duration_us: 20, signal: { rpc_outcome: 'result' } },
    },
    {
      line: '[11/17/26 22:10:41] ERROR    event=request_error method=resources/read source=client duration_ms=1.5 error=Session terminated: a=b   logging.py:99',
      expect: { rpc_method: 'resources/read', duration_us: 1500, signal: { rpc_outcome: 'error', wording: 'session' } },
    },
    {
      line: '{"event": "request_start", "timestamp": "2026-11-15T12:00:40.250000+00:00", "source": "client", "type": "request", "method": "tools/list"}',
      expect: { ts: 1_794_744_040_250_000, rpc_method: 'tools/list' },
    },
    {
      line: 'Failed message: tools/run - Unknown method',
      expect: { rpc_method: 'tools/run', signal: { rpc_outcome: 'error', wording: 'none' } },
    },
    {
      line: 'Request prompts/get failed after 1.23ms: rate limit',
      expect: { duration_us: 1230, signal: { wording: 'throttle' } },
    },
    { line: 'Request tools/call failed (attempt 1/4): TimeoutError: x', expect: { signal: { rpc_outcome: 'error' } } },
    {
      line: 'event=notification_start method=notifications/initialized source=client',
      expect: { rpc_method: 'notifications/initialized' },
    },
    { line: '{"event": "request_start", "method": "tools/call", "sour', expect: { reject: 'truncated' } },
  ],
};
