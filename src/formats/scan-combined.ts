// The fast way through common and combined lines: byte offsets of the fields, the stamp as a number, nothing decoded.
import type { Found } from './format.ts';
import { addRange, scanClf, scanDigits } from './scan.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const DASH = 0x2d;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** `address - - [stamp] "request" status bytes`, perhaps with referer and user agent; anything else is left to `parse`. */
export function scanCombined(bytes: Uint8Array, start: number, end: number, found: Found): boolean {
  let at = start;
  while (at < end && bytes[at] !== SPACE) at++;
  const address = at;
  if (address === start || address + 36 > end) return false;
  if (
    bytes[at + 1] !== DASH ||
    bytes[at + 2] !== SPACE ||
    bytes[at + 3] !== DASH ||
    bytes[at + 4] !== SPACE ||
    bytes[at + 5] !== OPEN
  )
    return false;
  found.ts = scanClf(bytes, at + 6);
  if (bytes[at + 32] !== CLOSE || bytes[at + 33] !== SPACE || bytes[at + 34] !== QUOTE || Number.isNaN(found.ts)) return false;

  const request = at + 35;
  const requestEnd = endOfQuoted(bytes, request, end);
  const status = requestEnd + 2;
  if (requestEnd < 0 || status + 4 > end || bytes[requestEnd + 1] !== SPACE || bytes[status + 3] !== SPACE) return false;
  if (!(scanDigits(bytes, status, status + 3) >= 100)) return false;

  at = status + 4;
  while (at < end && bytes[at] !== SPACE) at++;
  found.response_bytes = scanDigits(bytes, status + 4, at);
  if (Number.isNaN(found.response_bytes) && !(bytes[status + 4] === DASH && at === status + 5)) return false;

  addRange(found.client, start, address);
  addRange(found.target, request, requestEnd);
  addRange(found.signal, status, status + 3);
  return at === end || scanAgents(bytes, at + 1, end, found);
}

/** Referer and user agent, both quoted, and nothing behind them. */
function scanAgents(bytes: Uint8Array, start: number, end: number, found: Found): boolean {
  if (bytes[start] !== QUOTE) return false;
  const referer = endOfQuoted(bytes, start + 1, end);
  if (referer < 0 || bytes[referer + 1] !== SPACE || bytes[referer + 2] !== QUOTE) return false;
  const agent = endOfQuoted(bytes, referer + 3, end);
  if (agent < 0 || agent + 1 !== end) return false;
  addRange(found.client, referer + 3, agent);
  return true;
}

/** Returns the offset of the closing quote, or -1 where there is none or something is escaped. */
function endOfQuoted(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) return -1;
  }
  return -1;
}
