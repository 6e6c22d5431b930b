// JSON of any kind on one line, for wrappers that are written in it.
import { parseObject } from '../../formats/json-text.ts';

/** Returns the object or the list that a line is, or undefined. */
export function readJson(line: string): unknown {
  const first = line.charCodeAt(0);
  if (first === 123) {
    const object = parseObject(line);
    return object === 'broken' || object === null ? undefined : object;
  }
  if (first !== 91) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
