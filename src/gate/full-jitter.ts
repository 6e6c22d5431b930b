// Exponential backoff with full jitter: clients that fail together must not come back together.

export interface FullJitterOptions {
  /** Ceiling of the first wait; it doubles with each attempt. */
  baseMs?: number;
  /** Ceiling that no wait exceeds. */
  capMs?: number;
  /** Source of chance in [0, 1); `Math.random` unless given. */
  random?: () => number;
}

/**
 * Returns how long to wait, in milliseconds, before the retry that follows attempt number `attempt` (from 0): evenly spread over
 * [0, min(capMs, baseMs * 2^attempt)). A wait near zero is right: the spread is what keeps clients apart.
 */
export function fullJitter(
  attempt: number,
  { baseMs = 500, capMs = 30_000, random = Math.random }: FullJitterOptions = {},
): number {
  return random() * Math.min(capMs, baseMs * 2 ** Math.max(0, attempt));
}
