import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../src/formats/detect.ts';
import type { Format, Parsed } from '../../src/formats/format.ts';
import { FORMATS } from '../../src/formats/index.ts';
import { columnsIn } from '../../src/formats/w3c-columns.ts';

const { w3c, cloudfront } = FORMATS;

function readAll(format: Format, lines: readonly string[], timeZone = 'UTC'): Parsed[] {
  const read = format.open?.({ timeZone });
  return lines.map((line) => read?.(line) ?? 'foreign');
}

test('columns are announced in any case, between blanks or tabs, at times in quotes', () => {
  expect(columnsIn('#Fields: date time c-ip cs(User-Agent)')).toEqual(['date', 'time', 'c-ip', 'cs(user-agent)']);
  expect(columnsIn('#fields:\tdate\tsc-status')).toEqual(['date', 'sc-status']);
  expect(columnsIn('"#Fields: date time"')).toEqual(['date', 'time']);
  expect(columnsIn('#Date: 2026-11-12 05:00:00')).toBeUndefined();
});

describe('lines of IIS', () => {
  test('columns hold until others are announced', () => {
    const parsed = readAll(w3c, [
      '#Fields: date time cs-method cs-uri-stem sc-status time-taken c-ip',
      '2026-11-12 05:00:07 POST /mcp 404 30 198.51.100.140',
      '#Fields: time date c-ip sc-status cs-method cs-uri-stem cs(Mcp-Method) sc(Retry-After)',
      '05:00:08 2026-11-12 2001:db8::1 429 POST /mcp tools/list 7',
    ]);
    expect(parsed[1]).toMatchObject({ records: [{ path: '/mcp', address: '198.51.100.140', duration_us: 30_000 }] });
    const second = { rpc_method: 'tools/list', retry_after_ms: 7000, address: '2001:db8::1', signal: { status: 429 } };
    expect(parsed[3]).toMatchObject({ records: [second] });
    expect([parsed[0], parsed[2]]).toEqual(['other', 'other']);
  });

  test('a log of times alone takes the day of its `#Date:`', () => {
    const parsed = readAll(w3c, [
      '#Date: 2026-11-12 00:00:00',
      '#Fields: time c-ip cs-method cs-uri-stem sc-status',
      '05:00:07 198.51.100.140 GET / 200',
    ]);
    expect(parsed[2]).toMatchObject({ records: [{ ts: 1_794_459_607_000_000 }] });
  });

  test('local columns are read in the zone that was given, the others are UTC', () => {
    const lines = [
      '#Fields: date-local time-local c-ip cs-method cs-uri-stem sc-status',
      '2026-11-12 06:00:07.000 "198.51.100.140" GET "/a b" 200',
      '#Fields: date time c-ip cs-method cs-uri-stem sc-status',
      '2026-11-12 05:00:07 198.51.100.140 GET / 200',
    ];
    const parsed = readAll(w3c, lines, 'Europe/Berlin');
    expect(parsed[1]).toMatchObject({ records: [{ ts: 1_794_459_607_000_000, path: '/a b' }] });
    expect(parsed[3]).toMatchObject({ records: [{ ts: 1_794_459_607_000_000 }] });
  });

  test('what is broken is said, what is no line is left alone', () => {
    const parsed = readAll(w3c, [
      '#Fields: date time c-ip cs-method cs-uri-stem sc-status time-taken',
      '2026-11-12 05:00:07 198.51.100.140 GET /',
      '2026-11-12 05:00:07 198.51.100.140 GET / 2x0 5',
      '2026-11-32 05:00:07 198.51.100.140 GET / 200 5',
      'Unhandled exception in worker process',
      '',
    ]);
    expect(parsed.slice(1)).toEqual([
      { reject: 'truncated' },
      { reject: 'bad_status' },
      { reject: 'bad_time' },
      'foreign',
      'foreign',
    ]);
  });

  test.each([
    ['127.0.0.1 GET / q=100 80 - 203.0.113.13 agent - 200 0 0 123', { duration_us: 123_000, authority: null }],
    [
      'W3SVC1 GET / - 80 - 203.0.113.13 agent - - example.com 200 0 0 123 456 789',
      { authority: 'example.com', response_bytes: 123 },
    ],
    [
      'W3SVC1 HOST 127.0.0.1 GET / - 80 - 203.0.113.13 HTTP/1.1 agent - - example.com 200 0 0 123 456 789',
      { duration_us: 789_000 },
    ],
    [
      'W3SVC1 10.44.0.136 GET /cdgo SERVER-STATUS=200 443 - 203.0.113.13 HTTP/1.1 agent - example.com 200 0 0 1 2 3',
      { authority: 'example.com' },
    ],
    ['web-01 192.0.2.20 GET /a.aspx - 80 - 203.0.113.13 - - 200 0 0 15 -', { user_agent: null, duration_us: null }],
    [
      'W3SVC11 HOST 192.0.2.20 GET /a r=/b 80 - 203.0.113.13 agent - www.example.org 200 0 0 32',
      { authority: 'www.example.org', duration_us: 32_000 },
    ],
    [
      '10.177.11.164 POST /a.aspx Id=1 443 jdoe 203.0.113.13 agent ID=e4;+W=0 https://example.com/a.aspx 200 0 0 201 362 59 198.51.100.1',
      { authority: null, request_bytes: 362, duration_us: 59_000 },
    ],
    ['10.5.0.4 PROPFIND * - 80 - 203.0.113.13 agent - 405 0 0', { http_method: 'PROPFIND', path: '*', duration_us: null }],
  ])('columns nobody announced are told by their values: %s', (rest, wanted) => {
    expect(w3c.parse(`2026-11-12 05:00:07 ${rest}`, { timeZone: 'UTC' })).toMatchObject({
      records: [{ address: '203.0.113.13', ...wanted }],
    });
  });
});

describe('lines of CloudFront', () => {
  test('columns come from the announcement, and headers from the column that holds them all', () => {
    const parsed = readAll(cloudfront, [
      '#Fields: timestamp c-ip sc-status cs-method cs-uri-stem cs-headers',
      '1796418151.250\t203.0.113.8\t404\tPOST\t/mcp\thost:mcp.example.com%0AUser-Agent:node%0AMcp-Method:tools/call%0AMcp-Name:search',
    ]);
    const record = { ts: 1_796_418_151_250_000, authority: 'mcp.example.com', user_agent: 'node', rpc_method: 'tools/call' };
    expect(parsed).toMatchObject(['other', { records: [{ ...record, rpc_name: 'search' }] }]);
  });

  test('a row that lost its last columns still counts, one that lost its status does not', () => {
    const front = '2026-12-04\t21:02:31\tLAX1\t392\t203.0.113.8\tGET\td1.cloudfront.net\t/mcp';
    const header = `#Fields: ${'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) x-edge-result-type'}`;
    expect(readAll(cloudfront, [header, `${front}\t404\t-\tno`, `${front}\t4`])).toMatchObject([
      'other',
      { records: [{ user_agent: null, signal: { status: 404 } }] },
      { reject: 'truncated' },
    ]);
  });

  test('each leaves the header of the other alone', () => {
    const lines = ['#Version: 1.0', '#Fields: date time x-edge-location c-ip sc-status'];
    expect(readAll(w3c, lines)).toEqual(['other', 'foreign']);
    expect(readAll(cloudfront, lines)).toEqual(['foreign', 'other']);
  });
});

test('a source is told by columns that only its header explains', () => {
  const lines = ['#Fields: time date c-ip sc-status cs-method cs-uri-stem', '05:00:08 2026-11-12 198.51.100.1 429 POST /mcp'];
  expect(detectFormat(lines, { timeZone: 'UTC' })).toBe(w3c);
});
