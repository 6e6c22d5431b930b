// What --log-format and --log-format-from say: a name, a description, or the definitions in a server's configuration.
import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import * as messages from '../messages.ts';
import { FORMAT_NAMES } from '../record.ts';
import { unknownName } from './nearest.ts';

export interface LogFormats {
  /** Reads every line: a name, or a description. */
  logFormat: string | undefined;
  /** Descriptions of what may occur. */
  described: readonly string[] | undefined;
}

/** Returns the formats that the flags name; tells `note` of what is skipped in descriptions. */
export async function readLogFormats(
  wanted: string | undefined,
  file: string | undefined,
  note: (sentence: string) => void,
): Promise<LogFormats> {
  if (wanted === undefined && file === undefined) return { logFormat: undefined, described: undefined };
  const { describe, isFormatName, readDefinitions } = await import('../formats/log-format/index.ts');

  /** Compiles a description, which throws where it cannot be read back. */
  const known = (text: string): boolean => {
    const made = describe(text);
    if (made !== undefined && made.unknown.length > 0) note(messages.skippedFields(made.unknown));
    return made !== undefined;
  };
  if (file === undefined) {
    if (wanted === undefined || isFormatName(wanted) || known(wanted)) return { logFormat: wanted, described: undefined };
    throw unknownName('log format', wanted, FORMAT_NAMES, messages.seeFormats());
  }

  const definitions = readDefinitions(await readConfiguration(file));
  if (definitions.length === 0) throw new InputError(messages.noDefinition(file), { help: messages.whereDefined() });
  if (wanted === undefined) return { logFormat: undefined, described: definitions.map(({ text }) => text).filter(known) };
  const named = definitions.find(({ name }) => name === wanted);
  if (named !== undefined && known(named.text)) return { logFormat: named.text, described: undefined };
  const names = definitions.map(({ name }) => name).filter((name) => name !== '');
  throw unknownName('log format', wanted, names);
}

async function readConfiguration(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new InputError(messages.cannotRead('configuration', file), { reason: (error as Error).message }, { cause: error });
  }
}
