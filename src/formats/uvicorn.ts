// uvicorn's access lines: peer, request line, status; no stamp, no size, no user agent.
import { parsePeer } from './address.ts';
import { stripColours } from './colour.ts';
import type { Format, Parsed } from './format.ts';
import { parseStatus } from './numbers.ts';
import { blankRecord, readRequestLine, readStatus } from './request.ts';

const LEVEL = /^(?:INFO|WARNING|ERROR|DEBUG|CRITICAL|TRACE): {1,9}/;
const STATUS = /^" (\d{1,3})(?: [A-Za-z][A-Za-z' -]*)?$/;

function parse(line: string): Parsed {
  const plain = stripColours(line);
  const level = LEVEL.exec(plain)?.[0];
  if (level === undefined) return 'foreign';
  const quote = plain.indexOf('- "', level.length);
  if (quote === -1) return 'other';
  const peer = plain.slice(level.length, quote).trimEnd();
  if (peer.includes(' ')) return 'other';
  const end = plain.lastIndexOf('" ');
  if (end < quote + 3) return { reject: 'truncated' };
  const request = plain.slice(quote + 3, end);
  // A WebSocket's line says `"WebSocket /ws" [accepted]`; it is no HTTP answer.
  if (request.startsWith('WebSocket ')) return 'other';
  const status = STATUS.exec(plain.slice(end))?.[1];
  if (status === undefined) return { reject: 'bad_status' };
  const record = blankRecord();
  record.address = parsePeer(peer);
  readRequestLine(record, request);
  readStatus(record, parseStatus(status));
  return { records: [record] };
}

export const uvicorn: Format = {
  name: 'uvicorn',
  title: 'uvicorn (Python MCP servers, LiteLLM)',
  spec: 'https://www.uvicorn.org/settings/#logging',
  time: 'none',
  parse,
  samples: [
    {
      line: 'INFO:     10.0.9.5:0 - "POST /mcp/mcp HTTP/1.1" 404 Not Found',
      expect: { ts: null, address: '10.0.9.5', http_method: 'POST', path: '/mcp/mcp', signal: { status: 404 } },
    },
    { line: 'INFO:     - "GET /health HTTP/1.1" 200', expect: { address: null, path: '/health', signal: { status: 200 } } },
    { line: 'INFO:     ::1:52106 - "GET /sse HTTP/1.1" 200 OK', expect: { address: '::1', path: '/sse' } },
    {
      line: 'INFO:     10.0.9.5:51002 - "POST /messages/?session_id=0f0e0d0c0b0a09080706050403020100 HTTP/1.1" 202 Accepted',
      expect: { path: '/messages/', session: 'acc2945ab4cc8762', credential: null, signal: { status: 202 } },
    },
    {
      line: '\u001b[32mINFO\u001b[0m:     10.0.9.6:51003 - "\u001b[1mPOST /mcp HTTP/1.1\u001b[0m" \u001b[31m404 Not Found\u001b[0m',
      expect: { address: '10.0.9.6', http_method: 'POST', path: '/mcp', signal: { status: 404 } },
    },
    { line: 'INFO:     Started server process [17]', expect: 'other' },
    { line: 'INFO:     10.0.9.5:0 - "WebSocket /ws" [accepted]', expect: 'other' },
    { line: 'INFO:     10.0.9.5:0 - "POST /mcp HT', expect: { reject: 'truncated' } },
    { line: 'INFO:     10.0.9.5:0 - "POST /mcp HTTP/1.1" OK', expect: { reject: 'bad_status' } },
  ],
};
