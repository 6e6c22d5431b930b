// Charts of the history: one bar or point a night, over all nights that are kept.
import { CHART_WIDTH, THEME, type Chart } from '../report/charts/chart.ts';
import { KIND_COLOURS, SURFACES } from '../report/palette.ts';
import { count, plural, share } from '../report/numbers.ts';
import { clip } from '../report/phrase.ts';
import type { StormKind } from '../findings/findings.ts';
import type { Kind } from '../record.ts';
import { stormsByKind, topClients, type FigureName, type PastNight } from './history.ts';

/** Nights that are drawn; the table lists them all. */
const NIGHTS = 120;
const CLIENTS = 5;

/** Each kind of storm in the colour of the answers that it does not heed. */
export const STORM_COLOURS: Readonly<Record<StormKind, Kind>> = {
  path_guessing: 'interface_not_declared',
  stale_session: 'corrective',
  reinitialize_loop: 'client_gone',
  auth_loop: 'auth',
  throttle_hammering: 'throttled',
  transient_hammering: 'transient',
  redirect_loop: 'ambiguous',
  refused_repeat: 'protocol_not_supported',
  semantic_repeat: 'semantic',
  reconnect_loop: 'policy_refused',
};

export interface Trend {
  chart: Chart;
  /** What the colours mean. */
  key: readonly { label: string; kind: Kind }[];
}

interface Bar {
  night: string;
  value: number;
  base: number;
  top: number;
  colour: string;
  label: string;
}

function chartOf(
  name: string,
  title: string,
  description: string,
  unit: string,
  bars: readonly Bar[],
  nights: readonly string[],
): Chart {
  const width = CHART_WIDTH - 60;
  return {
    name,
    title,
    description,
    kinds: [],
    spec: {
      width,
      height: 130,
      config: THEME,
      data: { values: bars },
      mark: { type: 'bar', width: Math.max(2, Math.min(24, Math.floor((width / nights.length) * 0.7))) },
      encoding: {
        x: {
          field: 'night',
          type: 'ordinal',
          scale: { domain: nights },
          axis: { grid: false, title: null, labelAngle: 0, labelOverlap: 'greedy', labelFlush: true },
        },
        y: {
          field: 'base',
          type: 'quantitative',
          axis: { title: unit, tickCount: 4, minExtent: 40, maxExtent: 40, format: '~s' },
        },
        y2: { field: 'top' },
        color: { field: 'colour', type: 'nominal', scale: null },
      },
    } as unknown as Chart['spec'],
  };
}

function plain(past: readonly PastNight[], valueOf: (night: PastNight) => number, colour: string): Bar[] {
  return past.map((one) => ({ night: one.night, value: valueOf(one), base: 0, top: valueOf(one), colour, label: '' }));
}

function figureTrend(
  past: readonly PastNight[],
  name: FigureName,
  title: string,
  unit: string,
  colour: string,
): Trend | undefined {
  if (past.every(({ figures }) => figures[name] === 0)) return undefined;
  const nights = past.map(({ night }) => night);
  const last = past.at(-1)?.figures[name] ?? 0;
  const bars = plain(past, ({ figures }) => figures[name], colour);
  return {
    chart: chartOf(name, `${title}: ${count(last)} last night`, `One bar a night, in ${unit}.`, unit, bars, nights),
    key: [],
  };
}

/** Returns the upper bound of the avoidable requests in percent. */
function avoidablePercent({ figures }: PastNight): number {
  return figures.requests === 0 ? 0 : Number(((100 * figures.avoidable) / figures.requests).toFixed(4));
}

function shareTrend(past: readonly PastNight[]): Trend {
  const last = past.at(-1)?.figures;
  const words = last === undefined ? '–' : share(last.avoidable, last.requests);
  return {
    chart: chartOf(
      'avoidable-share',
      `Avoidable share of all requests: ${words} last night`,
      'Upper bound of the avoidable requests in percent of all requests, one bar a night.',
      'percent',
      plain(past, avoidablePercent, SURFACES.spared.light),
      past.map(({ night }) => night),
    ),
    key: [],
  };
}

function stormTrend(past: readonly PastNight[]): Trend | undefined {
  const bars = past.flatMap(({ night, storms }) => {
    let base = 0;
    return stormsByKind(storms).map(({ kind, storms: n }): Bar => {
      const bar = { night, value: n, base, top: base + n, colour: KIND_COLOURS[STORM_COLOURS[kind]].light, label: kind };
      base += n;
      return bar;
    });
  });
  if (bars.length === 0) return undefined;
  const kinds = stormsByKind(past.flatMap(({ storms }) => storms));
  return {
    chart: chartOf(
      'storms',
      `Storms: ${plural(past.at(-1)?.figures.storms ?? 0, 'storm')} last night`,
      'Storms of each night by kind.',
      'storms',
      bars,
      past.map(({ night }) => night),
    ),
    key: kinds.map(({ kind }) => ({ label: kind, kind: STORM_COLOURS[kind] })),
  };
}

const CLIENT_COLOURS: readonly Kind[] = [
  'protocol_not_supported',
  'interface_not_declared',
  'throttled',
  'semantic',
  'transient',
];

function clientTrend(past: readonly PastNight[]): Trend | undefined {
  const clients = topClients(past, CLIENTS);
  if (clients.length === 0) return undefined;
  const colourOf = (client: string): Kind => CLIENT_COLOURS[clients.indexOf(client)] ?? 'ambiguous';
  const bars = past.flatMap(({ night, storms }) => {
    let base = 0;
    return clients.flatMap((client): Bar[] => {
      const value = storms.filter((storm) => storm.client === client).reduce((sum, { avoidable }) => sum + avoidable, 0);
      if (value === 0) return [];
      const bar = { night, value, base, top: base + value, colour: KIND_COLOURS[colourOf(client)].light, label: '' };
      base += value;
      return [bar];
    });
  });
  return {
    chart: chartOf(
      'clients',
      `${plural(clients.length, 'client')} with the most avoidable requests in storms`,
      'Avoidable requests of their storms, one bar a night.',
      'avoidable',
      bars,
      past.map(({ night }) => night),
    ),
    key: clients.map((client) => ({ label: clip(client, 80), kind: colourOf(client) })),
  };
}

/** Returns the charts of a history that have something to show. */
export function trendsOf(history: readonly PastNight[]): Trend[] {
  const past = history.slice(-NIGHTS);
  if (past.length === 0) return [];
  return [
    shareTrend(past),
    stormTrend(past),
    clientTrend(past),
    figureTrend(past, 'throttled', 'Throttled requests', 'requests', KIND_COLOURS.throttled.light),
    figureTrend(past, 'harm', 'Good answers that a gate would have lost', 'requests', KIND_COLOURS.auth.light),
  ].filter((trend) => trend !== undefined);
}
