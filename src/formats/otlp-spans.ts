// Which spans of one export are requests: the client's and the server's side of an exchange are one, HTTP and MCP layers of a side
// are one, and what a server asks of others are tries of its own request.
import type { AccessRecord } from '../record.ts';
import { joinHalves } from './pair.ts';
import { blankRecord } from './request.ts';

export interface Span {
  id: string;
  /** Empty for the root of a trace. */
  parent: string;
  side: 'client' | 'server';
  /** How often the same request had been sent before. */
  resends: number;
  isHttp: boolean;
  isRpc: boolean;
  record: AccessRecord;
}

/** Spans about one request, from the outermost on, and what was asked of other servers on its behalf. */
interface Exchange {
  side: Span['side'];
  spans: Span[];
  legs: Set<Span>;
}

const MAX_ANCESTORS = 64;
/** The other side of an exchange has a span or two. */
const MAX_OTHERS = 8;

/** Returns the requests that spans tell of, in the order of the exchanges' first spans. */
export function requestsOf(spans: readonly Span[]): AccessRecord[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const exchanges = new Map<Span, Exchange>();
  const place = (span: Span): Exchange => {
    const known = exchanges.get(span);
    if (known !== undefined) return known;
    const above = ancestorOf(span, byId);
    const exchange: Exchange = above === null ? { side: span.side, spans: [], legs: new Set() } : place(above);
    const isLeg = above !== null && (exchange.legs.has(above) || (above.side === 'server' && span.side === 'client'));
    if (isLeg) exchange.legs.add(span);
    else exchange.spans.push(span);
    exchanges.set(span, exchange);
    return exchange;
  };
  const telling = spans.filter(({ isHttp, isRpc }) => isHttp || isRpc);
  return [...new Set(telling.map(place))].flatMap(recordsOf);
}

/** Returns the nearest span above that tells of a request, if it is in this export too. */
function ancestorOf(span: Span, byId: ReadonlyMap<string, Span>): Span | null {
  let above = byId.get(span.parent);
  for (let steps = 0; above !== undefined && steps < MAX_ANCESTORS; steps++) {
    if (above === span) return null;
    if (above.isHttp || above.isRpc) return isBelow(above, span, byId) ? null : above;
    above = byId.get(above.parent);
  }
  return null;
}

/** Whether a span is its own ancestor's ancestor: ids are what anybody writes. */
function isBelow(span: Span, other: Span, byId: ReadonlyMap<string, Span>): boolean {
  let above = byId.get(span.parent);
  for (let steps = 0; above !== undefined; steps++) {
    if (above === other || steps === MAX_ANCESTORS) return true;
    above = byId.get(above.parent);
  }
  return false;
}

/**
 * One record for each message of an HTTP request, or for each HTTP request of a message that was sent again; the outcome of a
 * message is that of its last.
 */
function recordsOf({ side, spans, legs }: Exchange): AccessRecord[] {
  const own = (is: 'isHttp' | 'isRpc'): Span[] => {
    const all = spans.filter((span) => span[is]);
    const ofSide = all.filter((span) => span.side === side);
    return ofSide.length > 0 ? ofSide : all;
  };
  const https = own('isHttp');
  const calls = own('isRpc');
  const attempts = attemptsOf([...legs]);
  const used = new Set([...https, ...calls]);
  const others = spans.filter((span) => !used.has(span)).slice(0, MAX_OTHERS);
  const finish = (...parts: (Span | undefined)[]): AccessRecord => {
    const told = [...parts, ...others].filter((span) => span !== undefined).map(({ record }) => record);
    return { ...told.reduce(fillIn), attempts };
  };
  const sent = side === 'client' && calls.length < 2 ? https : https.slice(0, 1);
  if (sent.length < 2) return calls.length === 0 ? sent.map((http) => finish(http)) : calls.map((call) => finish(...sent, call));
  return sent.map((http, index) => finish(http, index === sent.length - 1 ? calls[0] : askedOf(calls[0])));
}

/** Returns a record in which what it does not show is taken from another about the same request. */
function fillIn(record: AccessRecord, other: AccessRecord): AccessRecord {
  return { ...joinHalves(record, other), signal: joinHalves(other, record).signal };
}

/** The call of a try that was not the last: what was asked is known, how it ended is not. */
function askedOf(call: Span | undefined): Span | undefined {
  if (call === undefined) return undefined;
  const { user_agent, session, rpc_method, rpc_name, arguments_hash } = call.record;
  return { ...call, record: { ...blankRecord(), user_agent, session, rpc_method, rpc_name, arguments_hash } };
}

/** Resends count from the first repeat; a span for each of them may be missing. */
function attemptsOf(legs: readonly Span[]): number | null {
  const https = legs.filter(({ isHttp, side }) => isHttp && side === 'client');
  if (https.length === 0) return null;
  return Math.max(https.length, ...https.map(({ resends }) => resends + 1));
}
