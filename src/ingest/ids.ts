// 64-bit content hashes: the id of a text is the same in every run, thread and file order. Halves are signed 32-bit integers, so that
// no BigInt is made per row.

const SEED_LO = 0x2545f491;
const SEED_HI = 0x6c078965;
const PRIME_LO = 0x9e3779b1;
const PRIME_HI = 0x85ebca6b;

/** Where a hash is written: low half, high half. */
export type Id = Int32Array<ArrayBuffer>;

export function newId(): Id {
  return new Int32Array(2);
}

/** Hashes a text by its UTF-16 units. */
export function hashText(text: string, into: Id): void {
  let lo = SEED_LO;
  let hi = SEED_HI;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    lo = Math.imul(lo ^ unit, PRIME_LO);
    lo = (lo << 15) | (lo >>> 17);
    hi = Math.imul((hi ^ unit) + lo, PRIME_HI);
  }
  finish(lo, hi, text.length, into);
}

/** Hashes an ASCII byte range, with the same result as the text that it spells. */
export function hashAscii(bytes: Uint8Array, start: number, end: number, into: Id): void {
  let lo = SEED_LO;
  let hi = SEED_HI;
  for (let at = start; at < end; at++) {
    const unit = bytes[at] as number;
    lo = Math.imul(lo ^ unit, PRIME_LO);
    lo = (lo << 15) | (lo >>> 17);
    hi = Math.imul((hi ^ unit) + lo, PRIME_HI);
  }
  finish(lo, hi, end - start, into);
}

/** Hashes two ids into one. */
export function hashPair(a: Id, b: Id, into: Id): void {
  let lo = SEED_LO;
  let hi = SEED_HI;
  for (const unit of [a[0] as number, a[1] as number, b[0] as number, b[1] as number]) {
    lo = Math.imul(lo ^ unit, PRIME_LO);
    lo = (lo << 15) | (lo >>> 17);
    hi = Math.imul((hi ^ unit) + lo, PRIME_HI);
  }
  finish(lo, hi, 16, into);
}

function finish(low: number, high: number, length: number, into: Id): void {
  let lo = low ^ length;
  let hi = high ^ length;
  lo += hi;
  hi += lo;
  lo = mix(lo);
  hi = mix(hi);
  lo += hi;
  hi += lo;
  into[0] = lo;
  into[1] = hi;
}

function mix(half: number): number {
  let h = half;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Returns the id as the BIGINT that is stored. */
export function idNumber(id: Id): bigint {
  return (BigInt(id[1] as number) << 32n) | BigInt((id[0] as number) >>> 0);
}

/** Returns the id of a text as the BIGINT that is stored. */
export function textId(text: string): bigint {
  const id = newId();
  hashText(text, id);
  return idNumber(id);
}

/** Reads 16 hex digits as an id. */
export function parseHexId(hex: string, into: Id): void {
  into[1] = Number.parseInt(hex.slice(0, 8), 16) | 0;
  into[0] = Number.parseInt(hex.slice(8, 16), 16) | 0;
}
