// `key=value key="value"`, as logrus and many others write it.

/** Returns the pairs of a line; of a key that comes twice the first counts, and words without `=` are passed over. */
export function readLogfmt(line: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (let at = 0; at < line.length;) {
    const word = endOfWord(line, at);
    const equals = line.indexOf('=', at);
    if (equals === -1) break;
    if (equals >= word) {
      at = word + 1;
      continue;
    }
    const start = equals + 1;
    const isQuoted = line.charCodeAt(start) === 34;
    const end = isQuoted ? endOfQuoted(line, start) : word;
    const key = line.slice(at, equals);
    if (!pairs.has(key)) pairs.set(key, isQuoted ? unquote(line.slice(start + 1, end)) : line.slice(start, end));
    at = end + 1;
  }
  return pairs;
}

function endOfWord(line: string, start: number): number {
  const end = line.indexOf(' ', start);
  return end === -1 ? line.length : end;
}

/** Returns the offset of the quote that ends a value, or the end of the line. */
function endOfQuoted(line: string, start: number): number {
  let at = start + 1;
  while (at < line.length && line.charCodeAt(at) !== 34) at += line.charCodeAt(at) === 92 ? 2 : 1;
  return Math.min(at, line.length);
}

function unquote(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text;
}
