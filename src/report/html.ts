// The page: one file, no request, readable without script. The order of facts is that of the text report, with charts between.
import type { Evidence, Finding, Findings, InputSummary, Series, Slices, Storm, StormTarget } from '../findings/findings.ts';
import { maybeProbePath } from './charts/probe-path.ts';
import { maybeUnderGate } from './charts/under-gate.ts';
import type { Chart } from './charts/chart.ts';
import { CHARTS } from './charts/index.ts';
import { drawCharts, type Drawn } from './charts/draw.ts';
import { toScriptJson } from './escape.ts';
import {
  blindSpots,
  boundsLine,
  clientLine,
  contractLine,
  figures,
  findingClients,
  place,
  places,
  savingsLine,
  savingsRows,
  stormParts,
  stormTallies,
  stormTime,
  windowLine,
  type Figure,
} from './facts.ts';
import { bytes, count, duration, instant, plural, range } from './numbers.ts';
import { script, styleSheet } from './page/assets.ts';
import { pageData, type PageData } from './page/data.ts';
import { code, more, named, prose, section, shell, table, words, type Cell, type Row } from './page/elements.ts';
import { markup, trusted, type Markup } from './page/markup.ts';
import { COLUMNS, totalsBy } from './page/slice.js';
import { clip, write } from './phrase.ts';
import type { Renderer, RenderOptions } from './renderer.ts';
import { deed, sentence, support, targetName } from './verdict.ts';

/** Beyond these the page names how many more there are; the JSON report has them all. */
const LIMITS = {
  stormsDrawn: 10,
  stormsListed: 200,
  targets: 25,
  evidence: 12,
  findings: 100,
  inputs: 200,
  rejects: 10,
  steps: 40,
} as const;

function chartFigure({ chart, svg }: Drawn): Markup {
  const key = markup`<ul class="key">${chart.kinds.map((kind) => markup`<li>${named(kind)}</li>`)}</ul>`;
  return markup`<figure><figcaption><h3>${words(chart.title)}</h3><p class="view" hidden></p><p class="note">${words(chart.description)}</p>${chart.kinds.length > 0 && key}</figcaption>
<div class="drawing" role="img" aria-label="${`${chart.title}. ${chart.description}`}" data-chart="${chart.name}">${trusted(svg)}</div></figure>`;
}

function answer(findings: Findings): Markup {
  const about = support(findings);
  return markup`<header><p class="masthead"><b>stormgate</b><span>${words(windowLine(findings))}</span></p>
<h1>${prose(sentence(findings))}</h1>
${about.length > 0 && markup`<ul class="support">${about.map((line) => markup`<li>${prose(line)}</li>`)}</ul>`}
</header>`;
}

function oneFigure({ label, value, note }: Figure): Markup {
  return markup`<div class="${label.replaceAll(' ', '-')}" data-figure="${label.replaceAll(' ', '-')}"><dt>${label}</dt><dd class="value">${value}</dd><dd class="about">${words(note)}</dd></div>`;
}

function keyFigures(findings: Findings): Markup {
  return markup`<dl class="figures">${figures(findings).map(oneFigure)}</dl>`;
}

function hidden(findings: Findings): Markup | false {
  const spots = blindSpots(findings);
  const list = spots.map(({ what, hides }) => markup`<li>${what}: ${hides}</li>`);
  return spots.length > 0 && markup`<aside class="blind" id="hidden"><h2>Not in this log</h2><ul>${list}</ul></aside>`;
}

const anchorOf = (storm: Storm): string => `storm-${storm.id.replaceAll(/[^\w-]/g, '_').slice(0, 64)}`;

function gateBar({ under_gate, requests }: Storm): Markup {
  const sent = requests === 0 ? 0 : (100 * under_gate) / requests;
  return markup`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="100" height="8"/><rect class="part" width="${Number(sent.toFixed(2))}" height="8"/></svg>`;
}

function ranking(storms: readonly Storm[]): Markup {
  const rows = storms.slice(0, LIMITS.stormsListed).map((storm, i): Row => ({
    about: { storm: storm.id },
    cells: [
      ['', i < LIMITS.stormsDrawn ? markup`<a href="#${anchorOf(storm)}">${i + 1}</a>` : String(i + 1)],
      ['storm', storm.kind],
      ['client', code(storm.client, 90)],
      ['requests', storm.requests],
      ['under the gate', storm.under_gate],
      ['avoidable', storm.avoidable],
      ['', gateBar(storm)],
    ],
  }));
  return markup`${table('storms, most avoidable first', rows, 'storms')}${more(storms, LIMITS.stormsListed, 'smaller storm')}`;
}

function targetCells(target: StormTarget): Cell[] {
  return [
    ['target', code(targetName(target))],
    ['contract', target.declared],
    ['sent', target.requests],
    ['under the gate', target.under_gate],
    ['avoidable', target.avoidable],
    ['kind', named(target.kind)],
    ['why', target.reason],
  ];
}

function proof(evidence: readonly Evidence[]): Markup | false {
  return evidence.length > 0 && markup`<p class="proof">Lines ${prose(places(evidence, LIMITS.evidence))}</p>`;
}

const stampOf = (us: number | null): string =>
  us === null ? '–' : instant(new Date(us / 1000).toISOString()).replace(' UTC', '');

// Requests in a row that met the same answer and the same fate are one step.
function flightRecord(path: Series['paths']): Markup | false {
  const steps: { first: Series['paths'][number]; last: Series['paths'][number]; n: number }[] = [];
  for (const step of path.filter(({ in_storm }) => in_storm)) {
    const open = steps.at(-1);
    const isSame =
      open?.first.target === step.target &&
      open.first.kind === step.kind &&
      open.first.status === step.status &&
      open.first.is_spared === step.is_spared;
    if (open && isSame) Object.assign(open, { last: step, n: open.n + 1 });
    else steps.push({ first: step, last: step, n: 1 });
  }
  if (steps.length === 0) return false;
  const items = steps.slice(0, LIMITS.steps).map(({ first, last, n }) => {
    const when = first.ts === null ? '' : stampOf(first.ts).slice(11, 19);
    const lines = n === 1 ? place(first) : `${place(first)} to ${last.source === first.source ? last.line : place(last)}`;
    return markup`<li class="${first.is_spared ? 'spared' : 'sent'}"><b>${first.is_spared ? 'spared' : 'sent'}</b> ${when !== '' && markup`<time>${when}</time> `}${code(first.target, 90)} ${first.status ?? 'no status'} ${named(first.kind)}${n > 1 && ` ${count(n)} times`} <span class="note">${code(lines, 80)}</span></li>`;
  });
  const shown =
    steps.length > LIMITS.steps && markup`<p class="note">And ${plural(steps.length - LIMITS.steps, 'more step')}.</p>`;
  return markup`<details class="steps"><summary>What the gate would have done, step by step</summary><ol>${items}</ol>${shown}</details>`;
}

function stormArticle(storm: Storm, rank: number, path: Drawn | undefined, steps: Series['paths']): Markup {
  const tallies = stormTallies(storm).map(({ n, label }) => markup`<span><b>${count(n)}</b> ${label}</span>`);
  const parts = stormParts(storm).map((part) => markup`<li>${part}</li>`);
  return markup`
<article class="storm" id="${anchorOf(storm)}" data-storm="${storm.id}"><header>
<p class="eyebrow">${rank} · ${storm.kind}</p><a class="anchor" href="#${anchorOf(storm)}" aria-label="link to storm ${rank}">link</a>
<h3>${code(storm.client)} ${prose(deed(storm))}</h3></header>
<p class="counts">${tallies}</p>
${parts.length > 0 && markup`<ul class="parts note">${parts}</ul>`}<p class="note">${words(stormTime(storm))}</p>
${path !== undefined && chartFigure(path)}
${table('targets of the storm', storm.targets.slice(0, LIMITS.targets).map(targetCells), 'storm-targets')}${more(storm.targets, LIMITS.targets, 'more target')}
${flightRecord(steps)}
${proof(storm.evidence)}</article>`;
}

function stormSection(findings: Findings, drawn: ReadonlyMap<string, Drawn>, series: Series | null): Markup | false {
  const { storms } = findings;
  const note = markup`<p class="note">Most avoidable first. Under the gate: what a client with a refusal gate would still have sent.</p>`;
  const articles = storms.slice(0, LIMITS.stormsDrawn).map((storm, i) =>
    stormArticle(
      storm,
      i + 1,
      drawn.get(`path-${storm.id}`),
      (series?.paths ?? []).filter((step) => step.storm === storm.id),
    ),
  );
  return (
    storms.length > 0 && section('storms', plural(storms.length, 'storm'), note, storms.length > 1 && ranking(storms), articles)
  );
}

function savings(findings: Findings, drawn: Drawn | undefined): Markup | false {
  const rows = savingsRows(findings);
  if (rows.length === 0) return false;
  const spared = savingsLine(findings);
  const cells = rows.map((row): Row => ({
    about: { saving: row.kind },
    cells: [
      ['kind', named(row.kind)],
      ['sent', row.requests],
      ['under the gate', row.under_gate],
      ['avoidable', row.avoidable],
      ['harm', row.harm],
    ],
  }));
  return section(
    'savings',
    `${range(findings.savings.lower, findings.savings.upper)} avoidable, ${count(findings.savings.harm)} lost`,
    markup`<p class="note">Avoidable: ${boundsLine(findings)}.${spared !== '' && words(` Spared with them: ${spared}.`)}</p>`,
    drawn !== undefined && chartFigure(drawn),
    table('savings by kind', cells, 'savings'),
  );
}

function findingBlock(finding: Finding, keys: readonly string[]): Markup {
  const by = findingClients(finding);
  const clients = by.length > 0 && markup`, by ${prose(by)}`;
  const known = finding.clients.map((client) => keys.indexOf(client)).filter((client) => client >= 0);
  return markup`<article class="finding" data-clients="${known.join(' ')}"><p class="severity ${finding.severity}">${finding.severity}</p><div>
<h3>${clip(finding.title, 400)}</h3><p class="note">${finding.rule}, ${plural(finding.requests, 'request')}${clients}</p>
<p class="advice">${clip(finding.advice, 600)}</p>${proof(finding.evidence)}</div></article>`;
}

function findingSection({ findings }: Findings, keys: readonly string[]): Markup | false {
  const listed = findings.slice(0, LIMITS.findings).map((finding) => findingBlock(finding, keys));
  return (
    findings.length > 0 &&
    section('findings', plural(findings.length, 'finding'), listed, more(findings, LIMITS.findings, 'more finding'))
  );
}

function inputCells(input: InputSummary): Cell[] {
  return [
    ['input', code(input.name)],
    ['format', input.format],
    ['size', bytes(input.bytes)],
    ['lines', input.lines],
    ['records', input.records],
    ['rejects', input.rejects],
    ['other', input.other],
    ['parts', input.parts],
    ['duplicates', input.duplicates],
  ];
}

function inputSection(findings: Findings): Markup {
  const { inputs, rejects } = findings;
  const samples = rejects.samples
    .slice(0, LIMITS.rejects)
    .map((sample) => markup`<li>${code(place(sample), 80)} ${sample.reason} ${code(sample.excerpt)}</li>`);
  return section(
    'inputs',
    plural(inputs.length, 'input'),
    markup`<p class="note">Every line is a record, a reject (looked like a record, was not understood), other text, a part of a record, or a duplicate.</p>`,
    inputs.length > 0 && table('inputs', inputs.slice(0, LIMITS.inputs).map(inputCells), 'inputs'),
    more(inputs, LIMITS.inputs, 'more input'),
    markup`<dl class="facts"><dt>Contract</dt><dd>${prose(contractLine(findings))}</dd><dt>Clients</dt><dd>${clientLine(findings)}</dd></dl>`,
    samples.length > 0 && markup`<ul class="rejects">${samples}</ul>`,
  );
}

function totalCells(name: string, label: Markup, total: Totals): Cell[] {
  return [
    [name, label],
    ['requests', total.requests],
    ['refused', total.refused],
    ['failed for now', total.failed],
    ['avoidable', total.avoidable],
    ['harm', total.harm],
  ];
}

type Totals = ReturnType<typeof totalsBy> extends Map<number, infer Total> ? Total : never;

function totalsTable(data: PageData, which: 'client' | 'target'): Markup {
  const names = which === 'client' ? data.clients : data.targets;
  const rows = [...totalsBy(data.requests, COLUMNS[which], data)]
    .toSorted(
      ([a, one], [b, other]) =>
        other.avoidable - one.avoidable || other.refused - one.refused || other.requests - one.requests || a - b,
    )
    .map(([no, total]): Row => {
      const name = names[no] ?? '';
      return { about: { [which]: no }, cells: totalCells(which, no < names.length - 1 ? code(name) : words(name), total) };
    });
  return table(`${which}s, most avoidable first`, rows, `${which}s`);
}

function whoSection(data: PageData, drawn: ReadonlyMap<string, Drawn>): Markup {
  const map = drawn.get('refusals');
  return section(
    'who',
    'Clients and targets',
    markup`<p class="note">The most refused by name, all others summed; each column adds up to the figures above.</p>`,
    map !== undefined && chartFigure(map),
    totalsTable(data, 'client'),
    totalsTable(data, 'target'),
  );
}

function retrySection(drawn: ReadonlyMap<string, Drawn>): Markup | false {
  const charts = [drawn.get('gaps'), drawn.get('attempts')].filter((chart) => chart !== undefined);
  return charts.length > 0 && section('retries', 'How clients tried again', charts.map(chartFigure));
}

function stabilitySection(drawn: ReadonlyMap<string, Drawn>): Markup | false {
  const chart = drawn.get('stability');
  return chart !== undefined && section('stability', 'Do refusals hold?', chartFigure(chart));
}

function sessionSection({ sessions }: Findings, { clients, sessions: listed }: Slices): Markup | false {
  if (listed.length === 0) return false;
  const rows = listed.map(({ client, session, start_ts, end_ts, refused }): Row => ({
    about: { session: clients.indexOf(client), ...(start_ts !== null && end_ts !== null && { start: start_ts, end: end_ts }) },
    cells: [
      ['client', code(client, 90)],
      ['session', session === null ? 'no id' : code(session)],
      ['from (UTC)', stampOf(start_ts)],
      ['to (UTC)', stampOf(end_ts)],
      ['lasted', start_ts === null || end_ts === null ? '–' : words(duration((end_ts - start_ts) / 1e6))],
      ['refused', refused],
    ],
  }));
  return section(
    'sessions',
    plural(sessions.total, 'session'),
    markup`<p class="note">The most refused first, then the longest.</p>`,
    table('sessions', rows, 'sessions'),
    sessions.total > listed.length &&
      markup`<p class="note">And ${plural(sessions.total - listed.length, 'more session')}: stormgate query sessions.</p>`,
  );
}

// Filled and shown by the script; without it the page only reads.
const filters = markup`<form class="filters" id="filters" role="search" aria-label="what the page shows" hidden>
<label class="find">Search <input type="search" name="text" placeholder="client or target" autocomplete="off"></label>
<label>From (UTC) <input type="datetime-local" name="from" step="1"></label><label>to <input type="datetime-local" name="to" step="1"></label>
<span class="actions"><button type="button" name="command">Copy as command</button><button type="button" name="link">Copy link</button><button type="button" name="clear" hidden>Show all</button></span>
<ul class="chips" aria-label="chosen"></ul><p class="status" role="status"></p></form>`;

function chartsOf(findings: Findings, series: Series | null): Chart[] {
  if (series === null) return [maybeUnderGate(findings)].filter((chart) => chart !== undefined);
  const { path: _path, ...whole } = CHARTS;
  const storms = findings.storms.slice(0, LIMITS.stormsDrawn);
  return [
    ...Object.values(whole).map((draw) => draw(findings, series)),
    ...storms.map((storm) => maybeProbePath(storm, series)),
  ].filter((chart) => chart !== undefined);
}

async function render(findings: Findings, { series }: RenderOptions): Promise<string> {
  const drawn = await drawCharts(chartsOf(findings, series));
  const byName = new Map(drawn.map((one) => [one.chart.name, one]));
  const [timeline, lanes] = [byName.get('timeline'), byName.get('lanes')];
  const slices = series?.slices ?? null;
  const data = slices === null ? null : pageData(findings, slices);
  const keys = slices?.clients ?? [];
  const embedded = {
    specs: Object.fromEntries(drawn.map(({ chart, vega }) => [chart.name, vega])),
    live: Object.fromEntries(drawn.map(({ chart }) => [chart.name, chart.live ?? {}])),
    data,
  };
  const body = markup`${answer(findings)}
<main>
${filters}
${keyFigures(findings)}
${hidden(findings)}
${timeline !== undefined && section('time', 'Over time', chartFigure(timeline), lanes !== undefined && chartFigure(lanes))}
${stormSection(findings, byName, series)}
${savings(findings, byName.get('under-gate'))}
${data !== null && findings.requests.total > 0 && whoSection(data, byName)}
${stabilitySection(byName)}
${retrySection(byName)}
${findingSection(findings, keys)}
${slices !== null && sessionSection(findings, slices)}
${inputSection(findings)}
</main>
<footer><p>stormgate ${findings.tool.version}, ${instant(findings.generated_at)}</p></footer>
<dl id="tip" role="tooltip" hidden></dl>
<script type="application/json" id="page-data">${trusted(toScriptJson(embedded))}</script>
`;
  const title = write(sentence(findings), (log) => log);
  return shell({ title, style: styleSheet(), script: script(), body }).markup;
}

export const html: Renderer = {
  title: 'one page with charts, for reviews',
  extensions: ['html', 'htm'],
  hasCharts: true,
  render,
};
