// IIS and all else that writes W3C extended logs: columns as the last `#Fields:` line says, else as their values look.
import type { Format, ParseContext, Parsed } from './format.ts';
import { remember } from './identity.ts';
import { splitQuoted } from './quoted-fields.ts';
import { parseMethod } from './request.ts';
import { columnsIn, openLayout, type Dialect, type Layout } from './w3c-columns.ts';

/** A blank in a header field is written as `+`. */
const DIALECT: Dialect = { unit: 'ms', decode: remember((text) => text.replaceAll('+', ' ')), decodePath: (text) => text };

const STAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /;
const DATE = /^"?#Date: (\d{4}-\d\d-\d\d)/;
const HOST = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::\d{1,5})?$/;

function splitLine(line: string): string[] {
  if (line.includes('\t')) return line.split('\t');
  return line.includes('"') ? splitQuoted(line) : line.split(' ');
}

/** Lines of an excerpt, by themselves. */
function parse(line: string, { timeZone }: ParseContext): Parsed {
  if (line.startsWith('#')) return columnsIn(line)?.some((name) => name.startsWith('x-edge-')) === true ? 'foreign' : 'other';
  if (!STAMP.test(line)) return 'foreign';
  const fields = splitLine(line);
  const names = guessColumns(fields);
  return names === undefined ? 'foreign' : openLayout(names, DIALECT).read(fields, timeZone);
}

/** Returns a parser that knows which columns were announced; they may change at any restart of the server. */
function open(context: ParseContext): (line: string) => Parsed {
  let layout: Layout | undefined;
  let names: string[] | undefined;
  let date = '';
  return (line) => {
    if (line.startsWith('#') || line.startsWith('"#')) {
      const announced = columnsIn(line);
      date = DATE.exec(line)?.[1] ?? date;
      if (announced !== undefined) names = announced.some((name) => name.startsWith('x-edge-')) ? undefined : announced;
      layout = names === undefined ? undefined : openLayout(names, DIALECT, date);
      return parse(line, context);
    }
    if (layout === undefined) return parse(line, context);
    const parsed = layout.read(splitLine(line), context.timeZone);
    // Records begin with a date, a time or quotes, other text hardly ever.
    return 'reject' in parsed && !/^["\d]/.test(line) ? 'foreign' : parsed;
  };
}

/**
 * Returns the columns of a line without any announced, or undefined if it is none. All layouts have in common method, path, query,
 * port, user and client in a row, later three numbers that begin with the status, and at the end sizes and time.
 */
function guessColumns(fields: readonly string[]): string[] | undefined {
  const method = fields.findIndex((field, index) => index > 1 && index < 6 && isMethodAt(fields, index, field));
  if (method === -1) return undefined;
  const agent = method + (/^HTTP\/\d/.test(fields[method + 6] ?? '') ? 7 : 6);
  const status = fields.findIndex((field, index) => index > agent && /^\d{3}$/.test(field) && isCode(fields[index + 1]));
  const names = Array.from(fields, () => '');
  const set = (index: number, name: string): void => void (names[index] = name);
  ['date', 'time'].forEach((name, index) => set(index, name));
  ['cs-method', 'cs-uri-stem', 'cs-uri-query', 's-port', 'cs-username', 'c-ip'].forEach((name, index) =>
    set(method + index, name),
  );
  set(agent, 'cs(user-agent)');
  if (status === -1) return [...names, 'sc-status'];
  if (status - agent > 1 && HOST.test(fields[status - 1] ?? '')) set(status - 1, 'cs-host');
  set(status, 'sc-status');
  const behind = fields.slice(status + 3).findIndex((field) => !/^(?:\d{1,15}|-)$/.test(field));
  const numbers = behind === -1 ? fields.length - status - 3 : behind;
  if (numbers === 1) set(status + 3, 'time-taken');
  if (numbers === 3) ['sc-bytes', 'cs-bytes', 'time-taken'].forEach((name, index) => set(status + 3 + index, name));
  return names;
}

function isMethodAt(fields: readonly string[], index: number, field: string): boolean {
  const path = fields[index + 1] ?? '';
  return (
    /^[A-Z]/i.test(field) &&
    parseMethod(field) !== null &&
    (path.startsWith('/') || path === '*') &&
    /^\d{1,5}$/.test(fields[index + 3] ?? '')
  );
}

function isCode(field: string | undefined): boolean {
  return field === undefined || /^\d{1,10}$/.test(field);
}

export const w3c: Format = {
  name: 'w3c',
  title: 'IIS and other W3C extended logs',
  spec: 'https://learn.microsoft.com/en-us/windows/win32/http/w3c-logging',
  time: 'end',
  parse,
  open,
  samples: [
    { line: '#Software: Microsoft Internet Information Services 10.0', expect: 'other' },
    { line: '#Fields: date time s-ip cs-method cs-uri-stem', expect: 'other' },
    {
      line: '2026-11-12 05:00:09 10.5.0.4 GET /search q=a+b&api_key=0123456789abcdef 443 DOMAIN\\svc 198.51.100.141 Mozilla/5.0+(Windows+NT+10.0) https://intranet.example.com/ 200 0 64 15021',
      expect: {
        ts: 1_794_459_594_000_000,
        duration_us: 15_021_000,
        address: '198.51.100.141',
        user_agent: 'Mozilla/5.0 (Windows NT 10.0)',
        principal: 'user:091b4921427b0993',
        authority: null,
        http_method: 'GET',
        path: '/search',
        credential: 'query parameter api_key',
        signal: { status: 200 },
      },
    },
    {
      line: '2026-11-12 05:00:10 W3SVC1 MACHINE 127.0.0.1 POST /mcp - 80 - fe80::2%4 HTTP/1.1 node - - mcp.example.com 503 2 0 412 530 46',
      expect: {
        ts: 1_794_459_610_000_000,
        duration_us: 46_000,
        address: 'fe80::2',
        user_agent: 'node',
        authority: 'mcp.example.com',
        request_bytes: 530,
        response_bytes: 412,
        signal: { status: 503 },
      },
    },
    {
      line: '2026-11-12 05:00:11 10.5.0.4 POST /mcp SERVER-STATUS=404 443 alice 198.51.100.140 node - 401 0 2 20 30 40 203.0.113.10',
      expect: { address: '198.51.100.140', principal: null, duration_us: 40_000, response_bytes: 20, signal: { status: 401 } },
    },
    { line: '2026-11-12 05:00:11 10.5.0.4 POST /mcp - 443 - 198.51.100.140 node - 4', expect: { reject: 'truncated' } },
    { line: '2026-13-12 05:00:11 10.5.0.4 POST /mcp - 443 - 198.51.100.140 node - 404 0 2 3', expect: { reject: 'bad_time' } },
  ],
};
