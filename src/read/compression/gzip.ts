// gzip, member after member.
import { createGunzip, type Gunzip } from 'node:zlib';
import { beginsWith, BrokenData, refined, type Compression } from './compression.ts';

const OUTPUT_SIZE = 1 << 20;

async function* inflate(raw: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const stream = createGunzip({ chunkSize: OUTPUT_SIZE });
  let intact = 0;
  let fault: unknown;
  const feed = (async () => {
    try {
      for await (const chunk of raw) {
        await written(stream, chunk);
        if (stream.destroyed) return;
        intact += chunk.length;
      }
      stream.end();
    } catch (error) {
      fault = error;
      stream.destroy(error as Error);
    }
  })();
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw code.startsWith('Z_') ? new BrokenData((error as Error).message, intact) : (fault ?? error);
  } finally {
    stream.destroy();
    await feed;
  }
}

/** Resolves when a chunk went through, or when the stream closed over it: zlib does not call back for the chunk it fails on. */
function written(stream: Gunzip, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('close', done);
      resolve();
    };
    stream.once('close', done);
    stream.write(chunk, done);
  });
}

export const gzip: Compression = {
  name: 'gzip',
  isOwn: (head) => beginsWith(head, [0x1f, 0x8b]),
  decompress: (chunks, again) => refined(inflate, chunks, again),
};
