// The config and the units as users meet them: each case has a golden file.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SCHEDULERS } from '../../src/nightly/units.ts';
import { ROOT, stormgate, transcript } from '../support/program.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stormgate-config-')));
afterAll(() => rmSync(folder, { recursive: true }));

const REFUSED = `${ROOT}/samples/stories/refused-repeat/access.log`;
const WHOLE = `sources:
  - { path: ['${REFUSED}'], label: edge, log_format: combined, tz: UTC }
tz: Europe/Zurich
window: last 24h
fail_on: [storms>0, { somebody-new: new_storms>0 }]
notify: [mail, ops@example.com]
session-gap: 20m
keep-rows: 30d
threads: 1
`;

const FILES: Readonly<Record<string, string>> = {
  'stormgate.yaml': WHOLE,
  'stormgate.json': JSON.stringify({ sources: [REFUSED], window: 'yesterday', tz: 'Europe/Zurich', threads: 1 }),
  'broken.yaml': 'sources: [a.log\ntz: UTC\n',
  'unknown-key.yaml': 'sources: a.log\nfial-on: storms>0\n',
  'unknown-source-key.yaml': 'sources:\n  - path: a.log\n    fromat: combined\n',
  'bad-duration.yaml': 'sources: a.log\nsession-gap: 30\n',
  'bad-limit.yaml': 'sources: a.log\nfail-on:\n  first: storms>0\n  second: strom>0\n',
  'bad-zone.yaml': 'sources: a.log\ntz: Europe/Zurch\n',
  'bad-window.yaml': 'sources: a.log\nwindow: last week\n',
  'bad-format.yaml': 'sources: [{ path: a.log, log-format: combine }]\n',
  'twice.yaml': 'sources: a.log\nfail-on: storms>0\nfail_on: harm>0\n',
  'no-sources.yaml': 'tz: UTC\n',
  'no-mapping.yaml': '- a.log\n',
};
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);

const FAULTS = Object.keys(FILES).filter((name) => !name.startsWith('stormgate.'));

const CASES: readonly (readonly [name: string, args: readonly string[], at?: string])[] = [
  ['help', ['nightly', '--help']],
  ['help-schedule', ['schedule', '--help']],
  ['init', ['nightly', '--init', '--config', 'new.yaml']],
  ['init-again', ['nightly', '--init', '--config', 'stormgate.yaml']],
  ['missing', ['nightly', '--config', 'missing.yaml']],
  ['check', ['nightly', '--check']],
  ['check-short-day', ['nightly', '--check', '--config', 'stormgate.json'], '2026-03-30T02:00:00+02:00'],
  ['check-long-day', ['nightly', '--check', '--config', 'stormgate.json'], '2026-10-26T02:00:00+01:00'],
  ['bad-dates', ['nightly', '--backfill', '2026-02-30..2026-03-01']],
  ['unknown-scheduler', ['schedule', '--print', 'sytemd']],
  ['bad-hour', ['schedule', '--print', 'cron', '--at', '25:00']],
  ...FAULTS.map((file) => [file.replace('.yaml', ''), ['nightly', '--config', file]] as const),
  ...SCHEDULERS.map((name) => [`schedule-${name}`, ['schedule', '--print', name, '--at', '03:30']] as const),
];

describe('stormgate', () => {
  it.for(CASES)('%s', { timeout: 60_000 }, async ([name, args, at = '2026-11-05T02:00:00Z'], { expect: expectHere }) => {
    const env = { SOURCE_DATE_EPOCH: String(Date.parse(at) / 1000) };
    const run = await stormgate(args, { cwd: folder, env });
    const masks = { [folder]: '<folder>', [process.execPath]: '<node>' };
    const text = transcript(args, run, masks)
      .replaceAll(/stormgate([:@])\d+\.\d+\.\d+/g, 'stormgate$1<version>')
      .replaceAll(/known: .*,.*/g, 'known: …');
    await expectHere(text).toMatchFileSnapshot(`../golden/nightly/${name}.txt`);
  });

  it('has no golden file without a case', () => {
    const names = readdirSync(`${ROOT}/test/golden/nightly`).map((file) => file.replace('.txt', ''));
    expect(names.filter((name) => !CASES.some(([one]) => one === name))).toEqual([]);
  });

  it('writes a config that it takes', { timeout: 60_000 }, async () => {
    const own = join(folder, 'own');
    mkdirSync(join(own, 'logs'), { recursive: true });
    writeFileSync(join(own, 'logs/access.log'), readFileSync(REFUSED));
    await stormgate(['nightly', '--init'], { cwd: own });
    const text = readFileSync(join(own, 'stormgate.yaml'), 'utf8');
    // Every key that is commented out, too.
    const all = text.replaceAll(/^( *)# ?(?=[a-z-]+: )/gm, '$1').replace(/^contract:.*$/m, 'contract: none');
    writeFileSync(
      join(own, 'stormgate.yaml'),
      all.replace('/var/log/nginx/access.log*', 'logs/*.log').replace(/^metrics:.*$/m, ''),
    );
    const { code, stdout, stderr } = await stormgate(['nightly', '--check'], {
      cwd: own,
      env: { SOURCE_DATE_EPOCH: '1793844000' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('somebody-new: new_storms>0, much-waste: avoidable>1000');
  });
});

it.runIf(existsSync('/usr/bin/systemd-analyze'))('prints units that systemd accepts', { timeout: 60_000 }, async () => {
  const { stdout } = await stormgate(['schedule', '--print', 'systemd'], { cwd: folder });
  const [service = '', timer = ''] = stdout.split(/(?=^# .*\.timer$)/m);
  const paths = [join(folder, 'stormgate.service'), join(folder, 'stormgate.timer')];
  writeFileSync(paths[0] ?? '', service);
  writeFileSync(paths[1] ?? '', timer);
  expect(execFileSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});
