// Arguments to one call of one command; the only user of yargs. Which names exist is said in cli.ts and in the commands.
import { existsSync } from 'node:fs';
import yargs from 'yargs';
import { UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import type { Call, Command, Commands, Flag, Flags, FlagValue } from './command.ts';
import { nearest, unknownName } from './nearest.ts';
import { readThresholds, thresholdFlags } from './thresholds.ts';

export interface Parsed {
  readonly command: Command;
  readonly call: Call;
}

/** Returns the command that the arguments name, and what they say to it. */
export async function parse(args: readonly string[], commands: Commands): Promise<Parsed> {
  let parsed: Parsed | undefined;
  await parser(args, commands, (found) => (parsed = found)).parseAsync();
  if (parsed === undefined) throw new Error(`no command took ${JSON.stringify(args)}`);
  return parsed;
}

/** Prints what could stand at the end of the line that a shell is completing. */
export async function complete(args: readonly string[], commands: Commands): Promise<void> {
  await parser(args, commands).parseAsync();
}

/** Prints a script that makes the shell in SHELL ask for completions. */
export function printCompletionScript(): void {
  yargs([]).scriptName('stormgate').locale('en').showCompletionScript();
}

/** A parser that hands on what it found; without `found` it completes. */
function parser(args: readonly string[], commands: Commands, found?: (parsed: Parsed) => void) {
  const program = yargs([...args])
    .scriptName('stormgate')
    .locale('en')
    .help(false)
    .version(false)
    .exitProcess(false)
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    })
    .fail((message: string, error?: Error) => {
      throw error ?? new UsageError(message);
    });
  for (const [name, { summary, load }] of Object.entries(commands)) {
    program.command({
      command: name === 'report' ? [name, '$0'] : name,
      describe: summary,
      builder: async (builder) => {
        const command = await load();
        const flags = command.thresholds ? { ...command.flags, ...thresholdFlags() } : command.flags;
        const options = Object.entries(flags).map(([flag, of]) => [flag, option(of, found === undefined)]);
        builder.options(Object.fromEntries(options));
        // Before yargs validates: it takes `--toString` for a flag that it knows, and then fails.
        if (found !== undefined) {
          builder.middleware((given) => {
            const call = callOf(name, command, flags, given);
            if (name === 'report') refuseCommands(call.operands, Object.keys(commands));
            found({ command, call });
          }, true);
        }
        return builder;
      },
      handler: () => undefined,
    });
  }
  return program;
}

/** How yargs reads a flag. It learns the choices for completion only: `valueOf` checks them, and names the nearest. */
function option(flag: Flag, isCompleting: boolean) {
  const choices = flag.choices ?? flag.suggestions;
  return {
    describe: flag.describe,
    type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
    ...(flag.alias === undefined ? {} : { alias: flag.alias }),
    ...(choices === undefined || !isCompleting ? {} : { choices }),
  };
}

type Given = Readonly<Record<string, unknown>> & { readonly _: readonly (string | number)[] };

function callOf(name: string, command: Command, flags: Flags, { _: words, $0: _program, ...given }: Given): Call {
  const operands = words.map(String);
  for (const flag of Object.keys(given)) if (!Object.hasOwn(flags, flag)) throw unknownFlag(flag, name, flags);
  const values = Object.fromEntries(Object.entries(flags).map(([flag, of]) => [flag, valueOf(flag, of, given[flag])]));
  return {
    flags: values,
    operands: operands[0] === name ? operands.slice(1) : operands,
    settings: command.thresholds ? readThresholds(values) : {},
  };
}

const written = (flag: string): string => (flag.length === 1 ? `-${flag}` : `--${flag}`);

function unknownFlag(flag: string, command: string, flags: Flags): UsageError {
  return unknownName('flag', written(flag), Object.keys(flags).map(written), messages.seeHelp(command));
}

function valueOf(name: string, flag: Flag, given: unknown): FlagValue {
  const all = given === undefined ? [] : [given].flat();
  if (flag.value === undefined) return all.at(-1) === true;
  const texts = all.map(String);
  for (const text of texts) {
    if (text === '') throw new UsageError(messages.flagWithoutValue(name), { help: messages.writeFlag(name, flag.value) });
    if (flag.choices?.includes(text) === false) throw unknownName(name.replaceAll('-', ' '), text, flag.choices);
  }
  if (flag.repeat === true) return texts;
  if (texts.length > 1) throw new UsageError(messages.flagGivenTwice(name));
  return texts[0];
}

/** A first word that is no file may be a command: misspelt, or written after a flag. */
function refuseCommands([first]: readonly string[], commands: readonly string[]): void {
  if (first === undefined || first === '-' || /[/*?.[{]/.test(first) || existsSync(first)) return;
  const command = nearest(first, commands);
  if (command === first) throw new UsageError(messages.unexpectedOperand(first), { help: messages.commandFirst(first) });
  if (command !== undefined) throw unknownName('command', first, commands);
}
