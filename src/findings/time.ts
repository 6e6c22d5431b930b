// Times as text, made in one place.

/** Returns a moment in microseconds since the epoch as ISO 8601, UTC, with microseconds. */
export function isoTime(us: number): string {
  const micros = ((us % 1000) + 1000) % 1000;
  return `${new Date((us - micros) / 1000).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

/** Returns a moment as text, or null for none. */
export function maybeIsoTime(us: number | null): string | null {
  return us === null ? null : isoTime(us);
}
