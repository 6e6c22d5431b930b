// Google Cloud HTTP(S) load balancers, as log entries in JSON; other services that fill in `httpRequest` write the same.
import type { AccessRecord } from '../record.ts';
import { parseAddress } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { isObject, memberOf, objectParser, textOf } from './json-text.ts';
import { parseCount, parseGoDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget, readUserAgent } from './request.ts';
import { statusSignal, withSignal } from './signal.ts';
import { parseStamp } from './time.ts';

/** Returns whether an object is a log entry about an HTTP request. */
export function isGcp(object: Record<string, unknown>): boolean {
  return isObject(object['httpRequest']) && ('insertId' in object || 'logName' in object);
}

function read(object: Record<string, unknown>, { timeZone }: ParseContext): Parsed {
  const request = memberOf(object, 'httpRequest');
  const start = parseStamp(object['timestamp'], timeZone);
  if (start === null) return { reject: 'bad_time' };
  if (!('requestMethod' in request) && !('requestUrl' in request)) return { reject: 'bad_fields' };
  const details = textOf(memberOf(object, 'jsonPayload')['statusDetails']);

  const record = blankRecord();
  record.ts = start.us;
  record.address = parseAddress(textOf(request['remoteIp']));
  record.http_method = parseMethod(textOf(request['requestMethod']));
  const url = textOf(request['requestUrl']);
  if (url !== '') readTarget(record, url);
  readUserAgent(record, textOf(request['userAgent']));
  record.signal = signalOf(parseStatus(request['status']), details);
  record.duration_us = parseGoDuration(textOf(request['latency']));
  record.request_bytes = parseCount(request['requestSize']);
  record.response_bytes = parseCount(request['responseSize']);
  record.attempts = attemptsOf(details);
  const trace = textOf(object['trace']);
  const entry = textOf(object['insertId']);
  if (entry !== '') record.request_key = `${entry} ${textOf(object['timestamp'])}`;
  record.correlation = trace.slice(trace.lastIndexOf('/') + 1).toLowerCase() || null;
  return { records: [record] };
}

/** Status 0 with `client_disconnected_before_any_response`: nothing was sent. */
function signalOf(status: number | null, details: string): AccessRecord['signal'] {
  return status === null && details !== '' ? withSignal(statusSignal(null), 'marker', 'no_answer') : statusSignal(status);
}

function attemptsOf(details: string): number | null {
  if (/^(?:response_sent_by_backend|backend_)/.test(details)) return 1;
  return /^(?:response_from_cache|failed_to_pick_backend|denied_by|redirected_by|fault_filter)/.test(details) ? 0 : null;
}

export const gcpLoadBalancer: Format = {
  name: 'gcp-load-balancer',
  title: 'Google Cloud HTTP(S) load balancer',
  spec: 'https://cloud.google.com/load-balancing/docs/https/https-logging-monitoring',
  time: 'start',
  parse: objectParser('"httpRequest"', isGcp, read),
  samples: [
    {
      line: '{"httpRequest":{"latency":"0.005192s","protocol":"HTTP/1.1","remoteIp":"198.51.100.61:51844","requestMethod":"POST","requestSize":"812","requestUrl":"https://mcp.example.com/mcp?t=1","responseSize":"1043","serverIp":"10.2.0.4","status":404,"userAgent":"node"},"insertId":"1x2y3z","jsonPayload":{"@type":"type.googleapis.com/google.cloud.loadbalancing.type.LoadBalancerLogEntry","statusDetails":"response_sent_by_backend"},"logName":"projects/demo/logs/requests","receiveTimestamp":"2026-11-15T12:00:01.9Z","resource":{"type":"http_load_balancer"},"severity":"WARNING","spanId":"3b0d7f5e3b0d7f5e","timestamp":"2026-11-15T12:00:00.482100Z","trace":"projects/demo/traces/0AF7651916CD43DD8448EB211C80319C"}',
      expect: {
        ts: 1_794_744_000_482_100,
        duration_us: 5192,
        address: '198.51.100.61',
        user_agent: 'node',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        request_bytes: 812,
        response_bytes: 1043,
        attempts: 1,
        correlation: '0af7651916cd43dd8448eb211c80319c',
        signal: { status: 404, marker: null },
      },
    },
    {
      line: '{"httpRequest":{"latency":"30.001s","remoteIp":"2001:db8::61","requestMethod":"GET","requestUrl":"https://mcp.example.com/sse","status":0},"insertId":"1x2y40","jsonPayload":{"statusDetails":"client_disconnected_before_any_response"},"timestamp":"2026-11-15T12:00:02Z"}',
      expect: { address: '2001:db8::61', attempts: null, response_bytes: null, signal: { status: null, marker: 'no_answer' } },
    },
    {
      line: '{"httpRequest":{"remoteIp":"198.51.100.61","requestMethod":"GET","requestUrl":"https://mcp.example.com/mcp","status":503},"insertId":"1x2y41","jsonPayload":{"statusDetails":"failed_to_pick_backend"},"timestamp":"2026-11-15T12:00:03Z"}',
      expect: { attempts: 0, duration_us: null, signal: { status: 503 } },
    },
    {
      line: '{"httpRequest":{"requestMethod":"GET","status":200},"insertId":"1x2y42","timestamp":"yesterday"}',
      expect: { reject: 'bad_time' },
    },
    { line: '{"httpRequest":{"requestMethod":"GET","requestUrl":"https://mcp.exa', expect: { reject: 'truncated' } },
  ],
};
