// AWS API Gateway: the console's CLF and JSON presets, and JSON of one's own choice of context variables. The stamp is the start.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import { isCommon, readCommon, type CommonLine } from './common-log.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { isAbsent, normalizeKey, REQUEST_HEADERS } from './headers.ts';
import { principalOf } from './identity.ts';
import { objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget } from './request.ts';
import { withSignal, wordingOf } from './signal.ts';
import { parseStamp } from './time.ts';

/** The CLF preset ends in the request id and has neither referer nor user agent. */
const REQUEST_ID = /^ ([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\w-]{14,15}=)$/;

/** Returns whether a line is API Gateway's CLF. */
export function isApiGatewayClf({ agents }: CommonLine): boolean {
  return agents.length < 40 && REQUEST_ID.test(agents);
}

/** Returns whether an object is an access line of API Gateway. */
export function isApiGateway(object: Record<string, unknown>): boolean {
  return (
    'requestId' in object &&
    ('requestTime' in object || 'requestTimeEpoch' in object) &&
    ('httpMethod' in object || 'routeKey' in object)
  );
}

const parseJson = objectParser('"requestTime', isApiGateway, readObject);

function parse(line: string, context: ParseContext): Parsed {
  return line.charCodeAt(0) === 123 ? parseJson(line, context) : parseClfLine(line);
}

function parseClfLine(line: string): Parsed {
  if (!REQUEST_ID.test(line.slice(Math.max(0, line.lastIndexOf(' '))))) return 'foreign';
  const part = readCommon(line);
  if (!isCommon(part) || !isApiGatewayClf(part)) return 'foreign';
  part.record.correlation = part.agents.slice(1);
  return { records: [part.record] };
}

function readObject(object: Record<string, unknown>, context: ParseContext): Parsed {
  const fields = fieldsOf(object);
  const start = parseStamp(fields.first('requesttimeepoch'), 'UTC') ?? parseStamp(fields.first('requesttime'), context.timeZone);
  if (start === null) return { reject: 'bad_time' };
  const status = fields.first('status');
  if (status !== '' && parseStatus(status) === null) return { reject: 'bad_status' };

  const record = blankRecord();
  record.ts = start.us;
  readRequest(record, fields);
  record.signal = withSignal(record.signal, 'status', parseStatus(status));
  record.duration_us = parseDuration(fields.first('responselatency'), 'ms');
  record.response_bytes = parseCount(fields.first('responselength'));
  record.correlation = fields.first('requestid').toLowerCase() || null;
  if (status !== '401') record.principal = principalIn(fields);
  const message = fields.first('errormessage', 'errormessagestring', 'errorresponsetype');
  if (message !== '') record.signal = withSignal(record.signal, 'wording', wordingOf(message));
  return { records: [record] };
}

interface Fields {
  all: ReadonlyMap<string, string>;
  /** Returns the value of the first key that has one; `-` is none. */
  first(...names: string[]): string;
}

function fieldsOf(object: Record<string, unknown>): Fields {
  const all = new Map(Object.entries(object).map(([key, value]) => [normalizeKey(key), textOf(value)]));
  return { all, first: (...names) => names.map((name) => all.get(name) ?? '').find((value) => !isAbsent(value)) ?? '' };
}

/** A REST API logs the template of its resource and an HTTP API `METHOD /template`, unless the path itself was chosen. */
function readRequest(record: AccessRecord, { all, first }: Fields): void {
  record.address = parseAddress(first('ip', 'sourceip', 'identitysourceip', 'clientip'));
  const [routeMethod = '', route = ''] = first('routekey').split(' ', 2);
  record.http_method = parseMethod(first('httpmethod')) ?? (routeMethod.startsWith('$') ? null : parseMethod(routeMethod));
  const path = first('path', 'rawpath', 'resourcepath', 'resource') || route;
  if (path !== '') readTarget(record, path);
  record.authority = parseAuthority(first('domainname', 'host')) ?? record.authority;
  for (const [name, value] of all) if (value !== '') REQUEST_HEADERS.get(name)?.(record, value);
}

function principalIn({ first }: Fields): string | null {
  const key = first('apikeyid', 'identityapikeyid');
  return (
    principalOf('key', key) ?? principalOf('user', first('principalid', 'authorizerprincipalid', 'user', 'userarn', 'caller'))
  );
}

export const awsApiGateway: Format = {
  name: 'aws-api-gateway',
  title: 'AWS API Gateway, CLF and JSON',
  spec: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html',
  time: 'start',
  parse,
  samples: [
    {
      line: '198.51.100.140 caller-1 alice [10/Nov/2026:06:00:01 +0000] "POST /mcp/{proxy+} HTTP/1.1" 403 43 c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
      expect: {
        ts: 1_794_290_401_000_000,
        address: '198.51.100.140',
        http_method: 'POST',
        path: '/mcp/{proxy+}',
        response_bytes: 43,
        correlation: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
        signal: { status: 403 },
      },
    },
    {
      line: '{"requestId":"c6af9ac6-7b61-11e6-9a41-93e8deadbeef","ip":"198.51.100.140","caller":"-","user":"alice","requestTime":"10/Nov/2026:06:00:01 +0000","requestTimeEpoch":"1794290401482","httpMethod":"GET","resourcePath":"/tools/{id}","path":"/prod/tools/7","status":"429","protocol":"HTTP/1.1","responseLength":"42","responseLatency":"17","errorMessage":"Limit Exceeded: rate limit","userAgent":"node","apiKeyId":"-"}',
      expect: {
        ts: 1_794_290_401_482_000,
        duration_us: 17_000,
        address: '198.51.100.140',
        user_agent: 'node',
        principal: 'user:2bd806c97f0e00af',
        http_method: 'GET',
        path: '/prod/tools/7',
        response_bytes: 42,
        correlation: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
        signal: { status: 429, wording: 'throttle' },
      },
    },
    {
      line: '{"requestId":"JKJaXmPLvHcESHA=","ip":"2001:db8::8c","requestTime":"10/Nov/2026:06:00:01 +0000","routeKey":"POST /mcp/{name}","status":"404","protocol":"HTTP/1.1","responseLength":"23"}',
      expect: {
        ts: 1_794_290_401_000_000,
        address: '2001:db8::8c',
        http_method: 'POST',
        path: '/mcp/{name}',
        signal: { status: 404 },
      },
    },
    {
      line: '{"requestId":"JKJaXmPLvHcESHA=","ip":"198.51.100.140","requestTime":"10/Nov/2026:06:00:01 +0000","httpMethod":"GET","routeKey":"$default","status":"404","protocol":"HTTP/1.1","responseLength":"23"}',
      expect: { http_method: 'GET', path: null, signal: { status: 404 } },
    },
    {
      line: '{"requestId":"a-1","ip":"198.51.100.140","requestTime":"10/Nov/2026:06:00:01 +0000","httpMethod":"GET","status":"4x4"}',
      expect: { reject: 'bad_status' },
    },
    {
      line: '{"requestId":"a-1","ip":"198.51.100.140","requestTime":"10/Nov/2026:06:00:01 +0000","httpMet',
      expect: { reject: 'truncated' },
    },
  ],
};
