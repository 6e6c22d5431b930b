// Reading through rotation: whatever becomes of the files between two runs, each line is counted once.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { KEPT, openState } from '../../src/nightly/state.ts';
import { takeSources, type Taken } from '../../src/nightly/take.ts';
import { openDatabase } from '../../src/store/database.ts';
import { numberedLine, openLog, type RotatingLog } from '../support/rotating-log.ts';
import { between, pick, seeded } from '../support/stories/random.ts';

const root = mkdtempSync(join(tmpdir(), 'stormgate-take-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
function newFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
}

const START = Date.UTC(2026, 10, 28, 12);

interface Count extends Taken {
  rows: number;
  distinct: number;
  warnings: string[];
}

/** Runs once over `access.log*` and returns what the state then holds. */
async function take(folder: string, night = 'a'): Promise<Count> {
  const database = await openDatabase({ threads: 1 });
  const warnings: string[] = [];
  try {
    await openState(database, join(folder, 'state.duckdb'), { waitMs: 0 });
    const taken = await takeSources(
      database,
      [{ label: undefined, paths: [join(folder, 'access.log*')], logFormat: undefined, timeZone: 'UTC' }],
      { night, zone: 'UTC', threads: 1, onWarning: (sentence) => warnings.push(sentence) },
    );
    const [count] = await database.rows<{ rows: number; distinct: number }>(
      `SELECT COUNT(*) AS rows, COUNT(DISTINCT target) AS distinct FROM ${KEPT}.requests`,
    );
    return { ...taken, rows: count?.rows ?? 0, distinct: count?.distinct ?? 0, warnings };
  } finally {
    await database.close();
  }
}

const whole = (log: RotatingLog, lines = log.lines) => ({ rows: lines, distinct: lines, failures: [] });

const rewrite = (path: string, text: string): void => {
  truncateSync(path);
  appendFileSync(path, text);
};

/** What happens between two runs, by name. */
const CASES: Readonly<Record<string, (log: RotatingLog, folder: string) => void>> = {
  'a log that grows': (log) => log.append(5, START),
  'a log that nothing happens to': () => undefined,
  'rotation by rename': (log) => {
    log.append(5, START);
    log.rename();
    log.append(5, START);
  },
  'two rotations at once': (log) => {
    log.append(5, START);
    log.rename();
    log.append(5, START);
    log.rename();
    log.append(5, START);
  },
  'rotation by copy and truncate': (log) => {
    log.append(5, START);
    log.copyTruncate();
    log.append(5, START);
  },
  'a truncated log that is longer again than it was': (log) => {
    log.copyTruncate();
    log.append(60, START);
  },
  'rotation by date': (log) => {
    log.append(5, START);
    log.rotateByDate('20261129');
    log.append(5, START);
  },
  'compression of what was read': (log) => {
    log.rename();
    log.pack();
  },
  'compression before the rest was read': (log) => {
    log.append(5, START);
    log.rename();
    log.pack();
    log.append(5, START);
  },
  'a file beside its packed copy': (log, folder) => {
    log.append(5, START);
    log.rename();
    writeFileSync(join(folder, 'access.log.1.gz'), gzipSync(readFileSync(join(folder, 'access.log.1'))));
  },
  'a packed copy in the making': (log, folder) => {
    log.append(5, START);
    log.rename();
    const packed = gzipSync(readFileSync(join(folder, 'access.log.1')));
    writeFileSync(join(folder, 'access.log.1.gz'), packed.subarray(0, packed.length / 2));
  },
  'a copy in the making': (log, folder) => {
    log.append(5, START);
    writeFileSync(join(folder, 'access.log.1'), readFileSync(log.path).subarray(0, 1000));
  },
  'a file put in place of another, under the same inode': (log) => {
    const next = Array.from({ length: 3 }, (_, index) => numberedLine(1000 + index, START)).join('');
    rewrite(log.path, next);
  },
  'a new file on the inode of a removed one': (log) => {
    unlinkSync(log.path);
    writeFileSync(log.path, [1000, 1001, 1002].map((n) => numberedLine(n, START)).join(''));
  },
  'a log that vanished': (log) => unlinkSync(log.path),
  'another name for the same file': (log, folder) => symlinkSync(log.path, join(folder, 'access.log.latest')),
};

/** `npm run test:nightly` walks further. */
const SEEDS = Array.from({ length: process.env['STORMGATE_CAMPAIGN'] === undefined ? 2 : 60 }, (_, seed) => seed);

/** Lines that a case writes by itself. */
const BESIDE: Readonly<Record<string, number>> = {
  'a file put in place of another, under the same inode': 3,
  'a new file on the inode of a removed one': 3,
};

describe('each line is counted once over', () => {
  it.each(Object.entries(CASES))('%s', async (name, happen) => {
    const folder = newFolder();
    const log = openLog(folder);
    log.append(30, START);
    expect(await take(folder)).toMatchObject(whole(log));
    happen(log, folder);
    const lines = log.lines + (BESIDE[name] ?? 0);
    if (name !== 'a log that vanished') {
      expect(await take(folder, 'b')).toMatchObject(whole(log, lines));
      log.append(3, START);
      expect(await take(folder, 'c')).toMatchObject(whole(log, lines + 3));
    }
  });

  it.each(SEEDS)('a walk of rotations (seed %i)', { timeout: 60_000 }, async (seed) => {
    const random = seeded(`walk ${seed}`);
    const folder = newFolder();
    const log = openLog(folder);
    log.append(3, START);
    const steps: [() => void, ...(() => void)[]] = [
      () => log.append(between(random, 1, 40), START + between(random, 0, 1e6) * 1000),
      () => log.append(between(random, 1, 40), START + between(random, 0, 1e6) * 1000),
      () => log.appendPart(START),
      () => log.rename(),
      () => log.copyTruncate(),
      () => log.rotateByDate(`202611${between(random, 10, 29)}`),
      () => log.pack(),
    ];
    for (let run = 0; run < 10; run++) {
      for (let step = between(random, 1, 5); step > 0; step--) pick(random, steps)();
      const night = String(run).padStart(2, '0');
      expect(await take(folder, night), `run ${run}`).toMatchObject(whole(log));
    }
  });
});

describe('the last line', () => {
  it('waits for its end', async () => {
    const folder = newFolder();
    const log = openLog(folder);
    log.append(3, START);
    log.appendPart(START);
    expect((await take(folder, 'a')).rows).toBe(3);
    log.append(1, START);
    expect(await take(folder, 'b')).toMatchObject(whole(log));
  });

  it('counts without its end if nothing follows until another night', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'access.log'), numberedLine(0, START) + numberedLine(1, START).trimEnd());
    expect((await take(folder, 'a')).rows).toBe(1);
    expect((await take(folder, 'a')).rows).toBe(1);
    expect((await take(folder, 'b')).rows).toBe(2);
    expect((await take(folder, 'c')).rows).toBe(2);
  });

  it('of an archive counts at once', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'access.log.1.gz'), gzipSync(numberedLine(0, START) + numberedLine(1, START).trimEnd()));
    expect((await take(folder)).rows).toBe(2);
  });
});

describe('a log that became shorter', () => {
  it('goes on where it was cut off', async () => {
    const folder = newFolder();
    const log = openLog(folder);
    log.append(100, START);
    await take(folder, 'a');
    const text = readFileSync(log.path, 'utf8');
    truncateSync(log.path, Buffer.byteLength(text.split('\n').slice(0, 50).join('\n')) + 1);
    expect(await take(folder, 'b')).toMatchObject({ rows: 100, lines: 0 });
    log.append(5, START);
    expect(await take(folder, 'c')).toMatchObject({ rows: 105, distinct: 105, lines: 5 });
  });

  it('and longer again goes on where an earlier reading had ended', async () => {
    const folder = newFolder();
    const log = openLog(folder);
    log.append(100, START);
    await take(folder, 'a');
    const { length } = readFileSync(log.path);
    log.append(50, START);
    await take(folder, 'b');
    truncateSync(log.path, length);
    log.append(80, START);
    expect(await take(folder, 'c')).toMatchObject({ rows: 230, distinct: 230, lines: 80 });
  });
});

describe('what cannot be read', () => {
  it('waits, while all else is read', async () => {
    const folder = newFolder();
    const log = openLog(folder);
    log.append(10, START);
    // Opens, and fails with EIO when it is read: no permission stops root.
    symlinkSync('/proc/self/mem', join(folder, 'access.log.1'));
    const first = await take(folder);
    expect(first).toMatchObject({ rows: 10, distinct: 10 });
    expect(first.failures).toEqual([expect.stringContaining('its lines wait for the next run')]);
    unlinkSync(join(folder, 'access.log.1'));
    writeFileSync(join(folder, 'access.log.1'), numberedLine(77, START));
    expect(await take(folder)).toMatchObject(whole(log, 11));
  });

  it('is named when it vanished before it was read', async () => {
    const folder = newFolder();
    const log = openLog(folder);
    log.append(3, START);
    log.appendPart(START);
    await take(folder, 'a');
    renameSync(log.path, join(folder, 'elsewhere'));
    writeFileSync(log.path, numberedLine(50, START));
    expect((await take(folder, 'b')).warnings).toEqual([expect.stringContaining('30 bytes were never read')]);
  });
});

it('names a log by its content, so that it is called the same under any name', async () => {
  const names = await Promise.all(
    ['access.log', 'access.log.1'].map(async (name) => {
      const folder = newFolder();
      writeFileSync(join(folder, name), numberedLine(0, START));
      await take(folder);
      const database = await openDatabase({ threads: 1 });
      await openState(database, join(folder, 'state.duckdb'), { waitMs: 0 });
      const rows = await database.rows<{ title: string }>(`SELECT title FROM ${KEPT}.generations`);
      await database.close();
      return rows.map(({ title }) => title.replace(folder, ''));
    }),
  );
  expect(names[0]).toEqual(names[1]);
  expect(names[0]).toEqual([expect.stringMatching(/^\/access\.log@2026-11-28-[0-9a-f]{8}$/)]);
});

it('reads an archive once, and copies of it never', async () => {
  const folder = newFolder();
  const log = openLog(folder);
  log.append(10, START);
  log.rename();
  log.pack();
  await take(folder, 'a');
  copyFileSync(join(folder, 'access.log.1.gz'), join(folder, 'access.log.copy.gz'));
  expect(await take(folder, 'b')).toMatchObject({ rows: 10, lines: 0 });
});
