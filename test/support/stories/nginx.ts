// Exchanges as nginx writes them: `log_format` with escape=json, or combined.
import type { Exchange } from './exchange.ts';
import { letters, type Random } from './random.ts';

/** Returns a line of an `escape=json` log; absent variables are empty strings and every value is a string. */
export function nginxJson(exchange: Exchange, random: Random): string {
  const end = exchange.start + exchange.duration;
  const tries = exchange.upstreamStatus?.split(', ') ?? (exchange.backend === undefined ? [] : [String(exchange.status)]);
  const upstreamTime = (Math.max(exchange.duration - 1, 0) / Math.max(tries.length, 1) / 1000).toFixed(3);
  return JSON.stringify({
    time_iso8601: `${new Date(end).toISOString().slice(0, 19)}+00:00`,
    msec: (end / 1000).toFixed(3),
    remote_addr: exchange.address,
    request_method: exchange.method,
    request_uri: exchange.path,
    server_protocol: exchange.method === '' ? '' : 'HTTP/1.1',
    host: exchange.host,
    status: String(exchange.status),
    body_bytes_sent: String(exchange.bytes),
    request_length: exchange.method === '' ? '0' : String(310 + exchange.path.length + 40 * (exchange.name?.length ?? 0)),
    request_time: (exchange.duration / 1000).toFixed(3),
    upstream_addr: tries.map(() => exchange.backend ?? '').join(', '),
    upstream_status: tries.join(', '),
    upstream_response_time: tries.map(() => upstreamTime).join(', '),
    http_user_agent: exchange.agent,
    http_mcp_session_id: exchange.session ?? '',
    http_mcp_method: exchange.rpc ?? '',
    http_mcp_name: exchange.name ?? '',
    sent_http_retry_after: exchange.retryAfter === undefined ? '' : String(exchange.retryAfter),
    request_id: letters(random, 32),
  });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a combined line: one-second stamps, written when the request ended. */
export function nginxCombined(exchange: Exchange): string {
  const [date = '', time = ''] = new Date(exchange.start + exchange.duration).toISOString().split('T');
  const [year, month, day] = date.split('-');
  const stamp = `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
  const request = `${exchange.method} ${exchange.path} HTTP/1.1`;
  return `${exchange.address} - - [${stamp}] "${request}" ${exchange.status} ${exchange.bytes} "-" "${exchange.agent}"`;
}
