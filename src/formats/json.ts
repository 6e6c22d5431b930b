// JSON access logs without a fixed layout (nginx escape=json, ECS, applications): keys are looked up in a dictionary, whatever
// their case, separators and nesting.
import type { AccessRecord, RejectReason } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import { isAgentgateway } from './agentgateway.ts';
import { isApisix } from './apisix.ts';
import { isApiGateway } from './aws-api-gateway.ts';
import { isCaddy } from './caddy.ts';
import { isCloudflare } from './cloudflare.ts';
import { isAiGateway, isEnvoy } from './envoy.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { isAbsent, normalizeKey, readHeaders, REQUEST_HEADERS, RESPONSE_HEADERS, type HeaderReader } from './headers.ts';
import { principalOf } from './identity.ts';
import { explainBroken, isObject, parseObject, textOf } from './json-text.ts';
import { isTranscript } from './mcp-transcript.ts';
import { parseCode, parseCount, parseDuration, parseGoDuration, parseStatus, type Unit } from './numbers.ts';
import {
  blankRecord,
  parseMethod,
  readForwarded,
  readQuery,
  readRequestLine,
  readRpcMethod,
  readRpcName,
  readTarget,
} from './request.ts';
import { openJsonScan, type Role } from './scan-json.ts';
import { withSignal, wordingOf } from './signal.ts';
import { isTagged } from './tagged.ts';
import { parseIso, parseStamp, startOf, type Stamp } from './time.ts';
import { isGcp } from './gcp-load-balancer.ts';
import { isFrontDoor } from './azure-front-door.ts';
import { isApplicationGateway } from './azure-application-gateway.ts';
import { isApimMcp } from './azure-apim-mcp.ts';
import { isFastly } from './fastly.ts';
import { isVercel } from './vercel.ts';
import { isTraefik } from './traefik.ts';
import { isKong } from './kong.ts';
import { isTyk } from './tyk.ts';
import { isCloudfront } from './cloudfront.ts';
import { isContextForge } from './contextforge.ts';
import { isLitellm } from './litellm.ts';
import { isFastmcp } from './fastmcp.ts';
import { isPino } from './pino-http.ts';
import { isTomcat } from './tomcat.ts';
import { isHar } from './har.ts';
import { isOtlp } from './otlp.ts';
import { countTries } from './upstream.ts';

/** Tests of the JSON formats that have files of their own; what one of them claims is not for the dictionary. */
const SIBLINGS: readonly ((object: Record<string, unknown>, line: string) => boolean)[] = [
  isTagged,
  isCaddy,
  isAgentgateway,
  isTraefik,
  isApisix,
  isEnvoy,
  isApiGateway,
  isCloudflare,
  isCloudfront,
  (object, line) => line.includes('"jsonrpc') && isTranscript(object),
  isGcp,
  isFrontDoor,
  isApplicationGateway,
  isApimMcp,
  isFastly,
  isVercel,
  isKong,
  isTyk,
  isContextForge,
  isLitellm,
  isFastmcp,
  isPino,
  isAiGateway,
  isTomcat,
  isHar,
  isOtlp,
];

/** What the keys of one line gave, before it becomes a record. */
interface Draft {
  record: AccessRecord;
  line: string;
  timeZone: string;
  start: Stamp | null;
  end: Stamp | null;
  /** Date and time of day, where they are two keys. */
  date: string;
  clock: string;
  peer: string | null;
  forwarded: string;
  scheme: string | null;
  host: string;
  method: string;
  target: string;
  path: string;
  query: string;
  requestLine: string;
  hasRequest: boolean;
  hasStatus: boolean;
  hasMeasure: boolean;
  wireBytes: number | null;
  traceId: string | null;
  problem: RejectReason | null;
}

type Reader = (draft: Draft, value: unknown, key: string) => void;

function readEnd(draft: Draft, value: unknown, key: string): void {
  const stamp = readStamp(draft, value, key);
  if (stamp !== null && (draft.end === null || stamp.resolution_us < draft.end.resolution_us)) draft.end = stamp;
}

function readStart(draft: Draft, value: unknown, key: string): void {
  draft.start = readStamp(draft, value, key) ?? draft.start;
}

function readStamp(draft: Draft, value: unknown, key: string): Stamp | null {
  if (value === '' || value === '-' || value === null) return null;
  if (typeof value === 'string' && DATE_ONLY.test(value)) draft.date = value;
  if (typeof value === 'string' && CLOCK_ONLY.test(value)) draft.clock = value;
  const exact = typeof value === 'number' && value > Number.MAX_SAFE_INTEGER ? (digitsOf(draft.line, key) ?? value) : value;
  const stamp = parseStamp(exact, draft.timeZone);
  if (stamp === null && typeof value === 'string' && LIKE_STAMP.test(value)) draft.problem ??= 'bad_time';
  return stamp;
}

const DATE_ONLY = /^\d{4}-\d\d-\d\d$/;
const CLOCK_ONLY = /^\d\d:\d\d:\d\d(?:\.\d{1,9})?$/;
/** `time` may be a duration and `date` a date alone; what looks like a whole stamp must be one. */
const LIKE_STAMP = /^(?:\d{4}-\d\d-.{3,}|\[?\d\d\/[A-Z].{4,})$/;

/** Returns the digits of a number that JSON.parse had to round. */
function digitsOf(line: string, key: string): string | undefined {
  const at = line.indexOf(`${JSON.stringify(key)}:`);
  return at === -1 ? undefined : /^\s*(\d{17,19})\b/.exec(line.slice(at + key.length + 3, at + key.length + 40))?.[1];
}

function readMsec(draft: Draft, value: unknown): void {
  const stamp = parseStamp(value, 'UTC');
  if (stamp !== null) draft.end = { us: stamp.us, resolution_us: Math.min(stamp.resolution_us, 1000) };
}

function readStatus(draft: Draft, value: unknown): void {
  const status = parseStatus(value);
  const text = textOf(value);
  if (status === null && value !== null && !/^(?:-|-?\d{0,3})$/.test(text)) {
    draft.problem ??= 'bad_status';
    return;
  }
  draft.hasStatus = true;
  if (status !== null) draft.record.signal = withSignal(draft.record.signal, 'status', status);
}

/** `code` and `status` are words of application logs too: only a status number counts. */
function readLooseStatus(draft: Draft, value: unknown): void {
  if (parseStatus(value) !== null && !draft.hasStatus) readStatus(draft, value);
}

function readMethod(draft: Draft, value: unknown): void {
  if (typeof value !== 'string') return;
  if (value.includes('/')) readRpcMethod(draft.record, value);
  else {
    draft.method = value;
    draft.hasRequest = true;
  }
}

/** `request` is a request line, or a target, or the parent of such fields. */
function readRequest(draft: Draft, value: unknown): void {
  if (typeof value !== 'string') return;
  draft.hasRequest = true;
  if (value.startsWith('/')) draft.target ||= value;
  else draft.requestLine = value;
}

function inUnit(unit: Unit): Reader {
  return (draft, value) => {
    draft.hasMeasure = true;
    draft.record.duration_us ??= parseDuration(value, unit) ?? parseGoDuration(textOf(value));
  };
}

/** A duration whose key names no unit says something only if the value does. */
const readNamedDuration: Reader = (draft, value) => {
  draft.hasMeasure = true;
  draft.record.duration_us ??= typeof value === 'string' ? parseGoDuration(value) : null;
};

const readTries: Reader = (draft, value) => {
  const tries = countTries(textOf(value));
  if (tries !== null) draft.record.attempts = Math.max(draft.record.attempts ?? 0, tries);
};

function asText(read: (draft: Draft, text: string) => void): Reader {
  return (draft, value) => {
    const text = textOf(value);
    if (text !== '') read(draft, text);
  };
}

/** A request header's reader for a key of its own; empty text means that the header was not there. */
function asHeader(reader: HeaderReader): Reader {
  return (draft, value) => {
    if (typeof value === 'string') reader(draft.record, value);
  };
}

function header(name: string): Reader {
  return asHeader(REQUEST_HEADERS.get(name) ?? (() => {}));
}

const readPrincipal = asText(({ record }, text) => (record.principal ??= principalOf('user', text)));
const readKeyId = asText(({ record }, text) => (record.principal = principalOf('key', text) ?? record.principal));
const readTrace = asText((draft, text) => (draft.traceId = isAbsent(text) ? null : text.toLowerCase()));
const readCorrelation = asText(({ record }, text) => (record.correlation ??= isAbsent(text) ? null : text.toLowerCase()));
const readName = asText(({ record }, text) => readRpcName(record, text));

/** Readers by normalised key; keys of nested objects carry the names of their parents. */
const FIELDS = new Map<string, Reader>();
function define(reader: Reader, keys: string): void {
  for (const key of keys.split(' ')) FIELDS.set(key, reader);
}
define(
  readEnd,
  'timeiso8601 timestamp ts time date datetime timelocal eventtime logtime endtime timeend isotime requesttimeepoch',
);
define(readMsec, 'msec');
define(readStart, 'starttime startedat timestart requeststarttime startts start');
define(
  asText(({ record }, text) => (record.address = parseAddress(text) ?? record.address)),
  'clientip clientaddr clientaddress client ip srcip sourceip sourceaddress cip',
);
define(
  asText((draft, text) => (draft.peer ??= parseAddress(text))),
  'remoteaddr remoteip remoteaddress remote remotehost peer peeraddr peerip downstreamremoteaddress reqremoteaddress requestremoteaddr requestremoteip',
);
define(
  asText((draft, text) => (draft.forwarded ||= text)),
  'xforwardedfor httpxforwardedfor forwardedfor xff',
);
define(readMethod, 'requestmethod method verb httpmethod reqmethod httprequestmethod csmethod');
define(
  asText((draft, text) => ((draft.target ||= text), (draft.hasRequest = true))),
  'requesturi uri url requesturl originaluri requesttarget requri requrl urlfull urloriginal httpurl httptarget',
);
define(
  asText((draft, text) => ((draft.path ||= text), (draft.hasRequest = true))),
  'path requestpath uripath urlpath reqpath httppath httproute csuristem xenvoyoriginpath',
);
define(
  asText((draft, text) => (draft.query ||= text)),
  'querystring query args requestquery requestquerystring urlquery csuriquery',
);
define(readRequest, 'request requestline');
define(
  asText((draft, text) => (draft.host ||= text)),
  'host httphost authority vhost requesthost reqhost domain urldomain',
);
define(
  asText((draft, text) => (draft.scheme = text.toLowerCase())),
  'scheme requestscheme urlscheme httpscheme',
);
define(
  readStatus,
  'statuscode responsestatus responsecode httpstatus httpstatuscode resstatuscode resstatus responsestatuscode httpresponsestatuscode scstatus respstatus',
);
define(readLooseStatus, 'status code');
define(
  asText((draft, text) => (draft.record.response_bytes ??= parseCount(text))),
  'bodybytessent responsebytes responsesize size bytes responselength responsebodysize bodysize ressize bytesout httpresponsebodybytes httpresponsebytes responsebodybytes',
);
define(
  asText((draft, text) => (draft.wireBytes = parseCount(text))),
  'bytessent scbytes',
);
define(
  asText((draft, text) => (draft.record.request_bytes ??= parseCount(text))),
  'requestlength requestsize requestbytes bytesreceived bytesin bytesread reqsize httprequestbytes httprequestbodybytes requestbodysize csbytes',
);
define(inUnit('s'), 'requesttime rt');
define(inUnit('ns'), 'eventduration');
define(readNamedDuration, 'duration latency elapsed elapsedtime responsetime timetaken took');
define(readTries, 'upstreamstatus upstreamaddr upstreamresponsetime upstreamconnecttime upstreamheadertime');
define(header('useragent'), 'useragent httpuseragent agent ua useragentoriginal requestuseragent requseragent csuseragent');
define(
  readPrincipal,
  'remoteuser user username userid useremail authuser authenticateduser csusername sub jwtsub principal subject',
);
define(readKeyId, 'apikeyid keyid clientid consumerid accesskeyid');
define(
  asText((draft, text) => {
    draft.record.principal = principalOf('key', text) ?? draft.record.principal;
    if (!isAbsent(text)) draft.record.credential ??= 'field api_key';
  }),
  'apikey xapikey',
);
define(readCorrelation, 'requestid reqid xrequestid httpxrequestid correlationid httprequestid');
define(readTrace, 'traceid trace oteltraceid');
define(
  asText(({ record }, text) => readRpcMethod(record, text)),
  'rpcmethod mcpmethod mcpmethodname jsonrpcmethod a2amethod',
);
define(
  readName,
  'rpcname toolname mcptoolname genaitoolname mcpresourcename promptname genaipromptname resourceuri mcpresourceuri',
);
define(header('mcpname'), 'mcpname');
define(header('mcpsessionid'), 'mcpsessionid');
define(header('mcpprotocolversion'), 'mcpprotocolversion protocolversion a2aversion');
define(header('lasteventid'), 'lasteventid');
define(
  asText(({ record }, text) => {
    const code = parseCode(text);
    if (code === null) return;
    record.signal = withSignal(withSignal(record.signal, 'rpc_code', code), 'rpc_outcome', 'error');
  }),
  'rpccode rpcerrorcode mcperrorcode jsonrpccode jsonrpcerrorcode a2aresponseerrorcode',
);
define(
  asText(({ record }, text) => (record.signal = withSignal(record.signal, 'wording', wordingOf(text)))),
  'rpcerrormessage mcperrormessage jsonrpcerrormessage',
);
define((draft, value) => {
  if (typeof value === 'boolean') draft.record.signal = withSignal(draft.record.signal, 'tool_error', value ? 'yes' : 'no');
}, 'toolerror iserror mcptoolerror');
define(
  asText(({ record }, text) => (record.signal = withSignal(record.signal, 'grpc_status', parseCount(text)))),
  'grpcstatus grpcstatuscode',
);
for (const [name, reader] of REQUEST_HEADERS) FIELDS.set(`http${name}`, FIELDS.get(`http${name}`) ?? asHeader(reader));
for (const [name, reader] of RESPONSE_HEADERS) {
  for (const prefix of ['senthttp', 'upstreamhttp']) FIELDS.set(prefix + name, asHeader(reader));
}
define(asHeader(RESPONSE_HEADERS.get('retryafter') ?? (() => {})), 'retryafter');

const DURATION_KEY =
  /^(?:duration|latency|elapsed|elapsedtime|responsetime|requesttime|timetaken|took|processingtime|totaltime|time|rt|requestduration|httpduration|latencytotal)(?:in)?(ms|us|ns|s|sec|secs|seconds|millis|milliseconds|micros|microseconds|nanos|nanoseconds)$/;
const SUFFIX_UNITS: Readonly<Record<string, Unit>> = {
  sec: 's',
  secs: 's',
  seconds: 's',
  millis: 'ms',
  milliseconds: 'ms',
  micros: 'us',
  microseconds: 'us',
  nanos: 'ns',
  nanoseconds: 'ns',
};

/** Objects whose members are read under the name of the object, and those that only wrap. */
const PARENTS = new Set([
  'request',
  'req',
  'http',
  'httprequest',
  'response',
  'res',
  'resp',
  'httpresponse',
  'client',
  'source',
  'url',
  'user',
  'useragent',
  'event',
  'mcp',
  'rpc',
  'jsonrpc',
  'a2a',
  'genai',
  'upstream',
]);
const WRAPPERS = new Set([
  'access',
  'nginx',
  'apache',
  'data',
  'fields',
  'attributes',
  'message',
  'msg',
  'payload',
  'log',
  'httpaccess',
  'accesslog',
  'context',
  'extra',
  'json',
  'jsonpayload',
]);
const MAX_DEPTH = 4;

/** What a key means: a reader, a map of headers, or a prefix under which an object's members are looked up. */
interface Meaning {
  read: Reader | null;
  headers: ReadonlyMap<string, HeaderReader> | null;
  prefix: string | null;
}
const NOTHING: Meaning = { read: null, headers: null, prefix: null };

type Meanings = Map<string, Meaning>;
const meanings = new Map<string, Meanings>();
const MAX_MEANINGS = 4096;
const MAX_PREFIXES = 256;
let countMeanings = 0;

function meaningsUnder(prefix: string): Meanings {
  const known = meanings.get(prefix) ?? new Map<string, Meaning>();
  if (meanings.size < MAX_PREFIXES) meanings.set(prefix, known);
  return known;
}

/** Keys are attacker's text too, so only short ones and only so many are remembered. */
function learn(known: Meanings, prefix: string, key: string): Meaning {
  const meaning = lookUp(prefix, normalizeKey(key));
  if (key.length <= 64 && countMeanings++ < MAX_MEANINGS) known.set(key, meaning);
  return meaning;
}

function lookUp(prefix: string, name: string): Meaning {
  const isResponse = prefix.includes('res') || name.startsWith('res');
  const headers = /^(?:req|request|res|resp|response|http)?headers$/.test(name)
    ? isResponse
      ? RESPONSE_HEADERS
      : REQUEST_HEADERS
    : null;
  const full = prefix + name;
  const unit = DURATION_KEY.exec(full)?.[1] ?? DURATION_KEY.exec(name)?.[1];
  // What an upstream is called or asked is not what the client asked.
  const bare = prefix === '' || prefix.startsWith('upstream') ? undefined : FIELDS.get(name);
  const read =
    FIELDS.get(full) ?? (unit === undefined ? undefined : inUnit(SUFFIX_UNITS[unit] ?? (unit as Unit))) ?? bare ?? null;
  const isParent = PARENTS.has(name) || /^(?:mcp|rpc|jsonrpc|a2a|genai)/.test(prefix);
  const inner = isParent ? full : WRAPPERS.has(name) ? prefix : null;
  return read === null && headers === null && inner === null ? NOTHING : { read, headers, prefix: inner };
}

function readMembers(draft: Draft, members: Record<string, unknown>, prefix: string, depth: number, strip = 0): void {
  const known = meaningsUnder(prefix);
  for (const key in members) {
    const value = members[key];
    const name = strip === 0 ? key : key.slice(strip);
    const meaning = known.get(name) ?? learn(known, prefix, name);
    if (meaning === NOTHING || value === null || value === undefined) continue;
    if (typeof value !== 'object') meaning.read?.(draft, value, key);
    else if (meaning.headers !== null) readHeaders(draft.record, value, meaning.headers);
    else if (meaning.prefix !== null && depth < MAX_DEPTH && isObject(value))
      readMembers(draft, value, meaning.prefix, depth + 1);
  }
}

/** Returns the length of a beginning such as `scs_` that all keys share, or 0. */
function sharedPrefix(members: Record<string, unknown>): number {
  const keys = Object.keys(members);
  const prefix = /^[A-Za-z\d]{1,16}[_.-]/.exec(keys[0] ?? '')?.[0];
  return prefix !== undefined && keys.length > 3 && keys.every((key) => key.startsWith(prefix)) ? prefix.length : 0;
}

function newDraft(line: string, { timeZone }: ParseContext): Draft {
  return {
    record: blankRecord(),
    line,
    timeZone,
    start: null,
    end: null,
    date: '',
    clock: '',
    peer: null,
    forwarded: '',
    scheme: null,
    host: '',
    method: '',
    target: '',
    path: '',
    query: '',
    requestLine: '',
    hasRequest: false,
    hasStatus: false,
    hasMeasure: false,
    wireBytes: null,
    traceId: null,
    problem: null,
  };
}

function parse(line: string, context: ParseContext): Parsed {
  const object = parseObject(line);
  if (object === null) return 'foreign';
  if (object === 'broken') return explainBroken(line);
  if (SIBLINGS.some((isClaimed) => isClaimed(object, line))) return 'foreign';
  return readObject(object, context, line);
}

/** Returns whether a key says something of a request. */
export function knowsKey(key: string): boolean {
  return lookUp('', normalizeKey(key)).read !== null;
}

/** Returns the record that the keys of an object tell of, wherever they were written. */
export function readObject(object: Record<string, unknown>, context: ParseContext, line: string): Parsed {
  let draft = newDraft(line, context);
  readMembers(draft, object, '', 0);
  if (!isAccess(draft)) {
    const strip = sharedPrefix(object);
    if (strip === 0) return 'other';
    draft = newDraft(line, context);
    readMembers(draft, object, '', 0, strip);
    if (!isAccess(draft)) return 'other';
  }
  if (draft.problem !== null) return { reject: draft.problem };
  return { records: [finish(draft)] };
}

/** Whether the keys tell of a request and its answer; other JSON is an application's. */
function isAccess({ hasRequest, hasStatus, hasMeasure, method, target, path, problem, record }: Draft): boolean {
  const isAnswer = hasStatus || problem === 'bad_status' || (hasMeasure && method !== '' && (target !== '' || path !== ''));
  return isAnswer && (hasRequest || record.rpc_method !== null);
}

function readSeparateParts({ record, method, target, path }: Draft): void {
  if (method !== '') record.http_method = parseMethod(method);
  const asked = isAbsent(target) ? path : target;
  if (!isAbsent(asked)) readTarget(record, asked);
}

function finish(draft: Draft): AccessRecord {
  const { record, scheme, start } = draft;
  const end = draft.end ?? (draft.clock === '' ? null : parseIso(`${draft.date}T${draft.clock}`, draft.timeZone));
  if (draft.requestLine !== '') readRequestLine(record, draft.requestLine);
  // A request line is what the client sent; `uri` beside it may be what a rewrite made of it.
  if (record.http_method === null) readSeparateParts(draft);
  if (draft.query !== '') readQuery(record, record.path, draft.query);
  if (draft.host !== '') record.authority = parseAuthority(draft.host, scheme) ?? record.authority;
  record.address ??= draft.peer;
  readForwarded(record, draft.forwarded);
  record.response_bytes ??= draft.wireBytes;
  record.correlation ??= draft.traceId;
  if (start !== null) record.ts = start.us;
  else if (end !== null) record.ts = startOf(end, record.duration_us);
  if (record.signal.status === 401 && record.principal?.startsWith('user:') === true) record.principal = null;
  return record;
}

/** Keys that the scanner understands as they are usually written; of all others it takes only those that mean nothing here. */
const ROLES: Readonly<Record<string, Role>> = {
  timeiso8601: 'end',
  timestamp: 'end',
  msec: 'msec',
  remoteaddr: 'client',
  httpxforwardedfor: 'client',
  xforwardedfor: 'client',
  httpuseragent: 'client',
  useragent: 'client',
  requestmethod: 'target',
  requesturi: 'target',
  host: 'target',
  httphost: 'target',
  scheme: 'target',
  httpmcpmethod: 'target',
  httpmcpname: 'target',
  status: 'status',
  httpmcpprotocolversion: 'signal',
  bodybytessent: 'response_bytes',
  requestlength: 'request_bytes',
  requesttime: 'seconds',
  upstreamaddr: 'tries',
  upstreamstatus: 'tries',
  upstreamresponsetime: 'tries',
  remoteuser: 'user',
  httpmcpsessionid: 'session',
  requestid: 'correlation',
};
/** Keys by which a line is told to be of a format of its own. */
const SIBLING_KEYS = new Set([
  'jsonrpc',
  'message',
  'msg',
  'payload',
  'data',
  'logger',
  'scope',
  'client_address',
  'line',
  'level',
]);

function roleOf(key: string): Role | undefined {
  const role = ROLES[normalizeKey(key)];
  if (role !== undefined) return role;
  return lookUp('', normalizeKey(key)) === NOTHING && !SIBLING_KEYS.has(key) ? 'none' : undefined;
}

export const json: Format = {
  name: 'json',
  title: 'JSON access logs (nginx escape=json, ECS, applications), by a dictionary of keys',
  spec: 'https://nginx.org/en/docs/http/ngx_http_log_module.html',
  time: 'end',
  parse,
  scan: openJsonScan(roleOf),
  samples: [
    {
      line: '{"time_iso8601":"2026-10-12T07:14:03+00:00","msec":"1791789243.481","remote_addr":"198.51.100.23","request_method":"POST","request_uri":"/mcp","host":"mcp.example.com","status":"502","body_bytes_sent":"157","request_length":"412","request_time":"3.012","upstream_addr":"10.0.1.4:8000, 10.0.1.5:8000","upstream_status":"502, 502","http_user_agent":"python-httpx/0.28.1","http_mcp_session_id":"","http_mcp_method":"tools/call","http_mcp_name":"search","request_id":"6f1c2d3e4a5b60718293a4b5c6d7e8f9"}',
      expect: {
        ts: 1_791_789_240_469_000,
        duration_us: 3_012_000,
        address: '198.51.100.23',
        authority: 'mcp.example.com',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        attempts: 2,
        correlation: '6f1c2d3e4a5b60718293a4b5c6d7e8f9',
        signal: { status: 502, has_session: 'no' },
      },
    },
    {
      line: '{"@timestamp":"2026-10-12T07:14:03.250Z","client":{"ip":"2001:DB8::0:1"},"http":{"request":{"method":"post","headers":{"Mcp-Session-Id":"s-1","User-Agent":"node"}},"response":{"status_code":404,"headers":{"retry-after":"2","Allow":""}}},"url":{"path":"/mcp"},"event":{"duration":250000000}}',
      expect: {
        ts: 1_791_789_243_000_000,
        duration_us: 250_000,
        address: '2001:db8::1',
        user_agent: 'node',
        http_method: 'POST',
        path: '/mcp',
        retry_after_ms: 2000,
        signal: { status: 404, has_session: 'yes', retry_after: 'yes', allow: 'empty' },
      },
    },
    {
      line: '{"time_local":"12/Oct/2026:09:14:03 +0200","remote_addr":"198.51.100.23","request":"GET /a\\x22b?q=1 HTTP/1.1","status":200,"body_bytes_sent":,"http_user_agent":"a \\x22b\\x22"}',
      expect: { ts: 1_791_789_243_000_000, path: '/a"b', user_agent: 'a "b"', response_bytes: null, signal: { status: 200 } },
    },
    {
      line: '{"scs_ts":1791789243481123456,"scs_client_ip":"192.0.2.7:443","scs_method":"GET","scs_uri":"/x","scs_status":"000","scs_latency_ms":"12.5"}',
      expect: { ts: 1_791_789_243_468_623, duration_us: 12_500, address: '192.0.2.7', path: '/x', signal: { status: null } },
    },
    { line: '{"level":"info","time":"2026-10-12T07:14:03Z","msg":"server started","port":8000}', expect: 'other' },
    { line: '{"time":"2026-10-12T07:14:03Z","method":"GET","path":"/x","status_code":"2x0"}', expect: { reject: 'bad_status' } },
    { line: '{"time":"2026-10-32T07:14:03Z","method":"GET","path":"/x","status":200}', expect: { reject: 'bad_time' } },
    { line: '{"time":"2026-10-12T07:14:03Z","method":"GET","path":"/x","sta', expect: { reject: 'truncated' } },
    { line: '{"time":"2026-10-12T07:14:03Z","method":"GET",path:"/x","status":200}', expect: { reject: 'bad_json' } },
  ],
};
