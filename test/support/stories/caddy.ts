// Exchanges as Caddy writes them: one object a request with both maps of headers.
import type { Exchange } from './exchange.ts';

/** Returns a JSON line of the access logger; headers that were not sent are left out. */
export function caddy(exchange: Exchange): string {
  return JSON.stringify({
    level: exchange.status < 500 ? 'info' : 'error',
    ts: (exchange.start + exchange.duration) / 1000,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request: {
      remote_ip: exchange.address,
      remote_port: String(49152 + (Math.floor(exchange.start / 60_000) % 16_000)),
      client_ip: exchange.address,
      proto: 'HTTP/2.0',
      method: exchange.method,
      host: exchange.host,
      uri: exchange.path,
      headers: headers({
        'User-Agent': exchange.agent,
        'Mcp-Protocol-Version': exchange.version,
        'Mcp-Method': exchange.rpc,
        'Mcp-Name': exchange.name,
        'Mcp-Session-Id': exchange.session,
        'Last-Event-Id': exchange.lastEventId,
      }),
    },
    bytes_read: exchange.method === 'POST' ? 188 : 0,
    user_id: '',
    duration: exchange.duration / 1000,
    size: exchange.bytes,
    status: exchange.status,
    resp_headers: headers({
      'Content-Type': exchange.status < 300 && exchange.method === 'GET' ? 'text/event-stream' : 'application/json',
      'Retry-After': exchange.retryAfter === undefined ? undefined : String(exchange.retryAfter),
      ...exchange.answers,
    }),
  });
}

function headers(values: Record<string, string | undefined>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]]])));
}
