// One request with its answer, and the conversation in which a client has them one after the other.
import { between, seeded, type Random } from './random.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export interface Client {
  address: string;
  agent: string;
  host: string;
}

export interface Request {
  method: string;
  path: string;
  status: number;
  /** Milliseconds; a few dozen if left out. */
  duration?: number;
  bytes?: number;
  /** JSON-RPC method and tool, as the client's headers (nginx) or the body (agentgateway) show them. */
  rpc?: string;
  name?: string;
  session?: string;
  error?: { code: number; message: string };
  retryAfter?: number;
  /** nginx `$upstream_status` when the gateway tried more than once. */
  upstreamStatus?: string;
  /** agentgateway's own `reason` for answers it gave itself. */
  reason?: string;
  /** The backend that answered. */
  backend?: string;
  /** `MCP-Protocol-Version` of the request. */
  version?: string;
  lastEventId?: string;
  /** Further headers of the answer: `Allow`, `WWW-Authenticate`, `Location` … */
  answers?: Record<string, string>;
  /** Arguments of a call, and a result that is an error or asks for more, as only bodies show them. */
  arguments?: Record<string, string>;
  toolError?: string;
  isInputRequired?: boolean;
}

export interface Exchange extends Client, Request {
  /** Milliseconds since the epoch. */
  start: number;
  duration: number;
  bytes: number;
}

export interface Conversation {
  readonly exchanges: Exchange[];
  readonly random: Random;
  /** The moment it began. */
  readonly start: number;
  /** Lets time go by between an answer and the next request. */
  wait(ms: number): void;
  /** Waits until the given moment, if it is not past. */
  until(moment: number): void;
  /** Sends a request when the answer to the one before is there. */
  send(request: Request): void;
}

/** Returns a conversation that begins at `start`; its chance depends on the client only, so clients do not disturb each other. */
export function conversation(client: Client, start: number): Conversation {
  const random = seeded(`${client.address} ${client.agent}`);
  const exchanges: Exchange[] = [];
  let now = start;
  return {
    exchanges,
    start,
    random,
    wait(ms) {
      now += Math.round(ms);
    },
    until(moment) {
      now = Math.max(now, moment);
    },
    send(request) {
      const duration = request.duration ?? between(random, 4, 90);
      const bytes = request.bytes ?? (request.status < 300 ? between(random, 180, 4200) : between(random, 60, 180));
      exchanges.push({ ...client, ...request, start: now, duration, bytes });
      now += duration;
    },
  };
}

/** Returns the exchanges of all conversations as gateways log them: in the order in which they ended. */
export function byEnd(conversations: readonly Conversation[]): Exchange[] {
  return conversations
    .flatMap((talk) => talk.exchanges)
    .toSorted((a, b) => a.start + a.duration - b.start - b.duration || a.start - b.start);
}

/** Returns the text of a file of these lines. */
export function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
