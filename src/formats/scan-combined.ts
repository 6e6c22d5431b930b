// The fast way through common and combined lines: byte offsets of the fields, the stamp as a number, nothing decoded.
import type { BlockBytes, Found } from './format.ts';
import { addRange, endOfText, scanClf, scanDigits } from './scan.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const DASH = 0x2d;
const OPEN = 0x5b;
const CLOSE = 0x5d;
/** No character is too low to stand in a field. */
const ANY = 0;

/** `address - - [stamp] "request" status bytes`, perhaps with referer and user agent; anything else is left to `parse`. */
export function scanCombined(block: BlockBytes, start: number, end: number, found: Found): boolean {
  const { bytes } = block;
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
  found.ts = scanClf(block, at + 6);
  if (bytes[at + 32] !== CLOSE || bytes[at + 33] !== SPACE || bytes[at + 34] !== QUOTE || Number.isNaN(found.ts)) return false;

  const request = at + 35;
  const requestEnd = endOfText(block, request, end, ANY);
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
  return at === end || scanAgents(block, at + 1, end, found);
}

/** Referer and user agent, both quoted, and nothing behind them. */
function scanAgents(block: BlockBytes, start: number, end: number, found: Found): boolean {
  const { bytes } = block;
  if (bytes[start] !== QUOTE) return false;
  const referer = endOfText(block, start + 1, end, ANY);
  if (referer < 0 || bytes[referer + 1] !== SPACE || bytes[referer + 2] !== QUOTE) return false;
  const agent = endOfText(block, referer + 3, end, ANY);
  if (agent < 0 || agent + 1 !== end) return false;
  addRange(found.client, referer + 3, agent);
  return true;
}
