// The index page: all nights that are kept, their trends, and what was new in each. It makes no request and needs no script.
import { drawCharts } from '../report/charts/draw.ts';
import { escapeHtml } from '../report/escape.ts';
import { count, instant, plural, share, UNIT_BLANK } from '../report/numbers.ts';
import { styleSheet } from '../report/page/assets.ts';
import { markup, trusted, type Markup } from '../report/page/markup.ts';
import { clip } from '../report/phrase.ts';
import { compare, type Comparison, type NightStorm, type PastNight } from './history.ts';
import { inWords } from './summary.ts';
import { trendsOf, type Trend } from './trend.ts';

const LIMITS = { storms: 30, nights: 400 } as const;

// Our own words, with a number never parted from its unit.
const words = (text: string): Markup => trusted(escapeHtml(text).replace(UNIT_BLANK, '&nbsp;'));

function figure({ chart, key }: Trend, svg: string): Markup {
  const entries = key.map(({ label, kind }) => markup`<li><span class="kind"><i class="kind-${kind}"></i>${label}</span></li>`);
  return markup`<figure><figcaption><h3>${words(chart.title)}</h3><p class="note">${words(chart.description)}</p>${entries.length > 0 && markup`<ul class="key">${entries}</ul>`}</figcaption>
<div class="drawing" role="img" aria-label="${`${chart.title}. ${chart.description}`}">${trusted(svg)}</div></figure>
`;
}

type Novelty = 'new' | 'returning' | 'ongoing' | 'gone';

function stormRow(novelty: Novelty, storm: NightStorm, note = ''): Markup {
  return markup`<tr><td>${novelty}${note}</td><td>${storm.kind}</td><td><code>${clip(storm.client, 90)}</code></td><td class="n">${count(storm.storms)}</td><td class="n">${count(storm.requests)}</td><td class="n">${count(storm.avoidable)}</td></tr>
`;
}

function stormTable({ fresh, returning, ongoing, gone }: Comparison): Markup | false {
  const rows = [
    ...fresh.map((storm) => stormRow('new', storm)),
    ...returning.map((storm) => stormRow('returning', storm, `, last seen on ${storm.last}`)),
    ...ongoing.map((storm) => stormRow('ongoing', storm)),
    ...gone.map((storm) => stormRow('gone', storm)),
  ];
  if (rows.length === 0) return false;
  const more = rows.length - LIMITS.storms;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="storms against the night before"><table>
<thead><tr><th scope="col">last night</th><th scope="col">storm</th><th scope="col">client</th><th scope="col" class="n">storms</th><th scope="col" class="n">requests</th><th scope="col" class="n">avoidable</th></tr></thead>
<tbody>${rows.slice(0, LIMITS.storms)}</tbody></table></div>${more > 0 && markup`<p class="note">And ${plural(more, 'more')}, in the night's report.</p>`}`;
}

function unusualList({ unusual }: Comparison): Markup | false {
  return (
    unusual.length > 0 &&
    markup`<ul class="support">${unusual.map((one) => markup`<li>Unusual: ${words(inWords(one))}</li>`)}</ul>`
  );
}

function nightRow(one: PastNight, { fresh, returning, gone }: Comparison): Markup {
  const { figures, night } = one;
  const news = [
    fresh.length > 0 && `${count(fresh.length)} new`,
    returning.length > 0 && `${count(returning.length)} returning`,
    gone.length > 0 && `${count(gone.length)} gone`,
  ].filter((part) => part !== false);
  return markup`<tr><td><a href="${night}/report.html">${night}</a></td><td class="n">${count(figures.requests)}</td><td class="n">${count(figures.refused)}</td><td class="n">${count(figures.avoidable)}</td><td class="n">${share(figures.avoidable, figures.requests)}</td><td class="n">${count(figures.harm)}</td><td class="n">${count(figures.throttled)}</td><td class="n">${count(figures.storms)}</td><td>${news.join(', ')}</td></tr>
`;
}

function nightTable(history: readonly PastNight[]): Markup {
  const rows = history.map((one) => nightRow(one, compare(one, history))).toReversed();
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="all nights"><table>
<thead><tr><th scope="col">night</th><th scope="col" class="n">requests</th><th scope="col" class="n">refused</th><th scope="col" class="n">avoidable</th><th scope="col" class="n">share</th><th scope="col" class="n">harm</th><th scope="col" class="n">throttled</th><th scope="col" class="n">storms</th><th scope="col">against the night before</th></tr></thead>
<tbody>${rows.slice(0, LIMITS.nights)}</tbody></table></div>`;
}

function headline(last: PastNight | undefined, comparison: Comparison): string {
  if (last === undefined) return 'No night yet.';
  const { storms } = last.figures;
  const news = [
    comparison.fresh.length > 0 ? `${count(comparison.fresh.length)} new` : '',
    comparison.returning.length > 0 ? `${count(comparison.returning.length)} returning` : '',
  ].filter((part) => part !== '');
  if (storms === 0) return `${last.night}: no storm in ${plural(last.figures.requests, 'request')}.`;
  return `${last.night}: ${plural(storms, 'storm')}${news.length === 0 ? ', none of them new' : `, by clients of which ${news.join(' and ')}`}.`;
}

/** Returns the page of a history, oldest night first. */
export async function renderIndex(
  history: readonly PastNight[],
  stamp: { generatedAt: string; version: string },
): Promise<string> {
  const last = history.at(-1);
  const nothing: Comparison = { nights: 0, fresh: [], returning: [], ongoing: [], gone: [], unusual: [] };
  const comparison = last === undefined ? nothing : compare(last, history);
  const trends = trendsOf(history);
  const drawn = await drawCharts(trends.map(({ chart }) => chart));
  const figures = trends.map((trend, index) => figure(trend, drawn[index]?.svg ?? ''));
  const style = styleSheet();
  const policy = `default-src 'none'; style-src ${style.hash}; base-uri 'none'; form-action 'none'`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Nights – stormgate</title>
<style>${trusted(style.text)}</style>
</head>
<body>
<header><p class="masthead"><b>stormgate</b><span>${plural(history.length, 'night')}</span></p>
<h1>${words(headline(last, comparison))}</h1>
${unusualList(comparison)}</header>
<main>
${comparison.nights > 0 && markup`<section id="new" aria-labelledby="new-title"><h2 id="new-title">New, ongoing, gone</h2>${stormTable(comparison) || markup`<p class="note">No storm, neither last night nor the night before.</p>`}</section>`}
<section id="trends" aria-labelledby="trends-title"><h2 id="trends-title">Over the nights</h2>${figures}</section>
<section id="nights" aria-labelledby="nights-title"><h2 id="nights-title">All nights</h2>${nightTable(history)}</section>
</main>
<footer><p>stormgate ${stamp.version}, ${instant(stamp.generatedAt)}</p></footer>
</body>
</html>
`;
  return page.markup;
}
