// The fast way through flat JSON access lines. Lines of one log repeat their keys, so the keys of a line are looked up once, as a
// layout, and on later lines only compared byte by byte; values are taken as byte ranges.
import type { BlockBytes, Format, Found } from './format.ts';
import { addRange, clearFound, endOfText, scanDecimal, scanDigits, scanIso, type ScannedStamp } from './scan.ts';
import { startOf } from './time.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const DASH = 0x2d;
const SPACE = 0x20;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
/** `1791789243.481`. */
const MSEC_LENGTH = 14;

/**
 * What the value of a key is to a record: a part of client, target or signal; a number with a meaning of its own; a text that is
 * only understood where it is plain (`tries`, `user`, `session`, `correlation`); or nothing.
 */
export type Role =
  | 'client'
  | 'target'
  | 'signal'
  | 'status'
  | 'end'
  | 'msec'
  | 'seconds'
  | 'response_bytes'
  | 'request_bytes'
  | 'tries'
  | 'user'
  | 'session'
  | 'correlation'
  | 'none';

interface Member {
  /** The key with its quotes and what stands around it, from the end of the value before to the start of this one. */
  lead: DataView;
  role: Role;
}
type Layout = readonly Member[];

const PARTS = ['client', 'target', 'signal', 'session'] as const;

/** A log has one layout or a few; beyond that lines are parsed. */
const MAX_LAYOUTS = 16;
const MAX_MEMBERS = 64;
/** Of these, a second one in a line would have to be weighed against the first. */
const ONCE: ReadonlySet<Role> = new Set([
  'status',
  'end',
  'msec',
  'seconds',
  'response_bytes',
  'request_bytes',
  'session',
  'correlation',
]);

/** Returns a scanner. `roleOf` gives the meaning of a key, or undefined if lines with that key are left to `parse`. */
export function openJsonScan(roleOf: (key: string) => Role | undefined): NonNullable<Format['scan']> {
  const layouts: Layout[] = [];
  const stamps: Stamps = { end: { us: NaN, resolution_us: NaN }, msec: NaN };

  return (block, start, end, found) => {
    for (let variant = 0; variant < layouts.length; variant++) {
      clearFound(found);
      if (!scanMembers(layouts[variant] as Layout, block, start, end, found, stamps)) continue;
      for (const part of PARTS) found[part].variant = variant;
      return true;
    }
    if (layouts.length < MAX_LAYOUTS) {
      const layout = maybeLayout(block.bytes, start, end, roleOf);
      if (layout !== undefined && !layouts.some((known) => isSame(known, layout))) layouts.push(layout);
    }
    return false;
  };
}

/** Where a line's stamps are put together: the finest one counts. */
interface Stamps {
  end: ScannedStamp;
  msec: number;
}

function scanMembers(layout: Layout, block: BlockBytes, start: number, end: number, found: Found, stamps: Stamps): boolean {
  const { bytes } = block;
  let at = start;
  stamps.msec = stamps.end.us = NaN;
  for (let index = 0; index < layout.length; index++) {
    const { lead, role } = layout[index] as Member;
    if (at + lead.byteLength >= end || !isLead(block, at, lead)) return false;
    at += lead.byteLength;
    const isText = bytes[at] === QUOTE;
    const from = isText ? at + 1 : at;
    const to = isText ? endOfText(block, from, end, SPACE) : endOfNumber(bytes, from, end);
    if (to < 0 || !scanMember(role, isText, block, from, to, found, stamps)) return false;
    at = isText ? to + 1 : to;
  }
  if (bytes[at] !== CLOSE || at + 1 !== end) return false;
  const duration = Number.isNaN(found.duration_us) ? null : found.duration_us;
  if (!Number.isNaN(stamps.msec) && !Number.isNaN(stamps.end.us) && stamps.end.resolution_us < 1000) return false;
  if (!Number.isNaN(stamps.msec)) found.ts = startOf({ us: stamps.msec, resolution_us: 1000 }, duration);
  else if (!Number.isNaN(stamps.end.us)) found.ts = startOf(stamps.end, duration);
  return true;
}

function isLead({ bytes, view }: BlockBytes, start: number, lead: DataView): boolean {
  let at = 0;
  for (; at + 4 <= lead.byteLength; at += 4) if (lead.getInt32(at) !== view.getInt32(start + at)) return false;
  for (; at < lead.byteLength; at++) if (lead.getUint8(at) !== bytes[start + at]) return false;
  return true;
}

/** Takes one value. Returns false where only `parse` can say what it means. */
function scanMember(
  role: Role,
  isText: boolean,
  block: BlockBytes,
  from: number,
  to: number,
  found: Found,
  stamps: Stamps,
): boolean {
  const { bytes } = block;
  switch (role) {
    case 'none':
      return true;
    case 'client':
    case 'target':
    case 'signal':
      addRange(found[role], from, to);
      return isText;
    case 'status':
      addRange(found.signal, from, to);
      return to - from === 3 && scanDigits(bytes, from, to) >= 100;
    case 'end':
      return isText && scanIso(block, from, to, stamps.end);
    case 'msec':
      stamps.msec = scanDecimal(bytes, from, to);
      return isText && to - from === MSEC_LENGTH && !Number.isNaN(stamps.msec);
    case 'seconds':
      found.duration_us = scanDecimal(bytes, from, to);
      return !Number.isNaN(found.duration_us);
    case 'response_bytes':
    case 'request_bytes':
      found[role] = scanDigits(bytes, from, to);
      return !Number.isNaN(found[role]);
    case 'tries':
      return isText && scanTries(bytes, from, to, found);
    case 'user':
      return isAbsent(bytes, from, to);
    case 'session':
      // That there is one belongs to the signal (the quote before it stands for that); which one does not.
      addRange(found.signal, to > from ? from - 1 : from, from);
      if (to > from) addRange(found.session, from, to);
      return isText && (to === from || !isAbsent(bytes, from, to));
    case 'correlation':
      if (!isAbsent(bytes, from, to)) addRange(found.correlation, from, to);
      return isText && isLowerCase(bytes, from, to);
  }
}

/** Returns the offset behind a number that is written plainly, or -1. */
function endOfNumber(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === COMMA || byte === CLOSE)
      return at > start && (at === start + 1 || bytes[start] !== ZERO || bytes[start + 1] === POINT) ? at : -1;
    if (byte !== POINT && (byte < ZERO || byte > NINE)) return -1;
  }
  return -1;
}

function isAbsent(bytes: Uint8Array, from: number, to: number): boolean {
  return to === from || (to === from + 1 && bytes[from] === DASH);
}

function isLowerCase(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte > 0x7f || (byte >= 0x41 && byte <= 0x5a)) return false;
  }
  return true;
}

/** One try is what most lists of upstreams hold; longer ones are counted by `parse`. */
function scanTries(bytes: Uint8Array, from: number, to: number, found: Found): boolean {
  if (to === from) return true;
  for (let at = from; at < to; at++) if (bytes[at] === COMMA || bytes[at] === SPACE) return false;
  const tries = isAbsent(bytes, from, to) ? 0 : 1;
  if (!(found.attempts > tries)) found.attempts = tries;
  return true;
}

const MEMBER = /(\{|,)\s{0,2}"((?:[^"\\]){1,64})"\s{0,2}:\s{0,2}("(?:[^"\\]){0,8192}"|[\d.]{1,20})/y;

/** Returns the layout of a flat line without escapes, each key of which has a meaning here; undefined for any other. */
function maybeLayout(
  bytes: Uint8Array,
  start: number,
  end: number,
  roleOf: (key: string) => Role | undefined,
): Layout | undefined {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const layout: Member[] = [];
  const seen = new Set<Role | string>();
  MEMBER.lastIndex = 0;
  while (MEMBER.lastIndex < line.length - 1) {
    const match =
      layout.length < MAX_MEMBERS && line.charCodeAt(MEMBER.lastIndex) === (layout.length === 0 ? OPEN : COMMA)
        ? MEMBER.exec(line)
        : null;
    if (match === null) return undefined;
    const [all, , key = '', value = ''] = match;
    const role = roleOf(key);
    if (role === undefined || seen.has(key) || (ONCE.has(role) && seen.has(role))) return undefined;
    seen.add(key).add(role);
    layout.push({ lead: viewOf(Buffer.from(all.slice(0, all.length - value.length), 'latin1')), role });
  }
  return seen.has('status') ? layout : undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(new Uint8Array(bytes).buffer);
}

function isSame(one: Layout, other: Layout): boolean {
  return (
    one.length === other.length &&
    one.every(({ lead }, index) => Buffer.from(lead.buffer).equals(Buffer.from((other[index] as Member).lead.buffer)))
  );
}
