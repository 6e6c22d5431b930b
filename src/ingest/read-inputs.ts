// Reads inputs one after the other into the store.
import { FORMATS } from '../formats/index.ts';
import { formatOf } from '../formats/log-format/index.ts';
import * as messages from '../messages.ts';
import { readPieces } from '../read/blocks.ts';
import { openSources, type OpenBytes, type OpenOptions, type OpenSources, type Source } from '../read/bytes.ts';
import type { Input } from '../read/inputs.ts';
import type { SourceCounts } from '../record.ts';
import type { Database } from '../store/database.ts';
import { excerptOf, type BlockOrigin, type BlockPart } from './block-parser.ts';
import { openIntake, type IntakeOptions } from './intake.ts';
import { sampleOf, SAMPLE_BYTES, tellLayout } from './layout.ts';
import { openParsers } from './parsers.ts';

const SHOWN_LINES = 3;
const EXCERPT = 200;
/** A worker is the built file; run from source, all parsing stays on this thread. */
const CAN_START_WORKERS = import.meta.url.endsWith('.js');

export interface ReadOptions extends IntakeOptions {
  /** Overrides detection: a name, or a description. */
  logFormat?: string | undefined;
  /** Descriptions of formats that may occur besides those that are known. */
  described?: readonly string[] | undefined;
  timeZone: string;
  /** Nobody chose the zone, so sources that need one are warned of. */
  isZoneAssumed?: boolean | undefined;
  /** How many times its size an input may expand to. */
  maxExpansion?: number | undefined;
  threads: number;
  /** Opens an input in another way than by its name: a part of a file, a file that is open already. */
  open?: ((input: Input, options: OpenOptions) => OpenBytes) | undefined;
  /** Bytes of lines that are parsed at once, other than usual. */
  blockSize?: number | undefined;
  /** What clients of which a log names nothing are called after, if not after the input. */
  clientsOf?: string | undefined;
  abort?: AbortSignal | undefined;
  onProgress?: ((progress: ReadProgress) => void) | undefined;
  onWarning: (sentence: string) => void;
}

export interface ReadProgress {
  source: string;
  /** Bytes of all inputs read so far, before decompression. */
  bytes: number;
  /** Bytes of all inputs; null when one of them is a pipe. */
  totalBytes: number | null;
  lines: number;
}

export interface ReadSource extends SourceCounts {
  /** The first lines, masked, of a source of which nothing was understood. */
  firstLines: string[];
}

export async function readInputs(database: Database, inputs: readonly Input[], options: ReadOptions): Promise<ReadSource[]> {
  const intake = await openIntake(database, options);
  const parsers = openParsers(CAN_START_WORKERS ? options.threads : 1, (_, batch) => {
    intake.take(batch);
    isZoneless ||= batch.isZoneless;
    toldFormat ??= batch.format;
  });
  const totalBytes = inputs.some(({ bytes }) => bytes === null) ? null : inputs.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const wanted = {
    format: options.logFormat === undefined ? undefined : formatOf(options.logFormat),
    described: options.described?.map(formatOf),
  };
  const descriptions = new Map(options.described?.map((text) => [formatOf(text), text]));
  const blocks = options.blockSize === undefined ? {} : { blockSize: options.blockSize };
  const done: ReadSource[] = [];
  let bytesBefore = 0;
  let toldFormat: string | undefined;
  let isZoneless = false;

  function openInput(input: Input): OpenSources {
    const how = { abort: options.abort, maxExpansion: options.maxExpansion, problem: options.onWarning };
    return options.open === undefined ? openSources(input, how) : onlySource(input, options.open(input, how));
  }

  async function readSource(input: Input, opened: OpenSources, source: Source): Promise<ReadSource> {
    const { name } = source;
    const context = { timeZone: options.timeZone, fileTime: source.modified };
    let origin: BlockOrigin | undefined;
    let firstLines: string[] = [];
    let beginning: Exclude<BlockPart, 'end'>[] = [];
    let size = 0;
    toldFormat = undefined;
    isZoneless = false;
    intake.begin(name);

    const begin = (): BlockOrigin => {
      const sample = sampleOf(beginning);
      firstLines = sample.lines.slice(0, SHOWN_LINES).map((line) => excerptOf(line, options.identity));
      const { wrappers, format, isOrdered } = tellLayout(sample, context, wanted);
      const choice = options.logFormat ?? (format && (descriptions.get(format) ?? format.name));
      const ordered = isOrdered ? { ordered: { id: done.length, wrappers, bytes: input.bytes } } : {};
      return { source: options.clientsOf ?? name, format: choice, context, identity: options.identity, ...ordered };
    };
    const parse = async (part: Exclude<BlockPart, 'end'>, from: BlockOrigin): Promise<void> => {
      if ('lines' in part || from.ordered !== undefined) return parsers.parse(from, part);
      if (part.goesOn && isWithinLine) return;
      isWithinLine = part.goesOn;
      if (!part.goesOn) return;
      await parsers.finish();
      intake.reject({
        reason: 'line_too_long',
        excerpt: excerptOf(Buffer.from(part.piece.subarray(0, EXCERPT)).toString('latin1'), options.identity),
      });
    };
    let isWithinLine = false;

    for await (const part of readPieces(source.chunks, blocks)) {
      if (origin === undefined) {
        beginning.push(part);
        size += 'lines' in part ? part.lines.length : part.piece.length;
        if (size < SAMPLE_BYTES) continue;
        origin = begin();
        for (const one of beginning) await parse(one, origin);
        beginning = [];
      } else await parse(part, origin);
      options.onProgress?.({ source: name, bytes: bytesBefore + opened.bytesRead(), totalBytes, lines: intake.lines() });
    }
    if (origin === undefined && size > 0) {
      origin = begin();
      for (const one of beginning) await parse(one, origin);
    }
    if (origin?.ordered !== undefined) await parsers.parse(origin, 'end');
    await parsers.finish();
    if (isZoneless && options.isZoneAssumed === true) options.onWarning(messages.zoneAssumed(name, options.timeZone));
    const format = origin?.format === undefined ? toldFormat : formatOf(origin.format).name;
    const counts = intake.end({ format: format ?? 'unknown', bytes: source.bytesRead() });
    return { ...counts, firstLines };
  }

  try {
    for (const input of inputs) {
      if (options.abort?.aborted) break;
      const opened = openInput(input);
      for await (const source of opened.sources) {
        done.push(await readSource(input, opened, source));
        if (options.abort?.aborted) break;
      }
      bytesBefore += opened.bytesRead();
    }
    intake.close();
    return done;
  } finally {
    await parsers.close();
  }
}

/** Returns an input that was opened in another way as the only log in it. */
function onlySource({ name }: Input, { chunks, bytesRead }: OpenBytes): OpenSources {
  async function* sources(): AsyncIterable<Source> {
    yield { name, modified: undefined, chunks, bytesRead };
  }
  return { sources: sources(), bytesRead };
}

/** Names of the formats that were tried, for the sentence about a log that none understands. */
export function triedFormats(): string[] {
  return Object.values(FORMATS).map(({ name }) => name);
}
