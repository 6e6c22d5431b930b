// Reads inputs one after the other into the store.
import { detectFormat } from '../formats/detect.ts';
import { FORMATS } from '../formats/index.ts';
import { readBlocks } from '../read/blocks.ts';
import { openBytes } from '../read/bytes.ts';
import type { Input } from '../read/inputs.ts';
import { eachLine, lineText } from '../read/lines.ts';
import type { FormatName, SourceCounts } from '../record.ts';
import type { Database } from '../store/database.ts';
import { excerptOf, type BlockOrigin } from './block-parser.ts';
import { openIntake, type IntakeOptions } from './intake.ts';
import { openParsers } from './parsers.ts';

/** Non-empty lines that are looked at to tell the format of a source. */
const SAMPLE_LINES = 200;
const SHOWN_LINES = 3;
/** Lines of a source whose format is not told yet are tried as every format; this one goes first. */
const FALLBACK: FormatName = 'combined';
/** A worker is the built file; run from source, all parsing stays on this thread. */
const CAN_START_WORKERS = import.meta.url.endsWith('.js');

export interface ReadOptions extends IntakeOptions {
  /** Overrides detection. */
  logFormat?: FormatName | undefined;
  timeZone: string;
  threads: number;
  /** Opens an input in another way than by its name: a part of a file, a file that is open already. */
  open?: typeof openBytes | undefined;
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
  const parsers = openParsers(CAN_START_WORKERS ? options.threads : 1, (_, batch) => intake.take(batch));
  const totalBytes = inputs.some(({ bytes }) => bytes === null) ? null : inputs.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const context = { timeZone: options.timeZone };
  const blocks = options.blockSize === undefined ? {} : { blockSize: options.blockSize };
  const done: ReadSource[] = [];
  let bytesBefore = 0;

  async function readSource(input: Input): Promise<ReadSource> {
    const opened = (options.open ?? openBytes)(input, { abort: options.abort, problem: options.onWarning });
    let format = options.logFormat;
    let firstLines: string[] = [];
    let origin: BlockOrigin | undefined;
    intake.begin(input.name);
    for await (const block of readBlocks(opened.chunks, blocks)) {
      if ('tooLong' in block) {
        await parsers.finish();
        intake.reject({ reason: 'line_too_long', excerpt: excerptOf(Buffer.from(block.tooLong).toString('latin1')) });
        continue;
      }
      if (format === undefined) {
        const sample = sampleLines(block.lines);
        if (firstLines.length === 0) firstLines = sample.slice(0, SHOWN_LINES).map(excerptOf);
        format = detectFormat(sample, context)?.name;
      }
      if (origin?.format !== (format ?? FALLBACK))
        origin = { source: options.clientsOf ?? input.name, format: format ?? FALLBACK, context };
      await parsers.parse(origin, block.lines);
      options.onProgress?.({ source: input.name, bytes: bytesBefore + opened.bytesRead(), totalBytes, lines: intake.lines() });
    }
    await parsers.finish();
    bytesBefore += opened.bytesRead();
    const counts = intake.end({ format: format ?? 'unknown', bytes: opened.bytesRead() });
    return { ...counts, firstLines };
  }

  try {
    for (const input of inputs) {
      if (options.abort?.aborted) break;
      done.push(await readSource(input));
    }
    intake.close();
    return done;
  } finally {
    await parsers.close();
  }
}

/** Returns the first non-empty lines of a block, by which a format is told. */
export function sampleLines(block: Uint8Array): string[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, Math.min(block.length, 1 << 18));
  const sample: string[] = [];
  eachLine(bytes, (start, end) => {
    if (sample.length < SAMPLE_LINES && end > start) sample.push(lineText(bytes, start, end));
  });
  return sample;
}

/** Names of the formats that were tried, for the sentence about a log that none understands. */
export function triedFormats(): string[] {
  return Object.values(FORMATS).map(({ name }) => name);
}
