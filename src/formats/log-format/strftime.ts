// Date forms as strftime spells them, as far as their text can be read back.
import type { Shape } from './template.ts';

/** Returns how far a stamp of that form reaches, or undefined if no stamp is known that looks so. */
export function strftimeShape(form: string): Shape | undefined {
  const spelt = form
    .replaceAll('%T', '%H:%M:%S')
    .replaceAll('%F', '%Y-%m-%d')
    .replace(/%(?:3f|6f|f|9f)/g, '%f');
  if (/^\[?%d\/%b\/%Y:%H:%M:%S %z\]?$/.test(spelt)) return 'clf';
  if (/^%Y-%m-%d[T ]%H:%M:%S(?:[.,]%f)?(?: ?%z|Z)?$/.test(spelt)) return spelt.includes(' ') ? 'text' : 'word';
  return /^%s(?:\.%f)?$/.test(spelt) ? 'word' : undefined;
}
