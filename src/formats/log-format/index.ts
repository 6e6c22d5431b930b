// Formats that the user describes: by name, or by the very text that a server's configuration holds.
import { FORMAT_NAMES, type FormatName } from '../../record.ts';
import type { Format } from '../format.ts';
import { FORMATS } from '../index.ts';
import { apache } from './apache.ts';
import { envoy } from './envoy.ts';
import { goaccess } from './goaccess.ts';
import { haproxy } from './haproxy.ts';
import { nginx } from './nginx.ts';
import { compile, type Compiled, type Dialect } from './template.ts';

export { readDefinitions, type Definition } from './definitions.ts';

/** In the order in which a description is tried: Apache's letters occur in the others' names. */
const DIALECTS: readonly Dialect[] = [nginx, envoy, goaccess, haproxy, apache];

const compiled = new Map<string, Compiled>();

/** Returns whether a text is the name of a format. */
export function isFormatName(text: string): text is FormatName {
  return (FORMAT_NAMES as readonly string[]).includes(text);
}

/** Returns what a description describes, or undefined if it is none. Throws a UsageError where it cannot be read back. */
export function describe(text: string): Compiled | undefined {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const dialect = DIALECTS.find(({ isOwn }) => isOwn(text));
  if (dialect === undefined) return undefined;
  const made = compile(text, dialect);
  compiled.set(text, made);
  return made;
}

/** Returns the format of a name or of a description that was looked at before. */
export function formatOf(choice: string): Format {
  if (isFormatName(choice)) return FORMATS[choice];
  const made = describe(choice);
  if (made === undefined) throw new Error(`not a log format: ${choice}`);
  return made.format;
}
