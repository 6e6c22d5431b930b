// tar: ustar, with the long names and sizes of pax and GNU.
import type { ByteReader } from '../byte-reader.ts';
import { isAside, leavable, portion, type Archive, type Member } from './archive.ts';

const BLOCK = 512;
/** Names and other facts about a member are short; more is damage. */
const MAX_FACTS = 1 << 20;
const CHECKSUM = { at: 148, length: 8 };

interface Header {
  name: string;
  size: number;
  modified: number;
  type: string;
}

/** Returns what a header block says, or undefined if its sum is wrong. */
function readHeader(block: Buffer): Header | undefined {
  if (block.length < BLOCK) return undefined;
  let sum = 0;
  for (let at = 0; at < BLOCK; at++)
    sum += at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length ? 0x20 : (block[at] as number);
  if (sum !== numberAt(block, CHECKSUM.at, CHECKSUM.length)) return undefined;
  const prefix = block.toString('latin1', 257, 262) === 'ustar' ? textAt(block, 345, 155) : '';
  const name = textAt(block, 0, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: numberAt(block, 124, 12),
    modified: numberAt(block, 136, 12),
    type: String.fromCharCode(block[156] as number),
  };
}

function textAt(block: Buffer, at: number, length: number): string {
  const end = block.indexOf(0, at);
  return block.toString('utf8', at, end === -1 || end > at + length ? at + length : end);
}

/** An octal number; one with the top bit set is binary. */
function numberAt(block: Buffer, at: number, length: number): number {
  if (((block[at] as number) & 0x80) === 0) return parseInt(textAt(block, at, length).trim() || '0', 8);
  let value = (block[at] as number) & 0x7f;
  for (let index = at + 1; index < at + length; index++) value = value * 256 + (block[index] as number);
  return value;
}

/** `27 path=logs/access.log` */
function readPax(text: Buffer): Map<string, string> {
  const facts = new Map<string, string>();
  for (let at = 0; at < text.length;) {
    const length = parseInt(text.toString('latin1', at, at + 12), 10);
    if (!(length > 4)) break;
    const [, key, value] = /^\d+ ([^=]+)=([^]*)\n$/.exec(text.toString('utf8', at, at + length)) ?? [];
    if (key !== undefined && value !== undefined) facts.set(key, value);
    at += length;
  }
  return facts;
}

const isFile = (type: string) => type === '0' || type === '\0' || type === '7';
const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

async function* members(reader: ByteReader, problem: (sentence: string) => void): AsyncIterable<Member> {
  let facts = new Map<string, string>();
  for (;;) {
    const begin = reader.position();
    const block = await reader.take(BLOCK);
    if (block.every((byte) => byte === 0)) {
      // Two blocks of zeros end an archive; one alone, or none, is what a sloppy writer leaves.
      return;
    }
    const header = readHeader(block);
    if (header === undefined) return problem(`tar data is broken near byte ${begin}; the members before that were read`);
    const size = Number(facts.get('size') ?? header.size);
    if (!(size >= 0)) return problem(`tar data is broken near byte ${begin}; the members before that were read`);
    if (header.type === 'x' || header.type === 'L') {
      if (size > MAX_FACTS) return problem(`tar data is broken near byte ${begin}; the members before that were read`);
      const text = await reader.take(size);
      await reader.take(padding(size));
      if (header.type === 'L') facts.set('path', textAt(Buffer.concat([text, Buffer.alloc(1)]), 0, size));
      else facts = new Map([...facts, ...readPax(text)]);
      continue;
    }
    const name = facts.get('path') ?? header.name;
    const modified = Number(facts.get('mtime') ?? header.modified);
    facts = new Map();
    let isWhole = true;
    const short = () => {
      isWhole = false;
      problem(`tar data ends at byte ${reader.position()}, inside of ${name}; what is there was read`);
    };
    const { chunks, rest } = leavable(portion(reader, size, short));
    if (isFile(header.type) && !isAside(name))
      yield { name, modified: modified > 0 ? Math.round(modified * 1e6) : undefined, chunks };
    await rest();
    if (!isWhole) return;
    await reader.take(padding(size));
  }
}

export const tar: Archive = {
  name: 'tar',
  isOwn: (head) => head[0] !== 0 && readHeader(Buffer.from(head.subarray(0, BLOCK))) !== undefined,
  members,
};
