// hypercorn's access lines behind its log prefix: protocol versions without `HTTP/`, the peer with its port.
import type { AccessRecord } from '../record.ts';
import { parsePeer } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, readRequestLine, readUserAgent } from './request.ts';
import { statusSignal } from './signal.ts';
import { parseClf, parseIso, startOf } from './time.ts';

/** gunicorn writes the same prefix in front of everything but access lines. */
const PREFIX = /^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})\] \[\d{1,10}\] \[[A-Z]{4,8}\] /;
const LINE = /^(\S+) \S+ \S+ \[([^\]]{26})\] "([A-Z]+) (\S+) (ws|\d(?:\.\d)?)" (\d{3}|-) (\d+|-) "([^"]*)" "(.*)"$/;
/** What older releases wrote: microseconds at the end, no stamp of its own. */
const OLD = /^(\S+:\d+|unix:\S*) ([A-Z]+) (\S+) (ws|\d(?:\.\d)?) (\d{3}|-) (\d+|-) (\d+)$/;
const LIKE_ACCESS = /^\S+:\d{1,5} (?:\S+ \S+ \[\d\d\/|[A-Z]+ \/)/;

function parse(line: string, { timeZone }: ParseContext): Parsed {
  const isDigit = line.charCodeAt(0) >= 48 && line.charCodeAt(0) <= 57;
  if (!isDigit && line.charCodeAt(0) !== 91) return 'foreign';
  const prefix = PREFIX.exec(line);
  const text = prefix === null ? line : line.slice(prefix[0].length);
  const match = LINE.exec(text);
  if (match !== null) return readLine(match);
  if (prefix === null) return 'foreign';
  const old = OLD.exec(text);
  if (old !== null) return readOld(old, prefix[1] ?? '', timeZone);
  return LIKE_ACCESS.test(text) ? { reject: text.endsWith('"') ? 'bad_fields' : 'truncated' } : 'foreign';
}

function readLine([, peer = '', time = '', method = '', target = '', version = '', ...rest]: RegExpExecArray): Parsed {
  const [status = '', bytes = '', , agent = ''] = rest;
  const ts = parseClf(time);
  if (ts === null) return { reject: 'bad_time' };
  const record = asked(peer, method, target, version);
  record.ts = ts;
  record.signal = statusSignal(parseStatus(status));
  record.response_bytes = parseCount(bytes);
  readUserAgent(record, agent);
  return { records: [record] };
}

function readOld(
  [, peer = '', method = '', target = '', version = '', ...rest]: RegExpExecArray,
  time: string,
  timeZone: string,
): Parsed {
  const [status = '', bytes = '', us = ''] = rest;
  const end = parseIso(time, timeZone);
  if (end === null) return { reject: 'bad_time' };
  const record = asked(peer, method, target, version);
  record.signal = statusSignal(parseStatus(status));
  record.response_bytes = parseCount(bytes);
  record.duration_us = parseDuration(us, 'us');
  record.ts = startOf(end, record.duration_us);
  return { records: [record] };
}

function asked(peer: string, method: string, target: string, version: string): AccessRecord {
  const record = blankRecord();
  record.address = parsePeer(peer);
  readRequestLine(record, `${method} ${target} HTTP/${version}`);
  return record;
}

export const hypercorn: Format = {
  name: 'hypercorn',
  title: 'hypercorn',
  spec: 'https://hypercorn.readthedocs.io/en/latest/how_to_guides/logging.html',
  time: 'end',
  parse,
  samples: [
    {
      line: '[2026-11-18 07:00:12 +0100] [7] [INFO] 198.51.100.70:51234 - - [18/Nov/2026:07:00:12 +0100] "POST /mcp?a=b 2" 404 153 "-" "python-httpx/0.28.1"',
      expect: {
        ts: 1_794_981_612_000_000,
        address: '198.51.100.70',
        user_agent: 'python-httpx/0.28.1',
        http_method: 'POST',
        path: '/mcp',
        response_bytes: 153,
        signal: { status: 404 },
      },
    },
    {
      line: '[2026-11-18 06:00:13 +0000] [7] [INFO] ::1:51236 GET /sse 1.1 405 31 2500000',
      expect: { ts: 1_794_981_611_000_000, duration_us: 2_500_000, address: '::1', path: '/sse', signal: { status: 405 } },
    },
    {
      line: '[2026-11-18 06:00:14 +0000] [7] [INFO] 198.51.100.70:51238 - - [18/Nov/2026:06:00:14 +0000] "POST /mcp 1.1" 2x0 1 "-" "node"',
      expect: { reject: 'bad_fields' },
    },
    {
      line: '[2026-11-18 06:00:14 +0000] [7] [INFO] 198.51.100.70:51238 - - [18/Nov/2026:06:00:14 +0000] "POST /m',
      expect: { reject: 'truncated' },
    },
  ],
};
