import { describe, expect, it } from 'vitest';
import type { Findings } from '../../src/findings/findings.ts';
import { TABLES, type TableName } from '../../src/report/csv.ts';
import { width } from '../../src/report/layout.ts';
import { maybeFormatOf, OUTPUT_FORMATS, render, renderers } from '../../src/report/renderers.ts';
import { UNSEEN } from './unseen.ts';
import { BLIND, EMPTY, EMPTY_SERIES, FEDERATION, FEDERATION_SERIES, HEARD, hostile, MANY, QUIET } from './fixtures.ts';

const SGR = new RegExp(String.raw`\u001B\[\d+m`, 'g');
const cases = { FEDERATION, MANY, QUIET, HEARD, BLIND, EMPTY };

describe.each(['json', 'ndjson', 'csv', 'markdown', 'text', 'prometheus', 'junit'] as const)('%s', (format) => {
  it.each(Object.entries(cases))('of %s is as it was read and agreed to', async (name, findings) => {
    const [extension] = renderers[format].extensions;
    await expect(await render(format, findings)).toMatchFileSnapshot(`../golden/report/${name.toLowerCase()}.${extension}`);
  });

  it('sends nothing to a terminal that acts on it', async () => {
    const lines = (await render(format, hostile().findings)).replaceAll('\r\n', '\n').split('\n');
    expect(lines.filter((line) => UNSEEN.test(line))).toEqual([]);
  });

  it('ends in a newline', async () => expect(await render(format, FEDERATION)).toMatch(/\n$/));
});

describe('the registry', () => {
  it('gives each extension to one format', () => {
    const all = OUTPUT_FORMATS.flatMap((format): readonly string[] => renderers[format].extensions);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each([
    ['review.html', 'html'],
    ['out/STORMS.CSV', 'csv'],
    ['report.md', 'markdown'],
    ['a.jsonl', 'ndjson'],
    ['report', undefined],
    ['report.pdf', undefined],
    ['.html/report', undefined],
  ])('takes %s for %s', (name, format) => expect(maybeFormatOf(name)).toBe(format));
});

describe('the text report', () => {
  it.each([40, 60, 80, 100, 132])('fits %i columns', async (columns) => {
    for (const findings of [...Object.values(cases), hostile().findings]) {
      const lines = (await render('text', findings, { width: columns })).split('\n');
      expect(lines.filter((line) => width(line) > columns && !/^ {2}stormgate /.test(line))).toEqual([]);
    }
  });

  it('says the same with colour as without', async () => {
    const colored = await render('text', MANY, { color: true });
    expect(colored).toContain('\u001B[1m');
    expect(colored.replaceAll(SGR, '')).toBe(await render('text', MANY));
  });

  it('is ASCII where asked', async () => expect(await render('text', MANY, { ascii: true })).toMatch(/^[\x20-\x7E\n]*$/));

  it('quotes file names for the shell', async () => {
    const [input] = FEDERATION.inputs;
    const text = await render('text', { ...FEDERATION, inputs: input ? [{ ...input, name: `it's; rm -rf $HOME.log` }] : [] });
    expect(text).toContain(String.raw`stormgate report 'it'\''s; rm -rf $HOME.log' -o review.html`);
  });
});

const pipes = (line: string): number => line.replaceAll(/\\\|/g, '').split('|').length;

describe('Markdown', () => {
  it('keeps log text inside code spans and tables in shape', async () => {
    const lines = (await render('markdown', hostile().findings)).split('\n');
    for (const line of lines) {
      const outside = line.replaceAll(/`[^`]*`/g, '');
      expect(outside).not.toMatch(/<(?!\/?sub>)|\]\(|@(?!&#8203;)|:\/\//);
    }
    const tables = lines.filter((line) => line.startsWith('|'));
    expect(new Set(tables.map(pipes))).toEqual(new Set([5, 7, 11]));
  });
});

it('NDJSON has one object a line, each with its type first', async () => {
  const rows = (await render('ndjson', MANY))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(rows.every((row) => Object.keys(row)[0] === 'type')).toBe(true);
  expect([...new Set(rows.map((row) => row.type))]).toEqual([
    'report',
    'totals',
    'storm',
    'saving',
    'finding',
    'input',
    'reject',
  ]);
});

const csvLines = async (table: TableName, findings = MANY): Promise<string[]> =>
  (await render('csv', findings, { table })).trimEnd().split('\r\n');

describe('CSV', () => {
  it.each([
    ['storms', MANY.storms.length],
    ['targets', MANY.storms.flatMap(({ targets }) => targets).length],
    ['findings', MANY.findings.length],
    ['kinds', Object.keys(MANY.savings.by_kind).length],
    ['reasons', Object.keys(MANY.requests.by_reason).length],
    ['statuses', Object.keys(MANY.requests.by_status).length],
    ['inputs', MANY.inputs.length],
    ['rejects', MANY.rejects.samples.length],
  ] as const)('has the table %s with a header and one row each', async (table, rows) =>
    expect(await csvLines(table)).toHaveLength(rows + 1),
  );

  it('keeps its shape and holds no formula, whatever the log says', async () => {
    for (const table of Object.keys(TABLES) as TableName[]) {
      const text = await render('csv', hostile().findings, { table });
      const rows = text
        .trimEnd()
        .split('\r\n')
        .map((row) => [...row.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g)].map(([, cell]) => cell ?? ''));
      expect(new Set(rows.map((row) => row.length)).size).toBe(1);
      expect(rows.flat().filter((cell) => /^"? *[=+@]/.test(cell))).toEqual([]);
    }
  });
});

const seriesOf = async (findings: Findings): Promise<string[]> =>
  (await render('prometheus', findings))
    .split('\n')
    .filter((each) => /^stormgate_(?!info|kind_|window_)/.test(each))
    .map((each) => each.replace(/ [^ ]+$/, ''));

describe('Prometheus', () => {
  it('has gauges only, each told once, in lines of the text format', async () => {
    const lines = (await render('prometheus', hostile().findings)).trimEnd().split('\n');
    const line =
      /^(?:# HELP stormgate_\w+ .+|# TYPE stormgate_\w+ gauge|stormgate_\w+(?:\{\w+="(?:[^"\\]|\\["\\])*"\})? -?[\d.]+)$/;
    expect(lines.filter((each) => !line.test(each))).toEqual([]);
    const series = lines.filter((each) => !each.startsWith('#')).map((each) => each.replace(/ [^ ]+$/, ''));
    expect(new Set(series).size).toBe(series.length);
  });

  it('has the same series for every log', async () => {
    expect(await seriesOf(MANY)).toEqual(await seriesOf(EMPTY));
  });
});

describe('JUnit', () => {
  it('fails a test for each storm and each grave finding, and skips what the log cannot show', async () => {
    const text = await render('junit', MANY);
    const grave = MANY.findings.filter(({ severity }) => severity === 'high').length;
    expect(text.match(/<failure /g)).toHaveLength(MANY.storms.length + grave);
    expect(await render('junit', BLIND)).toContain('<skipped message="the log cannot show a refusal"/>');
  });

  it('counts what it holds', async () => {
    for (const findings of [MANY, BLIND, hostile().findings]) {
      const text = await render('junit', findings);
      const [, tests, failures, skipped] =
        /<testsuites [^>]*tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)"/.exec(text) ?? [];
      const found = (tag: string): string => String(text.match(new RegExp(`<${tag} `, 'g'))?.length ?? 0);
      expect([tests, failures, skipped]).toEqual([found('testcase'), found('failure'), found('skipped')]);
      expect(text.replaceAll(/<\/?(?:testsuites?|testcase|failure|skipped)\b[^<>]*>|<\?xml [^<>]*\?>/g, '')).not.toMatch(/[<>]/);
    }
  });
});

describe('SVG', () => {
  it('is one chart with its title and text alternative', async () => {
    const svg = await render('svg', FEDERATION, { series: FEDERATION_SERIES, chart: 'path' });
    expect(svg).toMatch(
      /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"[^>]*><title>28 requests over 5 targets, 23 spared by a gate<\/title><desc>/,
    );
  });

  it('says so where there is nothing to draw', async () =>
    expect(await render('svg', EMPTY, { series: EMPTY_SERIES })).toContain('<title>nothing to draw: timeline</title>'));
});
