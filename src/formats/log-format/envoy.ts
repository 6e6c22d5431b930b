// Envoy's access-log format strings, text and JSON.
import { normalizeKey } from '../headers.ts';
import { readEnvoyObject } from '../envoy.ts';
import { strftimeShape } from './strftime.ts';
import { formatError, type Dialect, type Field, type Part } from './template.ts';

const OPERATOR = /%([A-Z][A-Z\d_]*)(?:\(((?:[^()]|\([^()]*\))*)\))?(?::(\d+))?%/g;

const KEYS: Readonly<Record<string, string>> = {
  START_TIME: 'start_time',
  RESPONSE_CODE: 'response_code',
  RESPONSE_FLAGS: 'response_flags',
  DURATION: 'duration',
  BYTES_RECEIVED: 'bytes_received',
  BYTES_SENT: 'bytes_sent',
  DOWNSTREAM_REMOTE_ADDRESS: 'downstream_remote_address',
  DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT: 'downstream_remote_address_without_port',
  DOWNSTREAM_DIRECT_REMOTE_ADDRESS: 'downstream_direct_remote_address',
  DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT: 'downstream_direct_remote_address',
  UPSTREAM_HOST: 'upstream_host',
  UPSTREAM_REQUEST_ATTEMPT_COUNT: 'upstream_request_attempt_count',
  GRPC_STATUS: 'grpc_status',
  GRPC_STATUS_NUMBER: 'grpc_status_number',
  TRACE_ID: 'trace_id',
};
const HEADERS: Readonly<Record<string, string>> = {
  METHOD: 'method',
  PATH: 'path',
  AUTHORITY: 'authority',
  HOST: 'authority',
  'X-FORWARDED-FOR': 'x-forwarded-for',
  'X-REQUEST-ID': 'x-request-id',
};
/** Operators that say nothing here, so that nobody is told of them. */
const SILENT =
  /^(?:PROTOCOL|REQUESTED_SERVER_NAME|ROUTE_NAME|HOSTNAME|UPSTREAM_\w+|DOWNSTREAM_\w+|RESPONSE_\w+|REQUEST_\w+|CONNECTION_\w+|FILTER_STATE|DYNAMIC_METADATA|METADATA|CLUSTER_METADATA|ENVIRONMENT|VIRTUAL_CLUSTER_NAME|TLS_\w+|ACCESS_LOG_TYPE|UNIQUE_ID|STREAM_ID|CEL|QUERY_PARAM|CUSTOM_FLAGS|COMMON_DURATION|LOCAL_REPLY_BODY|BYTES_\w+|ROUNDTRIP_DURATION|EMIT_TIME|FILTER_CHAIN_NAME|TRAILER)$/;

function fieldOf(spelling: string, operator: string, argument: string, at: number): Field | undefined {
  if (operator === 'REQ' || operator === 'RESP') {
    // The second name serves where the first is missing, and means the same.
    const names = argument.split('?').map((name) => name.replace(/^:/, ''));
    const name = names.at(-1) ?? '';
    const key = HEADERS[name.toUpperCase()] ?? (names.some((one) => /ORIGINAL-PATH/i.test(one)) ? 'path' : normalizeKey(name));
    return { spelling, key, shape: key === 'x-forwarded-for' ? 'list' : 'text', at };
  }
  if (operator === 'START_TIME' && argument !== '') {
    const shape = strftimeShape(argument);
    return { spelling, key: shape === undefined ? '' : 'start_time', shape: shape ?? 'text', at };
  }
  const key = KEYS[operator];
  if (key !== undefined) return { spelling, key, shape: 'word', at };
  return SILENT.test(operator)
    ? { spelling, key: '', shape: operator === 'RESPONSE_CODE_DETAILS' ? 'text' : 'word', at }
    : undefined;
}

function parts(given: string, unknown: (field: string) => void): Part[] {
  const text = given.replace(/\\n$|\n$/, '');
  const found: Part[] = [];
  let last = 0;
  for (const match of text.matchAll(OPERATOR)) {
    const [spelling, operator = '', argument = ''] = match;
    const { index } = match;
    const field = fieldOf(spelling, operator, argument, index);
    if (field === undefined) unknown(spelling);
    // What a client sends cannot hold a blank in these fields, or stands in quotes by everybody's habit.
    const shape =
      field?.shape === 'text' && /METHOD|PATH|AUTHORITY|REQUEST-ID|SESSION|TIME/i.test(argument) ? 'word' : field?.shape;
    found.push(textOf(text, last, index), { spelling, key: '', at: index, ...field, shape: shape ?? 'word' });
    last = index + spelling.length;
  }
  return [...found, textOf(text, last, text.length)];
}

/** Text between operators; a percent sign in it is doubled, or begins an operator that is none. */
function textOf(text: string, from: number, to: number): string {
  const piece = text.slice(from, to);
  const lone = piece.replaceAll('%%', '\0\0').indexOf('%');
  if (lone !== -1)
    throw formatError('an operator that does not end', text, from + lone, 'write %NAME%, %REQ(NAME)%, or %% for a percent sign');
  return piece.replaceAll('%%', '%');
}

/** The first line of a request as three operators in quotes is the default; their keys are Envoy's own. */
export const envoy: Dialect = {
  name: 'envoy-log-format',
  title: 'described by an Envoy format string',
  spec: 'https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#format-strings',
  time: 'start',
  isOwn: (text) => /%[A-Z][A-Z\d_]+(?:\([^)]*\))?(?::\d+)?%/.test(text),
  parts,
  read: (fields) => ('start_time' in fields ? readEnvoyObject(fields) : withoutStart(fields)),
};

/** A format that leaves the stamp out has records without one. */
function withoutStart(fields: Record<string, string>): ReturnType<typeof readEnvoyObject> {
  const parsed = readEnvoyObject({ ...fields, start_time: '2000-01-01T00:00:00Z' });
  if (typeof parsed === 'object' && 'records' in parsed) for (const record of parsed.records) record.ts = null;
  return parsed;
}
