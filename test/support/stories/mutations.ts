// The same story in other words: what may change in logs without changing anything that they tell.
import { between, type Random } from './random.ts';

/** Texts of logs by their names. */
export type Logs = Readonly<Record<string, string>>;

export interface Mutation {
  name: string;
  logs(logs: Logs, random: Random): Logs;
}

/** What a line is stamped with, as written: nginx's milliseconds before its seconds. */
const STAMP = /"msec":"([\d.]+)"|"ts":([\d.]+)|\[(\d\d\/\w{3}\/\d{4}:[^\]]+)\]|^(\d{4}-\d\d-\d\dT\S+Z)/;

function stampOf(line: string): string {
  const [, ...found] = STAMP.exec(line) ?? [];
  return found.find((stamp) => stamp !== undefined) ?? '';
}

/** Questions and answers are paired in their order, and lines without a stamp have no other. */
function isOrdered(text: string): boolean {
  return text.includes('"jsonrpc"') || linesOf(text).some((line) => stampOf(line) === '');
}

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

function each(change: (text: string, random: Random) => string): Mutation['logs'] {
  return (logs, random) => Object.fromEntries(Object.entries(logs).map(([name, text]) => [name, change(text, random)]));
}

const HALF_HOUR = 30 * 60_000;

/** Lines of the same half hour in any order; those of one stamp stay in theirs, since nothing else tells it. */
function shuffle(text: string, random: Random): string {
  if (isOrdered(text)) return text;
  const lines = linesOf(text);
  const runs: string[][] = [];
  lines.forEach((line, index) => {
    const isNext = index > 0 && halfHourOf(line) === halfHourOf(lines[index - 1] ?? '');
    if (isNext) runs.at(-1)?.push(line);
    else runs.push([line]);
  });
  return runs.flatMap((run) => mix(run, random).map((line) => `${line}\n`)).join('');
}

function mix(lines: readonly string[], random: Random): string[] {
  const waiting = new Map<string, string[]>();
  for (const line of lines) waiting.set(stampOf(line), [...(waiting.get(stampOf(line)) ?? []), line]);
  return lines
    .map((line) => ({ stamp: stampOf(line), at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ stamp }) => waiting.get(stamp)?.shift() ?? '');
}

function halfHourOf(line: string): number {
  const stamp = stampOf(line);
  const at = /^[\d.]+$/.test(stamp) ? Number(stamp) * 1000 : Date.parse(stamp.replace(/^(\d\d)\/(\w{3})\/(\d{4}):/, '$1 $2 $3 '));
  return Math.floor(at / HALF_HOUR);
}

const OFFSET_MINUTES = 5 * 60 + 30;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** Stamps as a host in Kolkata would write them; epochs and agentgateway know no zone. */
function moveZone(text: string): string {
  return text
    .replace(/\[(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) \+0000\]/g, (_, day, month, year, time) => {
      const number = String(MONTHS.indexOf(month) / 3 + 1).padStart(2, '0');
      const [date = '', clock = ''] = localTime(`${year}-${number}-${day}T${time}Z`).split('T');
      const [y, m, d] = date.split('-');
      return `[${d}/${MONTHS.slice(Number(m) * 3 - 3, Number(m) * 3)}/${y}:${clock.slice(0, 8)} +0530]`;
    })
    .replace(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{3})?(?:Z|\+00:00)"/g, (_, time, fraction = '') => {
      return `"${localTime(`${time}Z`).slice(0, 19)}${fraction}+05:30"`;
    });
}

function localTime(utc: string): string {
  return new Date(Date.parse(utc) + OFFSET_MINUTES * 60_000).toISOString();
}

/** Returns a text in which two networks have changed places: every client another one, in another order. */
export function rename(text: string): string {
  return text.replace(/\b(?:198\.51\.100|203\.0\.113)(?=\.\d)/g, (network) =>
    network === '203.0.113' ? '198.51.100' : '203.0.113',
  );
}

/** Each log as two, as after a rotation. */
function rotate(logs: Logs, random: Random): Logs {
  const parts = Object.entries(logs).flatMap(([name, text]): [string, string][] => {
    const lines = linesOf(text);
    if (text.includes('"jsonrpc"') || lines.length < 2) return [[name, text]];
    const cut = between(random, 1, lines.length - 1);
    return [lines.slice(0, cut), lines.slice(cut)].map((part, index) => [
      `${index + 1}-${name}`,
      part.map((line) => `${line}\n`).join(''),
    ]);
  });
  return Object.fromEntries(parts);
}

const ZONE: Mutation = { name: 'stamps of another zone', logs: each(moveZone) };
export const RENAMING: Mutation = { name: 'clients renamed', logs: each(rename) };
const MUTATIONS: readonly Mutation[] = [
  { name: 'logs cut in two', logs: rotate },
  { name: 'lines shuffled', logs: each(shuffle) },
  ZONE,
  RENAMING,
];

/** Returns the changes that a story stands, drawn by its seed: at least one. A forged line is told by the order of lines. */
export function chooseMutations(rules: readonly string[], random: Random): Mutation[] {
  const possible = rules.includes('forged_line_suspected') ? [RENAMING, ZONE] : MUTATIONS;
  const chosen = possible.filter(() => random() < 0.6);
  return chosen.length > 0 ? chosen : possible.slice(0, 1);
}
