// Short ways to write targets and signals in tables of cases.
import { UNKNOWN_SIGNAL, type Signal, type Target } from '../../src/record.ts';

const PLAIN: Target = {
  authority: 'api.example.com',
  http_method: 'GET',
  path: '/things',
  rpc_method: null,
  rpc_name: null,
  protocol: 'http',
  declared: 'unknown',
  declared_by: 'none',
  is_template: false,
  is_tool_declared: false,
  endpoint: null,
  probe_role: 'none',
  probe_step: 0,
  gives: 'none',
  is_protocol_shaped: false,
  is_scanner: false,
};

const declared = { declared: 'declared', declared_by: 'document' } as const;

/** Targets by a word, to be spread and changed. */
export const TARGETS = {
  plain: PLAIN,
  template: { ...PLAIN, path: '/things/7', is_template: true, ...declared },
  declared: { ...PLAIN, ...declared },
  undeclared: { ...PLAIN, declared: 'undeclared', declared_by: 'document' },
  unanswered: { ...PLAIN, declared: 'undeclared', declared_by: 'inferred' },
  mcp: { ...PLAIN, http_method: 'POST', path: '/mcp', protocol: 'mcp', endpoint: 'api.example.com /mcp', ...declared },
  guess: {
    ...PLAIN,
    http_method: 'POST',
    path: '/mcp/mcp',
    protocol: 'mcp',
    endpoint: 'api.example.com /mcp/mcp',
    declared: 'undeclared',
    declared_by: 'document',
  },
  a2a: { ...PLAIN, http_method: 'POST', path: '/a2a', protocol: 'a2a', ...declared },
  card: { ...PLAIN, path: '/.well-known/agent-card.json', protocol: 'a2a', probe_role: 'card', gives: 'document_read' },
  resource_metadata: {
    ...PLAIN,
    path: '/.well-known/oauth-protected-resource',
    protocol: 'oauth',
    probe_role: 'resource_metadata',
  },
  registration: { ...PLAIN, http_method: 'POST', path: '/register', protocol: 'oauth', probe_role: 'register' },
} as const satisfies Record<string, Target>;
export type TargetWord = keyof typeof TARGETS;

/** Returns a signal of which only the named facts are known. */
export const signal = (facts: Partial<Signal>): Signal => ({ ...UNKNOWN_SIGNAL, ...facts });
