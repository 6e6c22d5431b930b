// pino-http's and hapi-pino's lines, one a request, and Fastify's, two a request that share process and request id.
import type { AccessRecord } from '../record.ts';
import { parseAddress, parseAuthority } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import {
  closeRequestHeaders,
  closeResponseHeaders,
  readHeaders,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type HeaderReader,
} from './headers.ts';
import { isObject, memberOf, objectParser, textOf } from './json-text.ts';
import { parseDuration, parseStatus } from './numbers.ts';
import { blankRecord, parseMethod, readTarget } from './request.ts';
import { withSignal } from './signal.ts';
import { parseStamp, startOf } from './time.ts';

type Members = Record<string, unknown>;

/** Returns whether an object is a pino line that tells of a request or an answer. */
export function isPino(object: Members): boolean {
  const isPinoLine = 'level' in object && 'time' in object && ('pid' in object || 'hostname' in object || 'msg' in object);
  const { req, res } = object;
  return isPinoLine && ((isObject(req) && 'method' in req) || (isObject(res) && 'statusCode' in res));
}

function read(object: Members, { timeZone }: ParseContext): Parsed {
  const { req, res } = object;
  const shared = textOf(object['reqId']);
  const isAnswer = isObject(res) && ('responseTime' in object || (isObject(req) && shared === ''));
  const isStart = !isObject(res) && shared !== '' && object['msg'] === 'incoming request';
  // Application lines bear the request they were written for, error lines its answer too.
  if (!isAnswer && !isStart) return 'other';
  const stamp = parseStamp(object['time'], timeZone);
  if (stamp === null) return { reject: 'bad_time' };

  const record = blankRecord();
  record.ts = stamp.us;
  if (isObject(req)) readRequest(record, req);
  if (isAnswer) {
    readAnswer(record, res);
    record.duration_us = parseDuration(object['responseTime'], 'ms');
  }
  if (isStart || !isObject(req)) {
    const key = `${textOf(object['hostname'])} ${textOf(object['pid'])} ${shared}`;
    if (shared === '') return { reject: 'bad_fields' };
    return { halves: [{ key, side: isStart ? 'request' : 'response', record }] };
  }
  record.ts = startOf(stamp, record.duration_us);
  return { records: [record] };
}

function readRequest(record: AccessRecord, req: Members): void {
  record.address = parseAddress(textOf(req['remoteAddress']));
  record.http_method = parseMethod(textOf(req['method']));
  const url = textOf(req['url']);
  if (url !== '') readTarget(record, url);
  record.authority = parseAuthority(textOf(req['host']) || textOf(req['hostname'])) ?? record.authority;
  if (readMap(record, req, REQUEST_HEADERS)) closeRequestHeaders(record);
  // Counters such as `req-9` begin anew in every process and join nothing.
  const id = textOf(req['id']);
  if (id.length >= 16) record.correlation = id.toLowerCase();
}

/** An aborted request has no status, or none that was sent. */
function readAnswer(record: AccessRecord, res: Members): void {
  record.signal = withSignal(record.signal, 'status', parseStatus(res['statusCode']));
  if (readMap(record, res, RESPONSE_HEADERS)) closeResponseHeaders(record);
}

function readMap(record: AccessRecord, parent: Members, readers: ReadonlyMap<string, HeaderReader>): boolean {
  const headers = memberOf(parent, 'headers');
  readHeaders(record, headers, readers);
  return Object.keys(headers).length > 0;
}

export const pinoHttp: Format = {
  name: 'pino-http',
  title: 'pino-http, hapi-pino and Fastify',
  spec: 'https://github.com/pinojs/pino-http',
  time: 'end',
  parse: objectParser('"re', isPino, read),
  samples: [
    {
      line: '{"level":30,"time":1795161600123,"pid":21,"hostname":"mcp-0","req":{"id":"3B0D7F5E-0000-4000-8000-000000000001","method":"POST","url":"/mcp?t=1","query":{"t":"1"},"params":{},"headers":{"host":"mcp.example.com","user-agent":"claude-code/2.0.1","mcp-session-id":"s-7","mcp-method":"tools/call","mcp-name":"query"},"remoteAddress":"::ffff:10.0.0.3","remotePort":50110},"res":{"statusCode":404,"headers":{"content-type":"application/json"}},"responseTime":3,"msg":"request completed"}',
      expect: {
        ts: 1_795_161_600_120_000,
        duration_us: 3000,
        address: '10.0.0.3',
        user_agent: 'claude-code/2.0.1',
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'query',
        correlation: '3b0d7f5e-0000-4000-8000-000000000001',
        signal: { status: 404, has_session: 'yes', has_origin: 'no', retry_after: 'no', is_stream: 'no' },
      },
    },
    {
      line: '{"level":30,"time":1795161601000,"pid":21,"hostname":"mcp-0","reqId":"req-9","req":{"method":"POST","url":"/mcp","host":"mcp.example.com","remoteAddress":"10.0.0.3","remotePort":50111},"msg":"incoming request"}',
      expect: {
        ts: 1_795_161_601_000_000,
        authority: 'mcp.example.com',
        path: '/mcp',
        correlation: null,
        signal: { status: null },
      },
    },
    {
      line: '{"level":30,"time":1795161601040,"pid":21,"hostname":"mcp-0","reqId":"req-9","res":{"statusCode":503},"responseTime":39.91,"msg":"request completed"}',
      expect: { http_method: null, duration_us: 39_910, signal: { status: 503 } },
    },
    {
      line: '{"level":"info","time":"2026-11-20T08:00:05.500Z","pid":21,"hostname":"mcp-0","req":{"id":4,"method":"GET","url":"/sse","headers":{"user-agent":"node"}},"res":{"statusCode":null,"headers":{}},"responseTime":500,"msg":"request aborted"}',
      expect: { ts: 1_795_161_605_000_000, correlation: null, signal: { status: null, retry_after: 'unknown' } },
    },
    {
      line: '{"level":30,"time":1795161606000,"pid":21,"hostname":"mcp-0","req":{"id":5,"method":"GET","url":"/x"},"msg":"looking up"}',
      expect: 'other',
    },
    {
      line: '{"level":50,"time":1795161606000,"pid":21,"hostname":"mcp-0","reqId":"req-9","req":{"method":"GET","url":"/x"},"res":{"statusCode":500},"err":{"type":"Error"},"msg":"boom"}',
      expect: 'other',
    },
    {
      line: '{"level":30,"time":"?","pid":21,"req":{"method":"GET","url":"/x"},"res":{"statusCode":200},"responseTime":1}',
      expect: { reject: 'bad_time' },
    },
    { line: '{"level":30,"time":1795161606000,"pid":21,"req":{"method":"GE', expect: { reject: 'truncated' } },
  ],
};
