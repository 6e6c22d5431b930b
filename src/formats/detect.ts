// Which format a source has, and what a single line is in a stream where formats mix.
import { FORMAT_NAMES } from '../record.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { FORMATS } from './index.ts';

const ORDER: readonly Format[] = FORMAT_NAMES.map((name) => FORMATS[name]);

function isRequest(parsed: Parsed): boolean {
  return typeof parsed === 'object' && !('reject' in parsed);
}

/** Returns a format for the lines of one source in their order: one that needs to remember earlier lines does so from here on. */
export function openFormat(format: Format, context: ParseContext): Format {
  return format.open === undefined ? format : { ...format, parse: format.open(context) };
}

/**
 * Returns the format that understands the largest share of some lines, the most specific of those that understand equally many;
 * undefined if none understands any.
 */
export function detectFormat(lines: readonly string[], context: ParseContext): Format | undefined {
  const shares = ORDER.map((format) => {
    const opened = openFormat(format, context);
    return lines.filter((line) => isRequest(opened.parse(line, context))).length;
  });
  const best = Math.max(...shares);
  return best > 0 ? ORDER[shares.indexOf(best)] : undefined;
}

/**
 * Returns what a line is: by the source's own format, else by the first that sees a request in it. If none does, the source's
 * format has the word, then the first that says why the line is no record of its own.
 */
export function parseLine(line: string, preferred: Format | undefined, context: ParseContext): Parsed {
  const own = preferred?.parse(line, context) ?? 'foreign';
  if (isRequest(own)) return own;
  let verdict = own;
  for (const format of ORDER) {
    if (format.name === preferred?.name) continue;
    const parsed = format.parse(line, context);
    if (isRequest(parsed)) return parsed;
    if (verdict === 'foreign' || (verdict === 'other' && own === 'foreign')) verdict = parsed === 'foreign' ? verdict : parsed;
  }
  return verdict === 'foreign' ? 'other' : verdict;
}
