// What request and response headers say, wherever a log keeps them: header maps, `http_x` and `sent_http_x` variables.
import type { AccessRecord } from '../record.ts';
import { parseAuthority } from './address.ts';
import { remember, sessionOf } from './identity.ts';
import { readForwarded, readRpcMethod, readRpcName, readUserAgent } from './request.ts';
import { challengeOf, decodeMcpName, protocolVersion, withSignal } from './signal.ts';

/** Fills one fact in; `value` is never null, and empty or `-` says that the header was not there. */
export type HeaderReader = (record: AccessRecord, value: string) => void;

/** Returns a header or key name as dictionaries hold it: lower case, no separators. */
export const normalizeKey: (key: string) => string = remember((key) => key.toLowerCase().replace(/[^a-z\d]/g, ''));

/** Returns whether a logged header value stands for a header that was not there. */
export function isAbsent(value: string): boolean {
  return value === '' || value === '-';
}

function known(value: string): 'yes' | 'no' {
  return isAbsent(value) ? 'no' : 'yes';
}

/** Request headers by normalised name. */
export const REQUEST_HEADERS: ReadonlyMap<string, HeaderReader> = new Map<string, HeaderReader>([
  ['useragent', readUserAgent],
  ['host', (record, value) => (record.authority ??= parseAuthority(value))],
  ['xforwardedfor', readForwarded],
  ['mcpmethod', readRpcMethod],
  ['mcpname', (record, value) => readRpcName(record, decodeMcpName(value))],
  [
    'mcpsessionid',
    (record, value) => {
      record.session = sessionOf(value) ?? record.session;
      record.signal = withSignal(record.signal, 'has_session', known(value));
    },
  ],
  ['mcpprotocolversion', readVersion],
  ['a2aversion', readVersion],
  ['lasteventid', (record, value) => (record.signal = withSignal(record.signal, 'last_event_id', known(value)))],
  ['origin', (record, value) => (record.signal = withSignal(record.signal, 'has_origin', known(value)))],
  ['xrequestid', (record, value) => (record.correlation ??= isAbsent(value) ? null : value.toLowerCase())],
  ['authorization', (record, value) => readSecretHeader(record, 'authorization', value)],
  ['xapikey', (record, value) => readSecretHeader(record, 'x-api-key', value)],
  ['cookie', (record, value) => readSecretHeader(record, 'cookie', value)],
]);

/** Response headers by normalised name. */
export const RESPONSE_HEADERS: ReadonlyMap<string, HeaderReader> = new Map<string, HeaderReader>([
  ['mcpsessionid', (record, value) => (record.session ??= sessionOf(value))],
  [
    'retryafter',
    (record, value) => {
      record.retry_after_ms = parseRetryAfter(value, record.ts);
      record.signal = withSignal(record.signal, 'retry_after', known(value));
    },
  ],
  [
    'allow',
    (record, value) =>
      (record.signal = withSignal(record.signal, 'allow', value === '-' ? 'absent' : value.trim() === '' ? 'empty' : 'methods')),
  ],
  [
    'wwwauthenticate',
    (record, value) => {
      const isMissing = isAbsent(value);
      const named = /resource_metadata/i.test(value) ? 'yes' : 'no';
      record.signal = withSignal(record.signal, 'challenge', isMissing ? 'absent' : challengeOf(value));
      record.signal = withSignal(record.signal, 'resource_metadata', named);
    },
  ],
  [
    'contenttype',
    (record, value) =>
      (record.signal = withSignal(record.signal, 'is_stream', value.startsWith('text/event-stream') ? 'yes' : 'no')),
  ],
]);

function readVersion(record: AccessRecord, value: string): void {
  const version = protocolVersion(value);
  if (version !== null) record.signal = withSignal(record.signal, 'protocol_version', version);
}

/** Servers that hide these write `REDACTED` or nothing; anything else is the credential itself. */
function readSecretHeader(record: AccessRecord, name: string, value: string): void {
  if (!isAbsent(value) && !/^(?:\w+ )?(?:\[?redacted\]?|\*+|\[?filtered\]?|\[?masked\]?)$/i.test(value))
    record.credential ??= `header ${name}`;
}

/** Returns a Retry-After in ms; a date counts from the moment of the answer, where that is known already. */
function parseRetryAfter(value: string, now_us: number | null): number | null {
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(value)) return Math.round(Number(value) * 1000);
  if (now_us === null || !value.endsWith(' GMT') || value.length > 40) return null;
  const wait = Date.parse(value) - now_us / 1000;
  return Number.isNaN(wait) ? null : Math.max(0, Math.round(wait));
}

/** Fills in what a map of headers says; values are texts or lists of texts. */
export function readHeaders(record: AccessRecord, headers: object, readers: ReadonlyMap<string, HeaderReader>): void {
  for (const [name, value] of Object.entries(headers)) {
    const reader = readers.get(normalizeKey(name));
    const text: unknown = Array.isArray(value) ? value[0] : value;
    if (reader !== undefined && typeof text === 'string') reader(record, text);
  }
}

/** Marks what a complete map of request headers did not hold. */
export function closeRequestHeaders(record: AccessRecord): void {
  for (const column of ['has_session', 'last_event_id', 'has_origin'] as const) {
    if (record.signal[column] === 'unknown') record.signal = withSignal(record.signal, column, 'no');
  }
}

/** Marks what a complete map of response headers did not hold. */
export function closeResponseHeaders(record: AccessRecord): void {
  const { signal } = record;
  if (signal.allow === 'unknown') record.signal = withSignal(record.signal, 'allow', 'absent');
  if (signal.challenge === 'unknown') record.signal = withSignal(record.signal, 'challenge', 'absent');
  if (signal.resource_metadata === 'unknown') record.signal = withSignal(record.signal, 'resource_metadata', 'no');
  if (signal.retry_after === 'unknown') record.signal = withSignal(record.signal, 'retry_after', 'no');
}
