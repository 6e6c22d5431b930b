// Chunks of bytes cut into blocks of whole lines. Blocks, never single lines, cross asynchronous steps.

/** Longest line that is read; a longer one counts as a reject and reading goes on behind it. */
export const MAX_LINE = 4 << 20;

const BLOCK_SIZE = 3 << 18;
const EXCERPT = 200;
const LF = 0x0a;

/** Whole lines in one buffer of their own, each ended by LF but perhaps the input's last; or the start of one line over the cap. */
export type Block = { lines: Uint8Array<ArrayBuffer> } | { tooLong: Uint8Array };

/** A piece of a line over the cap, without its LF; `goesOn` unless it is the last. */
export interface Piece {
  piece: Uint8Array<ArrayBuffer>;
  goesOn: boolean;
}

export interface BlockOptions {
  /** Hand lines on as soon as they are there instead of filling a block: for pipes that somebody watches. */
  prompt?: boolean;
  blockSize?: number;
  maxLine?: number;
}

/** Returns the lines of the chunks, in order, as blocks. Wherever the chunks are cut, the same lines come out. */
export async function* readBlocks(chunks: AsyncIterable<Uint8Array>, options: BlockOptions = {}): AsyncIterable<Block> {
  for await (const block of readPieces(chunks, options)) {
    if (!('piece' in block)) yield block;
    else if (block.isFirst) yield { tooLong: block.piece.slice(0, EXCERPT) };
  }
}

/** Returns the lines of the chunks, in order, as blocks; lines over the cap come in pieces. */
export async function* readPieces(
  chunks: AsyncIterable<Uint8Array>,
  options: BlockOptions = {},
): AsyncIterable<{ lines: Uint8Array<ArrayBuffer> } | (Piece & { isFirst: boolean })> {
  const { prompt = false, blockSize = BLOCK_SIZE, maxLine = MAX_LINE } = options;
  let pending: Uint8Array[] = [];
  let pendingSize = 0;
  let lastLine = 0;
  let skipping = false;

  const take = (end: Uint8Array): { lines: Uint8Array<ArrayBuffer> } => {
    const lines = join([...pending, end], pendingSize + end.length);
    pending = [];
    pendingSize = lastLine = 0;
    return { lines };
  };

  for await (let chunk of chunks) {
    if (skipping) {
      const end = chunk.indexOf(LF);
      yield { piece: copyOf(end < 0 ? chunk : chunk.subarray(0, end)), goesOn: end < 0, isFirst: false };
      if (end < 0) continue;
      skipping = false;
      chunk = chunk.subarray(end + 1);
    }
    const lineEnd = chunk.lastIndexOf(LF);
    if (lineEnd < 0) {
      pending.push(copyOf(chunk));
      pendingSize += chunk.length;
    } else {
      if (chunk.length >= blockSize && ownsBuffer(chunk)) {
        const rest = copyOf(chunk, lineEnd + 1);
        const from = pendingSize === 0 ? 0 : chunk.indexOf(LF) + 1;
        if (from > 0) yield take(chunk.subarray(0, from));
        if (from <= lineEnd) yield { lines: chunk.subarray(from, lineEnd + 1) };
        chunk = rest;
      } else if (prompt || pendingSize + lineEnd + 1 >= blockSize) {
        yield take(chunk.subarray(0, lineEnd + 1));
        chunk = chunk.subarray(lineEnd + 1);
      } else {
        lastLine = pendingSize + lineEnd + 1;
      }
      if (chunk.length > 0) pending.push(copyOf(chunk));
      pendingSize += chunk.length;
    }
    if (pendingSize - lastLine > maxLine) {
      const all = join(pending, pendingSize);
      pending = [];
      pendingSize = 0;
      if (lastLine > 0) yield { lines: all.slice(0, lastLine) };
      yield { piece: all.slice(lastLine), goesOn: true, isFirst: true };
      lastLine = 0;
      skipping = true;
    }
  }
  if (skipping) yield { piece: new Uint8Array(0), goesOn: false, isFirst: false };
  if (pendingSize > 0) yield take(new Uint8Array(0));
}

/** Returns a copy; a Buffer's own `slice` would share memory. */
function copyOf(chunk: Uint8Array, from = 0): Uint8Array<ArrayBuffer> {
  return new Uint8Array(chunk.subarray(from));
}

/** Whether nothing else lives in the chunk's buffer, so that it may be handed on, even to another thread, without a copy. */
function ownsBuffer(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return chunk.byteLength === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer;
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
