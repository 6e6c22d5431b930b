// Stamps as access logs write them, to microseconds since the epoch, UTC. No Date: a stamp costs a few integer operations.

/** A moment and what its text allowed: the resolution cuts durations that are subtracted from it. */
export interface Stamp {
  us: number;
  resolution_us: number;
}

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** Month by the last two letters of its English name; `MONTH_INITIALS` checks the first. */
const MONTHS = new Map(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((name, index) => [
    (name.charCodeAt(1) << 8) | name.charCodeAt(2),
    index + 1,
  ]),
);
const MONTH_INITIALS = 'JFMAMJJASOND';

/**
 * Returns the days from the epoch to a date of the Gregorian calendar, or NaN if there is no such date, or none whose microseconds
 * are whole numbers in a double.
 */
function daysOf(year: number, month: number, day: number): number {
  if (!(year > 1700 && year < 2250 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return NaN;
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Returns the two digits at an offset, or NaN. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** Returns seconds into the day, or NaN; second 60 is a leap second and reads as the next minute. */
function secondsOf(hour: number, minute: number, second: number): number {
  return hour < 24 && minute < 60 && second < 61 ? hour * 3600 + minute * 60 + second : NaN;
}

let lastDay = -1;
let lastDayUs = NaN;

/** Returns the moment of a stamp `12/Oct/2026:09:14:03 +0200` that begins at an offset, or null. */
export function parseClf(text: string, at = 0): number | null {
  const day = two(text, at);
  const letters = (text.charCodeAt(at + 4) << 8) | text.charCodeAt(at + 5);
  const year = two(text, at + 7) * 100 + two(text, at + 9);
  const key = ((year * 32 + day) * 65_536 + letters) * 128 + (text.charCodeAt(at + 3) & 127);
  if (key !== lastDay) {
    const month = MONTHS.get(letters) ?? NaN;
    if (MONTH_INITIALS.charCodeAt(month - 1) !== text.charCodeAt(at + 3)) return null;
    lastDayUs = daysOf(year, month, day) * DAY;
    lastDay = key;
  }
  const sign = text.charCodeAt(at + 21);
  const offset = two(text, at + 22) * 3600 + two(text, at + 24) * 60;
  const seconds = secondsOf(two(text, at + 12), two(text, at + 15), two(text, at + 18));
  const us = lastDayUs + (seconds - (sign === 45 ? -offset : offset)) * SECOND;
  return (sign === 43 || sign === 45) && us === us ? us : null;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,12}))? ?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?$/;

/** Returns the moment of an ISO 8601 or RFC 3339 stamp, or null; one without an offset is read in `timeZone`. */
export function parseIso(text: string, timeZone = 'UTC'): Stamp | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const fraction = match[7] ?? '';
  const whole =
    daysOf(Number(match[1]), Number(match[2]), Number(match[3])) * DAY +
    secondsOf(Number(match[4]), Number(match[5]), Number(match[6])) * SECOND;
  if (Number.isNaN(whole)) return null;
  const local = whole + Number(fraction.slice(0, 6).padEnd(6, '0'));
  const us = match[8] === undefined ? fromZone(local, timeZone) : local - offsetOf(match[8]) * SECOND;
  return { us, resolution_us: 10 ** Math.max(0, 6 - fraction.length) };
}

/** Returns an offset such as `+02:00`, `+0200`, `-05` or `Z` in seconds. */
function offsetOf(text: string): number {
  if (text.length < 3 || text === 'UTC') return 0;
  const minutes = text.length > 3 ? Number(text.slice(-2)) : 0;
  const seconds = Number(text.slice(1, 3)) * 3600 + minutes * 60;
  return text.startsWith('-') ? -seconds : seconds;
}

/** Unit of an epoch number by the digits before its point: seconds until the year 5138, then ms, us, ns. */
function unitOf(digits: number): number {
  if (digits <= 11) return SECOND;
  if (digits <= 14) return 1000;
  return digits <= 17 ? 1 : 0.001;
}

const EPOCH = /^(\d{9,19})(?:\.(\d{1,12}))?$/;

/**
 * Returns the moment of an epoch number in s, ms, us or ns, told by its digits, or null. Text is read exactly; a number beyond
 * 2^53 has lost digits already, so hand those over as text.
 */
export function parseEpoch(value: string | number): Stamp | null {
  if (typeof value === 'number') {
    if (!(value >= 1e8 && value < 1e19)) return null;
    const unit = unitOf(Math.floor(Math.log10(value)) + 1);
    return maybeStamp(Math.round(value * unit), Number.isInteger(value) ? Math.max(1, unit) : 1);
  }
  const match = EPOCH.exec(value);
  if (match === null) return null;
  const whole = match[1] ?? '';
  const fraction = match[2] ?? '';
  const unit = unitOf(whole.length);
  if (unit < 1) return maybeStamp(Number(whole.slice(0, -3)), 1);
  const places = Math.log10(unit);
  const us = Number(whole) * unit + Number(fraction.padEnd(places, '0').slice(0, places));
  return maybeStamp(us, 10 ** Math.max(0, places - fraction.length));
}

function maybeStamp(us: number, resolution_us: number): Stamp | null {
  return Number.isSafeInteger(us) ? { us, resolution_us } : null;
}

/** Returns the moment of any stamp a JSON value can hold: ISO text, CLF text or an epoch number. */
export function parseStamp(value: unknown, timeZone = 'UTC'): Stamp | null {
  if (typeof value === 'number') return parseEpoch(value);
  if (typeof value !== 'string') return null;
  const text = value.startsWith('[') ? value.slice(1, -1) : value;
  if (text.charCodeAt(2) === 47) {
    const us = parseClf(text);
    return us === null ? null : { us, resolution_us: SECOND };
  }
  return parseIso(text, timeZone) ?? parseEpoch(text);
}

/**
 * Returns the start of a request whose stamp is its end. The duration is cut to whole multiples of the stamp's resolution:
 * taking 0.4 s from a stamp of whole seconds would make true repeats look as if they were in flight.
 */
export function startOf(end: Stamp, duration_us: number | null): number {
  if (duration_us === null) return end.us;
  return end.us - (duration_us - (duration_us % end.resolution_us));
}

/** Returns `2026-10-12T07:14:03.481000Z` for a moment. */
export function formatTs(us: number): string {
  const ms = Math.floor(us / 1000);
  return `${new Date(ms).toISOString().slice(0, -1)}${String(us - ms * 1000).padStart(3, '0')}Z`;
}

const zones = new Map<string, Intl.DateTimeFormat>();

/** Returns what a zone's clocks show at a moment, as if that were UTC. */
function wallClock(us: number, timeZone: string): number {
  let format = zones.get(timeZone);
  if (format === undefined) {
    const style = {
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    } as const;
    format = new Intl.DateTimeFormat('en-US', { ...style, timeZone });
    zones.set(timeZone, format);
  }
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(us / 1000)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return daysOf(year, month, day) * DAY + secondsOf(hour, minute, second) * SECOND;
}

const offsets = new Map<string, number>();

/** Returns the moment at which a zone's clocks show a wall time; in a repeated hour the first. */
function fromZone(local: number, timeZone: string): number {
  if (timeZone === 'UTC') return local;
  // Zones change on quarters of an hour, so one look-up serves all stamps of a quarter.
  const quarter = Math.floor(local / (900 * SECOND)) * 900 * SECOND;
  const key = `${timeZone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    if (offsets.size > 4096) offsets.clear();
    // The offset half a day before holds unless a change lies between; the earlier offset is tried first.
    const before = wallClock(quarter - DAY / 2, timeZone) - (quarter - DAY / 2);
    const after = wallClock(quarter + DAY / 2, timeZone) - (quarter + DAY / 2);
    offset = wallClock(quarter - before, timeZone) === quarter ? before : after;
    offsets.set(key, offset);
  }
  return local - offset;
}
