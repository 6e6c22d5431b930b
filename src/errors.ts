// Errors that end a run. Each has a code, and prints as a sentence that says what to do; anything else is a bug and shows its stack.

export interface ErrorDetail {
  reason?: string | undefined;
  at?: string | undefined;
  help?: string | undefined;
}

/** The user must change something: `message` says what, the details why, where and how. */
export class StormgateError extends Error {
  readonly code: string;
  readonly detail: ErrorDetail;

  constructor(code: string, message: string, detail: ErrorDetail = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.detail = detail;
  }
}

/** A flag, a name or a value that makes no sense. */
export class UsageError extends StormgateError {
  constructor(message: string, detail?: ErrorDetail) {
    super('usage', message, detail);
  }
}

/** A file that cannot be read, or that is not what it should be. */
export class InputError extends StormgateError {
  constructor(message: string, detail?: ErrorDetail, options?: ErrorOptions) {
    super('input', message, detail, options);
  }
}

/** A query that the engine refused. */
export class QueryError extends StormgateError {
  readonly sql: string;
  constructor(name: string, sql: string, cause: unknown, detail: ErrorDetail = {}) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super('query', `query ${name} failed`, { reason, ...detail }, { cause });
    this.sql = sql;
  }
}
