// What servers write beside their access logs: none of it is a request, though much of it quotes one.
import { expect, test } from 'vitest';
import { parseLine } from '../../src/formats/detect.ts';
import { FORMATS } from '../../src/formats/index.ts';

const CONTEXT = { timeZone: 'UTC' };

test.each([
  // nginx
  '2026/10/12 09:14:03 [error] 31#31: *4412 limiting requests, excess: 10.310 by zone "mcp", client: 203.0.113.20, server: mcp.example.com, request: "POST /mcp HTTP/2.0", host: "mcp.example.com"',
  '2026/10/12 09:14:03 [warn] 31#31: *4413 delaying request, excess: 0.310, by zone "mcp", client: 2001:db8::20, server: _, request: "GET / HTTP/1.1", host: "203.0.113.1"',
  '2026/10/12 09:14:04 [error] 31#31: *4414 upstream timed out (110: Connection timed out) while reading response header from upstream, client: 203.0.113.20, server: mcp.example.com, request: "POST /mcp HTTP/1.1", upstream: "http://10.0.0.4:8000/mcp", host: "mcp.example.com"',
  '2026/10/12 09:14:05 [notice] 1#1: signal 17 (SIGCHLD) received from 29',
  'nginx: [warn] conflicting server name "mcp.example.com" on 0.0.0.0:80, ignored',
  // Apache
  '[Thu Oct 12 09:14:03.880562 2026] [core:error] [pid 4711:tid 140] [client 203.0.113.20:50111] AH00126: Invalid URI in request GET /../etc HTTP/1.1',
  '[Thu Oct 12 09:14:03 2026] [error] [client 203.0.113.20] File does not exist: /var/www/mcp, referer: http://example.com/',
  '[Thu Oct 12 09:14:04.000001 2026] [mpm_event:notice] [pid 1:tid 1] AH00489: Apache/2.4.62 (Unix) configured -- resuming normal operations',
  "AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using 10.0.0.2.",
  // HAProxy
  'Nov  9 11:22:44 edge1 haproxy[811]: 198.51.100.91:50302 [09/Nov/2026:11:22:44.001] fe_https/1: SSL handshake failure',
  'Nov  9 11:22:45 edge1 haproxy[811]: Server be_mcp/srv3 is DOWN, reason: Layer4 timeout, check duration: 2001ms. 1 active and 0 backup servers left.',
  'Connect from 198.51.100.91:50302 to 10.0.0.2:443 (fe_https/HTTP)',
  // Caddy, Traefik, Envoy
  '{"level":"error","ts":1792054452.0,"logger":"http.log.error.log0","msg":"dial tcp 10.0.0.4:8000: connect: connection refused","request":{"remote_ip":"203.0.113.50","method":"POST","host":"mcp.example.com","uri":"/mcp","headers":{}},"duration":0.001,"status":502}',
  '2026/10/15 08:54:04.000\tWARN\thttp.handlers.reverse_proxy\taborting with incomplete response\t{"upstream":"10.0.0.4:8000","duration":0.001}',
  '2026-11-02T09:00:00Z ERR Error while handling TCP connection error="readfrom tcp: connection reset by peer"',
  '[2026-11-03 07:30:10.000][1][warning][config] [./source/common/config/grpc_stream.h:201] StreamAggregatedResources gRPC config stream to xds_cluster closed: 14',
  // APISIX, AWS
  '2026/11/05 18:02:13 [warn] 51#51: *7 [lua] limit-count.lua:203: access(): failed to limit count, client: 203.0.113.30, server: _, request: "POST /mcp HTTP/1.1", host: "mcp.example.com"',
  'START RequestId: c6af9ac6-7b61-11e6-9a41-93e8deadbe06 Version: $LATEST',
  'Enable AwsLogs verification file for the access log of mcp-alb',
])('is no request, whatever the source: %s', (line) => {
  for (const preferred of [undefined, ...Object.values(FORMATS)]) expect(parseLine(line, preferred, CONTEXT)).toBe('other');
});
