// Joins the halves of requests that two lines tell of, in bounded memory and always the same way.
import { UNKNOWN_SIGNAL, type AccessRecord } from '../record.ts';
import type { Half } from './format.ts';
import { withSignal } from './signal.ts';

/** A finished request with the line of its first half; `part` numbers the requests that begin on one line. */
export interface Paired {
  record: AccessRecord;
  line: number;
  part: number;
}

export interface Pairing {
  /**
   * Takes the halves of one line and emits every request that is finished by them. Returns whether the line begins at least one
   * request; one that only answers is a part.
   */
  add(halves: readonly Half[], line: number, emit: (paired: Paired) => void): boolean;
  /** Emits the requests that nothing answered, in their order. */
  end(emit: (paired: Paired) => void): void;
}

/** What an opening request says of all that follow on its connection. */
interface Introduction {
  user_agent: string | null;
  protocol_version: AccessRecord['signal']['protocol_version'];
}

interface Pending extends Paired {
  connection: string | undefined;
}

/** Unanswered requests that are waited for; beyond that the oldest is let go. */
const MAX_PENDING = 65_536;
/** Of these, so many may wait under one key. */
const MAX_QUEUE = 1024;
const MAX_CONNECTIONS = 4096;

/** Returns an empty pairing: one for each source. */
export function openPairing(maxPending = MAX_PENDING): Pairing {
  const pending = new Map<string, Pending[]>();
  let waiting = 0;
  const introductions = new Map<string, Introduction>();

  /** Takes over who speaks and which revision, where a connection said so once. */
  function introduce(record: AccessRecord, connection: string | undefined): AccessRecord {
    if (connection === undefined) return record;
    const known = introductions.get(connection);
    const isOpening = record.rpc_method === 'initialize';
    if (isOpening || (known === undefined && record.user_agent !== null)) {
      if (introductions.size >= MAX_CONNECTIONS) introductions.delete(introductions.keys().next().value ?? '');
      introductions.set(connection, { user_agent: record.user_agent, protocol_version: record.signal.protocol_version });
      return record;
    }
    if (known === undefined) return record;
    const { signal } = record;
    const version = signal.protocol_version ?? known.protocol_version;
    return {
      ...record,
      user_agent: record.user_agent ?? known.user_agent,
      signal: withSignal(signal, 'protocol_version', version),
    };
  }

  function join(request: Pending, answer: AccessRecord): Paired {
    const record = joinHalves(request.record, answer);
    const introduction = introductions.get(request.connection ?? '');
    if (record.rpc_method === 'initialize' && introduction !== undefined) {
      introduction.protocol_version = record.signal.protocol_version ?? introduction.protocol_version;
    }
    return { record, line: request.line, part: request.part };
  }

  /** Returns the request that waits longest under a key, which then waits no more. */
  function take(key: string): Pending | undefined {
    const queue = pending.get(key);
    const first = queue?.shift();
    if (first !== undefined) waiting--;
    if (queue?.length === 0) pending.delete(key);
    return first;
  }

  function wait(key: string, request: Pending): void {
    const queue = pending.get(key);
    if (queue === undefined) pending.set(key, [request]);
    else queue.push(request);
    waiting++;
  }

  return {
    add(halves, line, emit) {
      let begun = 0;
      for (const { key, side, record, connection, isOrdered, back = 0 } of halves) {
        const request = side === 'response' ? take(key) : undefined;
        if (request !== undefined) {
          emit(join(request, record));
          continue;
        }
        const begins = { record: introduce(record, connection), line: line - back, part: begun++ };
        if (side !== 'request') {
          emit(begins);
          continue;
        }
        // An id that comes again before its answer belongs to a new connection.
        const isFull = isOrdered === undefined || pending.get(key)?.length === MAX_QUEUE;
        const unanswered = isFull ? take(key) : undefined;
        if (unanswered !== undefined) emit(unanswered);
        wait(key, { ...begins, connection });
        const oldest = waiting > maxPending ? take(pending.keys().next().value ?? '') : undefined;
        if (oldest !== undefined) emit(oldest);
      }
      return begun > 0;
    },
    end(emit) {
      const unanswered = [...pending.values()].flat().toSorted((a, b) => a.line - b.line || a.part - b.part);
      pending.clear();
      waiting = 0;
      for (const request of unanswered) emit(request);
    },
  };
}

/** Returns one record of both halves: the request's facts win, the answer gives its signal and the time it took. */
export function joinHalves(request: AccessRecord, answer: AccessRecord): AccessRecord {
  const shown = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null));
  const isTimed = request.ts !== null && answer.ts !== null && answer.ts >= request.ts;
  const took = isTimed ? Number(answer.ts) - Number(request.ts) : null;
  return {
    ...answer,
    ...shown,
    ts: request.ts,
    duration_us: request.duration_us ?? answer.duration_us ?? took,
    signal: joinSignals(request.signal, answer.signal),
  };
}

function joinSignals(request: AccessRecord['signal'], answer: AccessRecord['signal']): AccessRecord['signal'] {
  let signal = answer;
  for (const column of Object.keys(request) as (keyof typeof request)[]) {
    if (answer[column] === UNKNOWN_SIGNAL[column]) signal = withSignal(signal, column, request[column]);
  }
  return signal;
}
