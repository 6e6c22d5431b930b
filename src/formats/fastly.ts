// Fastly's default JSON log of edge requests; what customers add to it is their own.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { normalizeKey, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget, readUserAgent } from './request.ts';
import { withSignal } from './signal.ts';
import { parseStamp } from './time.ts';

/** Returns whether an object is a line of Fastly's default layout. */
export function isFastly(object: Record<string, unknown>): boolean {
  return ('fastly_server' in object || 'fastly_is_edge' in object || 'response_state' in object) && 'response_status' in object;
}

function read(object: Record<string, unknown>, { timeZone }: ParseContext): Parsed {
  const text = (key: string): string => textOf(object[key]);
  const start = parseStamp(object['timestamp'], timeZone);
  if (start === null) return { reject: 'bad_time' };
  if (text('request_method') === '') return { reject: 'bad_fields' };

  const record = blankRecord();
  record.ts = start.us;
  record.address = parseAddress(text('client_ip'));
  record.http_method = parseMethod(text('request_method'));
  if (text('url') !== '') readTarget(record, text('url'));
  record.authority = parseAuthority(text('host')) ?? record.authority;
  readUserAgent(record, text('request_user_agent'));
  record.signal = withSignal(record.signal, 'status', parseStatus(object['response_status']));
  record.request_bytes = parseCount(object['request_body_size']);
  record.response_bytes = parseCount(object['response_body_size']);
  record.duration_us = parseDuration(object['time_elapsed'] ?? object['time_elapsed_usec'], 'us');
  record.attempts = attemptsOf(text('response_state'));
  readAdded(record, object);
  return { records: [record] };
}

/** Headers that a customer logs are named after them, such as `request_mcp_method`. */
function readAdded(record: AccessRecord, object: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(object)) {
    const name = normalizeKey(key);
    const reader = name.startsWith('re') ? readerOf(name) : undefined;
    if (reader !== undefined && typeof value === 'string') reader(record, value);
  }
}

function readerOf(name: string): ((record: AccessRecord, value: string) => void) | undefined {
  const header = name.replace(/^re[a-z]+?(?:http)?(?=mcp|a2a|retry|allow|www|lastevent)/, '');
  return name.startsWith('req') ? REQUEST_HEADERS.get(header) : RESPONSE_HEADERS.get(header);
}

/** `fastly_info.state`: whether the answer came from the edge, perhaps with more words behind. */
function attemptsOf(state: string): number | null {
  if (/^(?:HIT|ERROR)/.test(state)) return 0;
  return /^(?:MISS|PASS)/.test(state) ? 1 : null;
}

export const fastly: Format = {
  name: 'fastly',
  title: 'Fastly, default JSON layout',
  spec: 'https://www.fastly.com/documentation/guides/integrations/logging/',
  time: 'start',
  parse: objectParser('"response_status"', isFastly, read),
  samples: [
    {
      line: '{"timestamp":"2026-11-15T12:00:12+0000","client_ip":"198.51.100.64","geo_country":"example","host":"mcp.example.com","url":"/mcp?x=1","request_method":"POST","request_protocol":"HTTP/2","request_referer":"","request_user_agent":"node","request_mcp_method":"tools/call","request_mcp_name":"search","response_state":"PASS","response_status":429,"response_retry_after":"7","response_reason":"Too Many Requests","response_body_size":153,"fastly_server":"cache-ex1","fastly_is_edge":true}',
      expect: {
        ts: 1_794_744_012_000_000,
        address: '198.51.100.64',
        authority: 'mcp.example.com',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        response_bytes: 153,
        retry_after_ms: 7000,
        attempts: 1,
        signal: { status: 429, retry_after: 'yes' },
      },
    },
    {
      line: '{"timestamp":"2026-11-15T12:00:13+0000","client_ip":"2001:db8::64","host":"mcp.example.com","url":"/","request_method":"GET","request_user_agent":"","response_state":"HIT-SYNTH","response_status":"404","response_body_size":"0"}',
      expect: { address: '2001:db8::64', user_agent: null, attempts: 0, response_bytes: 0, signal: { status: 404 } },
    },
    {
      line: '{"timestamp":"2026-11-15 12","client_ip":"198.51.100.64","request_method":"GET","response_state":"HIT","response_status":200}',
      expect: { reject: 'bad_time' },
    },
    {
      line: '{"timestamp":"2026-11-15T12:00:13+0000","client_ip":"198.51.100.64","response_state":"HIT","response_status":200,"req',
      expect: { reject: 'truncated' },
    },
  ],
};
