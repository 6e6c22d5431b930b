// zip, read from front to end by the headers of its members, so that pipes and cut files are read too.
import { createInflateRaw } from 'node:zlib';
import type { ByteReader } from '../byte-reader.ts';
import { BrokenData, compressionNamed } from '../compression/index.ts';
import { isAside, leavable, portion, type Archive, type Member } from './archive.ts';

const LOCAL = 0x04034b50;
const CENTRAL = [0x02014b50, 0x06054b50, 0x06064b50, 0x08064b50];
const DESCRIPTOR = 0x08074b50;
const HEADER = 26;
const STORED = 0;
const DEFLATED = 8;
/** Methods by which compressions that stand alone are used within a zip. */
const METHODS: Readonly<Record<number, string>> = { 12: 'bzip2', 93: 'zstd', 95: 'xz' };
const UNKNOWN_32 = 0xffffffff;

interface Header {
  name: string;
  method: number;
  isEncrypted: boolean;
  /** Undefined where a descriptor behind the data tells. */
  size: number | undefined;
  modified: number | undefined;
}

async function readHeader(reader: ByteReader): Promise<Header | undefined> {
  const fixed = await reader.take(HEADER);
  if (fixed.length < HEADER) return undefined;
  const flags = fixed.readUInt16LE(2);
  const nameLength = fixed.readUInt16LE(22);
  const rest = await reader.take(nameLength + fixed.readUInt16LE(24));
  const extra = readExtra(rest.subarray(nameLength));
  const size32 = fixed.readUInt32LE(14);
  const wide = extra.get(0x0001);
  const size = size32 === UNKNOWN_32 && wide !== undefined && wide.length >= 16 ? Number(wide.readBigUInt64LE(8)) : size32;
  return {
    name: rest.toString('utf8', 0, nameLength),
    method: fixed.readUInt16LE(4),
    isEncrypted: (flags & 1) !== 0,
    size: (flags & 8) !== 0 && size === 0 ? undefined : size,
    modified: modifiedOf(extra.get(0x5455), fixed.readUInt16LE(6), fixed.readUInt16LE(8)),
  };
}

function readExtra(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt16LE(at + 2);
    fields.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

/** The stamp of the extra field, else the DOS stamp, whose zone nobody knows. */
function modifiedOf(stamp: Buffer | undefined, time: number, date: number): number | undefined {
  if (stamp !== undefined && stamp.length >= 5 && ((stamp[0] as number) & 1) !== 0) return stamp.readInt32LE(1) * 1e6;
  if (date === 0) return undefined;
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  return Date.UTC(year, month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2) * 1000;
}

/** Inflates up to where the data says that it ends, and puts back what stands behind. */
async function* inflateRaw(reader: ByteReader, broken: (reason: string) => void): AsyncIterable<Uint8Array> {
  const stream = createInflateRaw();
  let fed = 0;
  /** What was fed and may lie behind the end. */
  let recent: Uint8Array[] = [];
  const state = { isDone: false };
  const feed = (async () => {
    while (!state.isDone) {
      const chunk = await reader.some(1 << 16);
      if (chunk.length === 0) {
        stream.end();
        return;
      }
      fed += chunk.length;
      recent.push(chunk);
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.write(chunk, () => {
          stream.off('close', resolve);
          resolve();
        });
      });
      if (stream.bytesWritten >= fed) recent = [];
    }
  })();
  stream.once('end', () => (state.isDone = true));
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    broken((error as Error).message);
  } finally {
    state.isDone = true;
    const used = stream.bytesWritten;
    stream.destroy();
    await feed;
    if (fed > used) reader.putBack(Buffer.concat(recent).subarray(used - fed));
  }
}

/** Behind data of unknown size: perhaps a mark, a checksum, and both sizes in 32 or 64 bits. */
async function skipDescriptor(reader: ByteReader): Promise<void> {
  const bytes = await reader.take(24);
  const start = bytes.length >= 4 && bytes.readUInt32LE(0) === DESCRIPTOR ? 4 : 0;
  const ends = [start + 12, start + 20];
  const isNext = (at: number) => at + 4 <= bytes.length && [LOCAL, ...CENTRAL].includes(bytes.readUInt32LE(at));
  // The wider one's end lies at the end of what was taken; only the narrower can be seen in it.
  const end = isNext(ends[0] as number) ? (ends[0] as number) : Math.min(ends[1] as number, bytes.length);
  reader.putBack(bytes.subarray(end));
}

async function* members(reader: ByteReader, problem: (sentence: string) => void): AsyncIterable<Member> {
  let isBroken = false;
  for (;;) {
    const begin = reader.position();
    const signature = await reader.take(4);
    if (isBroken && signature.length < 4) return;
    const mark = signature.length < 4 ? 0 : signature.readUInt32LE(0);
    if (CENTRAL.includes(mark)) return;
    const header = mark === LOCAL ? await readHeader(reader) : undefined;
    if (header === undefined)
      return problem(
        `zip data ${mark === LOCAL || signature.length < 4 ? 'ends' : 'is broken'} near byte ${begin}; the members before that were read`,
      );
    const { name, method, size, modified, isEncrypted } = header;
    isBroken = false;
    const broken = (reason: string) => {
      if (isBroken) return;
      isBroken = true;
      problem(`zip data is broken near byte ${reader.position()}, inside of ${name} (${reason}); what is before that was read`);
    };
    const stored = () => portion(reader, size ?? 0, () => broken('unexpected end of file'));
    const data = isEncrypted ? undefined : dataOf(method, size, stored, reader, broken);
    if (data === undefined) {
      problem(`${name} is left out: ${isEncrypted ? 'it is encrypted' : `compression method ${method} is not read`}`);
      if (size === undefined) return;
    }
    const { chunks, rest } = leavable(data ?? stored());
    if (data !== undefined && !name.endsWith('/') && !isAside(name)) yield { name, modified, chunks };
    await rest();
    if (isBroken && (size === undefined || method === STORED)) return;
    if (size === undefined) await skipDescriptor(reader);
  }
}

/** Returns the data of a member, or undefined if it cannot be read. */
function dataOf(
  method: number,
  size: number | undefined,
  stored: () => AsyncIterable<Uint8Array>,
  reader: ByteReader,
  broken: (reason: string) => void,
): AsyncIterable<Uint8Array> | undefined {
  if (method === DEFLATED && size === undefined) return inflateRaw(reader, broken);
  if (size === undefined) return undefined;
  if (method === STORED) return stored();
  if (method === DEFLATED) return inflateWithin(stored(), broken);
  const compression = compressionNamed(METHODS[method] ?? '');
  return compression && told(compression.decompress(stored()), broken);
}

/** Inflates data of a known size, all of which is read whatever is in it. */
async function* inflateWithin(chunks: AsyncIterable<Uint8Array>, broken: (reason: string) => void): AsyncIterable<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const within: ByteReader = {
    async some() {
      const next = await iterator.next();
      return next.done ? new Uint8Array(0) : next.value;
    },
    take: () => Promise.reject(new Error('not used')),
    putBack: () => undefined,
    position: () => 0,
  };
  yield* inflateRaw(within, broken);
  while (!(await iterator.next()).done);
}

async function* told(chunks: AsyncIterable<Uint8Array>, broken: (reason: string) => void): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof BrokenData)) throw error;
    broken(error.message);
  }
}

export const zip: Archive = {
  name: 'zip',
  isOwn: (head) =>
    head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5) && head[3] === (head[2] as number) + 1,
  members,
};
