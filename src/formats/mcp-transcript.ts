// JSON-RPC messages as stdio taps, inspectors and proxies record them, bare or wrapped: requests and answers are halves.
import type { AccessRecord, Signal } from '../record.ts';
import type { Format, Half, ParseContext, Parsed } from './format.ts';
import { argumentsHash } from './identity.ts';
import { explainBroken, isObject, parseObject, textOf } from './json-text.ts';
import { parseCode } from './numbers.ts';
import { blankRecord, readRpcMethod, readRpcName } from './request.ts';
import { protocolVersion, shareSignal, withSignal, wordingOf } from './signal.ts';
import { parseStamp } from './time.ts';

type Members = Record<string, unknown>;
export type Asker = 'client' | 'server';

const ENVELOPES = ['message', 'payload', 'data', 'raw', 'body', 'msg'] as const;
const STAMPS = ['timestamp', 'ts', 'time', '@timestamp'] as const;
const CONNECTIONS = [
  'connection',
  'connection_id',
  'connectionId',
  'session',
  'session_id',
  'sessionId',
  'server',
  'server_name',
  'serverName',
] as const;
const FROM_CLIENT = /^(?:client|send|sent|out|outgoing|outbound|request|c2s|c->s|->|→|stdin|to[-_ ]?server)/i;
const FROM_SERVER = /^(?:server|backend|recv|receive|received|in|incoming|inbound|response|s2c|s->c|<-|←|stdout|to[-_ ]?client)/i;
/** What only servers send; everything else without a direction is taken for the client's. */
const SERVER_METHOD =
  /^(?:(?:sampling|roots|elicitation)\/|notifications\/(?:message|progress|resources|tools|prompts|elicitation|tasks)\b)/;

/** Returns whether an object is a JSON-RPC message, or wraps one. */
export function isTranscript(object: Members): boolean {
  return messageIn(object) !== null;
}

/** Returns the message (or batch) that an object is or wraps, as text or as an object. */
function messageIn(object: Members): Members | readonly unknown[] | null {
  if (isMessage(object)) return object;
  for (const name of ENVELOPES) {
    const inner = unwrap(object[name]);
    if (inner !== null) return inner;
  }
  return null;
}

function unwrap(value: unknown): Members | readonly unknown[] | null {
  if (typeof value === 'string') return value.includes('"jsonrpc"') ? unwrap(maybeJson(value)) : null;
  if (Array.isArray(value)) return value.length > 0 && value.every(isMessage) ? value : null;
  return isObject(value) && isMessage(value) ? value : null;
}

function maybeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns whether a value is a JSON-RPC message. */
export function isMessage(value: unknown): value is Members {
  return (
    isObject(value) &&
    value['jsonrpc'] === '2.0' &&
    (typeof value['method'] === 'string' || 'result' in value || 'error' in value)
  );
}

function parse(line: string, context: ParseContext): Parsed {
  if (!line.includes('jsonrpc')) return 'foreign';
  if (line.charCodeAt(0) === 91) return parseBatch(line);
  const object = parseObject(line);
  if (object === null) return 'foreign';
  if (object === 'broken') return /"jsonrpc\\?"/.test(line) ? explainBroken(line) : 'foreign';
  // Bridges that say in words where a message went have formats of their own.
  if (textOf(object['msg']).includes(' → ')) return 'foreign';
  const found = messageIn(object);
  if (found === null) return explainNoMessage(object);
  const stampText = found === object ? undefined : STAMPS.map((name) => object[name]).find((value) => value !== undefined);
  const stamp = parseStamp(stampText, context.timeZone);
  if (stamp === null && stampText !== undefined && stampText !== null) return { reject: 'bad_time' };
  const connection =
    found === object ? '' : textOf(CONNECTIONS.map((name) => object[name]).find((value) => textOf(value) !== ''));
  const sender = found === object ? null : senderOf(textOf(object['direction'] ?? object['dir'] ?? object['from']));
  const messages: readonly unknown[] = isObject(found) ? [found] : (found as readonly unknown[]);
  return { halves: messages.filter(isMessage).map((message) => halfOf(message, stamp?.us ?? null, connection, sender)) };
}

/** An object that says it is JSON-RPC, or an envelope around text that began as such. */
function explainNoMessage(object: Members): Parsed {
  if (object['jsonrpc'] === '2.0') return { reject: 'bad_fields' };
  return ENVELOPES.some((name) => /^\s{0,8}[[{].*"jsonrpc"/.test(textOf(object[name]))) ? { reject: 'bad_json' } : 'foreign';
}

function parseBatch(line: string): Parsed {
  const batch: unknown = maybeJson(line);
  if (batch === null)
    return line.startsWith('[{"jsonrpc"') ? { reject: line.trimEnd().endsWith(']') ? 'bad_json' : 'truncated' } : 'foreign';
  const messages = unwrap(batch);
  return messages === null
    ? 'foreign'
    : { halves: (messages as readonly Members[]).map((message) => halfOf(message, null, '', null)) };
}

/** Returns who sent a message, from words such as `client_to_server`, `client→backend`, `send`, `in`. */
function senderOf(direction: string): Asker | null {
  if (FROM_CLIENT.test(direction)) return 'client';
  return FROM_SERVER.test(direction) ? 'server' : null;
}

/** Returns the half of a request that a message is; `connection` tells ids apart that start anew, `sender` is null where unknown. */
export function halfOf(message: Members, ts: number | null, connection: string, sender: Asker | null): Half {
  const record = blankRecord();
  record.ts = ts;
  const id = message['id'];
  if (typeof message['method'] !== 'string') {
    readAnswer(record, message);
    const asker =
      sender === null ? (answersServer(message['result']) ? 'server' : 'client') : sender === 'server' ? 'client' : 'server';
    return { key: keyOf(connection, asker, id), side: 'response', connection: `${connection} ${asker}`, record };
  }
  const asker = sender ?? (SERVER_METHOD.test(message['method']) ? 'server' : 'client');
  readCall(record, message['method'], message['params']);
  const isNotification = id === undefined || id === null;
  return {
    key: isNotification ? '' : keyOf(connection, asker, id),
    side: isNotification ? 'notification' : 'request',
    // Who introduced itself in `initialize` is the client; what the server asks is not the client's.
    connection: `${connection} ${asker}`,
    record,
  };
}

/** Ids are told apart by type (`1` and `"1"`) and by who asked. */
function keyOf(connection: string, asker: Asker, id: unknown): string {
  return `${connection} ${asker} ${typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : 'null'}`;
}

/** Without a direction only the shape of a result tells that it answers sampling, roots or elicitation. */
function answersServer(result: unknown): boolean {
  if (!isObject(result)) return false;
  return (
    Array.isArray(result['roots']) ||
    ('role' in result && 'model' in result) ||
    /^(?:accept|decline|cancel)$/.test(textOf(result['action']))
  );
}

function readCall(record: AccessRecord, method: string, params: unknown): void {
  readRpcMethod(record, method);
  if (!isObject(params)) return;
  readRpcName(record, textOf(params['name'] ?? params['uri'] ?? params['taskId']));
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const client = params['clientInfo'] ?? meta['io.modelcontextprotocol/clientInfo'];
  if (isObject(client) && textOf(client['name']) !== '') {
    record.user_agent = [textOf(client['name']), textOf(client['version'])].filter((part) => part !== '').join('/');
  }
  const version = protocolVersion(textOf(params['protocolVersion'] ?? meta['io.modelcontextprotocol/protocolVersion']));
  if (version !== null) record.signal = withSignal(record.signal, 'protocol_version', version);
  record.arguments_hash = argumentsHash(params['arguments']);
}

function readAnswer(record: AccessRecord, message: Members): void {
  const { error, result } = message;
  const signal: Signal = { ...record.signal };
  if (isObject(error)) {
    signal.rpc_outcome = 'error';
    signal.rpc_code = parseCode(error['code']);
    signal.wording = wordingOf(`${textOf(error['message'])} ${dataText(error['data'])}`);
  } else if (error !== undefined && error !== null) {
    signal.rpc_outcome = 'error';
  } else {
    signal.rpc_outcome = 'result';
    const isError = isObject(result) && result['isError'] === true;
    signal.tool_error = isError ? 'yes' : 'no';
    signal.input_required = isObject(result) && result['resultType'] === 'input_required' ? 'yes' : 'no';
    signal.wording = isError ? wordingOf(dataText(result['content'])) : 'none';
    if (isObject(result)) signal.protocol_version = protocolVersion(textOf(result['protocolVersion']));
  }
  record.signal = shareSignal(signal);
}

function dataText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

export const mcpTranscript: Format = {
  name: 'mcp-transcript',
  title: 'MCP transcripts: JSON-RPC messages, bare or wrapped',
  spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic',
  time: 'start',
  parse,
  samples: [
    {
      line: '{"timestamp":"2026-11-20T10:00:00.000Z","direction":"client_to_server","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"q":"x"}}}}',
      expect: {
        ts: 1_795_168_800_000_000,
        rpc_method: 'tools/call',
        rpc_name: 'query',
        arguments_hash: argumentsHash({ q: 'x' }),
      },
    },
    {
      line: '{"timestamp":"2026-11-20T10:00:00.503Z","direction":"server_to_client","message":{"jsonrpc":"2.0","id":"2","error":{"code":-32601,"message":"Method not found"}}}',
      expect: {
        ts: 1_795_168_800_503_000,
        rpc_method: null,
        signal: { rpc_code: -32601, rpc_outcome: 'error', wording: 'none' },
      },
    },
    {
      line: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"rate limit exceeded"}],"isError":true}}',
      expect: { ts: null, signal: { rpc_outcome: 'result', tool_error: 'yes', wording: 'throttle' } },
    },
    {
      line: '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"example-client","version":"1.2.0"}}}',
      expect: { rpc_method: 'initialize', user_agent: 'example-client/1.2.0', signal: { protocol_version: '2025-11-25' } },
    },
    {
      line: '[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/initialized"}]',
      expect: { rpc_method: 'tools/list' },
    },
    {
      line: '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}',
      expect: { rpc_method: 'notifications/progress' },
    },
    {
      line: '{"timestamp":"2026-11-20T10:00:01.000Z","message":{"jsonrpc":"2.0","id":3,"method":"tools/ca',
      expect: { reject: 'truncated' },
    },
    { line: '{"jsonrpc":"2.0","id":4}', expect: { reject: 'bad_fields' } },
  ],
};
