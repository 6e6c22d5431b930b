// The story federation-24h: a day of an MCP/A2A federation, three clients that meet refusals, and the healthy traffic around them.
import { agentgateway } from './agentgateway.ts';
import { byEnd, conversation, HOUR, linesOf, MINUTE, SECOND, type Client, type Conversation } from './exchange.ts';
import { nginxJson } from './nginx.ts';
import { between, fullJitter, letters, pick, seeded } from './random.ts';

const DAY = Date.UTC(2026, 10, 1);
const GATEWAY = 'gateway.example.com';
const TOOLS = 'tools.example.com';
const MCP_BACKENDS = ['192.0.2.201:8000', '192.0.2.202:8000'] as const;
const A2A_BACKEND = '192.0.2.211:9000';
const TOOL_NAMES = ['search_catalog', 'get_page', 'list_collections', 'summarize_page'] as const;
const SESSION_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Starts a conversation at an offset into the day. */
function arrives(address: string, agent: string, host: string, offset: number): Conversation {
  const client: Client = { address, agent, host };
  return conversation(client, DAY + offset);
}

/** Repeats a visit until the given hour of the day. */
function visits(talk: Conversation, times: number, least: number, most: number, visit: (index: number) => void): Conversation {
  for (let index = 0; index < times; index += 1) {
    visit(index);
    talk.wait(between(talk.random, least, most));
  }
  return talk;
}

// Behind the gateway's nginx: MCP clients. A legacy client's RPC methods stay in bodies that nginx does not log.

function gatewayPost(
  talk: Conversation,
  request: { status?: number; session?: string; rpc?: string; name?: string; bytes?: number; retryAfter?: number },
) {
  const backend = pick(talk.random, MCP_BACKENDS);
  talk.send({ method: 'POST', path: '/mcp', status: 200, backend, ...request });
}

function legacyHandshake(talk: Conversation, opensStream: boolean): string {
  const session = letters(talk.random, 32);
  gatewayPost(talk, {});
  gatewayPost(talk, { status: 202, session, bytes: 0 });
  if (opensStream) talk.send({ method: 'GET', path: '/mcp', status: 405, session, backend: MCP_BACKENDS[0], bytes: 84 });
  gatewayPost(talk, { session });
  return session;
}

/** A legacy SDK client: one handshake, the one GET that the gateway refuses, then calls all day. */
function legacyClient(): Conversation {
  const talk = arrives('198.51.100.21', 'node', GATEWAY, 20 * MINUTE);
  const session = legacyHandshake(talk, true);
  talk.wait(4 * MINUTE);
  return visits(talk, 90, 5 * MINUTE, 25 * MINUTE, () => gatewayPost(talk, { session }));
}

function modernCall(talk: Conversation, status = 200, retryAfter?: number): void {
  const answer = retryAfter === undefined ? { status } : { status, retryAfter };
  gatewayPost(talk, { rpc: 'tools/call', name: 'search_catalog', ...answer });
}

/** A 2026-07-28 client that meets two short outages and waits with full jitter, four attempts in all. */
function patientClient(): Conversation {
  const talk = arrives('198.51.100.22', 'python-httpx/0.28.1', GATEWAY, 3 * MINUTE);
  gatewayPost(talk, { rpc: 'server/discover' });
  gatewayPost(talk, { rpc: 'tools/list' });
  return visits(talk, 110, 4 * MINUTE, 20 * MINUTE, (index) => {
    const failures = index === 31 ? 3 : index === 77 ? 2 : 0;
    for (let attempt = 0; attempt < failures; attempt += 1) {
      modernCall(talk, 503);
      talk.wait(fullJitter(talk.random, attempt));
    }
    modernCall(talk);
  });
}

/** A client that is throttled now and then and waits what Retry-After asks for, and a little more. */
function throttledClient(): Conversation {
  const talk = arrives('198.51.100.23', 'federation-indexer/2.3', GATEWAY, 65 * MINUTE);
  gatewayPost(talk, { rpc: 'server/discover' });
  return visits(talk, 12, 75 * MINUTE, 105 * MINUTE, (index) => {
    for (let call = 0; call < 9; call += 1) {
      modernCall(talk);
      talk.wait(between(talk.random, 200, 900));
    }
    if (index % 3 === 1) {
      for (const retryAfter of [20, 12]) {
        modernCall(talk, 429, retryAfter);
        talk.wait(retryAfter * SECOND + fullJitter(talk.random, 1));
      }
      modernCall(talk);
    }
  });
}

/** A client without a token that finds its authorization server in the order the specification gives. */
function authorizingClient(): Conversation {
  const talk = arrives('2001:db8::51', 'node', GATEWAY, 6 * HOUR);
  const get = (path: string, status: number) => talk.send({ method: 'GET', path, status });
  gatewayPost(talk, { status: 401, bytes: 71 });
  get('/.well-known/oauth-protected-resource/mcp', 404);
  get('/.well-known/oauth-protected-resource', 404);
  get('/.well-known/oauth-authorization-server', 404);
  get('/.well-known/openid-configuration', 200);
  talk.send({ method: 'POST', path: '/register', status: 201 });
  talk.wait(14 * SECOND);
  talk.send({ method: 'POST', path: '/token', status: 200 });
  const session = legacyHandshake(talk, false);
  talk.wait(MINUTE);
  return visits(talk, 48, 4 * MINUTE, 22 * MINUTE, () => gatewayPost(talk, { session }));
}

/** A client whose session is lost in a restart: one 404, one handshake, and on it goes. */
function recoveringClient(): Conversation {
  const talk = arrives('198.51.100.25', 'example-orchestrator/0.9.4', GATEWAY, 40 * MINUTE);
  let session = legacyHandshake(talk, false);
  return visits(talk, 70, 8 * MINUTE, 24 * MINUTE, (index) => {
    if (index === 38) {
      gatewayPost(talk, { status: 404, session, bytes: 98 });
      session = legacyHandshake(talk, false);
    }
    gatewayPost(talk, { session });
  });
}

/** A person with a browser inspector: the icon nobody has, a preflight, some calls, one given up before its answer. */
function browserInspector(): Conversation {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const talk = arrives('2001:db8::77', agent, GATEWAY, 9 * HOUR + 12 * MINUTE);
  talk.send({ method: 'GET', path: '/favicon.ico', status: 404 });
  talk.send({ method: 'OPTIONS', path: '/mcp', status: 204, bytes: 0 });
  const session = legacyHandshake(talk, false);
  return visits(talk, 16, 5 * SECOND, 80 * SECOND, (index) => {
    if (index === 9)
      talk.send({ method: 'POST', path: '/mcp', status: 499, session, backend: MCP_BACKENDS[1], duration: 8200, bytes: 0 });
    gatewayPost(talk, { session });
  });
}

// Behind the gateway's nginx: A2A callers, readers of documents, checks.

/** An A2A JSON-RPC caller that keeps its card fresh with conditional reads. */
function agentCaller(): Conversation {
  const talk = arrives('203.0.113.31', 'a2a-python/1.0.1', GATEWAY, 8 * MINUTE);
  return visits(talk, 23, 50 * MINUTE, 65 * MINUTE, (index) => {
    talk.send({
      method: 'GET',
      path: '/.well-known/agent-card.json',
      status: index === 0 ? 200 : 304,
      bytes: index === 0 ? 1312 : 0,
    });
    for (let call = between(talk.random, 3, 6); call > 0; call -= 1) {
      talk.send({ method: 'POST', path: '/a2a', status: 200, backend: A2A_BACKEND, duration: between(talk.random, 200, 2600) });
      talk.wait(between(talk.random, 1, 9) * SECOND);
    }
  });
}

/** A REST caller that tries the older card name first, polls its tasks, and once asks for a task that is gone. */
function taskPoller(): Conversation {
  const talk = arrives('203.0.113.32', 'okhttp/4.12.0', GATEWAY, 95 * MINUTE);
  talk.send({ method: 'GET', path: '/.well-known/agent.json', status: 404 });
  talk.send({ method: 'GET', path: '/.well-known/agent-card.json', status: 200, bytes: 1312 });
  return visits(talk, 26, 28 * MINUTE, 50 * MINUTE, (index) => {
    const task = `/a2a/v1/tasks/${letters(talk.random, 8)}-${letters(talk.random, 4)}`;
    talk.send({
      method: 'POST',
      path: '/a2a/v1/message:send',
      status: 200,
      backend: A2A_BACKEND,
      duration: between(talk.random, 60, 400),
    });
    for (let poll = between(talk.random, 2, 5); poll > 0; poll -= 1) {
      talk.wait(2 * SECOND);
      talk.send({ method: 'GET', path: task, status: 200, backend: A2A_BACKEND });
    }
    if (index === 14)
      talk.send({ method: 'GET', path: `/a2a/v1/tasks/${letters(talk.random, 8)}-0000`, status: 404, backend: A2A_BACKEND });
  });
}

/** A registry that reads every document once, in the order of their age. */
function registryCrawler(): Conversation {
  const talk = arrives(
    '203.0.113.40',
    'registry-crawler/1.2 (+https://registry.example.org/bot)',
    GATEWAY,
    4 * HOUR + 3 * MINUTE,
  );
  talk.send({ method: 'GET', path: '/.well-known/ai-catalog.json', status: 404 });
  talk.send({ method: 'GET', path: '/mcp/server-card', status: 200, bytes: 702 });
  talk.send({ method: 'GET', path: '/.well-known/agent-card.json', status: 200, bytes: 1312 });
  return talk;
}

function healthChecks(address: string, agent: string, every: number): Conversation {
  const talk = arrives(address, agent, GATEWAY, between(seeded(address), 0, every));
  while (talk.exchanges.length < (24 * HOUR) / every) {
    talk.send({ method: 'GET', path: '/healthz', status: 200, bytes: 2, duration: between(talk.random, 0, 3) });
    talk.until(DAY + every * (talk.exchanges.length + 1) - between(talk.random, 0, 400));
  }
  return talk;
}

/** Somebody else's word list, and a port probe that sends no request at all: neither is a client of the federation. */
function strangers(): Conversation[] {
  const scanner = arrives('203.0.113.66', 'Mozilla/5.0 zgrab/0.x', GATEWAY, 13 * HOUR + 7 * MINUTE);
  for (const path of ['/.env', '/.git/config', '/wp-login.php', '/phpmyadmin/index.php', '/actuator/env']) {
    scanner.send({ method: 'GET', path, status: 404, duration: 0 });
    scanner.wait(700);
  }
  const portProbe = arrives('203.0.113.67', '', '', 17 * HOUR + 48 * MINUTE);
  portProbe.send({ method: '', path: '', status: 400, duration: 0, bytes: 157 });
  portProbe.wait(3 * SECOND);
  portProbe.send({ method: '', path: '', status: 400, duration: 0, bytes: 157 });
  return [scanner, portProbe];
}

/** The prober: it has read the card and yet asks 22 times for three paths that no document names. */
function prober(): Conversation {
  const talk = arrives('203.0.113.99', 'mesh-router/0.4', GATEWAY, 7 * HOUR + 31 * MINUTE);
  talk.send({ method: 'GET', path: '/.well-known/agent-card.json', status: 200, bytes: 1312 });
  const guesses = ['/mcp/mcp', '/mcp/sse', '/mcp/a2a/'] as const;
  for (let guess = 0; guess < 22; guess += 1) {
    talk.wait(between(talk.random, 40 * SECOND, 29 * MINUTE));
    talk.send({
      method: 'POST',
      path: guesses[guess % 3] ?? guesses[0],
      status: 404,
      duration: between(talk.random, 1, 6),
      bytes: 153,
    });
    if (guess % 3 < 2) continue;
    talk.wait(between(talk.random, 10 * SECOND, 25 * MINUTE));
    talk.send({ method: 'GET', path: '/mcp', status: 405, backend: MCP_BACKENDS[0], bytes: 84 });
  }
  return talk;
}

// Behind agentgateway, which reads bodies: RPC methods and codes show.

function toolsPost(talk: Conversation, rpc: string, more: Partial<Parameters<Conversation['send']>[0]> = {}): void {
  talk.send({ method: 'POST', path: '/mcp', status: 200, rpc, backend: '192.0.2.221:8080', ...more });
}

function toolsHandshake(talk: Conversation): string {
  const session = `${letters(talk.random, 22, SESSION_ALPHABET)}==`;
  toolsPost(talk, 'initialize');
  toolsPost(talk, 'notifications/initialized', { status: 202, session, bytes: 0 });
  return session;
}

const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };

/** The first client: `server/discover` is not part of this interface, so it goes. */
function modernOnlyClient(): Conversation {
  const talk = arrives('198.51.100.71', '', TOOLS, 5 * HOUR + 17 * MINUTE);
  toolsPost(talk, 'server/discover', { status: 404, error: METHOD_NOT_FOUND });
  return talk;
}

/** A dual-era client: the same refusal, then `initialize` on the same URL, as the specification says. */
function dualEraClient(): Conversation {
  const talk = arrives('198.51.100.72', '', TOOLS, 11 * MINUTE);
  toolsPost(talk, 'server/discover', { error: METHOD_NOT_FOUND });
  const session = toolsHandshake(talk);
  toolsPost(talk, 'tools/list', { session });
  return visits(talk, 150, 3 * MINUTE, 15 * MINUTE, () =>
    toolsPost(talk, 'tools/call', { session, name: pick(talk.random, TOOL_NAMES) }),
  );
}

/** The third client: the tool is there, the slug is not, and the same question is asked three times. */
function repeatingClient(): Conversation {
  const talk = arrives('203.0.113.73', '', TOOLS, 15 * HOUR + 2 * MINUTE);
  const session = toolsHandshake(talk);
  for (const wait of [3, 8, 0]) {
    toolsPost(talk, 'tools/call', {
      session,
      name: 'get_page',
      error: { code: -32602, message: 'Invalid params: no page with slug quarterly-plan-2' },
    });
    talk.wait(wait * SECOND);
  }
  return talk;
}

/** A client that misspells a tool once, reads the list, and calls the right one. */
function correctingClient(): Conversation {
  const talk = arrives('198.51.100.74', '', TOOLS, 2 * HOUR + 26 * MINUTE);
  const session = toolsHandshake(talk);
  toolsPost(talk, 'tools/call', {
    session,
    name: 'search_catalogue',
    error: { code: -32602, message: 'Unknown tool: search_catalogue' },
  });
  toolsPost(talk, 'tools/list', { session });
  return visits(talk, 120, 4 * MINUTE, 17 * MINUTE, () => toolsPost(talk, 'tools/call', { session, name: 'search_catalog' }));
}

/** A client whose session the gateway has forgotten: one 404 that bears the session, one handshake, and on it goes. */
function forgottenClient(): Conversation {
  const talk = arrives('198.51.100.75', '', TOOLS, 33 * MINUTE);
  let session = toolsHandshake(talk);
  return visits(talk, 130, 3 * MINUTE, 16 * MINUTE, (index) => {
    if (index === 61) {
      talk.send({ method: 'POST', path: '/mcp', status: 404, session, reason: 'MCP', duration: 0 });
      session = toolsHandshake(talk);
    }
    toolsPost(talk, 'tools/call', { session, name: pick(talk.random, TOOL_NAMES) });
  });
}

/** A client behind a backend that is away for a moment (503) and a limit that is reached (429), with full jitter after both. */
function steadyClient(): Conversation {
  const talk = arrives('2001:db8::76', '', TOOLS, 50 * MINUTE);
  const session = toolsHandshake(talk);
  const call = { session, name: 'list_collections' };
  return visits(talk, 140, 3 * MINUTE, 15 * MINUTE, (index) => {
    if (index % 60 === 17) {
      const refusal = index < 60 ? { status: 503, reason: 'NoHealthyBackend' } : { status: 429, reason: 'RateLimit' };
      for (let attempt = 0; attempt < 3; attempt += 1) {
        toolsPost(talk, 'tools/call', { ...call, ...refusal, duration: 0 });
        talk.wait(fullJitter(talk.random, attempt, 2000));
      }
    }
    toolsPost(talk, 'tools/call', call);
  });
}

/** A directory that grades servers every hour with a bare handshake and a list. */
function grader(): Conversation {
  const talk = arrives('203.0.113.81', '', TOOLS, 27 * MINUTE);
  return visits(talk, 23, 60 * MINUTE, 61 * MINUTE, () => {
    const session = toolsHandshake(talk);
    toolsPost(talk, 'tools/list', { session });
  });
}

const START_UP = [
  '2026-11-01T00:00:00.114201Z\tinfo\tagentgateway\tversion: 1.1.0',
  '2026-11-01T00:00:00.131877Z\tinfo\tstate_manager\tloaded config from File("/etc/agentgateway/config.yaml")',
  '2026-11-01T00:00:00.140015Z\tinfo\tproxy::gateway\tstarted bind bind=bind/3000',
];

/** Returns the logs of the story by name; the two cards beside them are written by hand. */
export function federation(): Record<string, string> {
  const throughNginx = [
    legacyClient(),
    patientClient(),
    throttledClient(),
    authorizingClient(),
    recoveringClient(),
    browserInspector(),
    agentCaller(),
    taskPoller(),
    registryCrawler(),
    healthChecks('192.0.2.10', 'kube-probe/1.34', 4 * MINUTE),
    healthChecks('192.0.2.11', 'ELB-HealthChecker/2.0', 10 * MINUTE),
    ...strangers(),
    prober(),
  ];
  const throughAgentgateway = [
    modernOnlyClient(),
    dualEraClient(),
    repeatingClient(),
    correctingClient(),
    forgottenClient(),
    steadyClient(),
    grader(),
  ];
  const ids = seeded('request ids');
  return {
    'gateway.json.log': linesOf(byEnd(throughNginx).map((exchange) => nginxJson(exchange, ids))),
    'agentgateway.log': linesOf([...START_UP, ...byEnd(throughAgentgateway).map(agentgateway)]),
  };
}
