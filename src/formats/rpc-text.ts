// JSON-RPC messages inside other text: bodies of HTTP exchanges, event streams, and messages that a log cut or printed for people.
import type { AccessRecord } from '../record.ts';
import { isObject } from './json-text.ts';
import { halfOf, isMessage } from './mcp-transcript.ts';
import { joinHalves } from './pair.ts';

type Message = Record<string, unknown>;

/** Returns the messages of a body: one, a batch, or the `data:` lines of an event stream. */
export function messagesIn(body: string): Message[] {
  if (!body.includes('jsonrpc')) return [];
  const texts = /^\s{0,64}[[{]/.test(body)
    ? [body]
    : body.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
  return texts.flatMap((text) => {
    const value = maybeJson(text);
    return (Array.isArray(value) ? value : [value]).filter(isMessage);
  });
}

function maybeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the requests that an HTTP exchange carried: one for each call in its body, with the answer that has its id; the exchange
 * itself if there is none.
 */
export function withCalls(exchange: AccessRecord, asked: string, answered: string): AccessRecord[] {
  const calls = messagesIn(asked).filter(({ method }) => typeof method === 'string');
  if (calls.length === 0) return [exchange];
  const answers = messagesIn(answered).filter(({ method }) => method === undefined);
  return calls.map((call) => {
    const answer = answers.find(({ id }) => id === call['id']) ?? (answers.length === 1 ? answers[0] : undefined);
    const record = joinHalves(exchange, halfOf(call, null, '', 'client').record);
    if (answer === undefined || call['id'] === undefined) return record;
    return joinHalves(record, halfOf(answer, null, '', 'server').record);
  });
}

const WORD = String.raw`(?:"([^"\\\n]{1,256})"|'([^'\\\n]{1,256})')`;
const key = (name: string): string => `["']?${name}["']?\\s{0,8}:\\s{0,8}`;
const ID = `${key('id')}(?:(-?\\d{1,15})|${WORD})`;
/** The members that may stand before the one that tells what a message is. */
const FRONT = `^\\s{0,8}\\{\\s{0,64}(?:${key('jsonrpc')}["']2\\.0["']\\s{0,8},\\s{0,64})?`;
const ID_FIRST = new RegExp(`${FRONT}${ID}`);
const ID_LAST = new RegExp(`[,{]\\s{0,64}${ID}\\s{0,64}\\}\\s{0,8}$`);
const METHOD = new RegExp(`[{,]\\s{0,64}${key('method')}${WORD}`);
const ERROR = new RegExp(
  `[{,]\\s{0,64}${key('error')}\\{\\s{0,64}${key('code')}(-?\\d{1,15})(?:\\s{0,8},\\s{0,64}${key('message')}${WORD})?`,
);
const NAME = new RegExp(`${key('params')}\\{\\s{0,64}${key('(?:name|uri)')}${WORD}`);

/** So much of either end is looked at: what tells a message apart stands there. */
const ENDS = 1024;

/**
 * Returns what can still be seen of a message that is no JSON any more: cut in the middle, or printed as JavaScript. Null if its
 * two ends do not tell what it was.
 */
export function glimpseMessage(text: string): Message | null {
  const head = text.slice(0, ENDS);
  const tail = text.slice(-ENDS);
  const found = ID_FIRST.exec(head) ?? ID_LAST.exec(tail);
  const id = found === null ? undefined : found[1] === undefined ? (found[2] ?? found[3]) : Number(found[1]);
  const method = word(METHOD.exec(head));
  const isAnswer = /^\s{0,8}\{\s{0,64}["']?(?:result|error)["']?\s{0,8}:/.test(head);
  if (method !== undefined && !isAnswer) {
    const name = word(NAME.exec(head));
    return { jsonrpc: '2.0', id, method, ...(name === undefined ? {} : { params: { name } }) };
  }
  if (id === undefined || !/[{,]\s{0,64}["']?(?:result|error)["']?\s{0,8}:/.test(head)) return null;
  const error = ERROR.exec(head);
  if (error !== null) return { jsonrpc: '2.0', id, error: { code: Number(error[1]), message: error[2] ?? error[3] ?? '' } };
  const isError = /["']?isError["']?\s{0,8}:\s{0,8}true/.test(head) || /["']?isError["']?\s{0,8}:\s{0,8}true/.test(tail);
  return { jsonrpc: '2.0', id, result: { isError } };
}

function word(match: RegExpExecArray | null): string | undefined {
  return match?.[1] ?? match?.[2];
}

/** Returns the message that a text is, or what can be seen of it, or null. */
export function readMessage(text: string): Message | null {
  const value = maybeJson(text);
  if (value === undefined) return /^\s{0,64}\{/.test(text) && text.trimEnd().endsWith('}') ? glimpseMessage(text) : null;
  return isObject(value) && isMessage(value) ? value : null;
}
