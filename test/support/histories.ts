// Random histories of clients: a small world of targets and answers in which everything that the replay looks at happens often.
import { UNKNOWN_SIGNAL, type Kind, type Lift, type MemoryFamily, type ProbeRole, type Signal } from '../../src/record.ts';
import type { Database } from '../../src/store/database.ts';
import type { Asked } from './oracle.ts';
import { between, pick, seeded, type Random } from './stories/random.ts';

type Several<T> = readonly [T, ...T[]];

interface WorldTarget {
  authority: string | null;
  http_method: string;
  path: string;
  rpc_method: string | null;
  endpoint: string | null;
  role: ProbeRole;
  step: number;
  gives: Lift;
  isGuess: boolean;
  isScanner: boolean;
}

function target(http_method: string, path: string, more: Partial<WorldTarget> = {}): WorldTarget {
  const none = { authority: 'a.example', rpc_method: null, endpoint: null, role: 'none', step: 0, gives: 'none' } as const;
  return { ...none, http_method, path, isGuess: false, isScanner: false, ...more };
}

const WORLD_TARGETS = {
  call: target('POST', '/mcp', { rpc_method: 'tools/call', endpoint: 'a.example /mcp' }),
  initialize: target('POST', '/mcp', {
    rpc_method: 'initialize',
    endpoint: 'a.example /mcp',
    role: 'initialize',
    gives: 'rpc_read',
  }),
  handshake: target('POST', '/rpc', {
    rpc_method: 'initialize',
    authority: null,
    endpoint: '/rpc',
    role: 'initialize',
    gives: 'handshake',
  }),
  list: target('POST', '/mcp', { rpc_method: 'tools/list', authority: null, gives: 'rpc_read' }),
  stream: target('GET', '/mcp', { endpoint: 'a.example /mcp', role: 'stream' }),
  card: target('GET', '/.well-known/agent-card.json', { role: 'card', gives: 'document_read' }),
  old_card: target('GET', '/.well-known/agent.json', { role: 'card', step: 1, gives: 'document_read' }),
  other_card: target('GET', '/.well-known/agent.json', { authority: 'b.example', role: 'card', step: 1, gives: 'document_read' }),
  token: target('POST', '/token', { authority: 'b.example', gives: 'token' }),
  guess: target('POST', '/mcp/mcp', { isGuess: true }),
  guess_b: target('POST', '/mcp/sse', { isGuess: true, authority: 'b.example' }),
  guess_c: target('GET', '/mcp/sse', { isGuess: true, authority: null }),
  item: target('GET', '/items/1'),
  scan: target('GET', '/wp-login.php', { isScanner: true }),
  preflight: target('OPTIONS', '/mcp/mcp', { isGuess: true }),
  favicon: target('GET', '/favicon.ico', { role: 'noise' }),
  root: target('GET', '/'),
  scan_b: target('GET', '/.env', { isScanner: true }),
  scan_c: target('GET', '/.git/config', { isScanner: true }),
  initialized: target('POST', '/mcp', { rpc_method: 'notifications/initialized', endpoint: 'a.example /mcp' }),
  events: target('GET', '/events'),
  injected: target('GET', '/items/1%0A198.51.100.1%20-%20admin'),
};
export type TargetName = keyof typeof WORLD_TARGETS;
const TARGET_NAMES = Object.keys(WORLD_TARGETS) as unknown as Several<TargetName>;
export const TARGETS: readonly WorldTarget[] = Object.values(WORLD_TARGETS);

interface WorldAnswer {
  status: number | null;
  kind: Kind;
  family: MemoryFamily;
  liftedBy: Lift;
  need: 1 | 2;
  isGood: boolean;
  /** What else its signal shows. */
  shows: Partial<Signal>;
}

function answer(
  status: number | null,
  kind: Kind,
  family: MemoryFamily = 'none',
  liftedBy: Lift = 'none',
  need: 1 | 2 = 1,
): WorldAnswer {
  const isGood = kind === 'ok' && status !== null && (status === 304 || (status < 300 && status !== 202));
  return { status, kind, family, liftedBy, need, isGood, shows: {} };
}

function good(shows: Partial<Signal>): WorldAnswer {
  return { ...answer(200, 'ok'), shows };
}

const WORLD_ANSWERS = {
  ok: answer(200, 'ok'),
  cached: answer(304, 'ok'),
  accepted: answer(202, 'ok'),
  moved: answer(302, 'ok'),
  unsupported: answer(405, 'protocol_not_supported', 'authoritative'),
  undeclared: answer(404, 'interface_not_declared', 'authoritative', 'document_read'),
  no_method: answer(200, 'protocol_not_supported', 'authoritative', 'rpc_read'),
  policy: answer(451, 'policy_refused', 'authoritative'),
  invalid: answer(422, 'semantic', 'semantic'),
  dead_session: answer(404, 'corrective', 'corrective', 'handshake'),
  media_type: answer(415, 'corrective', 'corrective', 'none', 2),
  unauthorized: answer(401, 'auth', 'auth', 'token', 2),
  conflict: answer(409, 'ambiguous', 'ambiguous'),
  throttled: answer(429, 'throttled'),
  failed: answer(503, 'transient'),
  gone: answer(499, 'client_gone'),
  garbage: answer(null, 'noise'),
  streamed: good({ is_stream: 'yes' }),
  modern: good({ protocol_version: '2026-07-28', has_session: 'yes' }),
  modern_plain: good({ protocol_version: '2026-07-28', has_session: 'no' }),
  legacy: good({ protocol_version: '2025-11-25', has_session: 'yes' }),
};
export type AnswerName = keyof typeof WORLD_ANSWERS;
const ANSWER_NAMES = Object.keys(WORLD_ANSWERS) as unknown as Several<AnswerName>;
export const ANSWERS: readonly WorldAnswer[] = Object.values(WORLD_ANSWERS);

const SECOND = 1_000_000;
const SHORT_GAPS = [0, 0, 1, 1, 2, 5] as const;
const LONG_GAPS = [0, 60, 600, 1800, 1801, 5 * 3600, 24 * 3600, 24 * 3600 + 1] as const;
/** Second 0 of every history, in microseconds. */
export const START = 1_764_000_000 * SECOND;

/** Returns the requests of many clients that have nothing to do with each other, the same for the same seed. */
export function randomHistories(seed: string, clients: number): Asked[] {
  const random = seeded(seed);
  const lines = [0, 0, 0];
  return Array.from({ length: clients }, (_, client) => {
    const manner = random() < 0.25 ? pick(random, STORMY) : ANYHOW;
    return randomClient(String(client + 1), random, lines, manner);
  }).flat();
}

/** What a client asks for, what it is answered, and how much: most clients any few of all, some what makes a rarer storm. */
interface Manner {
  targets: Several<TargetName>;
  answers: Several<AnswerName>;
  requests: number;
}

const ANYHOW: Manner = { targets: TARGET_NAMES, answers: ANSWER_NAMES, requests: 24 };
const STORMY: Several<Manner> = [
  { targets: ['item', 'call'], answers: ['throttled', 'failed'], requests: 16 },
  { targets: ['call', 'initialize'], answers: ['ok', 'dead_session', 'dead_session'], requests: 24 },
  { targets: ['card', 'guess', 'guess_b', 'call'], answers: ['ok', 'undeclared'], requests: 24 },
  {
    targets: ['initialize', 'initialized', 'call', 'stream'],
    answers: ['ok', 'accepted', 'invalid', 'dead_session', 'failed'],
    requests: 40,
  },
  { targets: ['item', 'root', 'guess', 'stream'], answers: ['moved', 'undeclared', 'unauthorized', 'throttled'], requests: 40 },
  { targets: ['stream', 'events', 'call'], answers: ['ok', 'streamed', 'accepted', 'failed'], requests: 80 },
];

/** Returns one to four of a list, as places in the list of all. */
function some<T>(random: Random, list: Several<T>, all: Several<T>): [number, ...number[]] {
  const place = () => all.indexOf(pick(random, list));
  return [place(), ...Array.from({ length: between(random, 0, 3) }, place)];
}

function randomClient(client: string, random: Random, lines: number[], manner: Manner): Asked[] {
  const targets = some(random, manner.targets, TARGET_NAMES);
  const answers = some(random, manner.answers, ANSWER_NAMES);
  const [first] = answers;
  const usual = random() < 0.5;
  const isUntimed = random() < 0.06;
  const asksToWait = random() < 0.5;
  const tokens = random() < 0.4 ? between(random, 1, 3) : 0;
  let ts = START;
  return Array.from({ length: between(random, 1, manner.requests) }, () => {
    ts += pick(random, random() < (manner === ANYHOW ? 0.6 : 0.9) ? SHORT_GAPS : LONG_GAPS) * SECOND;
    const at = pick(random, targets);
    const wanted = usual && random() < 0.7 ? first : pick(random, answers);
    const source = random() < 0.8 ? 0 : 1;
    const line = (lines[source] ?? 0) + 1;
    lines[source] = line;
    const isArgued = random() < 0.2;
    return ask(client, {
      source,
      line,
      ts: isUntimed || random() < 0.02 ? null : ts,
      duration_us: pick(random, [null, 0, 0, SECOND, 3 * SECOND, 90 * SECOND]),
      session:
        ANSWERS[wanted]?.kind !== 'noise' && tokens > 0 && random() < 0.6 ? `${client}${between(random, 1, tokens)}` : null,
      target: at,
      answer: wanted,
      operation: `${at + 1}${isArgued ? '7' : ''}`,
      retry_after_ms: asksToWait && random() < 0.8 ? pick(random, [0, 1000, 2000, 5000, 90_000]) : null,
    });
  });
}

interface Ask {
  source: number;
  line: number;
  part?: number;
  ts: number | null;
  duration_us?: number | null;
  session?: string | null;
  /** Places in TARGETS and ANSWERS. */
  target: number;
  answer: number;
  operation?: string;
  retry_after_ms?: number | null;
  attempts?: number | null;
}

type Numbered = Asked & { targetNo: number; answerNo: number; attempts: number | null };

function ask(client: string, given: Ask): Numbered {
  const { role, step, gives, isGuess, isScanner, authority, http_method, path, rpc_method, endpoint } = TARGETS[given.target]!;
  const { status, kind, family, liftedBy, need, shows, ...said } = ANSWERS[given.answer]!;
  const isSuccess = kind === 'ok' && status !== null && status < 300;
  const isGood = said.isGood || (isSuccess && rpc_method?.startsWith('notifications/') === true);
  const isRedirect = status !== null && status >= 300 && status < 400 && status !== 304;
  return {
    client,
    source: given.source,
    line: given.line,
    part: given.part ?? 0,
    ts: given.ts,
    duration_us: given.duration_us ?? null,
    session: given.session ?? null,
    operation: given.operation ?? String(given.target + 1),
    retry_after_ms: given.retry_after_ms ?? null,
    target: { authority, http_method, path, rpc_method, endpoint, role, step, gives, isUndeclaredGuess: isGuess, isScanner },
    answer: { kind, family, liftedBy, need, isGood, isSuccess, isStream: shows.is_stream === 'yes', isRedirect },
    attempts: given.attempts ?? null,
    targetNo: given.target,
    answerNo: given.answer,
  };
}

/** One request by hand: seconds (null without a stamp), target, answer, and what differs from the plain case. */
export type Told = readonly [
  seconds: number | null,
  target: TargetName,
  answer: AnswerName,
  more?: Partial<Ask> & { client?: string },
];

/** Returns a history told by hand; lines count from 1 in one source. */
export function tell(...told: readonly Told[]): Asked[] {
  return told.map(([seconds, targetName, answerName, { client = '1', ...more } = {}], index) =>
    ask(client, {
      source: 0,
      line: index + 1,
      ts: seconds === null ? null : START + Math.round(seconds * SECOND),
      target: TARGET_NAMES.indexOf(targetName),
      answer: ANSWER_NAMES.indexOf(answerName),
      ...more,
    }),
  );
}

/** Fills the base tables with a history. Ids are small numbers, source names rank as the history numbers them. */
export async function storeHistory(database: Database, history: readonly Asked[]): Promise<void> {
  const clients = [...new Set(history.map(({ client }) => client))];
  const endpoints = [...new Set(TARGETS.map(({ endpoint }) => endpoint))];
  await database.insert(
    'clients',
    clients.map((id) => ({ id, address: `192.0.2.${id}`, key: `client ${id}` })),
  );
  await database.insert(
    'targets',
    TARGETS.map((each, index) => ({
      id: index + 1,
      authority: each.authority,
      http_method: each.http_method,
      path: each.path,
      rpc_method: each.rpc_method,
      protocol: 'mcp',
      declared: each.isGuess ? 'undeclared' : 'unknown',
      declared_by: 'document',
      endpoint: each.endpoint === null ? null : 1000 + endpoints.indexOf(each.endpoint),
      probe_role: each.role,
      probe_step: each.step,
      gives: each.gives,
      is_template: false,
      is_tool_declared: false,
      is_protocol_shaped: each.isGuess,
      is_scanner: each.isScanner,
    })),
  );
  await database.insert(
    'signals',
    ANSWERS.map(({ status, shows }, index) => ({ ...UNKNOWN_SIGNAL, ...shows, id: index + 1, status })),
  );
  await database.insert(
    'verdicts',
    TARGETS.flatMap((_, targetNo) =>
      ANSWERS.map(({ kind, family, liftedBy, need }, answerNo) => ({
        target: targetNo + 1,
        signal: answerNo + 1,
        kind,
        reason: `${kind}_${answerNo + 1}`,
        advice: 'ABSTAIN',
        confidence: 'certain',
        memory_family: family,
        lifted_by: liftedBy,
        need,
      })),
    ),
  );
  const sources = [...new Set(history.map(({ source }) => source))].toSorted((a, b) => a - b);
  await database.insert(
    'sources',
    sources.map((source) => ({ id: source + 1, name: `${source}.log`, format: 'json', lines: 0, records: 0 })),
  );
  await database.insert(
    'requests',
    (history as Numbered[]).map((each) => ({
      source: each.source + 1,
      line: each.line,
      part: each.part,
      ts: each.ts,
      duration_us: each.duration_us,
      client: each.client,
      session_token: each.session,
      target: each.targetNo + 1,
      operation: each.operation,
      signal: each.answerNo + 1,
      response_bytes: 100 + each.line,
      retry_after_ms: each.retry_after_ms,
      attempts: each.attempts,
    })),
  );
}
