// Docker's MCP gateway tells of tool calls on stderr: one line when a call begins, one when it has succeeded, without stamps.
import type { Format, Parsed } from './format.ts';
import { argumentsHash } from './identity.ts';
import { parseGoDuration } from './numbers.ts';
import { blankRecord, readRpcMethod, readRpcName } from './request.ts';
import { withSignal } from './signal.ts';

const CALL = /^ {0,8}- Calling tool (\S{1,256}) with arguments: (.*)$/s;
const TOOK = /^ {0,8}> Calling tool (\S{1,256}) took: (\S{1,40})$/;

function parse(line: string): Parsed {
  const mark = line.indexOf('Calling tool ');
  if (mark < 2 || mark > 10) return 'foreign';
  const call = CALL.exec(line);
  const [, name = '', shown = ''] = call ?? TOOK.exec(line) ?? [];
  if (name === '') return /^ {0,8}[->] Calling tool \S/.test(line) ? { reject: 'truncated' } : 'foreign';
  const record = blankRecord();
  readRpcMethod(record, 'tools/call');
  readRpcName(record, name);
  if (call !== null) {
    record.arguments_hash = argumentsIn(shown);
    return { halves: [{ key: name, side: 'request', isOrdered: true, record }] };
  }
  record.duration_us = parseGoDuration(shown);
  if (record.duration_us === null) return { reject: 'bad_fields' };
  record.signal = withSignal(record.signal, 'rpc_outcome', 'result');
  return { halves: [{ key: name, side: 'response', isOrdered: true, record }] };
}

function argumentsIn(text: string): string | null {
  try {
    return argumentsHash(JSON.parse(text));
  } catch {
    return null;
  }
}

export const dockerMcpGateway: Format = {
  name: 'docker-mcp-gateway',
  title: 'Docker MCP gateway',
  spec: 'https://docs.docker.com/ai/mcp-catalog-and-toolkit/mcp-gateway/',
  time: 'none',
  parse,
  samples: [
    {
      line: '  - Calling tool search with arguments: {"q":"x"}',
      expect: { ts: null, rpc_method: 'tools/call', rpc_name: 'search', arguments_hash: argumentsHash({ q: 'x' }) },
    },
    {
      line: '  > Calling tool search took: 1m2.5s',
      expect: { rpc_name: 'search', duration_us: 62_500_000, signal: { rpc_outcome: 'result' } },
    },
    {
      line: '- Calling tool fetch with arguments: map[url:https://example.com]',
      expect: { rpc_name: 'fetch', arguments_hash: null },
    },
    { line: '  > Calling tool search took: ?', expect: { reject: 'bad_fields' } },
    { line: '  - Calling tool search wi', expect: { reject: 'truncated' } },
  ],
};
