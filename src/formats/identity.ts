// Who and what a request is, as short hashes: the text of a user name, key or session id never leaves its line.
import { createHash } from 'node:crypto';

/** Returns the first 16 hex digits of the SHA-256 of a text. */
export function hash16(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

const CACHE_SIZE = 4096;

/** Returns a function that remembers its answers for recent texts; a text longer than a name is not worth keeping. */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const old = known.get(text);
    if (old !== undefined) return old;
    const value = compute(text);
    if (text.length <= 512) {
      if (known.size >= CACHE_SIZE) known.clear();
      // A slice keeps its whole line alive; the copy does not.
      known.set(Buffer.from(text).toString(), value);
    }
    return value;
  };
}

const rememberedHash = remember(hash16);

/** Returns a principal: `user:` or `key:` and a hash; null for a name that says nothing. */
export function principalOf(kind: 'user' | 'key', name: string | null | undefined): string | null {
  if (name === null || name === undefined || name === '' || name === '-') return null;
  return `${kind}:${rememberedHash(name)}`;
}

/** Returns the hash of an MCP session id; null for none. */
export function sessionOf(id: string | null | undefined): string | null {
  return id === null || id === undefined || id === '' || id === '-' ? null : rememberedHash(id);
}

const MAX_DEPTH = 100;

/** Returns the hash of a call's arguments, whatever the order of their keys; null without arguments. */
export function argumentsHash(value: unknown): string | null {
  if (value === undefined) return null;
  const text = canonical(value, 0);
  return text === null ? null : hash16(text);
}

/** Returns JSON with sorted keys, or null for a value nested so deeply that only an attacker wrote it. */
function canonical(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth === MAX_DEPTH) return null;
  const parts: string[] = [];
  const isArray = Array.isArray(value);
  for (const [key, member] of isArray ? value.entries() : Object.entries(value).toSorted(byKey)) {
    const text = canonical(member, depth + 1);
    if (text === null) return null;
    parts.push(isArray ? text : `${JSON.stringify(key)}:${text}`);
  }
  return isArray ? `[${parts.join()}]` : `{${parts.join()}}`;
}

function byKey(a: [string, unknown], b: [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}
