import axe from 'axe-core';
import { startSandbox } from 'pilotfish-sandbox/serve/sandbox';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { chromiumPath } from './browser.ts';

const looks: readonly (readonly [string, BrowserContextOptions])[] = [
  ['wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
];

describe.skipIf(chromiumPath === null)('the page of the sandbox in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  afterAll(() => browser.close());

  async function openPage(options: BrowserContextOptions = {}) {
    const sandbox = await startSandbox({ state: await tempFolder('sandbox-page'), port: null, version: '1.0.0' });
    onTestFinished(() => sandbox.stop());
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const [complaints, asked]: [string[], string[]] = [[], []];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(sandbox.url);
    await page.getByText('live', { exact: true }).waitFor();
    const { NEON_API_URL = '', NEON_API_KEY = '' } = sandbox.variables.get('neon') ?? {};
    const create = (name: string): Promise<Response> =>
      fetch(`${NEON_API_URL}/projects/quiet-river-12345678/branches`, {
        method: 'POST',
        headers: { authorization: `Bearer ${NEON_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ branch: { name } }),
      });
    return { sandbox, page, complaints, asked, create, key: NEON_API_KEY };
  }

  it.each(looks)('%s: shows what a provider holds and what was sent, asks nobody else, and has no barrier', async (name, options) => {
    const { sandbox, page, complaints, asked, create, key } = await openPage(options);
    await create('<img src=x onerror=alert(1)>');
    await create('pr-12');
    await page.locator('summary', { hasText: 'pr-12' }).click();
    await page.getByLabel('name of pr-12', { exact: true }).waitFor();
    expect(await page.locator('#sent tr').first().innerText()).toContain('/api/v2/projects/quiet-river-12345678/branches');
    expect(await page.locator('#list img').count()).toBe(0);
    expect(await page.content()).not.toContain(key);
    expect(asked.every((url) => url.startsWith(sandbox.url))).toBe(true);
    expect(complaints).toEqual([]);
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(over).toBeLessThanOrEqual(0);
    expect(await flawsIn(page)).toEqual([]);
    if (process.env.PILOTFISH_PICTURES) await page.screenshot({ path: `${process.env.PILOTFISH_PICTURES}/sandbox-${name}.png` });
  });

  it('by keys alone: a person changes a value, deletes an object, and makes the next answer lost', async () => {
    const { page, create, sandbox } = await openPage();
    await create('pr-12');
    const neon = sandbox.providers.find((one) => one.name === 'neon');
    const held = (): string => JSON.stringify(neon?.simulation.dump());
    await page.locator('summary', { hasText: 'pr-12' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('name of pr-12', { exact: true }).fill('renamed');
    await page.keyboard.press('Enter');
    await page.locator('summary', { hasText: 'renamed' }).waitFor();
    expect(held()).toContain('"renamed"');
    await page.getByRole('button', { name: 'Delete renamed' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('summary', { hasText: 'renamed' }).waitFor({ state: 'detached' });
    expect(held()).not.toContain('"renamed"');

    await page.getByLabel('At', { exact: true }).selectOption('neon');
    const lose = page.getByRole('button', { name: 'Lose the next answer to a write' });
    await lose.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => lose.getAttribute('aria-pressed')).toBe('true');
    await expect(create('lost')).rejects.toThrow('fetch failed');
    await expect.poll(() => lose.getAttribute('aria-pressed')).toBe('false');
    await page.locator('summary', { hasText: 'lost' }).waitFor();
    expect(await page.locator('#sent tr').first().innerText()).toContain('answer lost');
  });
});

/** Rules that the page breaks, with where. */
async function flawsIn(page: Page): Promise<readonly string[]> {
  // The page runs no script but its own. What a debugger evaluates is no part of that.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
