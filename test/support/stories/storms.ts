// Storms, one kind each, and next to each the client that meets the same refusal and takes it.
import { HOUR, MINUTE, SECOND } from './exchange.ts';
import { byAgentgateway, byCaddy, byUvicorn, client, combined, goesOn, times, type Line, type Stories } from './story.ts';

const SERVER_CARD = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.example/catalog',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp' }],
};

const SESSION = { session: 'c2Vzc2lvbi1vZi1vbmU=' };
const CHALLENGE = {
  answers: {
    'Www-Authenticate': 'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
  },
};
const RATE_LIMITED = { error: { code: -32000, message: 'rate limit exceeded' } };

export const STORM_STORIES: Stories = {
  'path-guessing': () => ({
    about:
      'one client tries three paths that the server card does not name, again and again; the other looks in every customary place for the card, is refused its stream and its DELETE, and guesses nothing',
    documents: { 'server-card.json': SERVER_CARD },
    logs: {
      'access.log': combined(
        client(
          '203.0.113.21 mesh-router/0.4',
          0,
          20 * SECOND,
          'POST /mcp/mcp 404',
          'POST /mcp/sse 404',
          'POST /api/mcp 404',
          'POST /mcp/mcp 404',
          'POST /mcp/sse 404',
          'POST /mcp/mcp 404',
        ),
        client(
          '198.51.100.21 node',
          MINUTE,
          SECOND,
          'GET /.well-known/ai-catalog.json 404',
          'GET /mcp/server-card 200',
          'POST /mcp 200',
          'POST /mcp 202',
          'GET /mcp 405',
          'POST /mcp 200',
          'DELETE /mcp 405',
        ),
      ),
    },
    storms: [{ client: '203.0.113.21', kind: 'path_guessing', requests: 6, under_gate: 3, avoidable: 3 }],
    findings: [{ rule: 'refused_before_discovery', clients: ['203.0.113.21'], requests: 6 }],
    savings: { lower: 3, upper: 3, avoidable_first: 0 },
  }),

  'path-guessing-untimed': () => ({
    about:
      'a log without stamps and documents: what never answered anyone while /mcp did is a guess, and a trailing slash that is redirected is not',
    logs: {
      'uvicorn.log': byUvicorn(
        client('198.51.100.22', 0, SECOND, 'POST /mcp/ 307', 'POST /mcp 200', 'POST /mcp 202', 'GET /mcp 405', 'POST /mcp 200'),
        client('203.0.113.22', MINUTE, SECOND, 'POST /mcp/mcp 404', 'GET /sse 404', 'POST /messages 404', 'POST /mcp/mcp 404'),
      ),
    },
    storms: [{ client: '203.0.113.22', kind: 'path_guessing', requests: 4, under_gate: 3, avoidable: 1 }],
    savings: { lower: 1, upper: 1 },
    report: { window: { start: null, end: null, timed: false } },
  }),

  'stale-session': () => {
    const talks = ['203.0.113.23', '198.51.100.23'].map((address, index) =>
      client(
        address,
        index * MINUTE,
        2 * SECOND,
        'POST /mcp 200 initialize',
        ['POST /mcp 202 notifications/initialized', SESSION],
        ['POST /mcp 200 tools/call query', SESSION],
        ['POST /mcp 200 tools/call query', SESSION],
        ['POST /mcp 404 tools/call query -32001', SESSION],
      ),
    );
    const [stubborn, recovering] = talks as [(typeof talks)[number], (typeof talks)[number]];
    goesOn(stubborn, 15 * SECOND, ...times(4, ['POST /mcp 404 tools/call query -32001', SESSION]));
    goesOn(recovering, SECOND, 'POST /mcp 200 initialize', ['POST /mcp 200 tools/call query', { session: 'YW5vdGhlcg==' }]);
    return {
      about:
        'both lose their session in a restart: one goes on with the dead one, the other answers the first 404 with a handshake, as the protocol says',
      logs: { 'agentgateway.log': byAgentgateway(...talks) },
      storms: [{ client: '203.0.113.23', kind: 'stale_session', requests: 5, under_gate: 1, avoidable: 4 }],
      savings: { upper: 4 },
    };
  },

  'auth-loop': () => ({
    about:
      'a 401 is repeated with the same credentials; the other client fetches a token, and another one when that has expired an hour later',
    logs: {
      'caddy.log': byCaddy(
        client('203.0.113.24 sync-agent/1.0', 0, 2 * SECOND, ...times(6, ['POST /mcp 401', CHALLENGE])),
        goesOn(
          client(
            '198.51.100.24 node',
            MINUTE,
            SECOND,
            ['POST /mcp 401', CHALLENGE],
            'GET /.well-known/oauth-protected-resource/mcp 200',
            'GET /.well-known/oauth-authorization-server 200',
            'POST /token 200',
            'POST /mcp 200',
          ),
          HOUR,
          ['POST /mcp 401', CHALLENGE],
          ['POST /token 200', { duration: 30 }],
          'POST /mcp 200',
        ),
      ),
    },
    storms: [{ client: '203.0.113.24', kind: 'auth_loop', requests: 6, under_gate: 2, avoidable: 4 }],
    savings: { upper: 4 },
  }),

  'auth-loop-cycles': () => ({
    about:
      'each new token is refused like the one before: no repeat with the same credentials, and yet a loop; the other client has its token renewed every hour and is answered',
    logs: {
      'caddy.log': byCaddy(
        client(
          '203.0.113.25 sync-agent/1.0',
          0,
          5 * SECOND,
          ...times(4, 'POST /mcp 401').flatMap((refused) => [refused, 'POST /oauth/token 200']),
          'POST /mcp 401',
        ),
        client(
          '198.51.100.25 node',
          MINUTE,
          20 * MINUTE,
          ...times(4, 'POST /mcp 401').flatMap((refused) => [refused, 'POST /oauth/token 200', 'POST /mcp 200']),
        ),
      ),
    },
    storms: [{ client: '203.0.113.25', kind: 'auth_loop', requests: 5, under_gate: 5, avoidable: 0 }],
  }),

  'throttle-hammering-in-band': () => {
    const first = 'POST /mcp 200 tools/call query';
    const hammer = client('203.0.113.26', 0, 0, [first, RATE_LIMITED]);
    for (const wait of [6, 5, 4, 3, 2]) goesOn(hammer, wait * SECOND, [first, RATE_LIMITED]);
    const patient = client('198.51.100.26', MINUTE, 0, [first, RATE_LIMITED]);
    for (const wait of [2, 9]) goesOn(patient, wait * SECOND, [first, RATE_LIMITED]);
    goesOn(patient, 40 * SECOND, first);
    return {
      about: 'a rate limit that travels inside HTTP 200: one client comes back sooner each time, the other later each time',
      logs: { 'agentgateway.log': byAgentgateway(hammer, patient) },
      storms: [{ client: '203.0.113.26', kind: 'throttle_hammering', requests: 6, under_gate: 4, avoidable: 0 }],
      savings: { overrun: 2 },
    };
  },

  'refused-repeat-rpc': () => ({
    about:
      'an RPC method that the server does not have is called five times after the handshake; the other client calls it once and goes on without',
    logs: {
      'agentgateway.log': byAgentgateway(
        client('203.0.113.27', 0, 8 * SECOND, 'POST /mcp 200 initialize', ...times(5, 'POST /mcp 404 resources/list -32601')),
        client(
          '198.51.100.27',
          MINUTE,
          SECOND,
          'POST /mcp 200 initialize',
          'POST /mcp 404 resources/list -32601',
          ...times(4, 'POST /mcp 200 tools/call query'),
        ),
      ),
    },
    storms: [{ client: '203.0.113.27', kind: 'refused_repeat', requests: 5, under_gate: 1, avoidable: 4 }],
    savings: { lower: 4, upper: 4 },
  }),

  'semantic-repeat-corrective': () => ({
    about:
      'a request whose Accept header is wrong is sent six times as it is; the other client reads the 406, corrects the header and is answered',
    logs: {
      'caddy.log': byCaddy(
        client('203.0.113.28 sync-agent/1.0', 0, 2 * SECOND, ...times(6, 'POST /mcp 406')),
        client('198.51.100.28 node', MINUTE, SECOND, 'POST /mcp 406', ...times(3, 'POST /mcp 200')),
      ),
    },
    storms: [{ client: '203.0.113.28', kind: 'semantic_repeat', requests: 6, under_gate: 2, avoidable: 4 }],
    savings: { upper: 4 },
  }),

  'reinitialize-loop': () => ({
    about:
      'one client shakes hands six times and never asks anything; another has each session refused as soon as it is used, as without affinity; the third begins a session for each task and uses it',
    logs: {
      'agentgateway.log': byAgentgateway(
        client(
          '203.0.113.29',
          0,
          3 * SECOND,
          ...times(6, 'POST /mcp 200 initialize').flatMap((handshake) => [handshake, 'POST /mcp 202 notifications/initialized']),
        ),
        client(
          '203.0.113.30',
          MINUTE,
          3 * SECOND,
          ...[1, 2, 3, 4, 5].flatMap((number): Line[] => [
            'POST /mcp 200 initialize',
            ['POST /mcp 404 tools/call query -32001', { session: `lost-${number}` }],
          ]),
        ),
        client(
          '198.51.100.29',
          2 * MINUTE,
          3 * SECOND,
          ...[1, 2, 3, 4, 5, 6].flatMap((number): Line[] => [
            'POST /mcp 200 initialize',
            ['POST /mcp 200 tools/call query', { session: `task-${number}` }],
          ]),
        ),
      ),
    },
    storms: [
      { client: '203.0.113.29', kind: 'reinitialize_loop', requests: 6, under_gate: 6, avoidable: 0 },
      { client: '203.0.113.30', kind: 'reinitialize_loop', requests: 5, under_gate: 5, avoidable: 0 },
    ],
  }),

  'redirect-loop': () => ({
    about:
      'two paths send a client back and forth, with a slash and without: no refusal at all, and no answer; for the other client the same redirect leads to an answer each time',
    logs: {
      'access.log': combined(
        client(
          '203.0.113.33 crawler/3.1',
          0,
          SECOND,
          ...times(6, 'GET /catalog 301').flatMap((redirect) => [redirect, 'GET /catalog/ 302']),
        ),
        client(
          '198.51.100.33 node',
          MINUTE,
          SECOND,
          ...times(6, 'POST /mcp/ 307').flatMap((redirect) => [redirect, 'POST /mcp 200']),
        ),
      ),
    },
    storms: [{ client: '203.0.113.33', kind: 'redirect_loop', requests: 12, under_gate: 12, avoidable: 0 }],
  }),

  'reconnect-loop': () => ({
    about:
      'a stream ends as soon as it is open and is opened again after a second, 22 times, each a success; the other client holds its streams for a minute each',
    logs: {
      'caddy.log': byCaddy(
        client(
          '203.0.113.34 python-httpx/0.28.1',
          0,
          SECOND,
          ...times(22, ['GET /mcp 200', { session: 'ends-at-once', duration: 20 }]),
        ),
        client('198.51.100.34 node', MINUTE, SECOND, ...times(22, ['GET /mcp 200', { session: 'lasts', duration: MINUTE }])),
      ),
    },
    storms: [{ client: '203.0.113.34', kind: 'reconnect_loop', requests: 22, under_gate: 22, avoidable: 0 }],
  }),
};
