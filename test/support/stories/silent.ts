// Traffic that looks like trouble and is none: it must stay silent.
import { HOUR, MINUTE, SECOND } from './exchange.ts';
import { between, fullJitter } from './random.ts';
import {
  byAgentgateway,
  byCaddy,
  byNginx,
  client,
  combined,
  goesOn,
  inTranscript,
  times,
  type Line,
  type Stories,
} from './story.ts';

const ORDERS = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  servers: [{ url: 'https://mcp.example.com' }],
  paths: { '/v1/orders/{id}': { delete: { responses: { 204: { description: 'gone' } } } } },
};

const legacy = (session: string): Line[] => [
  'POST /mcp 200',
  ['POST /mcp 202', { session }],
  ['GET /mcp 405', { session }],
  ['POST /mcp 200', { session }],
];

/** Returns ten requests of one client that are in flight at once. */
const burst = (at: number, status: number) =>
  Array.from({ length: 10 }, (_, index) =>
    client('198.51.100.112 crawler/3.1', at + 4 * index, 0, [
      `POST /mcp ${status} tools/call query`,
      { duration: 400 + 30 * ((index * 7) % 10) },
    ]),
  );

const scope = (name: string) => ({ answers: { 'Www-Authenticate': `Bearer error="insufficient_scope", scope="${name}"` } });

export const SILENT_STORIES: Stories = {
  'nat-many-agents': () => ({
    about: 'six agents behind one address are refused their stream once each: together six refusals in a row, of six clients',
    logs: {
      'gateway.json.log': byNginx(
        ...[1, 2, 3, 4, 5, 6].map((number) =>
          client(`192.0.2.77 agent/${number}.0`, number * 300, 200, ...legacy(`behind-nat-${number}`)),
        ),
      ),
    },
  }),

  'nat-one-agent': () => ({
    about:
      'five clients of the same make behind one address look like one client with five sessions: each is refused once in its session, so no storm; that they are several cannot be known, hence the finding and the avoidable four',
    logs: {
      'gateway.json.log': byNginx(
        ...[1, 2, 3, 4, 5].map((number) => client('192.0.2.78 node', number * 300, 200, ...legacy(`behind-nat-${number}`))),
      ),
    },
    findings: [{ rule: 'recurring_refusal', clients: ['192.0.2.78'], requests: 5 }],
    savings: { lower: 4, upper: 4 },
  }),

  'backoff-full-jitter': () => {
    const talk = client('198.51.100.111 python-httpx/0.28.1', 0, 0, 'POST /mcp 200 tools/list');
    for (const name of ['query', 'export', 'summarize', 'translate']) {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        goesOn(talk, attempt === 0 ? 2 * SECOND : fullJitter(talk.random, attempt - 1), `POST /mcp 503 tools/call ${name}`);
      }
      goesOn(talk, fullJitter(talk.random, 2), `POST /mcp 200 tools/call ${name}`);
    }
    return {
      about:
        'four operations fail three times each and are answered at the fourth attempt: full jitter, which may well wait for no time at all',
      logs: { 'gateway.json.log': byNginx(talk) },
    };
  },

  'concurrent-throttled': () => {
    return {
      about:
        'ten requests in flight at once are all throttled: one event, not nine retries; after a pause all ten are sent again and answered',
      logs: { 'gateway.json.log': byNginx(...burst(0, 429), ...burst(30 * SECOND, 200)) },
    };
  },

  'deletes-answered-404': () => ({
    about: 'a client deletes five orders and, not having heard the first answer, deletes each once more: 404 says that it worked',
    documents: { 'openapi.json': ORDERS },
    logs: {
      'access.log': combined(
        client(
          '198.51.100.113 cleanup/1.0',
          0,
          SECOND,
          ...[4711, 4712, 4713, 4714, 4715].flatMap((id) => [`DELETE /v1/orders/${id} 204`, `DELETE /v1/orders/${id} 404`]),
        ),
      ),
    },
  }),

  'task-polling': () => {
    const talk = client('198.51.100.114 okhttp/4.12.0', 0, 0, 'GET /.well-known/agent-card.json 200');
    for (let round = 0; round < 3; round += 1) {
      const task = `/a2a/v1/tasks/9c0e1a2b-${4000 + round}`;
      goesOn(talk, SECOND, 'POST /a2a/v1/message:send 200');
      goesOn(talk, 2 * SECOND, ...times(6, `GET ${task} 200`));
    }
    goesOn(talk, MINUTE, 'GET /a2a/v1/tasks/9c0e1a2b-4000 404');
    return {
      about: 'three tasks are polled every two seconds until they are done; one is asked for once more when it is gone',
      logs: { 'gateway.json.log': byNginx(talk) },
    };
  },

  'input-required': () => ({
    about: 'a call is repeated with the same arguments five times because each answer asks for more: rounds of one conversation',
    logs: {
      'transcript.log': inTranscript(
        client(
          'stdio assistant/2.1.0',
          0,
          4 * SECOND,
          'POST - 200 initialize',
          ...times(5, ['POST - 200 tools/call book_room', { arguments: { room: 'blue' }, isInputRequired: true }]),
          ['POST - 200 tools/call book_room', { arguments: { room: 'blue' } }],
        ),
      ),
    },
  }),

  'scope-step-up': () => {
    return {
      about:
        'a token lacks a scope three times over: each refusal names it, a wider token is fetched, and the same call is answered',
      logs: {
        'caddy.log': byCaddy(
          client(
            '198.51.100.115 node',
            0,
            2 * SECOND,
            'POST /mcp 200 tools/list',
            ...['read', 'write', 'admin'].flatMap((name): Line[] => [
              [`POST /mcp 403 tools/call ${name}`, scope(name)],
              'POST /token 200',
              `POST /mcp 200 tools/call ${name}`,
            ]),
          ),
        ),
      },
    };
  },

  'tool-errors': () => ({
    about: 'a tool fails six times under success, each time with other arguments: a model that learns, not a loop',
    logs: {
      'transcript.log': inTranscript(
        client(
          'stdio assistant/2.1.0',
          0,
          5 * SECOND,
          'POST - 200 initialize',
          ...['plan', 'plans', 'the-plan', 'plan-2026', 'q4-plan', 'plan-q4'].map((slug): Line => [
            'POST - 200 tools/call get_page',
            { arguments: { slug }, toolError: 'no page with this slug' },
          ]),
          ['POST - 200 tools/call get_page', { arguments: { slug: 'quarterly-plan' } }],
        ),
      ),
    },
  }),

  'cancelled-calls': () => ({
    about:
      'a client gives up waiting five times, which is how calls are cancelled in the new era: 499 says nothing about the server',
    logs: {
      'gateway.json.log': byNginx(
        client(
          '198.51.100.116 ide/1.4',
          0,
          SECOND,
          'POST /mcp 200 tools/list',
          ...times(5, ['POST /mcp 499 tools/call summarize', { duration: 9 * SECOND, bytes: 0 }]),
        ),
      ),
    },
  }),

  'card-revalidated': () => {
    const talk = client('203.0.113.117 a2a-python/1.0.1', 0, 0, 'GET /.well-known/agent-card.json 200');
    for (let hour = 0; hour < 8; hour += 1) {
      goesOn(talk, HOUR - MINUTE, ['GET /.well-known/agent-card.json 304', { bytes: 0 }]);
      goesOn(talk, SECOND, ...times(between(talk.random, 1, 3), 'POST /a2a 200'));
    }
    return {
      about: 'a card is read again every hour with a conditional request, and is unchanged: 304 is a read and a good answer',
      logs: { 'gateway.json.log': byNginx(talk) },
    };
  },

  'endpoint-404-undecided': () => ({
    about:
      'the declared endpoint answers one client with 404 six times, and the log shows no RPC code: unknown method, dead session or missing route; never a guess at a path, and counted apart',
    logs: {
      'access.log': combined(
        client('198.51.100.118 node', 0, 2 * SECOND, ...times(4, 'POST /mcp 200')),
        client('203.0.113.118 python-httpx/0.28.1', MINUTE, 2 * SECOND, ...times(6, 'POST /mcp 404')),
      ),
    },
    savings: { ambiguous_repeats: 5 },
  }),

  'method-scoped-405': () => ({
    about:
      'a server refuses the POST with 405 and a JSON-RPC code and serves the GET at the very same address: the refusal is about one method',
    logs: {
      'agentgateway.log': byAgentgateway(
        client(
          '198.51.100.119',
          0,
          SECOND,
          'POST /mcp 405 initialize -32601',
          ['GET /mcp 200', { duration: 10 * MINUTE }],
          'GET /mcp 200',
          ...times(3, ['POST /messages 202 tools/call query', {}]),
        ),
      ),
    },
  }),
};
