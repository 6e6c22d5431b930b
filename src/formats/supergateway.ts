// supergateway between HTTP and a stdio child: every message it passes on, as JSON, or as Node prints objects, over several lines.
import type { Format, Half, ParseContext, Parsed } from './format.ts';
import { memberOf, parseObject, textOf } from './json-text.ts';
import { halfOf, isMessage } from './mcp-transcript.ts';
import { readMessage } from './rpc-text.ts';
import { parseStamp } from './time.ts';

type Members = Record<string, unknown>;

const PREFIX = '[supergateway] ';
const PASSED = /^(?:\[[^\]]{1,64}\] )?(?:(Child) → \w{1,32}|\w{1,32} → Child)(?: \(([^)]{1,128})\))?: ?/;

/** Returns whether an object is a JSON line about a message that was passed on. */
export function isSupergateway(object: Members): boolean {
  return 'level' in object && PASSED.test(textOf(object['msg']));
}

function parse(line: string, { timeZone }: ParseContext): Parsed {
  if (line.startsWith(PREFIX)) return parseText(line.slice(PREFIX.length));
  if (!line.includes(' → ') || line.charCodeAt(0) !== 123) return 'foreign';
  const object = parseObject(line);
  if (object === null || object === 'broken' || !isSupergateway(object)) return 'foreign';
  const stamp = parseStamp(object['time'], timeZone);
  if (stamp === null) return { reject: 'bad_time' };
  const text = textOf(object['msg']);
  const data = memberOf(object, 'data');
  const passed = PASSED.exec(text);
  const message = isMessage(data) ? data : readMessage(text.slice(passed?.[0].length));
  return passed === null || message === null ? { reject: 'bad_json' } : toHalves(passed, message, stamp.us);
}

function parseText(text: string): Parsed {
  const passed = PASSED.exec(text);
  if (passed === null) return 'other';
  const body = text.slice(passed[0].length);
  const message = readMessage(body);
  if (message !== null) return toHalves(passed, message, null);
  return body.trim() === '{' ? 'other' : { reject: body.endsWith('}') ? 'bad_json' : 'truncated' };
}

/** A stateless bridge asks its child to initialise by itself; neither the client nor the log's reader asked for that. */
function isOwn([, , note = '']: RegExpExecArray, { id }: Members): boolean {
  return note === 'auto-initialize' || note === 'initialized' || (typeof id === 'string' && id.startsWith('init_'));
}

function toHalves(passed: RegExpExecArray, message: Members, ts: number | null): { halves: Half[] } {
  if (isOwn(passed, message)) return { halves: [] };
  const session = /^session (\S+)/.exec(passed[2] ?? '')?.[1] ?? '';
  return { halves: [halfOf(message, ts, session, passed[1] === undefined ? 'client' : 'server')] };
}

/** Lines of one printed object; a longer one is let go. */
const MAX_LINES = 500;

/** Gathers objects that Node printed over several lines; their request begins on the first of them. */
function open(context: ParseContext): (line: string) => Parsed {
  let passed: RegExpExecArray | null = null;
  let lines: string[] = [];
  return (line) => {
    if (passed === null || !/^[\s}]/.test(line)) {
      const text = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : '';
      passed = text.endsWith('{') ? PASSED.exec(text) : null;
      if (passed === null) return parse(line, context);
      lines = ['{'];
      return { halves: [] };
    }
    lines.push(line);
    if (line !== '}' && lines.length < MAX_LINES) return { halves: [] };
    const message = line === '}' ? readMessage(lines.join('\n')) : null;
    const back = lines.length - 1;
    const { halves } = message === null ? { halves: [] } : toHalves(passed, message, null);
    passed = null;
    for (const half of halves) half.back = back;
    return { halves };
  };
}

export const supergateway: Format = {
  name: 'supergateway',
  title: 'supergateway (stdio to HTTP bridge)',
  spec: 'https://github.com/supercorp-ai/supergateway',
  time: 'start',
  parse,
  open,
  samples: [
    {
      line: '[supergateway] StreamableHttp → Child: {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{}}}',
      expect: { ts: null, rpc_method: 'tools/call', rpc_name: 'query' },
    },
    {
      line: '[supergateway] Child → StreamableHttp: {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
      expect: { signal: { rpc_code: -32_601, rpc_outcome: 'error' } },
    },
    {
      line: "[supergateway] SSE → Child (session 0f0e0d0c): { jsonrpc: '2.0', id: 2, method: 'ping' }",
      expect: { rpc_method: 'ping' },
    },
    {
      line: '{"time":"2026-11-21T08:10:00.250Z","level":"info","msg":"StreamableHttp → Child (original):","data":{"jsonrpc":"2.0","id":3,"method":"tools/list"}}',
      expect: { ts: 1_795_248_600_250_000, rpc_method: 'tools/list' },
    },
    {
      line: '{"time":"2026-11-21T08:10:00.300Z","level":"info","msg":"Child → StreamableHttp: {\\"jsonrpc\\":\\"2.0\\",\\"id\\":3,\\"result\\":{\\"tools\\":[]}}"}',
      expect: { signal: { rpc_outcome: 'result' } },
    },
    { line: '[supergateway] Child exited: code=1, signal=null', expect: 'other' },
    { line: '[supergateway] StreamableHttp → Child: {"jsonrpc":"2.', expect: { reject: 'truncated' } },
    { line: '[supergateway] StreamableHttp → Child: {"jsonrpc":"2.0"}', expect: { reject: 'bad_json' } },
  ],
};
