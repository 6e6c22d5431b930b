// Undoes the escapes that nginx, Apache, HAProxy and CloudFront put into fields.

const ESCAPED = /(?:\\x[89a-fA-F][\da-fA-F])+|\\(?:x(?:[2-6][\da-fA-F]|7[\da-eA-E])|["\\])/g;
const C1_CONTROL = /[\u0080-\u009f]/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns a field with `\"`, `\\` and `\xHH` undone. Bytes that are no UTF-8 and control characters stay as they were written.
 */
export function unescapeField(text: string): string {
  return text.includes('\\') ? text.replace(ESCAPED, unescapeRun) : text;
}

/** Returns a field of HAProxy with `#HH` undone; what cannot be undone is written as the others write it. */
export function unescapeHash(text: string): string {
  return text.includes('#') ? unescapeField(text.replaceAll('\\', '\\\\').replace(/#([\dA-F]{2})/g, '\\x$1')) : text;
}

const PERCENT = /(?:%(?:[2-6][\dA-Fa-f]|7[\dA-Ea-e]|[89A-Fa-f][\dA-Fa-f]))+/g;
/** CloudFront encodes twice at most what a client may have encoded itself. */
const ROUNDS = 4;

/** Returns a field with its percent encoding undone until nothing changes; control characters and broken UTF-8 stay encoded. */
export function decodePercent(text: string): string {
  let decoded = text;
  for (let round = 0; round < ROUNDS && decoded.includes('%'); round++) {
    const next = decoded.replace(PERCENT, decodeRun);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

function decodeRun(run: string): string {
  try {
    const text = decodeURIComponent(run);
    return C1_CONTROL.test(text) ? run : text;
  } catch {
    return run;
  }
}

function unescapeRun(run: string): string {
  if (run.length === 2) return run.slice(1);
  if (run.length === 4 && run.charCodeAt(2) < 56) return String.fromCharCode(parseInt(run.slice(2), 16));
  try {
    const text = utf8.decode(Uint8Array.from(run.slice(2).split('\\x'), (byte) => parseInt(byte, 16)));
    return C1_CONTROL.test(text) ? run : text;
  } catch {
    return run;
  }
}
