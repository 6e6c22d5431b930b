// What the interface promises: documents that the user names, what the log itself shows, and how a target is judged against both.
import type { LineTarget, Signal, Target } from '../record.ts';

/** A document as given: `--contract FILE`. */
export interface ContractDocument {
  name: string;
  text: string;
}

/** How often one target was answered in one way, counted over the whole input. */
export interface Observation {
  target: LineTarget;
  signal: Signal;
  requests: number;
}

export interface ContractOptions {
  documents: readonly ContractDocument[];
  /** MCP endpoints named by the user: a path, or authority and path (`mcp.example.com/mcp`). */
  endpoints: readonly string[];
  /** Whether a log without documents is a source of the contract (off with `--contract none`). */
  infer: boolean;
}

export interface Contract {
  readonly source: 'documents' | 'inferred' | 'none';
  /** Names of the documents, with what each was recognised as: `agent-card.json (A2A agent card 1.0)`. */
  readonly documents: readonly string[];
  /** Returns what the contract and the protocols say of a target. */
  describe(target: LineTarget): Target;
}
