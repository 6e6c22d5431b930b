// What every small story is made of: logs, documents, and what a report must say of them.
import type { Findings, FindingRule, Savings, StormKind } from '../../../src/findings/findings.ts';
import { agentgateway } from './agentgateway.ts';
import { caddy } from './caddy.ts';
import { byEnd, conversation, linesOf, type Conversation, type Exchange, type Request } from './exchange.ts';
import { nginxCombined, nginxJson } from './nginx.ts';
import { seeded } from './random.ts';
import { transcript } from './transcript.ts';
import { uvicorn } from './uvicorn.ts';

export interface StormLabel {
  /** The address in the client's key; where the log names none, its agent or the log itself. */
  client: string;
  kind: StormKind;
  requests: number;
  under_gate: number;
  avoidable: number;
}

export interface FindingLabel {
  rule: FindingRule;
  /** As above; none for what is not about clients. */
  clients: string[];
  requests: number;
}

export interface Story {
  /** What happens, and why that is or is not a storm or a finding. */
  about: string;
  logs: Record<string, string>;
  documents?: Record<string, unknown>;
  /** All storms and findings there are. */
  storms?: StormLabel[];
  findings?: FindingLabel[];
  /** Figures other than zero. */
  savings?: Partial<Savings>;
  report?: Partial<Findings>;
}

export type Stories = Record<string, () => Story>;

/** Returns the files of a story's folder. */
export function filesOf({
  about,
  logs,
  documents = {},
  storms = [],
  findings = [],
  savings,
  report,
}: Story): Record<string, string> {
  const expected = {
    about,
    ...(Object.keys(documents).length === 0 ? {} : { contract: Object.keys(documents) }),
    storms,
    findings,
    report: { savings: { lower: 0, upper: 0, overrun: 0, harm: 0, ...savings }, ...report },
  };
  const texts = Object.entries({ ...documents, 'expect.json': expected }).map(([file, value]) => [file, jsonOf(value)]);
  return { ...logs, ...Object.fromEntries(texts) };
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export const combined = (...talks: Conversation[]): string => linesOf(byEnd(talks).map(nginxCombined));
export const byAgentgateway = (...talks: Conversation[]): string => linesOf(byEnd(talks).map(agentgateway));
export const byCaddy = (...talks: Conversation[]): string => linesOf(byEnd(talks).map(caddy));
export const byUvicorn = (...talks: Conversation[]): string => linesOf(byEnd(talks).map(uvicorn));
/** One connection: what stands in one log is one client's. */
export const inTranscript = (talk: Conversation): string => linesOf(transcript(talk.exchanges));
export function byNginx(...talks: Conversation[]): string {
  const ids = seeded('request ids');
  return linesOf(byEnd(talks).map((exchange) => nginxJson(exchange, ids)));
}

/** `METHOD path status [rpc method [name]] [rpc code]`, alone or with what a line cannot say. */
export type Line = string | readonly [string, Partial<Exchange>];

const DAY = Date.UTC(2026, 10, 5, 9);

/** Returns a client (`address agent`) that asks one thing after the other, with the same wait between an answer and the next request. */
export function client(who: string, at: number, wait: number, ...lines: readonly Line[]): Conversation {
  const [address = '', ...agent] = who.split(' ');
  const talk = conversation({ address, agent: agent.join(' '), host: 'mcp.example.com' }, DAY + at);
  return goesOn(talk, wait, ...lines);
}

/** Lets a client ask further things. */
export function goesOn(talk: Conversation, wait: number, ...lines: readonly Line[]): Conversation {
  for (const line of lines) {
    if (talk.exchanges.length > 0) talk.wait(wait);
    const [text, more] = typeof line === 'string' ? [line, {}] : line;
    talk.send({ ...parse(text), ...more });
  }
  return talk;
}

/** Returns a line several times. */
export function times(n: number, line: Line): Line[] {
  return Array.from({ length: n }, () => line);
}

const MESSAGES: Readonly<Record<string, string>> = {
  '-32601': 'Method not found',
  '-32602': 'Invalid params',
  '-32001': 'Session not found',
  '-32022': 'Unsupported protocol version',
};

function parse(text: string): Request {
  const words = text.split(' ');
  const code = /^-?\d+$/.test(words.at(-1) ?? '') && words.length > 3 ? words.pop() : undefined;
  const [method = '', path = '', status = '', rpc, name] = words;
  return {
    method,
    path,
    status: Number(status),
    ...(rpc === undefined ? {} : { rpc }),
    ...(name === undefined ? {} : { name }),
    ...(code === undefined ? {} : { error: { code: Number(code), message: MESSAGES[code] ?? 'Error' } }),
  };
}
