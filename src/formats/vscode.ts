// VS Code's and Cursor's MCP output: messages where tracing is on, and else what the client says of answers that failed.
import type { AccessRecord } from '../record.ts';
import type { Format, Half, ParseContext, Parsed } from './format.ts';
import { halfOf } from './mcp-transcript.ts';
import { parseStatus } from './numbers.ts';
import { blankRecord, readTarget } from './request.ts';
import { messagesIn, readMessage } from './rpc-text.ts';
import { withSignal, wordingOf } from './signal.ts';
import { parseIso } from './time.ts';

const HEAD = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[(?:trace|debug|info|warning|error)\] {0,4}(?:([\w-]{1,64}): )?/;
const TRACED = /^\[(editor -> server|server -> editor)\] /;
/** `404 status sending message to <url>: <body>`, `405 status connecting to <url> as SSE`. */
const ANSWERED = /^(\d{3}) status (sending message|connecting) to (https?:\/\/[^\s,]{1,4096}?)(?=[:,]? |[:,]?$)/;
const POSTED = /^.{0,256}?Error POSTing to endpoint \(HTTP (\d{3})\)/;
/** What the state of the connection became is said once more, after the answer that made it so. */
const STATE = /^Connection state: Error /;

function parse(line: string, { timeZone }: ParseContext): Parsed {
  if (line.charCodeAt(0) !== 50 || line.charCodeAt(4) !== 45 || line.charCodeAt(24) !== 91) return 'foreign';
  const head = HEAD.exec(line);
  if (head === null) return 'foreign';
  const text = line.slice(head[0].length);
  const traced = TRACED.exec(text);
  const told = STATE.test(text) ? text.slice(text.indexOf('Error ') + 6) : text;
  if (traced === null && !ANSWERED.test(told) && !POSTED.test(told)) return 'foreign';
  const stamp = parseIso(head[1] ?? '', timeZone);
  if (stamp === null) return { reject: 'bad_time' };
  if (traced === null) return { records: [readFailure(told, stamp.us)] };
  const body = text.slice(traced[0].length);
  const message = readMessage(body);
  if (message === null) return { reject: body.endsWith('}') ? 'bad_json' : 'truncated' };
  return { halves: [halfOf(message, stamp.us, head[2] ?? '', traced[1] === 'editor -> server' ? 'client' : 'server')] };
}

function readFailure(text: string, ts: number): AccessRecord {
  const answered = ANSWERED.exec(text);
  const status = answered?.[1] ?? POSTED.exec(text)?.[1];
  const record = blankRecord();
  record.ts = ts;
  record.http_method = answered?.[2] === 'connecting' ? 'GET' : 'POST';
  if (answered !== null) readTarget(record, answered[3] ?? '');
  record.signal = withSignal(record.signal, 'status', parseStatus(status));
  return withBody(record, text);
}

/** The body may be JSON-RPC, text or HTML, and words of the client may follow it. */
function withBody(record: AccessRecord, text: string): AccessRecord {
  const start = text.indexOf('{');
  if (start === -1) {
    record.signal = withSignal(record.signal, 'wording', wordingOf(text));
    return record;
  }
  const body = text.slice(start, text.lastIndexOf('}') + 1);
  const [answer] = messagesIn(body);
  if (answer === undefined) record.signal = withSignal(record.signal, 'wording', wordingOf(body));
  else {
    const { signal } = halfOf(answer, null, '', 'server').record;
    for (const column of ['rpc_code', 'rpc_outcome', 'wording'] as const) {
      record.signal = withSignal(record.signal, column, signal[column]);
    }
  }
  return record;
}

/** With tracing on, a failed answer belongs to the message sent last; a state that repeats what was said is a part. */
function open(context: ParseContext): (line: string) => Parsed {
  let sent: Half | null = null;
  let lastStatus: number | null = null;
  return (line) => {
    const parsed = parse(line, context);
    if (typeof parsed !== 'object' || 'reject' in parsed) return parsed;
    if ('halves' in parsed) {
      for (const half of parsed.halves) sent = half.side === 'request' ? half : sent?.key === half.key ? null : sent;
      return parsed;
    }
    const [record] = parsed.records;
    const isSaid = line.includes('Connection state: ') && record?.signal.status === lastStatus;
    lastStatus = record?.signal.status ?? null;
    if (isSaid) return { halves: [] };
    if (record === undefined || sent === null || record.http_method === 'GET') return parsed;
    const { key, connection = '' } = sent;
    sent = null;
    return { halves: [{ key, side: 'response', connection, record }] };
  };
}

export const vscode: Format = {
  name: 'vscode',
  title: 'VS Code and Cursor MCP output',
  spec: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
  time: 'end',
  parse,
  open,
  samples: [
    {
      line: '2026-11-21 08:30:00.101 [info] 404 status sending message to https://mcp.example.com/mcp: {"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}; will retry with new session ID',
      expect: {
        ts: 1_795_249_800_101_000,
        authority: 'mcp.example.com',
        http_method: 'POST',
        path: '/mcp',
        signal: { status: 404, rpc_code: -32_001, rpc_outcome: 'error', wording: 'session' },
      },
    },
    {
      line: '2026-11-21 08:30:00.500 [debug] 405 status connecting to http://mcp.example.com:8000/mcp for async notifications; they will be disabled',
      expect: { http_method: 'GET', authority: 'mcp.example.com:8000', path: '/mcp', signal: { status: 405 } },
    },
    {
      line: '2026-11-21 08:30:01.000 [debug] [editor -> server] {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"Visual Studio Code","version":"1.137.0"}}}',
      expect: { rpc_method: 'initialize', user_agent: 'Visual Studio Code/1.137.0', signal: { protocol_version: '2025-11-25' } },
    },
    {
      line: '2026-11-21 08:30:01.100 [error] user-notes: Client error for command Error POSTing to endpoint (HTTP 404): <!DOCTYPE html>',
      expect: { http_method: 'POST', path: null, signal: { status: 404, rpc_outcome: 'unknown' } },
    },
    {
      line: '2026-11-21 08:30:02.000 [info] Connection state: Error 403 status sending message to http://mcp.example.com:7777/mcp: Forbidden: Host header is not allowed',
      expect: { authority: 'mcp.example.com:7777', signal: { status: 403, wording: 'origin' } },
    },
    {
      line: '2026-11-21 08:30:02.500 [info] 405 status sending message to http://mcp.example.com/sse, will attempt to fall back to legacy SSE',
      expect: { path: '/sse', signal: { status: 405 } },
    },
    { line: '2026-11-21 08:30:03.000 [debug] [server -> editor] {"jsonrpc":"2.0","id":1,"resu', expect: { reject: 'truncated' } },
    {
      line: '2026-11-41 08:30:03.000 [info] 405 status sending message to http://mcp.example.com/sse, will attempt to fall back',
      expect: { reject: 'bad_time' },
    },
  ],
};
