// The version of the program, as package.json states it.
import { readFileSync } from 'node:fs';

/** Returns the version of the program. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}
