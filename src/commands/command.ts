// What a command is. A new one is a file that exports a `Command`, plus a line in cli.ts.

/** A flag. Without `value` it is a switch; `value` is the word that stands for what the user writes (`FILE`). */
export interface Flag {
  readonly describe: string;
  readonly value?: string;
  readonly alias?: string;
  readonly repeat?: true;
  /** The values it takes, when they are a closed list; a wrong one is answered with the nearest. */
  readonly choices?: readonly string[];
  /** Values that are offered, when it takes others too. */
  readonly suggestions?: readonly string[];
  /** Heading in the help; `Flags` if absent. */
  readonly group?: string;
}

export type Flags = Readonly<Record<string, Flag>>;

export type FlagValue = string | undefined | boolean | readonly string[];

/** What was given for each flag: a list, a text or a switch, as the flag is declared. */
export type Values<F extends Flags> = { readonly [K in keyof F]: ValueOf<F[K]> };
type ValueOf<F extends Flag> = Flag extends F
  ? FlagValue
  : F extends { value: string }
    ? F extends { repeat: true }
      ? readonly string[]
      : string | undefined
    : boolean;

/** One call of a command. */
export interface Call<F extends Flags = Flags> {
  readonly flags: Values<F>;
  readonly operands: readonly string[];
  /** Thresholds that the user changed, by column of `settings`. */
  readonly settings: Readonly<Record<string, number>>;
}

export interface Command<F extends Flags = Flags> {
  /** How the operands are written in the usage line: `[FILES…]`. */
  readonly operands: string;
  /** Paragraphs for the help, where the summary in cli.ts does not say it all. */
  readonly about?: readonly string[];
  readonly flags: F;
  /** The command also takes every threshold of queries/00_settings.sql as a flag. */
  readonly thresholds?: true;
  /** At least one: the command line, and what it is for. */
  readonly examples: readonly [readonly [string, string], ...(readonly [string, string])[]];
  /** Returns the exit code. What it needs beyond its flags is imported when it runs, so that help stays quick. */
  run(call: Call<F>): Promise<number>;
}

/** Returns the command as given, with the types of its flags inferred. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

/** Returns flags as given, with their types inferred. */
export function defineFlags<const F extends Flags>(flags: F): F {
  return flags;
}

/** A command in the list of cli.ts: its summary, and where it is loaded from. */
export interface CommandEntry {
  readonly summary: string;
  load(): Promise<Command>;
}

export type Commands = Readonly<Record<string, CommandEntry>>;
