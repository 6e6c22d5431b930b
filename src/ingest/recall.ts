// The fast path: a scanner finds the fields of a line, and what their bytes stand for is remembered from the first time they were parsed.
import type { BlockBytes, Format } from '../formats/format.ts';
import { clearFound, newFound } from '../formats/scan.ts';
import type { AccessRecord } from '../record.ts';
import { COLUMN, type Slab } from '../store/slab.ts';
import type { Dictionary } from './dictionary.ts';
import { hashAscii, newId, parseHexId } from './ids.ts';
import { Memo } from './memo.ts';
import { isUnique, setId } from './rows.ts';

export interface Recall {
  /** Fills a row from what is known of the line's bytes. Returns false if the line must be parsed; a single record then goes to `learn`. */
  fill(slab: Slab, block: BlockBytes, start: number, end: number, line: number): boolean;
  /** Remembers the record of the line that `fill` has just refused. */
  learn(block: BlockBytes, record: AccessRecord): void;
}

/** Returns the fast path of a format that has a scanner. */
export function openRecall(scan: NonNullable<Format['scan']>, dictionary: Dictionary): Recall {
  const found = newFound();
  const [clients, targets, signals, sessions] = [new Memo(), new Memo(), new Memo(), new Memo()];
  const [client, target, signal, session, correlation] = [newId(), newId(), newId(), newId(), newId()];
  let isUsual = false;
  let [knowsClient, knowsTarget, knowsSignal, knowsSession] = [false, false, false, false];

  return {
    fill(slab, block, start, end, line) {
      const { bytes, view } = block;
      clearFound(found);
      isUsual = scan(block, start, end, found);
      if (!isUsual) return false;
      const hasSession = found.session.count > 0;
      knowsClient = clients.get(view, found.client, client);
      knowsTarget = targets.get(view, found.target, target);
      knowsSignal = signals.get(view, found.signal, signal);
      knowsSession = !hasSession || sessions.get(view, found.session, session);
      if (!knowsClient || !knowsTarget || !knowsSignal || !knowsSession) return false;
      setId(slab, COLUMN.client, client);
      setId(slab, COLUMN.target, target);
      setId(slab, COLUMN.operation, target);
      setId(slab, COLUMN.signal, signal);
      if (hasSession) setId(slab, COLUMN.session_token, session);
      if (found.correlation.count > 0) {
        const from = found.correlation.at[0] as number;
        const to = found.correlation.at[1] as number;
        if (isUnique(to - from)) {
          hashAscii(bytes, from, to, correlation);
          setId(slab, COLUMN.correlation, correlation);
        }
      }
      slab.setHalves(COLUMN.line, line, 0);
      slab.setHalves(COLUMN.part, 0, 0);
      setNumber(slab, COLUMN.ts, found.ts);
      setNumber(slab, COLUMN.duration_us, found.duration_us);
      setNumber(slab, COLUMN.request_bytes, found.request_bytes);
      setNumber(slab, COLUMN.response_bytes, found.response_bytes);
      setNumber(slab, COLUMN.attempts, found.attempts);
      slab.endRow();
      return true;
    },
    learn({ view }, record) {
      if (!isUsual || !isPlain(record) || (record.session !== null && found.session.count === 0)) return;
      if (!knowsClient) clients.set(view, found.client, dictionary.client(record));
      if (!knowsTarget) targets.set(view, found.target, dictionary.target(record));
      if (!knowsSignal) signals.set(view, found.signal, dictionary.signal(record.signal));
      if (knowsSession || record.session === null) return;
      parseHexId(record.session, session);
      sessions.set(view, found.session, session);
    },
  };
}

/** Whether all of a record is in the ranges: no place of a credential to report, no arguments, and a client that is not its source's. */
function isPlain({ credential, arguments_hash, address, user_agent }: AccessRecord): boolean {
  return credential === null && arguments_hash === null && (address !== null || user_agent !== null);
}

function setNumber(slab: Slab, column: number, value: number): void {
  if (!Number.isNaN(value)) slab.setNumber(column, value);
}
