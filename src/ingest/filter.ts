// The filter: raw log in, tagged requests out as they are understood, on a pipe that may never end.
import ndjson from 'ndjson';
import { classify } from '../classify/classify.ts';
import type { Contract } from '../contract/contract.ts';
import { openContract } from '../contract/open.ts';
import type { Origin } from '../formats/format.ts';
import { formatOf } from '../formats/log-format/index.ts';
import { openPairing, type Paired } from '../formats/pair.ts';
import { toTagged, type Tagged } from '../formats/tagged.ts';
import * as messages from '../messages.ts';
import { readPieces } from '../read/blocks.ts';
import { openSources, type Source } from '../read/bytes.ts';
import { listInputs } from '../read/inputs.ts';
import { eachLine, lineText } from '../read/lines.ts';
import type { AccessRecord } from '../record.ts';
import { clientKey } from './dictionary.ts';
import { identify } from './identity.ts';
import { sampleOf, tellLayout, type Beginning } from './layout.ts';
import { openLineReader, type LineReader, type LineSink } from './line-reader.ts';
import type { ReadRequest } from './run.ts';

/**
 * Writes one tagged request a line, each block of input as one piece of text. Only the documents say what is declared: a filter
 * cannot look ahead.
 */
export async function classifyStream(request: ReadRequest, write: (text: string) => Promise<void>): Promise<void> {
  const contract = await openContract({ documents: request.documents, endpoints: request.endpoints, infer: false }, []);
  const problem = request.onWarning ?? (() => undefined);
  for (const input of listInputs(request.inputs)) {
    const { sources } = openSources(input, { abort: request.abort, maxExpansion: request.maxExpansion, problem });
    for await (const source of sources) {
      for await (const requests of classifySource(source, contract, request)) await write(await lines(requests));
    }
  }
}

/** Lines are read in order, one after the other: what is told of the first helps with those that follow. */
async function* classifySource(source: Source, contract: Contract, request: ReadRequest): AsyncIterable<Tagged[]> {
  const context = { timeZone: request.timeZone, fileTime: source.modified };
  const wanted = {
    format: request.logFormat === undefined ? undefined : formatOf(request.logFormat),
    described: request.described?.map(formatOf),
  };
  const pairing = openPairing();
  const decoder = new TextDecoder();
  let reader: LineReader | undefined;
  let format = 'unknown';
  let isZoneless = false;
  let requests: Tagged[] = [];

  const add = (read: AccessRecord, line: number, part: number, cited?: Origin): void => {
    const record = identify(read, request.identity);
    const verdict = classify(contract.describe(record), record.signal);
    const origin = cited ?? { source: source.name, line, part, format };
    requests.push(toTagged(record, origin, record.client_key ?? clientKey(record, origin.source), verdict));
  };
  const addPaired = ({ record, line, part }: Paired): void => add(record, line, part);
  const sink: LineSink = {
    record: (record, line, part, origin) => add(record, line, part, origin),
    halves: (halves, line) => void pairing.add(halves, line, addPaired),
    reject: () => undefined,
    count: () => undefined,
    zoneless() {
      if (!isZoneless && request.isZoneAssumed === true) request.onWarning?.(messages.zoneAssumed(source.name, request.timeZone));
      isZoneless = true;
    },
    told(told) {
      if (format === 'unknown' && told.format !== undefined) format = told.format.name;
    },
  };
  const begin = (beginning: Beginning): LineReader => {
    const layout = tellLayout(sampleOf([beginning]), context, wanted);
    if (layout.format !== undefined) format = layout.format.name;
    return openLineReader(layout, context, sink);
  };

  for await (const block of readPieces(source.chunks, { prompt: true })) {
    reader ??= begin(block);
    if ('piece' in block) reader.push(decoder.decode(block.piece, { stream: block.goesOn }), block.goesOn);
    else {
      const bytes = Buffer.from(block.lines.buffer, block.lines.byteOffset, block.lines.length);
      const { push } = reader;
      eachLine(bytes, (start, end) => push(lineText(bytes, start, end)));
    }
    if (requests.length > 0) yield requests;
    requests = [];
  }
  reader?.end();
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
