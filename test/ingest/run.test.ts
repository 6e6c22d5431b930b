import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Findings } from '../../src/findings/findings.ts';
import { analyse, classifyStream, explainLine, type AnalysisRequest } from '../../src/ingest/run.ts';
import { openKeptDatabase } from '../../src/store/database.ts';
import { exportParquet } from '../../src/store/export.ts';

const STORY = 'samples/stories/federation-24h';
const LOGS = [`${STORY}/agentgateway.log`, `${STORY}/gateway.json.log`];
const documents = [{ name: 'agent-card.json', text: readFileSync(`${STORY}/agent-card.json`, 'utf8') }];

function requestOf(inputs: readonly string[], more: Partial<AnalysisRequest> = {}): AnalysisRequest {
  return { inputs, timeZone: 'UTC', documents, endpoints: [], infer: true, database: {}, settings: {}, ...more };
}

async function reportOf(inputs: readonly string[], more: Partial<AnalysisRequest> = {}): Promise<Findings> {
  const analysis = await analyse(requestOf(inputs, more));
  try {
    return await analysis.findings({ generatedAt: '2026-11-30T00:00:00Z', version: '0' });
  } finally {
    await analysis.close();
  }
}

function scratch(name: string, text: string | Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), 'stormgate-test-')), name);
  writeFileSync(path, text);
  return path;
}

const LINE = '198.51.100.23 - - [12/Oct/2026:09:14:03 +0200] "POST /mcp/mcp HTTP/1.1" 404 153 "-" "node"';

describe('a report', () => {
  it('is the same whatever the order of the files, compressed or not, and however they are named', async () => {
    const wanted = await reportOf(LOGS);
    expect(await reportOf(LOGS.toReversed())).toEqual(wanted);
    expect(await reportOf([`${STORY}/*.log`, ...LOGS])).toEqual(wanted);
    const folder = mkdtempSync(join(tmpdir(), 'stormgate-test-'));
    for (const log of LOGS) writeFileSync(join(folder, log.split('/').at(-1) ?? ''), gzipSync(readFileSync(log)));
    const zipped = await reportOf([folder]);
    expect(zipped.requests).toEqual(wanted.requests);
    expect(zipped.savings).toEqual(wanted.savings);
    expect(zipped.inputs.map(({ records }) => records)).toEqual(wanted.inputs.map(({ records }) => records));
  });

  it('on tagged requests equals the report on the raw log but for its inputs', async () => {
    let text = '';
    await classifyStream(requestOf(LOGS), async (piece) => void (text += piece));
    const { inputs, ...tagged } = await reportOf([scratch('tagged.ndjson', text)]);
    const { inputs: raw, ...wanted } = await reportOf(LOGS);
    expect(tagged).toEqual(wanted);
    expect(inputs.map(({ format, records }) => [format, records])).toEqual([
      ['tagged', raw.reduce((sum, { records }) => sum + records, 0)],
    ]);
  });

  it('on an export to Parquet equals the report it was exported from', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'stormgate-test-')), 'export');
    const analysis = await analyse(requestOf(LOGS));
    await exportParquet(analysis.database, folder);
    await analysis.close();
    expect(await reportOf([folder])).toEqual(await reportOf(LOGS));
  });

  it.each([
    ['an empty file', ''],
    ['blank lines only', '\n\n'],
  ])('on %s is a report of zeros', async (_, text) => {
    const path = scratch('empty.log', text);
    if (text !== '') await expect(reportOf([path])).rejects.toThrow('no line of');
    else expect((await reportOf([path])).requests).toEqual({ total: 0, by_kind: {}, by_reason: {}, by_status: {} });
  });

  it('accounts for every line: records, rejects, other, parts and duplicates add up', async () => {
    const path = scratch(
      'mixed.log',
      `start-up text\n${LINE}\n\n${LINE.replace('12/Oct', '32/Oct')}\n${LINE}\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n`,
    );
    const { inputs, rejects, requests } = await reportOf([path]);
    const [input] = inputs;
    expect(input).toMatchObject({ lines: 7, records: 3, rejects: 1, other: 2, parts: 1, duplicates: 0 });
    expect(requests.total).toBe(3);
    expect(rejects).toMatchObject({
      total: 1,
      by_reason: { bad_time: 1 },
      samples: [{ source: path, line: 4, reason: 'bad_time' }],
    });
  });

  it('says where an archive broke, and counts what was read before', async () => {
    const bytes = gzipSync(`${LINE}\n`.repeat(5000));
    const path = scratch('broken.log.gz', bytes.subarray(0, bytes.length - 12));
    const warnings: string[] = [];
    const { requests } = await reportOf([path], { onWarning: (sentence) => warnings.push(sentence) });
    expect(requests.total).toBeGreaterThan(4000);
    expect(warnings).toEqual([expect.stringContaining('gzip data is broken near byte')]);
  });

  it('shows the first lines of a log that no format understands, and what was tried', async () => {
    const path = scratch('prose.log', 'It was a dark night.\nNothing was logged.\nBut token=abcdef0123456789 leaked.\nEnd.\n');
    const error = await reportOf([path]).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'input',
      message: expect.stringContaining('no line of'),
      detail: { help: expect.stringContaining('combined') },
    });
    expect(JSON.stringify(error)).toContain('It was a dark night.');
    expect(JSON.stringify(error)).not.toContain('abcdef0123456789');
  });

  it('warns of one dark input among others', async () => {
    const warnings: string[] = [];
    const dark = scratch('prose.log', 'nothing here\n');
    const { requests } = await reportOf([dark, ...LOGS], { onWarning: (sentence) => warnings.push(sentence) });
    expect(requests.total).toBe(1924);
    expect(warnings).toEqual([expect.stringContaining(dark)]);
  });

  it('keeps credentials out of everything, and says where they were', async () => {
    const secret = 'sk-ant-abcdefghijklmnopqrstuvwxyz0123456789';
    const path = scratch(
      'leaky.log',
      `${LINE.replace('/mcp/mcp', `/mcp?api_key=${secret}`)}\n${LINE.replace('node', secret)}\n${LINE.replace('404', `4x4 ${secret}`)}\n`,
    );
    const report = await reportOf([path]);
    expect(JSON.stringify(report)).not.toContain(secret);
    expect(report.findings.map(({ rule }) => rule)).toContain('credential_in_log');
  });

  it('counts a line over the cap as a reject and reads on', async () => {
    const path = scratch('long.log', `${LINE}\n${'x'.repeat(5 << 20)}\n${LINE}\n`);
    const { inputs, rejects } = await reportOf([path]);
    expect(inputs[0]).toMatchObject({ lines: 3, records: 2, rejects: 1 });
    expect(rejects.samples).toMatchObject([{ line: 2, reason: 'line_too_long' }]);
  });

  it('limits requests to a window and a client without changing the accounts', async () => {
    const whole = await reportOf(LOGS);
    const since = Date.UTC(2026, 10, 1, 12) * 1000;
    const late = await reportOf(LOGS, { since });
    expect(late.inputs).toEqual(whole.inputs);
    expect(late.requests.total).toBeLessThan(whole.requests.total);
    expect(late.window.start?.slice(0, 13)).toBe('2026-11-01T12');
    const prober = whole.storms[0]?.client ?? '';
    const alone = await reportOf(LOGS, { client: prober });
    expect(alone.clients.total).toBe(1);
    expect(alone.storms).toEqual(whole.storms);
  });
});

describe('a kept database', () => {
  it('takes its place when the work is whole, replaces an earlier one, and answers later', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'stormgate-test-')), 'run.duckdb');
    for (let round = 0; round < 2; round++) {
      const analysis = await analyse(requestOf(LOGS, { database: { path } }));
      await analysis.close();
    }
    const database = await openKeptDatabase(path);
    expect(await database.rows('SELECT COUNT(*) AS n FROM requests')).toEqual([{ n: 1924 }]);
    await database.close();
    expect(readdirSync(join(path, '..'))).toEqual(['run.duckdb']);
  });

  it('is not made of a run that failed', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'stormgate-test-')), 'run.duckdb');
    await expect(analyse(requestOf([scratch('prose.log', 'nothing\n')], { database: { path } }))).rejects.toThrow('no line of');
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('never overwrites a file of another kind', async () => {
    const path = scratch('notes.txt', 'precious');
    await expect(analyse(requestOf(LOGS, { database: { path } }))).rejects.toMatchObject({ code: 'input' });
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });
});

describe('a line', () => {
  it('is explained by the rule that judged its request', async () => {
    const { requests } = await explainLine(LOGS[1] ?? '', 448, requestOf([]));
    expect(requests).toMatchObject([
      { target: { path: '/mcp/mcp', declared: 'undeclared' }, signal: { status: 404 }, rule: { kind: 'interface_not_declared' } },
    ]);
  });

  it.each([
    [1, 'other'],
    [2, undefined],
    [3, 'bad_time'],
    [4, undefined],
    [5, 'part'],
    [99, undefined],
  ])('%d of a mixed log is told for what it is', async (line, otherwise) => {
    const path = scratch(
      'mixed.log',
      `text\n${LINE}\n${LINE.replace('12/Oct', '32/Oct')}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n`,
    );
    const explained = await explainLine(path, line, requestOf([], { documents: [] }));
    expect(explained.otherwise).toBe(otherwise);
    expect(explained.requests.length).toBe(line === 2 || line === 4 ? 1 : 0);
    expect(explained.text === undefined).toBe(line === 99);
  });
});

describe('worker threads', () => {
  it('give the same report as one thread', () => {
    const path = scratch(
      'big.log',
      Array.from(
        { length: 120_000 },
        (_, n) =>
          `${LINE.replace('198.51.100.23', `198.51.${n % 100}.${n % 250}`)
            .replace('/mcp/mcp', `/p/${n % 977}`)
            .replace('404', n % 10 === 0 ? '404' : '200')}\n`,
      ).join(''),
    );
    const run = (threads: number) =>
      execFileSync('node', ['dist/cli.js', path, '--threads', String(threads), '--format', 'json', '--quiet'], {
        env: { ...process.env, SOURCE_DATE_EPOCH: '0' },
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      });
    expect(run(2)).toBe(run(1));
  });
});
