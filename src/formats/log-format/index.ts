// Formats that the user describes: by name, or by the very text that the server's configuration holds.
import { FORMAT_NAMES, type FormatName } from '../../record.ts';
import type { Format } from '../format.ts';
import { FORMATS } from '../index.ts';

/** Returns the format of a name or a description. */
export function formatOf(choice: string): Format {
  return FORMATS[choice as FormatName];
}

export function isFormatName(text: string): text is FormatName {
  return (FORMAT_NAMES as readonly string[]).includes(text);
}
