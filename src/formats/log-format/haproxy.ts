// HAProxy's `log-format`: variables and sample expressions, blanks perhaps escaped.
import { unescapeHash } from '../escape.ts';
import type { ParseContext, Parsed } from '../format.ts';
import { readCaptures, readOutcome } from '../haproxy.ts';
import { normalizeKey, REQUEST_HEADERS } from '../headers.ts';
import { readObject } from '../json.ts';
import { parseEpoch, parseLocalClf } from '../time.ts';
import { formatError, type Dialect, type Field, type Part, type Shape } from './template.ts';

const NAMES =
  'HPO HM HP HQ HU HV hrl hsl hr hs tsc ts trg trl tr Tl Ts Ta Tt TR Tw Tc Tr Td Th Ti Tq Tu T ST rc ci cp si sp bi bp fi fp ft f bq b sc sslc sslv sq s ac fc bc B U CC CS ID H lc ms pid rt r t o'
    .split(' ')
    // `%tsc` is not `%ts` and a `c`.
    .toSorted((a, b) => b.length - a.length);
const VARIABLE = new RegExp(String.raw`%(?:\{([^}]*)\})?(?:(%)|\[((?:[^\[\]]|\[[^\]]*\])*)\]|(${NAMES.join('|')}))?`, 'g');

const KEYS: Readonly<Record<string, string>> = {
  ci: 'client_ip',
  tr: 'stamp',
  t: 'stamp',
  trg: 'start_time',
  trl: 'start_time',
  T: 'timestamp',
  Tl: 'timestamp',
  Ts: 'timestamp',
  Ta: 'total',
  Tt: 'total',
  ST: 'status',
  B: 'bytes_sent',
  U: 'request_length',
  ts: 'state',
  tsc: 'state',
  rc: 'retries',
  s: 'server',
  r: 'request',
  HM: 'request_method',
  HU: 'request_uri',
  HP: 'path',
  HPO: 'path',
  HQ: 'query_string',
  ID: 'request_id',
  hr: 'captures',
};
const SHAPES: Readonly<Record<string, Shape>> = {
  hr: 'captures',
  hs: 'captures',
  trg: 'clf',
  trl: 'clf',
  T: 'clf',
  Tl: 'clf',
  r: 'text',
};

/** `src`, `req.hdr(host)`, `capture.req.hdr(0)`, `var(txn.method)`: only what names its meaning is read. */
function expressionKey(expression: string): string {
  if (/^src\b/.test(expression)) return 'client_ip';
  const name = normalizeKey(/(?:hdr|fhdr)\(([\w-]+)/i.exec(expression)?.[1] ?? '');
  if (name === 'xforwardedfor') return 'x_forwarded_for';
  if (name === 'host') return 'vhost';
  if (REQUEST_HEADERS.has(name)) return `http_${name}`;
  if (/^(?:method|path|url|query|status)\b/.test(expression))
    return (
      { method: 'request_method', path: 'path', url: 'request_uri', query: 'query_string', status: 'status' }[
        expression.split(/\W/)[0] ?? ''
      ] ?? ''
    );
  return '';
}

function parts(given: string, unknown: (field: string) => void): Part[] {
  const text = given.replace(/\\([ "'\\])/g, '$1');
  const found: Part[] = [];
  let last = 0;
  let isQuoting = false;
  for (const match of text.matchAll(VARIABLE)) {
    const [spelling, flags = '', percent, expression, name] = match;
    const { index } = match;
    found.push(text.slice(last, index));
    last = index + spelling.length;
    if (percent !== undefined) {
      found.push('%');
      continue;
    }
    if (expression === undefined && name === undefined)
      throw formatError(
        'a variable that HAProxy does not have',
        text,
        index,
        'write %ci, %[expression], or %% for a percent sign',
      );
    if (name === 'o') {
      isQuoting = flags.includes('+Q');
      continue;
    }
    const isQuoted = flags.includes('+Q') || (isQuoting && !flags.includes('-Q'));
    const field: Field =
      expression === undefined
        ? { spelling, key: KEYS[name ?? ''] ?? '', shape: SHAPES[name ?? ''] ?? 'word', at: index }
        : { spelling, key: expressionKey(expression), shape: 'text', at: index };
    if (expression !== undefined && field.key === '') unknown(spelling);
    // An expression's blanks are escaped or quoted, else nothing could read the line back.
    const shape = field.shape === 'text' && name !== 'r' ? 'word' : field.shape;
    found.push({ ...field, shape: isQuoted ? 'quoted' : shape });
  }
  return [...found, text.slice(last)];
}

function read(fields: Record<string, string>, context: ParseContext, line: string): Parsed {
  const { stamp, total, state, retries, server, captures, ...rest } = fields;
  const start = stamp === undefined ? null : (parseLocalClf(stamp, context.timeZone) ?? parseEpoch(stamp));
  if (stamp !== undefined && start === null) return { reject: 'bad_time' };
  const parsed = readObject(total === undefined ? rest : { duration_ms: total, ...rest }, context, line);
  if (typeof parsed === 'string' || !('records' in parsed)) return parsed;
  for (const record of parsed.records) {
    record.ts = start?.us ?? record.ts;
    const hasOutcome = state !== undefined || (retries !== undefined && server !== undefined);
    if (hasOutcome)
      readOutcome(record, {
        total,
        status: record.signal.status,
        state: state ?? '--',
        retries: retries ?? '0',
        server: server ?? '',
      });
    if (retries === undefined) record.attempts = server?.startsWith('<') === true ? 0 : null;
    if (captures !== undefined) readCaptures(record, captures.slice(1, -1).split('|').map(unescapeHash));
  }
  return parsed;
}

export const haproxy: Dialect = {
  name: 'haproxy-log-format',
  title: 'described by a HAProxy log-format',
  spec: 'https://docs.haproxy.org/3.2/configuration.html#8.2.6',
  time: 'start',
  isOwn: (text) =>
    /%(?:\{[+-][^}]*\})?(?:ci|cp|ST|TR|Ta|Tt|tsc|ts|HM|HP|HU|ft|hr|hs|rc|tr)\b|%(?:\{[^}]*\})?\[|%\{[+-]/.test(text),
  parts,
  unescape: unescapeHash,
  read,
};
