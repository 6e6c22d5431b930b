// The bytes of an input as chunks: decompressed and decoded to UTF-8 by what they hold, not by their name.
import { createReadStream } from 'node:fs';
import { createGunzip, type Gunzip } from 'node:zlib';
import { InputError } from '../errors.ts';
import type { Input } from './inputs.ts';

const READ_SIZE = 1 << 20;
const SNIFF_SIZE = 4;
const FILE_PIECES = [READ_SIZE, 4096, 1];
const STDIN_PIECES = [4096];

export interface OpenBytes {
  /** Decompressed UTF-8. Ends early, after `problem` was called, where an archive is broken. */
  chunks: AsyncIterable<Uint8Array>;
  /** Bytes taken from the input so far, before decompression. */
  bytesRead(): number;
}

export interface OpenOptions {
  /** Ends the chunks quietly when it fires; what was read before still counts. */
  abort?: AbortSignal | undefined;
  /** Told once if the input breaks in the middle, with a sentence that says where. */
  problem(sentence: string): void;
}

/** Returns the chunks of an input. Throws an InputError from the first chunk if it cannot be read at all. */
export function openBytes(input: Input, options: OpenOptions): OpenBytes {
  const counter = { bytes: 0 };
  const raw = () => readRaw(input, options, counter);
  return { chunks: decode(raw, input, options), bytesRead: () => counter.bytes };
}

async function* readRaw(input: Input, options: OpenOptions, counter: { bytes: number }): AsyncIterable<Uint8Array> {
  if (options.abort?.aborted) return;
  const stream = input.name === '-' ? process.stdin : createReadStream(input.name, { highWaterMark: READ_SIZE });
  const abort = () => stream.destroy();
  options.abort?.addEventListener('abort', abort, { once: true });
  counter.bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      counter.bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (options.abort?.aborted) return;
    if (counter.bytes === 0) throw unreadable(input.name, error);
    options.problem(`${input.name}: reading stopped after ${counter.bytes} bytes: ${(error as Error).message}`);
  } finally {
    options.abort?.removeEventListener('abort', abort);
  }
}

async function* decode(raw: () => AsyncIterable<Uint8Array>, input: Input, options: OpenOptions): AsyncIterable<Uint8Array> {
  const { head, rest } = await takeHead(raw());
  if (head[0] === 0x1f && head[1] === 0x8b)
    yield* decodeText(gunzip(rest, input.name === '-' ? undefined : raw, input.name, options));
  else yield* decodeText(rest);
}

/** Reads until the first bytes are known, and gives them back in front of the rest. */
async function takeHead(chunks: AsyncIterable<Uint8Array>): Promise<{ head: Uint8Array; rest: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < SNIFF_SIZE) {
    const next = await iterator.next();
    if (next.done) break;
    first.push(next.value);
    size += next.value.length;
  }
  async function* rest(): AsyncIterable<Uint8Array> {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head: Buffer.concat(first), rest: rest() };
}

/** A gzip stream that ended before its data did, or whose data is damaged. */
class BrokenArchive extends Error {
  /** Compressed bytes that were decompressed without fault. */
  readonly intact: number;
  constructor(reason: string, intact: number) {
    super(reason);
    this.intact = intact;
  }
}

/**
 * Decompresses all members. zlib keeps back what it made of the piece in which it finds a fault, so after a fault a file is read again
 * up to that piece, and the piece itself in ever smaller ones: every byte before the fault comes out.
 */
async function* gunzip(
  first: AsyncIterable<Uint8Array>,
  again: (() => AsyncIterable<Uint8Array>) | undefined,
  name: string,
  options: OpenOptions,
): AsyncIterable<Uint8Array> {
  let produced = 0;
  let fault: BrokenArchive | undefined;
  for (const size of again ? FILE_PIECES : STDIN_PIECES) {
    let skip = produced;
    try {
      for await (const chunk of inflate(inPieces(fault && again ? again() : first, fault?.intact ?? 0, size))) {
        const part = Math.min(skip, chunk.length);
        skip -= part;
        produced += chunk.length - part;
        if (part < chunk.length) yield chunk.subarray(part);
      }
      return;
    } catch (error) {
      if (!(error instanceof BrokenArchive)) throw error;
      if (options.abort?.aborted) return;
      fault = error;
    }
  }
  options.problem(
    `${name}: gzip data is broken near byte ${fault?.intact} (${fault?.message}); the ${produced} bytes before that were read`,
  );
}

async function* inflate(raw: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const stream = createGunzip({ chunkSize: READ_SIZE });
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
    throw code.startsWith('Z_') ? new BrokenArchive((error as Error).message, intact) : (fault ?? error);
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

const UTF16 = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]);

/** Drops a UTF-8 byte order mark; turns UTF-16 with one into UTF-8. */
async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const { head, rest } = await takeHead(chunks);
  const label = UTF16.get(Buffer.from(head.subarray(0, 2)).toString('hex'));
  if (label !== undefined) {
    const decoder = new TextDecoder(label);
    for await (const chunk of rest) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
    return;
  }
  let skip = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  for await (const chunk of rest) {
    const part = Math.min(skip, chunk.length);
    skip -= part;
    yield part > 0 ? chunk.subarray(part) : chunk;
  }
}

function unreadable(name: string, error: unknown): InputError {
  const code = (error as NodeJS.ErrnoException).code;
  const reason = code === 'EACCES' ? 'permission denied' : code === 'EISDIR' ? 'it is a folder' : (error as Error).message;
  return new InputError(
    `cannot read: ${JSON.stringify(name)}`,
    { reason, help: 'check that the file exists and that you may read it' },
    { cause: error },
  );
}
