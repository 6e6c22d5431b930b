// Which stretch of time a night reports on. A night is named after a date: that of the day, or that of the window's end.
import { fromZone, wallClock } from '../formats/time.ts';

const SECOND = 1_000_000;
const QUARTER = 900 * SECOND;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** `yesterday` is a day of the zone's calendar, of 23 or 25 hours when clocks change; `hours` is a stretch that ends at the last full hour. */
export type WindowKind = { is: 'yesterday' } | { is: 'last'; hours: number };

/** A night: its window in microseconds since the epoch, the end not included. */
export interface Night {
  /** `2026-11-29`: the folder of its reports. */
  name: string;
  since: number;
  until: number;
}

/** Returns the date that a zone's calendar shows at a moment. */
export function dateAt(us: number, zone: string): string {
  return new Date(wallClock(us, zone) / 1000).toISOString().slice(0, 10);
}

/** Returns the date some days later. */
export function plusDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + (days * DAY) / 1000).toISOString().slice(0, 10);
}

/** Returns the moment at which a day begins: the first that bears its date, even where clocks jump over midnight. */
export function startOfDay(date: string, zone: string): number {
  let moment = fromZone(Date.parse(`${date}T00:00:00Z`) * 1000, zone);
  while (dateAt(moment, zone) >= date && dateAt(moment - QUARTER, zone) >= date) moment -= QUARTER;
  while (dateAt(moment, zone) < date) moment += QUARTER;
  return moment;
}

/** Returns the night of a date. */
export function nightOf(date: string, zone: string): Night {
  return { name: date, since: startOfDay(date, zone), until: startOfDay(plusDays(date, 1), zone) };
}

/** Returns the night that a run at this moment reports on. */
export function nightAt(now: number, window: WindowKind, zone: string): Night {
  if (window.is === 'yesterday') return nightOf(plusDays(dateAt(now, zone), -1), zone);
  const until = now - (now % HOUR);
  return { name: dateAt(until, zone), since: until - window.hours * HOUR, until };
}

/** Returns the days from one date to another, both included. */
export function datesBetween(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let date = from; date <= to; date = plusDays(date, 1)) dates.push(date);
  return dates;
}
