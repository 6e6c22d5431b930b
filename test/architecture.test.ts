// Who may import whom (design: layout), read from the import lines themselves.
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';

/** Each room with the rooms it may import besides record, errors and messages, lowest first; a file at the top of src/ is a room too. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  record: [],
  errors: [],
  messages: [],
  gate: [],
  formats: [],
  read: ['formats'],
  contract: [],
  classify: ['gate'],
  store: [],
  findings: ['contract', 'store'],
  report: ['findings'],
  compare: ['findings', 'report'],
  ingest: ['read', 'formats', 'contract', 'classify', 'store', 'findings'],
  nightly: ['read', 'formats', 'contract', 'store', 'findings', 'report', 'ingest'],
  commands: ['read', 'formats', 'contract', 'classify', 'store', 'findings', 'report', 'compare', 'ingest', 'nightly'],
  cli: ['commands'],
};

const SHARED = ['record', 'errors', 'messages'];
const LEAVES = new Set([...SHARED, 'gate']);

function mayImport(room: string, target: string): boolean {
  return room === target || (!LEAVES.has(room) && SHARED.includes(target)) || ROOMS[room]?.includes(target) === true;
}

/** What `stormgate --help` must not wait for. */
const HEAVY = new Set([
  'read',
  'formats',
  'contract',
  'classify',
  'ingest',
  'nightly',
  'yargs',
  '@duckdb/node-api',
  'vega',
  'vega-lite',
  'yaml',
]);

interface Import {
  file: string;
  room: string;
  /** A room of ours, `node:…`, or the name of an outside package. */
  target: string;
  when: 'never' | 'at load' | 'when called';
}

const files = globSync(['src/**/*.ts']).toSorted();
const imports = files.flatMap(importsOf);
/** Of other packages; types are gone when the program runs. */
const outside = imports.filter(({ target, when }) => when !== 'never' && !(target in ROOMS) && !target.startsWith('node:'));

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const lines = text.matchAll(/^(?:import|export)\s(type\s)?(?:[^'";]*?\sfrom\s)?\s*'([^']+)'|\bimport\('([^']+)'\)/gm);
  return [...lines].map(([, type, from, called]) => ({
    file,
    room: roomOf(file),
    target: targetOf(file, from ?? called ?? ''),
    when: type !== undefined ? 'never' : from === undefined ? 'when called' : 'at load',
  }));
}

function targetOf(file: string, name: string): string {
  if (name.startsWith('.')) return roomOf(new URL(name, `file:///${file}`).pathname.slice(1));
  return name.startsWith('node:') ? name : name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

function roomOf(file: string): string {
  return file.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

/** Files that are loaded as soon as `file` is, itself included. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, type, from] of text.matchAll(/^(?:import|export)\s(type\s)?(?:[^'";]*?\sfrom\s)?\s*'(\.[^']+)'/gm)) {
    if (type === undefined) loadedWith(new URL(from ?? '', `file:///${file}`).pathname.slice(1), seen);
  }
  return seen;
}

describe('the rooms of src/', () => {
  it('are all named here, each below those that import it', () => {
    const names = Object.keys(ROOMS);
    expect(files.map(roomOf).filter((room) => !names.includes(room))).toEqual([]);
    const upward = names.filter((room, index) => ROOMS[room]?.some((lower) => names.indexOf(lower) >= index));
    expect(upward).toEqual([]);
  });

  it('import one way', () => {
    const wrong = imports.filter(({ room, target }) => target in ROOMS && !mayImport(room, target));
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('use each outside package in one folder', () => {
    const users = (name: string) => [...new Set(outside.filter(({ target }) => target === name).map(({ room }) => room))];
    const names = [...new Set(outside.map(({ target }) => target))];
    expect(names.filter((name) => users(name).length > 1).map((name) => `${name}: ${users(name).join(', ')}`)).toEqual([]);
  });

  it('use only packages that are installed with the program', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
    expect(outside.filter(({ target }) => !(target in dependencies)).map(({ file, target }) => `${file}: ${target}`)).toEqual([]);
  });
});

describe('help', () => {
  const quick = files.filter((file) => roomOf(file) === 'commands' && file !== 'src/commands/parse.ts');

  it('loads the commands, and none of what they need to run', () => {
    const loaded = ['src/cli.ts', ...quick].reduce((seen, file) => loadedWith(file, seen), new Set<string>());
    const heavy = imports.filter(({ file, target, when }) => when === 'at load' && loaded.has(file) && HEAVY.has(target));
    expect(heavy.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
});
