// What scanners share: numbers and stamps read from bytes, and the ranges they fill in.
import type { Found, Ranges } from './format.ts';
import { parseClf, parseIso } from './time.ts';

const ZERO = 0x30;

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

/** `dd/Mon/yyyy:hh:mm` and the offset of the stamp last read, and the moment they stand for. */
const lastMinute = new Uint8Array(26);
let lastMinuteUs = NaN;

/** Returns the moment of a stamp `12/Oct/2026:09:14:03 +0200`, or NaN; only its seconds are read anew within a minute. */
export function scanClf(bytes: Uint8Array, start: number): number {
  const seconds = scanDigits(bytes, start + 18, start + 20);
  if (
    !(seconds < 60) ||
    bytes[start + 2] !== 0x2f ||
    bytes[start + 11] !== 0x3a ||
    bytes[start + 17] !== 0x3a ||
    bytes[start + 20] !== 0x20
  )
    return NaN;
  if (!isLastMinute(bytes, start)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, 26).toString('latin1');
    const us = parseClf(`${text.slice(0, 18)}00${text.slice(20)}`);
    if (us === null) return NaN;
    lastMinute.set(bytes.subarray(start, start + 26));
    lastMinuteUs = us;
  }
  return lastMinuteUs + seconds * 1_000_000;
}

function isLastMinute(bytes: Uint8Array, start: number): boolean {
  for (let at = 16; at >= 0; at--) if (lastMinute[at] !== bytes[start + at]) return false;
  for (let at = 21; at < 26; at++) if (lastMinute[at] !== bytes[start + at]) return false;
  return true;
}

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

/** `yyyy-mm-ddThh:mm` and the offset of the stamp last read, and the moment they stand for. */
let lastIsoUs = NaN;
const lastIso = new Uint8Array(16);
const lastOffset = new Uint8Array(6);
let lastOffsetLength = -1;

/** Reads `2026-10-12T07:14:03[.481](Z|+02:00)`. Returns false for any other spelling; only seconds and fraction are read anew within a minute. */
export function scanIso(bytes: Uint8Array, start: number, end: number, into: ScannedStamp): boolean {
  const seconds = scanDigits(bytes, start + 17, start + 19);
  let at = start + 19;
  let fraction = 0;
  let places = 0;
  if (bytes[at] === 0x2e) {
    while ((bytes[at + 1 + places] as number) >= ZERO && (bytes[at + 1 + places] as number) < ZERO + 10) places++;
    fraction = scanDigits(bytes, at + 1, at + 1 + places);
    at += 1 + places;
  }
  const length = end - at;
  const isZone = length === 1 ? bytes[at] === 0x5a : length === 6;
  if (!(seconds < 60) || places > 6 || Number.isNaN(fraction) || !isZone || bytes[start + 16] !== 0x3a) return false;
  if (!isLastIso(bytes, start, at, length)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
    const minute = parseIso(`${text.slice(0, 17)}00${text.slice(at - start)}`);
    if (minute === null) return false;
    lastIso.set(bytes.subarray(start, start + 16));
    lastOffset.set(bytes.subarray(at, end));
    lastOffsetLength = length;
    lastIsoUs = minute.us;
  }
  const unit = 10 ** (6 - places);
  into.us = lastIsoUs + seconds * 1_000_000 + fraction * unit;
  into.resolution_us = unit;
  return true;
}

function isLastIso(bytes: Uint8Array, start: number, offset: number, length: number): boolean {
  if (length !== lastOffsetLength) return false;
  for (let at = 15; at >= 0; at--) if (lastIso[at] !== bytes[start + at]) return false;
  for (let at = 0; at < length; at++) if (lastOffset[at] !== bytes[offset + at]) return false;
  return true;
}
