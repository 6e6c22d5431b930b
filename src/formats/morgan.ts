// morgan's own layouts: dev, short, tiny and the old default. Its combined and common lines are Apache's.
import { parseAddress } from './address.ts';
import { stripColours } from './colour.ts';
import type { Format, Parsed } from './format.ts';
import { principalOf } from './identity.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, readRequestLine, readUserAgent } from './request.ts';
import { statusSignal } from './signal.ts';
import { parseClf } from './time.ts';

const TIME = String.raw`(?<ms>\d+(?:\.\d+)?|-) ms`;
const STATUS = String.raw`(?<status>\d{3}|-)`;
const BYTES = String.raw`(?<bytes>\d+|-)`;
const DEV = new RegExp(`^(?<request>[A-Z-]+ \\S+) ${STATUS} ${TIME} - ${BYTES}$`);
const TINY = new RegExp(`^(?<request>[A-Z-]+ \\S+) ${STATUS} ${BYTES} - ${TIME}$`);
const SHORT = new RegExp(`^(?<address>\\S+) (?<user>\\S+) (?<request>[A-Z-]+ \\S+ HTTP/[\\d.]+) ${STATUS} ${BYTES} - ${TIME}$`);
const DEFAULT = new RegExp(
  `^(?<address>\\S+) - (?<user>\\S+) \\[(?<date>[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT)\\] "(?<request>[^"]*)" ${STATUS} ${BYTES} "[^"]*" "(?<agent>.*)"$`,
);
const LIKE_ONE = /^(?:\S+ \S+ )?[A-Z]{3,16} \/\S* .{1,64} ms(?: - \S{1,16})?$/;

function parse(line: string): Parsed {
  const isDated = line.includes(' GMT] "');
  if (!isDated && !line.includes(' ms')) return 'foreign';
  const text = isDated ? line : stripColours(line);
  const match = isDated ? DEFAULT.exec(text) : (DEV.exec(text) ?? TINY.exec(text) ?? SHORT.exec(text));
  if (match === null) return LIKE_ONE.test(text) ? { reject: 'bad_fields' } : 'foreign';
  const { request = '', status, bytes, ms, address = '', user, date, agent = '' } = match.groups ?? {};
  const record = blankRecord();
  if (date !== undefined) {
    const [, day, month, year, time] = date.split(' ');
    record.ts = parseClf(`${day}/${month}/${year}:${time} +0000`);
    if (record.ts === null) return { reject: 'bad_time' };
  }
  record.address = parseAddress(address);
  readRequestLine(record, request);
  record.signal = statusSignal(parseStatus(status));
  record.response_bytes = parseCount(bytes);
  // The time until response headers were written, which is all that these layouts know.
  record.duration_us = parseDuration(ms, 'ms');
  if (record.signal.status !== 401) record.principal = principalOf('user', user);
  readUserAgent(record, agent);
  return { records: [record] };
}

export const morgan: Format = {
  name: 'morgan',
  title: 'morgan: dev, short, tiny, default',
  spec: 'https://github.com/expressjs/morgan#predefined-formats',
  time: 'end',
  parse,
  samples: [
    {
      line: 'POST /mcp?a=b 200 12.345 ms - 512',
      expect: { ts: null, duration_us: 12_345, http_method: 'POST', path: '/mcp', response_bytes: 512, signal: { status: 200 } },
    },
    {
      line: '\u001b[0mGET /mcp \u001b[33m405\u001b[0m 0.512 ms - 31\u001b[0m',
      expect: { path: '/mcp', duration_us: 512, response_bytes: 31, signal: { status: 405 } },
    },
    {
      line: '\u001b[0mGET /slow \u001b[0m-\u001b[0m - ms - -\u001b[0m',
      expect: { path: '/slow', duration_us: null, response_bytes: null, signal: { status: null } },
    },
    { line: 'POST /mcp 404 153 - 1.002 ms', expect: { path: '/mcp', duration_us: 1002, response_bytes: 153 } },
    {
      line: '::ffff:198.51.100.9 alice GET /sse HTTP/1.1 405 - - 0.911 ms',
      expect: {
        address: '198.51.100.9',
        principal: 'user:2bd806c97f0e00af',
        path: '/sse',
        response_bytes: null,
        duration_us: 911,
      },
    },
    {
      line: '::1 - - [Thu, 19 Nov 2026 07:00:02 GMT] "GET /sse HTTP/1.1" 405 31 "-" "agent "x""',
      expect: { ts: 1_795_071_602_000_000, address: '::1', user_agent: 'agent "x"', signal: { status: 405 } },
    },
    { line: 'POST /mcp 2x0 1.002 ms - 3', expect: { reject: 'bad_fields' } },
  ],
};
