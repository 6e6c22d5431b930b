// The steady use: a timer calls it, it reads what is new, reports on the night, and remembers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { InputError, UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import { defineCommand } from './command.ts';
import { print, writeWhole } from './output.ts';
import { printNote, printWarning } from './stderr.ts';
import { programVersion } from './version.ts';
import type { Config, NamedLimit, Notify } from './config.ts';

const RUN = 'What is done';

export const nightly = defineCommand({
  operands: '',
  about: [
    'Reads what is new in the logs of the config, reports on the night in reports/DATE, and keeps rows and read positions in one DuckDB file: each line is counted once, through rotation, crashes and full disks. What a run leaves undone, the next one does.',
    'Exit code: 0 done, 1 a limit of the config (fail-on) was crossed, 2 something could not be done; the next run makes up for it.',
  ],
  flags: {
    config: { value: 'FILE', describe: 'the config, YAML or JSON (default stormgate.yaml)' },
    init: { describe: 'write a commented config and stop', group: RUN },
    check: { describe: 'check the config, say what a run would do, and stop', group: RUN },
    'dry-run': { describe: 'work on a copy of the state, print the summary, and write nothing', group: RUN },
    backfill: { value: 'FROM..TO', describe: 'also report on the nights of these dates, from rows that are kept', group: RUN },
    rebuild: { describe: 'forget what was read, and read all logs that are there anew; the history stays', group: RUN },
    quiet: { alias: 'q', describe: 'no warnings, and nothing on standard output' },
  },
  examples: [
    ['stormgate nightly --init', 'write stormgate.yaml with every key explained'],
    ['stormgate nightly --check', 'what a run would read, report and write'],
    ['stormgate nightly --config /etc/stormgate.yaml', 'what the timer calls'],
    ['stormgate nightly --backfill 2026-11-01..2026-11-28', 'reports on nights before the first run'],
  ],
  async run({ flags, operands: [extra] }) {
    if (extra !== undefined) throw new UsageError(messages.unexpectedOperand(extra), { help: messages.seeHelp('nightly') });
    const { CONFIG_TEMPLATE, DEFAULT_CONFIG, readConfig } = await import('./config.ts');
    const path = flags.config ?? DEFAULT_CONFIG;
    if (flags.init) return init(path, CONFIG_TEMPLATE);
    // What clients did is nobody else's business unless the config says so.
    process.umask(0o077);
    const config = await readConfig(path);
    const now = moment(process.env['SOURCE_DATE_EPOCH']);
    if (flags.check) return check(config, now);
    return runNight(config, now, flags);
  },
});

/** Now in microseconds, or the seconds of SOURCE_DATE_EPOCH: the same night then gives the same bytes at any time. */
function moment(epoch: string | undefined): number {
  return epoch !== undefined && /^\d{1,11}$/.test(epoch) ? Number(epoch) * 1e6 : Date.now() * 1000;
}

async function init(path: string, text: string): Promise<number> {
  if (existsSync(path)) throw new InputError(messages.configExists(path), { help: messages.nameOtherConfig() });
  await writeWhole(path, text);
  await print(messages.configWritten(path));
  return 0;
}

async function check(config: Config, now: number): Promise<number> {
  const { previewNightly } = await import('../nightly/run.ts');
  const { isoTime } = await import('../findings/time.ts');
  const { night, due, files, failures } = await previewNightly(config, now);
  await print(
    messages.nightlyPlan({
      ...config,
      config: config.path,
      night: night.name,
      since: isoTime(night.since),
      until: isoTime(night.until),
      hours: (night.until - night.since) / 3.6e9,
      due,
      files,
      limits: config.failOn.map((limit) => named(limit, limit.text)),
      notify: config.notify === undefined ? undefined : `${config.notify.on}: ${[config.notify.command].flat().join(' ')}`,
    }),
  );
  for (const failure of failures) printWarning(failure);
  return failures.length > 0 ? 2 : 0;
}

interface RunFlags {
  readonly 'dry-run': boolean;
  readonly backfill: string | undefined;
  readonly rebuild: boolean;
  readonly quiet: boolean;
}

async function runNight(config: Config, now: number, flags: RunFlags): Promise<number> {
  const { runNightly } = await import('../nightly/run.ts');
  const { NIGHT_FIGURES } = await import('./config.ts');
  const { crossedLimits } = await import('./limits.ts');
  const { notify } = config;
  const result = await runNightly(config, {
    now,
    version: programVersion(),
    backfill: flags.backfill === undefined ? undefined : readDates(flags.backfill),
    isRebuild: flags.rebuild,
    isDry: flags['dry-run'],
    onWarning: flags.quiet ? () => undefined : printWarning,
    onNote: flags.quiet ? () => undefined : printNote,
    crossed: (findings, comparison) =>
      config.failOn.flatMap((limit) =>
        crossedLimits({ findings, comparison }, [limit], NIGHT_FIGURES).map((sentence) => named(limit, sentence)),
      ),
    notify: notify && ((summary, { crossed, storms }) => tell(notify, summary, crossed, storms)),
  });
  if (flags['dry-run']) await print(result.summary);
  else if (!flags.quiet) await print(messages.nightDone(result.night, result.lines, result.reported, config.reports));
  result.crossed.forEach(printNote);
  for (const failure of result.failures) printWarning(failure);
  if (result.failures.length > 0) return 2;
  return result.crossed.length > 0 ? 1 : 0;
}

function named({ name }: NamedLimit, text: string): string {
  return name === undefined ? text : `${name}: ${text}`;
}

function readDates(text: string): { from: string; to: string } {
  const [, from = '', to = ''] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  if (!isDate(from) || !isDate(to) || from > to)
    throw new UsageError(messages.badValue('backfill', text), { help: messages.datesShape() });
  return { from, to };
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}

const PATIENCE_MS = 300_000;

/** Runs the program of the config with the summary on its standard input; what it prints goes to standard error. */
async function tell({ command, on }: Notify, summary: string, crossed: readonly string[], storms: number): Promise<void> {
  if (on === 'limits' && crossed.length === 0) return;
  if (on === 'storms' && storms === 0) return;
  const [program = '', ...args] = typeof command === 'string' ? ['sh', '-c', command] : command;
  const child = spawn(program, args, { stdio: ['pipe', 2, 2], timeout: PATIENCE_MS });
  child.stdin?.on('error', () => undefined).end(summary);
  const [code, signal] = await (once(child, 'close') as Promise<[number | null, string | null]>).catch((error: Error) => {
    throw new InputError(messages.cannotNotify(program), { reason: error.message }, { cause: error });
  });
  if (code !== 0) throw new InputError(messages.cannotNotify(program), { reason: messages.endedWith(code, signal) });
}
