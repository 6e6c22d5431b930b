import { expect, test } from 'vitest';
import type { Observation } from '../../src/contract/contract.ts';
import { readSightings, shapeOf } from '../../src/contract/sightings.ts';
import { UNKNOWN_SIGNAL, type LineTarget } from '../../src/record.ts';

test.each([
  ['/orders/42', '/orders/{}'],
  ['/orders/42.json', '/orders/{}.json'],
  ['/tasks/42:cancel', '/tasks/{}:cancel'],
  ['/u/9b2f7c1e-0b5e-4f0a-9a53-7c7b1f7a1d11/x', '/u/{}/x'],
  ['/tasks/fe520e1a-c5d2', '/tasks/{}'],
  ['/commits/deadbeef01', '/commits/{}'],
  ['/orders/order-1001', '/orders/{}'],
  ['/keys/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/keys/{}'],
  ['/users/someone@example.com', '/users/{}'],
  ['/api/v1/oauth2/a2a', '/api/v1/oauth2/a2a'],
  ['/deadbeef', '/deadbeef'],
  ['/mp3/utf8', '/mp3/utf8'],
  ['/words/only', '/words/only'],
])('%s has the shape %s', (path, shape) => {
  expect(shapeOf(path)).toBe(shape);
});

const at = (path: string): LineTarget => ({ authority: null, http_method: 'GET', path, rpc_method: null, rpc_name: null });
const ok = (path: string): Observation => ({ target: at(path), signal: { ...UNKNOWN_SIGNAL, status: 200 }, requests: 1 });

test('of more families of paths than are kept, the kept ones depend on no order, and the others are unknown', async () => {
  const families = Array.from(
    { length: 3000 },
    (_, i) => `/w${[...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`,
  );
  const paths = families.flatMap((family) => [1, 2, 3].map((id) => `${family}/${id}`));
  const options = { byMethod: false, maxShapes: 1000 };
  const forward = await readSightings(paths.map(ok), options);
  const backward = await readSightings(paths.toReversed().map(ok), options);
  const known = families.map((family) => forward.isTemplateAnswered(at(`${family}/9`)));
  expect(families.map((family) => backward.isTemplateAnswered(at(`${family}/9`)))).toEqual(known);
  expect(new Set(known)).toEqual(new Set(['yes', 'unknown']));
  expect(paths.every((path) => forward.isPathAnswered(at(path)))).toBe(true);
  expect(forward.isPathAnswered(at('/never/1'))).toBe(false);
});
