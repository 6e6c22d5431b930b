// The built program over nights with faults: what it leaves is what an undisturbed run leaves, and each line is counted once.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KEPT, openState } from '../../src/nightly/state.ts';
import { openDatabase, type Row } from '../../src/store/database.ts';
import { ENVIRONMENT, PROGRAM, stormgate, type Run } from '../support/program.ts';
import { openLog, type RotatingLog } from '../support/rotating-log.ts';
import { between, seeded } from '../support/stories/random.ts';

const root = mkdtempSync(join(tmpdir(), 'stormgate-nights-'));
const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) execFileSync('umount', [folder]);
  rmSync(root, { recursive: true });
});

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 10, 10);

interface Host {
  folder: string;
  log: RotatingLog;
}

let hosts = 0;
function newHost(config = ''): Host {
  const folder = join(root, String(hosts++));
  mkdirSync(join(folder, 'logs'), { recursive: true });
  writeFileSync(join(folder, 'stormgate.yaml'), `sources: logs/access.log*\nthreads: 1\n${config}`);
  return { folder, log: openLog(join(folder, 'logs')) };
}

/** The surroundings of a run at 02:00 of the day after `day`, counted from the first. */
function env(day: number): Record<string, string> {
  return { SOURCE_DATE_EPOCH: String((FIRST + (day + 1) * DAY + 7_200_000) / 1000) };
}

function nightly({ folder }: Host, day: number, ...args: string[]): Promise<Run> {
  return stormgate(['nightly', ...args], { cwd: folder, env: env(day) });
}

/** A day of traffic: some clients that repeat what is refused, and a rotation that differs from day to day. */
function live({ log }: Host, day: number): void {
  const at = FIRST + day * DAY;
  log.append(200, at + 3_600_000);
  if (day % 3 === 0) log.rename();
  if (day % 3 === 1) log.copyTruncate();
  if (day % 3 === 2) log.rotateByDate(`202611${10 + day}`);
  if (day % 2 === 1) log.pack();
  log.append(100, at + 43_200_000);
  if (day % 2 === 0) log.appendPart(at + 80_000_000);
}

/** Returns every file of a folder by name, links by where they point. */
function contents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [relative(folder, path), entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8')] as const;
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function ask<T = Row>({ folder }: Host, sql: string): Promise<T[]> {
  const database = await openDatabase({ threads: 1 });
  try {
    await openState(database, join(folder, 'stormgate.duckdb'), { waitMs: 0 });
    return await database.rows<T>(sql);
  } finally {
    await database.close();
  }
}

/** Rows, and different lines among them, that the state holds. */
async function counted(host: Host): Promise<Row | undefined> {
  const [row] = await ask(host, `SELECT COUNT(*) AS n, COUNT(DISTINCT target) AS lines FROM ${KEPT}.requests`);
  return row;
}

/** Ends a run by SIGKILL after some time, if it has not ended by itself. Returns whether it was killed. */
function killAfter({ folder }: Host, day: number, ms: number): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, 'nightly'], {
    cwd: folder,
    env: { ...ENVIRONMENT, ...env(day) },
    stdio: 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  return new Promise((resolve) => {
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL');
    });
  });
}

const CAMPAIGN = process.env['STORMGATE_CAMPAIGN'] !== undefined;
const KILLS = CAMPAIGN ? 50 : 4;
const NIGHTS = CAMPAIGN ? 6 : 3;

describe('a run that is killed', () => {
  it('leaves to the next what an undisturbed run would have done, byte for byte', { timeout: 600_000 }, async () => {
    const random = seeded('kills');
    const [calm, killed] = [newHost(), newHost()];
    let longest = 1500;
    for (let day = 0; day < NIGHTS; day++) {
      live(calm, day);
      live(killed, day);
      const begin = performance.now();
      expect(await nightly(calm, day)).toMatchObject({ code: 0, stderr: '' });
      longest = performance.now() - begin;
      for (let kill = 0; kill < KILLS; kill++) await killAfter(killed, day, between(random, 150, longest));
      expect(await nightly(killed, day)).toMatchObject({ code: 0, stderr: '' });
      const whole = killed.log.lines;
      expect(await counted(killed), `night ${day}`).toEqual({ n: whole, lines: whole });
    }
    expect(contents(join(killed.folder, 'reports'))).toEqual(contents(join(calm.folder, 'reports')));
    expect(readdirSync(killed.folder).toSorted()).toEqual(['logs', 'reports', 'stormgate.duckdb', 'stormgate.yaml']);
  });
});

describe('two runs at once', () => {
  it('work one after the other', { timeout: 60_000 }, async () => {
    const host = newHost();
    live(host, 0);
    const runs = await Promise.all([nightly(host, 0), nightly(host, 0), nightly(host, 0)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await counted(host)).toEqual({ n: 300, lines: 300 });
  });

  it('leave, saying who works, when waiting takes too long', { timeout: 60_000 }, async () => {
    const host = newHost('lock-wait: 0s\n');
    live(host, 0);
    const database = await openDatabase({ threads: 1 });
    await openState(database, join(host.folder, 'stormgate.duckdb'), { waitMs: 0 });
    const { code, stderr } = await nightly(host, 0);
    await database.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`another run works on this state (PID ${process.pid})`);
    expect(await nightly(host, 0)).toMatchObject({ code: 0 });
  });
});

/** Returns a small file system in a folder, or undefined where none can be mounted. */
function maybeSmallDisk(folder: string, size: string): string | undefined {
  try {
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    mounted.push(folder);
    return folder;
  } catch {
    return undefined;
  }
}

describe('a full disk', () => {
  it('ends a run with a sentence, and the next one makes up for it', { timeout: 60_000 }, async ({ skip }) => {
    const host = newHost('state: disk/state.duckdb\nreports: disk/reports\n');
    const disk = maybeSmallDisk(join(host.folder, 'disk'), '1m');
    if (disk === undefined) return skip('no tmpfs can be mounted here');
    const sizes = ['1m', '3m', '20m'];
    live(host, 0);
    for (const [index, size] of sizes.entries()) {
      execFileSync('mount', ['-o', `remount,size=${size}`, disk]);
      const { code, stderr } = await nightly(host, 0);
      if (index === 0) expect(stderr).toMatch(/^error: /);
      expect(stderr).not.toContain('bug');
      expect(index === sizes.length - 1 ? [0] : [0, 2]).toContain(code);
    }
    const calm = newHost();
    live(calm, 0);
    await nightly(calm, 0);
    expect(contents(join(disk, 'reports'))).toEqual(contents(join(calm.folder, 'reports')));
  });
});

describe('nights', () => {
  it('that were missed are reported on by the next run', { timeout: 60_000 }, async () => {
    const host = newHost();
    live(host, 0);
    await nightly(host, 0);
    for (const day of [1, 2, 3]) live(host, day);
    const { code, stdout } = await nightly(host, 3);
    expect(code).toBe(0);
    // The first night, too: the end of its last line came late.
    expect(stdout).toContain('reports on 2026-11-10, 2026-11-11, 2026-11-12, 2026-11-13 in');
    expect(await counted(host)).toEqual({ n: host.log.lines, lines: host.log.lines });
    const totals = [10, 11, 12].map(
      (day) =>
        (JSON.parse(readFileSync(join(host.folder, `reports/2026-11-${day}/report.json`), 'utf8')) as Report).requests.total,
    );
    expect(totals).toEqual([301, 300, 301]);
  });

  it('are reported on anew when lines of theirs come late', { timeout: 60_000 }, async () => {
    const host = newHost();
    host.log.append(50, FIRST + 3_600_000);
    await nightly(host, 0);
    host.log.append(7, FIRST + 7_200_000);
    host.log.append(50, FIRST + DAY + 3_600_000);
    expect((await nightly(host, 1)).stdout).toContain('57 new lines, reports on 2026-11-10, 2026-11-11');
    expect(report(host, '2026-11-10').requests.total).toBe(57);
    expect(report(host, '2026-11-11').requests.total).toBe(50);
  });

  it('stay as they are when a clock jumps back', { timeout: 60_000 }, async () => {
    const host = newHost();
    for (const day of [0, 1]) live(host, day);
    await nightly(host, 1);
    const before = report(host, '2026-11-11');
    expect((await nightly(host, 0)).stdout).toContain('night 2026-11-10: 0 new lines');
    expect(report(host, '2026-11-11')).toEqual(before);
    expect(readlinkSync(join(host.folder, 'reports/latest'))).toBe('2026-11-11');
    expect((await nightly(host, 1)).code).toBe(0);
    expect(await counted(host)).toEqual({ n: host.log.lines, lines: host.log.lines });
  });

  it('before the first run are filled in on demand', { timeout: 60_000 }, async () => {
    const host = newHost();
    for (const day of [0, 1, 2]) live(host, day);
    expect((await nightly(host, 2, '--backfill', '2026-11-10..2026-11-11')).code).toBe(0);
    expect(readdirSync(join(host.folder, 'reports'))).toEqual(expect.arrayContaining(['2026-11-10', '2026-11-11', '2026-11-12']));
    expect(await nightly(host, 2, '--backfill', '2026-11-11..2026-11-10')).toMatchObject({ code: 2 });
  });

  it('report what a report on the same logs says', { timeout: 60_000 }, async () => {
    const host = newHost();
    for (const day of [0, 1]) live(host, day);
    await nightly(host, 1);
    const whole = await stormgate(['logs', '--since', '2026-11-11', '--until', '2026-11-12', '--format', 'json', '-q'], {
      cwd: host.folder,
    });
    const offline = JSON.parse(whole.stdout) as Report;
    const kept = report(host, '2026-11-11');
    expect(kept.requests).toEqual(offline.requests);
    expect(kept.savings).toEqual(offline.savings);
    expect(kept.storms.map(({ kind, client, requests }) => [kind, client, requests])).toEqual(
      offline.storms.map(({ kind, client, requests }) => [kind, client, requests]),
    );
  });
});

interface Report {
  requests: { total: number };
  savings: object;
  storms: { kind: string; client: string; requests: number }[];
}

function report({ folder }: Host, night: string): Report {
  return JSON.parse(readFileSync(join(folder, `reports/${night}/report.json`), 'utf8')) as Report;
}

describe('a state', () => {
  it('of a newer version is refused', { timeout: 60_000 }, async () => {
    const host = newHost();
    live(host, 0);
    await nightly(host, 0);
    await ask(host, `UPDATE ${KEPT}.schema_version SET version = 99`);
    const { code, stderr } = await nightly(host, 0);
    expect(code).toBe(2);
    expect(stderr).toContain('the state is of version 99, and this stormgate knows versions up to 1');
  });

  it('that is beyond repair is named, and made anew from the logs', { timeout: 60_000 }, async () => {
    const host = newHost();
    live(host, 0);
    await nightly(host, 0);
    const before = contents(join(host.folder, 'reports'));
    writeFileSync(join(host.folder, 'stormgate.duckdb'), 'nothing that an engine wrote');
    const broken = await nightly(host, 0);
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot open the state') });
    expect(await nightly(host, 0, '--rebuild')).toMatchObject({ code: 0, stderr: '' });
    expect(contents(join(host.folder, 'reports'))).toEqual(before);
    expect(await counted(host)).toEqual({ n: 300, lines: 300 });
  });

  it('that is made anew keeps the history of nights whose logs are gone', { timeout: 60_000 }, async () => {
    const host = newHost();
    live(host, 0);
    await nightly(host, 0);
    live(host, 1);
    await nightly(host, 1);
    for (const name of readdirSync(join(host.folder, 'logs'))) if (name !== 'access.log') rmSync(join(host.folder, 'logs', name));
    expect(await nightly(host, 1, '--rebuild')).toMatchObject({ code: 0 });
    expect(
      (await ask<{ night: string }>(host, `SELECT DISTINCT night FROM ${KEPT}.figures ORDER BY night`)).map((row) => row.night),
    ).toEqual(['2026-11-10', '2026-11-11']);
  });

  it('forgets rows after their time, and keeps figures', { timeout: 60_000 }, async () => {
    const host = newHost('keep-rows: 2d\n');
    for (const day of [0, 1, 2, 3]) {
      live(host, day);
      await nightly(host, day);
    }
    const [oldest] = await ask<{ ts: number }>(host, `SELECT MIN(ts) AS ts FROM ${KEPT}.requests`);
    expect(oldest?.ts).toBeGreaterThanOrEqual((FIRST + 2 * DAY) * 1000);
    const [figures] = await ask(host, `SELECT COUNT(DISTINCT night) AS nights FROM ${KEPT}.figures`);
    expect(figures).toEqual({ nights: 4 });
    // What was read and forgotten is not read again.
    expect((await nightly(host, 3)).stdout).toContain('0 new lines');
  });
});

async function modes(host: Host): Promise<string[]> {
  live(host, 0);
  await nightly(host, 0);
  const mode = (name: string) => (statSync(join(host.folder, name)).mode & 0o777).toString(8);
  return ['reports', 'reports/2026-11-10', 'reports/2026-11-10/report.json', 'reports/metrics.prom', 'stormgate.duckdb'].map(
    mode,
  );
}

describe('what is written', () => {
  it('belongs to the owner alone unless the config says otherwise', { timeout: 60_000 }, async () => {
    const [own, shared] = [newHost(), newHost('mode: group\n')];
    expect(await modes(own)).toEqual(['700', '700', '600', '600', '600']);
    expect(await modes(shared)).toEqual(['750', '750', '640', '640', '600']);
  });

  it('is nothing on a dry run', { timeout: 60_000 }, async () => {
    const host = newHost();
    live(host, 0);
    const { code, stdout } = await nightly(host, 0, '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('# Night of 2026-11-10');
    expect(readdirSync(host.folder).toSorted()).toEqual(['logs', 'stormgate.yaml']);
  });
});

describe('limits', () => {
  const STORM = readFileSync(new URL('../../samples/stories/refused-repeat/access.log', import.meta.url), 'utf8');
  /** The story's day, counted from the first. */
  const ITS_DAY = -6;

  it('end with 1 and their reason, and hand the summary on once', { timeout: 60_000 }, async () => {
    const host = newHost('fail_on:\n  anybody: storms>0\n  a-lot: requests>1000\nnotify: cat >> told.md\n');
    writeFileSync(join(host.folder, 'logs/access.log'), STORM);
    const first = await nightly(host, ITS_DAY);
    expect(first).toMatchObject({ code: 1, stderr: 'anybody: limit crossed: storms>0 (storms is 1)\n' });
    expect(readFileSync(join(host.folder, 'told.md'), 'utf8')).toBe(
      readFileSync(join(host.folder, 'reports/2026-11-04/summary.md'), 'utf8'),
    );
    expect((await nightly(host, ITS_DAY)).code).toBe(1);
    expect(readFileSync(join(host.folder, 'told.md'), 'utf8').match(/# Night/g)).toHaveLength(1);
  });

  it('are told again when the program that is told could not take it', { timeout: 60_000 }, async () => {
    const host = newHost('notify: [./tell]\nnotify-on: always\n');
    writeFileSync(join(host.folder, 'logs/access.log'), STORM);
    writeFileSync(join(host.folder, 'tell'), '#!/bin/sh\nexit 3\n');
    chmodSync(join(host.folder, 'tell'), 0o755);
    expect(await nightly(host, ITS_DAY)).toMatchObject({ code: 2, stderr: expect.stringContaining('reason: it ended with 3') });
    writeFileSync(join(host.folder, 'tell'), '#!/bin/sh\ncat > told.md\n');
    expect(await nightly(host, ITS_DAY)).toMatchObject({ code: 0 });
    expect(readFileSync(join(host.folder, 'told.md'), 'utf8')).toContain('# Night of 2026-11-04');
  });
});
