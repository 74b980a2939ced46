import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath, noChromium } from '../../test/browser/browser.ts';
import { root } from '../tasks.ts';
import { serveSite } from './serve.ts';

/** One page of each kind. */
const paths = [
  '/',
  '/documentation',
  '/guide/quick-start',
  '/guide/how-it-works',
  '/machines/line',
  '/errors',
  '/recipes/neon',
  '/specification',
];

const views: readonly BrowserContextOptions[] = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { viewport: { width: 390, height: 800 }, colorScheme: 'light' },
];

export type LookOutcome =
  | { readonly kind: 'looked'; readonly pages: number; readonly problems: readonly string[] }
  | { readonly kind: 'skipped'; readonly why: string };

/**
 * Opens pages of the built site in Chromium: light, dark and on a phone. Errors in the console, requests to another host, serious findings
 * of axe, and a search without results are problems.
 */
export async function lookAtSite(folder: string): Promise<LookOutcome> {
  if (chromiumPath === null) return { kind: 'skipped', why: noChromium };
  const site = await serveSite(folder);
  // Chromium's sandbox does not start as root in a container. The pages are our own, so it is not needed.
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    const problems: string[] = [];
    for (const view of views) {
      for (const path of paths) problems.push(...(await problemsOf(browser, view, site.address, path)));
    }
    problems.push(...(await problemsOfSearch(browser, site.address)));
    return { kind: 'looked', pages: views.length * paths.length, problems };
  } finally {
    await browser.close();
    await site.close();
  }
}

async function problemsOf(browser: Browser, view: BrowserContextOptions, address: string, path: string): Promise<readonly string[]> {
  // The pages' policy would also block the script of axe.
  const context = await browser.newContext({ ...view, bypassCSP: true });
  const page = await context.newPage();
  const found = listen(page, address);
  await page.goto(`${address}${path}`);
  await page.waitForLoadState('networkidle');
  await page.evaluate(await readFile(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  const serious: unknown = await page.evaluate(
    `axe.run().then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
  if (Array.isArray(serious)) found.push(...serious.map(String));
  await context.close();
  return found.map((problem) => `${path} (${view.viewport?.width ?? ''} px, ${view.colorScheme ?? ''}): ${problem}`);
}

/** Checks the search with the policy of the pages in force. */
async function problemsOfSearch(browser: Browser, address: string): Promise<readonly string[]> {
  const page = await browser.newPage();
  const found = listen(page, address);
  await page.goto(`${address}/guide/production`);
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search').fill('quiet moment');
  const result = page.locator('.result').first();
  await result.waitFor({ timeout: 10_000 }).catch(() => found.push('the search for "quiet moment" finds nothing'));
  await page.close();
  return found.map((problem) => `search: ${problem}`);
}

function listen(page: Page, address: string): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:')) found.push(`asks ${request.url()}`);
  });
  return found;
}
