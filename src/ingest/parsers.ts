// Where blocks are parsed: here, or in worker threads once there is enough to make their start worth it. Batches come back in order.
import { Worker } from 'node:worker_threads';
import { openBlockParser, type Batch, type BlockOrigin } from './block-parser.ts';
import type { BlockMessage } from './worker.ts';

/** Bytes parsed on the calling thread before workers are started: a small log is done sooner than a thread is up. */
const WORKER_THRESHOLD = 8 << 20;
/** Blocks under way per worker: one being parsed, one waiting. */
const DEPTH = 2;

export interface Parsers {
  /** Gives a block away. Resolves at once, or awaits while too many are under way; `deliver` is called once per block, in the order of the calls. */
  parse(origin: BlockOrigin, lines: Uint8Array<ArrayBuffer>): Promise<void>;
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

  function hand(origin: BlockOrigin, batch: Batch): void {
    deliver(origin, batch);
    for (const { buffer } of [...batch.slabs, ...batch.citedSlabs]) spare.push(buffer);
  }

  function takeSpare(): ArrayBuffer[] {
    const taken = spare;
    spare = [];
    return taken;
  }

  async function askWorker(origin: BlockOrigin, lines: Uint8Array<ArrayBuffer>): Promise<Batch> {
    const worker = workers[turn++ % workers.length] as Worker;
    asked++;
    const batch = await ask(worker, { origin, lines, spare: takeSpare() });
    asked--;
    return batch;
  }

  return {
    async parse(origin, lines) {
      bytes += lines.length;
      if (workers.length === 0 && threads > 1 && bytes >= WORKER_THRESHOLD) {
        for (let thread = 1; thread < threads; thread++) workers.push(startWorker());
      }
      if (workers.length === 0) return hand(origin, own.parse(origin, lines, spare));
      const before = underWay.at(-1);
      const batch = asked < workers.length * DEPTH ? askWorker(origin, lines) : own.parse(origin, lines, spare);
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
    worker.postMessage(message, [message.lines.buffer, ...message.spare]);
  });
}
