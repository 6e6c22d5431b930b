// What scanners share: numbers and stamps read from bytes, and the ranges they fill in.
import type { BlockBytes, Found, Ranges } from './format.ts';
import { parseClf, parseIso } from './time.ts';

const ZERO = 0x30;
const POINT = 0x2e;
const COLON = 0x3a;
const ZULU = 0x5a;

export function newRanges(): Ranges {
  return { count: 0, variant: 0, at: new Int32Array(32) };
}

export function newFound(): Found {
  return {
    ts: NaN,
    duration_us: NaN,
    request_bytes: NaN,
    response_bytes: NaN,
    attempts: NaN,
    client: newRanges(),
    target: newRanges(),
    signal: newRanges(),
    session: newRanges(),
    correlation: newRanges(),
  };
}

/** Makes `found` ready for the next line. */
export function clearFound(found: Found): void {
  found.ts = found.duration_us = found.request_bytes = found.response_bytes = found.attempts = NaN;
  found.client.count = found.target.count = found.signal.count = found.session.count = found.correlation.count = 0;
}

export function addRange(ranges: Ranges, start: number, end: number): void {
  ranges.at[ranges.count * 2] = start;
  ranges.at[ranges.count * 2 + 1] = end;
  ranges.count++;
}

/** Returns the whole number between two offsets, or NaN. */
export function scanDigits(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start || end - start > 15) return NaN;
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return NaN;
    number = number * 10 + digit;
  }
  return number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ONES = 0x01010101;
const TOPS = 0x80808080;

/**
 * Returns the offset of the quote that ends a text, or -1 where there is none before `end`, or something before it is escaped or
 * lower than `least`. Four bytes are looked at at a time: texts are most of a line.
 */
export function endOfText({ bytes, view }: BlockBytes, start: number, end: number, least: number): number {
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = view.getInt32(at, true);
    const quotes = word ^ (QUOTE * ONES);
    const backslashes = word ^ (BACKSLASH * ONES);
    const hits = ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((word - least * ONES) & ~word);
    if ((hits & TOPS) !== 0) break;
  }
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH || byte < least) return -1;
  }
  return -1;
}

/** Whether the words at some offsets are those that were kept of an earlier text. */
function isSame(view: DataView, start: number, offsets: readonly number[], kept: Int32Array): boolean {
  for (let index = 0; index < kept.length; index++) {
    if (view.getInt32(start + (offsets[index] as number)) !== kept[index]) return false;
  }
  return true;
}

function keep(view: DataView, start: number, offsets: readonly number[], kept: Int32Array): void {
  for (const [index, offset] of offsets.entries()) kept[index] = view.getInt32(start + offset);
}

/** Words that cover `12/Oct/2026:09:14:` and ` +0200`, the ones that change most often first. */
const CLF_WORDS = [14, 12, 8, 4, 0, 20, 22];
const lastClf = new Int32Array(CLF_WORDS.length);
let lastClfUs = NaN;

/** Returns the moment of a stamp `12/Oct/2026:09:14:03 +0200`, or NaN; only its seconds are read anew within a minute. */
export function scanClf({ bytes, view }: BlockBytes, start: number): number {
  const seconds = scanDigits(bytes, start + 18, start + 20);
  if (!(seconds < 60)) return NaN;
  if (!isSame(view, start, CLF_WORDS, lastClf)) {
    const text = bytes.toString('latin1', start, start + 26);
    if (!CLF.test(text)) return NaN;
    const us = parseClf(`${text.slice(0, 18)}00${text.slice(20)}`);
    if (us === null) return NaN;
    keep(view, start, CLF_WORDS, lastClf);
    lastClfUs = us;
  }
  return lastClfUs + seconds * 1_000_000;
}

const CLF = /^..\/.{8}:.{5}:.. /;

/** Returns a decimal number with at most six digits behind the point as millionths (`0.013` is 13000), or NaN. */
export function scanDecimal(bytes: Uint8Array, start: number, end: number): number {
  let point = start;
  while (point < end && bytes[point] !== 0x2e) point++;
  const places = end - point - 1;
  const whole = scanDigits(bytes, start, point);
  if (point === end) return whole * 1_000_000;
  return places > 6 ? NaN : whole * 1_000_000 + scanDigits(bytes, point + 1, end) * 10 ** (6 - places);
}

/** Written by `scanIso`. */
export interface ScannedStamp {
  us: number;
  resolution_us: number;
}

/** Words that cover `2026-10-12T07:14`; the zone is kept apart, since a fraction may stand before it. */
const ISO_WORDS = [12, 8, 4, 0];
const lastIso = new Int32Array(ISO_WORDS.length);
let lastZone = '';
let lastZoneLength = 0;
let lastIsoUs = NaN;

/**
 * Reads `2026-10-12T07:14:03[.481](Z|+02:00)`. Returns false for any other spelling; only seconds and fraction are read anew within a
 * minute.
 */
export function scanIso({ bytes, view }: BlockBytes, start: number, end: number, into: ScannedStamp): boolean {
  const seconds = scanDigits(bytes, start + 17, start + 19);
  let zone = start + 19;
  let fraction = 0;
  let places = 0;
  if (bytes[zone] === POINT) {
    while (isDigit(bytes[zone + 1 + places] as number)) places++;
    fraction = scanDigits(bytes, zone + 1, zone + 1 + places);
    zone += 1 + places;
  }
  if (!(seconds < 60) || places > 6 || Number.isNaN(fraction) || bytes[start + 16] !== COLON) return false;
  if (!isSame(view, start, ISO_WORDS, lastIso) || !isLastZone(bytes, zone, end)) {
    const length = end - zone;
    if (length !== 6 && !(length === 1 && bytes[zone] === ZULU)) return false;
    const text = bytes.toString('latin1', start, end);
    const minute = parseIso(`${text.slice(0, 17)}00${text.slice(zone - start)}`);
    if (minute === null) return false;
    keep(view, start, ISO_WORDS, lastIso);
    lastZone = text.slice(zone - start);
    lastZoneLength = length;
    lastIsoUs = minute.us;
  }
  const unit = 10 ** (6 - places);
  into.us = lastIsoUs + seconds * 1_000_000 + fraction * unit;
  into.resolution_us = unit;
  return true;
}

function isLastZone(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== lastZoneLength) return false;
  for (let at = start; at < end; at++) if (bytes[at] !== lastZone.charCodeAt(at - start)) return false;
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte < ZERO + 10;
}
