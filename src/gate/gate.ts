// The refusal gate: a refusal speaks about the contract and ends a request, a failure speaks about the moment and may be retried.
import { RefusalClassificationError, RetryBudgetExhaustedError, UndeclaredInterfaceError } from './errors.ts';

/** Retries that one key gets after its first failure: four attempts in all. */
export const MAX_RETRIES = 3;

/** What an unwelcome answer says, by name. */
export const RefusalKind = {
  /** The interface does not do this: JSON-RPC -32601 or HTTP 405. */
  PROTOCOL_NOT_SUPPORTED: 'protocol_not_supported',
  /** The target is not part of the contract: HTTP 404 outside the discovery document. */
  INTERFACE_NOT_DECLARED: 'interface_not_declared',
  /** Not right now: HTTP 5xx or a timeout. */
  TRANSIENT: 'transient',
  /** Too much right now: HTTP 429, whatever RPC code it carries. */
  THROTTLED: 'throttled',
  /** Anything else. Ambiguity is no permission to retry. */
  AMBIGUOUS: 'ambiguous',
} as const;
export type RefusalKind = (typeof RefusalKind)[keyof typeof RefusalKind];

/** What to do after an unwelcome answer. */
export type Decision = 'ROUTE_ELSEWHERE_OR_ABSTAIN' | 'RETRY_WITH_BACKOFF' | 'ABSTAIN';

/** What an answer that was not a success shows. */
export interface ResponseSignal {
  /** HTTP status; null (or 0) if there is none, as over stdio. For a request that timed out or lost its connection, 504. */
  readonly status: number | null;
  /** JSON-RPC error code; null if the answer carries none. */
  readonly rpcCode: number | null;
  /**
   * For -32601 and 405: the client has read the interface's discovery document.
   * For 404: the discovery document lists the path.
   */
  readonly interfaceDeclared: boolean;
}

export interface GateOptions {
  /** Keys remembered at once, 10,000 unless given; see {@link ProtocolRefusalGate}. */
  maxKeys?: number;
}

/**
 * Decides whether an answer ends an operation or permits a bounded retry.
 *
 * Ask `decide(key, signal)` after every answer that was not a success and call `succeed(key)` after every success; a key names one
 * operation (method, path, RPC method and name). The gate counts the failures of a key until it succeeds, and nothing else resets
 * the count. It remembers the keys that failed most recently, at most `maxKeys` of them; a key forgotten beyond that starts over
 * with a full budget.
 *
 * @example
 * const gate = new ProtocolRefusalGate();
 * for (let attempt = 0; ; attempt++) {
 *   const answer = await send(request);
 *   if (answer.ok) return gate.succeed(key), answer;
 *   const signal = { status: answer.status, rpcCode: answer.rpcCode, interfaceDeclared: card.lists(request.path) };
 *   if (gate.decide(key, signal) !== 'RETRY_WITH_BACKOFF') return answer; // throws once the budget is exhausted
 *   await sleep(fullJitter(attempt));
 * }
 */
export class ProtocolRefusalGate {
  /** Failures since the last success, by key, least recent failure first. */
  readonly #failures = new Map<string, number>();
  readonly #maxKeys: number;

  constructor({ maxKeys = 10_000 }: GateOptions = {}) {
    this.#maxKeys = maxKeys;
  }

  /**
   * Returns what the answer says. 429 and 5xx are tested before the RPC code, since they speak about the moment whatever their body
   * says. Throws a RefusalClassificationError if there is neither a status nor a code, and an UndeclaredInterfaceError if an
   * interface that was not read refuses an operation as unsupported.
   */
  classify({ status, rpcCode, interfaceDeclared }: ResponseSignal): RefusalKind {
    const http = status ?? 0;
    if (http <= 0 && rpcCode === null) throw new RefusalClassificationError();
    if (http === 429) return RefusalKind.THROTTLED;
    if (http === 408 || (http >= 500 && http < 600)) return RefusalKind.TRANSIENT;
    if (rpcCode === -32601 || http === 405) {
      if (!interfaceDeclared) throw new UndeclaredInterfaceError();
      return RefusalKind.PROTOCOL_NOT_SUPPORTED;
    }
    if (http === 404 && !interfaceDeclared) return RefusalKind.INTERFACE_NOT_DECLARED;
    return RefusalKind.AMBIGUOUS;
  }

  /**
   * Returns what to do next, and counts the failure if it permits a retry. Throws what `classify` throws, and a
   * RetryBudgetExhaustedError on every failure of a key after its third since it last succeeded.
   */
  decide(key: string, signal: ResponseSignal): Decision {
    switch (this.classify(signal)) {
      case RefusalKind.PROTOCOL_NOT_SUPPORTED:
      case RefusalKind.INTERFACE_NOT_DECLARED:
        return 'ROUTE_ELSEWHERE_OR_ABSTAIN';
      case RefusalKind.AMBIGUOUS:
        return 'ABSTAIN';
      case RefusalKind.TRANSIENT:
      case RefusalKind.THROTTLED:
        this.#spend(key);
        return 'RETRY_WITH_BACKOFF';
    }
  }

  /** Records that the operation was answered well: its key gets a full budget again. */
  succeed(key: string): void {
    this.#failures.delete(key);
  }

  #spend(key: string): void {
    const spent = this.#failures.get(key) ?? 0;
    this.#failures.delete(key);
    this.#failures.set(key, Math.min(spent + 1, MAX_RETRIES));
    if (spent >= MAX_RETRIES) throw new RetryBudgetExhaustedError(key, MAX_RETRIES);
    if (this.#failures.size > this.#maxKeys) this.#failures.delete(this.#failures.keys().next().value!);
  }
}
