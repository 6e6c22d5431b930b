// The filter: raw log in, tagged requests out as they are understood, on a pipe that may never end.
import ndjson from 'ndjson';
import { classify } from '../classify/classify.ts';
import type { Contract } from '../contract/contract.ts';
import { openContract } from '../contract/open.ts';
import { detectFormat, parseLine } from '../formats/detect.ts';
import type { Format, Origin } from '../formats/format.ts';
import { FORMATS } from '../formats/index.ts';
import { openPairing, type Paired } from '../formats/pair.ts';
import { toTagged, type Tagged } from '../formats/tagged.ts';
import { MAX_LINE, readBlocks } from '../read/blocks.ts';
import { openBytes } from '../read/bytes.ts';
import { listInputs, type Input } from '../read/inputs.ts';
import { eachLine, lineText } from '../read/lines.ts';
import type { AccessRecord } from '../record.ts';
import { sampleLines } from './read-inputs.ts';
import { clientKey } from './dictionary.ts';
import type { ReadRequest } from './run.ts';

/**
 * Writes one tagged request a line, each block of input as one piece of text. Only the documents say what is declared: a filter
 * cannot look ahead.
 */
export async function classifyStream(request: ReadRequest, write: (text: string) => Promise<void>): Promise<void> {
  const contract = await openContract({ documents: request.documents, endpoints: request.endpoints, infer: false }, []);
  for (const input of listInputs(request.inputs)) {
    for await (const requests of classifyInput(input, contract, request)) await write(await lines(requests));
  }
}

async function* classifyInput(input: Input, contract: Contract, request: ReadRequest): AsyncIterable<Tagged[]> {
  const context = { timeZone: request.timeZone };
  const pairing = openPairing();
  let format: Format | undefined = request.logFormat && FORMATS[request.logFormat];
  let line = 0;
  let requests: Tagged[] = [];

  const add = (record: AccessRecord, at: number, part: number, cited?: Origin): void => {
    const verdict = classify(contract.describe(record), record.signal);
    const origin = cited ?? { source: input.name, line: at, part, format: format?.name ?? 'unknown' };
    requests.push(toTagged(record, origin, clientKey(record, origin.source), verdict));
  };
  const addPaired = ({ record, line: at, part }: Paired): void => add(record, at, part);

  const { chunks } = openBytes(input, { abort: request.abort, problem: request.onWarning ?? (() => undefined) });
  for await (const block of readBlocks(chunks, { prompt: true })) {
    if ('tooLong' in block) {
      line++;
      continue;
    }
    const bytes = Buffer.from(block.lines.buffer, block.lines.byteOffset, block.lines.length);
    format ??= detectFormat(sampleLines(bytes), context);
    eachLine(bytes, (start, end) => {
      line++;
      if (start === end || end - start > MAX_LINE) return;
      const parsed = parseLine(lineText(bytes, start, end), format, context);
      if (typeof parsed === 'string' || 'reject' in parsed) return;
      if ('halves' in parsed) pairing.add(parsed.halves, line, addPaired);
      else for (const [part, record] of parsed.records.entries()) add(record, line, part, parsed.origin);
    });
    if (requests.length > 0) yield requests;
    requests = [];
  }
  pairing.end(addPaired);
  if (requests.length > 0) yield requests;
}

function lines(requests: readonly Tagged[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = ndjson.stringify();
    let text = '';
    stream.on('data', (piece: string | Buffer) => (text += String(piece)));
    stream.on('error', reject);
    stream.on('end', () => resolve(text));
    for (const request of requests) stream.write(request);
    stream.end();
  });
}
