// GoAccess's specifiers, by which its users describe any log; dates and times are told by their look.
import { unescapeField } from '../escape.ts';
import { readObject } from '../json.ts';
import { formatError, type Dialect, type Part, type Shape } from './template.ts';

const KEYS: Readonly<Record<string, string>> = {
  h: 'client_ip',
  x: 'timestamp',
  d: 'date',
  t: 'time',
  r: 'request',
  m: 'request_method',
  U: 'request_uri',
  q: 'query_string',
  s: 'status',
  b: 'body_bytes_sent',
  u: 'http_user_agent',
  D: 'duration_us',
  T: 'duration_s',
  L: 'duration_ms',
  n: 'duration_ns',
  v: 'vhost',
  e: 'remote_user',
  ...Object.fromEntries([...'HRCMKk^'].map((letter) => [letter, ''])),
};
const SHAPES: Readonly<Record<string, Shape>> = { r: 'text', u: 'text', R: 'text' };

/** The date, the time and what GoAccess skips behind them are one stamp as Apache writes it. */
const CLF = '%d:%t %^';
const SPECIFIER = /~h(?:\{[^}]*\})?|%d:%t %\^|%(.)?/gs;

function parts(given: string, unknown: (field: string) => void): Part[] {
  const text = given.replaceAll(String.raw`\t`, '\t').replaceAll(String.raw`\"`, '"');
  const found: Part[] = [];
  let last = 0;
  for (const match of text.matchAll(SPECIFIER)) {
    const [spelling, letter] = match;
    const { index } = match;
    found.push(text.slice(last, index));
    last = index + spelling.length;
    if (spelling === CLF) found.push({ spelling, key: 'timestamp', shape: 'clf', at: index });
    else if (spelling.startsWith('~')) found.push({ spelling, key: 'x_forwarded_for', shape: 'list', at: index });
    else if (letter === '~') continue;
    else if (letter === '%') found.push('%');
    else if (letter === undefined)
      throw formatError('a specifier without a letter', text, index, 'write %h, or %% for a percent sign');
    else {
      if (!(letter in KEYS)) unknown(spelling);
      found.push({ spelling, key: KEYS[letter] ?? '', shape: SHAPES[letter] ?? 'word', at: index });
    }
  }
  return [...found, text.slice(last)];
}

export const goaccess: Dialect = {
  name: 'goaccess-log-format',
  title: 'described by GoAccess specifiers',
  spec: 'https://goaccess.io/man#custom-log',
  time: 'end',
  // Within braces the letters are of other descriptions.
  isOwn: (text) => /%[\^dx~]|~h/.test(text.replace(/%\{[^}]*\}/g, '')),
  parts,
  unescape: unescapeField,
  read: readObject,
};
