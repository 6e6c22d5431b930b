// One-line JSON as logs write it, with the two faults that nginx formats are known for mended.
import type { ParseContext, Parsed } from './format.ts';

let lastLine = '';
let lastObject: Record<string, unknown> | null | 'broken' = null;

/**
 * Returns the object of a line, null if the line is JSON of another kind or none, `broken` if it looks like an object and is not.
 * Several formats look at a line in turn, so the last one is remembered; callers must leave the object as it is.
 */
export function parseObject(line: string): Record<string, unknown> | null | 'broken' {
  if (line !== lastLine) {
    lastObject = readObject(line);
    lastLine = line;
  }
  return lastObject;
}

function readObject(line: string): Record<string, unknown> | null | 'broken' {
  if (line.charCodeAt(0) !== 123) {
    const text = line.trimStart();
    return text.charCodeAt(0) === 123 ? readObject(text) : null;
  }
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return mend(line);
  }
}

/**
 * nginx's default escaping writes `\x22`, which is no JSON, and its unquoted numbers leave `"x":,` when they are empty.
 * `-` stands for such a number where escaping is the default.
 */
function mend(line: string): Record<string, unknown> | 'broken' {
  const mended = line.replace(/\\(?:\\|x([\da-fA-F]{2}))/g, (all, hex?: string) => (hex === undefined ? all : `\\u00${hex}`));
  const filled = mended.replace(/("\s{0,8}:\s{0,8})-?(?=[,}])/g, '$1null');
  try {
    return JSON.parse(filled) as Record<string, unknown>;
  } catch {
    return 'broken';
  }
}

/** Returns why a line that should be an object is none. */
export function explainBroken(line: string): { reject: 'truncated' | 'bad_json' } {
  return { reject: line.trimEnd().endsWith('}') ? 'bad_json' : 'truncated' };
}

/**
 * Returns the parser of a JSON format: a line that holds `mark` and whose object is the format's own goes to `read`. Without the
 * mark, which no line of the format lacks, nothing is parsed.
 */
export function objectParser(
  mark: string,
  isOwn: (object: Record<string, unknown>) => boolean,
  read: (object: Record<string, unknown>, context: ParseContext, line: string) => Parsed,
): (line: string, context: ParseContext) => Parsed {
  return (line, context) => {
    if (!line.includes(mark)) return 'foreign';
    const object = parseObject(line);
    if (object === null) return 'foreign';
    if (object === 'broken') return explainBroken(line);
    return isOwn(object) ? read(object, context, line) : 'foreign';
  };
}

/** Returns a member that is an object, or an empty one. */
export function memberOf(object: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** Returns whether a value is an object with members. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text, or a number as text; anything else is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
