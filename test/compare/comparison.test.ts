import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { CAVEATS } from '../../src/compare/caveats.ts';
import { compare, FIGURES, STATES, type Comparison, type Rate } from '../../src/compare/comparison.ts';
import { answer, change, perThousand } from '../../src/compare/facts.ts';
import { renderers } from '../../src/compare/renderers.ts';
import { STORM_KINDS, type Findings } from '../../src/findings/findings.ts';
import { width } from '../../src/report/layout.ts';
import { DEFAULT_OPTIONS } from '../../src/report/renderer.ts';
import { BLIND, EMPTY, FEDERATION, hostile, MANY, PROBER_STORM, QUIET, storm } from '../report/fixtures.ts';
import { UNSEEN } from '../report/unseen.ts';

const STAMP = { version: '0.1.0', generatedAt: '2026-03-05T06:00:00.000Z' };
const of = (before: Findings, after: Findings): Comparison =>
  compare({ name: 'before.log', findings: before }, { name: 'after.log', findings: after }, STAMP);

const OTHER = '203.0.113.9 other/1.0';
const NEXT = { start: '2026-03-04T00:00:00.000000Z', end: '2026-03-04T23:59:59.000000Z', timed: true };
const after = (rest: Partial<Findings>): Findings => ({ ...FEDERATION, window: NEXT, ...rest });
const CALM = after({ storms: [], savings: { ...FEDERATION.savings, lower: 0, upper: 0 } });

const cases: Readonly<Record<string, Comparison>> = {
  fixed: of(FEDERATION, CALM),
  same: of(FEDERATION, after({})),
  broken: of(CALM, {
    ...FEDERATION,
    window: { ...NEXT, start: '2026-03-05T00:00:00.000000Z', end: '2026-03-05T23:59:59.000000Z' },
  }),
  moved: of(FEDERATION, after({ storms: [storm('x', { client: OTHER }), storm('y', { client: OTHER, requests: 4 })] })),
  crowded: of(FEDERATION, { ...MANY, window: NEXT }),
  unseen: of(FEDERATION, QUIET),
  empty: of(FEDERATION, EMPTY),
};

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const schema = JSON.parse(readFileSync(new URL('../../src/compare/compare.schema.json', import.meta.url), 'utf8'));
const validate = ajv.compile(schema);

const render = async (format: keyof typeof renderers, comparison: Comparison, options = {}): Promise<string> =>
  renderers[format].render(comparison, { ...DEFAULT_OPTIONS, ...options });
const readable = (html: string): string =>
  html.replace(/<style>[\s\S]*<\/style>/, '<style></style>').replace(/sha256-[^']+/g, 'sha256-…');

const rate = (count: number): Rate => ({ count, per_thousand: count });

describe('a comparison', () => {
  it.each([
    ['fixed', { new_storms: 0, unchanged_storms: 0, gone_storms: 1 }],
    ['same', { new_storms: 0, unchanged_storms: 1, gone_storms: 0 }],
    ['broken', { new_storms: 1, unchanged_storms: 0, gone_storms: 0 }],
    ['moved', { new_storms: 1, unchanged_storms: 0, gone_storms: 1 }],
  ])('tells storms of %s that are new, unchanged and gone by client and kind', (name, totals) =>
    expect(cases[name]?.totals).toEqual(totals),
  );

  it('compares rates, not counts', () => {
    const half = after({ requests: { ...FEDERATION.requests, total: 24_680 } });
    const [requests] = of(FEDERATION, half).storms;
    expect([requests?.before?.requests, requests?.after?.requests]).toEqual([
      { count: 27, per_thousand: 2.188 },
      { count: 27, per_thousand: 1.094 },
    ]);
  });

  it('adds up several storms of one client and kind', () => {
    const [first] = cases['moved']?.storms ?? [];
    expect(first).toMatchObject({ state: 'new', client: OTHER, after: { storms: 2, requests: { count: 31 } } });
  });

  it('goes by kind alone where a side does not name its clients', () => {
    const unnamed = {
      ...FEDERATION,
      visibility: { ...FEDERATION.visibility, client: false },
      storms: [storm('z', { client: 'z.log' })],
    };
    expect(of(FEDERATION, unnamed).storms).toMatchObject([{ state: 'unchanged', client: null }]);
  });

  it.each([
    [FEDERATION, CALM, []],
    [FEDERATION, FEDERATION, ['overlap']],
    [
      FEDERATION,
      EMPTY,
      ['no_requests', 'clients_unnamed', 'visibility', 'visibility', 'visibility', 'visibility', 'visibility', 'contract'],
    ],
    [FEDERATION, after({ clients: { total: 3, key: 'principal' } }), ['client_key']],
    [FEDERATION, after({ tool: { name: 'stormgate', version: '9.0.0' } }), ['version']],
    [FEDERATION, after({ window: { ...NEXT, end: '2026-03-04T01:00:00.000000Z' } }), ['window']],
    [FEDERATION, after({ storms: [storm('n', { client: PROBER_STORM.client.replace('0.3', '0.4') })] }), ['renamed_client']],
  ] as const)('says what else may explain the change: %#', (one, other, codes) =>
    expect(of(one, other).caveats.map(({ code }) => code)).toEqual(codes),
  );

  it.each([
    [0, 0, 'none'],
    [0, 3, 'new'],
    [3, 0, 'gone'],
    [10, 10, 'as before'],
    [10, 4, '−60 %'],
    [10, 15, '+50 %'],
    [10, 25, '2.5 times'],
  ])('says how %i became %i', (then, now, said) => {
    expect(change(rate(then), rate(now))).toBe(said);
  });

  it('never writes something as nothing', () => expect(perThousand({ count: 1, per_thousand: 0.0003 })).toBe('<0.01'));

  it.each([
    ['fixed', 'The one storm of before is gone; none is new; of a thousand requests 2.03 were avoidable before and 0 after.'],
    ['same', 'The one storm of before goes on; none is new; of a thousand requests 2.03 were avoidable before and 2.03 after.'],
    ['broken', 'There was no storm before; one is new; of a thousand requests 0 were avoidable before and 2.03 after.'],
    ['empty', 'There is nothing to compare: one side has no requests.'],
  ])('answers in one sentence: %s', (name, said) => expect(cases[name] && answer(cases[name])).toBe(said));
});

describe.each(Object.entries(cases))('the comparison %s', (name, comparison) => {
  it.each(['text', 'json', 'markdown', 'html'] as const)('as %s is as it was read and agreed to', async (format) => {
    const [extension] = renderers[format].extensions;
    await expect(readable(await render(format, comparison))).toMatchFileSnapshot(`../golden/compare/${name}.${extension}`);
  });

  it('is valid by its schema', async () => {
    validate(JSON.parse(await render('json', comparison)));
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each([40, 80, 132])('fits %i columns', async (columns) => {
    const lines = (await render('text', comparison, { width: columns })).split('\n');
    expect(lines.filter((line) => width(line) > columns)).toEqual([]);
  });
});

it('takes hostile names for text', async () => {
  const { findings } = hostile();
  const comparison = of({ ...findings, storms: findings.storms.slice(0, 3) }, findings);
  for (const format of ['text', 'json', 'markdown', 'html'] as const) {
    const lines = readable(
      await render(format, { ...comparison, before: { ...comparison.before, name: '<img src=x>\u001B[2J' } }),
    ).split('\n');
    expect(lines.filter((line) => UNSEEN.test(line))).toEqual([]);
    if (format === 'html') expect(lines.join('\n')).not.toMatch(/<(?:img|script|iframe)/);
  }
});

it('is ASCII where asked', async () =>
  expect(await render('text', of(BLIND, FEDERATION), { ascii: true })).toMatch(/^[\x20-\x7E\n]*$/));

it('has a schema with the closed lists of the program', () => {
  const { properties, $defs } = schema as { properties: Record<string, any>; $defs: Record<string, any> };
  expect($defs['storm'].properties.kind.enum).toEqual(STORM_KINDS);
  expect($defs['storm'].properties.state.enum).toEqual(STATES);
  expect(properties['figures'].items.properties.figure.enum).toEqual(FIGURES);
  expect(properties['caveats'].items.properties.code.enum).toEqual(CAVEATS);
});
