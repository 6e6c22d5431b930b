// ContextForge (mcp-context-forge): `Request completed` of its HTTP layer, as console text or as JSON, paired with the line before.
import type { AccessRecord } from '../record.ts';
import { parseAddress } from './address.ts';
import type { Format, Half, ParseContext, Parsed } from './format.ts';
import { principalOf } from './identity.ts';
import { memberOf, objectParser, textOf } from './json-text.ts';
import { parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget, readUserAgent } from './request.ts';
import { withSignal } from './signal.ts';
import { parseIso, parseStamp, startOf, type Stamp } from './time.ts';

type Members = Record<string, unknown>;

const MESSAGE = /^(?:\[http_gateway\] )?Request (started|completed|failed): ([A-Za-z]{1,32}) (\S+)(?: - (\d{3}|.{1,4096}))?$/;

/** Returns whether an object is a line of ContextForge's HTTP layer. */
export function isContextForge(object: Members): boolean {
  return MESSAGE.test(textOf(object['message'])) && ('asctime' in object || 'request_path' in object || 'component' in object);
}

const parseJson = objectParser('Request ', isContextForge, (object, { timeZone }) => {
  const stamp = parseStamp(object['@timestamp'], 'UTC') ?? parseStamp(object['timestamp'] ?? object['asctime'], timeZone);
  return stamp === null ? { reject: 'bad_time' } : toHalf(textOf(object['message']), stamp, object);
});

/** `2026-11-15T12:00:20 - mcpgateway.x - INFO - `. */
const HEAD = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[,.]\d{1,6})?) - [\w.]{1,128} - [A-Z]{4,8} - /;

function parse(line: string, context: ParseContext): Parsed {
  if (line.charCodeAt(0) === 123) return parseJson(line, context);
  const mark = line.indexOf('[http_gateway] Request ');
  if (mark === -1 || mark > 256) return 'foreign';
  const head = HEAD.exec(line);
  if (head?.[0].length !== mark) return 'foreign';
  const stamp = parseIso(head[1] ?? '', context.timeZone);
  return stamp === null ? { reject: 'bad_time' } : toHalf(line.slice(mark), stamp, {});
}

function toHalf(message: string, stamp: Stamp, object: Members): Parsed {
  const match = MESSAGE.exec(message);
  if (match === null) return { reject: 'bad_fields' };
  const [, event = '', method = '', target = '', answer = ''] = match;
  const record = blankRecord();
  record.http_method = parseMethod(method);
  readTarget(record, target);
  readObject(record, object);
  const side: Half['side'] = event === 'started' ? 'request' : 'response';
  if (side === 'response') {
    record.signal = withSignal(record.signal, 'status', parseStatus(object['response_status_code']) ?? parseStatus(answer));
    record.duration_us = parseDuration(object['duration_ms'], 'ms');
  }
  // The answer of a pair gives its own moment, that of a single line the start.
  record.ts = side === 'request' || record.duration_us === null ? stamp.us : startOf(stamp, record.duration_us);
  const key = `${record.correlation ?? ''} ${method} ${target}`;
  return { halves: [{ key, side, isOrdered: true, record }] };
}

function readObject(record: AccessRecord, object: Members): void {
  record.address = parseAddress(textOf(object['client_ip']));
  record.principal = principalOf('user', textOf(object['user_id']) || textOf(object['user_email']));
  readUserAgent(record, textOf(object['user_agent']));
  const ids = [object['correlation_id'], object['request_id'], memberOf(object, 'metadata')['request_id'], object['trace_id']];
  record.correlation =
    ids
      .map(textOf)
      .find((id) => id !== '')
      ?.toLowerCase() ?? null;
}

export const contextforge: Format = {
  name: 'contextforge',
  title: 'IBM ContextForge (mcp-context-forge), console and JSON',
  spec: 'https://ibm.github.io/mcp-context-forge/manage/logging/',
  time: 'end',
  parse,
  samples: [
    {
      line: '{"asctime":"2026-11-15T13:00:20","name":"mcpgateway.http","levelname":"WARNING","message":"[http_gateway] Request completed: POST /mcp - 404","@timestamp":"2026-11-15T12:00:20.500000Z","hostname":"gw-0","process_id":7,"correlation_id":"C0FFEE","component":"http_gateway","request_method":"POST","request_path":"/mcp","response_status_code":404,"duration_ms":12.5,"client_ip":"198.51.100.66","user_agent":"node","user_email":"alice","metadata":{"event":"request_completed"}}',
      expect: {
        ts: 1_794_744_020_487_500,
        duration_us: 12_500,
        address: '198.51.100.66',
        user_agent: 'node',
        principal: 'user:2bd806c97f0e00af',
        http_method: 'POST',
        path: '/mcp',
        correlation: 'c0ffee',
        signal: { status: 404 },
      },
    },
    {
      line: '2026-11-15 12:00:21,123 - mcpgateway.services.structured_logger - INFO - [http_gateway] Request started: GET /servers/1/sse',
      expect: { ts: 1_794_744_021_123_000, path: '/servers/1/sse', signal: { status: null } },
    },
    {
      line: '2026-11-15T12:00:22 - mcpgateway.services.structured_logger - ERROR - [http_gateway] Request failed: GET /servers/1/sse - connection lost',
      expect: { ts: 1_794_744_022_000_000, duration_us: null, signal: { status: null } },
    },
    {
      line: '2026-11-35T12:00:22 - mcpgateway.services.structured_logger - INFO - [http_gateway] Request started: GET /x',
      expect: { reject: 'bad_time' },
    },
    {
      line: '{"asctime":"2026-11-15T13:00:20","message":"[http_gateway] Request completed: POST /m',
      expect: { reject: 'truncated' },
    },
  ],
};
