// Claude Desktop's MCP logs: every message between the application and a server, long bodies cut in the middle.
import type { Format, ParseContext, Parsed } from './format.ts';
import { halfOf } from './mcp-transcript.ts';
import { readMessage } from './rpc-text.ts';
import { parseIso } from './time.ts';

/** Server and level, or in older files and in `mcp.log` the other way round. */
const HEAD = /^(\S{20,35}) \[([^\]]{1,256})\] \[([^\]]{1,256})\] Message from (client|server): /;
const LEVEL = /^(?:debug|info|warn|warning|error)$/;

const CUT = /\.\.\.\[\d{1,15} chars truncated\]\.\.\./;

function parse(line: string, { timeZone }: ParseContext): Parsed {
  if (!line.includes('] Message from ')) return 'foreign';
  const head = HEAD.exec(line);
  if (head === null) return 'foreign';
  const [, time = '', first = '', second = '', sender] = head;
  const stamp = parseIso(time, timeZone);
  if (stamp === null) return { reject: 'bad_time' };
  const body = line.slice(head[0].length);
  const tail = body.lastIndexOf(' { metadata:');
  const message = readMessage(tail === -1 ? body : body.slice(0, tail));
  if (message === null) return { reject: body.includes('}') ? 'bad_json' : 'truncated' };
  const server = LEVEL.test(first) ? second : first;
  const half = halfOf(message, stamp.us, server, sender === 'server' ? 'server' : 'client');
  // Cut arguments may look alike and differ.
  if (CUT.test(body)) half.record.arguments_hash = null;
  return { halves: [half] };
}

export const claudeDesktop: Format = {
  name: 'claude-desktop',
  title: 'Claude Desktop MCP server logs',
  spec: 'https://modelcontextprotocol.io/docs/develop/build-server',
  time: 'start',
  parse,
  samples: [
    {
      line: '2026-11-21T08:00:00.101Z [notes] [info] Message from client: {"method":"tools/call","params":{"name":"add_note","arguments":{"text":"hi"}},"jsonrpc":"2.0","id":4} { metadata: undefined }',
      expect: { ts: 1_795_248_000_101_000, rpc_method: 'tools/call', rpc_name: 'add_note', signal: { rpc_outcome: 'unknown' } },
    },
    {
      line: '2026-11-21T08:00:00.140Z [notes] [info] Message from server: {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"Invalid params"}} { metadata: undefined }',
      expect: { ts: 1_795_248_000_140_000, signal: { rpc_code: -32_602, rpc_outcome: 'error' } },
    },
    {
      line: '2026-11-21T08:00:01.000Z [info] [notes] Message from server: {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"a \\"long\\" te...[11759 chars truncated]...t"}],"isError":true}}',
      expect: { signal: { rpc_outcome: 'result', tool_error: 'yes' } },
    },
    {
      line: '2026-11-21T08:00:02.000Z [notes] [info] Message from client: {"method":"tools/call","params":{"name":"add_note","arguments":{"text":"aaa...[9000 chars truncated]...bbb"}},"jsonrpc":"2.0","id":"x-6"} { metadata: undefined }',
      expect: { rpc_method: 'tools/call', rpc_name: 'add_note', arguments_hash: null },
    },
    {
      line: '2026-11-21T08:00:02.000Z [notes] [info] Message from client: {"meth',
      expect: { reject: 'truncated' },
    },
    {
      line: '2026-11-21T25:00:02.000Z [notes] [info] Message from client: {"method":"ping","jsonrpc":"2.0","id":7}',
      expect: { reject: 'bad_time' },
    },
  ],
};
