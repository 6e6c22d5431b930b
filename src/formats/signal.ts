// Signals: the closed values of an answer. Equal signals are one frozen object, so that what follows can compare by identity.
import { PROTOCOL_VERSIONS, SIGNAL_COLUMNS, UNKNOWN_SIGNAL, type ProtocolVersion, type Signal } from '../record.ts';
import { remember } from './identity.ts';

const byStatus: (Signal | undefined)[] = Array.from({ length: 1000 }, () => undefined);

/** Returns the signal of a log that shows nothing but a status. */
export function statusSignal(status: number | null): Signal {
  if (status === null) return UNKNOWN_SIGNAL;
  let signal = byStatus[status];
  if (signal === undefined) {
    signal = Object.freeze({ ...UNKNOWN_SIGNAL, status });
    byStatus[status] = signal;
  }
  return signal;
}

const MAX_SIGNALS = 16_384;
const shared = new Map<string, Signal>();
/** By column: the signal that a signal becomes when that column takes a value. */
const steps = new Map<keyof Signal, Map<Signal, Map<unknown, Signal>>>(SIGNAL_COLUMNS.map((column) => [column, new Map()]));

/** Returns the signal that differs from another in one column. */
export function withSignal<K extends keyof Signal>(signal: Signal, column: K, value: Signal[K]): Signal {
  if (signal[column] === value) return signal;
  const known = steps.get(column)?.get(signal)?.get(value);
  return known ?? addStep(signal, column, value);
}

function addStep<K extends keyof Signal>(signal: Signal, column: K, value: Signal[K]): Signal {
  const next = shareSignal({ ...signal, [column]: value });
  const ofColumn = steps.get(column);
  const values = ofColumn?.get(signal) ?? new Map<unknown, Signal>();
  ofColumn?.set(signal, values.set(value, next));
  return next;
}

/** Returns the frozen signal that is equal to this one. */
export function shareSignal(signal: Signal): Signal {
  const values = SIGNAL_COLUMNS.map((column) => signal[column]);
  if (values.every((value, index) => index === 0 || value === UNKNOWN_SIGNAL[SIGNAL_COLUMNS[index] ?? 'status'])) {
    return statusSignal(signal.status);
  }
  const key = values.join();
  const known = shared.get(key);
  if (known !== undefined) return known;
  if (shared.size >= MAX_SIGNALS) forget();
  const frozen = Object.freeze({ ...signal });
  shared.set(key, frozen);
  return frozen;
}

/** RPC codes are whatever a peer sends, so what is remembered must have an end. */
function forget(): void {
  shared.clear();
  for (const ofColumn of steps.values()) ofColumn.clear();
}

const VERSIONS: ReadonlySet<string> = new Set(PROTOCOL_VERSIONS);

/** Returns a protocol version of the closed list; A2A versions with a patch number count as their minor. */
export function protocolVersion(text: string | null | undefined): ProtocolVersion | null {
  if (text === null || text === undefined || text === '' || text === '-') return null;
  const version = /^\d+\.\d+\.\d+$/.test(text) ? text.slice(0, text.lastIndexOf('.')) : text;
  return VERSIONS.has(version) ? (version as ProtocolVersion) : 'other';
}

const THROTTLE = /rate.?limit|too many requests|quota|throttl|retry.?after|slow ?down/i;
const SESSION = /session/i;
const ORIGIN = /\borigin\b|host header|dns rebinding/i;
const TASK_MODE = /task[- ]?mode|task[- ]augment|requires? (?:a )?task|as a task/i;
const VERSION = /protocol.?version|unsupported version|version (?:is )?not supported/i;

/** Returns what an error text speaks of; the text itself is not kept. */
export const wordingOf: (text: string) => Signal['wording'] = remember((text) => {
  const head = text.length > 4096 ? text.slice(0, 4096) : text;
  if (THROTTLE.test(head)) return 'throttle';
  if (SESSION.test(head)) return 'session';
  if (VERSION.test(head)) return 'version';
  if (ORIGIN.test(head)) return 'origin';
  return TASK_MODE.test(head) ? 'task_mode' : 'none';
});

/** Returns what a `WWW-Authenticate` value asks for. */
export function challengeOf(value: string): Signal['challenge'] {
  if (value === '') return 'absent';
  if (/insufficient_scope/i.test(value)) return 'scope';
  return /^\s*payment\b|x402/i.test(value) ? 'payment' : 'token';
}

/** Returns an `Mcp-Name` header as text: base64 in `=?base64?…?=` is decoded. */
export function decodeMcpName(value: string): string {
  const match = /^=\?base64\?([A-Za-z0-9+/=_-]*)\?=$/i.exec(value);
  return match === null ? value : Buffer.from(match[1] ?? '', 'base64').toString();
}
