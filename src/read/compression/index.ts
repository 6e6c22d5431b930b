// The list of compressions that are undone. A new one is a file beside this one, plus a line here.
import { bzip2 } from './bzip2.ts';
import type { Compression } from './compression.ts';
import { gzip } from './gzip.ts';
import { xz } from './xz.ts';
import { zstd } from './zstd.ts';

export { BrokenData } from './compression.ts';

const COMPRESSIONS: readonly Compression[] = [gzip, zstd, bzip2, xz];

/** Returns how a stream that begins so is compressed, if it is. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  return COMPRESSIONS.find(({ isOwn }) => isOwn(head));
}

/** Returns a compression by its name. */
export function compressionNamed(wanted: string): Compression | undefined {
  return COMPRESSIONS.find(({ name }) => name === wanted);
}
