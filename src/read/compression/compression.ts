// What a compression is. A new one is a file beside this one, plus a line in `index.ts`.

export interface Compression {
  /** As it is called in messages: `gzip`. */
  readonly name: string;
  /** Whether a stream that begins so is compressed this way; names are not asked. */
  isOwn(head: Uint8Array): boolean;
  /**
   * Returns the decompressed bytes, of all members in order. Where the data ends early or is damaged, everything before comes out and a
   * `BrokenData` follows. `again` begins the same chunks anew, where that is possible.
   */
  decompress(chunks: AsyncIterable<Uint8Array>, again?: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** Compressed data that ended before it was whole, or that is damaged. */
export class BrokenData extends Error {
  /** Compressed bytes that went through without fault. */
  readonly intact: number;
  constructor(reason: string, intact: number) {
    super(reason);
    this.intact = intact;
  }
}

/** A decoder that takes pieces and at once gives what they yield. */
export interface Decoder {
  /** Throws an Error where the data is damaged; what it gave before stands. */
  push(piece: Uint8Array, give: (bytes: Uint8Array) => void): void;
  /** Throws an Error if the data is not whole. */
  end(give: (bytes: Uint8Array) => void): void;
}

/** Bytes handed to a decoder at once: enough to be quick, few enough that what they yield needs little room. */
const PIECE = 1 << 16;

/** Returns what a decoder gives for some chunks. */
export async function* decodeAll(decoder: Decoder, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let intact = 0;
  let given: Uint8Array[] = [];
  const give = (bytes: Uint8Array) => void given.push(bytes);

  /** Returns why a step failed, if it did. */
  const attempt = (step: () => void): BrokenData | undefined => {
    try {
      step();
      return undefined;
    } catch (error) {
      return new BrokenData((error as Error).message, intact);
    }
  };
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE);
      const fault = attempt(() => decoder.push(piece, give));
      yield* given;
      given = [];
      if (fault !== undefined) throw fault;
      intact += piece.length;
    }
  }
  const fault = attempt(() => decoder.end(give));
  yield* given;
  if (fault !== undefined) throw fault;
}

/** Pieces in which a stream is fed: as it comes, then smaller around a fault, where it can be read again. */
const PIECES_OF_FILE = [1 << 20, 4096, 1];
const PIECES_OF_PIPE = [4096];

/**
 * Returns what a decoder gives that keeps back what it made of the piece in which it finds a fault. After a fault a file is read again
 * up to that piece, and the piece itself in ever smaller ones: every byte before the fault comes out.
 */
export async function* refined(
  decode: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  first: AsyncIterable<Uint8Array>,
  again?: () => AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  let produced = 0;
  let fault: BrokenData | undefined;
  for (const size of again ? PIECES_OF_FILE : PIECES_OF_PIPE) {
    let skip = produced;
    try {
      for await (const chunk of decode(inPieces(fault && again ? again() : first, fault?.intact ?? 0, size))) {
        const part = Math.min(skip, chunk.length);
        skip -= part;
        produced += chunk.length - part;
        if (part < chunk.length) yield chunk.subarray(part);
      }
      return;
    } catch (error) {
      if (!(error instanceof BrokenData)) throw error;
      fault = error;
    }
  }
  throw fault ?? new Error('no pieces');
}

/** Cuts what lies beyond `from` into pieces of a given size. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>, from: number, size: number): AsyncIterable<Uint8Array> {
  let position = 0;
  for await (const chunk of chunks) {
    const whole = Math.max(0, Math.min(chunk.length, from - position));
    if (whole > 0) yield chunk.subarray(0, whole);
    for (let at = whole; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
    position += chunk.length;
  }
}

/** Returns whether bytes begin with others. */
export function beginsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => head[index] === byte);
}
