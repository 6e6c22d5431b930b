// A block of lines becomes rows: the same code whether it runs beside the store or in a worker thread.
import { isRequest } from '../formats/detect.ts';
import type { Format, Half, Origin, ParseContext } from '../formats/format.ts';
import { formatOf } from '../formats/log-format/index.ts';
import { maskLine } from '../formats/mask.ts';
import { countZoneless } from '../formats/time.ts';
import { MAX_LINE } from '../read/blocks.ts';
import { eachLine, lineText } from '../read/lines.ts';
import type { WrapperName } from '../read/wrappers/index.ts';
import type { AccessRecord, RejectReason } from '../record.ts';
import { Slab, SLAB_ROWS, type SlabData } from '../store/slab.ts';
import { openDictionary, type Dictionary, type Dimensions } from './dictionary.ts';
import { anonymizeLine, identify, type Identity } from './identity.ts';
import { textId } from './ids.ts';
import { openLineReader, type LineReader, type LineSink, type Reading, type Told } from './line-reader.ts';
import { openRecall, type Recall } from './recall.ts';
import { writeRow, writeSource } from './rows.ts';

const EXCERPT = 200;

export interface LineCounts {
  lines: number;
  records: number;
  parts: number;
  other: number;
}

export interface RejectedLine {
  line: number;
  reason: RejectReason;
  excerpt: string;
}

/** What tells doubles of the request that begins here. */
export interface RequestKey {
  line: number;
  part: number;
  key: bigint;
  is_upstream: boolean;
}

/** What a block gave. Lines count from 1 within the block, or within the source if the block was read in order. */
export interface Batch extends Dimensions {
  isOrdered: boolean;
  counts: LineCounts;
  slabs: SlabData[];
  /** Rows of records that cite the log they were first read from, and the names of those logs. */
  citedSlabs: SlabData[];
  origins: Set<string>;
  rejects: RejectedLine[];
  credentials: { line: number; place: string }[];
  keys: RequestKey[];
  /** Halves of each line; one that is not counted begins a record besides. */
  halves: { line: number; halves: Half[]; isCounted: boolean }[];
  /** A stamp without a zone was read. */
  isZoneless: boolean;
  /** What a source turned out to be whose format was not known. */
  format: string | undefined;
}

/** What a block is part of, and how that is read. */
export interface BlockOrigin {
  source: string;
  /** A name, or a description. */
  format: string | undefined;
  context: ParseContext;
  identity?: Identity | undefined;
  /** For sources whose blocks are read in order by one parser: their number, what their lines are wrapped in, and their size. */
  ordered?: { id: number; wrappers: readonly WrapperName[]; bytes: number | null };
}

/** Lines, a piece of one, or the end of a source that is read in order. */
export type BlockPart = { lines: Uint8Array<ArrayBuffer> } | { piece: Uint8Array<ArrayBuffer>; goesOn: boolean } | 'end';

/** Lines of a source whose format is not told yet are tried as every format; this one goes first. */
const FALLBACK = 'combined';

export interface BlockParser {
  /** Parses a block; rows go into the buffers of slabs that are done with as long as there are any. */
  parse(origin: BlockOrigin, part: BlockPart, spare: ArrayBuffer[]): Batch;
}

/** Returns a parser for blocks of any source. What it remembers of one source serves the next. */
export function openBlockParser(): BlockParser {
  const dictionary = openDictionary();
  const recalls = new Map<Format, Recall>();
  const sources = new Map<number, OrderedSource>();

  function recallOf(format: Format): Recall | undefined {
    if (format.scan === undefined) return undefined;
    const recall = recalls.get(format) ?? openRecall(format.scan, dictionary);
    recalls.set(format, recall);
    return recall;
  }

  function parseBlock(origin: BlockOrigin, block: Uint8Array, writer: BatchWriter): void {
    const { format: choice = FALLBACK, context } = origin;
    const format = formatOf(choice);
    const recall = recallOf(format);
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
    const both = { bytes, view: new DataView(block.buffer, block.byteOffset, block.length) };
    const { batch } = writer;
    const { counts } = batch;
    const reading: Reading = { wrappers: [], format };

    /** A line that its format does not know may be of another, or wrapped. */
    const readAlone = (text: string, line: number): void => {
      const reader = openLineReader(reading, context, writer.sinkOf(line));
      reader.push(text);
      reader.end();
    };

    eachLine(bytes, (start, end) => {
      const line = ++counts.lines;
      if (start === end) {
        counts.other++;
        return;
      }
      if (end - start > MAX_LINE) {
        batch.rejects.push({
          line,
          reason: 'line_too_long',
          excerpt: excerptOf(lineText(bytes, start, start + EXCERPT), origin.identity),
        });
        return;
      }
      if (recall?.fill(writer.slab(), both, start, end, line)) {
        counts.records++;
        return;
      }
      const text = lineText(bytes, start, end);
      const zoneless = countZoneless();
      const parsed = format.parse(text, context);
      if (!isRequest(parsed)) return readAlone(text, line);
      batch.isZoneless ||= countZoneless() !== zoneless;
      if ('halves' in parsed) {
        batch.halves.push({ line, halves: parsed.halves, isCounted: true });
        return;
      }
      counts.records++;
      const { identity } = origin;
      const records = identity === undefined ? parsed.records : parsed.records.map((record) => identify(record, identity));
      const [only] = records;
      if (recall && only && records.length === 1) recall.learn(both, only);
      for (const [part, record] of records.entries()) writer.add(record, line, part, parsed.origin);
    });
  }

  function parseOrdered(
    origin: BlockOrigin,
    id: number,
    wrappers: readonly WrapperName[],
    part: BlockPart,
    writer: BatchWriter,
  ): void {
    const source = sources.get(id) ?? openOrderedSource(origin, wrappers);
    sources.set(id, source);
    source.read(part, writer);
    if (part === 'end') sources.delete(id);
  }

  return {
    parse(origin, part, spare) {
      const writer = openBatchWriter(origin, dictionary, spare, origin.ordered !== undefined);
      if (origin.ordered !== undefined) parseOrdered(origin, origin.ordered.id, origin.ordered.wrappers, part, writer);
      else if (part !== 'end' && 'lines' in part) parseBlock(origin, part.lines, writer);
      return writer.end();
    },
  };
}

/** A source whose blocks are read in order. */
interface OrderedSource {
  read(part: BlockPart, writer: BatchWriter): void;
}

function openOrderedSource({ format, context }: BlockOrigin, wrappers: readonly WrapperName[]): OrderedSource {
  const decoder = new TextDecoder();
  let sink: LineSink;
  let told: string | undefined;
  const reading = { wrappers, format: format === undefined ? undefined : formatOf(format) };
  const listen = ({ parsed, format: by }: Told): void => {
    if (isRequest(parsed)) told ??= by?.name;
  };
  // The reader outlives the batches that it fills.
  const reader: LineReader = openLineReader(reading, context, {
    record: (...all) => sink.record(...all),
    halves: (...all) => sink.halves(...all),
    reject: (...all) => sink.reject(...all),
    count: (...all) => sink.count(...all),
    zoneless: () => sink.zoneless?.(),
    ...(format === undefined ? { told: listen } : {}),
  });

  return {
    read(part, writer) {
      sink = writer.sinkOf(undefined);
      const before = reader.lines();
      if (part === 'end') reader.end();
      else if ('piece' in part) reader.push(decoder.decode(part.piece, { stream: part.goesOn }), part.goesOn);
      else {
        const bytes = Buffer.from(part.lines.buffer, part.lines.byteOffset, part.lines.length);
        eachLine(bytes, (start, end) => reader.push(lineText(bytes, start, end)));
      }
      writer.batch.counts.lines += reader.lines() - before;
      writer.batch.format = told;
    },
  };
}

interface BatchWriter {
  readonly batch: Batch;
  /** The slab whose current row is free. */
  slab(): Slab;
  add(record: AccessRecord, line: number, part: number, origin: Origin | undefined): void;
  /** Returns a sink into the batch; for a line that is read alone, which is its number in the block. */
  sinkOf(alone: number | undefined): LineSink;
  end(): Batch;
}

function openBatchWriter(
  { source, identity }: BlockOrigin,
  dictionary: Dictionary,
  spare: ArrayBuffer[],
  isOrdered: boolean,
): BatchWriter {
  const batch = newBatch(isOrdered);
  let slab = new Slab(spare.pop());
  let cited: Slab | undefined;

  const freeSlab = (): Slab => {
    if (slab.rows < SLAB_ROWS) return slab;
    batch.slabs.push(slab);
    return (slab = new Slab(spare.pop()));
  };
  const addCited = (record: AccessRecord, origin: Origin): void => {
    if (cited === undefined || cited.rows === SLAB_ROWS) batch.citedSlabs.push((cited = new Slab(spare.pop())));
    writeSource(cited, origin.source);
    writeRow(cited, record, origin, dictionary);
    batch.origins.add(origin.source);
  };
  const add = (record: AccessRecord, line: number, part: number, origin: Origin | undefined): void => {
    if (origin === undefined) writeRow(freeSlab(), record, { source, line, part }, dictionary);
    else addCited(record, origin);
    if (record.credential !== null) batch.credentials.push({ line, place: record.credential });
    if (record.request_key !== undefined && origin === undefined)
      batch.keys.push({ line, part, key: textId(record.request_key), is_upstream: record.is_upstream === true });
  };

  return {
    batch,
    slab: freeSlab,
    add,
    sinkOf: (alone) => ({
      record: (record, line, part, origin) => add(identify(record, identity), alone ?? line, part, origin),
      halves: (halves, line, isCounted) => batch.halves.push({ line: alone ?? line, halves, isCounted }),
      reject: (line, reason, text) => batch.rejects.push({ line: alone ?? line, reason, excerpt: excerptOf(text, identity) }),
      count: (what) => void batch.counts[what]++,
      zoneless: () => void (batch.isZoneless = true),
    }),
    end() {
      if (slab.rows > 0) batch.slabs.push(slab);
      return Object.assign(batch, dictionary.take());
    },
  };
}

function newBatch(isOrdered: boolean): Batch {
  return {
    isOrdered,
    isZoneless: false,
    format: undefined,
    counts: { lines: 0, records: 0, parts: 0, other: 0 },
    slabs: [],
    citedSlabs: [],
    origins: new Set(),
    rejects: [],
    credentials: [],
    keys: [],
    halves: [],
    clients: [],
    targets: [],
    signals: [],
  };
}

/** Returns the start of a line as it may be kept and shown: credentials masked, and people too where that was asked for. */
export function excerptOf(line: string, identity?: Identity): string {
  return anonymizeLine(maskLine(line).slice(0, EXCERPT * 2), identity).slice(0, EXCERPT);
}
