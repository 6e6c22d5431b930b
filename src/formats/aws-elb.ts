// AWS Classic Load Balancer: what became the ALB's log, without its first field.
import type { Format, Parsed } from './format.ts';
import { readTraffic, sumOf } from './aws-alb.ts';
import { isAbsent } from './headers.ts';
import { splitQuoted } from './quoted-fields.ts';
import { blankRecord } from './request.ts';
import { parseIso, startOf } from './time.ts';

const HEAD = /^\d{4}-\d\d-\d\dT\S{8,20}Z [\w-]{1,64} \S{3,60}:\d{1,5} (?:\S{3,60}:\d{1,5}|-) -?\d/;
const LEAST_FIELDS = 12;

function parse(line: string): Parsed {
  if (!HEAD.test(line)) return 'foreign';
  const fields = splitQuoted(line);
  if (fields.length < LEAST_FIELDS) return { reject: 'truncated' };
  const end = parseIso(fields[0] ?? '');
  if (end === null) return { reject: 'bad_time' };
  if (!/^(?:\d{1,3}|-)$/.test(fields[7] ?? '')) return { reject: 'bad_status' };

  const record = blankRecord();
  readTraffic(record, fields.slice(2));
  record.duration_us = sumOf(fields.slice(4, 7));
  record.ts = startOf(end, record.duration_us);
  record.attempts = isAbsent(fields[3] ?? '') ? 0 : 1;
  return { records: [record] };
}

export const awsElb: Format = {
  name: 'aws-elb',
  title: 'AWS Classic Load Balancer',
  spec: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html',
  time: 'end',
  parse,
  samples: [
    {
      line: '2026-11-10T06:00:01.250031Z mcp-elb 203.0.113.101:40100 10.1.2.3:8000 0.000073 0.120048 0.000057 404 404 250 310 "POST https://mcp.example.com:443/mcp?a=b HTTP/1.1" "node" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2',
      expect: {
        ts: 1_794_290_401_129_853,
        duration_us: 120_178,
        address: '203.0.113.101',
        user_agent: 'node',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        request_bytes: 250,
        response_bytes: 310,
        attempts: 1,
        signal: { status: 404 },
      },
    },
    {
      line: '2026-11-10T06:00:02.250031Z mcp-elb 203.0.113.101:40101 - -1 -1 -1 503 0 250 0 "GET http://mcp.example.com:80/ HTTP/1.1" "-" - -',
      expect: { ts: 1_794_290_402_250_031, duration_us: null, user_agent: null, attempts: 0, signal: { status: 503 } },
    },
    {
      line: '2026-11-10T06:00:03.250031Z mcp-elb 203.0.113.101:40102 10.1.2.3:80 0.001069 0.000028 0.000041 - - 82 305 "- - - " "-" - -',
      expect: { http_method: null, path: null, signal: { status: null } },
    },
    {
      line: '2026-11-10T06:00:03.250031Z mcp-elb 203.0.113.101:40102 10.1.2.3:80 0.001069 0.0000',
      expect: { reject: 'truncated' },
    },
  ],
};
