// Fields between blanks, of which those with blanks inside stand in quotes.

/** Returns the fields of a line, quotes removed; a quoted field ends at a quote before a blank, and at the end of a line cut short. */
export function splitQuoted(line: string): string[] {
  const fields: string[] = [];
  for (let at = 0; at <= line.length;) {
    const isQuoted = line.charCodeAt(at) === 34;
    const end = isQuoted ? endOfQuoted(line, at + 1) : line.indexOf(' ', at);
    const stop = end === -1 ? line.length : end;
    fields.push(isQuoted ? line.slice(at + 1, stop) : line.slice(at, stop));
    at = stop + (isQuoted ? 2 : 1);
  }
  return fields;
}

/** Returns the offset of the quote that ends a field, or -1. */
function endOfQuoted(line: string, start: number): number {
  for (let quote = line.indexOf('"', start); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    const next = quote + 1;
    if ((next === line.length || line.charCodeAt(next) === 32) && line.charCodeAt(quote - 1) !== 92) return quote;
  }
  return -1;
}
