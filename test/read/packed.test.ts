import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSources, type OpenOptions } from '../../src/read/bytes.ts';
import { tarOf, zipOf } from '../support/archives.ts';

const TEXT = Array.from({ length: 16_000 }, (_, line) => `line ${line} ${(line * 7919) % 1_000_003}\n`).join('');
const packed = (kind: string) => readFileSync(new URL(`packed/lines.${kind}`, import.meta.url));

/** Texts are compared by their ends, so that a failure can be read. */
const brief = (text: string) => (text.length < 100 ? text : `${text.length}: ${text.slice(0, 20)} … ${text.slice(-20)}`);

function briefly({ logs, problems }: Read): Read {
  return { logs: Object.fromEntries(Object.entries(logs).map(([name, text]) => [name, brief(text)])), problems };
}

interface Read {
  logs: Record<string, string>;
  problems: string[];
}

async function read(bytes: Uint8Array, options: Partial<OpenOptions> = {}, leave = false): Promise<Read> {
  const path = join(mkdtempSync(join(tmpdir(), 'stormgate-read-')), 'input');
  writeFileSync(path, bytes);
  const problems: string[] = [];
  const problem = (sentence: string) => void problems.push(sentence.replaceAll(path, 'input'));
  const logs: Record<string, string> = {};
  for await (const { name, chunks } of openSources({ name: path, bytes: bytes.length }, { ...options, problem }).sources) {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) {
      parts.push(chunk);
      if (leave) break;
    }
    logs[name.replace(path, 'input')] = leave ? '' : Buffer.concat(parts).toString('utf8');
  }
  return { logs, problems };
}

const COMPRESSED: [string, Uint8Array][] = [
  ['gzip', gzipSync(TEXT)],
  ['zstd', packed('zst')],
  ['bzip2', packed('bz2')],
  ['xz', packed('xz')],
];

describe.each(COMPRESSED)('%s', (kind, bytes) => {
  it('is told by its content and undone', async () => {
    expect(briefly(await read(bytes))).toEqual(briefly({ logs: { input: TEXT }, problems: [] }));
  });

  it('goes on through members that follow each other', async () => {
    expect(briefly(await read(Buffer.concat([bytes, bytes])))).toEqual(briefly({ logs: { input: TEXT + TEXT }, problems: [] }));
  });

  it('is undone around another', async () => {
    expect(briefly(await read(gzipSync(bytes)))).toEqual(briefly({ logs: { input: TEXT }, problems: [] }));
  });

  it.each([0.02, 0.5, 0.9, 0.999])('cut at %d gives what is there, and it is said', async (share) => {
    const { logs, problems } = await read(bytes.subarray(0, Math.floor(bytes.length * share)));
    expect(TEXT.startsWith(logs['input'] ?? '')).toBe(true);
    if (share > 0.9) expect(logs['input']?.length).toBeGreaterThan(TEXT.length / 3);
    expect(problems).toEqual([
      expect.stringMatching(
        new RegExp(
          `^input: ${kind} data is broken near byte \\d+ \\(.*\\); the ${logs['input']?.length} bytes before that were read$`,
        ),
      ),
    ]);
  });

  it('with garbage behind it is whole, and it is said', async () => {
    const { logs, problems } = await read(Buffer.concat([bytes, Buffer.from('garbage! garbage! garbage!')]));
    expect(brief(logs['input'] ?? '')).toBe(brief(TEXT));
    expect(problems).toEqual([expect.stringContaining(`${kind} data is broken near byte`)]);
  });

  it('that is damaged anywhere never throws', { timeout: 60_000 }, async () => {
    for (let place = 7; place < bytes.length; place += Math.floor(bytes.length / 15)) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ 0x55;
      await read(damaged);
    }
  });

  it('that expands beyond the bound is left there, and it is said', async () => {
    const { logs, problems } = await read(bytes, { maxExpansion: 1.1 });
    expect(logs['input']?.length).toBeLessThan(TEXT.length);
    expect(problems).toEqual([expect.stringMatching(/^input: it expands to more than 1.1 times its size; .*--max-expansion/)]);
  });
});

const LONG = `${'deep/'.repeat(30)}access.log`;
const FILES = [
  { name: 'logs/', bytes: '' },
  { name: 'logs/access.log', bytes: TEXT, modified: 1_790_000_000 },
  { name: 'logs/access.log.1.gz', bytes: gzipSync('older\n') },
  { name: 'logs/empty.log', bytes: '' },
  { name: LONG, bytes: 'far away\n' },
  { name: 'logs/.access.log.swp', bytes: 'not this\n' },
  { name: '__MACOSX/logs/access.log', bytes: 'nor this\n' },
];
const LOGS = {
  'input!logs/access.log': TEXT,
  'input!logs/access.log.1.gz': 'older\n',
  'input!logs/empty.log': '',
  [`input!${LONG}`]: 'far away\n',
};

const ARCHIVES: [string, Uint8Array][] = [
  ['tar with pax names', tarOf(FILES)],
  ['tar with GNU names', tarOf(FILES, 'gnu')],
  ['zip', zipOf(FILES)],
  ['zip from a pipe', zipOf(FILES, { isPiped: true })],
  ['zip without compression', zipOf(FILES, { isStored: true })],
];

describe.each(ARCHIVES)('a %s', (_, bytes) => {
  it('gives each file as a log of its own', async () => {
    expect(briefly(await read(bytes))).toEqual(briefly({ logs: LOGS, problems: [] }));
  });

  it('goes on behind files that are not read to their end', async () => {
    const { logs, problems } = await read(bytes, {}, true);
    expect(Object.keys(logs)).toEqual(Object.keys(LOGS));
    expect(problems).toEqual([]);
  });

  it('is read inside of compression, and inside of another archive', async () => {
    expect(briefly(await read(gzipSync(bytes)))).toEqual(briefly({ logs: LOGS, problems: [] }));
    const inner = Object.fromEntries(Object.entries(LOGS).map(([name, text]) => [name.replace('input', 'input!inner'), text]));
    expect(briefly(await read(tarOf([{ name: 'inner', bytes }])))).toEqual(briefly({ logs: inner, problems: [] }));
    expect(briefly(await read(zipOf([{ name: 'inner', bytes }])))).toEqual(briefly({ logs: inner, problems: [] }));
  });

  it('cut anywhere gives what is there, and it is said once', async () => {
    for (let size = 600; size < bytes.length - 1200; size += 7717) {
      const { logs, problems } = await read(bytes.subarray(0, size));
      for (const [name, text] of Object.entries(logs)) {
        expect((LOGS as Record<string, string>)[name]?.startsWith(text), `${name} of ${size}`).toBe(true);
      }
      expect(problems, String(size)).toHaveLength(1);
    }
  });

  it('that is damaged anywhere never throws', async () => {
    for (let place = 4; place < bytes.length; place += 3331) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ 0x55;
      await read(damaged);
    }
  });
});

describe('archives', () => {
  it('tell when their files were written', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'stormgate-read-')), 'input');
    writeFileSync(path, tarOf([{ name: 'a', bytes: 'a\n', modified: 1_790_000_000 }]));
    const { sources } = openSources({ name: path, bytes: null }, { problem: () => undefined });
    for await (const { modified } of sources) expect(modified).toBe(1_790_000_000_000_000);
  });

  it('within archives are read to a depth only', async () => {
    let bytes: Uint8Array = Buffer.from('deep\n');
    for (let depth = 0; depth < 30; depth++) bytes = gzipSync(bytes);
    const { logs } = await read(bytes);
    expect(Object.keys(logs)).toEqual(['input']);
  });

  it('of other kinds are named, and not taken for logs', async () => {
    const { logs, problems } = await read(Buffer.from('377abcaf271c00040000', 'hex'));
    expect(logs).toEqual({});
    expect(problems).toEqual(['input: it is a 7z archive, which is not read; unpack it first']);
  });

  it.runIf(hasTool('tar'))('made by the real tar are read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stormgate-read-'));
    writeFileSync(join(folder, 'access.log'), TEXT);
    const bytes = execFileSync('tar', ['-C', folder, '-cf', '-', 'access.log']);
    expect(briefly(await read(bytes))).toEqual(briefly({ logs: { 'input!access.log': TEXT }, problems: [] }));
  });

  it.runIf(hasTool('zip'))('made by the real zip are read, from a pipe too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stormgate-read-'));
    writeFileSync(join(folder, 'access.log'), TEXT);
    const file = execFileSync('zip', ['-q', '-', 'access.log'], { cwd: folder });
    expect(briefly(await read(file))).toEqual(briefly({ logs: { 'input!access.log': TEXT }, problems: [] }));
    const pipe = execFileSync('zip', ['-q', '-', '-'], { cwd: folder, input: TEXT });
    expect(Object.values((await read(pipe)).logs)).toEqual([TEXT]);
  });
});

function hasTool(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`]);
    return true;
  } catch {
    return false;
  }
}
