// uvicorn's access message, when another formatter than its own has written it: its level in front is what it is known by.

const MESSAGE = /^\S{0,64} ?- "[A-Z]{3,16} [^"]{1,4096} HTTP\/[\d.]{1,3}" \d{3}\b/;

/** Returns a message as uvicorn itself would have written it; any other text as it is. */
export function asUvicorn(message: string, level: string): string {
  return MESSAGE.test(message) ? `${`${level}:`.padEnd(10)}${message}` : message;
}
