// A block of lines becomes rows: the same code whether it runs beside the store or in a worker thread.
import { maskLine } from '../formats/mask.ts';
import { parseLine } from '../formats/detect.ts';
import { FORMATS } from '../formats/index.ts';
import type { Format, Half, Origin, ParseContext } from '../formats/format.ts';
import { MAX_LINE } from '../read/blocks.ts';
import { eachLine, lineText } from '../read/lines.ts';
import type { AccessRecord, FormatName, RejectReason } from '../record.ts';
import { Slab, SLAB_ROWS, type SlabData } from '../store/slab.ts';
import { openDictionary, type Dimensions } from './dictionary.ts';
import { textId } from './ids.ts';
import { openRecall, type Recall } from './recall.ts';
import { writeRow, writeSource } from './rows.ts';

const EXCERPT = 200;

export interface LineCounts {
  lines: number;
  records: number;
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

/** What a block gave. Lines count from 1 within the block. */
export interface Batch extends Dimensions {
  counts: LineCounts;
  slabs: SlabData[];
  /** Rows of records that cite the log they were first read from, and the names of those logs. */
  citedSlabs: SlabData[];
  origins: Set<string>;
  rejects: RejectedLine[];
  credentials: { line: number; place: string }[];
  keys: RequestKey[];
  halves: { line: number; halves: Half[] }[];
}

/** What a block is part of. */
export interface BlockOrigin {
  source: string;
  format: FormatName;
  context: ParseContext;
}

export interface BlockParser {
  /** Parses a block; rows go into the buffers of slabs that are done with as long as there are any. */
  parse(origin: BlockOrigin, block: Uint8Array, spare: ArrayBuffer[]): Batch;
}

/** Returns a parser for blocks of any source. What it remembers of one source serves the next. */
export function openBlockParser(): BlockParser {
  const dictionary = openDictionary();
  const recalls = new Map<FormatName, Recall>();

  function recallOf({ name, scan }: Format): Recall | undefined {
    if (scan === undefined) return undefined;
    const recall = recalls.get(name) ?? openRecall(scan, dictionary);
    recalls.set(name, recall);
    return recall;
  }

  return {
    parse({ source, format: name, context }, block, spare) {
      const format = FORMATS[name];
      const recall = recallOf(format);
      const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
      const both = { bytes, view: new DataView(block.buffer, block.byteOffset, block.length) };
      const batch = newBatch();
      const { counts } = batch;
      let slab = new Slab(spare.pop());
      let cited: Slab | undefined;

      const addRecord = (record: AccessRecord, line: number, part: number): void => {
        makeRoom();
        writeRow(slab, record, { source, line, part }, dictionary);
      };
      const addCited = (record: AccessRecord, origin: Origin): void => {
        if (cited === undefined || cited.rows === SLAB_ROWS) batch.citedSlabs.push((cited = new Slab(spare.pop())));
        writeSource(cited, origin.source);
        writeRow(cited, record, origin, dictionary);
        batch.origins.add(origin.source);
      };
      const makeRoom = (): void => {
        if (slab.rows < SLAB_ROWS) return;
        batch.slabs.push(slab);
        slab = new Slab(spare.pop());
      };

      eachLine(bytes, (start, end) => {
        const line = ++counts.lines;
        if (start === end) {
          counts.other++;
          return;
        }
        if (end - start > MAX_LINE) {
          batch.rejects.push({ line, reason: 'line_too_long', excerpt: excerptOf(lineText(bytes, start, start + EXCERPT)) });
          return;
        }
        if (recall) {
          makeRoom();
          if (recall.fill(slab, both, start, end, line)) {
            counts.records++;
            return;
          }
        }
        const text = lineText(bytes, start, end);
        const parsed = parseLine(text, format, context);
        if (typeof parsed === 'string') counts.other++;
        else if ('records' in parsed) {
          counts.records++;
          const [only] = parsed.records;
          if (recall && only && parsed.records.length === 1) recall.learn(both, only);
          for (const [part, record] of parsed.records.entries()) {
            if (parsed.origin === undefined) addRecord(record, line, part);
            else addCited(record, parsed.origin);
            if (record.credential !== null) batch.credentials.push({ line, place: record.credential });
            if (record.request_key !== undefined && parsed.origin === undefined)
              batch.keys.push({ line, part, key: textId(record.request_key), is_upstream: record.is_upstream === true });
          }
        } else if ('halves' in parsed) batch.halves.push({ line, halves: parsed.halves });
        else batch.rejects.push({ line, reason: parsed.reject, excerpt: excerptOf(text) });
      });
      if (slab.rows > 0) batch.slabs.push(slab);
      return Object.assign(batch, dictionary.take());
    },
  };
}

function newBatch(): Batch {
  return {
    counts: { lines: 0, records: 0, other: 0 },
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

/** Returns the start of a line as it may be kept and shown: credentials masked. */
export function excerptOf(line: string): string {
  return maskLine(line).slice(0, EXCERPT);
}
