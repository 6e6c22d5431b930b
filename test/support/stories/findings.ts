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

/** Asks for a report with ever longer waits; the last answer may differ. */
function asksFor(who: string, at: number, last: number): Conversation {
  const talk = client(who, at, 0, 'GET /v1/report 404');
  for (const wait of [10, 20, 40, 60, 70]) goesOn(talk, wait * SECOND, 'GET /v1/report 404');
  return goesOn(talk, 80 * SECOND, `GET /v1/report ${last}`);
}

/** Tries again after each wait; the last attempt is answered. */
function retries(who: string, at: number, waits: readonly number[]): Conversation {
  const talk = client(who, at, 0, 'POST /mcp 503 tools/call query');
  waits.forEach((wait, index) => {
    goesOn(talk, wait, `POST /mcp ${index === waits.length - 1 ? 200 : 503} tools/call query`);
  });
  return talk;
}

/** Clients whose requests fail in one instant, each of which comes back after its own wait. */
function crowd(network: string, at: number, waits: readonly number[]): Conversation[] {
  return waits.map((wait, index) =>
    client(
      `${network}.${120 + index} worker/1.0`,
      at + 7 * index,
      wait,
      ['POST /mcp 503 tools/call query', { duration: 60 - 7 * index }],
      'POST /mcp 200 tools/call query',
    ),
  );
}

/** A client that loses its session, shakes hands and goes on. */
function loses(who: string, at: number, host: string): Conversation {
  const before = { host, session: `${who} before` };
  return client(
    who,
    at,
    2 * SECOND,
    ['POST /mcp 200', { host }],
    ['POST /mcp 202', before],
    ...times(2, ['POST /mcp 200', before]),
    ['POST /mcp 404', before],
    ['POST /mcp 200', { host }],
    ['POST /mcp 200', { host, session: `${who} after` }],
  );
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

  'slow-loop': () => {
    return {
      about:
        'a report that is not there is asked for seven times with ever longer waits: polite, below every storm, and as useless as a loop; for the other client it appears while it waits',
      logs: {
        'access.log': combined(
          asksFor('203.0.113.52 report-agent/2.0', 0, 404),
          asksFor('198.51.100.52 report-agent/2.0', MINUTE, 200),
        ),
      },
      findings: [{ rule: 'slow_loop', clients: ['203.0.113.52'], requests: 7 }],
      savings: { ambiguous_repeats: 11 },
    };
  },

  'no-backoff': () => {
    return {
      about:
        'after each 503 one client waits two seconds, no more after the fifth than after the first, another hardly at all; the third waits longer and longer, though once not at all, as full jitter will',
      logs: {
        'gateway.json.log': byNginx(
          retries('203.0.113.53 sync-agent/1.0', 0, [2000, 2000, 2000, 2000, 2000]),
          retries('203.0.113.54 sync-agent/2.0', MINUTE, [40, 50, 30, 60, 80]),
          retries('198.51.100.53 patient-agent/1.0', 2 * MINUTE, [700, 1900, 0, 6100, 11_400]),
        ),
      },
      findings: [{ rule: 'no_backoff', clients: ['203.0.113.53', '203.0.113.54'], requests: 10 }],
      savings: { overrun: 3 },
    };
  },

  'lockstep-herd': () => {
    return {
      about:
        'six clients lose their answers in one instant and all come back after exactly one second; six others, a minute later, spread over eight',
      logs: {
        'gateway.json.log': byNginx(
          ...crowd('203.0.113', 0, [1000, 1000, 1000, 1000, 1000, 1000]),
          ...crowd('198.51.100', MINUTE, [300, 1500, 2600, 4100, 5900, 7800]),
        ),
      },
      findings: [
        {
          rule: 'lockstep_herd',
          clients: [0, 1, 2, 3, 4, 5].map((index) => `203.0.113.${120 + index}`),
          requests: 6,
        },
      ],
    };
  },

  'gateway-retries-multiply': () => {
    const line = 'POST /mcp 502 tools/call query';
    const thrice = [line, { backend: '192.0.2.31:8080', upstreamStatus: '502, 502, 502' }] as const;
    const once = [line, { backend: '192.0.2.31:8080' }] as const;
    const answered = 'POST /mcp 200 tools/call query';
    return {
      about:
        'the gateway tries each request three times and the client sends it three times: nine tries; the second client is alone with its retries, for the third the gateway is, and finds the answer',
      logs: {
        'gateway.json.log': byNginx(
          goesOn(goesOn(client('203.0.113.55 sync-agent/1.0', 0, 0, thrice), 2 * SECOND, thrice), 7 * SECOND, thrice, answered),
          goesOn(goesOn(client('198.51.100.55 sync-agent/2.0', MINUTE, 0, once), 2 * SECOND, once), 7 * SECOND, once, answered),
          client(
            '198.51.100.56 sync-agent/3.0',
            2 * MINUTE,
            SECOND,
            ...times(3, [answered, { backend: '192.0.2.31:8080', upstreamStatus: '502, 502, 200' }]),
          ),
        ),
      },
      findings: [{ rule: 'gateway_retries_multiply', clients: ['203.0.113.55'], requests: 3 }],
    };
  },

  'stale-session-header': () => ({
    about:
      'a session id in requests of a revision that has no sessions is ignored without a word; the others send it where it means something, or not at all',
    logs: {
      'caddy.log': byCaddy(
        client(
          '203.0.113.57 ported-client/0.9',
          0,
          5 * SECOND,
          ['POST /mcp 200 server/discover', { version: '2026-07-28' }],
          ...times(4, ['POST /mcp 200 tools/call query', { version: '2026-07-28', session: 'of-no-use' }]),
        ),
        client(
          '198.51.100.57 node',
          MINUTE,
          5 * SECOND,
          ...times(4, ['POST /mcp 200', { version: '2025-11-25', session: 'of-use' }]),
        ),
        client(
          '198.51.100.58 node',
          2 * MINUTE,
          5 * SECOND,
          ...times(4, ['POST /mcp 200 tools/call query', { version: '2026-07-28' }]),
        ),
      ),
    },
    findings: [{ rule: 'stale_session_header', clients: ['203.0.113.57'], requests: 4 }],
  }),

  'cache-ignored': () => ({
    about:
      'a card is fetched in full before each call; the other client asks whether it has changed, and the third reads it again after ten minutes',
    logs: {
      'gateway.json.log': byNginx(
        client(
          '203.0.113.59 a2a-python/1.0.1',
          0,
          20 * SECOND,
          ...times(7, 'GET /.well-known/agent-card.json 200').flatMap((read) => [read, 'POST /a2a 200']),
        ),
        client(
          '198.51.100.59 a2a-python/1.0.1',
          MINUTE,
          20 * SECOND,
          'GET /.well-known/agent-card.json 200',
          ...times(6, 'GET /.well-known/agent-card.json 304').flatMap((read) => ['POST /a2a 200', read]),
        ),
        client('198.51.100.60 a2a-python/1.0.1', 2 * MINUTE, 10 * MINUTE, ...times(7, 'GET /.well-known/agent-card.json 200')),
      ),
    },
    findings: [{ rule: 'cache_ignored', clients: ['203.0.113.59'], requests: 6 }],
  }),

  'uncached-probing': () => {
    const run = [
      'GET /.well-known/oauth-protected-resource/mcp 404',
      'GET /.well-known/oauth-protected-resource 404',
      'GET /.well-known/oauth-authorization-server 404',
    ];
    const calm = client('198.51.100.65 node', 0, 0);
    for (let round = 0; round < 3; round += 1) {
      goesOn(calm, SECOND, 'POST /mcp 200', ...run, 'POST /mcp 200');
      calm.wait(2 * HOUR);
    }
    return {
      about:
        'the places for metadata are tried in order, and then twice more in the same session: what is beyond the one run that is free is avoidable, and a storm; the other client tries them once in each of its sessions, which is avoidable in part and no storm',
      logs: {
        'access.log': combined(
          client('203.0.113.65 node', MINUTE, 3 * SECOND, 'POST /mcp 200', ...run, ...run, ...run, 'POST /mcp 200'),
          calm,
        ),
      },
      storms: [{ client: '203.0.113.65', kind: 'refused_repeat', requests: 9, under_gate: 3, avoidable: 6 }],
      findings: [
        { rule: 'uncached_probing', clients: ['203.0.113.65'], requests: 6 },
        ...[1, 2, 3].map(() => ({ rule: 'recurring_refusal' as const, clients: ['198.51.100.65'], requests: 3 })),
      ],
      savings: { lower: 12, upper: 12 },
    };
  },

  'forged-line-suspected': () => {
    const lines = combined(client('198.51.100.68 node', 0, 40 * SECOND, ...times(8, 'POST /mcp 200'))).split('\n');
    const later = combined(client('203.0.113.68 Mozilla/5.0', 50 * HOUR, 0, 'GET /v1/orders 200'));
    const stream = ['GET /mcp 200', { duration: 3 * HOUR }] as const;
    return {
      about:
        'between lines of one morning stands one of two days later, and a path holds a line break: either may have been written by a client; a stream that was opened hours before its line is none of that',
      logs: {
        'access.log': [
          ...lines.slice(0, 3),
          later.trimEnd(),
          ...lines.slice(3, 8),
          combined(client('203.0.113.69 curl/8.5.0', 20 * MINUTE, 0, 'GET /v1/orders%0a203.0.113.1 200')),
        ].join('\n'),
        'caddy.log': byCaddy(
          client('198.51.100.69 node', 0, 0, stream),
          client('198.51.100.70 node', 3 * HOUR - 2 * MINUTE, 30 * SECOND, ...times(8, 'POST /mcp 200')),
        ),
      },
      findings: [{ rule: 'forged_line_suspected', clients: ['203.0.113.68', '203.0.113.69'], requests: 2 }],
    };
  },

  'deploy-burst': () => {
    const six = [0, 1, 2, 3, 4, 5];
    return {
      about:
        'six clients lose their sessions within seconds, shake hands and go on: a restart, harmless; of another server six clients lose theirs too, but minutes apart',
      logs: {
        'gateway.json.log': byNginx(
          ...six.map((index) => loses(`203.0.113.${71 + index} node`, 900 * index, 'mcp.example.com')),
          ...six.map((index) => loses(`198.51.100.${71 + index} node`, 3 * MINUTE * index, 'tools.example.com')),
        ),
      },
      findings: [{ rule: 'deploy_burst', clients: six.map((index) => `203.0.113.${71 + index}`), requests: 6 }],
    };
  },
};
