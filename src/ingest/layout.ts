// How a source is to be read, told from its first lines: format, wrappers, and whether its lines must stay in order.
import { detectFormat, isRequest, openFormat } from '../formats/detect.ts';
import type { Format, ParseContext } from '../formats/format.ts';
import { eachLine, lineText } from '../read/lines.ts';
import { WRAPPER_NAMES, WRAPPERS, type WrapperName } from '../read/wrappers/index.ts';
import { openLineReader, type Reading, type Told } from './line-reader.ts';

/** Bytes of a source that are looked at to tell its layout. */
export const SAMPLE_BYTES = 1 << 18;
const SAMPLE_LINES = 200;
/** An element that fills much of the sample would show nothing of its list. */
const SAMPLE_ELEMENT = 1 << 14;

export interface Layout extends Reading {
  /** A line by itself does not say all: lines must be read in order, by one reader. */
  isOrdered: boolean;
}

/** The beginning of a source: lines, or a piece of one line that is very long. */
export type Beginning = { lines: Uint8Array } | { piece: Uint8Array };

export interface Sample {
  lines: readonly string[];
  /** The last of them goes on. */
  goesOn: boolean;
}

/** Returns the first non-empty lines of a source. */
export function sampleOf(beginning: readonly Beginning[]): Sample {
  const lines: string[] = [];
  let room = SAMPLE_BYTES;
  for (const part of beginning) {
    if (lines.length >= SAMPLE_LINES || room <= 0) break;
    if ('piece' in part) {
      lines.push(Buffer.from(part.piece.subarray(0, room)).toString('utf8'));
      return { lines, goesOn: true };
    }
    const all = Buffer.from(part.lines.buffer, part.lines.byteOffset, part.lines.length);
    // A line that is cut would look broken.
    const size = all.length <= room ? all.length : all.lastIndexOf(10, room) + 1 || room;
    const bytes = all.subarray(0, size);
    eachLine(bytes, (start, end) => {
      if (lines.length < SAMPLE_LINES && end > start) lines.push(lineText(bytes, start, end));
    });
    room -= size;
  }
  return { lines, goesOn: false };
}

/** What the user said about the format of a source. */
export interface Wanted {
  /** Read every line as this. */
  format?: Format | undefined;
  /** Formats that may occur besides those that are known. */
  described?: readonly Format[] | undefined;
}

/** Returns how a source that begins so is read. */
export function tellLayout(sample: Sample, context: ParseContext, { format: given, described = [] }: Wanted = {}): Layout {
  const { lines, goesOn } = sample;
  const bare = given ?? (goesOn ? undefined : detectFormat(lines, context, described));
  if (bare !== undefined && bare.open === undefined && !goesOn && isAll(lines, bare, context) && !isWrapped(lines, context))
    return { wrappers: [], format: bare, isOrdered: false };

  let trial = tryReading(sample, { wrappers: [], format: given ?? bare }, context);
  const found = trial;
  // Formats with memory understand nothing as long as a wrapper hides the line that they need.
  if (trial.requests.length === 0 && !trial.isWithin) trial = tryWrappers(sample, trial, given, context, described) ?? trial;
  const { tolds, requests } = trial;
  const wrappers = trial === found ? mostCommon(requests.length > 0 ? requests : tolds) : trial.wrappers;
  const texts = tolds.filter(({ layers }) => layers.join() === wrappers.join()).map(({ text }) => text);
  const format = given ?? detectFormat(texts.slice(0, SAMPLE_LINES), context, described) ?? bare;
  const known = new Set(lines);
  const isOrdered =
    goesOn ||
    trial.isWithin ||
    format === undefined ||
    wrappers.length > 0 ||
    format.open !== undefined ||
    requests.some((told) => told.layers.length > 0 || told.lines > 1 || told.format?.open !== undefined || !known.has(told.text));
  return { wrappers, format, isOrdered };
}

interface Trial {
  wrappers: readonly WrapperName[];
  tolds: Told[];
  requests: Told[];
  isWithin: boolean;
}

function tryReading({ lines, goesOn }: Sample, reading: Reading, context: ParseContext): Trial {
  const tolds: Told[] = [];
  const reader = openLineReader(
    reading,
    context,
    newSink((told) => tolds.push(told)),
    SAMPLE_ELEMENT,
  );
  for (const [index, line] of lines.entries()) reader.push(line, goesOn && index === lines.length - 1);
  const isWithin = reader.isWithinDocument();
  reader.end();
  return { wrappers: reading.wrappers, tolds, requests: tolds.filter(({ parsed }) => isRequest(parsed)), isWithin };
}

/** Returns what becomes of a sample under the wrapper, within those already seen, that lets most requests appear. */
function tryWrappers(
  sample: Sample,
  { tolds }: Trial,
  given: Format | undefined,
  context: ParseContext,
  described: readonly Format[],
): Trial | undefined {
  const outer = mostCommon(tolds);
  let best: Trial | undefined;
  for (const name of WRAPPER_NAMES) {
    const { peel } = WRAPPERS[name];
    const texts = tolds.flatMap(({ text }) => peel(text, context)?.payload ?? []);
    if (texts.length * 2 <= tolds.length) continue;
    const format = given ?? detectFormat(texts, context, described);
    const trial = tryReading(sample, { wrappers: [...outer, name], format }, context);
    if (trial.requests.length > (best?.requests.length ?? 0)) best = trial;
  }
  return best;
}

/** Whether a line is in a wrapper that is sure of itself, though a format may understand it as it is. */
function isWrapped(lines: readonly string[], context: ParseContext): boolean {
  return WRAPPER_NAMES.some(
    (name) => WRAPPERS[name].isSure && lines.some((line) => WRAPPERS[name].peel(line, context) !== undefined),
  );
}

function isAll(lines: readonly string[], format: Format, context: ParseContext): boolean {
  const opened = openFormat(format, context);
  return lines.every((line) => isRequest(opened.parse(line, context)));
}

/** Returns a sink that only listens. */
export function newSink(told: (told: Told) => void) {
  return { told, record: () => undefined, halves: () => undefined, reject: () => undefined, count: () => undefined };
}

function mostCommon(tolds: readonly Told[]): readonly WrapperName[] {
  const counts = new Map<string, { layers: readonly WrapperName[]; times: number }>();
  let best: { layers: readonly WrapperName[]; times: number } | undefined;
  for (const { layers } of tolds) {
    const entry = counts.get(layers.join()) ?? { layers, times: 0 };
    entry.times++;
    counts.set(layers.join(), entry);
    if (best === undefined || entry.times > best.times) best = entry;
  }
  return best?.layers ?? [];
}
