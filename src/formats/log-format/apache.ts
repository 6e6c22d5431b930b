// Apache's `LogFormat`.
import { unescapeField } from '../escape.ts';
import { normalizeKey, REQUEST_HEADERS, RESPONSE_HEADERS } from '../headers.ts';
import { readObject } from '../json.ts';
import { strftimeShape } from './strftime.ts';
import { formatError, type Dialect, type Field, type Part } from './template.ts';

const DIRECTIVE = /%(?:[!<>,\d]*)(?:\{([^}]*)\})?(?:\^?([A-Za-z]{1,2}|%))?/g;
const TWO_LETTERS = new Set(['ti', 'to']);

/** Keys by letter; those that say nothing here are empty. */
const KEYS: Readonly<Record<string, string>> = {
  h: 'remote_addr',
  a: 'remote_addr',
  u: 'remote_user',
  t: 'start_time',
  r: 'request',
  s: 'response_status',
  b: 'body_bytes_sent',
  B: 'body_bytes_sent',
  O: 'bytes_sent',
  I: 'request_length',
  D: 'duration_us',
  T: 'duration_s',
  v: 'vhost',
  V: 'vhost',
  m: 'request_method',
  U: 'path',
  q: 'query_string',
  ...Object.fromEntries([...'lfkPpALXRenCHLSG'].map((letter) => [letter, ''])),
};
const TEXTS = new Set(['r', 'i', 'o', 'e', 'n', 'C']);

function fieldOf(spelling: string, argument: string | undefined, letter: string, at: number): Field | undefined {
  const shape = TEXTS.has(letter) ? 'text' : 'word';
  const field = (key: string): Field => ({ spelling, key, shape, at });
  if (letter === 'i' && argument !== undefined) {
    const name = normalizeKey(argument);
    if (name === 'xforwardedfor') return { ...field('x_forwarded_for'), shape: 'list' };
    if (name === 'host') return field('vhost');
    return field(REQUEST_HEADERS.has(name) ? `http_${name}` : '');
  }
  if (letter === 'o' && argument !== undefined)
    return field(RESPONSE_HEADERS.has(normalizeKey(argument)) ? `sent_http_${argument}` : '');
  if (letter === 'e' && argument === 'UNIQUE_ID') return { ...field('request_id'), shape: 'word' };
  if (letter === 'T' && argument !== undefined) return field(`duration_${argument}`);
  if (letter === 't') return timeField(spelling, argument, at);
  const key = KEYS[letter];
  return key === undefined ? undefined : field(key);
}

/** A stamp in brackets, an epoch number, or a shape of strftime; `begin:` and `end:` say of which moment. */
function timeField(spelling: string, argument: string | undefined, at: number): Field {
  if (argument === undefined) return { spelling, key: 'start_time', shape: 'clf', at };
  const moment = argument.startsWith('end:') ? 'timestamp' : 'start_time';
  const form = argument.replace(/^(?:begin|end):/, '');
  if (/^(?:sec|msec|usec)$/.test(form)) return { spelling, key: moment, shape: 'word', at };
  // Fractions are written apart from their seconds, and cannot be put together.
  if (/^(?:msec|usec)_frac$/.test(form)) return { spelling, key: '', shape: 'word', at };
  const shape = strftimeShape(form);
  return { spelling, key: shape === undefined ? '' : moment, shape: shape ?? 'word', at };
}

function parts(given: string, unknown: (field: string) => void): Part[] {
  const text = given.replace(/\\(["\\nt])/g, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter);
  const found: Part[] = [];
  let last = 0;
  for (const match of text.matchAll(DIRECTIVE)) {
    const [spelling, argument, letters] = match;
    const { index } = match;
    if (letters === undefined)
      throw formatError('a directive without a letter', text, index, 'write %h, %{Name}i, or %% for a percent sign');
    const letter = TWO_LETTERS.has(letters) ? letters : letters.slice(0, 1);
    const end = index + spelling.length - (letters.length - letter.length);
    found.push(text.slice(last, index));
    last = end;
    if (letter === '%') {
      found.push('%');
      continue;
    }
    const written = text.slice(index, end);
    const field = fieldOf(written, argument, letter, index);
    if (field === undefined) unknown(written);
    found.push(field ?? { spelling: written, key: '', shape: 'word', at: index });
  }
  return [...found, text.slice(last)];
}

export const apache: Dialect = {
  name: 'apache-log-format',
  title: 'described by an Apache LogFormat',
  spec: 'https://httpd.apache.org/docs/2.4/mod/mod_log_config.html#formats',
  time: 'start',
  isOwn: (text) => /%(?:[!<>,\d]*)(?:\{[^}]*\})?[A-Za-z]/.test(text),
  parts,
  unescape: unescapeField,
  read: readObject,
};
