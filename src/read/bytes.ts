// The bytes of an input as chunks: unpacked, decompressed and decoded to UTF-8 by what they hold, not by their name.
import { createReadStream, statSync } from 'node:fs';
import { InputError } from '../errors.ts';
import { archiveOf } from './archives/index.ts';
import { openByteReader } from './byte-reader.ts';
import { BrokenData, compressionOf } from './compression/index.ts';
import type { Input } from './inputs.ts';

const READ_SIZE = 1 << 20;
/** Enough to tell every compression and archive. */
const SNIFF_SIZE = 512;
const MAGIC_SIZE = 6;
/** Compressions and archives inside of each other that are undone. */
const MAX_DEPTH = 6;
/** What an input may expand to, however small it is, unless the user sets a bound. */
const GENEROUS = { times: 1000, floor: 10 * 2 ** 30 };
const LF = 0x0a;

export interface OpenBytes {
  /** Decompressed UTF-8. Ends early, after `problem` was called, where an archive is broken. */
  chunks: AsyncIterable<Uint8Array>;
  /** Bytes taken from the input so far, before decompression. */
  bytesRead(): number;
}

/** One log: an input, or a member of an input that is an archive. */
export interface Source {
  /** As the user would name it; a member is `archive.tar!member`. */
  name: string;
  /** When it was last written, microseconds since the epoch, as far as that is known. */
  modified: number | undefined;
  /** Decompressed UTF-8. Must be read, or left, before the next source is asked for. */
  chunks: AsyncIterable<Uint8Array>;
  /** Its bytes so far, as they are stored: in the file, or within the archive. */
  bytesRead(): number;
}

export interface OpenSources {
  sources: AsyncIterable<Source>;
  /** Bytes taken from the input so far, before decompression. */
  bytesRead(): number;
}

export interface OpenOptions {
  /** Ends the chunks quietly when it fires; what was read before still counts. */
  abort?: AbortSignal | undefined;
  /** How many times its size an input may expand to; without it, generously many, and 10 GB in any case. */
  maxExpansion?: number | undefined;
  /** Told if the input breaks in the middle, with a sentence that says where. */
  problem(sentence: string): void;
}

/** Returns the logs in an input. Throws an InputError from the first chunk if it cannot be read at all. */
export function openSources(input: Input, options: OpenOptions): OpenSources {
  const counter = { bytes: 0 };
  const raw = () => readRaw(input, options, counter);
  const unpacking: Unpacking = {
    ...options,
    rawBytes: () => counter.bytes,
    produced: [],
    isBroken: false,
  };
  const first: Packed = {
    name: input.name,
    modified: modifiedOf(input),
    chunks: raw(),
    again: input.name === '-' ? undefined : raw,
    bytesRead: () => counter.bytes,
  };
  return { sources: unpack(first, unpacking, 0), bytesRead: unpacking.rawBytes };
}

/** Returns the chunks of an input as one log; the members of an archive follow each other. */
export function openBytes(input: Input, options: OpenOptions): OpenBytes {
  const { sources, bytesRead } = openSources(input, options);
  async function* chunks(): AsyncIterable<Uint8Array> {
    for await (const source of sources) yield* source.chunks;
  }
  return { chunks: chunks(), bytesRead };
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

function modifiedOf({ name }: Input): number | undefined {
  if (name === '-') return undefined;
  const stats = statSync(name, { throwIfNoEntry: false });
  return stats?.isFile() === true ? Math.round(stats.mtimeMs * 1000) : undefined;
}

/** A stream that may be compressed, or an archive. */
interface Packed {
  name: string;
  modified: number | undefined;
  chunks: AsyncIterable<Uint8Array>;
  /** Begins the chunks anew, where that is possible. */
  again?: (() => AsyncIterable<Uint8Array>) | undefined;
  bytesRead: () => number;
}

/** What all that is unpacked from one input has in common. */
interface Unpacking extends OpenOptions {
  rawBytes(): number;
  /** Bytes that decompression gave, by depth. */
  produced: number[];
  /** The stream around the current one broke off, which explains whatever ends early within. */
  isBroken: boolean;
}

/** Archives that are told apart from logs, and not read. */
const UNREAD: readonly [name: string, magic: string][] = [
  ['7z archive', '377abcaf271c'],
  ['rar archive', '526172211a07'],
  ['lz4 file', '04224d18'],
  ['compress (.Z) file', '1f9d'],
];

async function* unpack(packed: Packed, unpacking: Unpacking, depth: number): AsyncIterable<Source> {
  const { name, modified, bytesRead } = packed;
  const { head, rest } = await takeHead(packed.chunks);
  const compression = depth < MAX_DEPTH ? compressionOf(head) : undefined;
  if (compression !== undefined) {
    const chunks = told(compression.decompress(rest, packed.again), compression.name, name, unpacking, depth);
    yield* unpack({ name, modified, chunks, bytesRead }, unpacking, depth + 1);
    return;
  }
  const archive = depth < MAX_DEPTH ? archiveOf(head) : undefined;
  if (archive !== undefined) {
    const problem = (sentence: string) => {
      if (!unpacking.isBroken && !unpacking.abort?.aborted) unpacking.problem(`${name}: ${sentence}`);
    };
    for await (const member of archive.members(openByteReader(rest), problem)) {
      yield* unpack(
        { ...counted(member.chunks), name: `${name}!${member.name}`, modified: member.modified },
        unpacking,
        depth + 1,
      );
    }
    return;
  }
  const unread = UNREAD.find(([, magic]) => Buffer.from(head).toString('hex', 0, magic.length / 2) === magic);
  if (unread !== undefined) unpacking.problem(`${name}: it is a ${unread[0]}, which is not read; unpack it first`);
  else yield { name, modified, chunks: decodeText(head, rest), bytesRead };
}

function counted(chunks: AsyncIterable<Uint8Array>): Pick<Packed, 'chunks' | 'bytesRead'> {
  let bytes = 0;
  async function* counting(): AsyncIterable<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { chunks: counting(), bytesRead: () => bytes };
}

/** Ends what a decompression gives where its data is broken, or expands beyond all reason, and tells so. */
async function* told(
  chunks: AsyncIterable<Uint8Array>,
  kind: string,
  name: string,
  unpacking: Unpacking,
  depth: number,
): AsyncIterable<Uint8Array> {
  const { maxExpansion, abort, produced } = unpacking;
  const { times, floor } = maxExpansion === undefined ? GENEROUS : { times: maxExpansion, floor: 0 };
  let own = 0;
  try {
    for await (const chunk of chunks) {
      own += chunk.length;
      const all = (produced[depth] = (produced[depth] ?? 0) + chunk.length);
      const isTooMuch = all > floor && all > times * unpacking.rawBytes();
      if (isTooMuch) {
        unpacking.isBroken = true;
        unpacking.problem(
          `${name}: it expands to more than ${times} times its size; the ${own - chunk.length} bytes before that were read (--max-expansion allows more)`,
        );
        return;
      }
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof BrokenData)) throw error;
    if (abort?.aborted || unpacking.isBroken) return;
    if (depth === 0) unpacking.isBroken = true;
    unpacking.problem(
      `${name}: ${kind} data is broken near byte ${error.intact} (${error.message}); the ${own} bytes before that were read`,
    );
  }
}

/** Reads until the kind of a stream can be told, and gives what was read back in front of the rest. A line's end is text. */
async function takeHead(chunks: AsyncIterable<Uint8Array>): Promise<{ head: Uint8Array; rest: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let head: Uint8Array = new Uint8Array(0);
  while (!isTold(head)) {
    const next = await iterator.next();
    if (next.done) break;
    first.push(next.value);
    head = first.length === 1 ? next.value : Buffer.concat(first);
  }
  async function* rest(): AsyncIterable<Uint8Array> {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, rest: rest() };
}

function isTold(head: Uint8Array): boolean {
  if (head.length >= SNIFF_SIZE) return true;
  return head.length >= MAGIC_SIZE && (head.includes(LF) || compressionOf(head) !== undefined || head[0] === 0);
}

const UTF16 = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]);

/** Drops a UTF-8 byte order mark; turns UTF-16 with one into UTF-8. */
async function* decodeText(head: Uint8Array, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const label = UTF16.get(Buffer.from(head.subarray(0, 2)).toString('hex'));
  if (label !== undefined) {
    const decoder = new TextDecoder(label);
    for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
    return;
  }
  let skip = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  for await (const chunk of chunks) {
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
