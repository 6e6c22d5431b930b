// The config of nightly runs. Its keys are the words of the flags; values are read by what reads the flags, and faults say where they are.
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { InputError, StormgateError, UsageError } from '../errors.ts';
import type { Yaml } from '../contract/yaml.ts';
import * as messages from '../messages.ts';
import type { Findings } from '../findings/findings.ts';
import type { Comparison } from '../nightly/history.ts';
import type { NightlyConfig } from '../nightly/run.ts';
import type { NightlySource } from '../nightly/take.ts';
import type { WindowKind } from '../nightly/window.ts';
import type { Readers } from '../nightly/write.ts';
import { FORMAT_NAMES, type FormatName } from '../record.ts';
import { readDocument } from './analysis.ts';
import { FIGURES, readLimit, type Figures, type Limit } from './limits.ts';
import { unknownName } from './nearest.ts';
import { readThresholds, thresholdFlags } from './thresholds.ts';
import { readCount, readDuration, readSize, readZone } from './values.ts';

export const DEFAULT_CONFIG = 'stormgate.yaml';

/** A limit, by the name that the config gives it. */
export interface NamedLimit extends Limit {
  readonly name: string | undefined;
}

export interface Notify {
  /** A program and its arguments, or a line for the shell. */
  readonly command: string | readonly string[];
  readonly on: (typeof NOTIFY_ON)[number];
}

/** A config as its file says it. */
export interface Config extends NightlyConfig {
  readonly path: string;
  /** As they are written, for whoever checks. */
  readonly contractNames: readonly string[];
  readonly failOn: readonly NamedLimit[];
  readonly notify: Notify | undefined;
}

const NOTIFY_ON = ['limits', 'storms', 'always'] as const;
const MODES = ['owner', 'group', 'everyone'] as const satisfies readonly Readers[];
const DAY_MS = 86_400_000;

interface Night {
  readonly findings: Findings;
  readonly comparison: Comparison;
}

/** Figures of a night: those of its report, and what the past adds to them. */
export const NIGHT_FIGURES: Figures<Night> = {
  ...Object.fromEntries(
    Object.entries(FIGURES).map(([name, figure]): [string, (night: Night) => number] => [
      name,
      ({ findings }) => figure(findings),
    ]),
  ),
  new_storms: ({ comparison }) => comparison.fresh.length,
  returning_storms: ({ comparison }) => comparison.returning.length,
  gone_storms: ({ comparison }) => comparison.gone.length,
  unusual: ({ comparison }) => comparison.unusual.length,
};

const KEYS = [
  'sources',
  'contract',
  'endpoint',
  'client',
  'window',
  'tz',
  'state',
  'reports',
  'metrics',
  'mode',
  'fail-on',
  'notify',
  'notify-on',
  'keep-rows',
  'keep-nights',
  'lock-wait',
  'memory',
  'threads',
] as const;
type Key = (typeof KEYS)[number];
const SOURCE_KEYS = ['path', 'label', 'log-format', 'tz'] as const;

type Path = readonly (string | number)[];

/** A value with its place. */
interface Entry {
  readonly value: unknown;
  readonly path: Path;
}

/** Reads and checks a config. Paths in it are relative to its folder, which becomes the one we are in. */
export async function readConfig(name: string): Promise<Config> {
  const { readYaml } = await import('../contract/yaml.ts');
  const yaml = await readYaml(name, await readText(name));
  const reader = openReader(name, yaml);
  process.chdir(dirname(resolve(name)));
  return reader.read();
}

async function readText(name: string): Promise<string> {
  try {
    return (await readFile(name, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new InputError(
      messages.cannotRead('config', name),
      { reason: (error as Error).message, help: messages.initConfig() },
      { cause: error },
    );
  }
}

function openReader(name: string, yaml: Yaml) {
  /** Adds the place to whatever is wrong with a value. */
  function at<T>(path: Path, reading: () => T): T {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof StormgateError)) throw error;
      throw new InputError(
        error.message.replace(/(?<=bad value for )--/, ''),
        { ...error.detail, at: yaml.at(path) },
        { cause: error },
      );
    }
  }

  const wrong = (path: Path, expected: string): InputError =>
    new InputError(messages.badConfig(String(path.at(-1) ?? name)), { reason: expected, at: yaml.at(path) });

  /** Returns the entries of a mapping by key, dashes for underscores, or fails on a key that nobody knows. */
  function entries(value: unknown, path: Path, keys: readonly string[]): Map<string, Entry> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, messages.expectedMapping());
    const found = new Map<string, Entry>();
    for (const [key, each] of Object.entries(value)) {
      const word = key.replaceAll('_', '-');
      const here = [...path, key];
      if (!keys.includes(word)) at(here, () => raise(unknownName('key', key, keys)));
      if (found.has(word)) throw wrong(here, messages.keyTwice());
      if (each !== null) found.set(word, { value: each, path: here });
    }
    return found;
  }

  const text = ({ value, path }: Entry): string => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw wrong(path, messages.expectedText());
  };

  const texts = ({ value, path }: Entry): string[] =>
    Array.isArray(value) ? value.map((each, index) => text({ value: each, path: [...path, index] })) : [text({ value, path })];

  const choice = <T extends string>(entry: Entry, what: string, names: readonly T[]): T =>
    at(entry.path, () => {
      const given = text(entry);
      const found = names.find((one) => one === given);
      return found ?? raise(unknownName(what, given, names));
    });

  function source({ value, path }: Entry, zone: string): NightlySource {
    if (typeof value === 'string') return { label: undefined, paths: [value], logFormat: undefined, timeZone: zone };
    const keys = entries(value, path, SOURCE_KEYS);
    const paths = keys.get('path');
    if (paths === undefined) throw wrong(path, messages.sourceNeedsPath());
    const [label, format, tz] = [keys.get('label'), keys.get('log-format'), keys.get('tz')];
    return {
      label: label === undefined ? undefined : text(label),
      paths: texts(paths),
      logFormat: format === undefined ? undefined : choice<FormatName>(format, 'log format', FORMAT_NAMES),
      timeZone: tz === undefined ? zone : at(tz.path, () => readZone(text(tz))),
    };
  }

  const limit = (entry: Entry, label: string | undefined): NamedLimit =>
    at(entry.path, () => Object.assign(readLimit(text(entry), NIGHT_FIGURES), { name: label }));

  function limits(entry: Entry | undefined): NamedLimit[] {
    if (entry === undefined) return [];
    const { value, path } = entry;
    if (typeof value !== 'object' || value === null) return [limit(entry, undefined)];
    if (Array.isArray(value)) return value.flatMap((each, index) => limits({ value: each, path: [...path, index] }));
    return Object.entries(value).map(([label, each]) => limit({ value: each, path: [...path, label] }, label));
  }

  async function read(): Promise<Config> {
    const thresholds = thresholdFlags();
    const keys = entries(yaml.value, [], [...KEYS, ...Object.keys(thresholds)]);
    const get = (key: Key) => keys.get(key);
    const each = <T>(key: Key, given: (entry: Entry) => T, otherwise: T): T => {
      const entry = get(key);
      return entry === undefined ? otherwise : at(entry.path, () => given(entry));
    };
    const days = (key: Key, otherwise: number): number =>
      each(key, (entry) => Math.floor(readDuration(key, text(entry)) / DAY_MS) || raise(tooShort(key, text(entry))), otherwise);

    const zone = each('tz', (entry) => readZone(text(entry)), 'UTC');
    const sources = get('sources');
    if (sources === undefined) throw wrong([], messages.noSources());
    const list = Array.isArray(sources.value) ? sources.value : [sources.value];
    const contracts = each('contract', texts, []);
    const isNone = contracts.includes('none');
    const reports = resolve(each('reports', text, 'reports'));
    const command = get('notify');
    const given = Object.fromEntries(Object.keys(thresholds).map((flag) => [flag, keys.get(flag)] as const));
    const settings = Object.entries(given).map(([flag, entry]) =>
      entry === undefined ? {} : at(entry.path, () => readThresholds({ [flag]: text(entry) })),
    );
    return {
      path: resolve(name),
      sources: list.map((value: unknown, index) =>
        source({ value, path: Array.isArray(sources.value) ? [...sources.path, index] : sources.path }, zone),
      ),
      window: each('window', (entry) => readWindow(text(entry)), { is: 'yesterday' }),
      zone,
      contractNames: contracts,
      documents: isNone ? [] : await Promise.all(contracts.map(readDocument)),
      endpoints: each('endpoint', texts, []),
      infer: !isNone,
      client: each<string | undefined>('client', text, undefined),
      settings: Object.assign({}, ...settings) as Record<string, number>,
      state: resolve(each('state', text, 'stormgate.duckdb')),
      reports,
      metrics: resolve(each('metrics', text, `${reports}/metrics.prom`)),
      readers: each('mode', (entry) => choice<Readers>(entry, 'mode', MODES), 'owner'),
      failOn: limits(get('fail-on')),
      notify:
        command === undefined
          ? undefined
          : {
              command: Array.isArray(command.value) ? texts(command) : text(command),
              on: each('notify-on', (entry) => choice(entry, 'occasion', NOTIFY_ON), 'limits'),
            },
      keepRowsDays: days('keep-rows', 14),
      keepNightsDays: days('keep-nights', 400),
      lockWaitMs: each('lock-wait', (entry) => readDuration('lock-wait', text(entry)), 600_000),
      database: {
        memory: each<string | undefined>('memory', (entry) => readSize('memory', text(entry)), undefined),
        threads: each('threads', (entry) => readCount('threads', text(entry), 1), availableParallelism()),
      },
    };
  }

  return { read };
}

function raise(error: Error): never {
  throw error;
}

function tooShort(key: string, text: string): UsageError {
  return new UsageError(messages.badValue(key, text), { help: messages.expectedDays() });
}

/** Returns the window that a text states: `yesterday`, or `last 24h`. */
export function readWindow(text: string): WindowKind {
  if (text.trim() === 'yesterday') return { is: 'yesterday' };
  const [, hours] = /^\s*last\s+(\d{1,3})\s*h\s*$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) === 0)
    throw new UsageError(messages.badValue('window', text), { help: messages.windowShape() });
  return { is: 'last', hours: Number(hours) };
}

/** The config that `--init` writes: every key, with what it is for. */
export const CONFIG_TEMPLATE = `# Nightly reports of stormgate. Keys are the words of the flags; paths are relative to this file.
# stormgate nightly --check says what a run would do; stormgate schedule --print systemd prints a timer.

# The logs, with their rotated copies: paths, folders, globs. What was read before is not read again, under whatever name it is now.
sources:
  - path: /var/log/nginx/access.log*
    # label: edge                  # stands before the log's name in reports
    # log-format: combined         # instead of detecting it
    # tz: Europe/Zurich            # of stamps without an offset; the tz below unless given

# What a night is: the calendar day before (of 23 or 25 hours when clocks change), or the hours before the last full hour.
window: yesterday                  # or: last 24h
tz: UTC                            # zone of the window, an IANA name

# What the interface declares: A2A and MCP cards, tools/list, OpenAPI. Without it the log is asked; none: not even that.
# contract: [agent-card.json, server-card.json]
# endpoint: [/mcp]

# Where things go, and who may read them: owner, group or everyone.
state: stormgate.duckdb
reports: reports
# metrics: /var/lib/node_exporter/textfile/stormgate.prom
mode: owner

# Limits: exit code 1, and the reason on standard error. Besides the figures of the report: new_storms, returning_storms, gone_storms, unusual.
fail-on:
  somebody-new: new_storms>0
  # much-waste: avoidable>1000

# A program that gets the summary on its standard input: when a limit is crossed (limits), when there is a storm (storms), or always.
# notify: mail -s 'refusal storms' ops@example.com
# notify-on: limits

# How long single requests stay, and how long the history of nights.
keep-rows: 14d
keep-nights: 400d

# How long to wait for another run on the same state.
lock-wait: 10m
# memory: 512MB
# threads: 2

# Every threshold of stormgate report is a key, too.
# session-gap: 30m
# retry-budget: 3
`;
