import { describe, expect, it } from 'vitest';
import { width } from '../../src/report/layout.ts';
import { maybeFormatOf, OUTPUT_FORMATS, render, renderers } from '../../src/report/renderers.ts';
import { UNSEEN } from './unseen.ts';
import { BLIND, EMPTY, FEDERATION, HEARD, hostile, MANY, QUIET } from './fixtures.ts';

const SGR = new RegExp(String.raw`\u001B\[\d+m`, 'g');
const cases = { FEDERATION, MANY, QUIET, HEARD, BLIND, EMPTY };

describe.each(['json', 'ndjson', 'csv', 'markdown', 'text'] as const)('%s', (format) => {
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
