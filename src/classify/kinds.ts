// What follows from a kind alone; a rule states only where it departs from this.
import type { Kind, Signal, Verdict } from '../record.ts';

/** What a verdict says besides its kind and the rule's name. */
export type Consequences = Pick<Verdict, 'advice' | 'confidence' | 'memory_family' | 'lifted_by' | 'need'>;

const NOT_REMEMBERED = { confidence: 'certain', memory_family: 'none', lifted_by: 'none', need: 1 } as const;
const AUTHORITATIVE = {
  advice: 'ROUTE_ELSEWHERE_OR_ABSTAIN',
  confidence: 'certain',
  memory_family: 'authoritative',
  lifted_by: 'document_read',
  need: 1,
} as const;

/** Consequences of each kind unless its rule says otherwise (design: kinds, memory and lifting). */
export const KIND_CONSEQUENCES: Readonly<Record<Kind, Consequences>> = {
  ok: { advice: 'PROCEED', ...NOT_REMEMBERED },
  protocol_not_supported: AUTHORITATIVE,
  interface_not_declared: AUTHORITATIVE,
  policy_refused: { ...AUTHORITATIVE, advice: 'ABSTAIN', lifted_by: 'none' },
  semantic: { advice: 'ABSTAIN', confidence: 'certain', memory_family: 'semantic', lifted_by: 'none', need: 1 },
  corrective: { advice: 'FOLLOW_UP', confidence: 'certain', memory_family: 'corrective', lifted_by: 'none', need: 2 },
  auth: { advice: 'AUTHENTICATE', confidence: 'certain', memory_family: 'auth', lifted_by: 'token', need: 2 },
  throttled: { advice: 'RETRY_WITH_BACKOFF', ...NOT_REMEMBERED },
  transient: { advice: 'RETRY_WITH_BACKOFF', ...NOT_REMEMBERED },
  client_gone: { advice: 'ABSTAIN', ...NOT_REMEMBERED },
  ambiguous: { advice: 'ABSTAIN', confidence: 'certain', memory_family: 'ambiguous', lifted_by: 'none', need: 1 },
  noise: { advice: 'ABSTAIN', ...NOT_REMEMBERED },
};

/**
 * Returns whether an answer of this kind was a good one: `ok` with 2xx (but not 202, which only says that an answer may follow) or
 * 304, or, where no status exists as over stdio, with a result.
 */
export function answeredWell(kind: Kind, { status, rpc_outcome }: Signal): boolean {
  if (kind !== 'ok') return false;
  if (status === null) return rpc_outcome === 'result';
  return (status >= 200 && status < 300 && status !== 202) || status === 304;
}
