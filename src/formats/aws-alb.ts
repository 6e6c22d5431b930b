// AWS Application Load Balancer: fields by position, more of them every few years; the stamp in front is the end.
import type { AccessRecord } from '../record.ts';
import { parseAddress } from './address.ts';
import { unescapeField } from './escape.ts';
import type { Format, Parsed } from './format.ts';
import { isAbsent } from './headers.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { splitQuoted } from './quoted-fields.ts';
import { blankRecord, readRequestLine, readStatus, readUserAgent } from './request.ts';
import { parseIso, startOf } from './time.ts';

const HEAD = /^(?:https?|h2|grpcs?|wss?) \d{4}-\d\d-\d\dT\S{8,20} \S/;
/** Those that every line has had since there are ALB logs; trace, times and reasons came later. */
const LEAST_FIELDS = 17;
const ROOT = /(?:^|;)Root=([\w-]{8,64})/;

function parse(line: string): Parsed {
  if (!HEAD.test(line)) return 'foreign';
  const fields = splitQuoted(line);
  if (fields.length < LEAST_FIELDS) return { reject: 'truncated' };
  const end = parseIso(fields[1] ?? '');
  if (end === null) return { reject: 'bad_time' };
  const field = (index: number): string => fields[index] ?? '';
  if (!/^(?:\d{3}|-)$/.test(field(8))) return { reject: 'bad_status' };

  const record = blankRecord();
  readTraffic(record, fields.slice(3));
  record.duration_us = sumOf(fields.slice(5, 8));
  // Seconds are rounded, so the moment the request came in is better than what a subtraction gives.
  record.ts = parseIso(field(21))?.us ?? startOf(end, record.duration_us);
  record.attempts = countTargets(field(4), field(25));
  record.request_key = line;
  record.correlation = ROOT.exec(field(17))?.[1]?.toLowerCase() ?? null;
  return { records: [record] };
}

/** Fills in what ALB and its predecessor share, from the client on: address, target, three times, statuses, sizes, request, agent. */
export function readTraffic(record: AccessRecord, fields: readonly string[]): void {
  const [client = '', , , , , status, , received, sent, request = '', agent = ''] = fields;
  record.address = parseAddress(client);
  readRequestLine(record, unescapeField(request));
  readStatus(record, parseStatus(status));
  record.request_bytes = parseCount(received);
  record.response_bytes = parseCount(sent);
  readUserAgent(record, unescapeField(agent));
}

/** Returns the sum of the three times, null if one of them is missing (`-1`: nothing was sent, or nothing came back). */
export function sumOf(seconds: readonly string[]): number | null {
  let sum = 0;
  for (const text of seconds) {
    const part = parseDuration(text, 's');
    if (part === null) return null;
    sum += part;
  }
  return sum;
}

/** Blanks part the members of the list of targets. */
function countTargets(target: string, list: string): number {
  if (!isAbsent(list)) return list.split(' ').length;
  return isAbsent(target) ? 0 : 1;
}

export const awsAlb: Format = {
  name: 'aws-alb',
  title: 'AWS Application Load Balancer',
  spec: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html',
  time: 'end',
  parse,
  samples: [
    {
      line: 'h2 2026-11-10T06:00:01.250031Z app/mcp-alb/0123456789abcdef 203.0.113.101:40100 10.1.2.3:8000 0.001 0.120 0.000 404 404 250 310 "POST https://mcp.example.com:443/mcp HTTP/2.0" "node" TLS_AES_128_GCM_SHA256 TLSv1.3 arn:aws:elasticloadbalancing:eu-central-1:111122223333:targetgroup/mcp/aaaabbbbccccdddd "Self=1-65000001-0;Root=1-65000000-00000000000000000000000A" "sni.example.com" "arn:aws:acm:eu-central-1:111122223333:certificate/00000000-0000-0000-0000-000000000001" 0 2026-11-10T06:00:01.129000Z "forward" "-" "-" "10.1.2.3:8000" "404" "-" "-" TID_00000000000000000000000000000001 "-" "-" "-"',
      expect: {
        ts: 1_794_290_401_129_000,
        duration_us: 121_000,
        address: '203.0.113.101',
        user_agent: 'node',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        request_bytes: 250,
        response_bytes: 310,
        attempts: 1,
        correlation: '1-65000000-00000000000000000000000a',
        signal: { status: 404 },
      },
    },
    {
      line: 'https 2026-11-10T06:00:12.000400Z app/mcp-alb/0123456789abcdef 2001:db8::65:40101 - -1 -1 -1 503 - 250 162 "POST https://mcp.example.com:8443/mcp HTTP/1.1" "an \\"odd\\" agent" - - arn:aws:elasticloadbalancing:eu-central-1:111122223333:targetgroup/mcp/aaaabbbbccccdddd "-" "-" "-" 0 - "waf,fixed-response" "-" "-" "-" "-"',
      expect: {
        ts: 1_794_290_412_000_400,
        duration_us: null,
        address: '2001:db8::65',
        user_agent: 'an "odd" agent',
        authority: 'mcp.example.com:8443',
        attempts: 0,
        correlation: null,
        signal: { status: 503 },
      },
    },
    {
      line: 'http 2026-11-10T06:00:13.500000Z app/mcp-alb/0123456789abcdef [2001:db8::65]:40102 10.1.2.3:8000 0.000 1.000 0.500 460 - 0 0 "- http://mcp.example.com:80- -" "-" - - arn:aws:elasticloadbalancing:eu-central-1:111122223333:targetgroup/mcp/aaaabbbbccccdddd "Root=1-65000000-000000000000000000000002" "-" "-" -',
      expect: { ts: 1_794_290_412_000_000, duration_us: 1_500_000, http_method: null, attempts: 1, signal: { status: 460 } },
    },
    {
      line: 'h2 2026-11-10T06:00:14.000000Z app/mcp-alb/0123456789abcdef 203.0.113.101:40100 10.1.2.3:8000 0.001 0.120 0.000 200 200 250 310 "GET https://mcp.example.com:443/mcp HTTP/2.0" "node" - - - "-" "-" "-" 0 2026-11-10T06:00:13.000000Z "forward" "-" "-" "10.1.2.3:8000 10.1.2.4:8000" "502 200" "-" "-"',
      expect: { attempts: 2, signal: { status: 200 } },
    },
    {
      line: 'h2 2026-11-10T06:00:01.250031Z app/mcp-alb/0123456789abcdef 203.0.113.101:40100 10.1.2.3:8000 0.0',
      expect: { reject: 'truncated' },
    },
  ],
};
