// Hono's logger and koa-logger: an arrow for each request that comes in and one for each that goes out, without ids or stamps.
import { stripColours } from './colour.ts';
import type { Format, Parsed } from './format.ts';
import { parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget } from './request.ts';
import { statusSignal } from './signal.ts';

const LINE =
  /^ {0,4}(<--|-->|xxx|-x-) ([A-Z]{1,32}) (\S{1,8192})(?: (\d{3})(?: ([\d,]{1,12})(ms|s)(?: (-|\d{1,12}(?:\.\d{1,4})?[kmg]?b))?)?)?$/i;

function parse(line: string): Parsed {
  if (!line.includes('--') && !line.includes('xxx ') && !line.includes('-x- ')) return 'foreign';
  const text = stripColours(line);
  const match = LINE.exec(text);
  if (match === null) return /^ {0,4}(?:<--|-->) [A-Z]{3,16} \//.test(text) ? { reject: 'bad_fields' } : 'foreign';
  const [, arrow = '', method = '', target = '', status, number = '', unit = '', size = ''] = match;
  const isStart = arrow === '<--';
  if (isStart !== (status === undefined)) return { reject: isStart ? 'bad_fields' : 'truncated' };
  const record = blankRecord();
  record.http_method = parseMethod(method);
  readTarget(record, target);
  if (!isStart) {
    record.signal = statusSignal(parseStatus(status));
    record.duration_us = parseDuration(number.replaceAll(',', ''), unit === 's' ? 's' : 'ms');
    record.response_bytes = bytesOf(size);
  }
  return { halves: [{ key: `${method} ${target}`, side: isStart ? 'request' : 'response', isOrdered: true, record }] };
}

const FACTORS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** Koa rounds sizes to two places: `1.03kb`. */
function bytesOf(size: string): number | null {
  const unit = size.replace(/^[\d.]+/, '').toLowerCase();
  const factor = FACTORS[unit];
  return factor === undefined ? null : Math.round(Number.parseFloat(size) * factor);
}

export const hono: Format = {
  name: 'hono',
  title: 'Hono logger and koa-logger',
  spec: 'https://hono.dev/docs/middleware/builtin/logger',
  time: 'none',
  parse,
  samples: [
    { line: '<-- POST /mcp?a=b', expect: { ts: null, http_method: 'POST', path: '/mcp', signal: { status: null } } },
    {
      line: '--> POST /mcp?a=b \u001b[33m404\u001b[0m 3ms',
      expect: { path: '/mcp', duration_us: 3000, signal: { status: 404 } },
    },
    { line: '  --> GET /slow 200 2s', expect: { duration_us: 2_000_000, response_bytes: null } },
    {
      line: '  \u001b[90m-->\u001b[39m \u001b[1mGET\u001b[22m \u001b[90m/big\u001b[39m \u001b[32m200\u001b[39m \u001b[90m1,011ms\u001b[39m \u001b[90m1.03kb\u001b[39m',
      expect: { path: '/big', duration_us: 1_011_000, response_bytes: 1055 },
    },
    { line: '  xxx GET /fails 500 12ms -', expect: { path: '/fails', response_bytes: null, signal: { status: 500 } } },
    { line: '--> POST /mcp', expect: { reject: 'truncated' } },
    { line: '--> POST /mcp 2x0 3ms', expect: { reject: 'bad_fields' } },
  ],
};
