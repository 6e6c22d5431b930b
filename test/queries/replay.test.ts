// The steps against the oracle, request by request, over thousands of random histories.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind } from '../../src/record.ts';
import { STORM_KINDS } from '../../src/findings/findings.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { listSettings, runReport, runSteps } from '../../src/store/steps.ts';
import { randomHistories, storeHistory } from '../support/histories.ts';
import { judgeHistory, type Asked, type Judged, type Outcome, type Thresholds } from '../support/oracle.ts';

const SEEDS = [1, 2, 3];
const CLIENTS = 1500;

const defaults = Object.fromEntries(listSettings().map((setting) => [setting.name, setting.default])) as unknown as Thresholds;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function place({ asked }: Judged): string {
  return `${asked.source}.log:${asked.line}`;
}

/** Returns the places at which the two differ, with the whole history of the first client concerned. */
function differences(
  history: readonly Asked[],
  expected: ReadonlyMap<string, string>,
  actual: ReadonlyMap<string, string>,
): unknown[] {
  const places = [...new Set([...expected.keys(), ...actual.keys()])].filter((each) => expected.get(each) !== actual.get(each));
  const [first] = places;
  if (first === undefined) return [];
  const culprit = history.find((each) => `${each.source}.log:${each.line}` === first)?.client;
  return [
    { differ: places.length },
    { at: first, expected: expected.get(first), actual: actual.get(first) },
    ...history
      .filter(({ client }) => client === culprit)
      .map((each) =>
        JSON.stringify({
          at: `${each.source}.log:${each.line}`,
          s: each.ts === null ? null : each.ts / 1e6 - 1_764_000_000,
          took: each.duration_us === null ? null : each.duration_us / 1e6,
          op: each.operation,
          who: each.target.authority,
          role: `${each.target.role}${each.target.step}`,
          kind: each.answer.kind,
          lift: each.answer.liftedBy,
          session: each.session,
          wait: each.retry_after_ms,
        }),
      ),
  ];
}

const RANK = `SELECT source AS id, name AS name FROM source_ranks`;

async function read(database: Database, sql: string): Promise<Map<string, string>> {
  const rows = await database.rows<{ place: string; says: string }>(sql, 'comparison');
  return new Map(rows.map(({ place: at, says }) => [at, says]));
}

const COMPARISONS: readonly {
  title: string;
  says: (each: Judged) => string | null;
  sql: string;
}[] = [
  {
    title: 'episodes begin where the oracle begins them',
    says: ({ episode }) => String(episode),
    sql: `SELECT s.name || ':' || r.line AS place, CAST(e.episode AS VARCHAR) AS says FROM known_requests r JOIN (${RANK}) s ON s.id = r.source
          JOIN episodes e ON e.client = r.client AND e.bucket = r.bucket JOIN answers a ON a.target = r.target AND a.signal = r.signal WHERE NOT a.is_noise`,
  },
  {
    title: 'the replay holds the same requests by the same memories with the same outcome',
    says: ({ held, outcome, isAmbiguousRepeat }) =>
      held && `${held.family} ${held.liftedBy} ${held.kind} ${outcome} ${isAmbiguousRepeat}`,
    sql: `SELECT s.name || ':' || g.line AS place,
            ['authoritative', 'semantic', 'corrective', 'auth', 'ambiguous'][g.family] || ' '
            || ['none', 'rpc_read', 'document_read', 'token', 'handshake'][g.lifted_by + 1] || ' ' || g.kind || ' ' || g.outcome || ' ' || g.is_ambiguous_repeat AS says
          FROM gate_replay g JOIN (${RANK}) s ON s.id = g.source`,
  },
  {
    title: 'the same requests are sanctioned probes',
    says: ({ asked, isSanctioned }) => (isSanctioned && asked.answer.family !== 'none' ? 'sanctioned' : null),
    sql: `SELECT s.name || ':' || w.line AS place, 'sanctioned' AS says FROM sanctioned_requests p
          JOIN watched_requests w ON w.client = p.client AND w.seq = p.seq JOIN (${RANK}) s ON s.id = w.source WHERE w.memory > 0`,
  },
  {
    title: 'the same first requests were avoidable',
    says: ({ isAvoidableFirst }) => (isAvoidableFirst ? 'first' : null),
    sql: `SELECT s.name || ':' || w.line AS place, 'first' AS says FROM avoidable_firsts f
          JOIN watched_requests w ON w.client = f.client AND w.seq = f.seq JOIN (${RANK}) s ON s.id = w.source`,
  },
  {
    title: 'the same retries are beyond the budget or too early',
    says: ({ retry, isOverrun }) =>
      retry && (isOverrun || retry.isEarly) ? `${retry.number} ${isOverrun} ${retry.isEarly}` : null,
    sql: `SELECT s.name || ':' || r.line AS place, r.retry_no || ' ' || r.is_overrun || ' ' || r.is_early AS says
          FROM retries r JOIN (${RANK}) s ON s.id = r.source WHERE r.is_overrun OR r.is_early`,
  },
  {
    title: 'the same requests make the same storms',
    says: ({ storm, outcome, isOverrun }) => storm && `${storm} ${outcome === 'under_gate' && isOverrun ? 'overrun' : outcome}`,
    sql: `SELECT s.name || ':' || r.line AS place, r.storm_kind || ' ' || r.outcome AS says FROM storm_requests r JOIN (${RANK}) s ON s.id = r.source`,
  },
];

for (const seed of SEEDS) {
  const history = randomHistories(`replay ${seed}`, CLIENTS);
  const judged = judgeHistory(history, defaults);
  let database: Database;

  beforeAll(async () => {
    database = await openDatabase({ threads: 2 });
    await storeHistory(database, history);
    await runSteps(database);
  });

  afterAll(() => database.close());

  for (const { title, says, sql } of COMPARISONS) {
    test(`${title} (seed ${seed})`, async () => {
      const expected = new Map(
        judged.flatMap((each): [string, string][] => (says(each) === null ? [] : [[place(each), String(says(each))]])),
      );
      expect(expected.size).toBeGreaterThan(20);
      expect(differences(history, expected, await read(database, sql))).toEqual([]);
    });
  }

  test(`every kind of storm occurs (seed ${seed})`, () => {
    const counts = STORM_KINDS.map((kind) => [kind, judged.filter(({ storm }) => storm === kind).length] as const);
    expect(counts.filter(([, requests]) => requests < 20)).toEqual([]);
  });

  test(`savings book every request under one kind, as the oracle does (seed ${seed})`, async () => {
    const rows = await runReport<{ kind: Kind; n_requests: number; n_under_gate: number; n_avoidable: number; n_harm: number }>(
      database,
      'savings_by_kind',
    );
    const noise = history.filter(({ answer }) => answer.kind === 'noise').length;
    const expected = new Map<Kind, Record<Outcome, number>>([['noise', { under_gate: noise, avoidable: 0, harm: 0 }]]);
    for (const { asked, held, outcome } of judged) {
      const kind = held?.kind ?? asked.answer.kind;
      const row = expected.get(kind) ?? { under_gate: 0, avoidable: 0, harm: 0 };
      row[outcome] += 1;
      expected.set(kind, row);
    }
    expect(
      new Map(rows.map((row) => [row.kind, { under_gate: row.n_under_gate, avoidable: row.n_avoidable, harm: row.n_harm }])),
    ).toEqual(new Map([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1))));
    expect(rows.every((row) => row.n_requests === row.n_under_gate + row.n_avoidable + row.n_harm)).toBe(true);
    const [savings] = await runReport<Record<string, number>>(database, 'savings');
    expect(savings).toMatchObject({
      n_avoidable_first: judged.filter(({ isAvoidableFirst }) => isAvoidableFirst).length,
      n_overrun: judged.filter(({ isOverrun }) => isOverrun).length,
      n_ambiguous_repeats: judged.filter(({ isAmbiguousRepeat }) => isAmbiguousRepeat).length,
      n_harm: judged.filter(({ outcome }) => outcome === 'harm').length,
      n_upper: judged.filter(({ outcome }) => outcome === 'avoidable').length,
      n_lower: judged.filter(({ outcome, held }) => outcome === 'avoidable' && held?.family === 'authoritative').length,
      response_bytes: sum(judged.filter(({ outcome }) => outcome === 'avoidable').map(({ asked }) => 100 + asked.line)),
      server_ms: sum(judged.filter(({ outcome }) => outcome === 'avoidable').map(({ asked }) => (asked.duration_us ?? 0) / 1000)),
    });
  });
}
