// The common part of all descriptions: text and fields in turn, matched from left to right without ever going back.
import { UsageError } from '../../errors.ts';
import type { DescribedName, Format, ParseContext, Parsed } from '../format.ts';
import { parseObject } from '../json-text.ts';

/** How far a field's value reaches. */
export type Shape =
  /** Up to the text behind it. */
  | 'word'
  /** As `word`; blanks behind commas and around colons are its own. */
  | 'list'
  /** May hold anything, so the text behind it must tell where it ends. */
  | 'text'
  /** `12/Oct/2026:09:14:03 +0200`, with brackets or without. */
  | 'clf'
  /** In quotes of its own. */
  | 'quoted'
  /** `{a|b}`, or nothing, and then one blank less. */
  | 'captures';

export interface Field {
  /** As it is written: `$remote_addr`. */
  spelling: string;
  /** The key under which the value is read; empty for fields that say nothing here. */
  key: string;
  shape: Shape;
  /** Offset in the description. */
  at: number;
}

export type Part = string | Field;

/** What a way of describing formats is. A new one is a file beside this one, plus a line in `index.ts`. */
export interface Dialect {
  readonly name: DescribedName;
  readonly title: string;
  readonly spec: string;
  readonly time: Format['time'];
  /** Whether a text is a description of this kind. */
  isOwn(text: string): boolean;
  /** Returns its parts; tells `unknown` of fields that nobody knows. */
  parts(text: string, unknown: (field: string) => void): Part[];
  /** Undoes the escapes of a value. */
  unescape?(value: string): string;
  read(fields: Record<string, string>, context: ParseContext, line: string): Parsed;
}

/** Returns the error for a spot of a description, with a mark under it. */
export function formatError(message: string, text: string, at: number, help: string): UsageError {
  const from = Math.max(0, at - 50);
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, from + 100).replace(/\s/g, ' ')}`;
  // `at: ` stands before the first line, two blanks before the second.
  const mark = ' '.repeat(at - from + (from > 0 ? 1 : 0) + 2);
  return new UsageError(message, { at: `${shown}\n${mark}^`, help });
}

export interface Compiled {
  format: Format;
  /** Fields that are skipped because nobody knows them. */
  unknown: string[];
}

/** Returns the format that a text describes. Throws a UsageError where it cannot be read back. */
export function compile(text: string, dialect: Dialect): Compiled {
  const unknown: string[] = [];
  const parts = mergeTargets(joinTexts(dialect.parts(text, (field) => unknown.push(field))));
  const keys = jsonKeys(parts);
  if (keys === undefined) checkSeparable(parts, text);
  checkTelling(parts, text);
  const parse = keys === undefined ? matching(parts, dialect) : reading(keys, dialect);
  const { name, title, spec, time } = dialect;
  return { format: { name, title, spec, time, parse, samples: [{ line: text, expect: 'other' }] }, unknown };
}

function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else if (part !== '') joined.push(part);
  }
  return joined;
}

const PATHS = new Set(['path', 'uri', 'request_uri']);
const QUERIES = new Set(['query_string', 'args', '']);
const HOSTS = new Set(['host', 'http_host', 'vhost', '']);

/** What is often written without text between is one value: path and query, and a URL from its scheme to its end. */
function mergeTargets(parts: readonly Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const [scheme, slashes, last] = [merged.at(-3), merged.at(-2), merged.at(-1)];
    if (typeof part === 'string' || typeof last !== 'object') merged.push(part);
    else if (PATHS.has(last.key) && QUERIES.has(part.key)) merged[merged.length - 1] = { ...last, key: 'request_uri' };
    else if (typeof scheme === 'object' && slashes === '://' && HOSTS.has(last.key) && PATHS.has(part.key))
      merged.splice(-3, 3, { ...scheme, key: 'request_uri' });
    else merged.push(part);
  }
  return merged;
}

/** Where one value ends and the next begins must be seen in the line. */
function checkSeparable(parts: readonly Part[], text: string): void {
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    const [before = '', next] = [parts[index - 1], parts[index + 1]];
    if (typeof next === 'object' && !isSelfBounded(part) && !isSelfBounded(next))
      throw formatError(
        `two fields without text between them: ${part.spelling} and ${next.spelling}`,
        text,
        next.at,
        'where one value ends cannot be told; put a blank or quotes between them',
      );
    const isLoose = part.shape === 'text' && typeof next === 'string' && /^\s/.test(next) && !/["'[|]$/.test(String(before));
    if (isLoose)
      throw formatError(
        `a field that may hold blanks, ended by a blank: ${part.spelling}`,
        text,
        part.at,
        'where its value ends cannot be told; put it in quotes',
      );
  }
}

const isSelfBounded = ({ shape }: Field): boolean => shape === 'clf' || shape === 'quoted' || shape === 'captures';

const REQUEST_KEYS = /^(?:request|method|requestmethod|requesturi|uri|path|url|mcpmethod|rpcmethod|httpmcpmethod)$/;

function checkTelling(parts: readonly Part[], text: string): void {
  const fields = parts.filter((part) => typeof part === 'object');
  if (fields.some(({ key }) => REQUEST_KEYS.test(key.toLowerCase().replace(/[^a-z]/g, '')))) return;
  throw formatError(
    'log format without a request',
    text,
    0,
    'nothing in it says what was asked for: add the request line, or method and path',
  );
}

const KEY = /"([^"\\]+)"\s*:\s*"?$/;

/** Returns the fields of a description that is a JSON object, by their keys. */
function jsonKeys(parts: readonly Part[]): Map<string, Field> | undefined {
  const [first] = parts;
  if (typeof first !== 'string' || !first.trimStart().startsWith('{')) return undefined;
  const keys = new Map<string, Field>();
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    const before = parts[index - 1];
    const key = typeof before === 'string' ? KEY.exec(before)?.[1] : undefined;
    if (key === undefined) return undefined;
    keys.set(key, part);
  }
  return keys;
}

function reading(keys: ReadonlyMap<string, Field>, { read }: Dialect): Format['parse'] {
  const needed = [...keys.keys()][0] ?? '';
  return (line, context) => {
    if (!line.includes(`"${needed}"`)) return 'foreign';
    const object = parseObject(line);
    if (object === null || object === 'broken')
      return object === null ? 'foreign' : { reject: line.trimEnd().endsWith('}') ? 'bad_json' : 'truncated' };
    const fields: Record<string, string> = {};
    for (const [key, field] of keys) {
      const value = object[key];
      if (field.key !== '' && value !== null && value !== undefined)
        fields[field.key] ??= typeof value === 'object' ? '' : String(value);
    }
    return read(fields, context, line);
  };
}

/** A line whose stamp has no digit is text. */
const STAMPS = new Set(['start_time', 'timestamp', 'stamp', 'msec', 'time_local', 'time_iso8601', 'date']);

function matching(parts: readonly Part[], { read, unescape = (value) => value }: Dialect): Format['parse'] {
  const enough = Math.ceil(parts.length / 2);
  return (line, context) => {
    const fields: Record<string, string> = {};
    let at = 0;
    let swallowed = '';
    for (const [index, part] of parts.entries()) {
      if (typeof part === 'string') {
        const text = swallowed !== '' && part.startsWith(swallowed) ? part.slice(swallowed.length) : part;
        swallowed = '';
        if (!line.startsWith(text, at)) return index < enough ? 'foreign' : failed(line, at, text);
        at += text.length;
        continue;
      }
      const next = parts[index + 1];
      const end = endOf(part, line, at, typeof next === 'string' ? next : '', parts[index - 1]);
      if (end === -1) return index < enough ? 'foreign' : { reject: 'truncated' };
      // Captures that are not there take the blank behind them along.
      if (part.shape === 'captures' && end === at) swallowed = ' ';
      const value = part.shape === 'quoted' ? line.slice(at, end).replace(/^"|"$/g, '') : line.slice(at, end);
      if (STAMPS.has(part.key) && !/\d/.test(value)) return 'foreign';
      if (part.key !== '') fields[part.key] ??= value.includes('\\') || value.includes('#') ? unescape(value) : value;
      at = end;
    }
    return line.slice(at).trim() === '' ? read(fields, context, line) : 'foreign';
  };
}

function failed(line: string, at: number, text: string): Parsed {
  return { reject: text.startsWith(line.slice(at)) ? 'truncated' : 'bad_fields' };
}

/** Returns where a value ends that begins at an offset, or -1. */
function endOf({ shape }: Field, line: string, at: number, next: string, before: Part | undefined): number {
  if (shape === 'captures') return line[at] === '{' ? line.indexOf('}', at) + 1 || -1 : at;
  if (shape === 'clf') {
    const end = line[at] === '[' ? line.indexOf(']', at) + 1 || -1 : at + 26;
    return end > line.length ? -1 : end;
  }
  if (shape === 'quoted' && line[at] === '"') return quoteEnd(line, at + 1, '"') + 1 || -1;
  if (next === '') return line.length;
  if (next.startsWith('"') && typeof before === 'string' && before.endsWith('"')) return quoteEnd(line, at, next);
  if (shape !== 'list') return line.indexOf(next, at);
  for (let end = line.indexOf(next, at); end !== -1; end = line.indexOf(next, end + 1)) {
    const isWithin = next.startsWith(' ') && (line[end - 1] === ',' || line.startsWith(' : ', end) || line.endsWith(' :', end));
    const isBehindColon = next.startsWith(' ') && line.slice(Math.max(at, end - 2), end) === ' :';
    if (!isWithin && !isBehindColon) return end;
  }
  return -1;
}

/** Returns the offset of the quote that ends a value: the first that is not escaped and has the right text behind it. */
function quoteEnd(line: string, at: number, next: string): number {
  let escaped = -1;
  for (let quote = line.indexOf(next, at); quote !== -1; quote = line.indexOf(next, quote + 1)) {
    let before = quote - 1;
    while (before >= at && line[before] === '\\') before--;
    if ((quote - before) % 2 === 1) return quote;
    if (escaped === -1) escaped = quote;
  }
  return escaped;
}
