// Remembers which ids byte ranges stand for, so that a text that was seen before is neither decoded nor parsed again.
// Ranges are compared byte by byte: nobody can write a line that is taken for another.
import { randomInt } from 'node:crypto';
import type { Ranges } from '../formats/format.ts';
import type { Id } from './ids.ts';

const FIRST_SLOTS = 1 << 12;
const LAST_SLOTS = 1 << 17;
/** Bytes for the texts of keys: what the slots may hold, half full, if a key is a client with a browser's user agent. */
const ARENA_PER_SLOT = 64;
const PRIME = 0x9e3779b1;
/** Differs from run to run, so that nobody can prepare ranges that collide; nothing but speed depends on it. */
const SEED = randomInt(0x7fffffff);

/** Each slot lies within one cache line: hash, end of the key in the arena (0: free), size of the key, halves of the id. */
const SLOT_WORDS = 8;
const HASH = 0;
const KEY_END = 1;
const KEY_SIZE = 2;
const LOW = 3;
const HIGH = 4;

/** Emptied when it is full, and made larger as long as it may grow: a miss costs a parse, never a wrong answer. */
export class Memo {
  #slots = new Int32Array(FIRST_SLOTS * SLOT_WORDS);
  #arena = new DataView(new ArrayBuffer(FIRST_SLOTS * ARENA_PER_SLOT));
  #mask = FIRST_SLOTS - 1;
  #arenaEnd = 0;
  #count = 0;
  #hash = 0;
  #slot = 0;

  /** Writes the id that was remembered for the bytes in the ranges. Returns whether there is one. */
  get(bytes: DataView, ranges: Ranges, into: Id): boolean {
    const slots = this.#slots;
    const hash = hashRanges(bytes, ranges);
    const last = this.#mask * SLOT_WORDS;
    let slot = (hash & this.#mask) * SLOT_WORDS;
    for (;;) {
      const keyEnd = slots[slot + KEY_END] as number;
      if (keyEnd === 0) break;
      if (slots[slot + HASH] === hash && this.#equals(keyEnd, slots[slot + KEY_SIZE] as number, bytes, ranges)) {
        into[0] = slots[slot + LOW] as number;
        into[1] = slots[slot + HIGH] as number;
        return true;
      }
      slot = slot === last ? 0 : slot + SLOT_WORDS;
    }
    this.#hash = hash;
    this.#slot = slot;
    return false;
  }

  /** Remembers an id for the ranges that `get` has just missed. */
  set(bytes: DataView, ranges: Ranges, id: Id): void {
    const size = sizeOf(ranges);
    if (this.#count * 2 > this.#mask || this.#arenaEnd + size > this.#arena.byteLength) this.#makeRoom();
    if (this.#arenaEnd + size > this.#arena.byteLength) return;
    let at = this.#arenaEnd + VARIANT_BYTES;
    this.#arena.setInt32(this.#arenaEnd, ranges.variant);
    for (let index = 0; index < ranges.count; index++) {
      const start = ranges.at[index * 2] as number;
      const end = ranges.at[index * 2 + 1] as number;
      this.#arena.setInt32(at, end - start);
      at += LENGTH_BYTES;
      for (let from = start; from < end; from++) this.#arena.setUint8(at++, bytes.getUint8(from));
    }
    this.#arenaEnd = at;
    this.#count++;
    this.#slots.set([this.#hash, at, size, id[0] as number, id[1] as number], this.#slot);
  }

  /** Doubles the room, or begins anew where there is no more to be had. */
  #makeRoom(): void {
    const old = this.#slots;
    const slots = (this.#mask + 1) * 2;
    if (slots > LAST_SLOTS) {
      old.fill(0);
      this.#arenaEnd = this.#count = 0;
    } else {
      const arena = new Uint8Array(slots * ARENA_PER_SLOT);
      arena.set(new Uint8Array(this.#arena.buffer));
      this.#arena = new DataView(arena.buffer);
      this.#slots = new Int32Array(slots * SLOT_WORDS);
      this.#mask = slots - 1;
      for (let from = 0; from < old.length; from += SLOT_WORDS) {
        if (old[from + KEY_END] !== 0)
          this.#slots.set(old.subarray(from, from + SLOT_WORDS), this.#freeSlot(old[from + HASH] as number));
      }
    }
    this.#slot = this.#freeSlot(this.#hash);
  }

  #freeSlot(hash: number): number {
    let slot = (hash & this.#mask) * SLOT_WORDS;
    while (this.#slots[slot + KEY_END] !== 0) slot = slot === this.#mask * SLOT_WORDS ? 0 : slot + SLOT_WORDS;
    return slot;
  }

  #equals(keyEnd: number, keySize: number, bytes: DataView, ranges: Ranges): boolean {
    const arena = this.#arena;
    let at = keyEnd - keySize;
    if (arena.getInt32(at) !== ranges.variant) return false;
    at += VARIANT_BYTES;
    for (let index = 0; index < ranges.count; index++) {
      let from = ranges.at[index * 2] as number;
      const end = ranges.at[index * 2 + 1] as number;
      if (at + LENGTH_BYTES > keyEnd || arena.getInt32(at) !== end - from) return false;
      at += LENGTH_BYTES;
      for (; from + 4 <= end; from += 4, at += 4) if (arena.getInt32(at) !== bytes.getInt32(from)) return false;
      for (; from < end; from++, at++) if (arena.getUint8(at) !== bytes.getUint8(from)) return false;
    }
    return at === keyEnd;
  }
}

/** The variant stands before all ranges, the length of each range before its bytes. */
const VARIANT_BYTES = 4;
const LENGTH_BYTES = 4;

function sizeOf(ranges: Ranges): number {
  let size = LENGTH_BYTES * ranges.count;
  for (let index = 0; index < ranges.count; index++)
    size += (ranges.at[index * 2 + 1] as number) - (ranges.at[index * 2] as number);
  return size + VARIANT_BYTES;
}

/** Four bytes at a time: a user agent is the longest text of most lines. */
function hashRanges(bytes: DataView, ranges: Ranges): number {
  let hash = SEED ^ (ranges.count | (ranges.variant << 8));
  for (let index = 0; index < ranges.count; index++) {
    let at = ranges.at[index * 2] as number;
    const end = ranges.at[index * 2 + 1] as number;
    hash = Math.imul(hash ^ (end - at), PRIME);
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ bytes.getInt32(at), PRIME);
      hash = (hash << 13) | (hash >>> 19);
    }
    for (; at < end; at++) hash = Math.imul(hash ^ bytes.getUint8(at), PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), PRIME);
  return hash ^ (hash >>> 15);
}
