// The refusal gate as a library (`stormgate/gate`): no dependencies, nothing of ours imported.
export { RefusalClassificationError, RetryBudgetExhaustedError, UndeclaredInterfaceError } from './errors.ts';
export { fullJitter, type FullJitterOptions } from './full-jitter.ts';
export { MAX_RETRIES, ProtocolRefusalGate, RefusalKind, type Decision, type GateOptions, type ResponseSignal } from './gate.ts';
