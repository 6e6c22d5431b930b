import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { render } from '../../src/report/renderers.ts';
import { UNSEEN } from './unseen.ts';
import { BLIND, EMPTY, EMPTY_SERIES, FEDERATION, FEDERATION_SERIES, hostile, MANY, QUIET, storm } from './fixtures.ts';

const page = await render('html', FEDERATION, { series: FEDERATION_SERIES });
/** The page as people read it: without the runtime, and without the drawings, which are snapshots of their own. */
const readable = (html: string): string =>
  html
    .replace(/<script>[\s\S]*<\/script>/, '<script></script>')
    .replace(/(<script type="application\/json"[^>]*>).*/, '$1</script>')
    .replace(/<style>[\s\S]*<\/style>/, '<style></style>')
    .replace(/sha256-[^']+/g, 'sha256-…')
    .replace(/(data-chart="[^"]*">)<svg.*?<\/svg>/gs, '$1');

const hash = (text = ''): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the page', () => {
  it.each(Object.entries({ FEDERATION, MANY, QUIET, BLIND, EMPTY }))(
    'of %s is as it was looked at and agreed to',
    async (name, findings) => {
      const series = findings === FEDERATION || findings === MANY ? FEDERATION_SERIES : EMPTY_SERIES;
      const html = await render('html', findings, { series });
      await expect(readable(html)).toMatchFileSnapshot(`../golden/report/${name.toLowerCase()}.html`);
    },
  );

  it('is one file of at most 1.2 MB that names nothing to fetch', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(1_200_000);
    expect(page.replace(/<script>[\s\S]*<\/script>/, '')).not.toMatch(
      /<(?:link|iframe|object|embed|img|base)\b|\ssrc=|@import|url\(/i,
    );
    const urls = Array.from(readable(page).matchAll(/https?:\/\/[^\s"'<)]+/g), ([url]) => url);
    expect(urls).toEqual([]);
  });

  it('allows its own script and style by their hashes, and nothing else', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1];
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1];
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
    );
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(readable(page)).not.toMatch(/\sstyle=|\son\w+=/i);
  });

  it('is the same bytes for the same findings', async () =>
    expect(await render('html', FEDERATION, { series: FEDERATION_SERIES })).toBe(page));

  it('has no chart over time where no series is at hand, and still every fact', async () => {
    const html = await render('html', FEDERATION);
    expect(html).not.toContain('data-chart="timeline"');
    expect(html).toContain('data-chart="under-gate"');
    expect(html).toContain('id="storm-7c1f00d2a4b96e31"');
  });

  it('holds hostile text as text', async () => {
    const { findings, series } = hostile();
    const html = await render('html', findings, { series });
    expect(html.match(/<script\b/g)).toHaveLength(2);
    expect(readable(html)).not.toMatch(/<(?:img|svg onload|style>\*)|<!--/);
    expect(
      readable(html)
        .split('\n')
        .filter((line) => UNSEEN.test(line)),
    ).toEqual([]);
    expect(Buffer.byteLength(html)).toBeLessThan(1_200_000);
  });

  it('stays small, whatever is thrown at it', async () => {
    const client = 'x'.repeat(1_000_000);
    const storms = Array.from({ length: 3_000 }, (_, i) => storm(`s${i}`, { client }));
    const html = await render('html', { ...MANY, storms }, { series: FEDERATION_SERIES });
    expect(Buffer.byteLength(html)).toBeLessThan(1_200_000);
    expect(html).toContain('And 2,800 smaller storms, in the JSON report.');
  });
});
