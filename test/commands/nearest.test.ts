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

it('names the nearest, and all names or the place that tells them', () => {
  expect(unknownName('command', 'qury', ['query', 'report']).detail.help).toBe('did you mean "query"? known: query, report');
  expect(unknownName('command', 'serve', ['query', 'report']).detail.help).toBe('known: query, report');
  expect(unknownName('flag', '--formt', ['--format'], 'see --help').detail.help).toBe('did you mean "--format"? see --help');
});
