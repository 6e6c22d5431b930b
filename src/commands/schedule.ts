// Prints what makes a scheduler call the nightly run of a config.
import { realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import { defineCommand } from './command.ts';
import { unknownName } from './nearest.ts';
import { print } from './output.ts';
import { programVersion } from './version.ts';

// Spelt out because help must not load the units; the test of the command keeps it complete.
const SCHEDULERS = ['systemd', 'cron', 'launchd', 'kubernetes'] as const;

export const schedule = defineCommand({
  operands: '',
  about: ['Nothing is installed: the output says where each file belongs. The hour is one of the zone of the config (tz).'],
  flags: {
    print: { value: 'SCHEDULER', describe: 'for which scheduler', choices: SCHEDULERS },
    config: { value: 'FILE', describe: 'the config of the nightly run (default stormgate.yaml)' },
    at: { value: 'HH:MM', describe: 'when to run (default 02:00)' },
  },
  examples: [
    ['stormgate schedule --print systemd --config /etc/stormgate.yaml', 'a hardened service with its timer'],
    ['stormgate schedule --print kubernetes --at 03:30', 'a CronJob'],
  ],
  async run({ flags, operands: [extra] }) {
    if (extra !== undefined) throw new UsageError(messages.unexpectedOperand(extra), { help: messages.seeHelp('schedule') });
    const scheduler = SCHEDULERS.find((name) => name === flags.print);
    if (scheduler === undefined) {
      if (flags.print !== undefined) throw unknownName('scheduler', flags.print, SCHEDULERS);
      throw new UsageError(messages.missingOperand('--print'), { help: messages.knownNames(undefined, SCHEDULERS) });
    }
    const at = flags.at ?? '02:00';
    if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(at))
      throw new UsageError(messages.badValue('at', at), { help: messages.clockShape() });
    const { DEFAULT_CONFIG, readConfig } = await import('./config.ts');
    const { renderUnits } = await import('../nightly/units.ts');
    const path = resolve(flags.config ?? DEFAULT_CONFIG);
    const program = realpathSync(process.argv[1] ?? '');
    const config = await readConfig(path);
    const units = renderUnits(scheduler, {
      command: [process.execPath, program, 'nightly', '--config', path],
      config: path,
      at,
      zone: config.zone,
      written: distinct([dirname(config.state), config.reports, dirname(config.metrics)]),
      read: distinct(config.sources.flatMap(({ paths }) => paths.map(folderOf))),
      version: programVersion(),
    });
    await print(units);
    return 0;
  },
});

/** The folder in which all files of a path or glob lie. */
function folderOf(path: string): string {
  const parts = resolve(path).split(sep);
  const first = parts.findIndex((part) => /[*?[\]{}()!]/.test(part));
  return (first < 0 ? parts.slice(0, -1) : parts.slice(0, first)).join(sep) || sep;
}

function distinct(folders: readonly string[]): string[] {
  return [...new Set(folders)].toSorted();
}
