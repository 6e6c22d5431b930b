// Where results go: standard output, or files that appear whole or not at all.
import { open, rename, rm, stat } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import * as messages from '../messages.ts';

/** Writes a text to standard output and waits until it is taken. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a file under a passing name and renames it, so that no reader ever sees half of it. Devices and pipes are written in place. */
export async function writeWhole(path: string, text: string | Uint8Array): Promise<void> {
  const target = await stat(path).catch(() => undefined);
  const isPlain = target === undefined || target.isFile();
  const place = isPlain ? `${path}.${process.pid}.part` : path;
  try {
    const file = await open(place, isPlain ? 'wx' : 'w', target?.mode);
    try {
      await file.writeFile(text);
      if (isPlain) await file.sync();
    } finally {
      await file.close();
    }
    if (isPlain) await rename(place, path);
  } catch (error) {
    if (isPlain) await rm(place, { force: true });
    throw new InputError(messages.cannotWrite(path), { reason: (error as Error).message }, { cause: error });
  }
}
