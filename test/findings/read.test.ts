// The findings value: its shape, its order, and that its numbers add up whatever was in the log.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Findings, Series } from '../../src/findings/findings.ts';
import { readFindings, readSeries } from '../../src/findings/read.ts';
import { isoTime } from '../../src/findings/time.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { runSteps } from '../../src/store/steps.ts';
import { randomHistories, storeHistory, tell, type Told } from '../support/histories.ts';
import type { Asked } from '../support/oracle.ts';

const STAMP = { version: '1.2.3', generatedAt: '2026-11-30T00:00:00.000Z', contract: { source: 'none', documents: [] } } as const;

const sum = (numbers: readonly (number | undefined)[]) => numbers.reduce<number>((total, each) => total + (each ?? 0), 0);

async function findingsOf(history: readonly Asked[]): Promise<{ findings: Findings; series: Series }> {
  const database = await openDatabase({ threads: 2 });
  await storeHistory(database, history);
  await runSteps(database);
  const findings = await readFindings(database, STAMP);
  const series = await readSeries(database);
  await database.close();
  return { findings, series };
}

test.each([
  [0, '1970-01-01T00:00:00.000000Z'],
  [1_764_000_000_000_001, '2025-11-24T16:00:00.000001Z'],
  [1_764_000_000_999_999, '2025-11-24T16:00:00.999999Z'],
  [-1, '1969-12-31T23:59:59.999999Z'],
])('%i microseconds are %s', (us, text) => {
  expect(isoTime(us)).toBe(text);
});

describe('a small log', () => {
  const told: Told[] = [
    [0, 'card', 'ok'],
    [1, 'guess', 'undeclared', { duration_us: 500_000 }],
    [2, 'guess_b', 'undeclared'],
    [3, 'stream', 'unsupported'],
    [4, 'guess', 'undeclared', { duration_us: 250_000 }],
  ];

  test('is told in full', async () => {
    const { findings, series } = await findingsOf(tell(...told));
    expect(findings).toMatchObject({
      schema: 'stormgate.report/1',
      tool: { name: 'stormgate', version: '1.2.3' },
      generated_at: '2026-11-30T00:00:00.000Z',
      window: { start: '2025-11-24T16:00:00.000000Z', end: '2025-11-24T16:00:04.000000Z', timed: true },
      visibility: { status: true, rpc_code: false, tool_error: false, time: true, client: true },
      contract: { source: 'none', documents: [], declared: 0, undeclared: 2, unknown: 2 },
      requests: {
        total: 5,
        by_kind: { interface_not_declared: 3, ok: 1, protocol_not_supported: 1 },
        by_status: { 200: 1, 404: 3, 405: 1 },
      },
      clients: { total: 1, key: 'address' },
      sessions: { total: 1 },
      savings: {
        lower: 1,
        upper: 1,
        avoidable_first: 1,
        overrun: 0,
        harm: 0,
        ambiguous_repeats: 0,
        response_bytes: 105,
        server_ms: 250,
        client_wait_ms: 250,
      },
      rejects: { total: 0, by_reason: {}, samples: [] },
    });
    expect(findings.storms).toMatchObject([
      {
        kind: 'path_guessing',
        client: 'client 1',
        session: null,
        start_ts: '2025-11-24T16:00:01.000000Z',
        end_ts: '2025-11-24T16:00:04.250000Z',
        duration_s: 3.25,
        requests: 4,
        refused: 4,
        avoidable: 1,
        under_gate: 3,
        targets: [
          { http_method: 'POST', path: '/mcp/mcp', declared: 'undeclared', requests: 2, under_gate: 1, avoidable: 1 },
          { http_method: 'POST', path: '/mcp/sse', requests: 1, under_gate: 1, avoidable: 0 },
          { http_method: 'GET', path: '/mcp', kind: 'protocol_not_supported', requests: 1 },
        ],
        evidence: [2, 3, 4, 5].map((line) => ({ source: '0.log', line })),
      },
    ]);
    expect(series.paths.map(({ target, is_spared, in_storm }) => [target, is_spared, in_storm])).toEqual([
      ['POST /mcp/mcp', false, true],
      ['POST /mcp/sse', false, true],
      ['GET /mcp', false, true],
      ['POST /mcp/mcp', true, true],
    ]);
    expect(new Set(series.paths.map(({ storm }) => storm))).toEqual(new Set(findings.storms.map(({ id }) => id)));
    expect(series.timeline.bucket_us).toBe(1_000_000);
  });

  test('without stamps is told in line order, and says so', async () => {
    const { findings, series } = await findingsOf(tell(...told.map(([, target, answer]): Told => [null, target, answer])));
    expect(findings.window).toEqual({ start: null, end: null, timed: false });
    expect(findings.visibility.time).toBe(false);
    expect(findings.storms).toMatchObject([
      { kind: 'path_guessing', start_ts: null, end_ts: null, duration_s: null, requests: 4, avoidable: 1 },
    ]);
    expect(series.timeline.rows).toEqual([]);
    expect(series.paths).toHaveLength(5);
  });

  test('of nothing at all has every figure', async () => {
    const { findings } = await findingsOf([]);
    expect(findings).toMatchObject({
      requests: { total: 0, by_kind: {} },
      storms: [],
      findings: [],
      window: { timed: false },
      savings: { upper: 0 },
    });
  });

  test('names credentials by their place', async () => {
    const database = await openDatabase({ threads: 1 });
    await storeHistory(database, tell(...told));
    await database.insert('credentials', [{ source: 1, line: 2, place: 'query parameter api_key' }]);
    await runSteps(database);
    const { findings } = await readFindings(database, STAMP);
    await database.close();
    expect(findings[0]).toMatchObject({ rule: 'credential_in_log', severity: 'high', evidence: [{ source: '0.log', line: 2 }] });
  });
});

describe('a random log', () => {
  const history = randomHistories('findings', 800);
  let findings: Findings;
  let series: Series;
  let database: Database;

  beforeAll(async () => {
    ({ findings, series } = await findingsOf(history));
    database = await openDatabase({ threads: 1 });
    await storeHistory(database, history.toReversed());
    await runSteps(database);
  });

  afterAll(() => database.close());

  test('sums hold', () => {
    const { requests, savings, storms } = findings;
    expect(requests.total).toBe(history.length);
    expect(sum(Object.values(requests.by_kind))).toBe(requests.total);
    expect(sum(Object.values(requests.by_reason))).toBe(requests.total);
    expect(sum(Object.values(requests.by_status))).toBe(requests.total);
    const rows = Object.values(savings.by_kind);
    expect(sum(rows.map((row) => row.requests))).toBe(requests.total);
    for (const row of rows) expect(row.requests).toBe(row.under_gate + row.avoidable + row.harm);
    expect(savings.upper).toBe(sum(rows.map((row) => row.avoidable)));
    expect(savings.harm).toBe(sum(rows.map((row) => row.harm)));
    const { protocol_not_supported, interface_not_declared, policy_refused } = savings.by_kind;
    expect(savings.lower).toBe(
      sum([protocol_not_supported, interface_not_declared, policy_refused].map((row) => row?.avoidable)),
    );
    expect(storms.length).toBeGreaterThan(50);
    for (const storm of storms) {
      for (const figure of ['requests', 'avoidable', 'under_gate'] as const) {
        expect(sum(storm.targets.map((target) => target[figure]))).toBe(storm[figure]);
      }
      expect(storm.evidence.length).toBe(Math.min(20, storm.requests));
    }
    expect(sum(storms.map(({ avoidable }) => avoidable))).toBeLessThanOrEqual(savings.upper);
    expect(new Set(storms.map(({ id }) => id)).size).toBe(storms.length);
    expect(sum(series.timeline.rows.map((row) => row.requests))).toBe(history.filter(({ ts }) => ts !== null).length);
  });

  test('storms come the most avoidable first, findings the most severe first', () => {
    const avoidable = findings.storms.map((storm) => storm.avoidable);
    expect(avoidable).toEqual(avoidable.toSorted((a, b) => b - a));
    const order = ['high', 'medium', 'low', 'info'];
    const severities = findings.findings.map(({ severity }) => order.indexOf(severity));
    expect(severities.length).toBeGreaterThan(3);
    expect(severities).toEqual(severities.toSorted((a, b) => a - b));
  });

  test('another order of reading changes nothing', async () => {
    expect(await readFindings(database, STAMP)).toEqual(findings);
    expect(await readSeries(database)).toEqual(series);
  });
});
