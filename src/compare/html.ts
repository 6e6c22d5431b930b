// The comparison as a page that only reads: no script at all.
import { count, instant } from '../report/numbers.ts';
import { styleSheet } from '../report/page/assets.ts';
import { code, prose, section, shell, table, words, type Cell } from '../report/page/elements.ts';
import { markup, type Markup } from '../report/page/markup.ts';
import type { Renderer } from '../report/renderer.ts';
import type { Comparison, FigureChange, Rate, SideSummary, StormChange, StormSide } from './comparison.ts';
import { answer, change, figureName, perThousand, sideCounts, sideWindow, stormClient } from './facts.ts';

const LIMIT = 500;

function bar(rate: Rate | undefined, most: number, which: 'then' | 'now'): Markup {
  const part = rate?.per_thousand ? Math.max(0.5, (100 * rate.per_thousand) / most) : 0;
  return markup`<rect class="${which}" y="${which === 'then' ? 0 : 5}" width="${Number(part.toFixed(2))}" height="4"/>`;
}

function bars(before: Rate | undefined, after: Rate | undefined, most: number): Markup {
  return markup`<svg class="pair" viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">${bar(before, most, 'then')}${bar(after, most, 'now')}</svg>`;
}

const highest = (rates: readonly (Rate | undefined)[]): number => Math.max(1e-9, ...rates.map((rate) => rate?.per_thousand ?? 0));
const written = (rate: Rate): Markup => markup`<span title="${`${count(rate.count)} requests`}">${perThousand(rate)}</span>`;

function figureCells(row: FigureChange, most: number): Cell[] {
  return [
    ['figure', words(figureName(row))],
    ['before', written(row.before)],
    ['after', written(row.after)],
    ['change', words(change(row.before, row.after))],
    ['', bars(row.before, row.after, most)],
  ];
}

const side = (of: StormSide | null): Markup | string => (of === null ? '–' : written(of.requests));

function stormCells(storm: StormChange, most: number): Cell[] {
  return [
    ['state', markup`<span class="state ${storm.state}">${storm.state}</span>`],
    ['kind', storm.kind],
    ['client', storm.client === null ? 'any client' : markup`${prose(stormClient(storm))}`],
    ['before', side(storm.before)],
    ['after', side(storm.after)],
    ['', bars(storm.before?.requests, storm.after?.requests, most)],
  ];
}

function sideBlock(label: string, summary: SideSummary): Markup {
  return markup`<div><dt>${label}</dt><dd>${code(summary.name)}</dd><dd class="about">${words(sideWindow(summary))}</dd><dd class="about">${sideCounts(summary)}</dd></div>`;
}

function render(comparison: Comparison): string {
  const { before, after, figures, storms, caveats } = comparison;
  const mostOfFigures = highest(figures.flatMap((row) => [row.before, row.after]));
  const mostOfStorms = highest(storms.flatMap((storm) => [storm.before?.requests, storm.after?.requests]));
  const key = markup`<p class="note">Requests per thousand of their own side, so that logs of any size compare. Pale: before. Solid: after.</p>`;
  const rows = storms.slice(0, LIMIT).map((storm) => stormCells(storm, mostOfStorms));
  const title = answer(comparison);
  const body = markup`
<header><p class="masthead"><b>stormgate compare</b></p><h1>${words(title)}</h1></header>
<main>
<dl class="sides">${sideBlock('before', before)}${sideBlock('after', after)}</dl>
${
  caveats.length > 0 &&
  markup`<aside class="blind"><h2>Read with care</h2><ul>${caveats.map(({ note }) => markup`<li>${note}</li>`)}</ul></aside>`
}
${section(
  'figures',
  'Figures then and now',
  key,
  table(
    'figures per thousand requests',
    figures.map((row) => figureCells(row, mostOfFigures)),
  ),
)}
${storms.length > 0 && section('storms', 'Storms then and now', key, table('storms, requests per thousand', rows), storms.length > LIMIT && markup`<p class="note">And ${count(storms.length - LIMIT)} more, in the JSON report.</p>`)}
</main>
<footer><p>stormgate ${comparison.tool.version}, ${instant(comparison.generated_at)}</p></footer>
`;
  return shell({ title, style: styleSheet(), body }).markup;
}

export const html: Renderer<Comparison> = {
  title: 'one page, for reviews',
  extensions: ['html', 'htm'],
  hasCharts: false,
  render,
};
