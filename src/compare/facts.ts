// A comparison in words and cells, in the order in which every renderer for people tells it.
import { count, plural, words } from '../report/numbers.ts';
import { windowLine } from '../report/facts.ts';
import { phrase, quote, type Phrase } from '../report/phrase.ts';
import type { ComparedFigure, Comparison, FigureChange, Rate, SideSummary, StormChange } from './comparison.ts';

const FIGURE_WORDS: Readonly<Record<ComparedFigure, string>> = {
  refused_for_good: 'refused for good',
  throttled: 'throttled',
  transient: 'transient',
  storm_requests: 'in storms',
  avoidable_lower: 'avoidable, at least',
  avoidable: 'avoidable, at most',
  harm: 'harm of a gate',
  overrun: 'beyond the retry budget',
};

/** Returns what a figure is called. */
export function figureName({ figure }: FigureChange): string {
  return FIGURE_WORDS[figure];
}

/** Returns a rate per thousand as people read it. */
export function perThousand({ per_thousand, count: n }: Rate): string {
  if (per_thousand === null) return '–';
  if (n > 0 && per_thousand < 0.01) return '<0.01';
  return per_thousand >= 100 ? count(per_thousand) : String(Number(per_thousand.toFixed(per_thousand < 10 ? 2 : 1)));
}

/** Returns how far a rate moved: `−83 %`, `+12 %`, `3 times`, `new`, `gone`. */
export function change(before: Rate, after: Rate): string {
  if (before.per_thousand === null || after.per_thousand === null) return 'unknown';
  if (before.count === 0) return after.count === 0 ? 'none' : 'new';
  if (after.count === 0) return 'gone';
  const ratio = after.per_thousand / before.per_thousand;
  if (ratio >= 2) return `${ratio < 10 ? Number(ratio.toFixed(1)) : count(ratio)} times`;
  const percent = Math.round(100 * (ratio - 1));
  if (percent === 0) return 'as before';
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
}

function avoidable({ figures }: Comparison): FigureChange {
  const found = figures.find(({ figure }) => figure === 'avoidable');
  if (found === undefined) throw new Error('a comparison without the figure avoidable');
  return found;
}

const is = (n: number): string => (n === 1 ? 'is' : 'are');

function earlierStorms(gone: number, unchanged: number): string {
  const all = gone + unchanged;
  if (all === 0) return 'there was no storm before';
  if (all === 1) return `the one storm of before ${gone === 1 ? 'is gone' : 'goes on'}`;
  if (unchanged === 0) return `all ${words(all)} storms of before are gone`;
  if (gone === 0) return `all ${words(all)} storms of before go on`;
  return `of ${words(all)} storms before, ${words(gone)} ${is(gone)} gone and ${words(unchanged)} ${unchanged === 1 ? 'goes' : 'go'} on`;
}

function stormWords({ totals: { gone_storms, new_storms, unchanged_storms } }: Comparison): string {
  if (gone_storms + new_storms + unchanged_storms === 0) return 'There was no storm before, and there is none after';
  const earlier = earlierStorms(gone_storms, unchanged_storms);
  const later = new_storms === 0 ? 'none is new' : `${words(new_storms)} ${is(new_storms)} new`;
  return `${earlier.charAt(0).toUpperCase()}${earlier.slice(1)}; ${later}`;
}

/** Returns the answer in one sentence: what became of the storms, and what became of the waste. */
export function answer(comparison: Comparison): string {
  const { before, after } = avoidable(comparison);
  if (before.per_thousand === null || after.per_thousand === null)
    return 'There is nothing to compare: one side has no requests.';
  const waste =
    before.count === 0 && after.count === 0
      ? 'no request was avoidable on either side'
      : `of a thousand requests ${perThousand(before)} were avoidable before and ${perThousand(after)} after`;
  return `${stormWords(comparison)}; ${waste}.`;
}

/** Returns a side's window, as a report says it. */
export function sideWindow(side: SideSummary): string {
  return windowLine(side);
}

/** Returns the counts behind a side's rates. */
export function sideCounts(side: SideSummary): string {
  return `${plural(side.requests, 'request')}, ${plural(side.clients, 'client')}, ${plural(side.storms, 'storm')}`;
}

/** Returns whose storm it is. */
export function stormClient({ client }: StormChange): Phrase {
  return client === null ? phrase`any client` : phrase`${quote(client, 120)}`;
}
