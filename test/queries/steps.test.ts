// Each step over a handful of requests told by hand.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database, type Row } from '../../src/store/database.ts';
import { runReport, runSteps, type SettingValues } from '../../src/store/steps.ts';
import { tell, START, storeHistory, type Told } from '../support/histories.ts';

async function stored(told: readonly Told[], settings: SettingValues = {}): Promise<Database> {
  const database = await openDatabase({ threads: 1 });
  await storeHistory(database, tell(...told));
  await runSteps(database, settings);
  return database;
}

async function rowsOf(told: readonly Told[], sql: string, settings: SettingValues = {}): Promise<Row[]> {
  const database = await stored(told, settings);
  const rows = await database.rows(sql, sql);
  await database.close();
  return rows;
}

const DAY = 24 * 3600;

interface Case {
  step: string;
  title: string;
  told: readonly Told[];
  settings?: SettingValues;
  sql: string;
  rows: readonly Row[];
}

const times = (n: number, each: (index: number) => Told): Told[] => Array.from({ length: n }, (_, index) => each(index));
const BY_LINE = 'SELECT line FROM';

const CASES: readonly Case[] = [
  {
    step: 'dated_requests',
    title: 'since is in the window, until is not, and what has no stamp cannot be shown to be in it',
    told: [
      [0, 'call', 'ok'],
      [10, 'call', 'ok'],
      [20, 'call', 'ok'],
      [null, 'call', 'ok'],
    ],
    settings: { since_us: START + 10e6, until_us: START + 20e6 },
    sql: `${BY_LINE} dated_requests ORDER BY line`,
    rows: [{ line: 2 }],
  },
  {
    step: 'known_requests',
    title: 'one client can be chosen by its key',
    told: [
      [0, 'call', 'ok', { client: '1' }],
      [1, 'call', 'ok', { client: '2' }],
    ],
    settings: { client_key: 'client 2' },
    sql: `${BY_LINE} known_requests ORDER BY line`,
    rows: [{ line: 2 }],
  },
  {
    step: 'episodes',
    title: 'a pause longer than the gap ends an episode, a pause of just the gap does not, and noise bridges nothing',
    told: [
      [0, 'call', 'ok'],
      [1800, 'call', 'ok'],
      [3000, 'call', 'garbage'],
      [3601, 'call', 'ok'],
    ],
    sql: `SELECT DISTINCT (episode - ${START}) / 1000000 AS s FROM episodes ORDER BY s`,
    rows: [{ s: 0 }, { s: 3601 }],
  },
  {
    step: 'sessions',
    title: 'logged ids are sessions, and so are episodes without one',
    told: [
      [0, 'initialize', 'ok'],
      [1, 'call', 'ok', { session: '7' }],
      [2, 'call', 'ok', { session: '8' }],
      [9000, 'call', 'ok', { session: '7' }],
      [20_000, 'card', 'ok'],
    ],
    sql: `SELECT session_token, (end_us - start_us) / 1000000 AS s FROM sessions ORDER BY session_token`,
    rows: [
      { session_token: 0, s: 0 },
      { session_token: 7, s: 8999 },
      { session_token: 8, s: 0 },
    ],
  },
  {
    step: 'watched_sessions',
    title: 'a request without an id joins the next session to begin, else the last one',
    told: [
      [0, 'stream', 'unsupported'],
      [1, 'call', 'ok', { session: '7' }],
      [2, 'stream', 'unsupported'],
      [3, 'call', 'ok', { session: '8' }],
      [4, 'stream', 'unsupported'],
    ],
    sql: `SELECT w.line AS line, s.session_token AS session_token FROM watched_sessions s JOIN watched_requests w ON w.client = s.client AND w.seq = s.seq ORDER BY line`,
    rows: [
      { line: 1, session_token: 7 },
      { line: 3, session_token: 8 },
      { line: 5, session_token: 8 },
    ],
  },
  {
    step: 'monitors',
    title: 'ten steady requests of a health path make a monitor, nine or uneven ones do not',
    told: [
      ...times(10, (index): Told => [index * 60, 'root', 'unauthorized', { client: '1' }]),
      ...times(9, (index): Told => [index * 60, 'root', 'unauthorized', { client: '2' }]),
      ...times(10, (index): Told => [index * index * 60, 'root', 'unauthorized', { client: '3' }]),
      ...times(10, (index): Told => [index * 60, 'root', 'unauthorized', { client: '4' }]),
      [601, 'item', 'ok', { client: '4' }],
    ],
    sql: 'SELECT client, n_requests FROM monitors',
    rows: [{ client: 1, n_requests: 10 }],
  },
  {
    step: 'sanctioned_requests',
    title: 'one run through an ordered family per session is sanctioned',
    told: [
      [0, 'card', 'undeclared'],
      [1, 'old_card', 'undeclared'],
      [2, 'card', 'undeclared'],
      [3, 'old_card', 'undeclared'],
      [9000, 'card', 'undeclared'],
    ],
    sql: `SELECT w.line AS line FROM sanctioned_requests s JOIN watched_requests w ON w.client = s.client AND w.seq = s.seq ORDER BY line`,
    rows: [{ line: 1 }, { line: 2 }, { line: 5 }],
  },
  {
    step: 'gate_replay',
    title: 'the first refusal is free, its repeats are avoidable, and every day one is free again',
    told: [
      [0, 'guess', 'undeclared'],
      [60, 'guess', 'undeclared'],
      [DAY, 'guess', 'undeclared'],
      [DAY + 1, 'guess', 'undeclared'],
    ],
    sql: 'SELECT line, kind, outcome FROM gate_replay ORDER BY line',
    rows: [
      { line: 2, kind: 'interface_not_declared', outcome: 'avoidable' },
      { line: 4, kind: 'interface_not_declared', outcome: 'avoidable' },
    ],
  },
  {
    step: 'gate_replay',
    title: 'a repeat that starts before the refusal has ended was in flight',
    told: [
      [0, 'item', 'unsupported', { duration_us: 5e6 }],
      [4, 'item', 'unsupported'],
      [5, 'item', 'unsupported'],
    ],
    sql: 'SELECT line, outcome FROM gate_replay ORDER BY line',
    rows: [{ line: 3, outcome: 'avoidable' }],
  },
  {
    step: 'gate_replay',
    title: 'a good answer held back is harm where a refusal for good holds it, and nothing where another does',
    told: [
      [0, 'item', 'invalid'],
      [1, 'item', 'ok'],
      [2, 'call', 'unauthorized'],
      [3, 'call', 'unauthorized'],
      [4, 'call', 'ok'],
      [5, 'call', 'conflict'],
      [6, 'call', 'conflict'],
    ],
    sql: 'SELECT line, kind, outcome, is_ambiguous_repeat FROM gate_replay ORDER BY line',
    rows: [
      { line: 2, kind: 'semantic', outcome: 'harm', is_ambiguous_repeat: false },
      { line: 5, kind: 'auth', outcome: 'under_gate', is_ambiguous_repeat: false },
      { line: 7, kind: 'ambiguous', outcome: 'under_gate', is_ambiguous_repeat: true },
    ],
  },
  {
    step: 'lift_counts',
    title: 'a card read lifts refusals of its authority and of unnamed ones, an OAuth token lifts all that wait for one',
    told: [
      [0, 'guess', 'undeclared'],
      [1, 'guess_b', 'undeclared'],
      [2, 'guess_c', 'undeclared'],
      [3, 'card', 'ok'],
      [4, 'guess', 'undeclared'],
      [5, 'guess_b', 'undeclared'],
      [6, 'guess_c', 'undeclared'],
      [7, 'call', 'unauthorized'],
      [8, 'call', 'unauthorized'],
      [9, 'token', 'ok'],
      [10, 'call', 'unauthorized'],
    ],
    sql: 'SELECT line FROM gate_replay ORDER BY line',
    rows: [{ line: 6 }],
  },
  {
    step: 'lift_counts',
    title: 'a dead session ends with a handshake, which is an RPC read too; other correctives are free once more',
    told: [
      [0, 'call', 'dead_session'],
      [1, 'call', 'dead_session'],
      [2, 'list', 'no_method'],
      [3, 'initialize', 'ok'],
      [4, 'call', 'dead_session'],
      [5, 'list', 'no_method'],
      [6, 'item', 'media_type'],
      [7, 'item', 'media_type'],
      [8, 'item', 'media_type'],
    ],
    sql: 'SELECT line, kind FROM gate_replay ORDER BY line',
    rows: [
      { line: 2, kind: 'corrective' },
      { line: 9, kind: 'corrective' },
    ],
  },
  {
    step: 'avoidable_firsts',
    title: 'a first guess was avoidable once the card of that authority had been read',
    told: [
      [0, 'guess', 'undeclared'],
      [1, 'card', 'ok'],
      [2, 'guess', 'undeclared'],
      [3, 'guess_b', 'undeclared'],
      [4, 'guess_c', 'undeclared'],
    ],
    sql: `SELECT w.line AS line FROM avoidable_firsts f JOIN watched_requests w ON w.client = f.client AND w.seq = f.seq ORDER BY line`,
    rows: [{ line: 3 }, { line: 5 }],
  },
  {
    step: 'retries',
    title: 'the budget is three retries, and a good answer fills it again',
    told: [
      ...times(6, (index): Told => [index, 'item', 'failed']),
      [6, 'item', 'ok'],
      [7, 'item', 'failed'],
      [8, 'item', 'failed'],
    ],
    sql: 'SELECT line, retry_no, is_overrun FROM retries ORDER BY line',
    rows: [
      { line: 2, retry_no: 1, is_overrun: false },
      { line: 3, retry_no: 2, is_overrun: false },
      { line: 4, retry_no: 3, is_overrun: false },
      { line: 5, retry_no: 4, is_overrun: true },
      { line: 6, retry_no: 5, is_overrun: true },
      { line: 7, retry_no: 6, is_overrun: false },
      { line: 9, retry_no: 1, is_overrun: false },
    ],
  },
  {
    step: 'retries',
    title: 'what starts before the failure has ended is no retry, and a second of Retry-After may be missing',
    told: [
      [0, 'item', 'throttled', { retry_after_ms: 10_000, duration_us: 2e6 }],
      [1, 'item', 'throttled', { retry_after_ms: 10_000 }],
      [9, 'item', 'throttled', { retry_after_ms: 10_000 }],
      [18, 'item', 'throttled', { retry_after_ms: 10_000 }],
    ],
    sql: 'SELECT line, wait_us / 1000000 AS s, is_early FROM retries ORDER BY line',
    rows: [
      { line: 3, s: 8, is_early: true },
      { line: 4, s: 9, is_early: false },
    ],
  },
  {
    step: 'discovery_levels',
    title: 'what had been read of that authority, or of an unnamed one, before the request',
    told: [
      [0, 'guess', 'undeclared'],
      [1, 'root', 'ok'],
      [2, 'guess', 'undeclared'],
      [3, 'card', 'cached'],
      [4, 'guess', 'undeclared'],
      [5, 'guess_b', 'undeclared'],
      [6, 'guess_c', 'undeclared'],
      [7, 'list', 'ok'],
      [8, 'guess', 'undeclared'],
      [9, 'guess_b', 'undeclared'],
      [10, 'guess_b', 'undeclared', { client: '2' }],
    ],
    sql: `SELECT line, discovery FROM requests_tagged WHERE kind = 'interface_not_declared' ORDER BY line`,
    rows: ['R0', 'R1', 'R2', 'R0', 'R2', 'R3', 'R3', 'R0'].map((discovery, index) => ({
      line: [1, 3, 5, 6, 7, 9, 10, 11][index]!,
      discovery,
    })),
  },
  {
    step: 'discovery_levels',
    title: 'an answer counts for what comes after it, not for itself, and a refused read for nothing',
    told: [
      [0, 'initialize', 'conflict'],
      [1, 'initialize', 'ok'],
      [1, 'call', 'invalid'],
      [2, 'call', 'ok'],
    ],
    sql: 'SELECT line, discovery FROM requests_tagged ORDER BY line',
    rows: [
      { line: 1, discovery: 'R0' },
      { line: 2, discovery: 'R0' },
      { line: 3, discovery: 'R2' },
      { line: 4, discovery: 'R2' },
    ],
  },
  {
    step: 'probe_families',
    title: 'the family and its maximum, and whether this step was free',
    told: [
      [0, 'card', 'undeclared'],
      [1, 'old_card', 'undeclared'],
      [2, 'card', 'undeclared'],
      [3, 'stream', 'unsupported'],
      [4, 'guess', 'undeclared'],
    ],
    sql: 'SELECT line, probe_family, probe_maximum, is_sanctioned FROM requests_tagged ORDER BY line',
    rows: [
      { line: 1, probe_family: 'P10', probe_maximum: 5, is_sanctioned: true },
      { line: 2, probe_family: 'P10', probe_maximum: 5, is_sanctioned: true },
      { line: 3, probe_family: 'P10', probe_maximum: 5, is_sanctioned: false },
      { line: 4, probe_family: 'P4', probe_maximum: 1, is_sanctioned: true },
      { line: 5, probe_family: null, probe_maximum: null, is_sanctioned: false },
    ],
  },
  {
    step: 'follow_ups',
    title: 'a handshake after a dead session, the request once more, a token, and the first repeat after any other corrective',
    told: [
      [0, 'initialize', 'ok'],
      [1, 'call', 'dead_session'],
      [2, 'call', 'dead_session'],
      [3, 'initialize', 'ok'],
      [4, 'call', 'ok'],
      [5, 'initialize', 'ok'],
      [6, 'item', 'unauthorized'],
      [7, 'token', 'ok'],
      [8, 'item', 'unauthorized'],
      [9, 'root', 'media_type'],
      [10, 'root', 'media_type'],
      [11, 'root', 'media_type'],
    ],
    sql: 'SELECT line FROM requests_tagged WHERE is_follow_up ORDER BY line',
    rows: [4, 5, 8, 9, 11].map((line) => ({ line })),
  },
  {
    step: 'hindsights',
    title: 'undecided refusals were transient if a good answer came, persistent if three tries never got one',
    told: [
      [0, 'item', 'conflict'],
      [1, 'item', 'ok'],
      [2, 'item', 'conflict'],
      [3, 'root', 'conflict'],
      [4, 'root', 'conflict'],
      [5, 'root', 'conflict'],
      [6, 'root', 'failed'],
      [7, 'call', 'invalid'],
    ],
    sql: 'SELECT line, hindsight FROM requests_tagged WHERE hindsight IS NOT NULL ORDER BY line',
    rows: ['transient', 'undecided', 'persistent', 'persistent', 'persistent'].map((hindsight, index) => ({
      line: [1, 3, 4, 5, 6][index]!,
      hindsight,
    })),
  },
  {
    step: 'spared',
    title: 'bytes, server time and waiting are those of the avoidable requests of a run',
    told: [
      [0, 'item', 'unsupported', { duration_us: 1e6 }],
      [10, 'item', 'unsupported', { duration_us: 2e6 }],
      [20, 'item', 'unsupported', { duration_us: 3e6 }],
    ],
    sql: 'SELECT n_avoidable, response_bytes, server_us, client_wait_us FROM spared',
    rows: [{ n_avoidable: 2, response_bytes: 205, server_us: 5e6, client_wait_us: 13e6 }],
  },
];

describe.each(CASES)('$step', ({ title, told, sql, rows, settings }) => {
  test(title, async () => {
    expect(await rowsOf(told, sql, settings)).toEqual(rows);
  });
});

interface StormCase {
  kind: string;
  /** What is that storm, and its lines. */
  storm: { title: string; told: readonly Told[]; lines: readonly number[] };
  /** What looks like it and is none. */
  twins: Readonly<Record<string, readonly Told[]>>;
}

const span = (low: number, high: number): number[] => Array.from({ length: high - low + 1 }, (_, index) => low + index);

const STORMS: readonly StormCase[] = [
  {
    kind: 'stale_session',
    storm: {
      title: 'four refusals of a session that was good before',
      told: [[0, 'call', 'ok'], ...times(4, (index): Told => [1 + index, 'call', 'dead_session']), [5, 'initialize', 'ok']],
      lines: [2, 3, 4, 5],
    },
    twins: {
      'three refusals, then a handshake': [
        [0, 'call', 'ok'],
        ...times(3, (index): Told => [1 + index, 'call', 'dead_session']),
        [5, 'initialize', 'ok'],
      ],
      'a session that never was': times(6, (index): Told => [index, 'call', 'dead_session']),
      'an endpoint that answers again by itself': [
        [0, 'call', 'ok'],
        ...times(5, (index): Told => [1 + index, 'call', 'dead_session']),
        [7, 'call', 'ok'],
      ],
    },
  },
  {
    kind: 'auth_loop',
    storm: {
      title: 'three repeats beyond the one that a fresh token allows',
      told: times(5, (index): Told => [index, 'call', 'unauthorized']),
      lines: [1, 2, 3, 4, 5],
    },
    twins: {
      'one retry after each token': [
        [0, 'call', 'unauthorized'],
        [1, 'token', 'ok'],
        [2, 'call', 'unauthorized'],
        [3, 'token', 'ok'],
        [4, 'call', 'ok'],
      ],
      'two repeats a day': [0, 1, 2, 3, DAY + 4, DAY + 5, DAY + 6, DAY + 7].map((seconds): Told => [
        seconds,
        'call',
        'unauthorized',
      ]),
    },
  },
  {
    kind: 'auth_loop',
    storm: {
      title: 'three tokens, each followed by the same refusal',
      told: times(7, (index): Told => (index % 2 === 0 ? [index, 'call', 'unauthorized'] : [index, 'token', 'ok'])),
      lines: [1, 3, 5, 7],
    },
    twins: {},
  },
  {
    kind: 'path_guessing',
    storm: {
      title: 'two guesses and another refusal, with their repeats',
      told: [
        [0, 'card', 'ok'],
        [1, 'guess', 'undeclared'],
        [2, 'guess_b', 'undeclared'],
        [3, 'stream', 'unsupported'],
        [4, 'guess', 'undeclared'],
        [5, 'scan', 'undeclared'],
        [6, 'item', 'invalid'],
      ],
      lines: [2, 3, 4, 5],
    },
    twins: {
      'three paths of which one is a guess': [
        [0, 'guess', 'undeclared'],
        [1, 'stream', 'unsupported'],
        [2, 'item', 'undeclared'],
      ],
      'two guesses in one episode and two in the next': [
        [0, 'guess', 'undeclared'],
        [1, 'guess_b', 'undeclared'],
        [3000, 'guess', 'undeclared'],
        [3001, 'guess_b', 'undeclared'],
      ],
      'a scan': [
        [0, 'scan', 'undeclared'],
        [1, 'scan_b', 'undeclared'],
        [2, 'scan_c', 'undeclared'],
      ],
      'discovery that finds nothing': [
        [0, 'card', 'undeclared'],
        [1, 'old_card', 'undeclared'],
        [2, 'stream', 'unsupported'],
      ],
    },
  },
  {
    kind: 'throttle_hammering',
    storm: {
      title: 'three retries before Retry-After, and the answers they ignored',
      told: times(4, (index): Told => [index, 'item', 'throttled', { retry_after_ms: 30_000 }]),
      lines: [1, 2, 3, 4],
    },
    twins: {
      'waits that grow': [0, 1, 3, 7, 15].map((seconds): Told => [seconds, 'item', 'throttled']),
      'retries after Retry-After': times(5, (index): Told => [index * 30, 'item', 'throttled', { retry_after_ms: 30_000 }]),
      'requests in flight together': times(6, (): Told => [0, 'item', 'throttled', { duration_us: 1e6, retry_after_ms: 5000 }]),
    },
  },
  {
    kind: 'throttle_hammering',
    storm: {
      title: 'waits that do not grow where none is asked for',
      told: times(5, (index): Told => [index * 2, 'item', 'throttled']),
      lines: [1, 2, 3, 4, 5],
    },
    twins: {
      'waits that do not grow, with a good answer in between': [
        ...times(3, (index): Told => [index * 2, 'item', 'throttled']),
        [6, 'item', 'ok'],
        ...times(3, (index): Told => [8 + index * 2, 'item', 'throttled']),
      ],
    },
  },
  {
    kind: 'transient_hammering',
    storm: {
      title: 'three retries beyond the budget',
      told: times(7, (index): Told => [index, 'item', 'failed']),
      lines: span(1, 7),
    },
    twins: {
      'six attempts': times(6, (index): Told => [index, 'item', 'failed']),
      'four attempts in each of three episodes': times(12, (index): Told => [
        Math.floor(index / 4) * 4000 + index,
        'item',
        'failed',
      ]),
    },
  },
  {
    kind: 'refused_repeat',
    storm: {
      title: 'three avoidable repeats, with the refusal they repeat',
      told: [
        [0, 'item', 'policy'],
        [1, 'item', 'policy'],
        [2, 'item', 'ok', { client: '2' }],
        [3, 'item', 'policy'],
        [4, 'item', 'policy'],
      ],
      lines: [1, 2, 4, 5],
    },
    twins: {
      'two repeats': times(3, (index): Told => [index, 'item', 'policy']),
      'one refused stream in each of five sessions': times(5, (index): Told => [
        index * 10,
        'stream',
        'unsupported',
        { session: `${index + 1}` },
      ]),
      'a monitor that is refused all day': times(12, (index): Told => [index * 60, 'root', 'policy']),
    },
  },
  {
    kind: 'semantic_repeat',
    storm: {
      title: 'three unchanged repeats of bad parameters',
      told: times(4, (index): Told => [index, 'call', 'invalid']),
      lines: [1, 2, 3, 4],
    },
    twins: {
      'changed arguments': times(6, (index): Told => [index, 'call', 'invalid', { operation: `1${index}` }]),
      'repeats that end well in the episode': [...times(5, (index): Told => [index, 'call', 'invalid']), [6, 'call', 'ok']],
      'a dead session': times(5, (index): Told => [index, 'call', 'dead_session']),
    },
  },
  {
    kind: 'reinitialize_loop',
    storm: {
      title: 'five handshakes: nothing is asked after them, or what is asked is refused',
      told: [
        [0, 'initialize', 'ok'],
        [1, 'initialized', 'accepted'],
        [2, 'stream', 'unsupported'],
        [10, 'initialize', 'ok'],
        [11, 'call', 'dead_session'],
        [20, 'initialize', 'ok'],
        [21, 'call', 'ok'],
        [22, 'call', 'unauthorized'],
        [30, 'initialize', 'ok'],
        [40, 'initialize', 'ok'],
      ],
      lines: [1, 4, 6, 9, 10],
    },
    twins: {
      'one handshake after a session that died': [
        [0, 'initialize', 'ok'],
        [1, 'call', 'ok'],
        [2, 'call', 'dead_session'],
        [3, 'initialize', 'ok'],
        [4, 'call', 'ok'],
      ],
      'many short sessions, each of some use': times(24, (index): Told => [
        index,
        index % 3 === 0 ? 'initialize' : 'call',
        index % 3 === 1 ? 'invalid' : 'ok',
      ]),
      'sessions that fail for the moment': times(12, (index): Told =>
        index % 2 === 0 ? [index, 'initialize', 'ok'] : [index, 'call', 'failed'],
      ),
      'handshakes that are refused': times(6, (index): Told => [index, 'initialize', 'conflict']),
      'four in one episode and four in the next': times(8, (index): Told => [
        index < 4 ? index : 4000 + index,
        'initialize',
        'ok',
      ]),
    },
  },
  {
    kind: 'redirect_loop',
    storm: {
      title: 'a redirect taken five times to a login that never answers well',
      told: times(10, (index): Told => (index % 2 === 0 ? [index, 'item', 'moved'] : [index, 'root', 'unsupported'])),
      lines: span(1, 10),
    },
    twins: {
      'a trailing slash': times(12, (index): Told => (index % 2 === 0 ? [index, 'item', 'moved'] : [index, 'root', 'ok'])),
      'a redirect that leads somewhere at last': times(12, (index): Told =>
        index % 2 === 0 ? [index, 'item', 'moved'] : [index, 'root', index === 11 ? 'ok' : 'gone'],
      ),
      'taken four times': times(8, (index): Told => (index % 2 === 0 ? [index, 'item', 'moved'] : [index, 'root', 'gone'])),
    },
  },
  {
    kind: 'redirect_loop',
    storm: {
      title: 'three paths that redirect to one another',
      told: times(16, (index): Told => [index, (['item', 'root', 'guess'] as const)[index % 3]!, 'moved']),
      lines: span(1, 16),
    },
    twins: {
      'documents that were not modified': times(12, (index): Told => [index, index % 2 === 0 ? 'item' : 'root', 'cached']),
    },
  },
  {
    kind: 'reconnect_loop',
    storm: {
      title: 'a stream that ends at once and is opened again every second',
      told: times(20, (index): Told => [index, 'stream', 'ok']),
      lines: span(1, 20),
    },
    twins: {
      'a stream that is resumed every 30 seconds': times(40, (index): Told => [index * 30, 'stream', 'ok']),
      'nineteen streams': times(19, (index): Told => [index, 'stream', 'ok']),
      'a task that is polled': times(40, (index): Told => [index, 'item', 'ok']),
      'streams without stamps': times(40, (): Told => [null, 'stream', 'ok']),
    },
  },
  {
    kind: 'reconnect_loop',
    storm: {
      title: 'an event stream that is no MCP endpoint, half of the gaps short',
      told: times(21, (index): Told => [index * 30 - (index % 2) * 25, 'events', 'streamed']),
      lines: span(1, 21),
    },
    twins: {
      'less than half of the gaps short': times(22, (index): Told => [
        index * 30 - (index % 2 === 1 && index > 1 ? 25 : 0),
        'events',
        'streamed',
      ]),
    },
  },
];

/** All storms and twins as one log: each has its own clients, and `part` numbers it. */
interface Tale {
  title: string;
  told: readonly Told[];
  kind: string;
  lines: readonly number[];
}

const TALES = STORMS.flatMap(({ kind, storm, twins }): Tale[] => {
  const tale: Tale = { title: `${kind}: ${storm.title}`, told: storm.told, kind, lines: storm.lines };
  return [tale].concat(Object.entries(twins).map(([title, told]) => ({ title: `no ${kind}: ${title}`, told, kind, lines: [] })));
});

describe('storms', () => {
  let database: Database;

  beforeAll(async () => {
    const all = TALES.flatMap(({ told }, part) =>
      tell(...told).map((asked) => Object.assign(asked, { part, client: `${part + 1}0${asked.client}` })),
    );
    database = await openDatabase({ threads: 1 });
    await storeHistory(database, all);
    await runSteps(database);
  });

  afterAll(() => database.close());

  test.each(TALES)('$title', async (tale) => {
    const rows = tale.lines.map((line) => ({ storm_kind: tale.kind, line }));
    const part = TALES.indexOf(tale);
    expect(await database.rows(`SELECT storm_kind, line FROM storm_requests WHERE part = ${part} ORDER BY line`)).toEqual(rows);
  });

  test('a request belongs to the first kind that takes it', async () => {
    const told: Told[] = [
      [0, 'guess', 'undeclared'],
      [1, 'guess_b', 'undeclared'],
      [2, 'item', 'policy'],
      ...times(4, (index): Told => [3 + index, 'guess', 'undeclared']),
    ];
    expect(await rowsOf(told, 'SELECT storm_kind, n_requests, n_avoidable, n_under_gate FROM storms')).toEqual([
      { storm_kind: 'path_guessing', n_requests: 7, n_avoidable: 4, n_under_gate: 3 },
    ]);
  });
});

interface FindingCase {
  rule: string;
  /** Requests that make the finding, and how many it counts. */
  found: readonly Told[];
  requests: number;
  twins: Readonly<Record<string, readonly Told[]>>;
}

const FINDINGS: readonly FindingCase[] = [
  {
    rule: 'refusal_unstable',
    found: [
      [0, 'item', 'policy'],
      [1, 'item', 'ok'],
      [2, 'item', 'policy'],
      [3, 'item', 'ok'],
    ],
    requests: 4,
    twins: {
      'a refusal that was mended': [
        [0, 'item', 'policy'],
        [1, 'item', 'policy'],
        [2, 'item', 'ok'],
        [3, 'item', 'ok'],
      ],
    },
  },
  {
    rule: 'recurring_refusal',
    found: times(3, (index): Told => [index * 4000, 'stream', 'unsupported']),
    requests: 3,
    twins: {
      'two sessions': times(2, (index): Told => [index * 4000, 'stream', 'unsupported']),
      'twice in one of the sessions': [0, 4000, 8000, 8001].map((seconds): Told => [seconds, 'stream', 'unsupported']),
      'answered in one of the sessions': [
        [0, 'stream', 'unsupported'],
        [4000, 'stream', 'ok'],
        [8000, 'stream', 'unsupported'],
        [12_000, 'stream', 'unsupported'],
      ],
    },
  },
  {
    rule: 'unmet_demand',
    found: times(3, (index): Told => [index, 'guess', 'undeclared', { client: `${index + 1}` }]),
    requests: 3,
    twins: {
      'one client, often': times(3, (index): Told => [index, 'guess', 'undeclared']),
      'discovery documents': times(3, (index): Told => [index, 'card', 'undeclared', { client: `${index + 1}` }]),
      'a scan by many': times(3, (index): Told => [index, 'scan', 'undeclared', { client: `${index + 1}` }]),
    },
  },
  {
    rule: 'refused_before_discovery',
    found: [
      [0, 'guess', 'undeclared'],
      [1, 'card', 'ok'],
      [2, 'guess', 'undeclared'],
    ],
    requests: 1,
    twins: {
      'a log that shows no read at all': [[0, 'guess', 'undeclared']],
      'a read before': [
        [0, 'card', 'ok'],
        [1, 'guess', 'undeclared'],
      ],
    },
  },
  {
    rule: 'scanner',
    found: [
      [0, 'scan', 'undeclared'],
      [1, 'scan_b', 'undeclared'],
      [2, 'scan_c', 'undeclared'],
      [3, 'scan', 'undeclared'],
    ],
    requests: 4,
    twins: {
      'two paths': [
        [0, 'scan', 'undeclared'],
        [1, 'scan_b', 'undeclared'],
      ],
    },
  },
  {
    rule: 'retry_after_ignored',
    found: [
      [0, 'item', 'throttled', { retry_after_ms: 30_000 }],
      [5, 'item', 'ok'],
    ],
    requests: 1,
    twins: {
      'a wait that is kept': [
        [0, 'item', 'throttled', { retry_after_ms: 30_000 }],
        [30, 'item', 'ok'],
      ],
    },
  },
  {
    rule: 'probe_refused',
    found: times(10, (index): Told => [index * 60, 'root', 'unauthorized']),
    requests: 10,
    twins: { 'a monitor that is answered': times(10, (index): Told => [index * 60, 'root', 'ok']) },
  },
  {
    rule: 'slow_loop',
    found: times(8, (index): Told => [2 ** index, 'item', 'undeclared']),
    requests: 8,
    twins: {
      'five tries': times(5, (index): Told => [4 ** index, 'item', 'undeclared']),
      'no waits to speak of': times(12, (index): Told => [index, 'item', 'undeclared']),
      'waits that do not grow': times(12, (index): Told => [index * 30, 'item', 'undeclared']),
      'bursts and pauses': times(12, (index): Told => [index + Math.floor(index / 3) * 600, 'item', 'undeclared']),
      'a task that is polled': times(12, (index): Told => [index * 30, 'item', 'ok']),
      'an answer that changes': times(8, (index): Told => [2 ** index, 'item', index === 4 ? 'unsupported' : 'undeclared']),
      'an answer that comes at last': times(8, (index): Told => [2 ** index, 'item', index === 7 ? 'ok' : 'undeclared']),
      'once in each session': times(8, (index): Told => [index * 60, 'stream', 'unsupported', { session: `${index + 1}` }]),
      'a monitor': times(12, (index): Told => [index * 60, 'root', 'unauthorized']),
    },
  },
  {
    rule: 'no_backoff',
    found: [...times(6, (index): Told => [index * 3, 'item', index === 5 ? 'ok' : 'failed'])],
    requests: 5,
    twins: {
      'a storm, which says it already': times(12, (index): Told => [index * 3, 'item', 'failed']),
      'four retries': times(5, (index): Told => [index * 3, 'item', index === 4 ? 'ok' : 'failed']),
      'exponential waits': [0, 1, 3, 7, 15, 31].map((seconds, index): Told => [seconds, 'item', index === 5 ? 'ok' : 'failed']),
      'full jitter, with a wait of nothing in between': [0, 0.7, 2.4, 2.4, 9.1, 20.3].map((seconds, index): Told => [
        seconds,
        'item',
        index === 5 ? 'ok' : 'failed',
      ]),
      'the wait that Retry-After asks for': times(6, (index): Told => [
        index * 3,
        'item',
        index === 5 ? 'ok' : 'throttled',
        { retry_after_ms: 3000 },
      ]),
    },
  },
  {
    rule: 'lockstep_herd',
    found: times(12, (index): Told => [
      index < 6 ? 0.1 * index : 5 + 0.007 * index,
      'item',
      index < 6 ? 'failed' : 'ok',
      { client: `${(index % 6) + 1}` },
    ]),
    requests: 6,
    twins: {
      'waits that are spread': times(12, (index): Told => [
        index < 6 ? 0.1 * index : 1 + 0.7 * (index - 6),
        'item',
        index < 6 ? 'failed' : 'ok',
        { client: `${(index % 6) + 1}` },
      ]),
      'four clients': times(8, (index): Told => [
        index < 4 ? 0.1 * index : 5 + 0.007 * index,
        'item',
        index < 4 ? 'failed' : 'ok',
        { client: `${(index % 4) + 1}` },
      ]),
      'stamps of whole seconds': times(12, (index): Told => [
        index < 6 ? 0 : 5,
        'item',
        index < 6 ? 'failed' : 'ok',
        { client: `${(index % 6) + 1}` },
      ]),
      'one client with many requests': times(12, (index): Told => [
        index < 6 ? 0.1 * index : 5 + 0.007 * index,
        'item',
        index < 6 ? 'failed' : 'ok',
      ]),
    },
  },
  {
    rule: 'gateway_retries_multiply',
    found: times(3, (index): Told => [index * 2, 'item', 'failed', { attempts: 3 }]),
    requests: 3,
    twins: {
      'a gateway that retries alone': [
        [0, 'item', 'failed', { attempts: 3 }],
        [4000, 'item', 'failed', { attempts: 3 }],
        [8000, 'item', 'failed', { attempts: 3 }],
      ],
      'a client that retries alone': times(3, (index): Told => [index * 2, 'item', 'failed', { attempts: 1 }]),
      'an answer in between': [
        [0, 'item', 'failed', { attempts: 3 }],
        [1, 'item', 'ok', { attempts: 3 }],
        [2, 'item', 'failed', { attempts: 3 }],
      ],
    },
  },
  {
    rule: 'stale_session_header',
    found: times(3, (index): Told => [index, 'call', 'modern']),
    requests: 3,
    twins: {
      'a revision that has sessions': times(5, (index): Told => [index, 'call', 'legacy']),
      'a revision without, and no header': times(5, (index): Told => [index, 'call', 'modern_plain']),
      'two requests': times(2, (index): Told => [index, 'call', 'modern']),
    },
  },
  {
    rule: 'cache_ignored',
    found: times(7, (index): Told => [index * 20, 'card', 'ok']),
    requests: 6,
    twins: {
      'read again when it has grown old': times(12, (index): Told => [index * 300, 'card', 'ok']),
      'not modified': times(12, (index): Told => [index * 20, 'card', index === 0 ? 'ok' : 'cached']),
      'a list in each of many sessions': times(12, (index): Told => [index * 20, 'list', 'ok', { session: `${index + 1}` }]),
      'a list after each handshake': times(24, (index): Told => [index * 10, index % 2 === 0 ? 'initialize' : 'list', 'ok']),
      'the pages of a list': times(12, (index): Told => [index * 0.5, 'list', 'ok']),
      'a list of many clients': times(12, (index): Told => [index, 'card', 'ok', { client: `${index + 1}` }]),
    },
  },
  {
    rule: 'uncached_probing',
    found: times(6, (index): Told => [index, index % 2 === 0 ? 'card' : 'old_card', 'undeclared']),
    requests: 4,
    twins: {
      'each place once': [
        [0, 'card', 'undeclared'],
        [1, 'old_card', 'undeclared'],
        [2, 'stream', 'unsupported'],
      ],
      'once more in each session': times(12, (index): Told => [
        index,
        index % 2 === 0 ? 'card' : 'old_card',
        'undeclared',
        { session: `${Math.floor(index / 2) + 1}` },
      ]),
      'a repeat that no protocol knows': times(6, (index): Told => [index, 'guess', 'undeclared']),
    },
  },
  {
    rule: 'forged_line_suspected',
    found: [...times(12, (index): Told => [index === 6 ? 40_000 : index * 60, 'item', 'ok']), [800, 'injected', 'undeclared']],
    requests: 2,
    twins: {
      'a stream that is logged when it ends': times(12, (index): Told =>
        index === 6 ? [-7000, 'stream', 'ok', { duration_us: 7360e6 }] : [index * 60, 'item', 'ok'],
      ),
      'a stream of unknown length that is logged when it ends': times(12, (index): Told => [
        index === 6 ? -7000 : index * 60,
        'item',
        'ok',
      ]),
      'logs of two days, one after the other': times(12, (index): Told => [index < 6 ? DAY + index : index, 'item', 'ok']),
      'another clock from now on': times(60, (index): Told => [index < 30 ? index : 7200 + index, 'item', 'ok']),
      'lines in no order': times(12, (index): Told => [(index % 3 === 1 ? 4000 : 0) + ((index * 5) % 12), 'item', 'ok']),
      'a quiet night': times(12, (index): Told => [index < 6 ? index : 30_000 + index, 'item', 'ok']),
    },
  },
  {
    rule: 'deploy_burst',
    found: times(18, (index): Told => [
      Math.floor(index / 6) * 100 + (index % 6),
      'call',
      Math.floor(index / 6) === 1 ? 'dead_session' : 'ok',
      { client: `${(index % 6) + 1}` },
    ]),
    requests: 6,
    twins: {
      'refused at different times': times(18, (index): Told => [
        Math.floor(index / 6) * 100 + (index % 6) * 1000,
        'call',
        Math.floor(index / 6) === 1 ? 'dead_session' : 'ok',
        { client: `${(index % 6) + 1}` },
      ]),
      'refused from then on': times(18, (index): Told => [
        Math.floor(index / 6) * 100 + (index % 6),
        'call',
        Math.floor(index / 6) > 0 ? 'dead_session' : 'ok',
        { client: `${(index % 6) + 1}` },
      ]),
      'refused at the start': times(12, (index): Told => [
        Math.floor(index / 6) * 100 + (index % 6),
        'call',
        index < 6 ? 'dead_session' : 'ok',
        { client: `${(index % 6) + 1}` },
      ]),
      'wrong arguments of some': times(18, (index): Told => [
        Math.floor(index / 6) * 100 + (index % 6),
        'call',
        Math.floor(index / 6) === 1 ? 'invalid' : 'ok',
        { client: `${(index % 6) + 1}` },
      ]),
      'few of those active': times(60, (index): Told => [
        Math.floor(index / 20) * 100 + (index % 20) * 0.1,
        'call',
        Math.floor(index / 20) === 1 && index % 20 < 6 ? 'dead_session' : 'ok',
        { client: `${(index % 20) + 1}` },
      ]),
    },
  },
];

async function rulesOf(told: readonly Told[]): Promise<Map<unknown, unknown>> {
  const database = await stored(told);
  const rows = await runReport(database, 'findings');
  await database.close();
  return new Map(rows.map((row) => [row['rule'], row['n_total']]));
}

describe('findings', () => {
  for (const { rule, found, requests, twins } of FINDINGS) {
    test(rule, async () => {
      expect((await rulesOf(found)).get(rule)).toBe(requests);
    });
    for (const [title, told] of Object.entries(twins)) {
      test(`no ${rule}: ${title}`, async () => {
        expect((await rulesOf(told)).has(rule)).toBe(false);
      });
    }
  }
});

describe('client_switches', () => {
  const named = { address: '192.0.2.1', user_agent: 'agent' };

  /** Two line clients of one address, without and with a principal, and requests as [seconds, line client]. */
  async function switched(...told: readonly [number, string][]): Promise<Row[]> {
    const database = await openDatabase({ threads: 1 });
    await storeHistory(database, tell(...told.map(([seconds, client]): Told => [seconds, 'call', 'ok', { client }])));
    await database.run('DELETE FROM clients');
    await database.insert('clients', [
      { id: '1', ...named, principal: null, key: '192.0.2.1 agent' },
      { id: '2', ...named, principal: 'user:a', key: 'user:a' },
      { id: '3', ...named, principal: 'user:b', key: 'user:b' },
      { id: '4', address: '192.0.2.9', user_agent: 'agent', principal: 'user:a', key: 'user:a' },
    ]);
    await runSteps(database);
    const rows = await database.rows('SELECT line, client FROM known_requests ORDER BY line');
    await database.close();
    return rows;
  }

  test('a line without a principal counts for the only one named in its session', async () => {
    expect(await switched([0, '1'], [10, '2'], [1700, '1'])).toEqual([
      { line: 1, client: 2 },
      { line: 2, client: 2 },
      { line: 3, client: 2 },
    ]);
  });

  test('it stays its own where two are named, or in another session', async () => {
    expect(await switched([0, '1'], [10, '2'], [20, '3'], [9000, '1'])).toEqual([
      { line: 1, client: 1 },
      { line: 2, client: 2 },
      { line: 3, client: 3 },
      { line: 4, client: 1 },
    ]);
  });

  test('one principal is one client wherever it comes from', async () => {
    expect(await switched([0, '2'], [1, '4'])).toEqual([
      { line: 1, client: 2 },
      { line: 2, client: 2 },
    ]);
  });
});
