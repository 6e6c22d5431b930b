// The report on a terminal: the answer first, then the figures behind it, each storm with its proof, and what to run next.
import type { Finding, Findings, Storm, StormTarget } from '../findings/findings.ts';
import { escapeTerminal } from './escape.ts';
import {
  blindSpots,
  boundsLine,
  clientLine,
  contractLine,
  figures,
  findingClients,
  inputLine,
  nextSteps,
  place,
  places,
  savingsLine,
  savingsRows,
  stormParts,
  stormTallies,
  stormTime,
  windowLine,
  type NextStep,
  type SavingsRow,
} from './facts.ts';
import { bar, cut, pad, table, width, wrap, type Column } from './layout.ts';
import { count, plural } from './numbers.ts';
import { FULL, heading, LIGHT, penOf, toAscii, type Pen } from './pen.ts';
import { clip, write, type Phrase } from './phrase.ts';
import { KIND_COLOURS, SGR } from './palette.ts';
import type { Renderer, RenderOptions } from './renderer.ts';
import { deed, sentence, support, targetName } from './verdict.ts';

const LIMITS = { storms: 20, targets: 6, evidence: 5, findings: 20, inputs: 12, samples: 3 } as const;
const shown = (text: Phrase): string => write(text, escapeTerminal);

function indent(lines: readonly string[], cells: number): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(cells) + line));
}

function answer(findings: Findings, pen: Pen): string[] {
  const first = wrap(shown(sentence(findings)), pen.size).map((line) => pen.paint(SGR.strong, line));
  return [...first, ...support(findings).flatMap((line) => wrap(shown(line), pen.size))];
}

// The first line after a label, the others under it.
function hang(label: string, cells: number, lines: readonly string[]): string[] {
  const [first = '', ...more] = lines;
  return [`${label}${first}`.trimEnd(), ...indent(more, cells)];
}

function keyFigures(findings: Findings, pen: Pen): string[] {
  const rows = figures(findings);
  const valueWidth = Math.max(...rows.map((row) => width(row.value)));
  const labelWidth = Math.max(...rows.map((row) => width(row.label)));
  const cells = labelWidth + valueWidth + 6;
  const lines = rows.flatMap(({ label, value, note }) => {
    const figure = `  ${pad(label, labelWidth)}  ${pen.paint(SGR.strong, pad(value, valueWidth, 'left'))}  `;
    const notes = wrap(note, pen.size - cells).map((line) => pen.paint(SGR.quiet, line));
    return hang(figure, cells, notes);
  });
  return ['', ...lines];
}

function hidden(findings: Findings, pen: Pen): string[] {
  const spots = blindSpots(findings);
  if (spots.length === 0) return [];
  const lines = spots.flatMap(({ what, hides }) => hang('  · ', 4, wrap(`${what}: ${hides}`, pen.size - 4)));
  return [...heading('not in this log', '', pen), ...lines];
}

const TARGET_COLUMNS: readonly Column<StormTarget>[] = [
  { title: 'target', shrinks: true, cell: (target) => escapeTerminal(clip(targetName(target), 120)) },
  { title: 'contract', cell: (target) => target.declared },
  { title: 'sent', side: 'right', cell: (target) => count(target.requests) },
  { title: 'gate', side: 'right', cell: (target) => count(target.under_gate) },
  { title: 'avoidable', side: 'right', cell: (target) => count(target.avoidable) },
  { title: 'why', shrinks: true, cell: (target) => escapeTerminal(clip(target.reason, 60)) },
];

// Where room is scarce, the words on a target give way to its name.
function targetColumns(size: number): readonly Column<StormTarget>[] {
  if (size >= 90) return TARGET_COLUMNS;
  return TARGET_COLUMNS.filter(({ title }) => title !== 'contract' && (title !== 'why' || size >= 60));
}

function stormBlock(storm: Storm, rank: number, pen: Pen): string[] {
  const size = pen.size - 5;
  const targets = storm.targets.slice(0, LIMITS.targets);
  const more = storm.targets.length - targets.length;
  const [all, refused, sent, spared] = stormTallies(storm).map(({ n, label }) => `${count(n)} ${label}`);
  const numbers = `${all}, ${refused}: ${sent}, ${spared}`;
  const room = Math.min(24, size - width(numbers) - 2);
  const held = storm.requests - storm.under_gate;
  const drawn = held > 0 && room >= 6 ? bar(storm.under_gate, held, room, [FULL, LIGHT]) : '';
  const client = escapeTerminal(clip(storm.client, 120));
  const [head = '', ...rest] = table(targets, targetColumns(size), size);
  const lines = [
    ...(drawn === '' ? wrap(numbers, size) : [`${numbers}  ${pen.paint(SGR.spared, drawn)}`]),
    ...stormParts(storm).flatMap((part) => wrap(part, size)),
    ...wrap(stormTime(storm), size),
    pen.paint(SGR.quiet, head),
    ...rest.map((line, i) => pen.paint(KIND_COLOURS[targets[i]?.kind ?? 'ok'].sgr, line)),
    ...(more > 0 ? [`and ${plural(more, 'more target')}`] : []),
    ...(storm.evidence.length > 0 ? wrap(`lines: ${shown(places(storm.evidence, LIMITS.evidence))}`, size) : []),
  ];
  const title = `${pen.paint(SGR.strong, storm.kind)}  ${cut(client, pen.size - 7 - storm.kind.length)}`;
  return ['', `${pad(String(rank), 3, 'left')}  ${title}`, ...indent(wrap(shown(deed(storm)), size), 5), ...indent(lines, 5)];
}

function storms(findings: Findings, pen: Pen): string[] {
  const { storms: all } = findings;
  if (all.length === 0) return [];
  const listed = all.slice(0, LIMITS.storms);
  const more = all.length - listed.length;
  return [
    ...heading(
      'storms',
      `${plural(all.length, 'storm')}, most avoidable first    ${FULL} sent under the gate  ${LIGHT} spared`,
      pen,
    ),
    ...listed.flatMap((storm, i) => stormBlock(storm, i + 1, pen)),
    ...(more > 0 ? ['', `     and ${plural(more, 'smaller storm')} (all of them: --format json, ndjson or csv)`] : []),
  ];
}

const SAVINGS_COLUMNS: readonly Column<SavingsRow>[] = [
  { title: 'kind', shrinks: true, cell: (row) => row.kind },
  { title: 'sent', side: 'right', cell: (row) => count(row.requests) },
  { title: 'under gate', side: 'right', cell: (row) => count(row.under_gate) },
  { title: 'avoidable', side: 'right', cell: (row) => count(row.avoidable) },
  { title: 'harm', side: 'right', cell: (row) => count(row.harm) },
];

function savings(findings: Findings, pen: Pen): string[] {
  const rows = savingsRows(findings);
  if (rows.length === 0) return [];
  const [head = '', ...body] = table(rows, SAVINGS_COLUMNS, pen.size - 2, pen.size < 60 ? 1 : 2);
  const line = savingsLine(findings);
  return [
    ...heading('savings by kind', '', pen),
    `  ${pen.paint(SGR.quiet, head)}`,
    ...body.map((text, i) => `  ${pen.paint(KIND_COLOURS[rows[i]?.kind ?? 'ok'].sgr, text)}`),
    ...indent(wrap(`avoidable: ${boundsLine(findings)}`, pen.size - 2), 2),
    ...(line === '' ? [] : indent(wrap(`spared with them: ${line}`, pen.size - 2), 2)),
  ];
}

const SEVERITY_SGR: Readonly<Record<Finding['severity'], number>> = {
  high: SGR.bad,
  medium: SGR.strong,
  low: SGR.quiet,
  info: SGR.quiet,
};

function findingBlock(finding: Finding, pen: Pen): string[] {
  const size = pen.size - 10;
  const by = shown(findingClients(finding));
  const label = `  ${pen.paint(SEVERITY_SGR[finding.severity], pad(finding.severity, 6))}  `;
  const parts = [
    escapeTerminal(clip(finding.title, 400)),
    `${finding.rule}, ${plural(finding.requests, 'request')}`,
    by !== '' && `by ${by}`,
    escapeTerminal(clip(finding.advice, 600)),
    finding.evidence.length > 0 && `lines: ${shown(places(finding.evidence, LIMITS.evidence))}`,
  ].filter((part) => part !== false);
  return hang(
    label,
    10,
    parts.flatMap((part) => wrap(part, size)),
  );
}

function findingList(findings: Findings, pen: Pen): string[] {
  const all = findings.findings;
  if (all.length === 0) return [];
  const more = all.length - LIMITS.findings;
  return [
    ...heading('findings', '', pen),
    ...all.slice(0, LIMITS.findings).flatMap((finding) => findingBlock(finding, pen)),
    ...(more > 0 ? [`          and ${plural(more, 'more finding')}`] : []),
  ];
}

function rejectLine(sample: Findings['rejects']['samples'][number], size: number): string {
  const excerpt = cut(escapeTerminal(clip(sample.excerpt, 120)), size - 24);
  return `${escapeTerminal(place(sample))} ${escapeTerminal(sample.reason)}: ${excerpt}`;
}

function inputs(findings: Findings, pen: Pen): string[] {
  const listed = findings.inputs.slice(0, LIMITS.inputs);
  const more = findings.inputs.length - listed.length;
  const size = pen.size - 2;
  const facts = [
    ['time', windowLine(findings)],
    ['contract', shown(contractLine(findings))],
    ['clients', clientLine(findings)],
  ];
  return [
    ...heading('inputs', '', pen),
    ...listed.flatMap((input) =>
      indent(wrap(`${escapeTerminal(clip(input.name, 120))} (${escapeTerminal(input.format)}): ${inputLine(input)}`, size), 2),
    ),
    ...(more > 0 ? [`  and ${plural(more, 'more input')}`] : []),
    ...findings.rejects.samples.slice(0, LIMITS.samples).flatMap((sample) => indent(wrap(rejectLine(sample, size), size - 2), 4)),
    ...facts.flatMap(([label = '', line = '']) => hang(`  ${pad(label, 8)}  `, 12, wrap(line, size - 10))),
  ];
}

function nextStep({ command, why }: NextStep, pen: Pen): string[] {
  const line = `  ${escapeTerminal(command)}`;
  const note = pen.paint(SGR.quiet, `# ${why}`);
  const isShort = width(line) + 5 + width(why) <= pen.size;
  return isShort ? [`${line}   ${note}`] : [`  ${note}`, line];
}

function next(findings: Findings, pen: Pen): string[] {
  return [...heading('next', '', pen), ...nextSteps(findings).flatMap((step) => nextStep(step, pen))];
}

function render(findings: Findings, options: RenderOptions): string {
  const pen = penOf(options);
  const parts = [answer, keyFigures, hidden, storms, savings, findingList, inputs, next];
  const lines = parts.flatMap((part) => part(findings, pen));
  return toAscii(`${lines.join('\n')}\n`, options);
}

export const text: Renderer = {
  title: 'for reading on a terminal',
  extensions: ['txt', 'text'],
  hasCharts: false,
  render,
};
