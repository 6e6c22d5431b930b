// xz, stream after stream, by a decoder in WebAssembly.
import { ReadableStream } from 'node:stream/web';
import xzDecompress from 'xz-decompress';
import { beginsWith, BrokenData, refined, type Compression } from './compression.ts';

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
/** Codes of the decoder, as liblzma numbers them. */
const REASONS: Readonly<Record<string, string>> = { '7': 'damaged data', '8': 'unexpected end of file' };

async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let taken = 0;
  let before = 0;
  async function* counted(): AsyncIterable<Uint8Array> {
    for await (const chunk of chunks) {
      before = taken;
      taken += chunk.length;
      yield chunk;
    }
  }
  const stream = new xzDecompress.XzReadableStream(ReadableStream.from(counted()) as globalThis.ReadableStream<Uint8Array>);
  const reader = stream.getReader();
  try {
    for (;;) {
      const next = await reader.read().catch((error: unknown) => asBroken(error, before));
      if (next.done) return;
      // The decoder uses its buffer again.
      yield Uint8Array.prototype.slice.call(next.value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function asBroken(error: unknown, intact: number): never {
  const { message } = error as Error;
  const code = /error code (\d+)$/.exec(message)?.[1];
  if (code === undefined) throw error;
  throw new BrokenData(REASONS[code] ?? message, intact);
}

export const xz: Compression = {
  name: 'xz',
  isOwn: (head) => beginsWith(head, MAGIC),
  decompress: (chunks, again) => refined(decode, chunks, again),
};
