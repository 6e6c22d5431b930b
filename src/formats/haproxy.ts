// HAProxy's HTTP logs: httplog, httpslog and their CLF variant, with or without the syslog head they travel under.
import type { AccessRecord } from '../record.ts';
import { isIp, parseAddress, parseAuthority } from './address.ts';
import { isCommon, readCommon, type CommonLine } from './common-log.ts';
import { unescapeHash } from './escape.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, readRequestLine, readRpcMethod, readRpcName, readUserAgent } from './request.ts';
import { decodeMcpName, protocolVersion, withSignal } from './signal.ts';
import { parseLocalClf } from './time.ts';

/** Client and stamp; a syslog head ends in a colon. */
const HEAD = /(?:^|: )(\S{1,60}) \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d\.\d{3,6})\] (\S+) (\S+)/;
/** Timers, status, size, two cookies, termination state, connections with retries, queues; operators put words of their own in front. */
const FIELDS =
  / -?\d{1,10}(?:\/-?\d{1,10}){3}\/(\+?-?\d{1,10}) (-?\d{1,3}) (\+?\d{1,15}) \S+ \S+ ([A-Za-z-]{4}) \d{1,9}(?:\/\d{1,9}){3}\/\+?(\d{1,6}) \d{1,9}\/\d{1,9}(?= |$)/;
const CAPTURES = /^ \{([^}]*)\}/;
/** Client port, ms, frontend, backend, server, timers, termination state, connections with retries, queues, cookies and captures. */
const CLF_TAIL =
  /^ \d{1,5} (\d{1,3}) "[^"]*" "[^"]*" "([^"]*)"(?: -?\d{1,10}){4} (\+?-?\d{1,10}) "?([A-Za-z-]{4})"?(?: \d{1,9}){4} \+?(\d{1,6}) \d{1,9} \d{1,9}(?= |$)/;

/** Returns whether HAProxy wrote what stands behind the user agent, which it leaves empty. */
export function isHaproxyClf({ agents, rest }: CommonLine): boolean {
  return agents.startsWith(' "" "" ') && CLF_TAIL.test(rest);
}

function parse(line: string, context: ParseContext): Parsed {
  // Inside of JSON it is a logger's text, whose quotes are escaped.
  if (line.charCodeAt(0) === 123) return 'foreign';
  if (line.includes(' "" "" ')) return parseClfLine(line);
  const head = line.includes('] ') ? HEAD.exec(line) : null;
  if (head === null) return 'foreign';
  const [, client = '', stamp = '', frontend = '', server = ''] = head;
  // Of a connection that never spoke HTTP HAProxy says only why, and of TCP proxies it has no request to tell.
  if (frontend.endsWith(':')) return 'other';
  const text = line.slice(head.index + head[0].length);
  const fields = FIELDS.exec(text);
  if (fields === null) return explain(text);
  const start = parseLocalClf(stamp, context.timeZone);
  if (start === null) return { reject: 'bad_time' };
  const rest = text.slice(fields.index + fields[0].length);
  const quote = rest.indexOf('"');
  if (quote === -1) return { reject: 'truncated' };

  const [, total, status, bytes, state = '', retries] = fields;
  const record = blankRecord();
  record.ts = start.us;
  record.address = parseAddress(client);
  // Syslog cuts long lines, so the quote that ends the request may be missing.
  const end = rest.indexOf('"', quote + 1);
  readRequestLine(record, unescapeHash(rest.slice(quote + 1, end === -1 ? undefined : end)));
  readOutcome(record, { total, status, state, retries, server: server.slice(server.lastIndexOf('/') + 1) });
  record.response_bytes = parseCount(bytes);
  const captures = CAPTURES.exec(rest.slice(0, quote))?.[1];
  if (captures !== undefined) readCaptures(record, captures.split('|').map(unescapeHash));
  return { records: [record] };
}

function parseClfLine(line: string): Parsed {
  const part = readCommon(line);
  if (!isCommon(part)) return 'foreign';
  const tail = CLF_TAIL.exec(part.rest);
  if (tail === null) return 'foreign';
  const [{ length }, ms, server = '', total, state = '', retries] = tail;
  const { record } = part;
  if (record.ts !== null) record.ts += Number(ms) * 1000;
  readOutcome(record, { total, status: record.signal.status, state, retries, server });
  const quoted = [...part.rest.slice(length).matchAll(/"([^"]*)"/g)].map(([, text = '']) => unescapeHash(text));
  readCaptures(record, quoted.slice(2));
  return { records: [record] };
}

const TCP_FIELDS = / -?\d{1,10}\/-?\d{1,10}\/\+?-?\d{1,10} \+?\d{1,15} [A-Za-z-]{2} /;

function explain(text: string): Parsed {
  if (TCP_FIELDS.test(text)) return 'other';
  return { reject: text.endsWith('"') ? 'bad_fields' : 'truncated' };
}

interface Outcome {
  total: string | undefined;
  status: string | number | null | undefined;
  state: string;
  retries: string | undefined;
  server: string;
}

/** A `+` before a number says that the line was written before the end, so that the number is only a lower bound. */
export function readOutcome(record: AccessRecord, { total, status, state, retries, server }: Outcome): void {
  record.duration_us = parseDuration(total, 'ms');
  record.signal = withSignal(record.signal, 'status', parseStatus(status));
  if (!state.startsWith('--')) record.signal = withSignal(record.signal, 'marker', `haproxy_${state.slice(0, 2)}`);
  record.attempts = server.startsWith('<') ? 0 : Number(retries) + 1;
}

const RPC_METHOD =
  /^(?:initialize|ping|(?:tools|resources|prompts|server|tasks|completion|logging|notifications|subscriptions)\/[A-Za-z_/]{1,40})$/;
const NAMED_METHOD = /^(?:tools\/call|resources\/read|prompts\/get)$/;
const VERSION = /^\d{4}-\d\d-\d\d$/;
const AGENT = /^(?:[A-Za-z][\w.+-]{0,60}\/v?\d|Mozilla\b|(?:node|undici|axios|claude|bun|deno)$)/;
const HOST = /^(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[A-Za-z][\w-]{1,62})(?::\d{1,5})?$/;
const ID = /^[\da-f-]{20,}$/i;

/** Which headers are captured is not logged, so a value counts only if it can be nothing else. */
export function readCaptures(record: AccessRecord, captures: readonly string[]): void {
  for (const [index, text] of captures.entries()) {
    if (RPC_METHOD.test(text)) {
      readRpcMethod(record, text);
      const name = captures[index + 1] ?? '';
      if (NAMED_METHOD.test(text) && !isKnown(name)) readRpcName(record, decodeMcpName(name));
    } else if (VERSION.test(text)) record.signal = withSignal(record.signal, 'protocol_version', protocolVersion(text));
    else if (AGENT.test(text)) readUserAgent(record, text);
    else if (HOST.test(text)) record.authority ??= parseAuthority(text);
  }
}

function isKnown(text: string): boolean {
  return VERSION.test(text) || AGENT.test(text) || HOST.test(text) || ID.test(text) || isIp(text);
}

export const haproxy: Format = {
  name: 'haproxy',
  title: 'HAProxy HTTP logs (httplog, httpslog, CLF)',
  spec: 'https://docs.haproxy.org/3.2/configuration.html#8.2.3',
  time: 'start',
  parse,
  samples: [
    {
      line: '198.51.100.90:50211 [09/Nov/2026:11:22:33.104] fe_https~ be_mcp/srv2 0/0/1/45/46 404 231 - - ---- 12/12/3/1/0 0/0 {mcp.example.com|node} {} "POST /mcp HTTP/1.1"',
      expect: {
        ts: 1_794_223_353_104_000,
        duration_us: 46_000,
        address: '198.51.100.90',
        user_agent: 'node',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        response_bytes: 231,
        attempts: 1,
        signal: { status: 404, marker: null },
      },
    },
    {
      line: 'Nov  9 11:22:40 edge1 haproxy[811]: 2001:db8::90:50213 [09/Nov/2026:11:22:36.990] fe_https~ be_mcp/srv3 0/0/3001/-1/3003 503 212 - - SC-- 12/12/3/1/+3 0/0 {2026-07-28|tools/call|search} {} "POST https://mcp.example.com/mcp?a HTTP/2.0" 0/0000000000000000/0/0/0 sni.example.com/TLSv1.3/TLS_AES_128_GCM_SHA256',
      expect: {
        ts: 1_794_223_356_990_000,
        address: '2001:db8::90',
        authority: 'mcp.example.com',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        attempts: 4,
        signal: { status: 503, marker: 'haproxy_SC', protocol_version: '2026-07-28' },
      },
    },
    {
      line: '198.51.100.91:50300 [09/Nov/2026:11:22:42.500] fe_https~ fe_https/<NOSRV> 0/-1/-1/-1/0 429 198 - - PR-- 13/13/0/0/0 0/0 {mcp.example.com|agent#22x} {} "<BADREQ>"',
      expect: { user_agent: null, http_method: null, attempts: 0, signal: { status: 429, marker: 'haproxy_PR' } },
    },
    {
      line: '-:22222 [22/May/2026:02:22:22.222] www~ myapp/node2 sni.example.com 0/0/0/18/+18 200 +200 - - cD-- 222/222/2/0/0 0/0 "GET /a#22b?c=#23 HTTP/1.1"',
      expect: {
        address: null,
        authority: null,
        duration_us: null,
        path: '/a"b',
        response_bytes: null,
        attempts: 1,
        signal: { status: 200, marker: 'haproxy_cD' },
      },
    },
    {
      line: '198.51.100.91:50301 [09/Nov/2026:11:22:43.500] fe fe/<NOSRV> -1/-1/-1/-1/10001 -1 0 - - CR-- 1/1/0/0/0 0/0 "POST /mcp?text=cut-by-sys',
      expect: { duration_us: 10_001_000, path: '/mcp', signal: { status: null, marker: 'haproxy_CR' } },
    },
    {
      line: '198.51.100.90 - - [09/Nov/2026:11:22:33 +0000] "POST /mcp HTTP/1.1" 504 231 "" "" 50211 104 "fe_https~" "be_mcp" "srv2" 0 0 1 -1 30046 "sH--" 12 12 3 1 0 0 0 "-" "-" "mcp.example.com" "curl/8.6.0" "text/html"',
      expect: {
        ts: 1_794_223_353_104_000,
        duration_us: 30_046_000,
        address: '198.51.100.90',
        user_agent: 'curl/8.6.0',
        authority: 'mcp.example.com',
        response_bytes: 231,
        attempts: 1,
        signal: { status: 504, marker: 'haproxy_sH' },
      },
    },
    { line: '198.51.100.90:50211 [09/Nov/2026:11:22:33.104] fe_https/1: SSL handshake failure', expect: 'other' },
    { line: '198.51.100.90:50211 [09/Nov/2026:11:22:33.104] fe_tcp be/srv1 0/0/5007 212 -- 1/1/0/0/0 0/0', expect: 'other' },
    {
      line: '198.51.100.90:50211 [09/Xov/2026:11:22:33.104] fe be/srv1 0/0/1/45/46 404 231 - - ---- 1/1/0/0/0 0/0 "GET / HTTP/1.1"',
      expect: { reject: 'bad_time' },
    },
    {
      line: '198.51.100.90:50211 [09/Nov/2026:11:22:33.104] fe be/srv1 0/0/1/45/46 4x4 231 - - ---- 1/1/0/0/0 0/0 "GET / HTTP/1.1"',
      expect: { reject: 'bad_fields' },
    },
    {
      line: '198.51.100.90:50211 [09/Nov/2026:11:22:33.104] fe be/srv1 0/0/1/45/46 404 231 - - ---- 1/1/0/',
      expect: { reject: 'truncated' },
    },
  ],
};
