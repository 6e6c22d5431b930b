// The list of archives whose members are read. A new kind is a file beside this one, plus a line here.
import type { Archive } from './archive.ts';
import { tar } from './tar.ts';
import { zip } from './zip.ts';

const ARCHIVES: readonly Archive[] = [zip, tar];

/** Returns the kind of archive that begins so, if it is one. */
export function archiveOf(head: Uint8Array): Archive | undefined {
  return ARCHIVES.find(({ isOwn }) => isOwn(head));
}
