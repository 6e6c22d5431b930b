// What attributes of the HTTP, RPC and MCP semantic conventions say, under the names of any release since 1.0.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import { normalizeKey, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { principalOf, sessionOf } from './identity.ts';
import { isObject } from './json-text.ts';
import { parseCode, parseCount, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readForwarded, readRpcMethod, readRpcName, readTarget, readUserAgent } from './request.ts';
import { protocolVersion, withSignal, wordingOf } from './signal.ts';
import { parseEpoch } from './time.ts';

export type Attributes = ReadonlyMap<string, string>;

/** Returns a list of `{ key, value: { stringValue | intValue | … } }` as texts; of an array its first. */
export function attributesOf(list: unknown): Map<string, string> {
  const attributes = new Map<string, string>();
  if (!Array.isArray(list)) return attributes;
  for (const one of list) {
    const text = isObject(one) ? valueOf(one['value']) : null;
    if (text !== null && typeof one.key === 'string') attributes.set(one.key, text);
  }
  return attributes;
}

function valueOf(value: unknown): string | null {
  if (!isObject(value)) return null;
  const array: unknown = isObject(value['arrayValue']) ? value['arrayValue']['values'] : undefined;
  if (Array.isArray(array)) return valueOf(array[0]);
  const plain = value['stringValue'] ?? value['intValue'] ?? value['boolValue'] ?? value['doubleValue'];
  return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? String(plain) : null;
}

/** Fills in start and duration from `…UnixNano` members; `0` is none. */
export function readMoments(record: AccessRecord, object: Record<string, unknown>): void {
  const moment = (name: string): number | null => {
    const value = object[name];
    return typeof value === 'string' || typeof value === 'number' ? (parseEpoch(value)?.us ?? null) : null;
  };
  const end = moment('endTimeUnixNano');
  record.ts = moment('startTimeUnixNano') ?? moment('timeUnixNano') ?? moment('observedTimeUnixNano');
  if (record.ts !== null && end !== null && end >= record.ts) record.duration_us = end - record.ts;
}

export interface Told {
  record: AccessRecord;
  isHttp: boolean;
  isRpc: boolean;
}

/** `tools/call query`: the method, and perhaps what it was called for. */
const SPAN_NAME =
  /^((?:tools|prompts|resources|completion|logging|sampling|roots|elicitation|tasks|notifications|server)\/[a-z_/]{1,64}|initialize|ping)(?: (\S{1,256}))?$/;
const AGENT = /^(?:message|tasks)\/[A-Za-z/]{1,64}$/;

/** Returns what attributes, and the name of their span, tell of a request. */
export function readAttributes(attributes: Attributes, spanName: string, isClient: boolean): Told {
  const first = (...names: string[]): string =>
    names.map((name) => attributes.get(name)).find((value) => value !== undefined && value !== '') ?? '';
  const record = blankRecord();
  readHttp(record, first, isClient);
  readHeaders(record, attributes);
  readRpc(record, first, spanName);
  record.principal = principalOf('user', first('enduser.id', 'user.id'));
  return { record, isHttp: record.http_method !== null, isRpc: record.rpc_method !== null };
}

type First = (...names: string[]) => string;

function readHttp(record: AccessRecord, first: First, isClient: boolean): void {
  const method = first('http.request.method', 'http.method');
  // `_OTHER` hides a method that the instrumentation did not know.
  record.http_method = parseMethod(method === '_OTHER' ? first('http.request.method_original') : method);
  const path = first('url.path');
  const query = first('url.query');
  const target =
    path === '' ? first('http.target', 'url.full', 'http.url', 'http.route') : query === '' ? path : `${path}?${query}`;
  if (target !== '' && (record.http_method !== null || target.startsWith('/'))) readTarget(record, target);
  const full = first('url.full', 'http.url');
  if (path !== '' && full !== '') readTarget(record, full);
  readAuthority(record, first);
  if (!isClient)
    record.address = parseAddress(
      first('client.address', 'http.client_ip', 'net.peer.ip', 'net.sock.peer.addr', 'network.peer.address'),
    );
  readUserAgent(record, first('user_agent.original', 'http.user_agent'));
  record.signal = withSignal(record.signal, 'status', parseStatus(first('http.response.status_code', 'http.status_code')));
  record.request_bytes = parseCount(first('http.request.body.size', 'http.request_content_length', 'http.request.size'));
  record.response_bytes = parseCount(first('http.response.body.size', 'http.response_content_length', 'http.response.size'));
}

function readAuthority(record: AccessRecord, first: First): void {
  const host = first('http.host', 'server.address', 'http.server_name', 'net.host.name');
  const port = first('server.port', 'net.host.port');
  if (record.http_method === null || host === '') return;
  const name = host.includes(':') && !host.startsWith('[') && host.split(':').length > 2 ? `[${host}]` : host;
  const hasPort = /:\d+$/.test(name) || port === '';
  record.authority ??= parseAuthority(hasPort ? name : `${name}:${port}`, first('url.scheme', 'http.scheme') || null);
}

const HEADER = /^http\.(request|response)\.header\.(.{1,64})$/;

/** Headers that an instrumentation was told to capture. */
function readHeaders(record: AccessRecord, attributes: Attributes): void {
  for (const [key, value] of attributes) {
    const [, side, name = ''] = HEADER.exec(key) ?? [];
    if (side !== undefined) (side === 'request' ? REQUEST_HEADERS : RESPONSE_HEADERS).get(normalizeKey(name))?.(record, value);
  }
  readForwarded(record, attributes.get('http.request.header.x-forwarded-for') ?? '');
}

function readRpc(record: AccessRecord, first: First, spanName: string): void {
  const isJsonRpc =
    /^jsonrpc|^mcp$/.test(first('rpc.system.name', 'rpc.system')) ||
    first('jsonrpc.request.id', 'rpc.jsonrpc.request_id', 'mcp.request.id') !== '';
  const [, named = '', target = ''] = SPAN_NAME.exec(spanName) ?? [];
  const agent = AGENT.test(spanName) ? spanName : '';
  const method =
    first('mcp.method.name', 'mcp.method', 'a2a.method') ||
    (isJsonRpc ? first('rpc.method') : '') ||
    named ||
    (isJsonRpc ? agent : '');
  record.signal = withSignal(record.signal, 'grpc_status', parseCount(first('rpc.grpc.status_code')));
  if (method === '') return;
  readRpcMethod(record, method);
  readRpcName(
    record,
    first('gen_ai.tool.name', 'mcp.tool.name', 'gen_ai.prompt.name', 'mcp.prompt.name', 'mcp.resource.uri') || target,
  );
  record.session = sessionOf(first('mcp.session.id')) ?? record.session;
  if (record.session !== null) record.signal = withSignal(record.signal, 'has_session', 'yes');
  const version = protocolVersion(first('mcp.protocol.version'));
  if (version !== null) record.signal = withSignal(record.signal, 'protocol_version', version);
  readOutcome(record, first);
}

/** `error.type` is a code as text, `tool_error` for a result with `isError`, or the name of an exception. */
function readOutcome(record: AccessRecord, first: First): void {
  const error = first('error.type', 'exception.type');
  const codes = ['rpc.response.status_code', 'rpc.status_code', 'rpc.jsonrpc.error_code', 'mcp.error.code', 'error.type'];
  const code = codes.map((name) => parseCode(first(name))).find((one) => one !== null && one < 0) ?? null;
  const isTool = error === 'tool_error';
  let { signal } = record;
  if (code !== null) signal = withSignal(signal, 'rpc_code', code);
  if (code !== null || error === '' || isTool) signal = withSignal(signal, 'rpc_outcome', code === null ? 'result' : 'error');
  if (code === null && (isTool || error === '')) signal = withSignal(signal, 'tool_error', isTool ? 'yes' : 'no');
  const message = first('rpc.jsonrpc.error_message', 'mcp.error.message', 'exception.message');
  if (message !== '') signal = withSignal(signal, 'wording', wordingOf(message));
  record.signal = signal;
}
