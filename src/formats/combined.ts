// nginx and Apache common and combined lines: an optional virtual host in front, the usual fields appended behind.
import type { AccessRecord } from '../record.ts';
import { isIp, parseAddress, parseAuthority } from './address.ts';
import { isApisixText } from './apisix.ts';
import { isApiGatewayClf } from './aws-api-gateway.ts';
import { isCommon, readCommon, type CommonLine } from './common-log.ts';
import type { Format, Parsed } from './format.ts';
import { isHaproxyClf } from './haproxy.ts';
import { principalOf } from './identity.ts';
import { isIngressNginx } from './ingress-nginx.ts';
import { parseCount, parseDuration } from './numbers.ts';
import { blankRecord, readForwarded, readPath, readUserAgent } from './request.ts';
import { scanCombined } from './scan-combined.ts';
import { statusSignal } from './signal.ts';
import { parseClf, startOf } from './time.ts';
import { isTomcatText } from './tomcat.ts';
import { isTraefikClf } from './traefik.ts';
import { countTries } from './upstream.ts';

const RESOLUTION_US = 1_000_000;

/** Tests of the formats that append to a combined line and have files of their own. */
const SIBLINGS: readonly ((part: CommonLine) => boolean)[] = [
  isIngressNginx,
  isTraefikClf,
  isApisixText,
  isHaproxyClf,
  isApiGatewayClf,
  isTomcatText,
];

/** The line that nearly all lines are: no escapes, no blanks where none belong, nothing appended. */
const USUAL =
  /^([^\s\\]+) - ([^\s\\]+) \[[^\]]{26}\] "([A-Z]+) (\/[^\s"?\\]*)(?:\?([^\s"\\]*))? HTTP\/[\d.]+" ([1-9]\d\d) (\d{1,15}|-) "[^"\\]*" "([^"\\]*)"$/;

function parse(line: string): Parsed {
  const match = USUAL.exec(line);
  return match === null ? parseUnusual(line) : readUsual(match, line);
}

function readUsual(match: RegExpExecArray, line: string): Parsed {
  const host = match[1] ?? '';
  const user = match[2] ?? '';
  const ts = parseClf(line, host.length + user.length + 5);
  if (ts === null) return { reject: 'bad_time' };
  const record = blankRecord();
  const status = Number(match[6]);
  record.ts = ts;
  record.address = parseAddress(host);
  if (user !== '-' && status !== 401) record.principal = principalOf('user', user);
  record.http_method = match[3] ?? null;
  readPath(record, match[4] ?? '', match[5]);
  record.signal = statusSignal(status);
  if (match[7] !== '-') record.response_bytes = Number(match[7]);
  readUserAgent(record, match[8] ?? '');
  return { records: [record] };
}

function parseUnusual(line: string): Parsed {
  const part = readCommon(line);
  if (!isCommon(part)) return part;
  const { record, rest } = part;
  if (rest !== '' && SIBLINGS.some((isClaimed) => isClaimed(part))) return 'foreign';
  if (rest !== '') readAppended(record, rest);
  if (record.ts !== null) record.ts = startOf({ us: record.ts, resolution_us: RESOLUTION_US }, record.duration_us);
  return { records: [record] };
}

/** A field behind the user agent: `name="value"`, `"value"`, `[value]` or bare words, lists with their blanks. */
const APPENDED = /(?:([A-Za-z]\w{0,40})=)?(?:"([^"]*)"|\[([^\]]*)\]|([^\s"[\]=,]+(?:(?:, ?| : )[^\s"[\]=,]+)*))/g;
const SECONDS = /^\d+\.\d{3}$/;
const SECONDS_LIST = /^(?:\d+\.\d{3}|-)(?:(?:, ?| : )(?:\d+\.\d{3}|-))*$/;
const UPSTREAM = String.raw`(?:unix:[^\s,]+|[\w.-]+:\d+|\[[\da-f:]+\]:\d+)`;
const UPSTREAM_LIST = new RegExp(`^${UPSTREAM}(?:(?:, ?| : )(?:${UPSTREAM}|-))*$`);
const REQUEST_ID = /^(?:[\da-fA-F]{32}|[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12})$/;

/** What operators call their appended fields, by the names that nginx and Apache guides use. */
const LABELS: Readonly<Record<string, 'duration' | 'tries' | 'forwarded' | 'id' | 'request_bytes' | 'authority'>> = {
  rt: 'duration',
  request_time: 'duration',
  urt: 'tries',
  upstream_response_time: 'tries',
  us: 'tries',
  upstream_status: 'tries',
  upstream_addr: 'tries',
  xff: 'forwarded',
  x_forwarded_for: 'forwarded',
  http_x_forwarded_for: 'forwarded',
  rid: 'id',
  request_id: 'id',
  req_id: 'id',
  rl: 'request_bytes',
  request_length: 'request_bytes',
  host: 'authority',
};

/**
 * Fills in the usual appended fields. Without a name only what cannot be mistaken is read: seconds with three digits behind the
 * point, upstream addresses, forwarded addresses, request ids. A bare whole number could be bytes, ms or us, and is left alone.
 */
function readAppended(record: AccessRecord, rest: string): void {
  for (const [, label, quoted, bracketed, bare] of rest.slice(0, 8192).matchAll(APPENDED)) {
    const value = quoted ?? bracketed ?? bare ?? '';
    const known = label === undefined ? undefined : LABELS[label.toLowerCase()];
    if (known !== undefined) readLabelled(record, known, value);
    else if (label === undefined && value !== '-' && value !== '') readUnlabelled(record, value, quoted !== undefined);
  }
}

function readLabelled(record: AccessRecord, label: (typeof LABELS)[string], value: string): void {
  if (label === 'duration') record.duration_us = parseDuration(value, 's');
  else if (label === 'tries') record.attempts = Math.max(record.attempts ?? 0, countTries(value) ?? 0);
  else if (label === 'forwarded') readForwarded(record, value);
  else if (label === 'id') record.correlation = value === '-' || value === '' ? null : value.toLowerCase();
  else if (label === 'authority') record.authority ??= parseAuthority(value);
  else record.request_bytes = parseCount(value);
}

function readUnlabelled(record: AccessRecord, value: string, isQuoted: boolean): void {
  if (record.duration_us === null && SECONDS.test(value)) record.duration_us = parseDuration(value, 's');
  else if (SECONDS_LIST.test(value) || UPSTREAM_LIST.test(value))
    record.attempts = Math.max(record.attempts ?? 0, countTries(value) ?? 0);
  else if (record.correlation === null && REQUEST_ID.test(value)) record.correlation = value.toLowerCase();
  else if ((isQuoted || record.address === null) && value.split(',').every((member) => isIp(member.trim())))
    readForwarded(record, value);
}

export const combined: Format = {
  name: 'combined',
  title: 'nginx and Apache common and combined',
  spec: 'https://httpd.apache.org/docs/2.4/mod/mod_log_config.html',
  time: 'end',
  parse,
  scan: scanCombined,
  samples: [
    {
      line: '198.51.100.23 - - [12/Oct/2026:09:14:03 +0200] "POST /mcp/mcp HTTP/1.1" 404 153 "-" "node"',
      expect: {
        ts: 1_791_789_243_000_000,
        address: '198.51.100.23',
        user_agent: 'node',
        http_method: 'POST',
        path: '/mcp/mcp',
        response_bytes: 153,
        signal: { status: 404 },
      },
    },
    {
      line: 'mcp.example.com:443 2001:DB8:0:0::77 - alice [30/Nov/2026:10:00:04 +0100] "GET /mcp HTTP/1.1" 200 - "-" "agent \\"x\\" \\xe4\\xb8\\x96"',
      expect: {
        ts: 1_796_029_204_000_000,
        address: '2001:db8::77',
        authority: 'mcp.example.com',
        user_agent: 'agent "x" 世',
        principal: 'user:2bd806c97f0e00af',
        response_bytes: null,
      },
    },
    {
      line: '203.0.113.77 - - [12/Oct/2026:09:15:30 +0200] "\\x16\\x03\\x01\\x02" 400 157 "-" "-"',
      expect: { http_method: null, path: null, user_agent: null, signal: { status: 400 } },
    },
    {
      line: '192.0.2.14 - - [12/Oct/2026:09:16:05 +0200] "" 400 0 "-" "-"',
      expect: { http_method: null, response_bytes: 0, signal: { status: 400 } },
    },
    {
      line: '192.0.2.14 - - [12/Oct/2026:09:16:05 +0200] "get http://[2001:db8::1]:80/a/b?token=0123456789 HTTP/1.0" - -',
      expect: {
        http_method: 'GET',
        authority: '[2001:db8::1]',
        path: '/a/b',
        credential: 'query parameter token',
        response_bytes: null,
        signal: { status: null },
      },
    },
    {
      line: '- - - [12/Oct/2026:09:16:05 +0200] "GET / " 200 12 "-" "curl/8.0" "192.0.2.1, 10.0.0.1" 2.012 2.001, 0.010 10.0.1.4:8000, 10.0.1.5:8000 502, 200 6f1c2d3e4a5b60718293a4b5c6d7e8f9',
      expect: {
        ts: 1_791_789_363_000_000,
        duration_us: 2_012_000,
        address: '192.0.2.1',
        http_method: 'GET',
        path: '/',
        attempts: 2,
        correlation: '6f1c2d3e4a5b60718293a4b5c6d7e8f9',
      },
    },
    {
      line: '198.51.100.23 - - [12/Oct/2026:09:14:03 +0200] "POST /mcp HTTP/1.1" 200 9 "-" "node" rt=0.120 uct="0.000" urt="0.100 : 0.020" rid="AB-1" host=mcp.example.com:8443',
      expect: { duration_us: 120_000, attempts: 2, correlation: 'ab-1', authority: 'mcp.example.com:8443' },
    },
    { line: '198.51.100.23 - - [12/Xct/2026:09:14:03 +0200] "GET / HTTP/1.1" 200 1 "-" "-"', expect: { reject: 'bad_time' } },
    { line: '198.51.100.23 - - [12/Oct/2026:09:14:03 +0200] "GET / HTTP/1.1" 2x0 1 "-" "-"', expect: { reject: 'bad_status' } },
    { line: '198.51.100.23 - - [12/Oct/2026:09:14:03 +0200] "GET / HTTP/1.1" 200 x "-" "-"', expect: { reject: 'bad_fields' } },
    { line: '198.51.100.23 - - [12/Oct/2026:09:14:03 +0200] "GET /mcp HT', expect: { reject: 'truncated' } },
  ],
};
