// What the user named, as a list of inputs: files, globs, folders and standard input, each once, in a fixed order.
import { realpathSync, statSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { InputError } from '../errors.ts';

export interface Input {
  /** As the user would name it; `-` for standard input. */
  name: string;
  /** Size on disk; null for standard input and pipes. */
  bytes: number | null;
}

export const STDIN: Input = Object.freeze({ name: '-', bytes: null });

/** Returns the inputs that the given words name, without doubles. Throws an InputError for a word that names nothing. */
export function listInputs(words: readonly string[]): Input[] {
  const inputs = words.flatMap(expand);
  const seen = new Set<string>();
  return inputs.filter((input) => {
    const identity = input === STDIN ? '-' : realpathSync(input.name);
    return !seen.has(identity) && seen.add(identity);
  });
}

function expand(word: string): Input[] {
  if (word === '-') return [STDIN];
  const stats = maybeStat(word);
  if (stats?.isDirectory()) return listFolder(word);
  if (stats) return [{ name: word, bytes: stats.isFile() ? stats.size : null }];
  if (!isDynamicPattern(word))
    throw new InputError(`no such file: ${JSON.stringify(word)}`, {
      help: 'check the path, or quote a glob such as "logs/*.log.gz"',
    });
  const names = globSync([word.split(sep).join('/')], { dot: false, expandDirectories: false }).toSorted();
  if (names.length === 0)
    throw new InputError(`no file matches: ${JSON.stringify(word)}`, { help: 'check the pattern and the folder you are in' });
  return names.map((name) => ({ name, bytes: statSync(name).size }));
}

function listFolder(folder: string): Input[] {
  const names = globSync(['**/*'], { cwd: folder, dot: false }).toSorted();
  if (names.length === 0)
    throw new InputError(`folder without files: ${JSON.stringify(folder)}`, { help: 'name the folder that holds the logs' });
  return names.map((name) => {
    const path = join(folder, name);
    return { name: path, bytes: statSync(path).size };
  });
}

function maybeStat(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new InputError(`cannot read: ${JSON.stringify(path)}`, { reason: String((error as Error).message) }, { cause: error });
  }
}
