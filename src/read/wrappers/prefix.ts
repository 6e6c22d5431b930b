// Anything in front of a JSON object: Fastly's stamp and address, `[api] {…}` of process managers.
import type { ParseContext } from '../../formats/format.ts';
import { parseObject } from '../../formats/json-text.ts';
import { parseIso, type Stamp } from '../../formats/time.ts';
import type { Peeled, Wrapper } from './wrapper.ts';

const MAX_PREFIX = 1024;
/** Braces that are tried before a line is taken for text. */
const TRIES = 3;

function stampOf(prefix: string, { timeZone }: ParseContext): Stamp | null {
  const time = /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)/.exec(prefix)?.[1];
  return time === undefined ? null : parseIso(time, timeZone);
}

/** With `shape`, the text before the brace is like one that had a whole object behind it, so that one cut off is seen as such. */
function peelLike(line: string, context: ParseContext, isKnown: (prefix: string) => boolean): Peeled | undefined {
  let brace = line.indexOf('{');
  for (let tries = 0; tries < TRIES && brace > 0 && brace < MAX_PREFIX; tries++, brace = line.indexOf('{', brace + 1)) {
    const prefix = line.slice(0, brace);
    const payload = line.slice(brace).trimEnd();
    const isWhole = payload.endsWith('}') && typeof parseObject(payload) === 'object';
    if (isWhole || (payload.startsWith('{"') && isKnown(prefix))) return { payload, stamp: stampOf(prefix, context) };
  }
  return undefined;
}

/** Prefixes of one log differ in their numbers. */
const shapeOf = (prefix: string): string => prefix.replace(/\d+/g, '0');
const MAX_SHAPES = 64;

export const prefix: Wrapper = {
  name: 'prefix',
  title: 'anything before a JSON object',
  spec: 'https://www.fastly.com/documentation/guides/integrations/logging/',
  isSure: false,
  peel: (line, context) => peelLike(line, context, () => false),
  open: (context) => {
    const shapes = new Set<string>();
    return (line) => {
      const peeled = peelLike(line, context, (before) => shapes.has(shapeOf(before)));
      if (peeled !== undefined && shapes.size < MAX_SHAPES)
        shapes.add(shapeOf(line.slice(0, line.length - peeled.payload.length)));
      return peeled;
    };
  },
  samples: [
    { line: '[api] {"status":404}', expect: { payload: '{"status":404}' } },
    {
      line: '2026-11-25T23:02:08Z 192.0.2.7  {"status":404} ',
      expect: { payload: '{"status":404}', ts: 1_795_647_728_000_000 },
    },
    { line: 'at {a} {"status":404}', expect: { payload: '{"status":404}' } },
  ],
};
