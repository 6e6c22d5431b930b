// What users write as values of flags, each read strictly: a typing error must not become another window or another limit.
import { isIP } from 'node:net';
import { UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import { unknownName } from './nearest.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of a duration such as `30m` or `1h30m`. */
export function readDuration(flag: string, text: string): number {
  const parts = text.match(/^(?:\d+(?:ms|min|[smhd]))+$/) ? [...text.matchAll(/(\d+)(ms|min|[smhd])/g)] : [];
  if (parts.length === 0) throw badValue(flag, text, messages.expectedDuration());
  return parts.reduce((sum, [, n, unit]) => sum + Number(n) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}

/** Returns a whole number that is at least `least`. */
export function readCount(flag: string, text: string, least = 0): number {
  const n = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (n < least) throw badValue(flag, text, messages.expectedCount(least));
  return n;
}

/** Returns a size in the words of the engine: `512MB`. */
export function readSize(flag: string, text: string): string {
  if (!/^[1-9]\d{0,8}(?:\.\d+)?\s?[KMGT]i?B$/i.test(text)) throw badValue(flag, text, messages.expectedSize());
  return text;
}

/** Returns an IANA zone as it is spelt in the catalogue. */
export function readZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw unknownName('time zone', text, Intl.supportedValuesOf('timeZone'), messages.expectedZone());
  }
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Returns microseconds since the epoch of an ISO 8601 time; without an offset it is a time of `timeZone`. */
export function readInstant(flag: string, text: string, timeZone: string): number {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = INSTANT.exec(text) ?? [];
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const written = `${year}-${month}-${day}T${hour.padStart(2, '0')}:${minute.padStart(2, '0')}:${second.padStart(2, '0')}`;
  // Date.UTC turns 31 February into 3 March; the way back shows it.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(written)) {
    throw badValue(flag, text, messages.expectedInstant());
  }
  const ms = offset === undefined ? fromZone(wall, timeZone) : wall - offsetMs(offset);
  return ms * 1000 + Number(fraction.padEnd(6, '0'));
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -1 : 1) * minutes * 60_000;
}

/** The moment at which clocks of the zone show `wall`; of two, the first. */
function fromZone(wall: number, timeZone: string): number {
  const early = wall - zoneOffset(wall - 86_400_000, timeZone);
  if (zoneOffset(early, timeZone) === wall - early) return early;
  return wall - zoneOffset(early, timeZone);
}

function zoneOffset(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name === 'GMT' ? 0 : offsetMs(name.slice(3, 9));
}

/** Returns whether a text is an address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

function badValue(flag: string, text: string, help: string): UsageError {
  return new UsageError(messages.badValue(flag, text), { help });
}
