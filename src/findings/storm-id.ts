// What a storm is called.
import { createHash } from 'node:crypto';
import type { Evidence, StormKind } from './findings.ts';

/** Returns the id of a storm: the same whenever the same client's storm begins with the same line. */
export function stormId(kind: StormKind, client: string, { source, line }: Evidence): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, client, source, line]))
    .digest('hex')
    .slice(0, 12);
}
