// The first essay's gate, ported line by line from its Python: an oracle, not to be improved.

export interface SeedSignal {
  status: number;
  rpc_code: number | null;
  interface_declared: boolean;
}

export class SeedGate {
  retries = new Map<string, number>();

  classify(signal: SeedSignal): string {
    if (signal.status <= 0 && signal.rpc_code === null) throw new Error('RefusalClassificationError');
    if (signal.rpc_code === -32601 || signal.status === 405) {
      if (!signal.interface_declared) throw new Error('UndeclaredInterfaceError');
      return 'protocol_not_supported';
    }
    if (signal.status === 404 && !signal.interface_declared) return 'interface_not_declared';
    if (signal.status === 429) return 'throttled';
    if (500 <= signal.status && signal.status < 600) return 'transient';
    return 'ambiguous';
  }

  decide(key: string, signal: SeedSignal): string {
    const kind = this.classify(signal);
    if (kind === 'protocol_not_supported' || kind === 'interface_not_declared') {
      this.retries.delete(key);
      return 'ROUTE_ELSEWHERE_OR_ABSTAIN';
    }
    if (kind === 'ambiguous') {
      this.retries.delete(key);
      return 'ABSTAIN';
    }
    const n = (this.retries.get(key) ?? 0) + 1;
    if (n > 3) throw new Error('RetryBudgetExhaustedError');
    this.retries.set(key, n);
    return 'RETRY_WITH_BACKOFF';
  }
}

/** Returns what a call gave: its value, or the name of the error it threw. */
export function outcome(call: () => string): string {
  try {
    return call();
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'Error' ? message : name;
  }
}
