// What stays of each night when its rows are gone: figures and storms; and what they say of tonight.
import { STORM_KINDS, type Findings, type StormKind } from '../findings/findings.ts';
import { groupBy } from '../findings/group.ts';
import type { Database } from '../store/database.ts';
import { addRows, inTransaction, KEPT, literal } from './state.ts';

/** Figures that are kept of each night, besides storms by kind. */
export const FIGURE_NAMES = [
  'requests',
  'refused',
  'throttled',
  'transient',
  'lower',
  'avoidable',
  'harm',
  'overrun',
  'clients',
  'storms',
  'rejects',
] as const;
export type FigureName = (typeof FIGURE_NAMES)[number];

const REFUSALS = [
  'protocol_not_supported',
  'interface_not_declared',
  'policy_refused',
  'semantic',
  'corrective',
  'auth',
] as const;

export type Figures = Readonly<Record<FigureName, number>>;

/** The storms of one kind and client in a night. */
export interface NightStorm {
  kind: StormKind;
  client: string;
  storms: number;
  requests: number;
  avoidable: number;
  under_gate: number;
  start_ts: string | null;
  end_ts: string | null;
}

export interface PastNight {
  night: string;
  figures: Figures;
  storms: NightStorm[];
}

/** Returns what is kept of a night's findings. */
export function summarise(night: string, findings: Findings): PastNight {
  const { savings, requests } = findings;
  const kinds = requests.by_kind;
  return {
    night,
    figures: {
      requests: requests.total,
      refused: REFUSALS.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0),
      throttled: kinds.throttled ?? 0,
      transient: kinds.transient ?? 0,
      lower: savings.lower,
      avoidable: savings.upper,
      harm: savings.harm,
      overrun: savings.overrun,
      clients: findings.clients.total,
      storms: findings.storms.length,
      rejects: findings.rejects.total,
    },
    storms: [...groupBy(findings.storms, ({ kind, client }) => `${kind} ${client}`).values()].map((group) => {
      const sum = (key: 'requests' | 'avoidable' | 'under_gate') => group.reduce((total, storm) => total + storm[key], 0);
      const moments = group
        .flatMap(({ start_ts, end_ts }) => [start_ts, end_ts])
        .filter((ts) => ts !== null)
        .toSorted();
      const { kind, client } = group[0] as (typeof group)[number];
      return {
        kind,
        client,
        storms: group.length,
        requests: sum('requests'),
        avoidable: sum('avoidable'),
        under_gate: sum('under_gate'),
        start_ts: moments[0] ?? null,
        end_ts: moments.at(-1) ?? null,
      };
    }),
  };
}

/** Puts a night into the history, in place of what was there, and says that its report is written. */
export async function recordNight(database: Database, { night, figures, storms }: PastNight): Promise<void> {
  await inTransaction(database, async () => {
    for (const table of ['figures', 'night_storms'])
      await database.run(`DELETE FROM ${KEPT}.${table} WHERE night = ${literal(night)}`);
    await addRows(
      database,
      'figures',
      Object.entries(figures).map(([name, n]) => ({ night, name, n })),
    );
    await addRows(
      database,
      'night_storms',
      storms.map((storm) => ({ night, ...storm })),
    );
    await database.run(`UPDATE ${KEPT}.nights SET is_due = FALSE WHERE night = ${literal(night)}`);
  });
}

/** Returns all nights that were reported on, oldest first. */
export async function readHistory(database: Database): Promise<PastNight[]> {
  const figures = await database.rows<{ night: string; name: FigureName; n: number }>(
    `SELECT night, name, n FROM ${KEPT}.figures ORDER BY night, name`,
  );
  const storms = groupBy(
    await database.rows<NightStorm & { night: string }>(
      `SELECT night, kind, client, storms, requests, avoidable, under_gate, start_ts, end_ts FROM ${KEPT}.night_storms ORDER BY night, avoidable DESC, kind, client`,
    ),
    ({ night }) => night,
  );
  return [...groupBy(figures, ({ night }) => night)].map(([night, rows]) => ({
    night,
    figures: Object.fromEntries(FIGURE_NAMES.map((name) => [name, rows.find((row) => row.name === name)?.n ?? 0])) as Figures,
    storms: storms.get(night) ?? [],
  }));
}

export interface Unusual {
  name: FigureName;
  value: number;
  usual: number;
  /** `Mondays`, or the last seven nights. */
  against: string;
}

/** Tonight against the nights before. */
export interface Comparison {
  /** Nights that there are to compare with. */
  nights: number;
  fresh: NightStorm[];
  /** Not there last night, but before. */
  returning: (NightStorm & { last: string })[];
  ongoing: NightStorm[];
  gone: NightStorm[];
  unusual: Unusual[];
}

/** Returns what is new in a night. `past` may hold later nights, too; they do not count. */
export function compare({ night, figures, storms }: PastNight, past: readonly PastNight[]): Comparison {
  const before = past.filter((one) => one.night < night);
  const last = before.at(-1);
  const lastSeen = new Map<string, string>();
  for (const one of before) for (const storm of one.storms) lastSeen.set(keyOf(storm), one.night);
  const seen = (storm: NightStorm) => lastSeen.get(keyOf(storm));
  const tonight = new Set(storms.map(keyOf));
  return {
    nights: before.length,
    fresh: storms.filter((storm) => seen(storm) === undefined),
    returning: storms.flatMap((storm) => {
      const when = seen(storm);
      return when === undefined || when === last?.night ? [] : [{ ...storm, last: when }];
    }),
    ongoing: storms.filter((storm) => last !== undefined && seen(storm) === last.night),
    gone: (last?.storms ?? []).filter((storm) => !tonight.has(keyOf(storm))),
    unusual: unusual(night, figures, before),
  };
}

function keyOf({ kind, client }: NightStorm): string {
  return `${kind} ${client}`;
}

const WATCHED = [
  'requests',
  'refused',
  'throttled',
  'transient',
  'avoidable',
  'harm',
  'rejects',
] as const satisfies readonly FigureName[];
/** Nights of one weekday, or of the last week, without which nothing is called usual. */
const LEAST_NIGHTS = { weekday: 3, week: 4 } as const;
const WEEKS = 8;
/** What may happen by chance: a smaller step is never unusual. */
const LEAST_STEP = 20;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

function unusual(night: string, figures: Figures, before: readonly PastNight[]): Unusual[] {
  const day = weekday(night);
  const same = before.filter((one) => weekday(one.night) === day).slice(-WEEKS);
  const week = before.slice(-7);
  const [nights, against] =
    same.length >= LEAST_NIGHTS.weekday ? [same, `the last ${DAYS[day] ?? ''}s`] : [week, 'the last seven nights'];
  if (nights.length < LEAST_NIGHTS.week && nights !== same) return [];
  return WATCHED.flatMap((name) => {
    const values = nights.map((one) => one.figures[name]);
    const usual = median(values);
    const spread = median(values.map((value) => Math.abs(value - usual)));
    const step = Math.abs(figures[name] - usual);
    // Half as much again, and beyond what these nights differ by themselves (1.4826 makes a median deviation a standard one).
    const isUnusual = step >= LEAST_STEP && step > usual / 2 && step > 3 * 1.4826 * spread;
    return isUnusual ? [{ name, value: figures[name], usual, against }] : [];
  });
}

function weekday(night: string): number {
  return new Date(`${night}T00:00:00Z`).getUTCDay();
}

/** Returns the middle value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Returns the clients that a gate would have spared most, over all nights given. */
export function topClients(past: readonly PastNight[], limit: number): string[] {
  const sums = new Map<string, number>();
  for (const { storms } of past)
    for (const { client, avoidable } of storms) sums.set(client, (sums.get(client) ?? 0) + avoidable);
  const ranked = [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return ranked.slice(0, limit).map(([client]) => client);
}

/** Returns the number of storms by kind, of kinds that occur, in the order of the closed list. */
export function stormsByKind(storms: readonly NightStorm[]): { kind: StormKind; storms: number }[] {
  return STORM_KINDS.map((kind) => ({
    kind,
    storms: storms.filter((storm) => storm.kind === kind).reduce((sum, storm) => sum + storm.storms, 0),
  })).filter(({ storms: n }) => n > 0);
}
