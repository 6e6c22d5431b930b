// How numbers, sizes and times are written, in one place for every renderer that people read.

const THOUSANDS = /\B(?=(\d{3})+$)/g;
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'] as const;

/** The blank between a number and its unit, at which no line may break. */
export const UNIT_BLANK = /(?<=\d) (?=(?:d|h|min|s|ms|B|[kMGT]B|%)(?!\w))/g;

/** Returns a count with thousands separators: `12,345`. */
export function count(n: number): string {
  return Math.round(n).toString().replace(THOUSANDS, ',');
}

/** Returns a count as prose: a word up to twelve, digits beyond. */
export function words(n: number): string {
  return WORDS[n] ?? count(n);
}

/** Returns the noun in the form that the count asks for. */
export function noun(n: number, singular: string, many = `${singular}s`): string {
  return n === 1 ? singular : many;
}

/** Returns a count with its noun: `1 request`, `2 requests`. */
export function plural(n: number, singular: string, many?: string): string {
  return `${count(n)} ${noun(n, singular, many)}`;
}

/** Returns a range, or the one number where both bounds agree. */
export function range(lower: number, upper: number, dash = '–'): string {
  return lower === upper ? count(lower) : `${count(lower)}${dash}${count(upper)}`;
}

/** Returns a part of a whole in percent: `1.7 %`. Something never becomes nothing, and not quite all never becomes all. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  if (percent < 100 && percent > 99.9) return '>99.9 %';
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.min(Math.round(percent), part === whole ? 100 : 99)} %`;
}

const SIZES = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

/** Returns a size in decimal units: `1.4 MB`. */
export function bytes(n: number): string {
  const [size, unit] = SIZES.find(([least]) => n >= least) ?? [1, 'B'];
  const value = n / size;
  return `${size > 1 && value < 10 ? Number(value.toFixed(1)) : count(value)} ${unit}`;
}

/** Returns a duration in its two largest units: `1 h 48 min`. */
export function duration(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  const s = Math.round(seconds);
  const parts: [number, string][] = [
    [Math.floor(s / 86_400), 'd'],
    [Math.floor(s / 3600) % 24, 'h'],
    [Math.floor(s / 60) % 60, 'min'],
    [s % 60, 's'],
  ];
  const first = parts.findIndex(([n]) => n > 0);
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${count(n)} ${unit}`)
    .join(' ');
}

const clock = (iso: string): string => iso.slice(11, 19);
const day = (iso: string): string => iso.slice(0, 10);

/** Returns an ISO instant for people, to the second: `2026-03-02 09:14:02 UTC`. */
export function instant(iso: string): string {
  return `${day(iso)} ${clock(iso)} UTC`;
}

/** Returns a span of time, with the day once if both ends share it: `2026-03-02 09:14:02 to 11:02:40 UTC`. */
export function span(start: string, end: string): string {
  if (day(start) === day(end))
    return clock(start) === clock(end) ? instant(start) : `${day(start)} ${clock(start)} to ${clock(end)} UTC`;
  return `${day(start)} ${clock(start)} to ${instant(end)}`;
}
