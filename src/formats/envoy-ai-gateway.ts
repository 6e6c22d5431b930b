// Envoy AI Gateway: Envoy's JSON with MCP fields, a line for the client's leg and one for the leg to the server behind.
import { isAiGateway, readEnvoyObject } from './envoy.ts';
import type { Format, Parsed } from './format.ts';
import { sessionOf } from './identity.ts';
import { objectParser, textOf } from './json-text.ts';
import { readRpcMethod, readRpcName } from './request.ts';
import { withSignal } from './signal.ts';

/** Clusters of the servers behind, named after their backend and route. */
const BACKEND = /(?:^|\/)ai-eg-mcp-br-/;

function read(object: Record<string, unknown>): Parsed {
  const parsed = readEnvoyObject(object);
  if (typeof parsed !== 'object' || !('records' in parsed)) return parsed;
  const text = (key: string): string => textOf(object[key]);
  for (const record of parsed.records) {
    readRpcMethod(record, text('mcp.method.name'));
    readRpcName(record, text('mcp.tool.name') || text('mcp.prompt.name') || text('mcp.resource.uri'));
    const session = sessionOf(text('mcp.session.id')) ?? sessionOf(text('session.id'));
    if (session !== null) record.signal = withSignal(record.signal, 'has_session', 'yes');
    record.session ??= session;
    // Both legs bear the JSON-RPC id, but each a request id of its own; a tool is named after its server on the client's leg only.
    const isUpstream = BACKEND.test(text('upstream_cluster'));
    const name = isUpstream && record.rpc_name !== null ? `${text('mcp.provider.name')}__${record.rpc_name}` : record.rpc_name;
    record.request_key = [text('jsonrpc.request.id'), record.rpc_method, name].join(' ');
    if (isUpstream) record.is_upstream = true;
  }
  return parsed;
}

export const envoyAiGateway: Format = {
  name: 'envoy-ai-gateway',
  title: 'Envoy AI Gateway, MCP access log',
  spec: 'https://aigateway.envoyproxy.io/docs/capabilities/observability/accesslogs',
  time: 'start',
  parse: objectParser('"response_code"', isAiGateway, read),
  samples: [
    {
      line: '{"start_time":"2026-11-16T04:00:00.210Z","method":"POST","x-envoy-origin-path":"/mcp","response_code":200,"response_flags":"-","duration":88,"bytes_received":171,"bytes_sent":640,"user-agent":"claude-code/2.0.1","x-request-id":"c0ffee00-0000-4000-8000-000000000001","downstream_remote_address":"198.51.100.71:44100","upstream_cluster":"ai-eg-mcp-mcpproxy","mcp.method.name":"tools/call","mcp.tool.name":"github__list_issues","jsonrpc.request.id":"7","mcp.session.id":"sess-01","mcp.provider.name":null}',
      expect: {
        ts: 1_794_801_600_210_000,
        duration_us: 88_000,
        address: '198.51.100.71',
        user_agent: 'claude-code/2.0.1',
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'github__list_issues',
        correlation: 'c0ffee00-0000-4000-8000-000000000001',
        signal: { status: 200, has_session: 'yes', rpc_code: null },
      },
    },
    {
      line: '{"start_time":"2026-11-16T04:00:00.215Z","method":"POST","x-envoy-origin-path":"/mcp","response_code":503,"response_flags":"UF,URX","duration":80,"bytes_received":171,"bytes_sent":640,"user-agent":"Go-http-client/1.1","x-request-id":"c0ffee00-0000-4000-8000-000000000002","downstream_remote_address":"127.0.0.1:58124","upstream_cluster":"httproute/default/ai-eg-mcp-br-github/rule/0","mcp.method.name":"tools/call","mcp.tool.name":"list_issues","jsonrpc.request.id":"7","mcp.session.id":null,"mcp.provider.name":"github"}',
      expect: { rpc_name: 'list_issues', session: null, signal: { status: 503, marker: 'envoy_uf', has_session: 'unknown' } },
    },
    {
      line: '{"start_time":"soon","response_code":200,"response_flags":"-","mcp.method.name":"tools/call"}',
      expect: { reject: 'bad_time' },
    },
    {
      line: '{"start_time":"2026-11-16T04:00:00.215Z","response_code":200,"mcp.method.name":"tools/ca',
      expect: { reject: 'truncated' },
    },
  ],
};
