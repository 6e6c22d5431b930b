import { expect, it } from 'vitest';
import { nearest, unknownName } from '../../src/commands/nearest.ts';

const NAMES = ['report', 'classify', 'query', 'explain', 'formats', 'demo', 'completion'];

it.each([
  ['reprot', 'report'],
  ['clasify', 'classify'],
  ['QUERY', 'query'],
  ['format', 'formats'],
  ['exp', 'explain'],
  ['completions', 'completion'],
  ['d', undefined],
  ['strom', undefined],
  ['demon', 'demo'],
  ['nightly', undefined],
  ['access.log', undefined],
  ['', undefined],
])('takes %j for %j', (written, meant) => {
  expect(nearest(written, NAMES)).toBe(meant);
});

it('names the nearest, and the list only where it is short', () => {
  expect(unknownName('command', 'qury', ['query', 'report']).detail.help).toBe('did you mean "query"? known: query, report');
  const many = Array.from({ length: 140 }, (_, index) => `name-${index}`);
  expect(unknownName('zone', 'name-7x', many).detail.help).toBe('did you mean "name-7"?');
  expect(unknownName('zone', 'elsewhere', many).detail.help).toBeUndefined();
});
