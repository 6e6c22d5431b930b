// The nearest known name to a misspelt one, for every closed list a user can get wrong.
import { UsageError } from '../errors.ts';
import * as messages from '../messages.ts';

/** Returns the closest name that is at most two fifths of its letters away, or undefined. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.ceil(wanted.length * 0.4) + 1;
  for (const candidate of names) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best ?? onlyOneBeginningWith(wanted, names);
}

/** Returns the error for a name outside a closed list: the nearest one, and all names or where to find them. */
export function unknownName(what: string, name: string, names: readonly string[], place?: string): UsageError {
  return new UsageError(messages.unknownName(what, name), { help: messages.knownNames(nearest(name, names), names, place) });
}

function onlyOneBeginningWith(prefix: string, names: Iterable<string>): string | undefined {
  const found = [...names].filter((name) => prefix.length > 1 && name.toLowerCase().startsWith(prefix));
  return found.length === 1 ? found[0] : undefined;
}

/** Edits between two words; two letters that changed places count as one edit. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let distance = Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + change);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        distance = Math.min(distance, (before[column - 2] ?? 0) + 1);
      }
      current.push(distance);
    }
    [before, above] = [above, current];
  }
  return above[b.length] ?? 0;
}
