// The asking half of a record: request lines, targets, user agents and RPC names, with credentials masked on the way in.
import { UNKNOWN_SIGNAL, type AccessRecord } from '../record.ts';
import { parseAuthority } from './address.ts';
import { remember, sessionOf } from './identity.ts';
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

const METHOD = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
const PLAIN_METHOD = /^[A-Z]+$/;

/** Returns a method in upper case, or null if the text is no token of RFC 9110 (or a lone dash). */
export function parseMethod(text: string): string | null {
  if (PLAIN_METHOD.test(text)) return text;
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
  if (target.charCodeAt(0) === 47 || target === '*') return readPath(record, target);
  if (record.http_method === 'CONNECT') {
    record.authority ??= parseAuthority(target);
    return;
  }
  const scheme = /^([a-z][a-z\d+.-]{0,15}):\/\//i.exec(target)?.[1];
  if (scheme === undefined) return readPath(record, target);
  const start = scheme.length + 3;
  const end = start + target.slice(start).search(/[/?#]|$/);
  const userInfo = target.lastIndexOf('@', end - 1);
  if (userInfo >= start) record.credential ??= 'user-info';
  record.authority = parseAuthority(target.slice(Math.max(start, userInfo + 1), end), scheme.toLowerCase()) ?? record.authority;
  readPath(record, target.charCodeAt(end) === 47 ? target.slice(end) : `/${target.slice(end)}`);
}

/** The old SSE transport carries the session in the query of the address it posts to. */
const MESSAGES_PATH = /\/messages?\/?$/;
const SESSION_PARAMETER = /(?:^|&)session_?id=([^&]*)/i;

function readPath(record: AccessRecord, target: string): void {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (mark !== -1 && mark + 1 < target.length) readQuery(record, path, target.slice(mark + 1));
  if (path.length < 12) {
    record.path = path;
    return;
  }
  const masked = maskPath(path);
  record.path = masked.path;
  if (masked.place !== null) record.credential ??= masked.place;
}

/** Looks through a query that a log shows apart from its path, or behind it. */
export function readQuery(record: AccessRecord, path: string | null, query: string): void {
  if (path !== null && MESSAGES_PATH.test(path)) record.session ??= sessionOf(SESSION_PARAMETER.exec(query)?.[1]);
  if (query.length < 5) return;
  const parameter = credentialParameter(query);
  if (parameter !== null) record.credential ??= `query parameter ${parameter}`;
}

const maskAgent = remember(maskText);

/** Fills in a user agent; `-` and empty are none. */
export function readUserAgent(record: AccessRecord, text: string): void {
  if (text === '' || text === '-') return;
  const masked = maskAgent(text);
  record.user_agent = masked.text;
  if (masked.found) record.credential ??= 'user agent';
}

/** Fills in the name of a tool, prompt or resource. */
export function readRpcName(record: AccessRecord, name: string): void {
  if (name === '' || name === '-') return;
  const masked = maskText(name);
  record.rpc_name = masked.text;
  if (masked.found) record.credential ??= 'rpc name';
}

/** Fills in an RPC method. */
export function readRpcMethod(record: AccessRecord, method: string): void {
  if (method === '' || method === '-') return;
  const masked = maskText(method);
  record.rpc_method = masked.text;
  if (masked.found) record.credential ??= 'rpc method';
}

/** Sets a signal that consists of a status only. */
export function readStatus(record: AccessRecord, status: number | null): void {
  record.signal = statusSignal(status);
}
