// What the beginning of a log is told to be: for people who wonder, or who want to log more.
import { adviceFor, type Advice } from '../formats/advice.ts';
import { isRequest } from '../formats/detect.ts';
import { formatOf } from '../formats/log-format/index.ts';
import { formatTs } from '../formats/time.ts';
import { readPieces } from '../read/blocks.ts';
import { openSources, type Source } from '../read/bytes.ts';
import { listInputs } from '../read/inputs.ts';
import { eachLine, lineText } from '../read/lines.ts';
import { WRAPPERS } from '../read/wrappers/index.ts';
import { SIGNAL_COLUMNS, UNKNOWN_SIGNAL, type AccessRecord } from '../record.ts';
import { sampleOf, tellLayout } from './layout.ts';
import { openLineReader, type LineReader } from './line-reader.ts';
import type { ReadRequest } from './run.ts';

/** Lines that are looked at. */
const MAX_LINES = 10_000;

export interface Share {
  name: string;
  count: number;
}

export interface Detection {
  name: string;
  /** Lines that were looked at, and whether these are all. */
  lines: number;
  isWhole: boolean;
  /** How these are accounted for. */
  records: number;
  rejects: number;
  parts: number;
  other: number;
  /** Formats by the requests that each saw, most first. */
  formats: (Share & { title: string; spec: string })[];
  /** Wrappers around most of them, outermost first. */
  wrappers: { name: string; title: string }[];
  /** `zone` if stamps bear none, `own` if they do, `none` if no request has a stamp. */
  zone: 'assumed' | 'own' | 'none';
  requests: number;
  /** What the requests show: the column, in how many of them, and what it looks like. */
  fields: (Share & { example: string })[];
  advice: Advice[];
}

/** Returns what the beginning of each log in the inputs is told to be. */
export async function* detectSources(
  request: Pick<ReadRequest, 'inputs' | 'timeZone' | 'logFormat' | 'described' | 'maxExpansion' | 'onWarning'>,
): AsyncIterable<Detection> {
  for (const input of listInputs(request.inputs)) {
    const problem = request.onWarning ?? (() => undefined);
    for await (const source of openSources(input, { maxExpansion: request.maxExpansion, problem }).sources)
      yield await detectSource(source, request);
  }
}

async function detectSource(
  source: Source,
  { timeZone, logFormat, described }: Pick<ReadRequest, 'timeZone' | 'logFormat' | 'described'>,
): Promise<Detection> {
  const context = { timeZone, fileTime: source.modified };
  const wanted = { format: logFormat === undefined ? undefined : formatOf(logFormat), described: described?.map(formatOf) };
  const counts = { records: 0, parts: 0, other: 0, rejects: 0 };
  const formats = new Map<string, Share & { title: string; spec: string }>();
  const stacks = new Map<string, { wrappers: Detection['wrappers']; count: number }>();
  const records: AccessRecord[] = [];
  const state = { isZoneless: false, isWhole: true };
  const decoder = new TextDecoder();
  let reader: LineReader | undefined;

  const sink = {
    record: (record: AccessRecord) => void records.push(record),
    // Which of these begin a request is told when they are joined; here each counts.
    halves: (_: unknown, __: number, isCounted: boolean) => void (isCounted && counts.records++),
    reject: () => void counts.rejects++,
    count: (what: 'records' | 'parts' | 'other') => void counts[what]++,
    zoneless: () => void (state.isZoneless = true),
    told({ parsed, format, layers }: Parameters<NonNullable<Parameters<typeof openLineReader>[2]['told']>>[0]) {
      if (!isRequest(parsed) || format === undefined) return;
      const share = formats.get(format.name) ?? { name: format.name, title: format.title, spec: format.spec, count: 0 };
      share.count++;
      formats.set(format.name, share);
      const stack = stacks.get(layers.join()) ?? {
        wrappers: layers.map((name) => ({ name, title: WRAPPERS[name].title })),
        count: 0,
      };
      stack.count++;
      stacks.set(layers.join(), stack);
      if ('halves' in parsed) records.push(...parsed.halves.map(({ record }) => record));
    },
  };

  for await (const block of readPieces(source.chunks)) {
    reader ??= openLineReader(tellLayout(sampleOf([block]), context, wanted), context, sink);
    if ('piece' in block) reader.push(decoder.decode(block.piece, { stream: block.goesOn }), block.goesOn);
    else {
      const bytes = Buffer.from(block.lines.buffer, block.lines.byteOffset, block.lines.length);
      const { push, lines } = reader;
      eachLine(bytes, (start, end) => {
        if (lines() < MAX_LINES) push(lineText(bytes, start, end));
        else state.isWhole = false;
      });
    }
    if (reader.lines() >= MAX_LINES) state.isWhole = false;
    if (!state.isWhole) break;
  }
  reader?.end();

  const found = byCount(formats.values());
  const [main] = found;
  return {
    name: source.name,
    lines: reader?.lines() ?? 0,
    ...counts,
    isWhole: state.isWhole,
    formats: found,
    wrappers: byCount(stacks.values())[0]?.wrappers ?? [],
    zone: records.every(({ ts }) => ts === null) ? 'none' : state.isZoneless ? 'assumed' : 'own',
    requests: records.length,
    fields: fieldsOf(records),
    advice: adviceFor(main === undefined ? undefined : (wanted.format ?? formatNamed(main.name, wanted.described)), records),
  };
}

function byCount<T extends { count: number }>(shares: Iterable<T>): T[] {
  return [...shares].toSorted((a, b) => b.count - a.count);
}

function formatNamed(name: string, described: readonly ReturnType<typeof formatOf>[] = []) {
  return described.find((format) => format.name === name) ?? formatOf(name);
}

/** Returns the columns that any of the records fills in, in their order. */
function fieldsOf(records: readonly AccessRecord[]): (Share & { example: string })[] {
  const flat = records.map(({ signal, ...record }): Record<string, unknown> => ({ ...record, ...knownOf(signal) }));
  const names = [...new Set(flat.flatMap((record) => Object.keys(record)))];
  return names.flatMap((name) => {
    const values = flat.map((record) => record[name]).filter((value) => value !== null && value !== undefined);
    return values.length === 0
      ? []
      : [{ name, count: values.length, example: (name === 'ts' ? formatTs(Number(values[0])) : String(values[0])).slice(0, 60) }];
  });
}

function knownOf(signal: AccessRecord['signal']): Record<string, unknown> {
  return Object.fromEntries(
    SIGNAL_COLUMNS.filter((column) => signal[column] !== UNKNOWN_SIGNAL[column]).map((column) => [column, signal[column]]),
  );
}
