// The path of one storm: time (or order) across, targets up, kind by colour and shape, spared requests hollow, steps joined.
import type { Series, Storm } from '../../findings/findings.ts';
import type { Kind } from '../../record.ts';
import { escapeTerminal } from '../escape.ts';
import { clip } from '../phrase.ts';
import { count, plural } from '../numbers.ts';
import { SURFACES } from '../palette.ts';
import { CHART_WIDTH, kindScale, kindsIn, labels, MONO, THEME, TIME_FORMAT, type Chart } from './chart.ts';

const STEP = 40;
const LANES = 12;
const MARKS = 120;
const LABEL = 48;
const OTHERS = 'other targets';

type Step = Series['paths'][number];

/** Not by colour alone: answers are diamonds, refusals circles, failures of the moment triangles, the rest squares. */
const SHAPES: Readonly<Partial<Record<Kind, string>>> = {
  ok: 'diamond',
  throttled: 'triangle-up',
  transient: 'triangle-up',
  ambiguous: 'square',
  noise: 'square',
  client_gone: 'square',
};

const label = (target: string): string => escapeTerminal(clip(target, LABEL));

// Lanes in order of first visit; the least visited share one lane where there are too many.
function lanesOf(steps: readonly Step[]): (target: string) => string {
  const visits = new Map<string, number>();
  for (const { target } of steps) visits.set(target, (visits.get(target) ?? 0) + 1);
  if (visits.size <= LANES) return label;
  const busiest = [...visits].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, LANES - 1);
  const own = new Set(busiest.map(([target]) => target));
  return (target) => (own.has(target) ? label(target) : OTHERS);
}

interface Mark {
  at: number;
  seq: number;
  lane: string;
  target: string;
  kind: Kind;
  sent: string;
  requests: number;
  status: string;
  place: string;
}

// Where a path has more steps than can be told apart, neighbours of one lane, kind and fate become one larger mark.
function marksOf(steps: readonly Step[], isTimed: boolean, per = Math.ceil(steps.length / MARKS)): Mark[] {
  const laneOf = lanesOf(steps);
  const marks = new Map<string, Mark>();
  for (const [i, step] of steps.entries()) {
    const lane = laneOf(step.target);
    const key = per === 1 ? String(i) : [Math.floor(i / per), lane, step.kind, step.is_spared].join('\u0000');
    const mark = marks.get(key);
    if (mark) mark.requests += 1;
    else {
      marks.set(key, {
        at: isTimed ? (step.ts ?? 0) / 1000 : step.seq,
        seq: marks.size,
        lane,
        target: escapeTerminal(clip(step.target, 120)),
        kind: step.kind,
        sent: step.is_spared ? 'spared by a gate' : 'sent under a gate too',
        requests: 1,
        status: step.status === null ? 'none logged' : String(step.status),
        place: escapeTerminal(clip(`${step.source}:${step.line}`, 80)),
      });
    }
  }
  // Who goes round many targets has few neighbours alike: then more of them are looked at together.
  return marks.size > 2 * MARKS && per < steps.length ? marksOf(steps, isTimed, 2 * per) : [...marks.values()];
}

/** Returns the path of a storm, or nothing where its requests are not at hand. */
export function maybeProbePath(storm: Storm, series: Series): Chart | undefined {
  const steps = series.paths.filter((step) => step.storm === storm.id).toSorted((a, b) => a.seq - b.seq);
  if (steps.length === 0) return undefined;
  const isTimed = steps.every((step) => step.ts !== null);
  const marks = marksOf(steps, isTimed);
  const lanes = [...new Set(marks.map((mark) => mark.lane))];
  const kinds = kindsIn(marks);
  const spared = steps.filter((step) => step.is_spared).length;
  const x = isTimed
    ? {
        field: 'at',
        type: 'temporal',
        scale: { type: 'utc', nice: false, padding: 14 },
        axis: { title: 'time (UTC)', labelBound: true, format: TIME_FORMAT, tickCount: 8 },
      }
    : {
        field: 'at',
        type: 'quantitative',
        scale: { zero: false, nice: false, padding: 14 },
        axis: { title: 'order of the lines', format: ',d', tickCount: 8, tickMinStep: 1 },
      };
  const colour = { field: 'kind', type: 'nominal', scale: kindScale(kinds), legend: null };
  const drop = STEP / 4;
  return {
    name: `path-${storm.id}`,
    title: `${plural(steps.length, 'request')} over ${plural(new Set(steps.map((step) => step.target)).size, 'target')}, ${spared === 0 ? 'none' : count(spared)} spared by a gate`,
    description: `Each mark is a request, ${isTimed ? 'placed by its time' : 'in the order of the lines'} on the line of its target; hollow marks would not have been sent under a gate. Circles are refusals, diamonds good answers, triangles failures of the moment.`,
    kinds,
    live: { path: 'marks' },
    spec: {
      width: CHART_WIDTH - 12,
      height: lanes.length * STEP,
      autosize: 'none',
      padding: { left: 2, right: 10, top: 2, bottom: 40 },
      config: THEME,
      data: { name: 'marks', values: marks },
      encoding: { y: { field: 'lane', type: 'nominal', scale: { domain: lanes }, axis: null } },
      layer: [
        {
          data: { values: lanes.map((lane) => ({ lane })) },
          mark: { type: 'rule', color: SURFACES.line.light, yOffset: drop },
          encoding: { x: { value: 0 }, x2: { value: 'width' } },
        },
        {
          mark: { type: 'line', color: SURFACES.quiet.light, strokeWidth: 0.75, strokeOpacity: 0.45, yOffset: drop },
          encoding: { x, order: { field: 'seq' } },
        },
        ...labels(
          'lane',
          3 - drop,
          { font: MONO, fontSize: 11.5 },
          lanes.map((lane) => ({ lane })),
        ),
        {
          mark: { type: 'point', strokeWidth: 2, opacity: 1, yOffset: drop },
          encoding: {
            x,
            stroke: colour,
            fill: { condition: { test: "datum.sent === 'spared by a gate'", value: SURFACES.ground.light }, ...colour },
            shape: {
              field: 'kind',
              type: 'nominal',
              scale: { domain: kinds, range: kinds.map((kind) => SHAPES[kind] ?? 'circle') },
              legend: null,
            },
            size: {
              field: 'requests',
              type: 'quantitative',
              scale: { type: 'linear', domain: [1, 50], range: [70, 420], clamp: true },
              legend: null,
            },
            tooltip: [
              { field: 'target', title: 'target' },
              ...(isTimed ? [{ field: 'at', type: 'temporal', format: '%Y-%m-%d %H:%M:%S', title: 'time (UTC)' }] : []),
              { field: 'status', title: 'status' },
              { field: 'kind', title: 'kind' },
              { field: 'sent', title: 'gate' },
              { field: 'requests', title: 'requests', type: 'quantitative', format: ',d' },
              { field: 'place', title: 'line' },
            ],
          },
        },
      ],
    } as unknown as Chart['spec'],
  };
}
