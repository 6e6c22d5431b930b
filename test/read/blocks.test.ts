import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBlocks, type BlockOptions } from '../../src/read/blocks.ts';
import { openBytes } from '../../src/read/bytes.ts';
import { eachLine, lineText } from '../../src/read/lines.ts';

async function* cut(bytes: Uint8Array, ...places: number[]): AsyncIterable<Uint8Array> {
  let from = 0;
  for (const place of [...places, bytes.length]) {
    yield bytes.subarray(from, place);
    from = place;
  }
}

/** The same, each piece in a buffer of its own, as files give them. */
async function* cutOff(bytes: Uint8Array, ...places: number[]): AsyncIterable<Uint8Array> {
  for await (const piece of cut(bytes, ...places)) yield Buffer.from(new Uint8Array(piece).buffer);
}

async function linesOf(chunks: AsyncIterable<Uint8Array>, options: BlockOptions = {}): Promise<string[]> {
  const lines: string[] = [];
  for await (const block of readBlocks(chunks, options)) {
    if ('tooLong' in block) lines.push('<too long>');
    else {
      const buffer = Buffer.from(block.lines.buffer, block.lines.byteOffset, block.lines.length);
      eachLine(buffer, (start, end) =>
        lines.push(end - start > (options.maxLine ?? Infinity) ? '<too long>' : lineText(buffer, start, end)),
      );
    }
  }
  return lines;
}

const CASES: [string, string | Uint8Array, string[]][] = [
  ['plain lines', 'one\ntwo\nthree\n', ['one', 'two', 'three']],
  ['no last newline', 'one\ntwo', ['one', 'two']],
  ['CRLF and blank lines', 'one\r\n\r\ntwo\n\n', ['one', '', 'two', '']],
  ['multi-byte text', 'grüße\n世界\n🙂\n', ['grüße', '世界', '🙂']],
  ['a CR inside a line', 'a\rb\n', ['a\rb']],
  ['leading NULs of a truncated file', Buffer.from('\0\0\0one\ntwo\n'), ['one', 'two']],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xa4, 0xa4, 0xff, 0x62, 0x0a]), ['a\\xA4\\xA4\\xFFb']],
  ['a literal replacement character', 'a\uFFFDb\n', ['a\uFFFDb']],
  ['nothing', '', []],
];

describe('lines', () => {
  it.each(CASES)('are the same wherever the input is cut: %s', async (_, input, wanted) => {
    const bytes = Buffer.from(input as string);
    for (const prompt of [false, true]) {
      for (let a = 0; a <= bytes.length; a++) {
        for (let b = a; b <= bytes.length; b++) {
          for (const cutting of [cut, cutOff])
            expect(await linesOf(cutting(bytes, a, b), { prompt, blockSize: 5 })).toEqual(wanted);
        }
      }
    }
  });

  it('over the cap are reported once and do not stop the reading, wherever they are cut', async () => {
    const bytes = Buffer.from('ab\n0123456789\ncd\n01234567890123456789\nef');
    for (let a = 0; a <= bytes.length; a++) {
      for (let b = a; b <= bytes.length; b++) {
        for (const cutting of [cut, cutOff]) {
          expect(await linesOf(cutting(bytes, a, b), { maxLine: 6, blockSize: 9 })).toEqual([
            'ab',
            '<too long>',
            'cd',
            '<too long>',
            'ef',
          ]);
        }
      }
    }
  });
});

async function read(bytes: Uint8Array): Promise<{ text: string; problems: string[] }> {
  const path = join(mkdtempSync(join(tmpdir(), 'stormgate-read-')), 'input');
  writeFileSync(path, bytes);
  const problems: string[] = [];
  const { chunks } = openBytes(
    { name: path, bytes: bytes.length },
    { problem: (sentence) => problems.push(sentence.replace(path, 'input')) },
  );
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return { text: Buffer.concat(parts).toString('utf8'), problems };
}

describe('bytes', () => {
  const text = Array.from({ length: 20000 }, (_, line) => `line ${line} ${(line * 7919) % 1000003}\n`).join('');
  const archive = gzipSync(text);

  it.each([
    ['as they are', Buffer.from(text)],
    ['from gzip', archive],
    ['from several gzip members', Buffer.concat([gzipSync(text.slice(0, 100)), gzipSync(text.slice(100))])],
    ['behind a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['from UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ])('come out %s', async (_, bytes) => {
    expect(await read(bytes)).toEqual({ text, problems: [] });
  });

  it.each([0.1, 0.5, 0.9, 0.999])('of a gzip file cut at %d come out up to the cut, and it is said', async (share) => {
    const rest = archive.subarray(0, Math.floor(archive.length * share));
    const { text: got, problems } = await read(rest);
    expect(got).toBe(gunzipSync(rest, { finishFlush: constants.Z_SYNC_FLUSH }).toString());
    expect(problems).toEqual([
      expect.stringMatching(/^input: gzip data is broken near byte \d+ \(unexpected end of file\); the \d+ bytes before/),
    ]);
  });

  it('of a gzip file with garbage behind a member are all there, and it is said', async () => {
    const { text: got, problems } = await read(Buffer.concat([archive, Buffer.from('garbage')]));
    expect(got).toBe(text);
    expect(problems).toEqual([expect.stringContaining('gzip data is broken near byte')]);
  });

  it('of an empty file are none', async () => {
    expect(await read(Buffer.alloc(0))).toEqual({ text: '', problems: [] });
  });

  it('of a file that cannot be read give an error that says why', async () => {
    const { chunks } = openBytes({ name: '/nonexistent/access.log', bytes: null }, { problem: () => undefined });
    await expect(async () => {
      for await (const _ of chunks);
    }).rejects.toThrow('cannot read: "/nonexistent/access.log"');
  });
});
