// mcp-remote: the method of every message on its way to the server, and the id of every answer on its way back.
import type { AccessRecord } from '../record.ts';
import type { Format, Half, ParseContext, Parsed } from './format.ts';
import { halfOf } from './mcp-transcript.ts';
import { parseStatus } from './numbers.ts';
import { blankRecord, readRpcMethod } from './request.ts';
import { readMessage } from './rpc-text.ts';
import { withSignal } from './signal.ts';
import { parseIso } from './time.ts';

const ARROW = /^(.{0,96}?)\[(Local→Remote|Remote→Local)\] (.*)$/s;
const POSTED = /^\[(\d{1,10})\] .{0,256}?Error POSTing to endpoint \(HTTP (\d{3})\)(?:: ?(.*))?/s;
const STAMP = /\[(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\]]{0,16})\]/;
const METHOD = /^[a-z]\w{0,63}(?:\/[\w/]{1,128})?$/;

function parse(line: string, { timeZone }: ParseContext): Parsed {
  if (line.charCodeAt(0) !== 91) return 'foreign';
  if (line.includes('(HTTP ')) return parseFailure(line);
  if (!line.includes('→')) return 'foreign';
  const match = ARROW.exec(line);
  if (match === null) return 'foreign';
  const [, front = '', direction = '', text = ''] = match;
  const time = STAMP.exec(front)?.[1];
  const stamp = time === undefined ? null : parseIso(time, timeZone);
  if (time !== undefined && stamp === null) return { reject: 'bad_time' };
  const process = /\[(\d{1,10})\]/.exec(front)?.[1] ?? '';
  return readText(text, direction === 'Local→Remote' ? 'client' : 'server', process, stamp?.us ?? null);
}

function readText(text: string, sender: 'client' | 'server', process: string, ts: number | null): Parsed {
  if (text.startsWith('{')) {
    const message = readMessage(text);
    return message === null ? { reject: 'bad_json' } : { halves: [halfOf(message, ts, process, sender)] };
  }
  const record = blankRecord();
  record.ts = ts;
  // An answer is told by its id, but what was asked was told without.
  if (/^\d{1,15}$|^[\da-f-]{8,64}$/.test(text))
    return toHalf(sender === 'server' ? 'client' : 'server', process, 'response', record);
  if (!METHOD.test(text)) return { reject: text === '' ? 'truncated' : 'bad_fields' };
  readRpcMethod(record, text);
  return toHalf(sender, process, text.startsWith('notifications/') ? 'notification' : 'request', record);
}

function toHalf(asker: string, process: string, side: Half['side'], record: AccessRecord): Parsed {
  return { halves: [{ key: `${process} ${asker}`, side, isOrdered: true, record }] };
}

/** What the server answered by HTTP to the message before. */
function parseFailure(line: string): Parsed {
  const match = POSTED.exec(line);
  if (match === null) return 'foreign';
  const message = readMessage(match[3] ?? '');
  const record = message === null ? blankRecord() : halfOf(message, null, '', 'server').record;
  record.signal = withSignal(record.signal, 'status', parseStatus(match[2]));
  record.http_method = 'POST';
  return toHalf('client', match[1] ?? '', 'response', record);
}

export const mcpRemote: Format = {
  name: 'mcp-remote',
  title: 'mcp-remote (stdio to remote bridge)',
  spec: 'https://github.com/geelen/mcp-remote',
  time: 'start',
  parse,
  samples: [
    { line: '[26682] [Local→Remote] tools/call', expect: { ts: null, rpc_method: 'tools/call' } },
    { line: '[26682] [Remote→Local] 3', expect: { rpc_method: null, signal: { status: null, rpc_outcome: 'unknown' } } },
    {
      line: '[2026-11-21T08:20:00.100Z][26682] [Local→Remote] initialize',
      expect: { ts: 1_795_249_200_100_000, rpc_method: 'initialize' },
    },
    {
      line: '[2026-11-21 08:20:00.900Z] [Local→Remote] {"jsonrpc":"2.0","id":0,"method":"tools/list"}',
      expect: { ts: 1_795_249_200_900_000, rpc_method: 'tools/list' },
    },
    {
      line: '[26682] Error from remote server: Error: Error POSTing to endpoint (HTTP 404): {"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
      expect: { http_method: 'POST', signal: { status: 404, rpc_code: -32_001, rpc_outcome: 'error', wording: 'session' } },
    },
    { line: '[26682] [Local→Remote] notifications/initialized', expect: { rpc_method: 'notifications/initialized' } },
    { line: '[26682] [Local→Remote] Tools Call!', expect: { reject: 'bad_fields' } },
  ],
};
