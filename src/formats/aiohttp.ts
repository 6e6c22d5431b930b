// aiohttp.access: like combined, but with a single field in front of the stamp, which is the start of the request.
import { parseAddress } from './address.ts';
import type { Format, Parsed } from './format.ts';
import { parseCount, parseStatus } from './numbers.ts';
import { blankRecord, readRequestLine, readUserAgent } from './request.ts';
import { statusSignal } from './signal.ts';
import { parseClf } from './time.ts';

const LOGGER = 'INFO:aiohttp.access:';
const REST = /^"(.*)" (\d{3}|-) (\d{1,15}|-) "([^"]*)" "(.*)"$/s;

function parse(line: string): Parsed {
  const text = line.startsWith(LOGGER) ? line.slice(LOGGER.length) : line;
  const bracket = text.indexOf(' ') + 1;
  const end = bracket + 27;
  if (bracket < 2 || text.charCodeAt(bracket) !== 91 || text.charCodeAt(bracket + 3) !== 47) return 'foreign';
  const ts = parseClf(text, bracket + 1);
  if (text.charCodeAt(end) !== 93 || text.charCodeAt(end + 2) !== 34) return 'foreign';
  if (ts === null) return { reject: 'bad_time' };
  if (!text.endsWith('"')) return { reject: 'truncated' };
  const match = REST.exec(text.slice(end + 2));
  if (match === null) return { reject: 'bad_fields' };
  const record = blankRecord();
  record.ts = ts;
  record.address = parseAddress(text.slice(0, bracket - 1));
  readRequestLine(record, match[1] ?? '');
  record.signal = statusSignal(parseStatus(match[2]));
  record.response_bytes = parseCount(match[3]);
  readUserAgent(record, match[5] ?? '');
  return { records: [record] };
}

export const aiohttp: Format = {
  name: 'aiohttp',
  title: 'aiohttp.access',
  spec: 'https://docs.aiohttp.org/en/stable/logging.html#access-logs',
  time: 'start',
  parse,
  samples: [
    {
      line: '198.51.100.71 [18/Nov/2026:06:00:12 +0000] "POST /mcp?a=b HTTP/1.1" 404 305 "-" "agent "quoted""',
      expect: {
        ts: 1_794_981_612_000_000,
        address: '198.51.100.71',
        user_agent: 'agent "quoted"',
        http_method: 'POST',
        path: '/mcp',
        response_bytes: 305,
        signal: { status: 404 },
      },
    },
    {
      line: 'INFO:aiohttp.access:2001:db8::71 [18/Nov/2026:07:00:13 +0100] "GET /sse HTTP/1.1" 405 175 "-" "-"',
      expect: { ts: 1_794_981_613_000_000, address: '2001:db8::71', user_agent: null },
    },
    {
      line: '198.51.100.71 [18/Nov/2026:06:00:14 +0000] "UNKNOWN / HTTP/1.0" 400 0 "-" "-"',
      expect: { http_method: 'UNKNOWN', response_bytes: 0, signal: { status: 400 } },
    },
    { line: '198.51.100.71 [18/Xov/2026:06:00:14 +0000] "GET / HTTP/1.1" 200 0 "-" "-"', expect: { reject: 'bad_time' } },
    { line: '198.51.100.71 [18/Nov/2026:06:00:14 +0000] "GET / HTTP/1.1" 2', expect: { reject: 'truncated' } },
  ],
};
