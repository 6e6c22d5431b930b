// The built program as users meet it. Each case has a golden file with its standard output, standard error and exit code.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ENVIRONMENT, PROGRAM, ROOT, run, stormgate, transcript, type Run, type RunOptions } from '../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'stormgate-cli-'));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const STORY = 'samples/stories/federation-24h';
const GATEWAY = `${STORY}/gateway.json.log`;
const CARD = `${STORY}/agent-card.json`;
const REFUSED = 'samples/stories/refused-repeat/access.log';

writeFileSync(at('empty.log'), '');
mkdirSync(at('empty'));
writeFileSync(at('prose.log'), 'It was a dark night.\nNothing was logged, \u001b[31mand\u001b[0m nobody asked.\nThe end.\n');
writeFileSync(at('not-a-contract.json'), '{"hello": "world"}');
writeFileSync(at('broken.json'), '{"name": ');
writeFileSync(at('part.json'), '{"schema": "stormgate.report/1", "storms": []}');
writeFileSync(at('old.json'), '{"schema": "stormgate.report/9"}');
writeFileSync(at('own.log'), '192.0.2.1 x "GET /mcp HTTP/1.1" 404\n'.repeat(4));
writeFileSync(at('nginx.conf'), `http {\n  log_format main '$remote_addr $mine '\n                  '"$request" $status';\n}\n`);
writeFileSync(at('ask.sql'), "SELECT kind, requests FROM (SELECT 1 AS requests, 'ok' AS kind)");

const CASES: readonly (readonly [name: string, args: readonly string[], options?: RunOptions])[] = [
  ['help', ['--help']],
  ['help-report', ['report', '--help']],
  ['help-classify', ['classify', '-h']],
  ['help-query', ['query', '--help', '--format', 'nonsense']],
  ['help-explain', ['explain', '--help']],
  ['help-formats', ['formats', '--help']],
  ['help-demo', ['demo', '--help']],
  ['help-completion', ['completion', '--help']],
  ['version', ['--version']],
  ['unknown-command', ['reprot', 'access.log']],
  ['command-after-flag', ['--quiet', 'query', 'storms']],
  ['unknown-flag', ['--frmat', 'json', REFUSED]],
  ['flag-named-like-a-method', ['--toString', 'x']],
  ['unknown-report-format', [REFUSED, '--format', 'jsno']],
  ['unknown-log-format', [REFUSED, '--log-format', 'combine']],
  ['unknown-extension', [REFUSED, '-o', at('review.pdf')]],
  ['unknown-zone', [REFUSED, '--tz', 'Europe/Zurch']],
  ['unknown-figure', [REFUSED, '--fail-on', 'strom>0']],
  ['unknown-query', ['query', 'strom', REFUSED]],
  ['unknown-shell', ['completion', 'bsh']],
  ['flag-without-value', [REFUSED, '--format']],
  ['flag-twice', ['--format', 'json', '--format', 'csv', REFUSED]],
  ['bad-since', [REFUSED, '--since', '24h']],
  ['empty-window', [REFUSED, '--since', '2026-02-01', '--until', '2026-01-01']],
  ['bad-session-gap', [REFUSED, '--session-gap', '30']],
  ['no-such-file', ['missing.log']],
  ['empty-file', [at('empty.log')]],
  ['empty-pipe', []],
  ['empty-folder', [at('empty')]],
  ['not-a-log', [at('prose.log')]],
  ['contract-missing', [REFUSED, '--contract', at('missing.json')]],
  ['contract-broken', [REFUSED, '--contract', at('broken.json')]],
  ['contract-none-of-ours', [REFUSED, '--contract', at('not-a-contract.json')]],
  ['contract-none-and-more', [REFUSED, '--contract', 'none', '--contract', CARD]],
  ['report-text', [REFUSED, '--quiet']],
  ['report-json', [REFUSED, '--format', 'json']],
  ['report-piped', ['--format', 'csv'], { stdin: readFileSync(`${ROOT}/${REFUSED}`, 'utf8') }],
  ['report-client', [GATEWAY, '--contract', CARD, '--client', '203.0.113.99 mesh-router/0.4', '--format', 'csv']],
  ['report-nobody', [GATEWAY, '--contract', CARD, '--client', 'nobody']],
  ['report-since', [GATEWAY, '--contract', CARD, '--since', '2026-11-02T01:00', '--tz', 'Pacific/Auckland', '--format', 'csv']],
  ['report-session-gap', [GATEWAY, '--contract', CARD, '--session-gap', '10m', '--format', 'csv']],
  ['fail-on-crossed', [REFUSED, '--fail-on', 'storms>0', '--fail-on', 'harm>0', '--format', 'csv']],
  ['fail-on-held', [REFUSED, '--fail-on', 'harm>0', '--format', 'csv']],
  ['help-compare', ['compare', '--help']],
  ['compare', ['compare', REFUSED, 'samples/stories/harm/agentgateway.log', '--quiet', '--fail-on', 'new_storms>0']],
  ['compare-one-side', ['compare', REFUSED]],
  ['compare-three-sides', ['compare', REFUSED, REFUSED, REFUSED]],
  ['compare-broken-report', ['compare', at('part.json'), REFUSED]],
  ['compare-other-schema', ['compare', at('old.json'), REFUSED]],
  ['query-list', ['query', '--list']],
  ['query-csv', ['query', 'storms', REFUSED, '--format', 'csv']],
  ['query-sql', ['query', REFUSED, '--sql', 'SELECT COUNT(*) AS n FROM requests']],
  ['query-file', ['query', REFUSED, '--file', at('ask.sql'), '--format', 'json']],
  ['query-bad-sql', ['query', REFUSED, '--sql', 'SELECT nothing FROM nowhere']],
  ['query-without-name', ['query']],
  [
    'classify',
    ['classify', '--contract', CARD],
    { stdin: readFileSync(`${ROOT}/${REFUSED}`, 'utf8').split('\n').slice(0, 3).join('\n') },
  ],
  ['explain-answer', ['explain', '--status', '404', '--rpc-code', '-32601']],
  ['explain-undeclared', ['explain', '--status', '404', '--path', '/mcp/sse', '--method', 'POST', '--contract', CARD]],
  ['explain-line', ['explain', `${REFUSED}:2`]],
  ['explain-no-line', ['explain', `${REFUSED}:99999`]],
  ['explain-nothing', ['explain']],
  ['explain-all', ['explain', '--all']],
  ['formats', ['formats']],
  ['formats-samples', ['formats', 'combined']],
  ['formats-detect', ['formats', '--detect', 'samples/wrappers.log']],
  ['formats-detect-nothing', ['formats', '--detect', at('prose.log')]],
  ['log-format-string', [at('own.log'), '--log-format', '$remote_addr $mine "$request" $status', '--format', 'csv']],
  ['log-format-unreadable', [at('own.log'), '--log-format', '$remote_addr $request $status']],
  ['log-format-from', [at('own.log'), '--log-format-from', at('nginx.conf'), '--format', 'csv']],
  ['log-format-from-unknown', [at('own.log'), '--log-format-from', at('nginx.conf'), '--log-format', 'mian']],
  ['log-format-from-none', [at('own.log'), '--log-format-from', at('prose.log')]],
  ['demo', ['demo']],
];

function shell(line: string): Promise<Run> {
  return run('bash', ['-c', line], { env: { STORMGATE: PROGRAM, NODE: process.execPath } });
}

async function complete(...words: string[]): Promise<string[]> {
  const { stdout } = await stormgate(['--get-yargs-completions', 'stormgate', ...words], { env: { SHELL: '/bin/bash' } });
  return stdout.split('\n').filter(Boolean);
}

describe('stormgate', () => {
  it.concurrent.for(CASES)('%s', { timeout: 60_000 }, async ([name, args, options], { expect: expectHere }) => {
    const result = await stormgate(args, options);
    await expectHere(transcript(args, result, { [folder]: '<tmp>' })).toMatchFileSnapshot(`../golden/cli/${name}.txt`);
  });

  it('has no golden file without a case', () => {
    const names = readdirSync(`${ROOT}/test/golden/cli`).map((file) => file.replace('.txt', ''));
    expect(names.filter((name) => !CASES.some(([one]) => one === name))).toEqual([]);
  });
});

describe('files', () => {
  it('are written whole, in the formats of their names, and nothing else is printed', { timeout: 60_000 }, async () => {
    const names = ['review.html', 'review.md', 'review.json', 'review.ndjson', 'review.csv', 'review.txt'];
    const { code, stdout } = await stormgate([REFUSED, '-q', ...names.flatMap((name) => ['-o', at(name)])]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(names.map((name) => readFileSync(at(name), 'utf8').length > 100)).toEqual(names.map(() => true));
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('stay as they were when they cannot be written', { timeout: 60_000 }, async () => {
    const { code, stderr } = await stormgate([REFUSED, '-q', '-o', at('missing/review.json')]);
    expect(stderr).toContain(`error: cannot write: ${JSON.stringify(at('missing/review.json'))}`);
    expect(code).toBe(2);
  });

  it('keep a database that is asked without logs', { timeout: 60_000 }, async () => {
    const db = at('run.duckdb');
    await stormgate([REFUSED, '-q', '--db', db, '--format', 'csv']);
    const kept = await stormgate(['query', 'storms', '--db', db, '--format', 'ndjson']);
    const fresh = await stormgate(['query', 'storms', REFUSED, '--format', 'ndjson']);
    expect(kept).toEqual(fresh);
    expect(kept.stdout).not.toBe('');
  });

  it('compare alike, whether a side is a log, its report or its database', { timeout: 60_000 }, async () => {
    const [json, db] = [at('side.json'), at('side.duckdb')];
    await stormgate([REFUSED, '-q', '--db', db, '-o', json]);
    const sides = [REFUSED, json, db].map((before) => stormgate(['compare', before, REFUSED, '-q', '--format', 'json']));
    const [log, ...others] = (await Promise.all(sides)).map(({ stdout }) => JSON.parse(stdout));
    for (const each of others) {
      expect({ ...each, generated_at: 0, before: 0 }).toEqual({ ...log, generated_at: 0, before: 0 });
      expect({ ...each.before, name: 0 }).toEqual({ ...log.before, name: 0 });
    }
    expect(log.totals).toEqual({ new_storms: 0, unchanged_storms: 1, gone_storms: 0 });
  });

  it('export as Parquet', { timeout: 60_000 }, async () => {
    const { code } = await stormgate([REFUSED, '-q', '--parquet', at('tables'), '--format', 'csv']);
    expect(code).toBe(0);
    expect(existsSync(at('tables/clients.parquet'))).toBe(true);
  });
});

describe('streams', () => {
  it.each([
    'report samples/stories/refused-repeat/access.log --format json -q',
    'explain --all',
    'classify samples/stories/federation-24h/gateway.json.log',
    '--help',
  ])('end quietly when the reader of %s leaves', { timeout: 60_000 }, async (args) => {
    const { stdout, stderr } = await shell(`"$NODE" "$STORMGATE" ${args} | true; echo "\${PIPESTATUS[0]}"`);
    expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
  });

  it.runIf(existsSync('/usr/bin/script'))('say how to use it when nothing is piped in', { timeout: 60_000 }, async () => {
    const { stdout } = await shell('script -qec "$NODE $STORMGATE" /dev/null');
    expect(stdout.replaceAll('\r', '')).toContain('error: no log named, and nothing is piped in\nhelp: name a log');
  });

  it('classify each line as soon as it comes', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [PROGRAM, 'classify'], { cwd: ROOT, env: ENVIRONMENT });
    const [line] = readFileSync(`${ROOT}/${REFUSED}`, 'utf8').split('\n');
    const answered = new Promise<string>((resolve) => {
      child.stdout.once('data', (text: Buffer) => resolve(String(text)));
    });
    child.stdin.write(`${line}\n`);
    expect(JSON.parse(await answered)).toMatchObject({ line: 1, kind: expect.any(String) });
    child.stdin.end();
    await new Promise((resolve) => child.on('close', resolve));
  });

  it('report what was read when Ctrl-C ends an endless pipe', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [PROGRAM, '--format', 'json'], { cwd: ROOT, env: ENVIRONMENT });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (text: Buffer) => (output.stdout += text));
    child.stderr.on('data', (text: Buffer) => (output.stderr += text));
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    // Much more than a pipe holds: once it is written, the program is reading. The pipe stays open.
    const log = readFileSync(`${ROOT}/${REFUSED}`, 'utf8').repeat(2000);
    expect(log.length).toBeGreaterThan(1e6);
    await new Promise((resolve) => child.stdin.write(log, resolve));
    child.kill('SIGINT');
    expect(await closed, output.stderr).toBe(0);
    expect(output.stderr).toContain('reading stopped; what was read so far is reported');
    expect(JSON.parse(output.stdout).requests.total).toBeGreaterThan(0);
  });
});

describe('completion', () => {
  it('knows commands, flags and closed lists', async () => {
    expect(await complete('')).toEqual(
      expect.arrayContaining(['report', 'classify', 'query', 'explain', 'formats', 'demo', 'completion']),
    );
    expect(await complete('report', '--fail')).toContain('--fail-on');
    expect(await complete('report', '--session')).toContain('--session-gap');
    expect(await complete('query', '--format', '')).toEqual(['table', 'csv', 'json', 'ndjson']);
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (name) => {
    const { stdout, code } = await stormgate(['completion', name]);
    expect(code).toBe(0);
    expect(stdout).toContain('stormgate --get-yargs-completions');
  });
});
