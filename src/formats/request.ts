// The asking half of a record: request lines, targets, user agents and RPC names, with credentials masked on the way in.
import { UNKNOWN_SIGNAL, type AccessRecord } from '../record.ts';
import { firstForwarded, parseAuthority } from './address.ts';
import { sessionOf } from './identity.ts';
import { credentialParameter, maskPath, maskText } from './mask.ts';
import { statusSignal } from './signal.ts';

/** Returns a record of which nothing is known. */
export function blankRecord(): AccessRecord {
  return {
    address: null,
    user_agent: null,
    principal: null,
    authority: null,
    http_method: null,
    path: null,
    rpc_method: null,
    rpc_name: null,
    ts: null,
    duration_us: null,
    session: null,
    signal: UNKNOWN_SIGNAL,
    request_bytes: null,
    response_bytes: null,
    retry_after_ms: null,
    attempts: null,
    arguments_hash: null,
    correlation: null,
    credential: null,
  };
}

/** Fills in what a forwarded list says: its left-most address where no peer is known, and the list for those who trust its proxies. */
export function readForwarded(record: AccessRecord, list: string): void {
  if (list === '' || list === '-') return;
  const taken = record.address === null ? firstForwarded(list) : (record.forwarded?.taken ?? null);
  record.forwarded = { list, taken };
  record.address ??= taken;
}

const METHODS = new Set(['GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'PATCH', 'CONNECT', 'TRACE']);
const METHOD = /^[\w!#$%&'*+.^`|~-]{1,64}$/;

/** Returns a method in upper case, or null if the text is no token of RFC 9110 (or a lone dash). */
export function parseMethod(text: string): string | null {
  if (METHODS.has(text)) return text;
  return METHOD.test(text) && text !== '-' ? text.toUpperCase() : null;
}

/**
 * Fills in what a request line says; a malformed one leaves method and path null, so that the record is noise. A line without
 * protocol is HTTP/0.9, and believable only if its target is a path or a URL.
 */
export function readRequestLine(record: AccessRecord, text: string): void {
  const line = text.endsWith(' ') ? text.trimEnd() : text;
  const first = line.indexOf(' ');
  if (first < 1) return;
  const last = line.lastIndexOf(' ');
  const hasProtocol = line.startsWith('HTTP/', last + 1);
  if (hasProtocol ? last === first : last !== first) return;
  const target = hasProtocol ? line.slice(first + 1, last) : line.slice(first + 1);
  if (!hasProtocol && !target.startsWith('/') && !target.includes('://')) return;
  const method = parseMethod(line.slice(0, first));
  if (method === null || target === '-') return;
  record.http_method = method;
  readTarget(record, target);
}

/** Fills in path and authority of a request target in any of its four forms; the query is looked through and dropped. */
export function readTarget(record: AccessRecord, target: string): void {
  if (target.charCodeAt(0) === 47 || target === '*') return readOrigin(record, target);
  if (record.http_method === 'CONNECT') {
    record.authority ??= parseAuthority(target);
    return;
  }
  const scheme = /^([a-z][a-z\d+.-]{0,15}):\/\//i.exec(target)?.[1];
  if (scheme === undefined) return readOrigin(record, target);
  const start = scheme.length + 3;
  const end = start + target.slice(start).search(/[/?#]|$/);
  const userInfo = target.lastIndexOf('@', end - 1);
  if (userInfo >= start) record.credential ??= 'user-info';
  record.authority = parseAuthority(target.slice(Math.max(start, userInfo + 1), end), scheme.toLowerCase()) ?? record.authority;
  readOrigin(record, target.charCodeAt(end) === 47 ? target.slice(end) : `/${target.slice(end)}`);
}

/** The old SSE transport carries the session in the query of the address it posts to. */
const MESSAGES_PATH = /\/messages?\/?$/;
const SESSION_PARAMETER = /(?:^|&)session_?id=([^&]*)/i;

function readOrigin(record: AccessRecord, target: string): void {
  const mark = target.indexOf('?');
  if (mark === -1) readPath(record, target, undefined);
  else readPath(record, target.slice(0, mark), target.slice(mark + 1));
}

/** Fills in a path; its query is looked through and dropped. */
export function readPath(record: AccessRecord, path: string, query: string | undefined): void {
  if (query !== undefined && query !== '') readQuery(record, path, query);
  record.path = maskPath(path);
  if (record.path !== path) record.credential ??= 'path segment';
}

/** Looks through a query that a log shows apart from its path, or behind it. */
export function readQuery(record: AccessRecord, path: string | null, query: string): void {
  if (path !== null && MESSAGES_PATH.test(path)) record.session ??= sessionOf(SESSION_PARAMETER.exec(query)?.[1]);
  if (query.length < 5) return;
  const parameter = credentialParameter(query);
  if (parameter !== null) record.credential ??= `query parameter ${parameter}`;
}

/** Fills in a user agent; `-` and empty are none. */
export function readUserAgent(record: AccessRecord, text: string): void {
  record.user_agent = maskedField(record, text, 'user agent') ?? record.user_agent;
}

/** Fills in the name of a tool, prompt or resource. */
export function readRpcName(record: AccessRecord, name: string): void {
  record.rpc_name = maskedField(record, name, 'rpc name') ?? record.rpc_name;
}

/** Fills in an RPC method. */
export function readRpcMethod(record: AccessRecord, method: string): void {
  record.rpc_method = maskedField(record, method, 'rpc method') ?? record.rpc_method;
}

function maskedField(record: AccessRecord, text: string, place: string): string | null {
  if (text === '' || text === '-') return null;
  const masked = maskText(text);
  if (masked !== text) record.credential ??= place;
  return masked;
}

/** Sets a signal that consists of a status only. */
export function readStatus(record: AccessRecord, status: number | null): void {
  record.signal = statusSignal(status);
}
