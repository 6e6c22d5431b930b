// A real browser for the tests: Chromium from CHROMIUM_PATH, else Debian's. Without one the tests fail and say so.
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const ARGS = [
  'no-sandbox',
  'disable-gpu',
  'disable-quic',
  'no-first-run',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
];

export interface Visit {
  page: Page;
  /** Console errors, page errors, dialogs and requests beyond the page itself. */
  faults: string[];
}

/** Starts the browser. */
export function startBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`no Chromium at ${executablePath}: install it (apt-get install chromium) or set CHROMIUM_PATH to one`);
  }
  return chromium.launch({ executablePath, args: ARGS.map((name) => `--${name}`) });
}

/** Opens a page in a context of its own and listens for faults. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const [own] = url.split('#');
  page.on('console', (message) => faults.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const [asked] = request.url().split('#');
    // What the page saves is a blob of its own making.
    if (asked !== own && !request.url().startsWith('blob:')) faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}

/** Scrolls every chart into sight until it is alive. */
export async function scrollThrough(page: Page): Promise<void> {
  for (const drawing of await page.locator('[data-chart]:visible').all()) {
    await drawing.scrollIntoViewIfNeeded();
    await drawing.and(page.locator('.live')).waitFor();
  }
}
