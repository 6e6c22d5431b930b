// What a log format is. A new one is a file that exports a `Format` with its samples, plus a line in `formats/index.ts`.
import type { AccessRecord, FormatName, RejectReason } from '../record.ts';

/** What the user said about a source that its lines do not say. */
export interface ParseContext {
  /** IANA zone in which stamps without an offset are read. */
  timeZone: string;
  /** When the source was last written, microseconds since the epoch, where that is known: it tells the year of stamps that bear none. */
  fileTime?: number | undefined;
  /** The moment of the last dated line, where lines are read in order: it tells the year better. */
  near?: number | undefined;
}

/**
 * One side of a request that two lines tell of (JSON-RPC request and response, `incoming request` and `request completed`).
 * Halves of one source with the same key belong together; see `pair.ts`.
 */
export interface Half {
  key: string;
  /** A notification awaits no answer and is a request by itself. */
  side: 'request' | 'response' | 'notification';
  /** What introduces itself once for many lines (an MCP connection opened by `initialize`); none for formats without such. */
  connection?: string;
  /** The key is no id: requests that share it wait in line, and an answer belongs to the first of them. */
  isOrdered?: true;
  /** How many lines ago this side began, where it spans lines and is understood at its last. */
  back?: number;
  /** What this side alone shows. For a response, `ts` is the moment of the answer. */
  record: AccessRecord;
}

/** Where a request was first read, told by a line that passes it on. */
export interface Origin {
  source: string;
  line: number;
  part: number;
  format: string;
}

/**
 * What one line is: requests (several for a JSON-RPC batch, in order), halves of requests, a record that could not be understood,
 * text that is no access record (start-up messages, comments, application lines), or a line of some other format.
 */
export type Parsed =
  { records: AccessRecord[]; origin?: Origin } | { halves: Half[] } | { reject: RejectReason } | 'other' | 'foreign';

export interface Sample {
  line: string;
  /** Fields that the (first) record must have, or the verdict on a line that is none. */
  expect:
    (Partial<Omit<AccessRecord, 'signal'>> & { signal?: Partial<AccessRecord['signal']> }) | { reject: RejectReason } | 'other';
}

/** A block's bytes, and a view of the same that reads several at once. */
export interface BlockBytes {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** Byte ranges, flat: start and end of the first, start and end of the second … */
export interface Ranges {
  count: number;
  /** Ranges of different variants are told apart: the same bytes in other fields mean something else. */
  variant: number;
  readonly at: Int32Array;
}

/**
 * What a scanner finds in a line without decoding it: numbers (NaN for none), and the ranges on which alone client, target, signal
 * and session of the record depend. Equal ranges give equal parts of the record, so a reader may remember what `parse` made of them.
 */
export interface Found {
  ts: number;
  duration_us: number;
  request_bytes: number;
  response_bytes: number;
  attempts: number;
  readonly client: Ranges;
  readonly target: Ranges;
  readonly signal: Ranges;
  readonly session: Ranges;
  /** Lower-case ASCII. */
  readonly correlation: Ranges;
}

/** Names of formats that the user describes by the text of a server's configuration. */
export type DescribedName = `${'nginx' | 'apache' | 'envoy' | 'haproxy' | 'goaccess'}-log-format`;

export interface Format {
  readonly name: FormatName | DescribedName;
  /** For people: `nginx and Apache combined`. */
  readonly title: string;
  /** Link to the format's documentation. */
  readonly spec: string;
  /** Whether a line's stamp is the request's start or its end; `none` if lines bear no stamp. Records always hold the start. */
  readonly time: 'start' | 'end' | 'none';
  /** Pure: never throws, never logs, depends on the line and the context only. */
  parse(line: string, context: ParseContext): Parsed;
  /**
   * For formats whose lines mean something only behind others (a `#Fields:` header): returns a parser with memory, one per source,
   * which is given the lines in order. `parse` then says what a line is by itself.
   */
  readonly open?: (context: ParseContext) => (line: string) => Parsed;
  /**
   * The fast way for the usual line. Returns false for anything unusual, which then goes through `parse`; where it returns true, what
   * it found is what `parse` would have found in a single record without credentials.
   */
  readonly scan?: (block: BlockBytes, start: number, end: number, found: Found) => boolean;
  readonly samples: readonly [Sample, ...Sample[]];
}
