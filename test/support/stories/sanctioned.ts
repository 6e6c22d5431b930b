// What the specifications let clients try, sequence by sequence (P1 to P16): refusals are expected, and nobody is to be blamed.
import { HOUR, MINUTE, SECOND } from './exchange.ts';
import { byAgentgateway, byCaddy, byNginx, client, combined, goesOn, inTranscript, times, type Stories } from './story.ts';

const INITIALIZED = 'POST /mcp 202 notifications/initialized';
const RESOURCE_METADATA = 'GET /.well-known/oauth-protected-resource';
const SERVER_METADATA = 'GET /.well-known/oauth-authorization-server';
const OPENID = 'GET /.well-known/openid-configuration';
const session = (id: string) => ({ session: `${id}==` });
const challenge = (value: string) => ({ answers: { 'Www-Authenticate': value } });

export const SANCTIONED_STORIES: Stories = {
  'p01-older-transport': () => ({
    about:
      'P1: a refused handshake is followed by one GET of the same address, which may be the older transport: it is, or it is refused too and the client stops',
    logs: {
      'agentgateway.log': byAgentgateway(
        client('198.51.100.61', 0, SECOND, 'POST /mcp 405 initialize', ['GET /mcp 200', { duration: 40 * SECOND }]),
        client(
          '198.51.100.62',
          MINUTE,
          SECOND,
          ['POST /mcp 404 initialize', { host: 'old.example.com' }],
          ['GET /mcp 405', { host: 'old.example.com' }],
        ),
        client('198.51.100.63', 2 * MINUTE, SECOND, 'POST /sse 405 initialize', ['GET /sse 200', { duration: 40 * SECOND }]),
      ),
    },
  }),

  'p02-older-era': () => ({
    about:
      'P2: server/discover is refused, with whatever code, and initialize on the same address is answered: how two SDKs connect; a client of the new era only stops',
    logs: {
      'agentgateway.log': byAgentgateway(
        client(
          '198.51.100.64',
          0,
          SECOND,
          'POST /mcp 200 server/discover -32601',
          'POST /mcp 200 initialize',
          INITIALIZED,
          'POST /mcp 200 tools/list',
        ),
        client(
          '198.51.100.65',
          MINUTE,
          SECOND,
          ['POST /mcp 400 server/discover', { error: { code: -32000, message: 'Bad Request: Server not initialized' } }],
          'POST /mcp 200 initialize',
          INITIALIZED,
        ),
        client(
          '198.51.100.66',
          2 * MINUTE,
          SECOND,
          'POST /mcp 200 server/discover -32602',
          'POST /mcp 200 initialize',
          INITIALIZED,
        ),
        client('198.51.100.67', 3 * MINUTE, SECOND, 'POST /mcp 404 server/discover -32601'),
      ),
    },
  }),

  'p03-version-correction': () => ({
    about:
      'P3: a version that is not spoken is refused once, the same request with another one is answered; where none fits, one try more and no other',
    logs: {
      'agentgateway.log': byAgentgateway(
        client(
          '198.51.100.68',
          0,
          SECOND,
          ['POST /mcp 400 tools/list -32022', { version: '2026-07-28' }],
          ['POST /mcp 200 tools/list', { version: '2025-11-25' }],
          ['POST /mcp 200 tools/call query', { version: '2025-11-25' }],
        ),
        client(
          '198.51.100.69',
          MINUTE,
          SECOND,
          ['POST /mcp 400 server/discover -32022', { version: '2026-07-28' }],
          ['POST /mcp 400 server/discover -32022', { version: '2025-11-25' }],
        ),
      ),
    },
  }),

  'p04-optional-channels': () => ({
    about:
      'P4: after the handshake one GET for a stream, at the end one DELETE of the session, both refused with 405: the expected price of asking',
    logs: {
      'caddy.log': byCaddy(
        ...['70', '71', '72'].map((end, index) =>
          client(
            `198.51.100.${end} node`,
            index * MINUTE,
            SECOND,
            'POST /mcp 200',
            ['POST /mcp 202', session(end)],
            ['GET /mcp 405', { ...session(end), answers: index === 0 ? {} : { Allow: 'POST' } }],
            ...times(3, ['POST /mcp 200', session(end)]),
            ['DELETE /mcp 405', session(end)],
          ),
        ),
      ),
    },
  }),

  'p05-session-recovery': () => ({
    about:
      'P5: a dead session is answered with 404, or by some servers with 400 and its name in the text; a handshake without it, and the call again',
    logs: {
      'gateway.json.log': byNginx(
        client(
          '198.51.100.73 node',
          0,
          SECOND,
          'POST /mcp 200',
          ['POST /mcp 202', session('one')],
          ...times(2, ['POST /mcp 200', session('one')]),
          ['POST /mcp 404', session('one')],
          'POST /mcp 200',
          ['POST /mcp 202', session('two')],
          ['POST /mcp 200', session('two')],
        ),
      ),
      'agentgateway.log': byAgentgateway(
        client(
          '198.51.100.74',
          MINUTE,
          SECOND,
          ['POST /mcp 200 initialize', { host: 'tools.example.com' }],
          ['POST /mcp 200 tools/call query', { ...session('three'), host: 'tools.example.com' }],
          [
            'POST /mcp 400 tools/call query',
            {
              ...session('three'),
              host: 'tools.example.com',
              error: { code: -32000, message: 'Bad Request: No valid session ID provided' },
            },
          ],
          ['POST /mcp 200 initialize', { host: 'tools.example.com' }],
          ['POST /mcp 200 tools/call query', { ...session('four'), host: 'tools.example.com' }],
        ),
      ),
    },
  }),

  'p06-resource-metadata': () => ({
    about:
      'P6: after a 401 the metadata of the resource are sought where the challenge says, else under the path and then at the root; one SDK goes on after a 502 as well',
    logs: {
      'caddy.log': byCaddy(
        client(
          '198.51.100.75 node',
          0,
          SECOND,
          [
            'POST /mcp 401',
            challenge('Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"'),
          ],
          `${RESOURCE_METADATA}/mcp 200`,
          `${SERVER_METADATA} 200`,
          'POST /token 200',
          'POST /mcp 200',
        ),
        client(
          '198.51.100.76 node',
          MINUTE,
          SECOND,
          ['POST /v2/mcp 401', challenge('Bearer realm="mcp"')],
          `${RESOURCE_METADATA}/v2/mcp 404`,
          `${RESOURCE_METADATA} 404`,
          `${SERVER_METADATA} 200`,
          'POST /register 201',
          'POST /token 200',
          'POST /v2/mcp 200',
        ),
        client(
          '198.51.100.77 python-httpx/0.28.1',
          2 * MINUTE,
          SECOND,
          'POST /v3/mcp 401',
          `${RESOURCE_METADATA}/v3/mcp 502`,
          `${RESOURCE_METADATA} 404`,
          `${SERVER_METADATA} 200`,
          'POST /token 200',
          'POST /v3/mcp 200',
        ),
      ),
    },
  }),

  'p07-server-metadata': () => ({
    about:
      'P7: the metadata of an authorization server at three places where the issuer has a path, at two where it has none; five misses in order are discovery, not guessing',
    logs: {
      'access.log': combined(
        client(
          '198.51.100.78 node',
          0,
          SECOND,
          `${SERVER_METADATA}/tenant 404`,
          `${OPENID}/tenant 404`,
          'GET /tenant/.well-known/openid-configuration 200',
        ),
        client('198.51.100.79 node', MINUTE, SECOND, `${SERVER_METADATA} 404`, `${OPENID} 200`),
        client(
          '198.51.100.80 python-httpx/0.28.1',
          2 * MINUTE,
          SECOND,
          `${SERVER_METADATA}/other 404`,
          `${OPENID}/other 404`,
          'GET /other/.well-known/openid-configuration 404',
          `${SERVER_METADATA} 200`,
        ),
      ),
    },
  }),

  'p08-default-endpoints': () => ({
    about:
      'P8: without any metadata the endpoints of 2025-03-26 at the root are tried; one server has them, the other does not, and that ends it',
    logs: {
      'gateway.json.log': byNginx(
        client(
          '198.51.100.81 node',
          0,
          SECOND,
          'POST /mcp 401',
          `${SERVER_METADATA} 404`,
          'POST /register 201',
          ['GET /authorize 302', { bytes: 0 }],
          'POST /token 200',
          'POST /mcp 200',
        ),
        client(
          '198.51.100.82 node',
          MINUTE,
          SECOND,
          ...[
            'POST /mcp 401',
            `${RESOURCE_METADATA}/mcp 404`,
            `${RESOURCE_METADATA} 404`,
            `${SERVER_METADATA} 404`,
            `${OPENID} 404`,
            'POST /register 404',
            'GET /authorize 404',
            'POST /token 404',
          ].map((line) => [line, { host: 'bare.example.com' }] as const),
        ),
      ),
    },
  }),

  'p09-client-registration': () => ({
    about: 'P9: a registration that is refused may be adjusted and sent once more, with or without success',
    logs: {
      'access.log': combined(
        client('198.51.100.83 node', 0, SECOND, 'POST /register 400', 'POST /register 201', 'POST /token 200'),
        client('198.51.100.84 node', MINUTE, SECOND, 'POST /register 400', 'POST /register 400'),
      ),
    },
  }),

  'p10-agent-card': () => ({
    about:
      'P10: the card of an agent under its newer or its older name, below a base path too, and an extended one that is refused',
    logs: {
      'gateway.json.log': byNginx(
        client(
          '198.51.100.85 a2a-python/1.0.1',
          0,
          SECOND,
          'GET /.well-known/agent-card.json 404',
          'GET /.well-known/agent.json 200',
          'POST /a2a 200',
        ),
        client(
          '198.51.100.86 a2a-js/0.3.4',
          MINUTE,
          SECOND,
          'GET /.well-known/agent.json 200',
          'GET /agent/authenticatedExtendedCard 401',
          'POST /a2a 200',
        ),
        client(
          '198.51.100.87 a2a-python/1.0.1',
          2 * MINUTE,
          SECOND,
          'GET /agents/catalog/.well-known/agent-card.json 404',
          'GET /agents/catalog/.well-known/agent.json 404',
          'GET /agents/catalog/extendedAgentCard 404',
        ),
      ),
    },
  }),

  'p11-server-card': () => ({
    about:
      'P11: the card of an MCP server at its catalog, beside its endpoint, and where drafts once put it: /mcp/server-card looks like a guess and is a reserved place',
    logs: {
      'access.log': combined(
        ...['88', '89'].map((end, index) =>
          client(
            `198.51.100.${end} directory/1.${index}`,
            index * MINUTE,
            SECOND,
            'GET /.well-known/ai-catalog.json 404',
            'GET /mcp/server-card 404',
            'GET /.well-known/mcp/server-card.json 404',
            'GET /.well-known/mcp/server-card 404',
            'GET /.well-known/mcp.json 404',
            'POST /mcp 200',
          ),
        ),
      ),
    },
  }),

  'p12-openapi': () => ({
    about:
      'P12: frameworks put their OpenAPI document at a handful of places: a few misses and then a hit, or a few misses and an end',
    logs: {
      'access.log': combined(
        client(
          '198.51.100.90 toolsmith/1.0',
          0,
          SECOND,
          'GET /openapi.json 404',
          'GET /openapi.yaml 404',
          'GET /docs 404',
          'GET /v3/api-docs 200',
          'GET /v1/orders 200',
        ),
        client(
          '198.51.100.91 toolsmith/1.0',
          MINUTE,
          SECOND,
          'GET /openapi.json 404',
          'GET /swagger.json 404',
          'GET /.well-known/api-catalog 404',
          'GET /v1/orders 200',
        ),
      ),
    },
  }),

  'p13-browser-noise': () => ({
    about:
      'P13: what browsers and their tools ask for by themselves, again and again, one of them in order to be refused: no verdict, whatever the answer',
    logs: {
      'access.log': combined(
        client(
          '198.51.100.92 Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
          0,
          2 * SECOND,
          'GET / 200',
          ...times(5, 'GET /favicon.ico 404'),
          ...times(3, 'GET /apple-touch-icon-precomposed.png 404'),
          ...times(5, 'GET /.well-known/appspecific/com.chrome.devtools.json 404'),
          ...times(3, 'GET /.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200 404'),
          'GET /.well-known/change-password 404',
          'GET /robots.txt 404',
          ...times(5, 'OPTIONS /mcp 405'),
          'POST /mcp 200',
        ),
      ),
    },
  }),

  'p14-checks-and-graders': () => ({
    about:
      'P14: a certificate authority that asks from several places, health checks, and directories that grade the server every hour with a bare handshake and omit what it needs',
    logs: {
      'access.log': combined(
        ...['93', '94', '95'].map((end, index) =>
          client(
            `203.0.113.${end} validation/1.0`,
            index * SECOND,
            SECOND,
            ...times(2, 'GET /.well-known/acme-challenge/invented 404'),
          ),
        ),
        client('192.0.2.20 kube-probe/1.34', 0, 10 * SECOND, ...times(12, 'GET /readyz 200')),
      ),
      'agentgateway.log': byAgentgateway(
        client('203.0.113.96', 5 * MINUTE, HOUR, ...times(6, 'POST /mcp 406 initialize')),
        client('203.0.113.97', 7 * MINUTE, HOUR, ...times(6, 'POST /mcp 401 initialize')),
        client('198.51.100.96', 0, 20 * MINUTE, 'POST /mcp 200 initialize', ...times(8, 'POST /mcp 200 tools/call query')),
      ),
    },
    savings: { upper: 8 },
  }),

  'p15-agent-versions': () => ({
    about:
      'P15: names of another A2A version are refused once and replaced; a version that is not spoken is refused once; another interface of the same card is declared routing',
    logs: {
      'agentgateway.log': byAgentgateway(
        client('198.51.100.97', 0, SECOND, 'POST /a2a 200 SendMessage -32601', ...times(3, 'POST /a2a 200 message/send')),
        client(
          '198.51.100.98',
          MINUTE,
          SECOND,
          'POST /a2a/v1 200 SendMessage -32009',
          ...times(3, 'POST /a2a/v1 200 SendMessage'),
        ),
        client(
          '198.51.100.99',
          2 * MINUTE,
          SECOND,
          'POST /a2a 404',
          'POST /a2a/rest/message:send 200',
          'GET /a2a/rest/tasks/6f1d2c3b-9a40 200',
        ),
      ),
    },
  }),

  'p16-polling': () => ({
    about:
      'P16: a task is polled at the interval the server gave, a stream is reopened with Last-Event-ID after the server closed it, a subscription after it broke off: repetition that is asked for',
    logs: {
      'transcript.log': inTranscript(
        client(
          'stdio task-runner/1.0.0',
          0,
          2 * SECOND,
          'POST - 200 initialize',
          'POST - 200 tools/call report',
          ...times(10, 'POST - 200 tasks/get 786512e2'),
          'POST - 200 tasks/result 786512e2',
        ),
      ),
      'caddy.log': byCaddy(
        goesOn(
          client('198.51.100.101 node', 0, SECOND, 'POST /mcp 200', ['POST /mcp 202', session('poll')]),
          3 * SECOND,
          ...Array.from(
            { length: 8 },
            (_, index) => ['GET /mcp 200', { ...session('poll'), lastEventId: String(index), duration: 20 * SECOND }] as const,
          ),
        ),
        client(
          '198.51.100.102 node',
          MINUTE,
          2 * SECOND,
          ...times(4, ['POST /mcp 200 subscriptions/listen', { version: '2026-07-28', duration: 50 * SECOND }]),
        ),
      ),
      'gateway.json.log': byNginx(
        client(
          '198.51.100.103 okhttp/4.12.0',
          0,
          2 * SECOND,
          'POST /a2a/v1/message:send 200',
          ...times(12, 'GET /a2a/v1/tasks/3f0c9a51-7be2 200'),
        ),
      ),
    },
  }),
};
