// A worker thread: blocks in, batches out, in the order they came.
import { parentPort } from 'node:worker_threads';
import { openBlockParser, type Batch, type BlockOrigin, type BlockPart } from './block-parser.ts';

export interface BlockMessage {
  origin: BlockOrigin;
  part: BlockPart;
  /** Buffers of slabs that are done with. */
  spare: ArrayBuffer[];
}

const parser = openBlockParser();

parentPort?.on('message', ({ origin, part, spare }: BlockMessage) => {
  const batch = parser.parse(origin, part, spare);
  parentPort?.postMessage(batch, transferable(batch));
});

function transferable(batch: Batch): ArrayBuffer[] {
  batch.slabs = batch.slabs.map(({ rows, buffer }) => ({ rows, buffer }));
  batch.citedSlabs = batch.citedSlabs.map(({ rows, buffer }) => ({ rows, buffer }));
  return [...batch.slabs, ...batch.citedSlabs].map(({ buffer }) => buffer);
}
