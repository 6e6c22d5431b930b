// Azure Front Door's access log: a diagnostics record whose properties are all texts.
import type { AccessRecord } from '../record.ts';
import { parseAddress } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { isObject, memberOf, objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget, readUserAgent } from './request.ts';
import { statusSignal, withSignal } from './signal.ts';
import { parseStamp, startOf } from './time.ts';

/** Returns whether an object is a record of Front Door's access log, whose category is written in two ways. */
export function isFrontDoor(object: Record<string, unknown>): boolean {
  return /^frontdooraccesslog$/i.test(textOf(object['category'])) && isObject(object['properties']);
}

function read(object: Record<string, unknown>, { timeZone }: ParseContext): Parsed {
  const properties = memberOf(object, 'properties');
  const end = parseStamp(object['time'], timeZone);
  if (end === null) return { reject: 'bad_time' };
  if (!('requestUri' in properties)) return { reject: 'bad_fields' };

  const record = blankRecord();
  const text = (key: string): string => textOf(properties[key]);
  record.address = parseAddress(text('clientIp')) ?? parseAddress(text('socketIp'));
  record.http_method = parseMethod(text('httpMethod'));
  if (text('requestUri') !== '') readTarget(record, text('requestUri'));
  readUserAgent(record, text('userAgent'));
  record.signal = signalOf(parseStatus(text('httpStatusCode')), text('errorInfo') || text('ErrorInfo'));
  record.duration_us = parseDuration(text('timeTaken'), 's');
  record.request_bytes = parseCount(text('requestBytes'));
  record.response_bytes = parseCount(text('responseBytes'));
  record.attempts = attemptsOf(text('cacheStatus'));
  const reference = text('trackingReference');
  record.correlation = reference.toLowerCase() || null;
  if (reference !== '') record.request_key = reference;
  // Between an edge and the shield before the origin.
  if (/^false$/i.test(String(properties['isReceivedFromClient']))) record.is_upstream = true;
  record.ts = startOf(end, record.duration_us);
  return { records: [record] };
}

function signalOf(status: number | null, error: string): AccessRecord['signal'] {
  const isSilent = status === null && error !== '' && error !== 'NoError';
  return isSilent ? withSignal(statusSignal(null), 'marker', 'no_answer') : statusSignal(status);
}

function attemptsOf(cache: string): number | null {
  if (cache === 'HIT' || cache === 'REMOTE_HIT') return 0;
  return cache === 'MISS' ? 1 : null;
}

export const azureFrontDoor: Format = {
  name: 'azure-front-door',
  title: 'Azure Front Door access log',
  spec: 'https://learn.microsoft.com/azure/frontdoor/monitor-front-door',
  time: 'end',
  parse: objectParser('ccessLog"', isFrontDoor, read),
  samples: [
    {
      line: '{"time":"2026-11-15T12:00:05.1234567Z","resourceId":"/SUBSCRIPTIONS/0/RESOURCEGROUPS/DEMO/PROVIDERS/MICROSOFT.CDN/PROFILES/DEMO","category":"FrontDoorAccessLog","operationName":"Microsoft.Cdn/Profiles/AccessLog/Write","properties":{"trackingReference":"0AbCdEf==","httpMethod":"POST","httpVersion":"2.0.0.0","requestUri":"https://mcp.example.com:443/mcp","requestBytes":"412","responseBytes":"157","userAgent":"claude-code/2.0.1","clientIp":"198.51.100.62","clientPort":"51200","socketIp":"203.0.113.9","timeTaken":"0.250","securityProtocol":"TLS 1.3","httpStatusCode":"405","httpStatusDetails":"405","cacheStatus":"CONFIG_NOCACHE","errorInfo":"NoError","isReceivedFromClient":true}}',
      expect: {
        ts: 1_794_744_004_873_456,
        duration_us: 250_000,
        address: '198.51.100.62',
        authority: 'mcp.example.com',
        path: '/mcp',
        request_bytes: 412,
        response_bytes: 157,
        attempts: null,
        correlation: '0abcdef==',
        signal: { status: 405 },
      },
    },
    {
      line: '{"time":"2026-11-15T12:00:06.0000000Z","category":"FrontdoorAccessLog","properties":{"trackingReference":"0AbCdEg==","httpMethod":"GET","requestUri":"https:\\/\\/mcp.example.com:443\\/sse","clientIp":"2001:db8::62","timeTaken":"60.01","httpStatusCode":"0","ErrorInfo":"ClientDisconnected","cacheStatus":"MISS"}}',
      expect: { address: '2001:db8::62', path: '/sse', attempts: 1, signal: { status: null, marker: 'no_answer' } },
    },
    {
      line: '{"time":"2026-11-15T12:00:06.0000000Z","category":"FrontDoorAccessLog","properties":{"httpMethod":"GET","httpStatusCode":"200"}}',
      expect: { reject: 'bad_fields' },
    },
    {
      line: '{"time":"2026-11-15T12:00:06.0000000Z","category":"FrontDoorAccessLog","properties":{"httpMethod":"GE',
      expect: { reject: 'truncated' },
    },
  ],
};
