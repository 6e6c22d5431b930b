// Tomcat's JsonAccessLogValve, and the text pattern that log collectors recommend; `common` and `combined` are Apache's.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import { isCommon, readCommon, type CommonLine } from './common-log.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { isAbsent, readHeaders, REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts';
import { principalOf } from './identity.ts';
import { memberOf, objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readForwarded, readQuery, readRequestLine, readTarget, readUserAgent } from './request.ts';
import { withSignal } from './signal.ts';
import { parseClf } from './time.ts';

type Members = Record<string, unknown>;

/** Returns whether an object is a line of the valve: the names of its attributes, and a stamp in brackets. */
export function isTomcat(object: Members): boolean {
  return 'statusCode' in object && textOf(object['time']).startsWith('[') && ('host' in object || 'remoteAddr' in object);
}

function read(object: Members): Parsed {
  const start = parseClf(textOf(object['time']), 1);
  if (start === null) return { reject: 'bad_time' };
  if (!('request' in object) && !('path' in object)) return { reject: 'bad_fields' };
  const text = (key: string): string => textOf(object[key]);

  const record = blankRecord();
  record.ts = start;
  // `host` is who asked, not who was asked.
  record.address = parseAddress(text('remoteAddr') || text('host'));
  readAsked(record, object);
  const status = parseStatus(object['statusCode']);
  record.signal = withSignal(record.signal, 'status', status);
  record.authority ??= parseAuthority(text('localServerName'));
  if (status !== 401) record.principal = principalOf('user', text('user'));
  record.response_bytes = parseCount(object['size'] ?? object['byteSentNC']);
  // `elapsedTime` is in microseconds from Tomcat 10 on and in milliseconds before; the line does not say which.
  record.duration_us = parseDuration(object['elapsedTimeS'], 's');
  const headers = memberOf(object, 'requestHeaders');
  readHeaders(record, headers, REQUEST_HEADERS);
  readForwarded(record, textOf(headers['X-Forwarded-For']));
  readHeaders(record, memberOf(object, 'responseHeaders'), RESPONSE_HEADERS);
  return { records: [record] };
}

function readAsked(record: AccessRecord, object: Members): void {
  readRequestLine(record, textOf(object['request']));
  const path = textOf(object['path']);
  if ('request' in object || isAbsent(path)) return;
  record.http_method = parseMethod(textOf(object['method']));
  readTarget(record, path);
  const query = textOf(object['query']);
  if (!isAbsent(query)) readQuery(record, record.path, query.replace(/^\?/, ''));
}

/** `%A %X %T "%{Referer}i" "%{User-Agent}i" X-Forwarded-For="%{X-Forwarded-For}i"`. */
const APPENDED = /^ [\da-fA-F.:]{2,45} [X+-] (\d{1,9}(?:\.\d{1,6})?|-) "[^"]*" "(.*)" X-Forwarded-For="([^"]*)"$/s;

/** Returns whether a line goes on as that pattern does. */
export function isTomcatText({ agents }: CommonLine): boolean {
  return agents.endsWith('"') && agents.includes('" X-Forwarded-For="') && APPENDED.test(agents);
}

function parseText(line: string): Parsed {
  if (!line.includes('" X-Forwarded-For="')) return 'foreign';
  const part = readCommon(line);
  const match = isCommon(part) ? APPENDED.exec(part.agents) : null;
  if (!isCommon(part) || match === null) return 'foreign';
  const { record } = part;
  record.duration_us = parseDuration(match[1], 's');
  record.user_agent = null;
  readUserAgent(record, match[2] ?? '');
  readForwarded(record, match[3] ?? '');
  // The stamp is the start already.
  return { records: [record] };
}

const parseJson = objectParser('"statusCode"', isTomcat, read);

function parse(line: string, context: ParseContext): Parsed {
  return line.charCodeAt(0) === 123 ? parseJson(line, context) : parseText(line);
}

export const tomcat: Format = {
  name: 'tomcat',
  title: 'Tomcat JsonAccessLogValve, text with forwarded addresses',
  spec: 'https://tomcat.apache.org/tomcat-10.1-doc/config/valve.html#JSON_Access_Log_Valve',
  time: 'start',
  parse,
  samples: [
    {
      line: '{"host":"198.51.100.73","logicalUserName":"-","user":"alice","time":"[18/Nov/2026:07:00:12 +0100]","request":"POST /mcp?a=b HTTP/1.1","statusCode":"404","size":"431","elapsedTime":"12","requestHeaders":{"User-Agent":"node","Mcp-Method":"tools/call"}}',
      expect: {
        ts: 1_794_981_612_000_000,
        duration_us: null,
        address: '198.51.100.73',
        user_agent: 'node',
        authority: null,
        principal: 'user:2bd806c97f0e00af',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        response_bytes: 431,
        signal: { status: 404 },
      },
    },
    {
      line: '{"remoteAddr":"2001:db8::73","method":"GET","path":"/sse","query":"?token=0123456789","time":"[18/Nov/2026:06:00:13 +0000]","statusCode":"405","size":"-","elapsedTimeS":"0.250"}',
      expect: { path: '/sse', duration_us: 250_000, response_bytes: null, credential: 'query parameter token' },
    },
    {
      line: '{"host":"198.51.100.73","user":"-","time":"[18/Nov/2026:06:00:14 +0000]","request":"-","statusCode":"400","size":"0"}',
      expect: { http_method: null, response_bytes: 0, signal: { status: 400 } },
    },
    {
      line: '198.51.100.73 - alice [18/Nov/2026:06:00:12 +0000] "POST /mcp HTTP/1.1" 404 431 10.0.0.3 + 1.250 "-" "node" X-Forwarded-For="203.0.113.9, 10.0.0.1"',
      expect: {
        ts: 1_794_981_612_000_000,
        duration_us: 1_250_000,
        address: '198.51.100.73',
        user_agent: 'node',
        response_bytes: 431,
      },
    },
    {
      line: '{"host":"198.51.100.73","time":"[18/Xov/2026:06:00:14 +0000]","request":"GET / HTTP/1.1","statusCode":"200"}',
      expect: { reject: 'bad_time' },
    },
    {
      line: '{"host":"198.51.100.73","time":"[18/Nov/2026:06:00:14 +0000]","statusCode":"200","request":"GE',
      expect: { reject: 'truncated' },
    },
  ],
};
