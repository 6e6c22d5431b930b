// Discovery documents as people have them, small.

export const AGENT_CARD_10 = {
  name: 'Federation gateway',
  version: '3.2.0',
  supportedInterfaces: [
    { url: 'https://gateway.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://gateway.example.com/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'acme' },
    { url: 'grpc.example.com:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: false },
  skills: [],
};
export const AGENT_CARD_03 = {
  name: 'Recipes',
  protocolVersion: '0.3.0',
  url: 'https://agents.example.com/recipes',
  additionalInterfaces: [{ url: 'https://agents.example.com', transport: 'HTTP+JSON' }],
  capabilities: {},
  skills: [],
};
export const AGENT_CARD_02 = {
  name: 'Old',
  url: 'http://agents.example.com:80/',
  version: '1',
  capabilities: {},
  skills: [{ id: 'a' }],
};
export const SERVER_CARD = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.example/federation',
  version: '3.2.0',
  remotes: [
    { type: 'streamable-http', url: 'https://Gateway.example.com:443/mcp' },
    { type: 'sse', url: 'https://{region}.example.com/{tenant}/sse', variables: { tenant: { default: 'main' } } },
  ],
};
export const INITIALIZE_RESULT = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'server', version: '1' },
};
export const DISCOVER_RESULT = { supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: {} }, ttlMs: 60_000 };
export const TOOLS_LIST = { tools: [{ name: 'get_page', inputSchema: {} }, { name: 'search' }], nextCursor: 'x' };

export const OPENAPI_YAML = `
openapi: 3.1.0
info: { title: Things, version: "1" }
servers:
  - url: https://api.example.com/v2/
  - url: /internal
paths:
  /things:
    get: {}
    post: {}
  /things/{id}:
    parameters: []
    get: {}
    delete: {}
  /things/{id}/copies/{copy}.{format}:
    get: {}
  /things/latest:
    put: {}
  /elsewhere:
    servers: [{ url: "https://other.example.com/{base}", variables: { base: { default: e } } }]
    get: {}
  /referred:
    $ref: other.yaml#/x
  /empty: {}
`;
export const SWAGGER_2 = {
  swagger: '2.0',
  host: 'API.example.com',
  basePath: '/v1',
  paths: { '/orders/{id}': { get: {}, patch: {} } },
};
