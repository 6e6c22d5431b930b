// Chunks of bytes taken in portions of any size, and given back.

export interface ByteReader {
  /** Returns so many bytes, or fewer at the end. */
  take(size: number): Promise<Buffer>;
  /** Returns the next bytes, as many as happen to be there but at most so many; none at the end. */
  some(most: number): Promise<Uint8Array>;
  /** Puts bytes in front of what is left. */
  putBack(bytes: Uint8Array): void;
  /** Bytes taken so far, less those put back. */
  position(): number;
}

/** Returns a reader of some chunks. */
export function openByteReader(chunks: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = chunks[Symbol.asyncIterator]();
  let front: Uint8Array[] = [];
  let position = 0;

  async function some(most: number): Promise<Uint8Array> {
    let next = front.shift();
    while (next === undefined || next.length === 0) {
      const got = await iterator.next();
      if (got.done) return new Uint8Array(0);
      next = got.value;
    }
    if (next.length > most) {
      front.unshift(next.subarray(most));
      next = next.subarray(0, most);
    }
    position += next.length;
    return next;
  }

  return {
    some,
    async take(size) {
      const parts: Uint8Array[] = [];
      let left = size;
      while (left > 0) {
        const part = await some(left);
        if (part.length === 0) break;
        parts.push(part);
        left -= part.length;
      }
      return Buffer.concat(parts);
    },
    putBack(bytes) {
      front = [bytes, ...front];
      position -= bytes.length;
    },
    position: () => position,
  };
}
