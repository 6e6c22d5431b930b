// Vercel log drains: several rows a request, of which the one with `proxy` is the access line.
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { isObject, memberOf, objectParser, textOf } from './json-text.ts';
import { parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget, readUserAgent } from './request.ts';
import { statusSignal } from './signal.ts';
import { parseStamp } from './time.ts';

/** Returns whether an object is a row of a log drain. */
export function isVercel(object: Record<string, unknown>): boolean {
  return 'deploymentId' in object && typeof object['source'] === 'string' && 'timestamp' in object;
}

function read(object: Record<string, unknown>, { timeZone }: ParseContext): Parsed {
  const { proxy } = object;
  // Output of functions and builds.
  if (!isObject(proxy)) return 'other';
  const start = parseStamp(proxy['timestamp'] ?? object['timestamp'], timeZone);
  if (start === null) return { reject: 'bad_time' };
  if (!('method' in proxy) && !('path' in proxy)) return { reject: 'bad_fields' };

  const record = blankRecord();
  record.ts = start.us;
  record.address = parseAddress(textOf(proxy['clientIp']));
  record.http_method = parseMethod(textOf(proxy['method']));
  const target = textOf(proxy['path'] ?? object['path']);
  if (target !== '') readTarget(record, target.startsWith('/') ? target : `/${target}`);
  record.authority = parseAuthority(textOf(proxy['host'] ?? object['host']), textOf(proxy['scheme']) || null);
  const agents: unknown = proxy['userAgent'];
  readUserAgent(record, textOf(Array.isArray(agents) ? agents[0] : agents));
  // -1: a revalidation in the background, which answers nobody.
  record.signal = statusSignal(parseStatus('statusCode' in proxy ? proxy['statusCode'] : object['statusCode']));
  record.attempts = ATTEMPTS.get(textOf(memberOf(object, 'proxy')['vercelCache'])) ?? null;
  record.correlation = textOf(object['requestId']).toLowerCase() || null;
  return { records: [record] };
}

const ATTEMPTS = new Map([
  ['HIT', 0],
  ['STALE', 0],
  ['PRERENDER', 0],
  ['MISS', 1],
  ['BYPASS', 1],
]);

export const vercel: Format = {
  name: 'vercel',
  title: 'Vercel log drain',
  spec: 'https://vercel.com/docs/drains/reference/logs',
  time: 'start',
  parse: objectParser('"deploymentId"', isVercel, read),
  samples: [
    {
      line: '{"id":"1794744013000abc","deploymentId":"dpl_demo","source":"lambda","host":"mcp-demo.example.com","timestamp":1794744013250,"projectId":"prj_demo","level":"info","message":"","requestId":"IAD1::abc-1794744013","statusCode":200,"path":"mcp","proxy":{"timestamp":1794744013000,"method":"POST","host":"mcp.example.com","path":"/mcp?x=1","userAgent":["claude-code/2.0.1"],"referer":"","statusCode":404,"clientIp":"198.51.100.65","scheme":"https","vercelCache":"MISS","region":"iad1"}}',
      expect: {
        ts: 1_794_744_013_000_000,
        address: '198.51.100.65',
        user_agent: 'claude-code/2.0.1',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        attempts: 1,
        correlation: 'iad1::abc-1794744013',
        signal: { status: 404 },
      },
    },
    {
      line: '{"id":"2","deploymentId":"dpl_demo","source":"static","timestamp":1794744014000,"requestId":"iad1::b","proxy":{"timestamp":1794744014000,"method":"GET","host":"mcp.example.com","path":"/","statusCode":-1,"clientIp":"2001:db8::65"}}',
      expect: { address: '2001:db8::65', attempts: null, signal: { status: null } },
    },
    {
      line: '{"id":"3","deploymentId":"dpl_demo","source":"lambda","timestamp":1794744014001,"requestId":"iad1::b","message":"called GET /x"}',
      expect: 'other',
    },
    {
      line: '{"id":"4","deploymentId":"dpl_demo","source":"edge","timestamp":"soon","proxy":{"method":"GET","path":"/"}}',
      expect: { reject: 'bad_time' },
    },
    { line: '{"id":"5","deploymentId":"dpl_demo","source":"edge","times', expect: { reject: 'truncated' } },
  ],
};
