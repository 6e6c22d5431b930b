// Our own records, one object a line: what `stormgate classify` writes is an input again. Both directions live here.
import { SIGNAL_COLUMNS, UNKNOWN_SIGNAL, type AccessRecord, type Signal, type Verdict } from '../record.ts';
import type { Format, Origin, Parsed } from './format.ts';
import { explainBroken, isObject, parseObject, textOf } from './json-text.ts';
import { parseCode, parseCount, parseStatus } from './numbers.ts';
import { blankRecord } from './request.ts';
import { shareSignal } from './signal.ts';
import { formatTs, parseIso } from './time.ts';

/** Keys of a tagged request, in order. `signal` holds what the answer showed beyond the keys before it; unknown values are left out. */
export const TAGGED_KEYS = [
  'source',
  'line',
  'part',
  'format',
  'ts',
  'duration_us',
  'client',
  'client_address',
  'user_agent',
  'principal',
  'session',
  'authority',
  'http_method',
  'path',
  'status',
  'rpc_method',
  'rpc_name',
  'rpc_code',
  'tool_error',
  'protocol_version',
  'request_bytes',
  'response_bytes',
  'retry_after_ms',
  'attempts',
  'arguments_hash',
  'correlation',
  'kind',
  'reason',
  'advice',
  'confidence',
  'signal',
  'credential',
] as const;
export type Tagged = Record<(typeof TAGGED_KEYS)[number], unknown>;

/** Signal columns that have a key of their own. */
const TOP_LEVEL = new Set<keyof Signal>(['status', 'rpc_code', 'tool_error', 'protocol_version']);
const INNER = SIGNAL_COLUMNS.filter((column) => !TOP_LEVEL.has(column));

/** Returns a record with its verdict as the object that is written, its keys in order. */
export function toTagged(record: AccessRecord, origin: Origin, client: string, verdict: Verdict): Tagged {
  const { signal } = record;
  const shown = INNER.filter((column) => signal[column] !== UNKNOWN_SIGNAL[column]).map((column) => [column, signal[column]]);
  return {
    source: origin.source,
    line: origin.line,
    part: origin.part,
    format: origin.format,
    ts: record.ts === null ? null : formatTs(record.ts),
    duration_us: record.duration_us,
    client,
    client_address: record.address,
    user_agent: record.user_agent,
    principal: record.principal,
    session: record.session,
    authority: record.authority,
    http_method: record.http_method,
    path: record.path,
    status: signal.status,
    rpc_method: record.rpc_method,
    rpc_name: record.rpc_name,
    rpc_code: signal.rpc_code,
    tool_error: signal.tool_error === 'unknown' ? null : signal.tool_error === 'yes',
    protocol_version: signal.protocol_version,
    request_bytes: record.request_bytes,
    response_bytes: record.response_bytes,
    retry_after_ms: record.retry_after_ms,
    attempts: record.attempts,
    arguments_hash: record.arguments_hash,
    correlation: record.correlation,
    kind: verdict.kind,
    reason: verdict.reason,
    advice: verdict.advice,
    confidence: verdict.confidence,
    signal: shown.length === 0 ? null : Object.fromEntries(shown),
    credential: record.credential,
  };
}

/** Returns whether an object is a tagged request. */
export function isTagged(object: Record<string, unknown>): boolean {
  return 'client_address' in object && 'http_method' in object && 'rpc_method' in object && 'line' in object;
}

function parse(line: string): Parsed {
  if (line.charCodeAt(0) !== 123 || !line.includes('"client_address":')) return 'foreign';
  const object = parseObject(line);
  if (object === null) return 'foreign';
  if (object === 'broken') return line.startsWith('{"source":') ? explainBroken(line) : 'foreign';
  if (!isTagged(object)) return 'foreign';
  const stamp = object['ts'];
  const ts = typeof stamp === 'string' ? parseIso(stamp) : null;
  if (ts === null && stamp !== null && stamp !== undefined) return { reject: 'bad_time' };
  const status = object['status'];
  if (status !== null && status !== undefined && parseStatus(status) === null) return { reject: 'bad_status' };
  const record = blankRecord();
  record.ts = ts?.us ?? null;
  for (const key of TEXTS) record[key] = textOf(object[key]) || null;
  record.address = textOf(object['client_address']) || null;
  for (const key of COUNTS) record[key] = parseCount(object[key]);
  record.signal = readSignal(object);
  return { records: [record], origin: readOrigin(object) };
}

function readOrigin(object: Record<string, unknown>): Origin {
  return {
    source: textOf(object['source']),
    line: parseCount(object['line']) ?? 0,
    part: parseCount(object['part']) ?? 0,
    format: textOf(object['format']),
  };
}

const TEXTS = [
  'user_agent',
  'principal',
  'session',
  'authority',
  'http_method',
  'path',
  'rpc_method',
  'rpc_name',
  'arguments_hash',
  'correlation',
  'credential',
] as const satisfies readonly (keyof AccessRecord)[];
const COUNTS = [
  'duration_us',
  'request_bytes',
  'response_bytes',
  'retry_after_ms',
  'attempts',
] as const satisfies readonly (keyof AccessRecord)[];

function readSignal(object: Record<string, unknown>): Signal {
  const signal: Signal = { ...UNKNOWN_SIGNAL };
  const inner = object['signal'];
  if (isObject(inner)) {
    for (const column of INNER) {
      const value = inner[column];
      if (typeof value === 'string' || typeof value === 'number') Object.assign(signal, { [column]: value });
    }
  }
  signal.status = parseStatus(object['status']);
  signal.rpc_code = parseCode(object['rpc_code']);
  if (signal.rpc_code !== null && signal.rpc_outcome === 'unknown') signal.rpc_outcome = 'error';
  if (typeof object['tool_error'] === 'boolean') signal.tool_error = object['tool_error'] ? 'yes' : 'no';
  signal.protocol_version = (textOf(object['protocol_version']) || null) as Signal['protocol_version'];
  return shareSignal(signal);
}

export const tagged: Format = {
  name: 'tagged',
  title: 'tagged requests of `stormgate classify`',
  spec: 'https://github.com/ndjson/ndjson-spec',
  time: 'start',
  parse,
  samples: [
    {
      line: '{"source":"access.log","line":3,"part":0,"format":"combined","ts":"2026-10-12T07:14:04.000000Z","duration_us":null,"client":"198.51.100.23 node","client_address":"198.51.100.23","user_agent":"node","principal":null,"session":null,"authority":null,"http_method":"POST","path":"/mcp/mcp","status":404,"rpc_method":null,"rpc_name":null,"rpc_code":null,"tool_error":null,"protocol_version":null,"request_bytes":null,"response_bytes":153,"retry_after_ms":null,"attempts":null,"arguments_hash":null,"correlation":null,"kind":"interface_not_declared","reason":"path_undeclared","advice":"ROUTE_ELSEWHERE_OR_ABSTAIN","confidence":"certain","signal":null,"credential":null}',
      expect: {
        ts: 1_791_789_244_000_000,
        address: '198.51.100.23',
        user_agent: 'node',
        http_method: 'POST',
        path: '/mcp/mcp',
        response_bytes: 153,
        signal: { status: 404 },
      },
    },
    {
      line: '{"source":"gateway.log","line":4,"part":1,"format":"caddy","ts":null,"duration_us":3000,"client":"user:0123456789abcdef","client_address":null,"user_agent":null,"principal":"user:0123456789abcdef","session":"0f0e0d0c0b0a0908","authority":"mcp.example.com","http_method":"POST","path":"/mcp","status":200,"rpc_method":"tools/call","rpc_name":"search","rpc_code":null,"tool_error":true,"protocol_version":"2025-11-25","request_bytes":1,"response_bytes":2,"retry_after_ms":null,"attempts":0,"arguments_hash":"a69fbbcf7209c6f6","correlation":"7","kind":"semantic","reason":"tool_error","advice":"ABSTAIN","confidence":"certain","signal":{"rpc_outcome":"result","wording":"none","has_session":"yes"},"credential":"query parameter token"}',
      expect: {
        ts: null,
        principal: 'user:0123456789abcdef',
        session: '0f0e0d0c0b0a0908',
        attempts: 0,
        credential: 'query parameter token',
        signal: { rpc_outcome: 'result', tool_error: 'yes', wording: 'none', has_session: 'yes', retry_after: 'unknown' },
      },
    },
    {
      line: '{"source":"access.log","line":3,"part":0,"format":"combined","ts":"yesterday","client_address":"198.51.100.23","http_method":"POST","path":"/mcp","status":404,"rpc_method":null}',
      expect: { reject: 'bad_time' },
    },
    {
      line: '{"source":"access.log","line":3,"part":0,"format":"combined","ts":null,"client_address":"198.51',
      expect: { reject: 'truncated' },
    },
  ],
};
