// The page: one file, no request, readable without script. The order of facts is that of the text report, with charts between.
import type { Evidence, Finding, Findings, InputSummary, Series, Storm, StormTarget } from '../findings/findings.ts';
import { maybeProbePath } from './charts/probe-path.ts';
import { maybeTimeline } from './charts/timeline.ts';
import { maybeUnderGate } from './charts/under-gate.ts';
import type { Chart } from './charts/chart.ts';
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
import { bytes, count, instant, plural, range } from './numbers.ts';
import { script, styleSheet } from './page/assets.ts';
import { code, more, named, prose, section, shell, table, words, type Cell } from './page/elements.ts';
import { markup, trusted, type Markup } from './page/markup.ts';
import { clip, write } from './phrase.ts';
import type { Renderer, RenderOptions } from './renderer.ts';
import { deed, sentence, support, targetName } from './verdict.ts';

/** Beyond these the page names how many more there are; the JSON report has them all. */
const LIMITS = {
  stormsDrawn: 12,
  stormsListed: 200,
  targets: 25,
  evidence: 12,
  findings: 100,
  inputs: 200,
  rejects: 10,
} as const;

function chartFigure({ chart, svg }: Drawn): Markup {
  const key = markup`<ul class="key">${chart.kinds.map((kind) => markup`<li>${named(kind)}</li>`)}</ul>`;
  return markup`<figure><figcaption><h3>${words(chart.title)}</h3><p class="note">${words(chart.description)}</p>${chart.kinds.length > 0 && key}</figcaption>
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
  return markup`<div class="${label.replaceAll(' ', '-')}"><dt>${label}</dt><dd class="value">${value}</dd><dd class="about">${words(note)}</dd></div>`;
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
  const rows = storms.slice(0, LIMITS.stormsListed).map((storm, i): Cell[] => [
    ['', i < LIMITS.stormsDrawn ? markup`<a href="#${anchorOf(storm)}">${i + 1}</a>` : String(i + 1)],
    ['storm', storm.kind],
    ['client', code(storm.client, 90)],
    ['requests', storm.requests],
    ['under the gate', storm.under_gate],
    ['avoidable', storm.avoidable],
    ['', gateBar(storm)],
  ]);
  return markup`${table('storms, most avoidable first', rows)}${more(storms, LIMITS.stormsListed, 'smaller storm')}`;
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

function stormArticle(storm: Storm, rank: number, path: Drawn | undefined): Markup {
  const tallies = stormTallies(storm).map(({ n, label }) => markup`<span><b>${count(n)}</b> ${label}</span>`);
  const parts = stormParts(storm).map((part) => markup`<li>${part}</li>`);
  return markup`
<article class="storm" id="${anchorOf(storm)}"><header>
<p class="eyebrow">${rank} · ${storm.kind}</p><a class="anchor" href="#${anchorOf(storm)}" aria-label="link to storm ${rank}">link</a>
<h3>${code(storm.client)} ${prose(deed(storm))}</h3></header>
<p class="counts">${tallies}</p>
${parts.length > 0 && markup`<ul class="parts note">${parts}</ul>`}<p class="note">${words(stormTime(storm))}</p>
${path !== undefined && chartFigure(path)}
${table('targets of the storm', storm.targets.slice(0, LIMITS.targets).map(targetCells))}${more(storm.targets, LIMITS.targets, 'more target')}
${proof(storm.evidence)}</article>`;
}

function stormSection(findings: Findings, drawn: ReadonlyMap<string, Drawn>): Markup | false {
  const { storms } = findings;
  const note = markup`<p class="note">Most avoidable first. Under the gate: what a client with a refusal gate would still have sent.</p>`;
  const articles = storms
    .slice(0, LIMITS.stormsDrawn)
    .map((storm, i) => stormArticle(storm, i + 1, drawn.get(`path-${storm.id}`)));
  return (
    storms.length > 0 && section('storms', plural(storms.length, 'storm'), note, storms.length > 1 && ranking(storms), articles)
  );
}

function savings(findings: Findings, drawn: Drawn | undefined): Markup | false {
  const rows = savingsRows(findings);
  if (rows.length === 0) return false;
  const spared = savingsLine(findings);
  const cells = rows.map((row): Cell[] => [
    ['kind', named(row.kind)],
    ['sent', row.requests],
    ['under the gate', row.under_gate],
    ['avoidable', row.avoidable],
    ['harm', row.harm],
  ]);
  return section(
    'savings',
    `${range(findings.savings.lower, findings.savings.upper)} avoidable, ${count(findings.savings.harm)} lost`,
    markup`<p class="note">Avoidable: ${boundsLine(findings)}.${spared !== '' && words(` Spared with them: ${spared}.`)}</p>`,
    drawn !== undefined && chartFigure(drawn),
    table('savings by kind', cells),
  );
}

function findingBlock(finding: Finding): Markup {
  const by = findingClients(finding);
  const clients = by.length > 0 && markup`, by ${prose(by)}`;
  return markup`<article class="finding"><p class="severity ${finding.severity}">${finding.severity}</p><div>
<h3>${clip(finding.title, 400)}</h3><p class="note">${finding.rule}, ${plural(finding.requests, 'request')}${clients}</p>
<p class="advice">${clip(finding.advice, 600)}</p>${proof(finding.evidence)}</div></article>`;
}

function findingSection({ findings }: Findings): Markup | false {
  const listed = findings.slice(0, LIMITS.findings).map(findingBlock);
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
    inputs.length > 0 && table('inputs', inputs.slice(0, LIMITS.inputs).map(inputCells)),
    more(inputs, LIMITS.inputs, 'more input'),
    markup`<dl class="facts"><dt>Contract</dt><dd>${prose(contractLine(findings))}</dd><dt>Clients</dt><dd>${clientLine(findings)}</dd></dl>`,
    samples.length > 0 && markup`<ul class="rejects">${samples}</ul>`,
  );
}

function chartsOf(findings: Findings, series: Series | null): Chart[] {
  const storms = findings.storms.slice(0, LIMITS.stormsDrawn);
  const charts = [
    series && maybeTimeline(series),
    maybeUnderGate(findings),
    ...storms.map((storm) => series && maybeProbePath(storm, series)),
  ];
  return charts.filter((chart) => chart !== undefined && chart !== null);
}

async function render(findings: Findings, { series }: RenderOptions): Promise<string> {
  const drawn = await drawCharts(chartsOf(findings, series));
  const byName = new Map(drawn.map((one) => [one.chart.name, one]));
  const timeline = byName.get('timeline');
  const specs = Object.fromEntries(drawn.map(({ chart, vega }) => [chart.name, vega]));
  const body = markup`${answer(findings)}
<main>
${keyFigures(findings)}
${hidden(findings)}
${timeline !== undefined && section('time', 'Over time', chartFigure(timeline))}
${stormSection(findings, byName)}
${savings(findings, byName.get('under-gate'))}
${findingSection(findings)}
${inputSection(findings)}
</main>
<footer><p>stormgate ${findings.tool.version}, ${instant(findings.generated_at)}</p></footer>
<dl id="tip" role="tooltip" hidden></dl>
<script type="application/json" id="chart-data">${trusted(toScriptJson(specs))}</script>
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
