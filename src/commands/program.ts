// One run of the program: help and version at once, anything else through the parser; errors become sentences and exit codes.
import type { Commands } from './command.ts';
import { renderCommandHelp, renderProgramHelp } from './help.ts';
import { print } from './output.ts';
import { printError } from './stderr.ts';
import { programVersion } from './version.ts';

/** Runs what the arguments ask for and returns the exit code. */
export async function runProgram(args: readonly string[], commands: Commands): Promise<number> {
  // Whoever reads us has seen enough when the pipe closes. `print` reports it, so that all that is open gets closed.
  process.stdout.on('error', () => undefined);
  try {
    const flags = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
    if (flags.includes('--help') || flags.includes('-h') || flags[0] === 'help') return await printHelp(flags, commands);
    if (flags.includes('--version') || flags.includes('-V')) return await printVersion();
    const { complete, parse } = await import('./parse.ts');
    if (flags.includes('--get-yargs-completions')) {
      await complete(args, commands);
      return 0;
    }
    const { command, call } = await parse(args, commands);
    return await command.run(call);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
    printError(error);
    return 2;
  }
}

async function printHelp(flags: readonly string[], commands: Commands): Promise<number> {
  const name = flags.find((flag) => Object.hasOwn(commands, flag));
  const entry = name === undefined ? undefined : commands[name];
  if (name === undefined || entry === undefined) await print(renderProgramHelp(commands));
  else {
    const command = await entry.load();
    const thresholds = command.thresholds ? (await import('./thresholds.ts')).thresholdFlags() : {};
    await print(renderCommandHelp(name, entry.summary, command, thresholds));
  }
  return 0;
}

async function printVersion(): Promise<number> {
  await print(`${programVersion()}\n`);
  return 0;
}
