// The story harm: two backends behind one address, one of them stale, so that some refusals do not hold.
import { agentgateway } from './agentgateway.ts';
import { byEnd, conversation, linesOf, SECOND, type Conversation, type Request } from './exchange.ts';
import { between } from './random.ts';

const START = Date.UTC(2026, 10, 3, 9);
const FRESH = '192.0.2.31:8080';
const STALE = '192.0.2.32:8080';
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };

function arrives(address: string, minutes: number): Conversation {
  return conversation({ address, agent: '', host: 'tools.example.com' }, START + minutes * 60 * SECOND);
}

/** Sends one request to the backends named, one after the other: `S` answers as the stale one does, `F` as the fresh one. */
function inTurn(talk: Conversation, order: string, request: Omit<Request, 'status'>, stale: Partial<Request>): Conversation {
  for (const backend of order) {
    talk.send({ ...request, status: 200, ...(backend === 'S' ? { ...stale, backend: STALE } : { backend: FRESH }) });
    talk.wait(between(talk.random, 9, 24) * SECOND);
  }
  return talk;
}

function rpcCaller(address: string, minutes: number, order: string, name: string): Conversation {
  const talk = arrives(address, minutes);
  talk.send({ method: 'POST', path: '/mcp', status: 200, rpc: 'initialize', backend: FRESH });
  talk.wait(SECOND);
  return inTurn(talk, order, { method: 'POST', path: '/mcp', rpc: 'tools/call', name }, { status: 404, error: METHOD_NOT_FOUND });
}

/** Returns the log of the story by name. */
export function harm(): Record<string, string> {
  const talks = [
    rpcCaller('198.51.100.41', 0, 'SF'.repeat(12), 'query'),
    inTurn(arrives('198.51.100.42', 2), 'SSFSSF', { method: 'POST', path: '/export' }, { status: 405 }),
    inTurn(arrives('198.51.100.43', 4), 'SFSFSFSF', { method: 'GET', path: '/collections' }, { status: 404 }),
    rpcCaller('198.51.100.44', 6, 'SSSS', 'legacy_report'),
    rpcCaller('198.51.100.45', 1, 'FFFFFFFFFF', 'query'),
  ];
  return { 'agentgateway.log': linesOf(byEnd(talks).map(agentgateway)) };
}
