// ingress-nginx: a combined line, then lengths, times, the service it was routed to, every upstream try, and a request id.
import { isCommon, readCommon, type CommonLine } from './common-log.ts';
import type { Format, Parsed } from './format.ts';
import { parseCount, parseDuration } from './numbers.ts';
import { startOf } from './time.ts';
import { countTries, splitTries } from './upstream.ts';

const RESOLUTION_US = 1_000_000;

/** Length, time, `[namespace-service-port]`, `[alternative]` (not in old releases), upstream address, length, time and status, request id. */
const TAIL = /^ (\d{1,15}) (\d{1,9}\.\d{1,6}) \[[^\]]*\] (?:\[[^\]]*\] )?(\S.*) ([\da-f]{32})$/;

/** Returns whether ingress-nginx wrote what stands behind the user agent. */
export function isIngressNginx({ rest }: CommonLine): boolean {
  return rest.length > 40 && TAIL.test(rest);
}

function parse(line: string): Parsed {
  if (!line.includes('] ') || !/[\da-f]{8}$/.test(line.slice(-8))) return 'foreign';
  const part = readCommon(line);
  if (!isCommon(part)) return 'foreign';
  const match = TAIL.exec(part.rest);
  if (match === null) return 'foreign';
  const [, length, time, upstream = '', id = ''] = match;
  const fields = splitTries(upstream);
  if (fields.length !== 4) return { reject: 'bad_fields' };
  const { record } = part;
  record.duration_us = parseDuration(time, 's');
  record.request_bytes = parseCount(length);
  record.attempts = countTries(fields[0] ?? '');
  record.correlation = id;
  // A client may choose the id, and choose the same for all that it tries: only the whole line is proof.
  record.request_key = line;
  if (record.ts !== null) record.ts = startOf({ us: record.ts, resolution_us: RESOLUTION_US }, record.duration_us);
  return { records: [record] };
}

export const ingressNginx: Format = {
  name: 'ingress-nginx',
  title: 'ingress-nginx (Kubernetes)',
  spec: 'https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/log-format/',
  time: 'end',
  parse,
  samples: [
    {
      line: '203.0.113.20 - - [05/Nov/2026:18:02:11 +0000] "POST /mcp HTTP/2.0" 200 912 "-" "claude-desktop/0.14" 533 0.127 [tools-mcp-server-8000] [] 10.244.3.17:8000 912 0.126 200 4e1f9a0c7b3d4e56a1b2c3d4e5f60718',
      expect: {
        ts: 1_793_901_731_000_000,
        duration_us: 127_000,
        address: '203.0.113.20',
        user_agent: 'claude-desktop/0.14',
        authority: null,
        http_method: 'POST',
        path: '/mcp',
        request_bytes: 533,
        response_bytes: 912,
        attempts: 1,
        correlation: '4e1f9a0c7b3d4e56a1b2c3d4e5f60718',
        signal: { status: 200 },
      },
    },
    {
      line: '203.0.113.20 - alice [05/Nov/2026:18:02:13 +0000] "POST /mcp HTTP/2.0" 504 160 "-" "claude-desktop/0.14" 533 10.003 [tools-mcp-server-8000] [tools-canary-80] 10.244.3.17:8000, 10.244.5.2:8000 : 10.244.5.3:8000 0, 0 : 0 5.001, 5.001 : 0.001 504, 504 : 504 5f20ab1d8c4e5f67b2c3d4e5f6071829',
      expect: { ts: 1_793_901_723_000_000, duration_us: 10_003_000, attempts: 3, signal: { status: 504 } },
    },
    {
      line: '203.0.113.22 - - [05/Nov/2026:18:02:16 +0000] "\\x16\\x03\\x01" 400 150 "-" "-" 0 0.000 [] [] - - - - 7142cd3fae607189d4e5f60718293a4b',
      expect: { http_method: null, attempts: 0, signal: { status: 400 } },
    },
    {
      line: '203.0.113.21 - [203.0.113.21, 10.0.0.1] - bob [05/Nov/2026:18:02:15 +0000] "GET /sse HTTP/1.1" 404 146 "-" "python-httpx/0.28.1" 210 0.000 [upstream-default-backend] 127.0.0.1:8181 146 0.000 404 6031bc2e9d5f6078c3d4e5f60718293a',
      expect: { address: '203.0.113.21', principal: 'user:81b637d8fcd2c6da', path: '/sse', attempts: 1, signal: { status: 404 } },
    },
    {
      line: '203.0.113.22 - - [05/Nov/2026:18:02:16 +0000] "GET / HTTP/1.1" 200 150 "-" "-" 0 0.000 [tools-mcp-8000] [] 10.244.3.17:8000 200 7142cd3fae607189d4e5f60718293a4b',
      expect: { reject: 'bad_fields' },
    },
  ],
};
