// Numbers of log fields: statuses, sizes, durations with their units. Missing is null, never 0.

/** Returns a status of three digits from 100 up, or null (`-`, `0`, `000`, `-1`, empty). */
export function parseStatus(value: unknown): number | null {
  const status = typeof value === 'number' ? value : typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : NaN;
  return Number.isInteger(status) && status >= 100 && status <= 999 ? status : null;
}

/** Returns a whole number that is not negative, as number or text, or null. */
export function parseCount(value: unknown): number | null {
  const count = typeof value === 'number' ? value : typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** Returns a whole number with or without sign, as number or text, or null: RPC codes. */
export function parseCode(value: unknown): number | null {
  const code = typeof value === 'number' ? value : typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : NaN;
  return Number.isSafeInteger(code) ? code : null;
}

/** Microseconds of one unit. */
export const UNIT_US = { s: 1_000_000, ms: 1000, us: 1, ns: 0.001 } as const;
export type Unit = keyof typeof UNIT_US;

/** Returns a duration in microseconds from a number (or its text) in a known unit; negative and missing are null. */
export function parseDuration(value: unknown, unit: Unit): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && /^\d{1,18}(\.\d{1,18})?$/.test(value) ? Number(value) : NaN;
  return number >= 0 && number < 1e15 ? Math.round(number * UNIT_US[unit]) : null;
}

const GO_DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|μs|ms|s|m|h)){1,6}$/;
const GO_PART = /(\d+(?:\.\d+)?)(ns|us|µs|μs|ms|s|m|h)/g;
const GO_UNIT: Readonly<Record<string, number>> = { ns: 0.001, us: 1, µs: 1, μs: 1, ms: 1000, s: 1e6, m: 6e7, h: 3.6e9 };

/** Returns a duration that names its unit (`64ms`, `35.22µs`, `1m3.2s`, `0.005192s`) in microseconds, or null. */
export function parseGoDuration(text: string): number | null {
  if (text.length > 40 || !GO_DURATION.test(text)) return null;
  let us = 0;
  for (const [, number, unit] of text.matchAll(GO_PART)) us += Number(number) * (GO_UNIT[unit ?? ''] ?? NaN);
  return us < 1e15 ? Math.round(us) : null;
}
