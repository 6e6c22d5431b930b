// Exchanges as a tap on an MCP connection records them: what was asked and what came back, two messages each.
import type { Exchange } from './exchange.ts';

/** Returns the messages of one connection in their order; a notification has no answer. */
export function transcript(exchanges: readonly Exchange[]): string[] {
  return exchanges
    .flatMap((exchange, index) => messagesOf(exchange, index + 1))
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, ...line }) => JSON.stringify({ timestamp: new Date(at).toISOString(), ...line }));
}

interface Line {
  at: number;
  direction: 'client_to_server' | 'server_to_client';
  message: Record<string, unknown>;
}

function messagesOf(exchange: Exchange, id: number): Line[] {
  const { rpc = '', name, start, duration } = exchange;
  const isNotification = rpc.startsWith('notifications/');
  const params = {
    ...(name === undefined ? {} : { [rpc.startsWith('tasks/') ? 'taskId' : 'name']: name }),
    ...(exchange.arguments === undefined ? {} : { arguments: exchange.arguments }),
    ...(rpc === 'initialize' ? introduction(exchange) : {}),
  };
  const asked = { jsonrpc: '2.0', ...(isNotification ? {} : { id }), method: rpc, params };
  const answered = { jsonrpc: '2.0', id, ...outcomeOf(exchange) };
  const question: Line = { at: start, direction: 'client_to_server', message: asked };
  return isNotification ? [question] : [question, { at: start + duration, direction: 'server_to_client', message: answered }];
}

function introduction({ agent, version = '2025-11-25' }: Exchange): Record<string, unknown> {
  const [name, number] = agent.split('/');
  return { protocolVersion: version, capabilities: {}, clientInfo: { name, version: number } };
}

function outcomeOf({ rpc, error, toolError, isInputRequired }: Exchange): Record<string, unknown> {
  if (error !== undefined) return { error };
  if (isInputRequired === true)
    return { result: { resultType: 'input_required', inputRequests: { name: 'elicitation/create' } } };
  if (rpc !== 'tools/call') return { result: {} };
  return { result: { content: [{ type: 'text', text: toolError ?? 'done' }], isError: toolError !== undefined } };
}
