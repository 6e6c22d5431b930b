import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/ingest/run.ts';

async function read(logs: readonly (readonly string[])[]) {
  const folder = mkdtempSync(join(tmpdir(), 'stormgate-test-'));
  const inputs = logs.map((lines, index) => {
    const path = join(folder, `${index}.log`);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  });
  const analysis = await analyse({
    inputs,
    timeZone: 'UTC',
    documents: [],
    endpoints: [],
    infer: true,
    database: {},
    settings: {},
  });
  const requests = await analysis.database.rows(
    `SELECT s.status AS status, s.rpc_code AS rpc_code, t.authority AS authority, t.path AS path, t.rpc_method AS rpc_method, t.rpc_name AS rpc_name
     FROM requests r JOIN targets t ON t.id = r.target JOIN signals s ON s.id = r.signal ORDER BY r.ts, r.source, r.line`,
    'requests',
  );
  const findings = await analysis.findings({ generatedAt: '2026-11-30T00:00:00Z', version: '0' });
  await analysis.close();
  for (const { lines, records, rejects, other, parts, duplicates } of findings.inputs)
    expect(records + rejects + other + parts + duplicates).toBe(lines);
  return { requests, duplicates: findings.inputs.map((input) => input.duplicates) };
}

const ID = '6f1c2d3e4a5b60718293a4b5c6d7e8f9';

function front(id: string, { at = '09:00:00.500', took = 0.2, status = 404, path = '/mcp' } = {}): string {
  return JSON.stringify({
    time_iso8601: `2026-10-12T${at}Z`,
    remote_addr: '203.0.113.9',
    request_method: 'POST',
    host: 'mcp.example.com',
    request_uri: path,
    status,
    request_time: took,
    request_id: id,
  });
}

function application(id: string, { at = '09:00:00.400', name = 'search' } = {}): string {
  return JSON.stringify({
    time: `2026-10-12T${at}Z`,
    request_id: id,
    method: 'POST',
    path: '/mcp',
    status: 200,
    rpc_method: 'tools/call',
    tool_name: name,
    rpc_error_code: -32601,
    duration_ms: 50,
  });
}

function plain(id: string, took: number): string {
  return JSON.stringify({
    level: 30,
    time: Date.UTC(2026, 9, 12, 9, 0, 0, 450),
    pid: 1,
    req: { id, method: 'POST', url: '/mcp', headers: {} },
    res: { statusCode: 404 },
    responseTime: took,
    msg: 'request completed',
  });
}

describe('front and application', () => {
  it('tell of one request: status and path of the front, RPC of the application', async () => {
    const { requests, duplicates } = await read([[front(ID)], [application(ID)]]);
    expect(requests).toEqual([
      { status: 404, rpc_code: -32601, authority: 'mcp.example.com', path: '/mcp', rpc_method: 'tools/call', rpc_name: 'search' },
    ]);
    expect(duplicates).toEqual([0, 1]);
    expect((await read([[application(ID)], [front(ID)]])).requests).toEqual(requests);
  });

  it('are joined without RPC too, where their formats differ', async () => {
    const { requests, duplicates } = await read([[front(ID)], [plain(ID, 100)]]);
    expect(requests).toHaveLength(1);
    expect(duplicates).toEqual([0, 1]);
  });

  it.each([
    ['ids differ', [[front(ID)], [application(ID.replace('6f', '70'))]], 2],
    ['the id is a counter', [[front('1')], [application('1')]], 2],
    ['they are far apart in time', [[front(ID)], [application(ID, { at: '09:00:09.000' })]], 2],
    ['they ask for something else', [[front(ID, { path: '/other' })], [application(ID)]], 2],
    ['one call led to two', [[front(ID)], [application(ID), application(ID, { name: 'fetch' })]], 3],
    ['a client tries again under its id', [[front(ID)], [front(ID, { at: '09:00:00.600' })]], 2],
    [
      'a redirect leads from one path to another',
      [[front(ID, { status: 307 }), front(ID, { path: '/mcp/' })], [front(ID.replace('6f', '70'))]],
      3,
    ],
  ] as [string, string[][], number][])('stay apart where %s', async (_, logs, total) => {
    expect((await read(logs)).requests).toHaveLength(total);
  });
});
