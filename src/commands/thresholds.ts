// The thresholds of queries/00_settings.sql as flags: the column with dashes, without its unit of time, since the value bears one.
import type { Setting } from '../store/steps.ts';
import { listSettings } from '../store/steps.ts';
import type { Flags, FlagValue } from './command.ts';
import { readCount, readDuration } from './values.ts';

/** Milliseconds of a column's unit of time. */
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, ms: 1 };

/** Returns a flag for every threshold. Moments and texts are no thresholds; what they choose has flags of its own. */
export function thresholdFlags(): Flags {
  return Object.fromEntries(
    listThresholds().map((setting) => [
      flagOf(setting),
      {
        value: isTime(setting) ? 'TIME' : 'N',
        describe: `${setting.description} (default ${defaultOf(setting)})`,
        group: 'Thresholds',
      },
    ]),
  );
}

/** Returns the thresholds that were given, by column. */
export function readThresholds(flags: Readonly<Record<string, FlagValue>>): Record<string, number> {
  const given = listThresholds().flatMap((setting): [string, number][] => {
    const text = flags[flagOf(setting)];
    return typeof text === 'string' ? [[setting.name, read(setting, text)]] : [];
  });
  return Object.fromEntries(given);
}

function listThresholds(): Setting[] {
  return listSettings().filter(({ type, unit }) => type === 'number' && unit !== 'us');
}

function isTime({ unit }: Setting): boolean {
  return unit in UNIT_MS;
}

function flagOf(setting: Setting): string {
  const name = isTime(setting) ? setting.name.slice(0, -setting.unit.length - 1) : setting.name;
  return name.replaceAll('_', '-');
}

function read(setting: Setting, text: string): number {
  const flag = flagOf(setting);
  if (!isTime(setting)) return readCount(flag, text);
  return Math.floor(readDuration(flag, text) / (UNIT_MS[setting.unit] ?? 1));
}

/** The default as one would write it: the largest unit that has no remainder. */
function defaultOf(setting: Setting): string {
  if (!isTime(setting)) return String(setting.default);
  const ms = Number(setting.default) * (UNIT_MS[setting.unit] ?? 1);
  const [unit, size] = (
    [
      ['h', 3_600_000],
      ['m', 60_000],
      ['s', 1000],
      ['ms', 1],
    ] as const
  ).find(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
