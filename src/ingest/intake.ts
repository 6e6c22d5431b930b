// Takes batches in order and puts them into the store: rows, dimension texts, rejects, and the accounts of each source.
import { openPairing, type Paired } from '../formats/pair.ts';
import type { AccessRecord, RejectReason, SourceCounts } from '../record.ts';
import { openRequestAppender, openRowAppender } from '../store/append.ts';
import type { Database } from '../store/database.ts';
import { placeSlab, Slab, SLAB_ROWS, type SlabData } from '../store/slab.ts';
import type { Batch, RejectedLine } from './block-parser.ts';
import { openDictionary, type Dimensions } from './dictionary.ts';
import { identify, type Identity } from './identity.ts';
import { textId } from './ids.ts';
import { writeRow } from './rows.ts';

/** Rejects of one source and reason that are kept with their text; of all others the place is kept. */
const EXAMPLES = 20;

export interface IntakeOptions {
  /** Called with each rejected line, in order. */
  identity?: Identity | undefined;
  onReject?: ((source: string, reject: RejectedLine) => void) | undefined;
}

export interface Intake {
  /** Begins a source; its batches follow until `end`. */
  begin(name: string): void;
  take(batch: Batch): void;
  /** Counts a line that was too long to be read. */
  reject(reject: Omit<RejectedLine, 'line'>): void;
  /** Lines of all sources so far. */
  lines(): number;
  /** Ends the source: requests that were never answered become records. Returns how its lines were accounted for. */
  end(facts: { format: string; bytes: number }): SourceCounts;
  close(): void;
}

export async function openIntake(database: Database, options: IntakeOptions = {}): Promise<Intake> {
  const { connection } = database;
  const requests = await openRequestAppender(connection);
  const clients = await openRowAppender(connection, 'client_texts');
  const targets = await openRowAppender(connection, 'target_texts');
  const signals = await openRowAppender(connection, 'signal_texts');
  const rejects = await openRowAppender(connection, 'rejects');
  const credentials = await openRowAppender(connection, 'credentials');
  const keys = await openRowAppender(connection, 'request_keys');
  const sources = await openRowAppender(connection, 'sources');
  const dictionary = openDictionary();
  let source = openSource('');
  const origins = new Set<string>();
  let ended = 0;

  function addDimensions(dimensions: Dimensions): void {
    for (const row of dimensions.clients) clients.append({ ...row });
    for (const row of dimensions.targets) targets.append({ ...row });
    for (const row of dimensions.signals) signals.append({ ...row });
  }

  /** A source that is only cited, not read: its row has a name and nothing else. */
  function addOrigin(name: string): void {
    if (origins.has(name)) return;
    origins.add(name);
    sources.append({ id: textId(name), name });
  }

  function addSlab(slab: SlabData, linesBefore: number): void {
    placeSlab(slab, source.id, linesBefore);
    requests.append(slab);
  }

  function addReject(reject: RejectedLine): void {
    const { line, reason, excerpt } = reject;
    const seen = source.examples.get(reason) ?? 0;
    source.examples.set(reason, seen + 1);
    source.counts.rejects++;
    rejects.append({ source: source.id, line, reason, excerpt: seen < EXAMPLES ? excerpt : null });
    options.onReject?.(source.name, reject);
  }

  function addCredential(line: number, place: string): void {
    credentials.append({ source: source.id, line, place });
  }

  /** Requests that halves were joined into; their lines are absolute. */
  function addPaired(paired: readonly Paired[]): void {
    let slab = new Slab();
    for (const { record, line, part } of paired) {
      addRow(slab, identify(record, options.identity), line, part);
      if (slab.rows < SLAB_ROWS) continue;
      addSlab(slab, 0);
      slab = new Slab();
    }
    addSlab(slab, 0);
    addDimensions(dictionary.take());
  }

  function addRow(slab: Slab, record: AccessRecord, line: number, part: number): void {
    writeRow(slab, record, { source: source.name, line, part }, dictionary);
    if (record.credential !== null) addCredential(line, record.credential);
  }

  return {
    begin(name) {
      source = openSource(name);
    },
    take(batch) {
      const { counts } = source;
      const before = batch.isOrdered ? 0 : counts.lines;
      counts.lines += batch.counts.lines;
      counts.records += batch.counts.records;
      counts.parts += batch.counts.parts;
      counts.other += batch.counts.other;
      addDimensions(batch);
      for (const slab of batch.slabs) addSlab(slab, before);
      for (const slab of batch.citedSlabs) requests.append(slab);
      for (const origin of batch.origins) addOrigin(origin);
      for (const { line, place } of batch.credentials) addCredential(before + line, place);
      for (const key of batch.keys) keys.append({ source: source.id, ...key, line: before + key.line });
      for (const reject of batch.rejects) addReject({ ...reject, line: before + reject.line });
      if (batch.halves.length === 0) return;
      const paired: Paired[] = [];
      for (const { line, halves, isCounted } of batch.halves) {
        const begins = source.pairing.add(halves, before + line, (one) => paired.push(one));
        if (!isCounted) continue;
        if (begins) counts.records++;
        else counts.parts++;
      }
      addPaired(paired);
    },
    reject(reject) {
      addReject({ ...reject, line: ++source.counts.lines });
    },
    lines: () => ended + source.counts.lines,
    end({ format, bytes }) {
      const paired: Paired[] = [];
      source.pairing.end((one) => paired.push(one));
      addPaired(paired);
      const { id, name, counts } = source;
      ended += counts.lines;
      source = openSource('');
      sources.append({ id, name, format, bytes, ...counts });
      return { name, format, bytes, ...counts };
    },
    close() {
      for (const appender of [requests, clients, targets, signals, rejects, credentials, keys, sources]) appender.close();
    },
  };
}

function openSource(name: string) {
  return {
    name,
    id: textId(name),
    pairing: openPairing(),
    examples: new Map<RejectReason, number>(),
    counts: { lines: 0, records: 0, rejects: 0, other: 0, parts: 0, duplicates: 0 },
  };
}
