// Where blocks are parsed: here, or in worker threads once there is enough to make their start worth it. Batches come back in order.
import { Worker } from 'node:worker_threads';
import { openBlockParser, type Batch, type BlockOrigin, type BlockPart } from './block-parser.ts';
import type { BlockMessage } from './worker.ts';

/** Bytes parsed on the calling thread before workers are started: a small log is done sooner than a thread is up. */
const WORKER_THRESHOLD = 8 << 20;
/** Blocks under way per worker: one being parsed, one waiting. */
const DEPTH = 2;

export interface Parsers {
  /** Gives a block away; those of an ordered source all go to one thread. Resolves at once, or awaits while too many are under way; `deliver` is called once per block, in the order of the calls. */
  parse(origin: BlockOrigin, part: BlockPart): Promise<void>;
  /** Awaits all that is under way. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export type Deliver = (origin: BlockOrigin, batch: Batch) => void;

/** Returns parsers on so many threads, of which the calling one is the first: it parses, too, whenever the others have enough to do. */
export function openParsers(threads: number, deliver: Deliver): Parsers {
  const own = openBlockParser();
  const workers: Worker[] = [];
  let spare: ArrayBuffer[] = [];
  let bytes = 0;
  let turn = 0;
  let asked = 0;
  let underWay: Promise<void>[] = [];
  const threadsOf = new Map<number, Worker | undefined>();

  function hand(origin: BlockOrigin, batch: Batch): void {
    deliver(origin, batch);
    for (const { buffer } of [...batch.slabs, ...batch.citedSlabs]) spare.push(buffer);
  }

  function takeSpare(): ArrayBuffer[] {
    const taken = spare;
    spare = [];
    return taken;
  }

  async function askWorker(worker: Worker, origin: BlockOrigin, part: BlockPart): Promise<Batch> {
    asked++;
    const batch = await ask(worker, { origin, part, spare: takeSpare() });
    asked--;
    return batch;
  }

  function startWorkers(): void {
    for (let thread = workers.length + 1; thread < threads; thread++) workers.push(startWorker());
  }

  /** The thread that reads an ordered source from its first block to its last: another one only if there will be enough to do. */
  function threadOf({ id, bytes: size }: NonNullable<BlockOrigin['ordered']>): Worker | undefined {
    if (!threadsOf.has(id)) {
      const isLarge = (size ?? 0) >= WORKER_THRESHOLD;
      if (isLarge) startWorkers();
      threadsOf.set(id, isLarge ? workers[turn++ % workers.length] : undefined);
    }
    return threadsOf.get(id);
  }

  function batchOf(origin: BlockOrigin, part: BlockPart): Promise<Batch> | Batch {
    if (origin.ordered !== undefined) {
      const worker = threadOf(origin.ordered);
      if (part === 'end') threadsOf.delete(origin.ordered.id);
      return worker === undefined ? own.parse(origin, part, spare) : askWorker(worker, origin, part);
    }
    const isFree = asked < workers.length * DEPTH;
    return isFree ? askWorker(workers[turn++ % workers.length] as Worker, origin, part) : own.parse(origin, part, spare);
  }

  return {
    async parse(origin, part) {
      bytes += sizeOf(part);
      if (threads > 1 && bytes >= WORKER_THRESHOLD && origin.ordered === undefined) startWorkers();
      const before = underWay.at(-1);
      const batch = batchOf(origin, part);
      if (before === undefined && !(batch instanceof Promise)) return hand(origin, batch);
      const delivered = Promise.all([batch, before]).then(([parsed]) => hand(origin, parsed));
      delivered.catch(() => undefined);
      underWay.push(delivered);
      if (underWay.length > workers.length * DEPTH + 1) await underWay.shift();
    },
    async finish() {
      await Promise.all(underWay);
      underWay = [];
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** Questions that a worker was sent and has not answered, oldest first: it answers in order. */
const waiting = new WeakMap<Worker, { resolve(batch: Batch): void; reject(error: Error): void }[]>();

function startWorker(): Worker {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 8 } });
  const questions: { resolve(batch: Batch): void; reject(error: Error): void }[] = [];
  waiting.set(worker, questions);
  worker.on('message', (batch: Batch) => questions.shift()?.resolve(batch));
  worker.on('error', (error) => {
    for (const question of questions.splice(0)) question.reject(error);
  });
  return worker;
}

function ask(worker: Worker, message: BlockMessage): Promise<Batch> {
  return new Promise((resolve, reject) => {
    waiting.get(worker)?.push({ resolve, reject });
    worker.postMessage(message, [...buffersOf(message.part), ...message.spare]);
  });
}

function bytesOf(part: BlockPart): Uint8Array<ArrayBuffer> | undefined {
  if (part === 'end') return undefined;
  return 'lines' in part ? part.lines : part.piece;
}

function sizeOf(part: BlockPart): number {
  return bytesOf(part)?.length ?? 0;
}

function buffersOf(part: BlockPart): ArrayBuffer[] {
  const bytes = bytesOf(part);
  return bytes === undefined ? [] : [bytes.buffer];
}
