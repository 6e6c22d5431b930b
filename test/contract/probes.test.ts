import { describe, expect, test } from 'vitest';
import { openContract } from '../../src/contract/open.ts';
import { isScannerPath } from '../../src/contract/probes.ts';
import type { Target } from '../../src/record.ts';

const { describe: judge } = await openContract({ documents: [], endpoints: ['/mcp'], infer: true }, []);
const at = (http_method: string | null, path: string | null, rpc_method: string | null = null) =>
  judge({ authority: 'h.example.com', http_method, path, rpc_method, rpc_name: null });

describe('places and calls that clients are free to try', () => {
  test.each<[string, string, Target['probe_role'], number, Target['gives'], Target['protocol']]>([
    ['GET', '/mcp', 'stream', 2, 'none', 'mcp'],
    ['DELETE', '/mcp', 'close', 3, 'none', 'mcp'],
    ['POST', '/mcp', 'none', 0, 'none', 'mcp'],
    ['GET', '/sse', 'stream', 2, 'none', 'mcp'],
    ['GET', '/.well-known/oauth-protected-resource/mcp', 'resource_metadata', 1, 'none', 'oauth'],
    ['GET', '/.well-known/oauth-protected-resource', 'resource_metadata', 2, 'none', 'oauth'],
    ['GET', '/.well-known/oauth-authorization-server/t', 'server_metadata', 0, 'none', 'oauth'],
    ['GET', '/.well-known/openid-configuration/t', 'server_metadata', 1, 'none', 'oauth'],
    ['GET', '/t/.well-known/openid-configuration', 'server_metadata', 2, 'none', 'oauth'],
    ['GET', '/.well-known/oauth-authorization-server', 'server_metadata', 3, 'none', 'oauth'],
    ['GET', '/.well-known/openid-configuration', 'server_metadata', 4, 'none', 'oauth'],
    ['GET', '/authorize', 'oauth_default', 0, 'none', 'oauth'],
    ['POST', '/token', 'oauth_default', 1, 'token', 'oauth'],
    ['POST', '/oauth2/token', 'none', 0, 'token', 'http'],
    ['POST', '/register', 'register', 0, 'none', 'oauth'],
    ['GET', '/.well-known/agent-card.json', 'card', 0, 'document_read', 'a2a'],
    ['GET', '/agents/one/.well-known/agent-card.json', 'card', 0, 'document_read', 'a2a'],
    ['GET', '/.well-known/agent.json', 'card', 1, 'document_read', 'a2a'],
    ['GET', '/agent/authenticatedExtendedCard', 'card', 2, 'document_read', 'a2a'],
    ['GET', '/v1/card', 'card', 3, 'document_read', 'a2a'],
    ['GET', '/extendedAgentCard', 'card', 4, 'document_read', 'a2a'],
    ['GET', '/.well-known/ai-catalog.json', 'server_card', 0, 'document_read', 'mcp'],
    ['GET', '/mcp/server-card', 'server_card', 1, 'document_read', 'mcp'],
    ['GET', '/.well-known/mcp/server-card.json', 'server_card', 2, 'document_read', 'mcp'],
    ['GET', '/.well-known/mcp/server-card', 'server_card', 3, 'document_read', 'mcp'],
    ['GET', '/.well-known/mcp-server-card/x', 'server_card', 4, 'document_read', 'mcp'],
    ['GET', '/.well-known/mcp/catalog.json', 'server_card', 5, 'document_read', 'mcp'],
    ['GET', '/.well-known/mcp.json', 'server_card', 6, 'document_read', 'mcp'],
    ['GET', '/openapi.json', 'openapi', 0, 'document_read', 'http'],
    ['GET', '/docs', 'openapi', 2, 'document_read', 'http'],
    ['GET', '/v3/api-docs', 'openapi', 4, 'document_read', 'http'],
    ['GET', '/swagger/v1/swagger.json', 'openapi', 6, 'document_read', 'http'],
    ['GET', '/.well-known/api-catalog', 'openapi', 8, 'document_read', 'http'],
    ['GET', '/favicon.ico', 'noise', 0, 'none', 'http'],
    ['GET', '/apple-touch-icon-120x120-precomposed.png', 'noise', 0, 'none', 'http'],
    ['GET', '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200', 'noise', 0, 'none', 'http'],
    ['GET', '/.well-known/appspecific/com.chrome.devtools.json', 'noise', 0, 'none', 'http'],
    ['GET', '/.well-known/acme-challenge/abc', 'noise', 0, 'none', 'http'],
    ['OPTIONS', '/mcp', 'noise', 0, 'none', 'mcp'],
    ['HEAD', '/healthz', 'health', 0, 'none', 'http'],
    ['GET', '/things/status', 'none', 0, 'none', 'http'],
    ['GET', '/v1/tasks/7f', 'poll', 0, 'none', 'http'],
    ['POST', '/favicon.ico', 'none', 0, 'none', 'http'],
  ])('%s %s is %s, step %i, gives %s', (method, path, probe_role, probe_step, gives, protocol) => {
    expect(at(method, path)).toMatchObject({ probe_role, probe_step, gives, protocol });
  });

  test.each<[string, Target['probe_role'], number, Target['gives'], Target['protocol']]>([
    ['server/discover', 'discover', 0, 'rpc_read', 'mcp'],
    ['initialize', 'initialize', 1, 'handshake', 'mcp'],
    ['tools/list', 'none', 0, 'rpc_read', 'mcp'],
    ['tools/call', 'none', 0, 'none', 'mcp'],
    ['tasks/get', 'poll', 0, 'none', 'mcp'],
    ['GetTask', 'poll', 0, 'none', 'a2a'],
    ['message/send', 'none', 0, 'none', 'a2a'],
    ['agent/getAuthenticatedExtendedCard', 'card', 2, 'document_read', 'a2a'],
    ['constructor', 'none', 0, 'none', 'mcp'],
  ])('%s is %s, step %i, gives %s', (rpcMethod, probe_role, probe_step, gives, protocol) => {
    expect(at('POST', '/rpc-here', rpcMethod)).toMatchObject({ probe_role, probe_step, gives, protocol });
  });

  test('calls over stdio belong to one endpoint', () => {
    expect(judge({ authority: null, http_method: null, path: null, rpc_method: 'tools/list', rpc_name: null })).toMatchObject({
      protocol: 'mcp',
      endpoint: 'stdio',
      declared: 'unknown',
    });
  });
});

test.each([
  ['/wp-login.php', true],
  ['/.env', true],
  ['/app/.git/config', true],
  ['/actuator/env', true],
  ['/actuator/health', false],
  ['/phpmyadmin/index.php', true],
  ['/mcp/mcp', false],
  ['/api/v1/users', false],
  ['/.well-known/agent.json', false],
  ['/environment', false],
  ['/static/..%2e%2e/etc', true],
])('%s is a scanner’s path: %s', (path, scans) => {
  expect(isScannerPath(path)).toBe(scans);
});
