// The content of a log file as positions count it: decompressed UTF-8. A file that is open stays the same file, whatever becomes of its name.
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { openBytes } from '../read/bytes.ts';

const LF = 0x0a;
/** Content at the beginning by which a log is recognised. */
export const HEAD = 4096;
/** Content before a position by which the position is recognised. */
const TAIL = 256;
const PIECE = 1 << 16;

export interface Content {
  /** The first bytes, at most `HEAD`. */
  head: Buffer;
  size: number;
  /** Where the last whole line ends. */
  wholeLines: number;
  /** No line can be added any more: the file is an archive. */
  isClosed: boolean;
  /** Where a packed file breaks, in words; what stands before that counts. */
  problem: string | undefined;
  /** Hashes of the content before those of the asked positions that lie inside. */
  marks: ReadonlyMap<number, string>;
  /** Returns the content between two positions, or less if the file has become shorter. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** Returns the hash of what stands before a position now, or undefined if the file is shorter by now. */
  markAt(position: number): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens a file. `positionsOf` says, once its first bytes are known, before which positions the content is to be hashed. */
export async function openContent(path: string, positionsOf: (head: Buffer) => readonly number[]): Promise<Content> {
  const file = await open(path, 'r');
  try {
    const first = await readAt(file, 0, HEAD);
    if (isText(first)) return await openText(file, first, positionsOf);
    await file.close();
    return await openPacked(path, !isEncoded(first), positionsOf);
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}

/** Returns the hash by which a stretch of content is recognised. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

const PACKED = ['\x1f\x8b', '\x28\xb5\x2f\xfd', 'BZh', '\xfd7zXZ', 'PK\x03\x04'];
const ENCODED = ['\xff\xfe', '\xfe\xff', '\xef\xbb\xbf'];

/** Content that begins like an archive or in another encoding is read through what unpacks it; anything else is what it is. */
function isText(first: Buffer): boolean {
  const start = first.toString('latin1', 0, 6);
  const isPacked = PACKED.some((magic) => start.startsWith(magic)) || first.toString('latin1', 257, 262) === 'ustar';
  return !isPacked && !isEncoded(first);
}

function isEncoded(first: Buffer): boolean {
  return ENCODED.some((magic) => first.toString('latin1', 0, 3).startsWith(magic));
}

async function openText(file: FileHandle, head: Buffer, positionsOf: (head: Buffer) => readonly number[]): Promise<Content> {
  const { size } = await file.stat();
  const markAt = async (position: number): Promise<string | undefined> => {
    const from = Math.max(0, position - TAIL);
    const bytes = await readAt(file, from, position - from);
    return bytes.length === position - from ? hashOf(bytes) : undefined;
  };
  const marks = new Map<number, string>();
  for (const position of positionsOf(head)) {
    const mark = position <= size ? await markAt(position) : undefined;
    if (mark !== undefined) marks.set(position, mark);
  }
  return {
    head: head.subarray(0, size),
    size,
    wholeLines: await lastLineEnd(file, size),
    isClosed: false,
    problem: undefined,
    marks,
    markAt,
    async *read(from, to) {
      for (let at = from; at < to;) {
        const bytes = await readAt(file, at, Math.min(1 << 20, to - at));
        if (bytes.length === 0) return;
        at += bytes.length;
        yield bytes;
      }
    },
    close: () => file.close(),
  };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function lastLineEnd(file: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; end -= PIECE) {
    const from = Math.max(0, end - PIECE);
    const found = (await readAt(file, from, end - from)).lastIndexOf(LF);
    if (found >= 0) return from + found + 1;
  }
  return 0;
}

/** Unpacks once to learn the size and the marks; reading unpacks again and skips. */
async function openPacked(path: string, isArchive: boolean, positionsOf: (head: Buffer) => readonly number[]): Promise<Content> {
  const found = await survey(path, positionsOf);
  return {
    ...found,
    isClosed: isArchive && found.problem === undefined,
    markAt: async (position) => (await survey(path, () => [position])).marks.get(position),
    async *read(from, to) {
      let at = 0;
      for await (const chunk of unpack(path, () => undefined)) {
        const piece = chunk.subarray(Math.max(0, from - at), Math.max(0, Math.min(chunk.length, to - at)));
        at += chunk.length;
        if (piece.length > 0) yield piece;
        if (at >= to) return;
      }
    },
    close: async () => undefined,
  };
}

function unpack(path: string, problem: (sentence: string) => void): AsyncIterable<Uint8Array> {
  return openBytes({ name: path, bytes: null }, { problem }).chunks;
}

async function survey(path: string, positionsOf: (head: Buffer) => readonly number[]) {
  const marks = new Map<number, string>();
  let head = Buffer.alloc(0);
  let wanted: readonly number[] | undefined;
  let recent = Buffer.alloc(0);
  let size = 0;
  let wholeLines = 0;
  let problem: string | undefined;

  /** Hashes what stands before the wanted positions that lie in the last bytes. */
  const mark = (bytes: Buffer, start: number): void => {
    for (const position of wanted ?? []) {
      const at = position - start;
      const from = Math.max(0, at - TAIL);
      if (at >= 0 && at <= bytes.length && (start === 0 || at >= TAIL) && !marks.has(position))
        marks.set(position, hashOf(bytes.subarray(from, at)));
    }
  };

  for await (const chunk of unpack(path, (sentence) => (problem = sentence))) {
    const bytes = Buffer.concat([recent, chunk]);
    const start = size - recent.length;
    size += chunk.length;
    const lineEnd = chunk.lastIndexOf(LF);
    if (lineEnd >= 0) wholeLines = size - chunk.length + lineEnd + 1;
    if (wanted === undefined) {
      head = Buffer.concat([head, chunk]).subarray(0, HEAD);
      if (head.length === HEAD) wanted = positionsOf(head);
      // Until the head is known nothing may be forgotten.
      recent = wanted === undefined ? bytes : recent;
      if (wanted === undefined) continue;
    }
    mark(bytes, start);
    recent = bytes.subarray(-TAIL);
  }
  if (wanted === undefined) {
    wanted = positionsOf(head);
    mark(recent, 0);
  }
  return { head, size, wholeLines, problem, marks };
}
