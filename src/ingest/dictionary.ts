// Texts that repeat become ids. Each text is handed out once for its dimension table, or again after the memory was emptied:
// doubles fall out by id later, so the memory may be as small as we like.
import { SIGNAL_COLUMNS, type LineClient, type LineTarget, type Signal } from '../record.ts';
import { hashPair, hashText, idNumber, newId, parseHexId, type Id } from './ids.ts';

/** Texts kept per dimension before the memory is emptied. */
const CAPACITY = 1 << 17;

export interface ClientRow {
  id: bigint;
  address: string | null;
  user_agent: string | null;
  principal: string | null;
  key: string;
}
export type TargetRow = LineTarget & { id: bigint };
export type SignalRow = Signal & { id: bigint };

/** New rows of the dimension tables since they were last taken. */
export interface Dimensions {
  clients: ClientRow[];
  targets: TargetRow[];
  signals: SignalRow[];
}

export interface Dictionary {
  client(record: LineClient, source?: string): Id;
  target(target: LineTarget): Id;
  /** The id of a target together with the call's arguments, where they are logged: the retry key without its client. */
  operation(target: Id, argumentsHash: string | null): Id;
  signal(signal: Signal): Id;
  take(): Dimensions;
}

const SEPARATOR = '\u0000';

export function openDictionary(): Dictionary {
  let fresh: Dimensions = { clients: [], targets: [], signals: [] };
  const clients = new Map<string, Id>();
  const targets = new Map<string, Id>();
  const signals = new Map<string, Id>();
  const known = new Map<Signal, Id>();
  const scratch = newId();
  const operation = newId();

  return {
    client(record, source = '') {
      const text = clientText(record, source);
      return intern(clients, text, (id) =>
        fresh.clients.push({
          id,
          address: record.address,
          user_agent: record.user_agent,
          principal: record.principal,
          key: record.client_key ?? clientKey(record, source),
        }),
      );
    },
    target(target) {
      const { authority, http_method, path, rpc_method, rpc_name } = target;
      const text = [authority, http_method, path, rpc_method, rpc_name].map(present).join(SEPARATOR);
      return intern(targets, text, (id) => fresh.targets.push({ id, authority, http_method, path, rpc_method, rpc_name }));
    },
    operation(target, argumentsHash) {
      if (argumentsHash === null) return target;
      parseHexId(argumentsHash, scratch);
      hashPair(target, scratch, operation);
      return operation;
    },
    signal(signal) {
      const seen = known.get(signal);
      if (seen) return seen;
      const id = intern(signals, signalText(signal), (number) => fresh.signals.push({ id: number, ...signal }));
      if (known.size >= CAPACITY) known.clear();
      known.set(signal, id);
      return id;
    },
    take() {
      const taken = fresh;
      fresh = { clients: [], targets: [], signals: [] };
      return taken;
    },
  };
}

function intern(memory: Map<string, Id>, text: string, add: (id: bigint) => void): Id {
  const seen = memory.get(text);
  if (seen) return seen;
  const id = newId();
  hashText(text, id);
  if (memory.size >= CAPACITY) memory.clear();
  memory.set(text, id);
  add(idNumber(id));
  return id;
}

function present(value: string | null): string {
  return value === null ? '' : `=${value}`;
}

/** The canonical text of a line client; a log that names no client has one per source. */
function clientText({ address, user_agent, principal }: LineClient, source: string): string {
  const isUnknown = address === null && user_agent === null && principal === null;
  return [address, user_agent, principal, isUnknown ? source : null].map(present).join(SEPARATOR);
}

/** Returns what people see and filter by. */
export function clientKey({ address, user_agent, principal }: LineClient, source: string): string {
  if (principal !== null) return principal;
  if (address === null && user_agent === null) return `unknown client of ${source}`;
  return [address ?? 'unknown address', user_agent].filter((part) => part !== null).join(' ');
}

function signalText(signal: Signal): string {
  return SIGNAL_COLUMNS.map((column) => String(signal[column])).join(SEPARATOR);
}
