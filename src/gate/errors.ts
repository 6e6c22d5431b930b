// What the gate throws: each error says which decision it stands for, so that a caller who catches one knows the next step.

/** The signal carries neither a status nor an RPC code, so it says nothing that could be classified. */
export class RefusalClassificationError extends Error {
  override readonly name = 'RefusalClassificationError';
  /** A signal that says nothing permits nothing. */
  readonly decision = 'ABSTAIN';

  constructor() {
    super('signal carries neither a status nor an rpc code');
  }
}

/** An interface that the client has not read refused an operation as unsupported (-32601 or 405). */
export class UndeclaredInterfaceError extends Error {
  override readonly name = 'UndeclaredInterfaceError';
  /** Read the discovery document; only then does the refusal mean something. */
  readonly decision = 'FETCH_DISCOVERY';

  constructor() {
    super('refusal from an interface whose discovery document was not read');
  }
}

/** A key failed once more after all its retries. */
export class RetryBudgetExhaustedError extends Error {
  override readonly name = 'RetryBudgetExhaustedError';
  /** Give up on this operation until it succeeds by other means. */
  readonly decision = 'ABSTAIN';
  readonly key: string;

  constructor(key: string, retries: number) {
    super(`retry budget exhausted after ${retries} retries: ${JSON.stringify(key)}`);
    this.key = key;
  }
}
