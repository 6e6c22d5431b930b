// Nginx Proxy Manager (proxy and standard hosts) and its fork NPMplus: nginx lines that begin with the stamp.
import { parseAddress, parseAuthority } from './address.ts';
import { unescapeField } from './escape.ts';
import type { Format, Parsed } from './format.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readRequestLine, readStatus, readTarget, readUserAgent } from './request.ts';
import { parseClf, startOf } from './time.ts';
import { countTries } from './upstream.ts';

const RESOLUTION_US = 1_000_000;

/** Cache and upstream status (only where there is an upstream), status, method, scheme, host, target. */
const MANAGER_HEAD =
  /^(?:[A-Z-]{1,16} (-|\d{3}(?:(?:, | : )(?:\d{3}|-)){0,64}) )?(\d{1,3}|-) - (\S{1,64}) (\S{1,16}) (\S{1,255}) "([^"]*)"/;
const MANAGER_TAIL = /^ \[Client ([^\]]*)\]((?: \[[^\]]*\])*) "([^"]*)" "[^"]*"$/;
const LENGTH = /\[Length (\d{1,15})\]/;

/** Host, client, seconds, request, status, body bytes, wire bytes, referer, and the user agent up to the end of the line. */
const PLUS = /^(\S{1,255}) (\S{1,255}) (\d{1,9}\.\d{3}) "([^"]*)" (\d{1,3}|-) (\d{1,15}|-) (?:\d{1,15}|-) (\S+) (.*)$/;
const PLUS_HEAD = /^\S{1,255} \S{1,255} \d{1,9}\.\d{3} "/;

function parse(line: string): Parsed {
  if (line.charCodeAt(0) !== 91 || line.charCodeAt(27) !== 93 || line.charCodeAt(3) !== 47) return 'foreign';
  const text = line.slice(29);
  const isManaged = MANAGER_HEAD.test(text);
  if (!isManaged && !PLUS_HEAD.test(text)) return 'foreign';
  const ts = parseClf(line, 1);
  if (ts === null) return { reject: 'bad_time' };
  return isManaged ? parseManaged(text, ts) : parsePlus(text, ts);
}

function parseManaged(text: string, ts: number): Parsed {
  const head = MANAGER_HEAD.exec(text);
  const tail = MANAGER_TAIL.exec(text.slice(head?.[0].length));
  if (head === null || tail === null) return { reject: text.endsWith('"') ? 'bad_fields' : 'truncated' };
  const [, tries, status, method = '', scheme = '', host = '', target = ''] = head;
  const record = blankRecord();
  record.ts = ts;
  record.address = parseAddress(tail[1] ?? '');
  record.http_method = parseMethod(method);
  if (target !== '' && target !== '-') readTarget(record, unescapeField(target));
  record.authority = parseAuthority(host, scheme) ?? record.authority;
  readStatus(record, parseStatus(status));
  record.response_bytes = parseCount(LENGTH.exec(tail[2] ?? '')?.[1]);
  readUserAgent(record, unescapeField(tail[3] ?? ''));
  if (tries !== undefined) record.attempts = countTries(tries);
  return { records: [record] };
}

function parsePlus(text: string, end: number): Parsed {
  const match = PLUS.exec(text);
  if (match === null) return { reject: /" \d{1,3} \d+ \d+ \S+ /.test(text) ? 'bad_fields' : 'truncated' };
  const [, host = '', client = '', seconds, request = '', status, bytes, , agent = ''] = match;
  const record = blankRecord();
  record.address = parseAddress(client);
  readRequestLine(record, unescapeField(request));
  record.authority = parseAuthority(host) ?? record.authority;
  readStatus(record, parseStatus(status));
  record.response_bytes = parseCount(bytes);
  record.duration_us = parseDuration(seconds, 's');
  readUserAgent(record, unescapeField(agent));
  record.ts = startOf({ us: end, resolution_us: RESOLUTION_US }, record.duration_us);
  return { records: [record] };
}

export const nginxProxyManager: Format = {
  name: 'nginx-proxy-manager',
  title: 'Nginx Proxy Manager and NPMplus',
  spec: 'https://github.com/NginxProxyManager/nginx-proxy-manager/blob/develop/docker/rootfs/etc/nginx/conf.d/include/log-proxy.conf',
  time: 'end',
  parse,
  samples: [
    {
      line: '[10/Feb/2026:21:23:32 +0100] - 404 404 - POST https mcp.example.com "/mcp/mcp?token=0123456789" [Client 198.51.100.8] [Length 153] [Gzip -] [Sent-to 10.0.0.7] "node" "-"',
      expect: {
        ts: 1_770_755_012_000_000,
        address: '198.51.100.8',
        user_agent: 'node',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp/mcp',
        response_bytes: 153,
        attempts: 1,
        credential: 'query parameter token',
        signal: { status: 404 },
      },
    },
    {
      line: '[10/Feb/2026:21:23:33 +0100] MISS 502, 200 : 200 200 - GET http mcp.example.com:8080 "/a\\x22b" [Client 2001:db8::8] [Country DE] [Length 0] [Gzip 2.75] [Sent-to mcp] "an \\x22odd\\x22 agent" "https://example.com/"',
      expect: {
        address: '2001:db8::8',
        authority: 'mcp.example.com:8080',
        path: '/a"b',
        user_agent: 'an "odd" agent',
        response_bytes: 0,
        attempts: 3,
      },
    },
    {
      line: '[10/Feb/2026:21:23:34 +0100] 404 - GET https mcp.example.com "/sse" [Client 198.51.100.8] [Length 150] [Gzip -] "python-httpx/0.28.1" "-"',
      expect: { path: '/sse', attempts: null, signal: { status: 404 } },
    },
    {
      line: '[10/Feb/2026:21:23:35 +0100] - - 400 - - http localhost "-" [Client 198.51.100.9] [Length 154] [Gzip -] [Sent-to 127.0.0.1] "-" "-"',
      expect: { http_method: null, path: null, attempts: 0, signal: { status: 400 } },
    },
    {
      line: '[10/Feb/2026:21:23:49 +0100] mcp.example.com 198.51.100.8 2.002 "POST /mcp HTTP/2.0" 405 61 333 - Mozilla/5.0 (X11; "odd" agent)',
      expect: {
        ts: 1_770_755_027_000_000,
        duration_us: 2_002_000,
        address: '198.51.100.8',
        authority: 'mcp.example.com',
        user_agent: 'Mozilla/5.0 (X11; "odd" agent)',
        path: '/mcp',
        response_bytes: 61,
        signal: { status: 405 },
      },
    },
    {
      line: '[10/Feb/2026:21:23:50 +0100] _ 192.0.2.1 0.811 "\\x16\\x03\\x02\\x01o" 400 122 282 - -',
      expect: { authority: null, http_method: null, user_agent: null, signal: { status: 400 } },
    },
    {
      line: '[10/Feb/2026:21:23:51 +0100] - 404 404 - POST https mcp.example.com "/mcp" [Client 198.',
      expect: { reject: 'truncated' },
    },
    {
      line: '[31/Feb/2026:21:23:51 +0100] mcp.example.com 198.51.100.8 0.002 "GET / HTTP/2.0" 200 1 2 - -',
      expect: { reject: 'bad_time' },
    },
  ],
};
