// httpx, as clients use it, tells of every answer: method, URL and status, behind whatever prefix the logging has.
import type { Format, ParseContext, Parsed } from './format.ts';
import { blankRecord, parseMethod, readTarget } from './request.ts';
import { statusSignal } from './signal.ts';
import { parseIso } from './time.ts';

const MARK = 'HTTP Request: ';
const LINE = /^([A-Z]{1,32}) (\S{1,8192}) "HTTP\/[\d.]{1,3} ([1-9]\d\d)(?: [^"]{0,256})?"/;
/** `2026-11-15 12:00:20,123` at the beginning, or behind `[I ` as mcp-proxy writes it. */
const STAMP = /^(?:\[[A-Z] )?\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?)/;

function parse(line: string, { timeZone }: ParseContext): Parsed {
  const mark = line.indexOf(MARK);
  if (mark === -1 || mark > 256 || line.charCodeAt(0) === 123) return 'foreign';
  const match = LINE.exec(line.slice(mark + MARK.length));
  if (match === null) return { reject: line.endsWith('"') ? 'bad_fields' : 'truncated' };
  const time = STAMP.exec(line)?.[1];
  const stamp = time === undefined ? null : parseIso(time, timeZone);
  if (stamp === null && time !== undefined) return { reject: 'bad_time' };
  const record = blankRecord();
  record.ts = stamp?.us ?? null;
  record.http_method = parseMethod(match[1] ?? '');
  readTarget(record, match[2] ?? '');
  record.signal = statusSignal(Number(match[3]));
  return { records: [record] };
}

export const httpx: Format = {
  name: 'httpx',
  title: 'httpx client lines (Python MCP clients, mcp-proxy)',
  spec: 'https://www.python-httpx.org/logging/',
  time: 'end',
  parse,
  samples: [
    {
      line: 'INFO:httpx:HTTP Request: POST http://mcp.example.com:8000/mcp "HTTP/1.1 307 Temporary Redirect"',
      expect: {
        ts: null,
        address: null,
        authority: 'mcp.example.com:8000',
        http_method: 'POST',
        path: '/mcp',
        signal: { status: 307 },
      },
    },
    {
      line: '2026-11-15 12:00:20,123 - httpx - INFO - HTTP Request: POST https://mcp.example.com/mcp/?api_key=0123456789abcdef "HTTP/2 404 Not Found"',
      expect: { ts: 1_794_744_020_123_000, path: '/mcp/', credential: 'query parameter api_key', signal: { status: 404 } },
    },
    {
      line: '[I 2026-11-15 12:00:21,613.613 httpx] HTTP Request: GET https://mcp.example.com/sse "HTTP/1.1 405 Method Not Allowed"',
      expect: { ts: 1_794_744_021_613_000, path: '/sse' },
    },
    { line: 'INFO:httpx:HTTP Request: POST http://mcp.example.com/mcp "HTTP/1.1 30', expect: { reject: 'truncated' } },
    {
      line: 'INFO:httpx:HTTP Request: POST http://mcp.example.com/mcp "HTTP/1.1 3x7 Temporary Redirect"',
      expect: { reject: 'bad_fields' },
    },
  ],
};
