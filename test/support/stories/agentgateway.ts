// Exchanges as agentgateway writes them in its text format: unquoted pairs after tabs, absent keys left out, no user agent.
import type { Exchange } from './exchange.ts';

/** Returns a request line. The microseconds are not zero padded: that is how agentgateway prints them. */
export function agentgateway(exchange: Exchange): string {
  const end = exchange.start + exchange.duration;
  const micros = (end % 1000) * 1000 + (((exchange.start % 1000) * 919) % 1000);
  const isAgent = exchange.path.startsWith('/a2a');
  const isRpc = exchange.rpc !== undefined || exchange.session !== undefined || exchange.path === '/mcp';
  const address = exchange.address.includes(':') ? `[${exchange.address}]` : exchange.address;
  const port = 49152 + (Math.floor(exchange.start / 60_000) % 16_000);
  const pairs: [string, string | number | undefined][] = [
    ['gateway', 'bind/3000'],
    ['listener', 'listener0'],
    ['route', exchange.backend === undefined ? undefined : 'route0'],
    ['endpoint', exchange.backend],
    ['src.addr', `${address}:${port}`],
    ['http.method', exchange.method],
    ['http.host', exchange.host],
    ['http.path', exchange.path],
    ['http.version', 'HTTP/1.1'],
    ['http.status', exchange.status],
    ['protocol', isAgent ? 'a2a' : isRpc ? 'mcp' : 'http'],
    ['a2a.method', isAgent ? exchange.rpc : undefined],
    ['mcp.method.name', isAgent ? undefined : exchange.rpc],
    ['mcp.target', exchange.rpc === 'tools/call' ? 'catalog' : undefined],
    ['mcp.resource.type', exchange.name === undefined ? undefined : 'tool'],
    ['gen_ai.tool.name', exchange.name],
    ['mcp.session.id', exchange.session],
    ['mcp.protocol.version', exchange.version],
    [isAgent ? 'a2a.response.error_code' : 'mcp.error.code', exchange.error?.code],
    ['mcp.error.message', isAgent ? undefined : exchange.error && `"${exchange.error.message}"`],
    ['reason', exchange.reason],
    ['duration', `${exchange.duration}ms`],
  ];
  const text = pairs.filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${value}`);
  return `${new Date(end).toISOString().slice(0, 19)}.${micros}Z\tinfo\trequest ${text.join(' ')}`;
}
