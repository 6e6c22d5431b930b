// What became of one line of a log: the requests that begin on it, with the rule that decided each, or why there are none.
import { explain, type RuleInWords } from '../classify/index.ts';
import { formatOf } from '../formats/log-format/index.ts';
import { readPieces } from '../read/blocks.ts';
import { openSources, type Source } from '../read/bytes.ts';
import { listInputs, type Input } from '../read/inputs.ts';
import { eachLine, lineText } from '../read/lines.ts';
import { SIGNAL_COLUMNS, TARGET_COLUMNS, type RejectReason, type Signal, type Target } from '../record.ts';
import { openDatabase, type Row } from '../store/database.ts';
import { excerptOf } from './block-parser.ts';
import { judge } from './judge.ts';
import { sampleOf, tellLayout } from './layout.ts';
import { openLineReader, type LineReader } from './line-reader.ts';
import { readInputs } from './read-inputs.ts';
import type { ReadRequest } from './run.ts';

export interface ExplainedRequest {
  target: Target;
  signal: Signal;
  rule: RuleInWords;
}

export interface ExplainedLine {
  /** Masked, shortened; undefined if the input has fewer lines. */
  text: string | undefined;
  /** In the order of the line. */
  requests: ExplainedRequest[];
  /** Why the line begins no request: not understood, no access record, or a further piece of a request that began before. */
  otherwise: RejectReason | 'other' | 'part' | undefined;
}

/** Explains a line of an input. The whole input is read, since a contract may have to be inferred from it. */
export async function explainLine(name: string, line: number, request: Omit<ReadRequest, 'inputs'>): Promise<ExplainedLine> {
  const inputs = listInputs([name]);
  const onWarning = request.onWarning ?? (() => undefined);
  const database = await openDatabase();
  try {
    await readInputs(database, inputs, { ...request, threads: 1, onWarning });
    await judge(database, request);
    const rows = await database.rows(
      `SELECT ${TARGET_COLUMNS.map((column) => `t."${column}" AS "t_${column}"`).join(', ')}, ${SIGNAL_COLUMNS.map((column) => `s."${column}" AS "s_${column}"`).join(', ')}
       FROM requests AS r JOIN targets AS t ON t.id = r.target JOIN signals AS s ON s.id = r.signal
       WHERE r.line = ${line} ORDER BY r.part`,
      'explain',
    );
    const requests = rows.map((row) => {
      const target = pick(row, 't_') as unknown as Target;
      const signal = pick(row, 's_') as unknown as Signal;
      return { target, signal, rule: explain(target, signal) };
    });
    const found = await findLine(inputs[0] as Input, line, request);
    return { ...found, requests, otherwise: requests.length > 0 ? undefined : found.otherwise };
  } finally {
    await database.close();
  }
}

function pick(row: Row, prefix: string): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
}

type Found = Pick<ExplainedLine, 'text' | 'otherwise'>;

/** Reads the log up to where the line is accounted for. */
async function findLine(input: Input, wanted: number, request: Omit<ReadRequest, 'inputs'>): Promise<Found> {
  const { sources } = openSources(input, { maxExpansion: request.maxExpansion, problem: () => undefined });
  for await (const source of sources) return findLineIn(source, wanted, request);
  return { text: undefined, otherwise: undefined };
}

async function findLineIn(source: Source, wanted: number, request: Omit<ReadRequest, 'inputs'>): Promise<Found> {
  const context = { timeZone: request.timeZone, fileTime: source.modified };
  const formats = {
    format: request.logFormat === undefined ? undefined : formatOf(request.logFormat),
    described: request.described?.map(formatOf),
  };
  const decoder = new TextDecoder();
  let reader: LineReader | undefined;
  let text: string | undefined;
  let otherwise: Found['otherwise'];
  const isFound = () => text !== undefined && otherwise !== undefined;
  const found = (what: NonNullable<Found['otherwise']>, line: number): void => {
    if (line === wanted) otherwise = what;
  };
  const sink = {
    record: () => undefined,
    halves: (_: unknown, line: number, isCounted: boolean) => {
      if (isCounted) found('part', line);
    },
    reject: (line: number, reason: RejectReason) => found(reason, line),
    count: (what: 'records' | 'parts' | 'other', line: number) => found(what === 'other' ? 'other' : 'part', line),
  };
  const push = (line: string, goesOn: boolean): void => {
    reader?.push(line, goesOn);
    if (text === undefined && reader?.lines() === wanted) text = line;
  };

  for await (const block of readPieces(source.chunks)) {
    reader ??= openLineReader(tellLayout(sampleOf([block]), context, formats), context, sink);
    if ('piece' in block) push(decoder.decode(block.piece, { stream: block.goesOn }), block.goesOn);
    else {
      const bytes = Buffer.from(block.lines.buffer, block.lines.byteOffset, block.lines.length);
      eachLine(bytes, (start, end) => {
        if (!isFound()) push(lineText(bytes, start, end), false);
      });
    }
    if (isFound()) break;
  }
  reader?.end();
  return { text: text === undefined ? undefined : excerptOf(text), otherwise };
}
