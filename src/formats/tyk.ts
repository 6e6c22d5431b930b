// Tyk's access log: sorted `key=value` pairs or the same keys as JSON; MCP proxies add what was called.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { principalOf } from './identity.ts';
import { objectParser, textOf } from './json-text.ts';
import { readLogfmt } from './logfmt.ts';
import { parseCode, parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readRpcMethod, readRpcName, readTarget, readUserAgent } from './request.ts';
import { withSignal } from './signal.ts';
import { parseIso, parseYearless, startOf, type Stamp } from './time.ts';

type Fields = (key: string) => string;

/** Returns whether an object is a line of Tyk's access log. */
export function isTyk(object: Record<string, unknown>): boolean {
  return object['prefix'] === 'access-log' && ('api_id' in object || 'method' in object);
}

const parseJson = objectParser('"access-log"', isTyk, (object, { timeZone }) => {
  const end = parseIso(textOf(object['time']), timeZone);
  return end === null ? { reject: 'bad_time' } : toRecord((key) => textOf(object[key]), end);
});

function parse(line: string, context: ParseContext): Parsed {
  if (line.charCodeAt(0) === 123) return parseJson(line, context);
  if (!line.startsWith('time="')) return 'foreign';
  if (!line.includes(' prefix=access-log')) return 'foreign';
  const pairs = readLogfmt(line);
  return toRecord((key) => pairs.get(key) ?? '', parseText(pairs.get('time') ?? '', context));
}

/** The text log shows neither year nor zone. */
const YEARLESS = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d$/;

function parseText(text: string, context: ParseContext): Stamp | null | 'bad_time' {
  if (YEARLESS.test(text)) return parseYearless(text, context);
  return parseIso(text, context.timeZone) ?? 'bad_time';
}

function toRecord(field: Fields, end: Stamp | null | 'bad_time'): Parsed {
  if (end === 'bad_time') return { reject: 'bad_time' };
  if (field('method') === '') return { reject: 'bad_fields' };
  const status = parseStatus(field('status'));
  if (status === null && /^\D|^\d{4}/.test(field('status'))) return { reject: 'bad_status' };

  const record = blankRecord();
  record.address = parseAddress(field('client_ip')) ?? parseAddress(field('remote_addr'));
  record.principal = principalOf('key', field('api_key'));
  record.http_method = parseMethod(field('method'));
  if (field('path') !== '') readTarget(record, field('path'));
  record.authority = parseAuthority(field('host')) ?? record.authority;
  readUserAgent(record, field('user_agent'));
  readRpcMethod(record, field('mcp_method'));
  readRpcName(record, field('mcp_primitive_name'));
  record.signal = withSignal(record.signal, 'status', status);
  readCode(record, field('mcp_error_code'));
  record.duration_us = parseDuration(field('latency_total'), 'ms');
  record.response_bytes = parseCount(field('response_size'));
  record.attempts = field('upstream_addr') === '' ? 0 : 1;
  record.correlation = (field('trace_id') || field('request_id')).toLowerCase() || null;
  record.ts = end === null ? null : startOf(end, record.duration_us);
  return { records: [record] };
}

/** Only errors that the gateway itself made. */
function readCode(record: AccessRecord, text: string): void {
  const code = parseCode(text);
  if (code !== null) record.signal = withSignal(withSignal(record.signal, 'rpc_code', code), 'rpc_outcome', 'error');
}

export const tyk: Format = {
  name: 'tyk',
  title: 'Tyk access log, text and JSON',
  spec: 'https://tyk.io/docs/api-management/logs-metrics/',
  time: 'end',
  parse,
  samples: [
    {
      line: 'time="Nov 14 03:10:09" level=info api_id=0abc api_key=****beef api_name=mcp-demo api_type=mcp client_ip="203.0.113.31" host="mcp.example.com" latency_total=62 mcp_method="tools/call" mcp_primitive_name=search mcp_primitive_type=tool method=POST org_id=1 path=/mcp prefix=access-log protocol=HTTP/1.1 remote_addr="10.0.0.7:51344" status=200 upstream_addr="http://10.1.0.9:8000/mcp" upstream_latency=61 user_agent="claude-code/2.0.1 (\\"linux\\")"',
      expect: {
        ts: null,
        duration_us: 62_000,
        address: '203.0.113.31',
        user_agent: 'claude-code/2.0.1 ("linux")',
        authority: 'mcp.example.com',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        attempts: 1,
        signal: { status: 200, rpc_code: null },
      },
    },
    {
      line: '{"api_id":"0abc","api_key":"****beef","client_ip":"::1","host":"mcp.example.com","latency_total":1,"level":"info","mcp_error_code":-32601,"mcp_method":"tools/run","method":"POST","msg":"","path":"/mcp","prefix":"access-log","protocol":"HTTP/1.1","remote_addr":"[::1]:63251","status":404,"time":"2026-11-14T03:10:12+01:00","upstream_addr":"","user_agent":"node"}',
      expect: {
        ts: 1_794_622_212_000_000,
        address: '::1',
        rpc_method: 'tools/run',
        attempts: 0,
        signal: { status: 404, rpc_code: -32_601, rpc_outcome: 'error' },
      },
    },
    {
      line: 'time="Nov  4 03:10:13" level=info api_id=0abc client_ip="2001:db8::31" latency_total=3 method=GET path=/x prefix=access-log',
      expect: { address: '2001:db8::31', path: '/x', signal: { status: null } },
    },
    {
      line: 'time="Nov 14 03:10:14" level=info method=GET path=/ prefix=access-log status=abc',
      expect: { reject: 'bad_status' },
    },
    { line: '{"api_id":"0abc","prefix":"access-log","method":"GET","pa', expect: { reject: 'truncated' } },
  ],
};
