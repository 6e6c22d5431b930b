// The page as a browser shows it, whatever the log holds.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Findings, Series } from '../../src/findings/findings.ts';
import { render } from '../../src/report/renderers.ts';
import { BLIND, EMPTY_SERIES, FEDERATION, FEDERATION_SERIES, hostile, MANY } from '../report/fixtures.ts';
import { scrollThrough, startBrowser, visit as open, type Visit } from './browser.ts';

let browser: Browser;
let folder: string;
/** Too long for the page to show whole. */
const LONG_PATH = `/mcp/${'long-segment-'.repeat(20)}end`;
const files = new Map<string, string>();

async function write(name: string, findings: Findings, series: Series): Promise<void> {
  const file = join(folder, `${name}.html`);
  await writeFile(file, await render('html', findings, { series }));
  files.set(name, pathToFileURL(file).href);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stormgate-page-'));
  await write('federation', FEDERATION, FEDERATION_SERIES);
  await write('many', MANY, FEDERATION_SERIES);
  await write('blind', BLIND, EMPTY_SERIES);
  const [first, ...others] = FEDERATION_SERIES.slices?.targets ?? [];
  const targets = [{ ...first, path: LONG_PATH }, ...others] as NonNullable<Series['slices']>['targets'];
  await write('long', FEDERATION, { ...FEDERATION_SERIES, slices: { ...FEDERATION_SERIES.slices, targets } as Series['slices'] });
  const { findings, series } = hostile();
  await write('hostile', findings, series);
  browser = await startBrowser();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true });
});

const visit = (name: string, options?: BrowserContextOptions): Promise<Visit> => open(browser, files.get(name) ?? '', options);

describe('the page in a browser', () => {
  it.each(['federation', 'many', 'blind', 'hostile'])(
    'of %s makes no request, breaks no rule of its policy and raises no error',
    async (name) => {
      const { page, faults } = await visit(name);
      await scrollThrough(page);
      expect(faults).toEqual([]);
    },
    60_000,
  );

  it('does not let log text become anything but text', async () => {
    const { page } = await visit('hostile');
    await scrollThrough(page);
    expect(await page.locator('img, iframe, object, embed, body style, body [onerror], body [onload], svg script').count()).toBe(
      0,
    );
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('.storm header h3').allTextContents()).toContainEqual(
      expect.stringContaining('<img src=x onerror=alert(1)>'),
    );
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('block');
  }, 60_000);

  it('tells what is under the pointer', async () => {
    const { page } = await visit('federation');
    await scrollThrough(page);
    const mark = page.locator('[data-chart^="path-"] .mark-symbol path').last();
    await mark.scrollIntoViewIfNeeded();
    await mark.hover({ force: true });
    const tip = page.locator('#tip');
    await tip.waitFor({ state: 'visible' });
    expect(await tip.innerText()).toMatch(
      /POST \/mcp\/mcp[\s\S]*2026-03-02[\s\S]*404[\s\S]*spared by a gate[\s\S]*gateway\.json\.log:/,
    );
  }, 30_000);

  it('reads without script, charts included', async () => {
    const { page, faults } = await visit('federation', { javaScriptEnabled: false });
    expect(await page.locator('h1').innerText()).toMatch(/^One client would not take no for an answer/);
    expect(await page.locator('figure svg').count()).toBe(8);
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.locator('#tip').isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });

  it.each([
    ['many', 360],
    ['hostile', 360],
    ['many', 768],
    ['hostile', 1200],
    ['many', 2560],
  ] as const)(
    '%s fits a window of %i pixels',
    async (name, width) => {
      const { page } = await visit(name, { viewport: { width, height: 900 } });
      await scrollThrough(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const wide = await page.evaluate(
        `[...document.querySelectorAll('.live svg')].filter((svg) => svg.getBoundingClientRect().right > innerWidth).length`,
      );
      expect(wide).toBe(0);
    },
    30_000,
  );

  it.each(['light', 'dark'] as const)(
    'draws its charts for %s ground',
    async (colorScheme) => {
      const { page } = await visit('federation', { colorScheme });
      const fills = (): Promise<unknown> =>
        page.evaluate(`getComputedStyle(document.querySelector('[data-chart="timeline"] [fill="#d47816"]')).fill`);
      const expected = colorScheme === 'light' ? 'rgb(212, 120, 22)' : 'rgb(231, 113, 67)';
      expect(await fills()).toBe(expected);
      await scrollThrough(page);
      expect(await fills()).toBe(expected);
    },
    30_000,
  );

  it('prints on light ground with whole charts', async () => {
    const { page } = await visit('many', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('figure')].every((figure) => getComputedStyle(figure).breakInside === 'avoid')`,
      ),
    ).toBe(true);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  }, 30_000);

  it('says when it came alive', async () => {
    const { page } = await visit('many');
    await page.locator('[data-chart="timeline"].live').waitFor();
    const [alive] = await page.evaluate(() => performance.getEntriesByName('alive').map((mark) => mark.startTime));
    expect(alive).toBeGreaterThan(0);
  }, 30_000);

  it('copies a command that asks for what is in view, and says what it leaves out', async () => {
    const { page } = await visit('long');
    await scrollThrough(page);
    const copied = async (): Promise<[command: string | null, said: string]> => {
      const button = page.locator('#filters [name=command]');
      await button.dblclick();
      await expect.poll(() => button.innerText()).toContain('Copied');
      const said = [await page.locator('#filters').getAttribute('data-copied'), await button.innerText()] as const;
      await page.locator('#filters [name=clear]').click();
      await expect.poll(() => button.innerText(), { timeout: 5000 }).toBe('Copy as command');
      return [...said];
    };

    await page.locator('tr[data-target="0"] [data-pick]').click();
    expect(await page.locator('#filters .status').innerText()).toBe('9 of 12,340 requests in view');
    const [byTarget] = await copied();
    expect(byTarget).toContain(LONG_PATH);
    expect(byTarget).not.toContain('…');

    await page.locator('#filters [name=text]').fill("Search_o'clock");
    const [byText] = await copied();
    expect(byText).toContain(String.raw`POSITION('\''search_o'\'''\''clock'\'' IN LOWER(client)) > 0`);

    await page.locator('.only').first().click();
    expect(await copied()).toEqual(['stormgate report gateway.json.log mcp.log', 'Copied, but for the choice of storms']);

    await page.locator('tr[data-client="2"] [data-pick]').click();
    expect(await copied()).toEqual(['stormgate report gateway.json.log mcp.log', 'Copied, but for the choice of clients']);
  }, 30_000);

  it('has an anchor for each storm', async () => {
    const { page } = await visit('many');
    await page.locator('#storms table a').nth(1).click();
    expect(new URL(page.url()).hash).toBe('#storm-7c1f00d2a4b96e31');
    // Just below the bar that stays in sight.
    const gap = async (): Promise<number> => {
      const storm = await page.locator('#storm-7c1f00d2a4b96e31').boundingBox();
      const bar = await page.locator('#filters').boundingBox();
      return storm === null || bar === null ? Number.NaN : storm.y - bar.y - bar.height;
    };
    await expect.poll(gap).toBeGreaterThanOrEqual(0);
    expect(await gap()).toBeLessThan(60);
  }, 30_000);
});
