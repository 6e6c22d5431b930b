// Chance with a seed: the same seed gives the same story on every machine.

export type Random = () => number;

/** Returns a generator of numbers in [0, 1) that depends on the seed's text only (FNV-1a into mulberry32). */
export function seeded(seed: string): Random {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns a whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Returns one of the choices. */
export function pick<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

/** Returns text of `length` characters of the alphabet, hexadecimal if none is given. */
export function letters(random: Random, length: number, alphabet = '0123456789abcdef'): string {
  return Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
}

/** Returns the wait before retry `attempt` (from 0) in milliseconds: full jitter, `random(0, min(cap, base * 2^attempt))`. */
export function fullJitter(random: Random, attempt: number, base = 1000, cap = 30_000): number {
  return Math.round(random() * Math.min(cap, base * 2 ** attempt));
}
