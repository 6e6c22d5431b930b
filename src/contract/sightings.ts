// What the log shows of the interface, in bounded memory: which paths answered, which bore JSON-RPC, which names are variables.
import type { Known, LineTarget, Signal } from '../record.ts';
import { isAgentMethod, isNamedLikeEndpoint } from './protocols.ts';
import type { Observation } from './contract.ts';

/**
 * The log's own evidence. All of it is a set, so the order of observations does not matter. Membership is a Bloom filter of fixed
 * size: at 20 million paths about one in a hundred that never answered is taken for one that did, and none the other way round.
 */
export interface Sightings {
  /** The path answered someone, with any method. */
  isPathAnswered(target: LineTarget): boolean;
  /** The path answered someone with this method. */
  isOperationAnswered(target: LineTarget): boolean;
  /** The path differs from at least 3 that answered only in identifiers; unknown if there were too many such families to keep. */
  isTemplateAnswered(target: LineTarget): Known;
  /** Any path of this authority answered with 2xx. */
  isAuthorityAnswering(target: LineTarget): boolean;
  /** An MCP endpoint of this authority answered. */
  isEndpointAnswering(target: LineTarget): boolean;
  /** The RPC method was answered with a result or a success by someone. */
  isMethodAnswered(rpcMethod: string): boolean;
  /** Something at this path spoke JSON-RPC, and it was not A2A. */
  isRpcSeen(target: LineTarget): boolean;
  /** Something at this path called a method that only A2A has. */
  isAgentSeen(target: LineTarget): boolean;
}

/** How many paths that differ only in identifiers make a template. */
const MIN_SIBLINGS = 3;
/** Shapes kept at most; beyond them those with the highest hashes go, which no order of observations can change. */
const MAX_SHAPES = 100_000;
/** 64 MiB in all, of which a small log touches little. */
const BLOCKS = 2 ** 20;
const WORDS_IN_BLOCK = 16;
const FILTER_HASHES = 5;

/** Reads all observations; methods are told apart only where a document does so. */
export async function readSightings(
  observed: AsyncIterable<Observation> | Iterable<Observation>,
  { byMethod, maxShapes = MAX_SHAPES }: { byMethod: boolean; maxShapes?: number },
): Promise<Sightings> {
  const facts = openFilter();
  const shapes = openShapes(maxShapes);
  // Most logs name an authority on each line or on none, and many hold no JSON-RPC: what was never filed need not be sought.
  const filed = new Set<string>();

  for await (const { target, signal } of observed) {
    const { authority, http_method, path, rpc_method } = target;
    // A preflight is answered by gateways for paths that nobody serves.
    const isAnswered = http_method !== 'OPTIONS' && answers(signal);
    if (rpc_method !== null && isAnswered) facts.add(`method ${rpc_method}`);
    if (path === null) continue;
    if (authority === null) filed.add('');
    const words = isAgentMethod(rpc_method) ? 'agent' : bearsRpc(target, signal) ? 'rpc' : undefined;
    if (words !== undefined) {
      filed.add(words);
      for (const scope of scopesOf(authority)) facts.add(`${words} ${scope}${path}`);
    }
    if (!isAnswered) continue;
    const shape = shapeOf(path);
    for (const scope of scopesOf(authority)) {
      facts.add(`path ${scope}${path}`);
      if (byMethod) facts.add(`${http_method} ${scope}${path}`);
      if (signal.status !== 304) facts.add(`host ${scope}`);
      if (words === 'rpc' || isNamedLikeEndpoint(path)) facts.add(`endpoint ${scope}`);
      if (shape !== path) shapes.add(scope + shape, path);
    }
  }

  /** Authorities are compared only where both sides name one. */
  const agreeing = (authority: string | null) => (authority === null ? ['*'] : filed.has('') ? [authority, ''] : [authority]);
  const isSeen = (what: string, { authority, path }: LineTarget) =>
    path !== null && agreeing(authority).some((scope) => facts.has(`${what} ${scope}${path}`));
  return {
    isPathAnswered: (target) => isSeen('path', target),
    isOperationAnswered: (target) => isSeen(String(target.http_method), target),
    isTemplateAnswered: ({ authority, path }) => {
      const shape = path === null ? null : shapeOf(path);
      if (shape === path) return 'no';
      const known = agreeing(authority).map((scope) => shapes.has(scope + shape));
      return known.find((each) => each === 'yes') ?? known.find((each) => each === 'unknown') ?? 'no';
    },
    isAuthorityAnswering: ({ authority }) => agreeing(authority).some((scope) => facts.has(`host ${scope}`)),
    isEndpointAnswering: ({ authority }) => agreeing(authority).some((scope) => facts.has(`endpoint ${scope}`)),
    isMethodAnswered: (rpcMethod) => facts.has(`method ${rpcMethod}`),
    isRpcSeen: (target) => filed.has('rpc') && isSeen('rpc', target),
    isAgentSeen: (target) => filed.has('agent') && isSeen('agent', target),
  };
}

/** An answer that shows the path to be served: like "answered well", but 202 counts, which is all that some transports ever say. */
function answers({ status, rpc_code, rpc_outcome, tool_error, grpc_status }: Signal): boolean {
  if (rpc_code !== null || rpc_outcome === 'error' || tool_error === 'yes' || (grpc_status ?? 0) !== 0) return false;
  return status === null ? rpc_outcome === 'result' : (status >= 200 && status < 300) || status === 304;
}

function bearsRpc({ rpc_method }: LineTarget, { rpc_code, rpc_outcome }: Signal): boolean {
  return rpc_method !== null || rpc_code !== null || rpc_outcome !== 'unknown';
}

/** What is seen is filed under its authority and, for targets that name none, under any. */
function scopesOf(authority: string | null): string[] {
  return [authority ?? '', '*'];
}

const IDENTIFIER = [
  /^\d+$/,
  /^(?=.*\d)[0-9a-f]{8,}$/i,
  /^(?=.*\d)[0-9a-f]+(?:-[0-9a-f]+)+$/i,
  /^[a-z]{1,16}[-_]\d+$/i,
  /^(?=.*\d.*\d)[\w-]{16,}$/,
  /^[^@]+@[^@]+$/,
];

/** Returns the path with `{}` for each segment (up to an extension or a custom verb) that looks like an identifier. */
export function shapeOf(path: string): string {
  if (!/[\d@]/.test(path)) return path;
  return path
    .split('/')
    .map((segment) => {
      const [head = ''] = /^[^.:]*/.exec(segment) ?? [];
      const name = segment.includes('@') ? segment : head;
      return isIdentifier(name) ? `{}${segment.slice(name.length)}` : segment;
    })
    .join('/');
}

function isIdentifier(segment: string): boolean {
  return segment.length <= 128 && /[\d@]/.test(segment) && IDENTIFIER.some((pattern) => pattern.test(segment));
}

/** A Bloom filter whose bits for one text lie in one block, so that a look costs one trip to memory. */
function openFilter(): { add(text: string): void; has(text: string): boolean } {
  const words = new Uint32Array(BLOCKS * WORDS_IN_BLOCK);
  const bitOf = (b: number, i: number) => (b + Math.imul(i, (b >>> 16) | 1)) & (32 * WORDS_IN_BLOCK - 1);
  return {
    add: (text) => {
      const [a, b] = hash(text);
      const block = (a % BLOCKS) * WORDS_IN_BLOCK;
      for (let i = 0; i < FILTER_HASHES; i++) {
        const bit = bitOf(b, i);
        words[block + (bit >>> 5)]! |= 1 << (bit & 31);
      }
    },
    has: (text) => {
      const [a, b] = hash(text);
      const block = (a % BLOCKS) * WORDS_IN_BLOCK;
      for (let i = 0; i < FILTER_HASHES; i++) {
        const bit = bitOf(b, i);
        if (((words[block + (bit >>> 5)]! >>> (bit & 31)) & 1) === 0) return false;
      }
      return true;
    },
  };
}

/** Counts the different paths of a shape, up to as many as make a template. */
function openShapes(maxShapes: number): { add(shape: string, path: string): void; has(shape: string): Known } {
  const paths = new Map<string, readonly number[]>();
  let limit = 2 ** 32;
  return {
    add: (shape, path) => {
      if (hash(shape)[0] >= limit) return;
      const known = paths.get(shape) ?? [];
      const [id] = hash(path);
      if (known.length >= MIN_SIBLINGS || known.includes(id)) return;
      paths.set(shape, [...known, id]);
      while (paths.size > maxShapes) {
        limit /= 2;
        for (const each of paths.keys()) if (hash(each)[0] >= limit) paths.delete(each);
      }
    },
    has: (shape) => {
      if (hash(shape)[0] >= limit) return 'unknown';
      return (paths.get(shape)?.length ?? 0) >= MIN_SIBLINGS ? 'yes' : 'no';
    },
  };
}

/** Two 32-bit hashes of a text (cyrb53's two lanes). */
function hash(text: string): [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
}
