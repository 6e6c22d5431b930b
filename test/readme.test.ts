// The README's examples. A `console` block is a session: lines after `$ ` are run by a shell with stormgate on its PATH, the lines
// that follow are what it prints, and a line `…` stands for any lines. A `js` block is a module; what it prints stands in its
// `// prints` comments. Other blocks (installation, services) are not run. UPDATE_README=1 writes what is printed into the README.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ENVIRONMENT, PROGRAM, ROOT, run } from './support/program.ts';

const readme = readFileSync(`${ROOT}/README.md`, 'utf8');
// A folder to write in, with the samples where the README says they are.
const folder = mkdtempSync(join(tmpdir(), 'stormgate-readme-'));
const bin = join(folder, 'bin');
mkdirSync(bin);
symlinkSync(`${ROOT}/samples`, join(folder, 'samples'));
writeFileSync(join(bin, 'stormgate'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
chmodSync(join(bin, 'stormgate'), 0o755);
let fresh = readme;
afterAll(() => {
  rmSync(folder, { recursive: true });
  if (fresh !== readme) writeFileSync(`${ROOT}/README.md`, fresh);
});

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text ?? '');
}

interface Step {
  command: string;
  prints: string;
}

function steps(session: string): Step[] {
  return session
    .split(/^\$ /m)
    .slice(1)
    .map((step) => ({ command: step.slice(0, step.indexOf('\n')), prints: step.slice(step.indexOf('\n') + 1) }));
}

/** Puts what was really printed in the place of each `…`, where the lines around it agree. */
function filledIn(expected: string, actual: string): string {
  const pattern = expected
    .split(/^…\n/m)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('(?:.*\\n)*?');
  return new RegExp(`^${pattern}$`).test(actual) ? actual : expected;
}

const environment = { ...ENVIRONMENT, PATH: `${bin}:${ENVIRONMENT.PATH}` };

describe('the README', () => {
  it.each(blocks('console').flatMap(steps))('shows what $command prints', { timeout: 60_000 }, async ({ command, prints }) => {
    const { stdout, stderr, code } = await run('sh', ['-c', command], { env: environment, cwd: folder });
    const expected = filledIn(prints, stdout);
    if (process.env['UPDATE_README'] === '1' && expected !== stdout)
      fresh = fresh.replace(`$ ${command}\n${prints}`, () => `$ ${command}\n${stdout}`);
    else expect(expected, stderr).toBe(stdout);
    expect(code, stderr).toBeLessThan(2);
  });

  it.each(blocks('js'))('holds a module that runs: %#', async (source) => {
    const printed = [...source.matchAll(/\/\/ prints (.*)$/gm)].map(([, text]) => `${text}\n`).join('');
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', source]);
    expect(stdout, stderr).toBe(printed);
  });

  it('has examples of both kinds', () => {
    expect(blocks('console').length).toBeGreaterThan(3);
    expect(blocks('js').length).toBeGreaterThan(0);
  });
});
