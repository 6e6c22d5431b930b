// Findings and series as the tests want them: the federation story, and logs that show little, nothing, or too much.
import type { Findings, Series, Slices, Storm, StormTarget } from '../../src/findings/findings.ts';
import { KINDS, type Kind } from '../../src/record.ts';

const PROBER = '198.51.100.44 card-walker/0.3 (python-httpx/0.27)';
const CALLER = '203.0.113.9 toolrunner/2.1';

const target = (
  name: string,
  declared: StormTarget['declared'],
  kind: Kind,
  reason: string,
  requests: number,
  under_gate = 1,
): StormTarget => {
  const [http_method = '', path = ''] = name.split(' ');
  return {
    http_method,
    path,
    rpc_method: null,
    rpc_name: null,
    declared,
    requests,
    under_gate,
    avoidable: requests - under_gate,
    kind,
    reason,
  };
};

export const PROBER_STORM: Storm = {
  id: '7c1f00d2a4b96e31',
  kind: 'path_guessing',
  client: PROBER,
  session: '1f2e3d4c5b6a7988',
  start_ts: '2026-03-02T09:14:02.000000Z',
  end_ts: '2026-03-02T14:52:40.000000Z',
  duration_s: 20318,
  requests: 27,
  refused: 27,
  avoidable: 23,
  under_gate: 4,
  targets: [
    target('POST /mcp/mcp', 'undeclared', 'interface_not_declared', 'undeclared_not_found', 9),
    target('POST /mcp/sse', 'undeclared', 'interface_not_declared', 'undeclared_not_found', 7),
    target('POST /mcp/a2a/', 'undeclared', 'interface_not_declared', 'undeclared_not_found', 6),
    target('GET /mcp', 'declared', 'protocol_not_supported', 'method_not_allowed', 5),
  ],
  evidence: [812, 845, 901, 977, 1014, 1102].map((line) => ({ source: 'gateway.json.log', line })),
};

const input = (name: string, format: string, lines: number, records: number, rest: Partial<Findings['inputs'][number]> = {}) => ({
  name,
  format,
  bytes: lines * 214,
  lines,
  records,
  rejects: 0,
  other: 0,
  parts: 0,
  duplicates: 0,
  ...rest,
});

/** The 24 hours of issue 2, as the report should tell them. */
export const FEDERATION: Findings = {
  schema: 'stormgate.report/1',
  tool: { name: 'stormgate', version: '0.1.0' },
  generated_at: '2026-03-03T06:00:00.000Z',
  window: { start: '2026-03-02T00:00:11.000000Z', end: '2026-03-02T23:59:48.000000Z', timed: true },
  inputs: [
    input('gateway.json.log', 'json', 11_204, 11_190, { rejects: 2, other: 12 }),
    input('mcp.log', 'agentgateway', 2_310, 1_150, { parts: 1_150, other: 10 }),
  ],
  visibility: { status: true, rpc_code: true, tool_error: true, time: true, client: true },
  contract: {
    source: 'documents',
    documents: ['agent-card.json (A2A agent card 1.0)', 'server.json (MCP server card)'],
    declared: 14,
    undeclared: 3,
    unknown: 0,
  },
  requests: {
    total: 12_340,
    by_kind: {
      ok: 12_212,
      protocol_not_supported: 8,
      interface_not_declared: 22,
      semantic: 3,
      corrective: 1,
      throttled: 41,
      transient: 33,
      noise: 20,
    },
    by_reason: {
      answered: 12_212,
      method_not_allowed: 7,
      method_not_found: 1,
      undeclared_not_found: 22,
      invalid_params: 3,
      dead_session: 1,
      too_many_requests: 41,
      server_error: 33,
      browser_noise: 20,
    },
    by_status: { 200: 11_900, 202: 312, 404: 43, 405: 7, 429: 41, 503: 33, unknown: 4 },
  },
  clients: { total: 13, key: 'address and user agent' },
  sessions: { total: 61 },
  storms: [PROBER_STORM],
  savings: {
    lower: 23,
    upper: 25,
    avoidable_first: 3,
    overrun: 0,
    harm: 0,
    ambiguous_repeats: 0,
    by_kind: {
      ok: { requests: 12_212, under_gate: 12_212, avoidable: 0, harm: 0 },
      protocol_not_supported: { requests: 8, under_gate: 4, avoidable: 4, harm: 0 },
      interface_not_declared: { requests: 22, under_gate: 3, avoidable: 19, harm: 0 },
      semantic: { requests: 3, under_gate: 1, avoidable: 2, harm: 0 },
      corrective: { requests: 1, under_gate: 1, avoidable: 0, harm: 0 },
      throttled: { requests: 41, under_gate: 41, avoidable: 0, harm: 0 },
      transient: { requests: 33, under_gate: 33, avoidable: 0, harm: 0 },
      noise: { requests: 20, under_gate: 20, avoidable: 0, harm: 0 },
    },
    response_bytes: 4_100,
    server_ms: 190,
    client_wait_ms: 20_318_000,
  },
  findings: [
    {
      rule: 'unmet_demand',
      severity: 'low',
      title: '3 undeclared paths are asked for again and again',
      clients: [PROBER],
      requests: 22,
      advice: 'declare /mcp/mcp, /mcp/sse and /mcp/a2a/ in the card, or redirect them to /mcp',
      evidence: [{ source: 'gateway.json.log', line: 812 }],
    },
    {
      rule: 'refused_before_discovery',
      severity: 'info',
      title: 'one client asked for server/discover, was refused, and stopped',
      clients: [CALLER],
      requests: 1,
      advice: 'nothing to do',
      evidence: [{ source: 'mcp.log', line: 17 }],
    },
  ],
  rejects: {
    total: 2,
    by_reason: { bad_json: 2 },
    samples: [
      {
        source: 'gateway.json.log',
        line: 4410,
        reason: 'bad_json',
        excerpt: '{"time":"2026-03-02T09:40:11Z","status":200,"uri":"/mc',
      },
    ],
  },
};

const MICROS = 1_000_000;
const FROM = Date.UTC(2026, 2, 2) * 1000;
const BUCKET = 900 * MICROS;

// Spreads a total over the buckets in proportion to their weights, without losing one.
function spread(total: number, kind: Kind, weight: (bucket: number) => number): Series['timeline']['rows'] {
  const weights = Array.from({ length: 96 }, (_, i) => weight(i));
  const whole = weights.reduce((sum, w) => sum + w, 0);
  let seen = 0;
  return weights.flatMap((w, i) => {
    const before = Math.round((total * seen) / whole);
    seen += w;
    const requests = Math.round((total * seen) / whole) - before;
    return requests > 0 ? [{ ts: FROM + i * BUCKET, kind, requests }] : [];
  });
}

const within = (from: number, to: number) => (i: number) => (i >= from && i < to ? 1 : 0);

const PROBE_STEPS = ['POST /mcp/mcp', 'POST /mcp/sse', 'POST /mcp/a2a/', 'GET /mcp'];

function probePath(): Series['paths'] {
  const left = new Map([
    ['POST /mcp/mcp', 9],
    ['POST /mcp/sse', 7],
    ['POST /mcp/a2a/', 6],
    ['GET /mcp', 5],
  ]);
  const seen = new Set<string>();
  const start = FROM + (9 * 3600 + 14 * 60 + 2) * MICROS;
  const rows: Series['paths'] = [
    {
      storm: PROBER_STORM.id,
      ts: start - 40 * MICROS,
      seq: 0,
      target: 'GET /.well-known/agent-card.json',
      kind: 'ok',
      status: 200,
      is_spared: false,
      in_storm: false,
      source: 'gateway.json.log',
      line: 806,
    },
  ];
  for (let i = 0; [...left.values()].some((n) => n > 0); i += 1) {
    const name = PROBE_STEPS[i % PROBE_STEPS.length] ?? '';
    const n = left.get(name) ?? 0;
    if (n === 0) continue;
    left.set(name, n - 1);
    const isGet = name.startsWith('GET');
    rows.push({
      storm: PROBER_STORM.id,
      ts: start + Math.round(i * 11.3 * 60 + 90 * Math.sin(i)) * MICROS,
      seq: rows.length,
      target: name,
      kind: isGet ? 'protocol_not_supported' : 'interface_not_declared',
      status: isGet ? 405 : 404,
      is_spared: seen.has(name),
      in_storm: true,
      source: 'gateway.json.log',
      line: 812 + rows.length * 33,
    });
    seen.add(name);
  }
  return rows;
}

const TIMELINE: Series['timeline'] = {
  bucket_us: BUCKET,
  rows: [
    spread(12_212, 'ok', (i) => 128 + 70 * Math.sin((i - 30) / 15) + 12 * Math.sin(i * 2.3)),
    spread(8, 'protocol_not_supported', within(38, 58)),
    spread(22, 'interface_not_declared', within(37, 59)),
    spread(3, 'semantic', within(50, 51)),
    spread(1, 'corrective', within(20, 21)),
    spread(41, 'throttled', within(64, 68)),
    spread(33, 'transient', within(65, 68)),
    spread(20, 'noise', () => 1),
  ].flat(),
};

const AT = new Map([...new Set(TIMELINE.rows.map(({ ts }) => ts))].toSorted((x, y) => x - y).map((ts, i) => [ts, i]));
const ELSE = { client: 2, target: 5 };
const kindNo = (kind: Kind): number => KINDS.indexOf(kind);
const stepNo = (ts: number | null): number => AT.get((ts ?? 0) - ((ts ?? 0) % BUCKET)) ?? -1;

/** The same requests as in the timeline, a few of them with client, target and fate; sums are those of FEDERATION. */
function slices(paths: Series['paths']): Slices {
  const stormed = paths
    .filter(({ in_storm }) => in_storm)
    .map(({ ts, target: name, kind, is_spared }) => {
      const k = kindNo(kind);
      return [stepNo(ts), 0, PROBE_STEPS.indexOf(name), k, is_spared ? k : -1, is_spared ? 1 : 0, 0, 1];
    });
  const semantic = kindNo('semantic');
  const calls = [
    [50, 1, 4, semantic, -1, 0, -1, 1],
    [50, 1, 4, semantic, semantic, 1, -1, 2],
  ];
  const told = new Set<Kind>(['interface_not_declared', 'protocol_not_supported', 'semantic']);
  const others = TIMELINE.rows
    .filter(({ kind }) => !told.has(kind))
    .map(({ ts, kind, requests }) => [stepNo(ts), ELSE.client, ELSE.target, kindNo(kind), -1, 0, -1, requests]);
  const rest = [45, ELSE.client, 3, kindNo('protocol_not_supported'), -1, 0, -1, 3];
  return {
    bucket_us: BUCKET,
    steps: [...AT.keys()],
    clients: [PROBER, CALLER],
    targets: [
      ...PROBER_STORM.targets.map(({ http_method, path, rpc_method, rpc_name, declared }) => ({
        authority: null,
        http_method,
        path,
        rpc_method,
        rpc_name,
        declared,
      })),
      {
        authority: null,
        http_method: 'POST',
        path: '/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'search_docs',
        declared: 'declared',
      },
    ],
    storms: [PROBER_STORM.id],
    requests: [...stormed, ...calls, ...others, rest],
    retries: [
      [64, 2, 5, kindNo('throttled'), 1, 100, 12, 0],
      [64, 2, 5, kindNo('throttled'), 2, 1000, 9, 0],
      [65, 2, 5, kindNo('transient'), 1, 10, 7, 5],
      [65, 2, 5, kindNo('transient'), 3, 3100, 2, 0],
    ],
    attempts: [
      [64, 2, 5, 2, 6],
      [65, 2, 5, 4, 2],
      [65, 2, 5, 7, 1],
    ],
    sessions: [
      {
        client: PROBER,
        session: '1f2e3d4c5b6a7988',
        start_ts: FROM + 9 * 3600 * MICROS,
        end_ts: FROM + 15 * 3600 * MICROS,
        refused: 27,
      },
      { client: CALLER, session: null, start_ts: null, end_ts: null, refused: 3 },
    ],
  };
}

const PATHS = probePath();

export const FEDERATION_SERIES: Series = {
  slices: slices(PATHS),
  timeline: TIMELINE,
  paths: PATHS,
};

const NOTHING: Findings['savings'] = {
  lower: 0,
  upper: 0,
  avoidable_first: 0,
  overrun: 0,
  harm: 0,
  ambiguous_repeats: 0,
  by_kind: {},
  response_bytes: 0,
  server_ms: 0,
  client_wait_ms: 0,
};

/** A file without lines. */
export const EMPTY: Findings = {
  ...FEDERATION,
  window: { start: null, end: null, timed: false },
  inputs: [input('empty.log', 'unknown', 0, 0)],
  visibility: { status: false, rpc_code: false, tool_error: false, time: false, client: false },
  contract: { source: 'none', documents: [], declared: 0, undeclared: 0, unknown: 0 },
  requests: { total: 0, by_kind: {}, by_reason: {}, by_status: {} },
  clients: { total: 0, key: 'address and user agent' },
  sessions: { total: 0 },
  storms: [],
  savings: NOTHING,
  findings: [],
  rejects: { total: 0, by_reason: {}, samples: [] },
};
export const EMPTY_SERIES: Series = { slices: null, timeline: { bucket_us: MICROS, rows: [] }, paths: [] };

/** Requests without stamps, statuses, codes or clients. */
export const BLIND: Findings = {
  ...EMPTY,
  inputs: [input('paths.txt', 'combined', 840, 840)],
  requests: { total: 840, by_kind: { ambiguous: 840 }, by_reason: { no_status: 840 }, by_status: { unknown: 840 } },
  clients: { total: 1, key: 'source' },
  sessions: { total: 1 },
};

/** Statuses, but neither RPC codes nor tool results: no refusal seen, which is not the same as none. */
export const QUIET: Findings = {
  ...FEDERATION,
  inputs: [input('access.log', 'combined', 5_020, 5_020)],
  visibility: { status: true, rpc_code: false, tool_error: false, time: true, client: true },
  contract: { source: 'inferred', documents: [], declared: 22, undeclared: 0, unknown: 1 },
  requests: {
    total: 5_020,
    by_kind: { ok: 5_014, transient: 6 },
    by_reason: { answered: 5_014, server_error: 6 },
    by_status: { 200: 5_014, 503: 6 },
  },
  storms: [],
  findings: [],
  rejects: EMPTY.rejects,
  savings: {
    ...NOTHING,
    by_kind: {
      ok: { requests: 5_014, under_gate: 5_014, avoidable: 0, harm: 0 },
      transient: { requests: 6, under_gate: 6, avoidable: 0, harm: 0 },
    },
  },
};

/** Refusals that every client obeyed. */
export const HEARD: Findings = {
  ...FEDERATION,
  storms: [],
  savings: { ...FEDERATION.savings, lower: 0, upper: 0, avoidable_first: 0 },
};

export const storm = (id: string, rest: Partial<Storm>): Storm => ({ ...PROBER_STORM, id, ...rest });

const RPC: StormTarget = {
  http_method: 'POST',
  path: '/mcp',
  rpc_method: 'tools/call',
  rpc_name: 'search_docs',
  declared: 'declared',
  requests: 140,
  under_gate: 8,
  avoidable: 132,
  kind: 'semantic',
  reason: 'invalid_params',
};

/** Several clients, every attitude, a refusal that does not hold, and an untimed storm. */
export const MANY: Findings = {
  ...FEDERATION,
  storms: [
    storm('a1', {
      kind: 'throttle_hammering',
      client: '192.0.2.7 poller/9',
      requests: 220,
      refused: 220,
      avoidable: 0,
      under_gate: 4,
      targets: [{ ...RPC, requests: 220, under_gate: 4, avoidable: 0, kind: 'throttled', reason: 'too_many_requests' }],
    }),
    storm('a2', {
      kind: 'semantic_repeat',
      client: CALLER,
      requests: 140,
      refused: 140,
      avoidable: 132,
      under_gate: 8,
      targets: [RPC],
    }),
    storm('a3', {
      kind: 'reconnect_loop',
      client: '192.0.2.8 sse-client/1',
      requests: 320,
      refused: 0,
      avoidable: 0,
      under_gate: 320,
      targets: [{ ...target('GET /mcp/events', 'declared', 'ok', 'answered', 320, 320) }],
      start_ts: null,
      end_ts: null,
      duration_s: null,
    }),
    PROBER_STORM,
  ],
  savings: {
    ...FEDERATION.savings,
    lower: 23,
    upper: 155,
    harm: 7,
    overrun: 1,
    by_kind: { ...FEDERATION.savings.by_kind, semantic: { requests: 148, under_gate: 9, avoidable: 132, harm: 7 } },
  },
  findings: [
    ...FEDERATION.findings,
    {
      rule: 'refusal_unstable',
      severity: 'high',
      title: 'POST /mcp tools/call search_docs is refused and answered in turn',
      clients: [CALLER],
      requests: 14,
      advice: 'find the stale backend: one of them refuses what the other answers',
      evidence: [{ source: 'mcp.log', line: 99 }],
    },
  ],
};

/** What an attacker writes into a log: markup, formulas, mentions, terminal and bidirectional controls, wide and endless text. */
export const HOSTILE = [
  `</script><script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `'; alert(1); //`,
  '=HYPERLINK("http://evil.example/","x")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '@everyone [click](javascript:alert(1)) ![](http://evil.example/x.png) | `code` | #1 www.evil.example',
  '\u001B[2J\u001B]0;owned\u0007\u009B31m\u007F',
  '\u202Egnp.exe\u2066\u200B\u200D\uFEFF\u2028\u2029\u00AD',
  'a\r\nb\tc\u0000d\u{E0041}\uD800',
  '漢字カナ한글 👩‍💻 e\u0301',
  '<!--<style>*{display:none}</style><svg onload=alert(1)>',
  'url(javascript:alert(1));}</style>{{constructor.constructor("alert(1)")()}}',
  `datum.x; ${'A'.repeat(4_000)}`,
];

function hostileSlices(text: () => string, storms: readonly Storm[]): Slices {
  const of = slices(PATHS);
  return {
    ...of,
    clients: of.clients.map(text),
    targets: of.targets.map(({ authority, declared }) => ({
      authority,
      declared,
      http_method: text(),
      path: text(),
      rpc_method: text(),
      rpc_name: text(),
    })),
    storms: storms.slice(0, 1).map(({ id }) => id),
    sessions: of.sessions.map(({ start_ts, end_ts, refused }) => ({
      client: text(),
      session: text(),
      start_ts,
      end_ts,
      refused,
    })),
  };
}

/** Every text of the report is hostile. */
export function hostile(pick: (i: number) => string = (i) => HOSTILE[i % HOSTILE.length] ?? ''): {
  findings: Findings;
  series: Series;
} {
  let next = 0;
  const text = (): string => pick((next += 1));
  const evidence = () => [
    { source: text(), line: 3 },
    { source: text(), line: 4 },
  ];
  const storms = HOSTILE.slice(0, 6).map((_, i) =>
    storm(`h${i}`, {
      client: text(),
      session: text(),
      evidence: evidence(),
      targets: Array.from({ length: 3 }, () => ({
        ...RPC,
        declared: 'undeclared',
        http_method: text(),
        path: text(),
        rpc_method: text(),
        rpc_name: text(),
        reason: text(),
      })),
    }),
  );
  const findings: Findings = {
    ...MANY,
    storms,
    tool: { name: 'stormgate', version: text() },
    inputs: HOSTILE.map(() => input(text(), text(), 4, 4)),
    contract: { ...FEDERATION.contract, documents: [text(), text()] },
    clients: { total: 2, key: text() },
    requests: { ...FEDERATION.requests, by_reason: { [text()]: 3 } },
    findings: HOSTILE.map(() => ({
      rule: 'unmet_demand',
      severity: 'high',
      requests: 3,
      title: text(),
      advice: text(),
      clients: [text(), text()],
      evidence: evidence(),
    })),
    rejects: {
      total: 2,
      by_reason: { bad_json: 2 },
      samples: HOSTILE.map(() => ({ source: text(), line: 1, reason: 'bad_json', excerpt: text() })),
    },
  };
  const paths = storms.flatMap(({ id }) =>
    FEDERATION_SERIES.paths.map((row) => Object.assign(structuredClone(row), { storm: id, target: text(), source: text() })),
  );
  return { findings, series: { ...FEDERATION_SERIES, slices: hostileSlices(text, storms), paths } };
}
