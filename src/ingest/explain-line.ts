// What became of one line of a log: the requests that begin on it, with the rule that decided each, or why there are none.
import { explain, type RuleInWords } from '../classify/index.ts';
import { detectFormat, parseLine } from '../formats/detect.ts';
import { FORMATS } from '../formats/index.ts';
import { readBlocks } from '../read/blocks.ts';
import { openBytes } from '../read/bytes.ts';
import { listInputs, type Input } from '../read/inputs.ts';
import { eachLine, lineText } from '../read/lines.ts';
import { SIGNAL_COLUMNS, TARGET_COLUMNS, type RejectReason, type Signal, type Target } from '../record.ts';
import { openDatabase, type Row } from '../store/database.ts';
import { excerptOf } from './block-parser.ts';
import { judge } from './judge.ts';
import { readInputs, sampleLines } from './read-inputs.ts';
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

async function findLine(
  input: Input,
  wanted: number,
  request: Omit<ReadRequest, 'inputs'>,
): Promise<Pick<ExplainedLine, 'text' | 'otherwise'>> {
  const context = { timeZone: request.timeZone };
  let format = request.logFormat && FORMATS[request.logFormat];
  let line = 0;
  let text: string | undefined;
  const { chunks } = openBytes(input, { problem: () => undefined });
  for await (const block of readBlocks(chunks)) {
    if ('tooLong' in block) {
      line++;
      if (line === wanted) return { text: excerptOf(Buffer.from(block.tooLong).toString('latin1')), otherwise: 'line_too_long' };
      continue;
    }
    const bytes = Buffer.from(block.lines.buffer, block.lines.byteOffset, block.lines.length);
    format ??= detectFormat(sampleLines(bytes), context);
    eachLine(bytes, (start, end) => {
      line++;
      if (line === wanted) text = lineText(bytes, start, end);
    });
    if (text === undefined) continue;
    const parsed = parseLine(text, format, context);
    const otherwise = typeof parsed === 'string' ? 'other' : 'reject' in parsed ? parsed.reject : 'part';
    return { text: excerptOf(text), otherwise };
  }
  return { text: undefined, otherwise: undefined };
}
