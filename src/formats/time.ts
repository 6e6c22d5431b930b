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

/** Returns the moment of a stamp `09/Nov/2026:11:22:33.104`, which has no offset and is read in `timeZone`, or null. */
export function parseLocalClf(text: string, timeZone: string): Stamp | null {
  const second = parseClf(`${text.slice(0, 20)} +0000`);
  const places = text.charCodeAt(20) === 46 ? countDigits(text, 21) : 0;
  if (second === null || places > 6 || text.length !== (places === 0 ? 20 : 21 + places)) return null;
  const resolution_us = 10 ** (6 - places);
  return { us: fromZone(second + wholeNumber(text, 21, 21 + places) * resolution_us, timeZone), resolution_us };
}

/**
 * Returns the moment of an ISO 8601 or RFC 3339 stamp, or null; one without an offset is read in `timeZone`. A comma or point may
 * begin the fraction, a blank may stand for `T`, and slashes for the dashes of the date.
 */
export function parseIso(text: string, timeZone = 'UTC'): Stamp | null {
  const dash = text.charCodeAt(4);
  if ((dash !== 45 && dash !== 47) || text.charCodeAt(7) !== dash) return null;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return null;
  const between = text.charCodeAt(10);
  if (between !== 84 && between !== 32) return null;
  const days = daysOf(two(text, 0) * 100 + two(text, 2), two(text, 5), two(text, 8));
  const seconds = secondsOf(two(text, 11), two(text, 14), two(text, 17));
  const point = text.charCodeAt(19);
  const start = point === 46 || point === 44 ? 20 : 19;
  const digits = start === 20 ? countDigits(text, start) : 0;
  if (digits > 12 || (start === 20 && digits === 0)) return null;
  const places = Math.min(digits, 6);
  const local = days * DAY + seconds * SECOND + wholeNumber(text, start, start + places) * 10 ** (6 - places);
  const offset = offsetAt(text, start + digits);
  if (Number.isNaN(local + offset)) return null;
  return { us: offset === Infinity ? fromZone(local, timeZone) : local - offset * SECOND, resolution_us: 10 ** (6 - places) };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Returns the offset that ends a text (`Z`, `+02:00`, `+0200`, `-05`) in seconds, Infinity for none, NaN for anything else. */
function offsetAt(text: string, start: number): number {
  const at = text.charCodeAt(start) === 32 ? start + 1 : start;
  const length = text.length - at;
  if (length === 0) return Infinity;
  const sign = text.charCodeAt(at);
  if (sign === 90 || sign === 122) return length === 1 ? 0 : NaN;
  if (sign === 85) return text.endsWith('UTC') && length === 3 ? 0 : NaN;
  const minutes =
    length === 3
      ? 0
      : length === 5
        ? two(text, at + 3)
        : length === 6 && text.charCodeAt(at + 3) === 58
          ? two(text, at + 4)
          : NaN;
  const seconds = two(text, at + 1) * 3600 + minutes * 60;
  if (sign === 43) return seconds;
  return sign === 45 ? -seconds : NaN;
}

/** `Nov  5 23:02:05`, perhaps with a fraction. */
const YEARLESS = /^([A-Z][a-z]{2}) ([ \d]?\d) (\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?$/;

/** What tells the year of a stamp that bears none, and its zone. */
interface Surroundings {
  timeZone: string;
  fileTime?: number | undefined;
  near?: number | undefined;
}

/**
 * Returns the moment of a stamp without year and zone, or null if there is no such day or nothing tells the year: that of the nearest
 * dated line, else the last one in which the file can have been written to after it.
 */
export function parseYearless(text: string, { timeZone, fileTime, near }: Surroundings): Stamp | null {
  const [, name = '', day, hour, minute, second, fraction = ''] = YEARLESS.exec(text) ?? [];
  const month = MONTHS.get((name.charCodeAt(1) << 8) | name.charCodeAt(2));
  const known = near ?? fileTime;
  if (month === undefined || MONTH_INITIALS[month - 1] !== name[0] || known === undefined) return null;
  const clock = secondsOf(Number(hour), Number(minute), Number(second)) * SECOND;
  const places = Math.min(fraction.length, 6);
  const part = Number(fraction.slice(0, 6).padEnd(6, '0'));
  const year = new Date(known / 1000).getUTCFullYear();
  const moments = [year - 1, year, year + 1]
    .map((candidate) => daysOf(candidate, month, Number(day)) * DAY + clock + part)
    .filter((local) => !Number.isNaN(local));
  const local =
    near === undefined
      ? moments.findLast((moment) => moment <= known + DAY)
      : moments.toSorted((a, b) => Math.abs(a - known) - Math.abs(b - known))[0];
  return local === undefined ? null : { us: fromZone(local, timeZone), resolution_us: 10 ** (6 - places) };
}

/** Unit of an epoch number by the digits before its point: seconds until the year 5138, then ms, us, ns. */
function unitOf(digits: number): number {
  if (digits <= 11) return SECOND;
  if (digits <= 14) return 1000;
  return digits <= 17 ? 1 : 0.001;
}

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
  const digits = countDigits(value, 0);
  const places = value.charCodeAt(digits) === 46 ? countDigits(value, digits + 1) : 0;
  const length = places === 0 ? digits : digits + 1 + places;
  if (digits < 9 || digits > 19 || length !== value.length || places > 12) return null;
  const unit = unitOf(digits);
  if (unit < 1) return maybeStamp(wholeNumber(value, 0, digits - 3), 1);
  const room = Math.log10(unit);
  const used = Math.min(places, room);
  const fraction = wholeNumber(value, digits + 1, digits + 1 + used) * 10 ** (room - used);
  return maybeStamp(wholeNumber(value, 0, digits) * unit + fraction, 10 ** (room - used));
}

/** Returns how many digits follow an offset. */
function countDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at - start;
}

/** Returns the number that the digits between two offsets write. */
function wholeNumber(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + text.charCodeAt(at) - 48;
  return number;
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
export function wallClock(us: number, timeZone: string): number {
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

let zoneless = 0;

/** Returns how many stamps without an offset were read so far: whoever looks before and after a line knows whether it had one. */
export function countZoneless(): number {
  return zoneless;
}

/** Returns the moment at which a zone's clocks show a wall time; in a repeated hour the first. */
export function fromZone(local: number, timeZone: string): number {
  zoneless++;
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
