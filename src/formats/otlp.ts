// OTLP in JSON: one export a line, with spans or log records that follow the HTTP, RPC and MCP conventions under old and new names.
import type { AccessRecord } from '../record.ts';
import type { Format, Parsed } from './format.ts';
import { isObject, objectParser } from './json-text.ts';
import { attributesOf, readAttributes, readMoments, type Attributes } from './otlp-attributes.ts';
import { requestsOf, type Span } from './otlp-spans.ts';

type Members = Record<string, unknown>;

/** Returns whether an object is an export of spans or log records. */
export function isOtlp(object: Members): boolean {
  return Array.isArray(object['resourceSpans']) || Array.isArray(object['resourceLogs']);
}

function listOf(object: Members, ...names: readonly string[]): Members[] {
  const found: unknown = names.map((name) => object[name]).find((value) => Array.isArray(value));
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** Returns the members at the bottom of `resourceX[].scopeX[].x[]`. */
function leavesOf(object: Members, resource: string, scopes: readonly string[], leaf: string): Members[] {
  return listOf(object, resource).flatMap((one) => listOf(one, ...scopes).flatMap((scope) => listOf(scope, leaf)));
}

/** 19 digits are more than a number holds. */
const NANOS = /("\w{4,24}UnixNano"\s{0,8}:\s{0,8})(\d{16,20})(?=\s{0,8}[,}])/g;

function parse(line: string): Parsed {
  return parseExport(line.includes('UnixNano') ? line.replace(NANOS, '$1"$2"') : line, { timeZone: 'UTC' });
}

const parseExport = objectParser('"resource', isOtlp, (object) => {
  const spans = leavesOf(object, 'resourceSpans', ['scopeSpans', 'instrumentationLibrarySpans'], 'spans');
  const logs = leavesOf(object, 'resourceLogs', ['scopeLogs', 'instrumentationLibraryLogs'], 'logRecords');
  const records = [...requestsOf(spans.map(toSpan)), ...logs.flatMap(readLog)];
  return records.length === 0 ? 'other' : { records };
});

function toSpan(object: Members): Span {
  const attributes = attributesOf(object['attributes']);
  const { record, isHttp, isRpc } = readAttributes(attributes, textIn(object['name']), sideOf(object['kind']) === 'client');
  readMoments(record, object);
  record.correlation = textIn(object['traceId']).toLowerCase() || record.correlation;
  return {
    id: textIn(object['spanId']).toLowerCase(),
    parent: textIn(object['parentSpanId']).toLowerCase(),
    side: sideOf(object['kind']),
    resends: Number(attributes.get('http.request.resend_count') ?? 0) || 0,
    isHttp,
    isRpc,
    record,
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Kinds are numbers, or names where another exporter wrote them; whatever is no client serves. */
function sideOf(kind: unknown): Span['side'] {
  return kind === 3 || kind === '3' || kind === 'SPAN_KIND_CLIENT' ? 'client' : 'server';
}

/** A log record is a request if its attributes, or the members of its body, say what was asked. */
function readLog(object: Members): AccessRecord[] {
  const body: unknown = isObject(object['body']) ? object['body']['kvlistValue'] : undefined;
  const inBody = isObject(body) ? attributesOf(body['values']) : new Map<string, string>();
  const attributes: Attributes = new Map([...inBody, ...attributesOf(object['attributes'])]);
  const { record, isHttp, isRpc } = readAttributes(attributes, '', false);
  if (!isHttp && !isRpc) return [];
  readMoments(record, object);
  record.correlation = textIn(object['traceId']).toLowerCase() || record.correlation;
  return [record];
}

export const otlp: Format = {
  name: 'otlp',
  title: 'OpenTelemetry spans and logs, OTLP JSON',
  spec: 'https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding',
  time: 'start',
  parse,
  samples: [
    {
      line: '{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"mcp-demo"}}]},"scopeSpans":[{"scope":{"name":"mcp"},"spans":[{"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"EEE19B7EC3C1B174","parentSpanId":"","name":"tools/call query","kind":2,"startTimeUnixNano":"1795507200000000000","endTimeUnixNano":"1795507200045000000","attributes":[{"key":"mcp.method.name","value":{"stringValue":"tools/call"}},{"key":"gen_ai.tool.name","value":{"stringValue":"query"}},{"key":"mcp.session.id","value":{"stringValue":"s-7"}},{"key":"mcp.protocol.version","value":{"stringValue":"2025-11-25"}},{"key":"jsonrpc.request.id","value":{"stringValue":"10"}},{"key":"rpc.response.status_code","value":{"stringValue":"-32602"}},{"key":"error.type","value":{"stringValue":"-32602"}},{"key":"network.transport","value":{"stringValue":"tcp"}},{"key":"client.address","value":{"stringValue":"198.51.100.3"}}],"status":{"code":2}},{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b175","parentSpanId":"eee19b7ec3c1b174","name":"POST","kind":3,"startTimeUnixNano":"1795507200001000000","endTimeUnixNano":"1795507200040000000","attributes":[{"key":"http.request.method","value":{"stringValue":"POST"}},{"key":"url.full","value":{"stringValue":"https://mcp.example.com/mcp"}},{"key":"http.response.status_code","value":{"intValue":"503"}},{"key":"http.request.resend_count","value":{"intValue":"2"}}],"status":{"code":2}}]}]}]}',
      expect: {
        ts: 1_795_507_200_000_000,
        duration_us: 45_000,
        address: '198.51.100.3',
        http_method: null,
        rpc_method: 'tools/call',
        rpc_name: 'query',
        attempts: 3,
        correlation: '5b8efff798038103d269b633813fc60c',
        signal: { status: null, rpc_code: -32_602, rpc_outcome: 'error', has_session: 'yes', protocol_version: '2025-11-25' },
      },
    },
    {
      line: '{"resourceSpans":[{"resource":{},"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60d","spanId":"eee19b7ec3c1b176","name":"tools/call query","kind":2,"startTimeUnixNano":1795507201000000123,"endTimeUnixNano":"1795507201010000000","attributes":[{"key":"mcp.method.name","value":{"stringValue":"tools/call"}},{"key":"mcp.tool.name","value":{"stringValue":"query"}},{"key":"error.type","value":{"stringValue":"tool_error"}}],"status":{}}]}]}]}',
      expect: {
        ts: 1_795_507_201_000_000,
        duration_us: 10_000,
        rpc_name: 'query',
        signal: { rpc_outcome: 'result', tool_error: 'yes' },
      },
    },
    {
      line: '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60e","spanId":"a1","name":"GET /mcp","kind":"SPAN_KIND_SERVER","startTimeUnixNano":"1795507202000000000","endTimeUnixNano":"1795507202250000000","attributes":[{"key":"http.method","value":{"stringValue":"GET"}},{"key":"http.target","value":{"stringValue":"/mcp?x=1"}},{"key":"http.scheme","value":{"stringValue":"https"}},{"key":"http.host","value":{"stringValue":"mcp.example.com:443"}},{"key":"http.status_code","value":{"intValue":405}},{"key":"http.user_agent","value":{"stringValue":"node"}},{"key":"net.peer.ip","value":{"stringValue":"2001:db8::3"}},{"key":"http.response.header.retry_after","value":{"arrayValue":{"values":[{"stringValue":"3"}]}}}]}]}]}]}',
      expect: {
        address: '2001:db8::3',
        user_agent: 'node',
        authority: 'mcp.example.com',
        path: '/mcp',
        duration_us: 250_000,
        retry_after_ms: 3000,
        attempts: null,
        signal: { status: 405 },
      },
    },
    {
      line: '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"0","observedTimeUnixNano":"1795507203000000000","severityNumber":9,"body":{"stringValue":"request"},"attributes":[{"key":"http.request.method","value":{"stringValue":"POST"}},{"key":"url.path","value":{"stringValue":"/nope"}},{"key":"http.response.status_code","value":{"intValue":"404"}}],"traceId":"","spanId":""}]}]}]}',
      expect: { ts: 1_795_507_203_000_000, http_method: 'POST', path: '/nope', correlation: null, signal: { status: 404 } },
    },
    {
      line: '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"started"},"attributes":null}]}]}]}',
      expect: 'other',
    },
    { line: '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8e', expect: { reject: 'truncated' } },
  ],
};
