// Azure Application Gateway's access log, v1 and v2, which differ in the unit of `timeTaken` and in where the server's answer is.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { isObject, memberOf, objectParser, textOf } from './json-text.ts';
import { parseCount, parseDuration, parseStatus, type Unit } from './numbers.ts';
import { blankRecord, parseMethod, readQuery, readTarget, readUserAgent } from './request.ts';
import { statusSignal } from './signal.ts';
import { parseStamp, startOf } from './time.ts';

type Members = Record<string, unknown>;

/** Returns whether an object is a record of Application Gateway's access log. */
export function isApplicationGateway(object: Members): boolean {
  return object['category'] === 'ApplicationGatewayAccessLog' && isObject(object['properties']);
}

function read(object: Members, { timeZone }: ParseContext): Parsed {
  const properties = memberOf(object, 'properties');
  const end = parseStamp(object['time'] ?? object['timeStamp'] ?? object['timestamp'], timeZone);
  if (end === null) return { reject: 'bad_time' };
  if (!('httpStatus' in properties)) return { reject: 'bad_fields' };

  const record = blankRecord();
  const text = (key: string): string => textOf(properties[key]);
  record.address = parseAddress(text('clientIP') || text('clientIp'));
  record.http_method = parseMethod(text('httpMethod'));
  readAsked(record, properties);
  readUserAgent(record, text('userAgent'));
  record.signal = statusSignal(parseStatus(properties['httpStatus']));
  record.duration_us = parseDuration(properties['timeTaken'], unitOf(properties));
  record.request_bytes = parseCount(properties['receivedBytes']);
  record.response_bytes = parseCount(properties['sentBytes']);
  record.attempts = attemptsOf(properties);
  record.correlation = (text('transactionId') || (LOG_ID.exec(text('requestQuery'))?.[1] ?? '')).toLowerCase() || null;
  record.ts = startOf(end, record.duration_us);
  return { records: [record] };
}

/** What the client sent, before a rewrite, where that is logged. */
function readAsked(record: AccessRecord, properties: Members): void {
  const original = textOf(properties['originalRequestUriWithArgs']);
  const target = original || textOf(properties['requestUri']);
  if (target !== '') readTarget(record, target);
  const query = textOf(properties['requestQuery']);
  if (original === '' && query !== '') readQuery(record, record.path, query);
  const scheme = textOf(properties['sslEnabled']) === 'on' ? 'https' : 'http';
  const host = textOf(properties['originalHost']) || textOf(properties['host']);
  record.authority = parseAuthority(host, scheme) ?? record.authority;
}

/** v1 writes whole ms, v2 seconds; a whole number from an instance that could be either is ms unless it is too small to tell. */
function unitOf(properties: Members): Unit {
  const taken = textOf(properties['timeTaken']);
  if (taken.includes('.') || textOf(properties['transactionId']) !== '') return 's';
  return textOf(properties['instanceId']).startsWith('appgw_') && Number(taken) < 10 ? 's' : 'ms';
}

/** v1 hides these behind the query. */
const LOG_ID = /(?:^|&)X-AzureApplicationGateway-LOG-ID=([\w-]{1,64})/;
const ROUTED = /(?:^|&)SERVER-ROUTED=([^&]*)/;

function attemptsOf(properties: Members): number | null {
  const routed = properties['serverRouted'] ?? ROUTED.exec(textOf(properties['requestQuery']))?.[1];
  if (routed === undefined) return null;
  return textOf(routed) === '' || textOf(routed) === '-' ? 0 : 1;
}

export const azureApplicationGateway: Format = {
  name: 'azure-application-gateway',
  title: 'Azure Application Gateway access log, v1 and v2',
  spec: 'https://learn.microsoft.com/azure/application-gateway/monitor-application-gateway-reference',
  time: 'end',
  parse: objectParser('"ApplicationGatewayAccessLog"', isApplicationGateway, read),
  samples: [
    {
      line: '{"timeStamp":"2026-11-15T12:00:07+00:00","resourceId":"/SUBSCRIPTIONS/0/DEMO","listenerName":"https","backendPoolName":"mcp","operationName":"ApplicationGatewayAccess","category":"ApplicationGatewayAccessLog","properties":{"instanceId":"appgw_1","clientIP":"198.51.100.63","clientPort":45057,"httpMethod":"POST","originalRequestUriWithArgs":"\\/mcp?a=b","requestUri":"\\/app\\/mcp","requestQuery":"a=b","userAgent":"python-httpx\\/0.28.1","httpStatus":404,"httpVersion":"HTTP\\/1.1","receivedBytes":65,"sentBytes":553,"timeTaken":1.205,"transactionId":"d3b07384d113edec49eaa6238ad5ff00","sslEnabled":"on","serverRouted":"10.4.0.4:443","serverStatus":"404","serverResponseLatency":"1.028","originalHost":"mcp.example.com","host":"10.4.0.4","error_info":""}}',
      expect: {
        ts: 1_794_744_006_000_000,
        duration_us: 1_205_000,
        address: '198.51.100.63',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        attempts: 1,
        correlation: 'd3b07384d113edec49eaa6238ad5ff00',
        signal: { status: 404 },
      },
    },
    {
      line: '{"time":"2026-11-15T12:00:08.5000000Z","category":"ApplicationGatewayAccessLog","properties":{"instanceId":"ApplicationGatewayRole_IN_0","clientIP":"198.51.100.63","clientPort":"46886","httpMethod":"GET","requestUri":"/nope","requestQuery":"X-AzureApplicationGateway-CACHE-HIT=0&SERVER-ROUTED=10.4.0.5&X-AzureApplicationGateway-LOG-ID=874F1F0F-6807-41C9-B7BC-F3CFA74AA0B1&SERVER-STATUS=404","userAgent":"-","httpStatus":404,"httpVersion":"HTTP/1.0","receivedBytes":69,"sentBytes":1090,"timeTaken":205,"sslEnabled":"off"}}',
      expect: {
        ts: 1_794_744_008_295_000,
        duration_us: 205_000,
        user_agent: null,
        attempts: 1,
        correlation: '874f1f0f-6807-41c9-b7bc-f3cfa74aa0b1',
      },
    },
    {
      line: '{"timestamp":"2026-11-15T12:00:09Z","category":"ApplicationGatewayAccessLog","properties":{"instanceId":"appgw_1","clientIP":"198.51.100.63","httpMethod":"","requestUri":"","requestQuery":"","httpStatus":400,"timeTaken":205,"serverRouted":""}}',
      expect: { duration_us: 205_000, http_method: null, path: null, attempts: 0, signal: { status: 400 } },
    },
    {
      line: '{"time":"2026-11-15","category":"ApplicationGatewayAccessLog","properties":{"httpMethod":"GET","httpStatus":400}}',
      expect: { reject: 'bad_time' },
    },
    {
      line: '{"time":"2026-11-15T12:00:09Z","category":"ApplicationGatewayAccessLog","properties":{"httpMethod":"GET","ht',
      expect: { reject: 'truncated' },
    },
  ],
};
