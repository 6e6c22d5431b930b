// Files that appear whole or not at all, readable by whom the config says.
import { chmod, mkdir, open, rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError } from '../errors.ts';
import * as messages from '../messages.ts';

export const READERS = ['owner', 'group', 'everyone'] as const;
/** Who may read what is written. */
export type Readers = (typeof READERS)[number];

const FILE_MODES: Readonly<Record<Readers, number>> = { owner: 0o600, group: 0o640, everyone: 0o644 };
const FOLDER_MODES: Readonly<Record<Readers, number>> = { owner: 0o700, group: 0o750, everyone: 0o755 };

/** Makes a folder and those above it. */
export async function makeFolder(path: string, readers: Readers): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: FOLDER_MODES[readers] }).catch((error: unknown) => {
    throw new InputError(messages.cannotWriteFolder(path), { reason: (error as Error).message }, { cause: error });
  });
  // The mode given to mkdir is cut by the umask, which keeps everything else to the owner.
  if (made === undefined) return;
  for (let folder = path; folder.length >= made.length; folder = dirname(folder)) await chmod(folder, FOLDER_MODES[readers]);
}

/** Writes a file under a passing name and renames it. */
export async function writeFile(path: string, text: string, readers: Readers): Promise<void> {
  const passing = passingName(path);
  try {
    await makeFolder(dirname(path), readers);
    await rm(passing, { force: true });
    const file = await open(passing, 'wx', FILE_MODES[readers]);
    try {
      await file.chmod(FILE_MODES[readers]);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(passing, path);
  } catch (error) {
    await rm(passing, { force: true });
    if (error instanceof InputError) throw error;
    throw new InputError(messages.cannotWrite(path), { reason: (error as Error).message }, { cause: error });
  }
}

/** Points a link at a name beside it, in one step. */
export async function pointLink(path: string, target: string): Promise<void> {
  const passing = passingName(path);
  try {
    await rm(passing, { force: true });
    await symlink(target, passing);
    await rename(passing, path);
  } catch (error) {
    await rm(passing, { force: true });
    throw new InputError(messages.cannotWrite(path), { reason: (error as Error).message }, { cause: error });
  }
}

/** Begins with a dot, which collectors of metrics and web servers pass over; always the same, so that what a killed run left is replaced. */
function passingName(path: string): string {
  return path.replace(/[^/]*$/, (name) => `.${name}.part`);
}
