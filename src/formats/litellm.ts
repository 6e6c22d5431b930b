// LiteLLM's standard logging payload of MCP calls, as its callbacks write it; the proxy's access lines are uvicorn's.
import type { AccessRecord } from '../record.ts';
import { parseAddress } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { argumentsHash } from './identity.ts';
import { memberOf, objectParser, textOf } from './json-text.ts';
import { parseCode, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, readRpcMethod, readRpcName, readUserAgent } from './request.ts';
import { withSignal, wordingOf } from './signal.ts';
import { parseStamp } from './time.ts';

type Members = Record<string, unknown>;

const METHODS: Readonly<Record<string, string>> = {
  call_mcp_tool: 'tools/call',
  list_mcp_tools: 'tools/list',
  mcp_call_tool: 'tools/call',
};

/** Returns whether an object is a logging payload of LiteLLM. */
export function isLitellm(object: Members): boolean {
  return typeof object['call_type'] === 'string' && 'startTime' in object && 'status' in object;
}

function read(object: Members, { timeZone }: ParseContext): Parsed {
  const method = METHODS[textOf(object['call_type'])];
  // Completions and embeddings are asked of models, not of servers.
  if (method === undefined) return 'other';
  const start = parseStamp(object['startTime'], timeZone);
  if (start === null) return { reject: 'bad_time' };

  const record = blankRecord();
  const metadata = memberOf(object, 'metadata');
  const call = memberOf(metadata, 'mcp_tool_call_metadata');
  record.ts = start.us;
  record.duration_us = parseDuration(object['response_time'], 's') ?? durationOf(start.us, object['endTime'], timeZone);
  record.address = parseAddress(textOf(metadata['requester_ip_address']));
  record.principal = keyOf(textOf(metadata['user_api_key_hash']));
  readUserAgent(record, textOf(metadata['user_agent']));
  readRpcMethod(record, method);
  readRpcName(record, textOf(call['name'] ?? call['namespaced_tool_name']));
  record.arguments_hash = argumentsHash(call['arguments']);
  record.correlation = (textOf(object['trace_id']) || textOf(object['id'])).toLowerCase() || null;
  readOutcome(record, textOf(object['status']), memberOf(object, 'error_information'));
  return { records: [record] };
}

function durationOf(start: number, value: unknown, timeZone: string): number | null {
  const end = parseStamp(value, timeZone);
  return end !== null && end.us >= start ? end.us - start : null;
}

/** The key is hashed already; as any principal it is kept as 16 digits. */
function keyOf(hash: string): string | null {
  return /^[\da-f]{16,}$/i.test(hash) ? `key:${hash.slice(0, 16).toLowerCase()}` : null;
}

/** The code of a failed call is an HTTP status or an RPC code, and either may be missing. */
function readOutcome(record: AccessRecord, status: string, error: Members): void {
  record.signal = withSignal(record.signal, 'rpc_outcome', status === 'success' ? 'result' : 'error');
  if (status === 'success') return;
  const code = parseCode(error['error_code']);
  if (code !== null && code < 0) record.signal = withSignal(record.signal, 'rpc_code', code);
  else record.signal = withSignal(record.signal, 'status', parseStatus(code));
  const text = `${textOf(error['error_class'])} ${textOf(error['error_message'])}`;
  record.signal = withSignal(record.signal, 'wording', wordingOf(text));
}

export const litellm: Format = {
  name: 'litellm',
  title: 'LiteLLM standard logging payload, MCP calls',
  spec: 'https://docs.litellm.ai/docs/proxy/logging_spec',
  time: 'start',
  parse: objectParser('"call_type"', isLitellm, read),
  samples: [
    {
      line: '{"id":"B1","trace_id":"T-1","call_type":"call_mcp_tool","status":"success","startTime":1794744030.25,"endTime":1794744030.5,"response_time":0.25,"model":"MCP: search","metadata":{"user_api_key_hash":"88dc28d0f030c55ed4ab77ed8faf098196cb1c05df778539800c9f1243fe6b4b","requester_ip_address":"198.51.100.67","mcp_tool_call_metadata":{"name":"search","arguments":{"q":"x"},"mcp_server_name":"demo"}}}',
      expect: {
        ts: 1_794_744_030_250_000,
        duration_us: 250_000,
        address: '198.51.100.67',
        principal: 'key:88dc28d0f030c55e',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        correlation: 't-1',
        arguments_hash: argumentsHash({ q: 'x' }),
        signal: { status: null, rpc_outcome: 'result' },
      },
    },
    {
      line: '{"id":"B2","call_type":"list_mcp_tools","status":"failure","startTime":1794744031,"endTime":1794744031.5,"metadata":{},"error_information":{"error_code":"429","error_class":"RateLimitError","error_message":"quota"}}',
      expect: {
        duration_us: 500_000,
        rpc_method: 'tools/list',
        signal: { status: 429, rpc_outcome: 'error', wording: 'throttle' },
      },
    },
    {
      line: '{"id":"B3","call_type":"call_mcp_tool","status":"failure","startTime":1794744032.0,"endTime":1794744032.1,"metadata":{"mcp_tool_call_metadata":{"name":"nope"}},"error_information":{"error_code":"-32602","error_class":"McpError"}}',
      expect: { rpc_name: 'nope', signal: { status: null, rpc_code: -32_602, rpc_outcome: 'error' } },
    },
    {
      line: '{"id":"B4","call_type":"acompletion","status":"success","startTime":1794744033.0,"endTime":1794744034.0}',
      expect: 'other',
    },
    { line: '{"id":"B5","call_type":"call_mcp_tool","status":"success","startTime":"?"}', expect: { reject: 'bad_time' } },
    { line: '{"id":"B6","call_type":"call_mcp_tool","status":"succ', expect: { reject: 'truncated' } },
  ],
};
