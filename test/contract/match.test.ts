import { expect, test } from 'vitest';
import { openMatcher } from '../../src/contract/match.ts';

const templates = [
  '/',
  '/things',
  '/things/',
  '/things/{id}',
  '/things/latest',
  '/things/{id}:cancel',
  '/things/{id}/{part}',
  '/files/{a}{b}.{ext}',
  '/a.b/{x}',
];
const find = openMatcher(templates.map((path) => ({ authority: null, path, methods: null, protocol: 'http' })));

test.each([
  ['/', ['/']],
  ['/things', ['/things']],
  ['/things/', ['/things/']],
  ['/things/7', ['/things/{id}']],
  ['/things/latest', ['/things/latest', '/things/{id}']],
  ['/things/7:cancel', ['/things/{id}:cancel', '/things/{id}']],
  ['/things/7/x', ['/things/{id}/{part}']],
  ['/things/7/', []],
  ['/things/7/x/y', []],
  ['/files/photo.png', ['/files/{a}{b}.{ext}']],
  ['/files/photo', []],
  ['/a.b/c', ['/a.b/{x}']],
  ['/axb/c', []],
  ['/THINGS', []],
  ['', []],
  [`/things/${'x'.repeat(600)}`, []],
])('%s fits %o', (path, fits) => {
  expect(find(path).map((hit) => hit.path)).toEqual(fits);
});

test('only a filled variable makes a template', () => {
  expect(find('/things/latest').map(({ is_template }) => is_template)).toEqual([false, true]);
});
