// What an archive is. A new kind is a file beside this one, plus a line in `index.ts`.
import type { ByteReader } from '../byte-reader.ts';

/** One file of an archive. Its chunks must be read, or left, before the next member is asked for. */
export interface Member {
  name: string;
  /** When it was last written, microseconds since the epoch, if the archive tells. */
  modified: number | undefined;
  chunks: AsyncIterable<Uint8Array>;
}

export interface Archive {
  /** As it is called in messages: `tar`. */
  readonly name: string;
  isOwn(head: Uint8Array): boolean;
  /** Returns the files in it, in their order; tells `problem` where it ends early or holds what cannot be read. */
  members(reader: ByteReader, problem: (sentence: string) => void): AsyncIterable<Member>;
}

/** Returns the next bytes of a reader, exactly so many; tells `problem` if there are fewer. */
export async function* portion(reader: ByteReader, size: number, problem: () => void): AsyncIterable<Uint8Array> {
  let left = size;
  while (left > 0) {
    const part = await reader.some(left);
    if (part.length === 0) return problem();
    left -= part.length;
    yield part;
  }
}

/** Reads what is left of a member. */
export async function drain(chunks: AsyncIterator<Uint8Array>): Promise<void> {
  while (!(await chunks.next()).done);
}

/** Returns chunks that can be left before their end, and what reads the rest of them then. */
export function leavable(chunks: AsyncIterable<Uint8Array>): { chunks: AsyncIterable<Uint8Array>; rest: () => Promise<void> } {
  const iterator = chunks[Symbol.asyncIterator]();
  return {
    chunks: { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) },
    rest: () => drain(iterator),
  };
}

/** Whether a member is no log: what archivers add of their own, and hidden files. */
export function isAside(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
}
