// agentgateway's request log: `key=value` text whose values may hold blanks, or JSON with the same keys.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, Parsed } from './format.ts';
import { principalOf, sessionOf } from './identity.ts';
import { explainBroken, parseObject, textOf } from './json-text.ts';
import { parseCode, parseCount, parseGoDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readRpcMethod, readRpcName, readTarget, readUserAgent } from './request.ts';
import { protocolVersion, withSignal, wordingOf } from './signal.ts';
import { parseIso, startOf, type Stamp } from './time.ts';

type Fields = ReadonlyMap<string, string>;

/** Returns whether an object is a request line of agentgateway's JSON log. */
export function isAgentgateway(object: Record<string, unknown>): boolean {
  return object['scope'] === 'request' && ('gateway' in object || 'http.status' in object || 'src.addr' in object);
}

const HEAD = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z)[\t ]+[a-z]+[\t ]+request[\t ]+(?=[a-z_]+[.=])/;

/** A pair begins only at one of these, since values are not quoted: whatever else looks like a key is text. */
const KEY = new RegExp(
  String.raw`(?:^|[\t ])(gateway|listener|route_rule|route|endpoint|src\.(?:addr|identity)|http\.(?:method|host|path|version|status)|grpc\.status|tls\.sni|` +
    String.raw`trace\.id|span\.id|jwt\.[\w.]{1,40}|protocol|a2a\.[\w.]{1,40}|mcp\.[\w.]{1,40}|gen_ai\.[\w.]{1,60}|inferencepool\.[\w.]{1,40}|retry\.attempt|` +
    String.raw`error|reason|duration|user_agent|rq\.headers\.all\{\})=`,
  'g',
);

function parse(line: string): Parsed {
  if (line.charCodeAt(0) === 123) return parseJson(line);
  const head = HEAD.exec(line);
  if (head === null) return 'foreign';
  const fields = readPairs(line, head[0].length);
  return toRecord(fields, head[1] ?? '');
}

function parseJson(line: string): Parsed {
  if (!line.includes('"scope":"request"')) return 'foreign';
  const object = parseObject(line);
  if (object === null) return 'foreign';
  if (object === 'broken') return explainBroken(line);
  if (!isAgentgateway(object)) return 'foreign';
  const fields = new Map(Object.entries(object).map(([key, value]) => [key, textOf(value)]));
  return toRecord(fields, fields.get('time') ?? '');
}

/** Returns the pairs behind the head; of a key that comes twice the first counts, since the later may stand inside an error text. */
function readPairs(line: string, start: number): Fields {
  const fields = new Map<string, string>();
  KEY.lastIndex = start;
  let key: string | undefined;
  let from = start;
  const put = (end: number): void => {
    if (key !== undefined && !fields.has(key)) fields.set(key, unquote(line.slice(from, end).trimEnd()));
  };
  // The head ends in the blank that the first pair begins with.
  KEY.lastIndex = start - 1;
  for (let match = KEY.exec(line); match !== null; match = KEY.exec(line)) {
    put(match.index);
    key = match[1];
    from = KEY.lastIndex;
    KEY.lastIndex = endOfQuoted(line, from);
  }
  put(line.length);
  return fields;
}

/** Returns the offset behind a value in quotes, or where the value begins. */
function endOfQuoted(line: string, start: number): number {
  if (line.charCodeAt(start) !== 34) return start;
  let quote = line.indexOf('"', start + 1);
  while (quote !== -1 && line.charCodeAt(quote - 1) === 92) quote = line.indexOf('"', quote + 1);
  return quote === -1 ? start : quote + 1;
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll('\\"', '"') : text;
}

/** Request lines print microseconds as a whole number without leading zeros: `.5` is 5 µs. */
function parseTime(text: string): Stamp | null {
  const dot = text.indexOf('.');
  const digits = text.length - dot - 2;
  if (dot === -1 || digits > 6 || !/^\d+Z$/.test(text.slice(dot + 1))) return parseIso(text);
  const whole = parseIso(`${text.slice(0, dot)}Z`);
  return whole === null ? null : { us: whole.us + Number(text.slice(dot + 1, -1)), resolution_us: 1 };
}

function toRecord(fields: Fields, time: string): Parsed {
  const end = parseTime(time);
  if (end === null) return { reject: 'bad_time' };
  const statusText = fields.get('http.status') ?? '';
  const status = parseStatus(statusText);
  if (statusText !== '' && status === null) return { reject: 'bad_status' };
  if (!fields.has('src.addr') && !fields.has('http.method')) return { reject: 'bad_fields' };

  const record = blankRecord();
  const first = (...keys: string[]): string =>
    keys.map((key) => fields.get(key)).find((value) => value !== undefined && value !== '') ?? '';
  record.signal = withSignal(record.signal, 'status', status);
  record.address = parseAddress(first('src.addr'));
  record.principal = principalOf('user', first('jwt.sub', 'src.identity'));
  record.http_method = parseMethod(first('http.method'));
  const path = first('http.path');
  if (path !== '') readTarget(record, path);
  record.authority = parseAuthority(first('http.host')) ?? record.authority;
  readUserAgent(record, first('user_agent'));
  readRpcMethod(record, first('mcp.method.name', 'mcp.method', 'a2a.method'));
  readRpcName(record, first('gen_ai.tool.name', 'gen_ai.prompt.name', 'mcp.resource.name', 'mcp.resource.uri', 'mcp.resource'));
  record.correlation = first('trace.id').toLowerCase() || null;
  record.duration_us = parseGoDuration(first('duration'));
  record.attempts = attemptsOf(fields);
  readSession(record, fields);
  readError(record, first('mcp.error.code', 'a2a.response.error_code'), first('mcp.error.message', 'error'));
  record.signal = withSignal(record.signal, 'grpc_status', parseCount(first('grpc.status')));
  record.ts = startOf(end, record.duration_us);
  return { records: [record] };
}

/** A retry counter counts from the first repeat; a reason without an endpoint means that the gateway answered by itself. */
function attemptsOf(fields: Fields): number | null {
  const retries = parseCount(fields.get('retry.attempt'));
  if (retries !== null) return retries + 1;
  if (fields.has('endpoint')) return 1;
  return fields.has('reason') ? 0 : null;
}

/** A dump of all request headers shows the user agent too, and also what was not sent. */
function readSession(record: AccessRecord, fields: Fields): void {
  const id = fields.get('mcp.session.id');
  record.session = sessionOf(id);
  if (record.session !== null) record.signal = withSignal(record.signal, 'has_session', 'yes');
  const version = protocolVersion(fields.get('mcp.protocol.version'));
  if (version !== null) record.signal = withSignal(record.signal, 'protocol_version', version);
  const agent = /"user-agent": ?"([^"]{1,512})"/i.exec(fields.get('rq.headers.all{}') ?? '')?.[1];
  if (agent !== undefined) readUserAgent(record, agent);
}

function readError(record: AccessRecord, code: string, message: string): void {
  const number = parseCode(code);
  if (number !== null) record.signal = withSignal(withSignal(record.signal, 'rpc_code', number), 'rpc_outcome', 'error');
  if (message !== '') record.signal = withSignal(record.signal, 'wording', wordingOf(message));
}

export const agentgateway: Format = {
  name: 'agentgateway',
  title: 'agentgateway request log, text and JSON',
  spec: 'https://agentgateway.dev/docs/observability/',
  time: 'end',
  parse,
  samples: [
    {
      line: '2026-11-15T12:00:00.4821Z\tinfo\trequest gateway=bind/3000 listener=listener0 route=route0 endpoint=10.2.0.4:8000 src.addr=198.51.100.44:50100 http.method=POST http.host=mcp.example.com http.path=/mcp http.version=HTTP/1.1 http.status=200 protocol=mcp mcp.method.name=tools/call mcp.target=search mcp.resource.type=tool gen_ai.tool.name=query mcp.session.id=AbC+/9== duration=41ms',
      expect: {
        ts: 1_794_743_999_963_821,
        duration_us: 41_000,
        address: '198.51.100.44',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'query',
        attempts: 1,
        signal: { status: 200, has_session: 'yes', rpc_code: null },
      },
    },
    {
      line: '2026-11-15T12:00:03.120055Z info request  gateway=bind/3000 src.addr=[2001:db8::44]:50102 http.method=POST http.host=mcp.example.com http.path=/mcp http.status=200 protocol=mcp mcp.method.name=tools/run mcp.session.id=AbC+/9== mcp.error.code=-32601 mcp.error.message=tool not found http.status=500 duration=3ms',
      expect: {
        address: '2001:db8::44',
        rpc_method: 'tools/run',
        signal: { status: 200, rpc_code: -32601, rpc_outcome: 'error', wording: 'none' },
      },
    },
    {
      line: '2026-11-15T12:00:05.9Z\tinfo\trequest gateway=bind/3000 listener=listener0 src.addr=[2001:db8::44]:50103 http.method=GET http.host=mcp.example.com http.path=/nope http.version=HTTP/1.1 http.status=404 protocol=http error="route not found" reason=NotFound duration=0ms',
      expect: { ts: 1_794_744_005_000_009, path: '/nope', attempts: 0, signal: { status: 404 } },
    },
    {
      line: '{"level":"info","time":"2026-11-15T12:00:09.000120Z","scope":"request","gateway":"bind/3000","listener":"listener0","route":"route0","src.addr":"198.51.100.44:50104","http.method":"POST","http.host":"mcp.example.com","http.path":"/mcp","http.version":"HTTP/1.1","http.status":429,"protocol":"mcp","mcp.session.id":"AbC+/9==","reason":"RateLimit","duration":"0ms"}',
      expect: { ts: 1_794_744_009_000_120, attempts: 0, signal: { status: 429, has_session: 'yes' } },
    },
    {
      line: '2026-11-15T12:00:05.9Z\tinfo\trequest gateway=bind/3000 src.addr=198.51.100.44:50103 http.method=GET http.path=/mcp http.status=4x4 duration=0ms',
      expect: { reject: 'bad_status' },
    },
  ],
};
