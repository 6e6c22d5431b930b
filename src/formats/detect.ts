// Which format a source has, and what a single line is in a stream where formats mix.
import { FORMAT_NAMES } from '../record.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { FORMATS } from './index.ts';

const ORDER: readonly Format[] = FORMAT_NAMES.map((name) => FORMATS[name]);

/** Returns whether a line told of a request, or of a part of one. */
export function isRequest(parsed: Parsed): parsed is Exclude<Parsed, string | { reject: unknown }> {
  return typeof parsed === 'object' && !('reject' in parsed);
}

/** Returns a format for the lines of one source in their order: one that needs to remember earlier lines does so from here on. */
export function openFormat(format: Format, context: ParseContext): Format {
  return format.open === undefined ? format : { ...format, parse: format.open(context) };
}

/**
 * Returns the format that understands the largest share of some lines, the most specific of those that understand equally many;
 * undefined if none understands any. Formats that the user describes come first.
 */
export function detectFormat(
  lines: readonly string[],
  context: ParseContext,
  described: readonly Format[] = [],
): Format | undefined {
  const formats = [...described, ...ORDER];
  const shares = formats.map((format) => {
    const opened = openFormat(format, context);
    return lines.filter((line) => isRequest(opened.parse(line, context))).length;
  });
  const best = Math.max(...shares);
  return best > 0 ? formats[shares.indexOf(best)] : undefined;
}

/** How a format reads a line: by itself, or with the memory of a source. */
export type ParseWith = (format: Format, line: string) => Parsed;

export interface ReadLine {
  parsed: Parsed;
  /** The format that said so; none if no format knows the line. */
  format: Format | undefined;
}

/**
 * Returns what a line is: by the source's own format, else by the first that sees a request in it. If none does, the source's
 * format has the word, then the first that says why the line is no record of its own.
 */
export function readLine(line: string, preferred: Format | undefined, parse: ParseWith): ReadLine {
  const own = preferred === undefined ? 'foreign' : parse(preferred, line);
  let told: ReadLine = { parsed: own, format: own === 'foreign' ? undefined : preferred };
  if (isRequest(own)) return told;
  for (const format of ORDER) {
    if (format.name === preferred?.name) continue;
    const parsed = parse(format, line);
    if (isRequest(parsed)) return { parsed, format };
    const isTelling = told.parsed === 'foreign' || (told.parsed === 'other' && own === 'foreign');
    if (isTelling && parsed !== 'foreign') told = { parsed, format };
  }
  return told.parsed === 'foreign' ? { parsed: 'other', format: undefined } : told;
}

/** Returns what a line is by itself, in a source of a format. */
export function parseLine(line: string, preferred: Format | undefined, context: ParseContext): Parsed {
  return readLine(line, preferred, (format, text) => format.parse(text, context)).parsed;
}
