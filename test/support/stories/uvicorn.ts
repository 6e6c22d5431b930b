// Exchanges as uvicorn prints them: no stamp, no size, no user agent.
import { STATUS_CODES } from 'node:http';
import type { Exchange } from './exchange.ts';

/** Returns an access line. */
export function uvicorn({ address, start, method, path, status }: Exchange): string {
  const port = 49152 + (Math.floor(start / 60_000) % 16_000);
  return `INFO:     ${address}:${port} - "${method} ${path} HTTP/1.1" ${status} ${STATUS_CODES[status]}`;
}
