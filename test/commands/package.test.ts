// What `npm pack` would ship: all that the program needs away from its repository, and nothing else.
import { expect, it } from 'vitest';
import { run } from '../support/program.ts';

it('ships the program with its queries, samples and schema', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    env: { HOME: process.env['HOME'] ?? '' },
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'dist/cli.js',
      'dist/gate/index.js',
      'dist/gate/index.d.ts',
      'queries/00_settings.sql',
      'samples/stories/federation-24h/agent-card.json',
      'samples/stories/federation-24h/gateway.json.log',
      'src/report/report.schema.json',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'package.json',
    ]),
  );
  const tops = new Set(paths.map((path) => path.split('/')[0]));
  expect([...tops].toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
    'queries',
    'samples',
    'src',
  ]);
  expect(paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
});
