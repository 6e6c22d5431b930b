// Loggers colour their lines for terminals, and often for files too.

const COLOUR = new RegExp(String.raw`${String.fromCharCode(27)}\[[\d;]*m`, 'g');

/** Returns a line without its colours. */
export function stripColours(line: string): string {
  return line.includes('\u001b') ? line.replace(COLOUR, '') : line;
}
