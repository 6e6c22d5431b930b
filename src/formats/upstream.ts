// Upstream lists of the nginx family: tries separated by commas, groups after an internal redirect by ` : `.

/** Returns the number of tries in a list such as `10.0.0.1:80, 10.0.0.2:80 : 10.0.0.3:80`; 0 for `-`, null for an empty text. */
export function countTries(list: string): number | null {
  if (list === '') return null;
  if (list === '-') return 0;
  if (!list.includes(',') && !list.includes(' ')) return 1;
  return list.split(/ *, *| : /).length;
}

/** Returns the fields of a text in which lists of tries hold blanks: `a:80, b:80 502, 200` has two. */
export function splitTries(text: string): string[] {
  return text.split(/(?<![,:]) (?!:)/);
}
