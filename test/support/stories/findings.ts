// Findings that are no storms, one rule each, and next to each what looks alike and is not one.
import { HOUR, MINUTE, SECOND, type Conversation } from './exchange.ts';
import { byAgentgateway, byCaddy, byNginx, client, combined, goesOn, times, type Stories } from './story.ts';

const ALLOW = { answers: { Allow: 'POST, DELETE' } };

/** A handshake, with the optional stream tried or not, and a call. */
function legacySession(talk: Conversation, session: string, opensStream: boolean): Conversation {
  goesOn(talk, 0, 'POST /mcp 200', ['POST /mcp 202', { session }]);
  if (opensStream) goesOn(talk, 0, ['GET /mcp 405', { session, ...ALLOW }]);
  return goesOn(talk, SECOND, ['POST /mcp 200', { session }]);
}

/** Asks the same once a minute, twelve times. */
function checks(who: string, line: string): Conversation {
  const talk = client(who, 0, 0);
  for (let minute = 0; minute < 12; minute += 1) {
    talk.until(talk.start + minute * MINUTE);
    goesOn(talk, 0, [line, { duration: 1, bytes: 9 }]);
  }
  return talk;
}

const ORDERS = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  servers: [{ url: 'https://mcp.example.com' }],
  paths: {
    '/v1/orders': { get: { responses: { 200: { description: 'all orders' } } } },
    '/v1/orders/{id}': { delete: { responses: { 204: { description: 'gone' } } } },
  },
};

const AGENT_CARD = {
  name: 'catalog',
  description: 'answers questions about the catalog',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://mcp.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

export const FINDING_STORIES: Stories = {
  'recurring-refusal': () => {
    const forgetful = client('198.51.100.31 node', 0, 0);
    const learning = client('198.51.100.32 node', 10 * MINUTE, 0);
    for (const round of ['1', '2', '3', '4']) {
      legacySession(forgetful, `first-${round}`, true);
      legacySession(learning, `second-${round}`, Number(round) < 3);
      forgetful.wait(2 * HOUR);
      learning.wait(2 * HOUR);
    }
    return {
      about:
        'the stream that the server does not offer is asked for once in each session: sanctioned every time, so no storm, but never learnt; the other client stops asking after its second session',
      logs: { 'caddy.log': byCaddy(forgetful, learning) },
      findings: [{ rule: 'recurring_refusal', clients: ['198.51.100.31'], requests: 4 }],
      savings: { lower: 4, upper: 4 },
    };
  },

  'unmet-demand': () => ({
    about:
      'four clients ask for exports that the contract does not name: somebody should offer them; invoices are asked for by two only',
    documents: { 'openapi.json': ORDERS },
    logs: {
      'access.log': combined(
        ...['41', '42', '43', '44'].map((end, index) =>
          client(
            `198.51.100.${end} report-agent/2.${index}`,
            index * MINUTE,
            3 * SECOND,
            'GET /v1/orders 200',
            'GET /v1/exports 404',
            ...(index < 2 ? ['GET /v1/invoices 404'] : []),
          ),
        ),
      ),
    },
    findings: [
      { rule: 'unmet_demand', clients: ['198.51.100.41', '198.51.100.42', '198.51.100.43', '198.51.100.44'], requests: 4 },
    ],
  }),

  'refusal-unstable': () => ({
    about:
      'two backends disagree about a tool, so that a refusal is news each time and a gate would lose three answers; the other client is refused before a deploy, reads the new list, and is answered ever after',
    logs: {
      'agentgateway.log': byAgentgateway(
        client(
          '203.0.113.45',
          0,
          6 * SECOND,
          'POST /mcp 200 initialize',
          ...times(3, 'POST /mcp 404 tools/call query -32601').flatMap((refused) => [refused, 'POST /mcp 200 tools/call query']),
        ),
        client(
          '198.51.100.45',
          MINUTE,
          4 * MINUTE,
          'POST /mcp 200 initialize',
          'POST /mcp 404 tools/call export -32601',
          'POST /mcp 200 tools/list',
          ...times(4, 'POST /mcp 200 tools/call export'),
        ),
      ),
    },
    findings: [{ rule: 'refusal_unstable', clients: ['203.0.113.45'], requests: 6 }],
    savings: { harm: 3 },
  }),

  'probe-refused': () => {
    return {
      about:
        'a health check at a path that is not there, once a minute: it learns what it came to learn, and no gate may hold it; the other check is answered, and a person who asks once is no monitor',
      logs: {
        'access.log': combined(
          checks('192.0.2.10 kube-probe/1.34', 'GET /healthz 404'),
          checks('192.0.2.11 ELB-HealthChecker/2.0', 'GET /health 200'),
          client('198.51.100.46 curl/8.5.0', 3 * MINUTE, 0, 'GET /status 404'),
        ),
      },
      findings: [{ rule: 'probe_refused', clients: ['192.0.2.10'], requests: 12 }],
    };
  },

  scanner: () => ({
    about: 'one client looks for software that was never here; the other is a browser that wants its icons',
    logs: {
      'access.log': combined(
        client(
          '203.0.113.47 zgrab/0.x',
          0,
          SECOND,
          'GET /.env 404',
          'GET /.git/config 404',
          'GET /wp-login.php 404',
          'GET /phpmyadmin/index.php 404',
        ),
        client(
          '198.51.100.47 Mozilla/5.0',
          MINUTE,
          SECOND,
          'GET / 200',
          'GET /favicon.ico 404',
          'GET /apple-touch-icon.png 404',
          'GET /robots.txt 404',
        ),
      ),
    },
    findings: [{ rule: 'scanner', clients: ['203.0.113.47'], requests: 4 }],
  }),

  'retry-after-ignored': () => {
    const refused = ['POST /mcp 429 tools/call query', { retryAfter: 30 }] as const;
    const answered = 'POST /mcp 200 tools/call query';
    return {
      about:
        'asked to wait for 30 s, one client comes back twice after 5 s (a finding), another five times (a storm too), and the third waits',
      logs: {
        'gateway.json.log': byNginx(
          goesOn(client('203.0.113.48 indexer/1.0', 0, 5 * SECOND, refused, refused, refused), 31 * SECOND, answered),
          client('203.0.113.49 indexer/2.0', MINUTE, 5 * SECOND, ...times(6, refused)),
          client('198.51.100.48 indexer/3.0', 2 * MINUTE, 31 * SECOND, refused, refused, answered),
        ),
      },
      storms: [{ client: '203.0.113.49', kind: 'throttle_hammering', requests: 6, under_gate: 4, avoidable: 0 }],
      findings: [{ rule: 'retry_after_ignored', clients: ['203.0.113.48', '203.0.113.49'], requests: 7 }],
      savings: { overrun: 2 },
    };
  },

  'refused-before-discovery': () => ({
    about: 'one client asks first and reads the card after it was refused; the other reads the card first',
    documents: { 'agent-card.json': AGENT_CARD },
    logs: {
      'gateway.json.log': byNginx(
        client(
          '203.0.113.50 a2a-python/1.0.1',
          0,
          SECOND,
          'POST /a2a/rpc 404',
          'GET /.well-known/agent-card.json 200',
          'POST /a2a 200',
        ),
        client('198.51.100.50 a2a-python/1.0.1', MINUTE, SECOND, 'GET /.well-known/agent-card.json 200', 'POST /a2a 200'),
      ),
    },
    findings: [{ rule: 'refused_before_discovery', clients: ['203.0.113.50'], requests: 1 }],
  }),

  'credential-in-log': () => ({
    about: 'a token in the query of a logged address; the token of a page beside it is none',
    logs: {
      'access.log': combined(
        client('203.0.113.51 report-agent/2.0', 0, SECOND, ...times(2, 'GET /v1/orders?access_token=example-value 200')),
        client('198.51.100.51 report-agent/2.0', MINUTE, SECOND, 'GET /v1/orders?page_token=example-value 200'),
      ),
    },
    findings: [{ rule: 'credential_in_log', clients: [], requests: 2 }],
  }),
};
