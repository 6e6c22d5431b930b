import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { FINDING_RULES, REPORT_SCHEMA, STORM_KINDS, type Findings } from '../../src/findings/findings.ts';
import { KINDS, REJECT_REASONS } from '../../src/record.ts';
import { render } from '../../src/report/renderers.ts';
import { BLIND, EMPTY, FEDERATION, HEARD, MANY, QUIET, hostile } from './fixtures.ts';

interface Node {
  enum?: unknown;
  const?: unknown;
  description?: string;
  type?: unknown;
  properties?: Record<string, Node>;
  $defs?: Record<string, Node>;
  required?: string[];
  additionalProperties?: unknown;
  propertyNames?: unknown;
  $ref?: string;
}
const schema = JSON.parse(readFileSync(new URL('../../src/report/report.schema.json', import.meta.url), 'utf8')) as Node;
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

const reported = async (findings: Findings): Promise<unknown> => JSON.parse(await render('json', findings));

describe('the JSON report', () => {
  it.each(Object.entries({ FEDERATION, EMPTY, BLIND, QUIET, HEARD, MANY }))(
    'of %s is valid by its schema',
    async (_, findings) => {
      validate(await reported(findings));
      expect(validate.errors ?? []).toEqual([]);
    },
  );

  it('of hostile log text is valid, except for names that no rule can have', async () => {
    const { findings } = hostile();
    validate(await reported({ ...findings, requests: FEDERATION.requests }));
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each([
    ['an unknown field', { ...FEDERATION, extra: 1 }],
    ['an unknown kind', { ...FEDERATION, requests: { ...FEDERATION.requests, by_kind: { refused: 3 } } }],
    ['a missing part', { ...FEDERATION, visibility: undefined }],
    ['a negative count', { ...FEDERATION, sessions: { total: -1 } }],
    ['an unknown storm kind', { ...FEDERATION, storms: [{ ...FEDERATION.storms[0], kind: 'rain' }] }],
  ])('is refused with %s', (_, value) => expect(validate(JSON.parse(JSON.stringify(value)))).toBe(false));

  it('has the order of the schema, whatever the order of the findings', async () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, inner]) => [key, shuffled(inner)]),
      );
    };
    const text = await render('json', FEDERATION);
    expect(await render('json', shuffled(FEDERATION) as Findings)).toBe(text);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(schema.properties ?? {}));
    expect(text.endsWith('}\n')).toBe(true);
  });
});

describe('the schema', () => {
  it.each([
    ['kind', KINDS],
    ['storm_kind', STORM_KINDS],
    ['finding_rule', FINDING_RULES],
    ['reject_reason', REJECT_REASONS],
  ])('lists the values of %s as the code does', (name, list) => expect(schema.$defs?.[name]?.enum).toEqual([...list]));

  it('names its version', () => expect(schema.properties?.['schema']?.const).toBe(REPORT_SCHEMA));

  it('describes every field, and is closed everywhere', () => {
    const visit = (node: Node, path: string): string[] => {
      const own = node.properties ?? {};
      const described = ({ description, $ref, enum: list }: Node): boolean => Boolean(description ?? $ref ?? list);
      const bare = Object.entries(own).filter(([, inner]) => !described(inner));
      const faults = bare.map(([name]) => `${path}.${name}: no description`);
      const below = Object.entries(own).flatMap(([name, inner]) => visit(inner, `${path}.${name}`));
      const isOpen =
        node.properties && (node.additionalProperties !== false || Object.keys(own).join() !== node.required?.join());
      return [...faults, ...below, ...(isOpen ? [`${path}: open`] : [])];
    };
    const roots: [string, Node][] = [['report', schema], ...Object.entries(schema.$defs ?? {})];
    expect(roots.flatMap(([name, node]) => visit(node, name))).toEqual([]);
  });
});
