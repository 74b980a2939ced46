import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { choose, frame, hasBrowser, openPages, type Pages, soon } from './pages.ts';
import { failedRun } from './runs.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe.skipIf(!hasBrowser)('trace.html, whoever uses it', () => {
  let failed: readonly RunEvent[];
  let pages: Pages;

  beforeAll(async () => {
    failed = (await failedRun()).events;
    pages = await openPages();
  });
  afterAll(() => pages.close());

  it('finds lines by id, operation, state, verdict and error code, by keyboard alone', async () => {
    const { page } = await pages.open('search', failed);
    const found = page.locator('.found');
    const finds = async (text: string, count: string): Promise<void> => {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await expect.poll(() => found.innerText(), soon).toBe(count);
      await page.keyboard.press('Escape');
      await expect.poll(() => found.innerText(), soon).toBe('20 lines');
    };
    await finds('hook-2', '1 of 20 lines');
    await finds('cloudflare', '6 of 20 lines');
    await finds('settled', '8 of 20 lines');
    await finds('PROVIDER_AUTH', '3 of 20 lines');
    await finds('skipped alias', '3 of 20 lines');
    await finds('nothing like it', '0 of 20 lines');
    await page.getByLabel('Any verdict').selectOption('create');
    await expect.poll(() => found.innerText(), soon).toBe('14 of 20 lines');
    await page.getByRole('button', { name: 'Clear' }).click();
    for (const name of ['acme.eu.auth0.com', 'database', 'database-url']) {
      await page.locator('body').press('ArrowDown');
      await frame(page);
      expect(await page.locator('.head[aria-selected=true]').innerText()).toContain(name);
    }
    await page.locator('body').press('?');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
  });

  it('follows arrows in the graph with the arrow keys', async () => {
    const { page } = await pages.open('graph', failed);
    await choose(page, 'payments-1');
    const graph = page.getByRole('application');
    await graph.focus();
    await graph.press('ArrowRight');
    await frame(page);
    expect(await page.locator('.panel h2').innerText()).toBe('hook-1');
    await graph.press('ArrowLeft');
    await frame(page);
    expect(await page.locator('.panel h2').innerText()).toBe('payments-1');
  });

  it('everything that can be operated is reached by the tab key, and shows where it is', async () => {
    const { page } = await pages.open('tabs', failed);
    const reached: string[] = [];
    for (let i = 0; i < 80; i += 1) {
      await page.keyboard.press('Tab');
      const now: string = await page.evaluate(`(() => {
        const at = document.activeElement;
        if (!at || at === document.body) return '';
        const { outlineStyle, outlineWidth } = getComputedStyle(at);
        if (outlineStyle === 'none' || outlineWidth === '0px') return 'no outline: ' + at.outerHTML.slice(0, 80);
        return at.getAttribute('aria-label') || at.textContent.trim().slice(0, 40) || at.tagName;
      })()`);
      if (now === '') break;
      reached.push(now);
    }
    expect(reached.filter((name) => name.startsWith('no outline'))).toEqual([]);
    for (const name of [
      'Keys',
      'Any state',
      'All of the graph',
      'Lines of the run',
      'Details',
      'Play',
      'Time of the run',
      'Speed of playing',
    ])
      expect(reached, reached.join(' | ')).toContain(name);
  });

  it.each([
    ['wide and light', { colorScheme: 'light' }],
    ['wide and dark', { colorScheme: 'dark' }],
    ['on a phone', { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
    ['with less motion, in dark, on a phone', { colorScheme: 'dark', reducedMotion: 'reduce', viewport: { width: 360, height: 740 } }],
  ] as const)('%s has no serious problem for anybody', async (name, options) => {
    const seen = await pages.open(name.replace(/\W+/g, '-'), failed, options);
    const { page } = seen;
    const problems = async (): Promise<readonly string[]> => {
      // The page forbids other scripts, so this one comes by way of the debugger.
      await page.evaluate(`${await readFile(axe, 'utf8')};0`);
      const result: {
        readonly violations: readonly {
          readonly id: string;
          readonly impact: string;
          readonly nodes: readonly { readonly html: string }[];
        }[];
      } = await page.evaluate('axe.run()');
      return result.violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map(({ html }) => html.slice(0, 160))
              .join(' | ')}`,
        );
    };
    expect(await problems()).toEqual([]);
    await page.locator('.panel').getByRole('button', { name: 'dns-1', exact: true }).click();
    expect(await problems()).toEqual([]);
    await page.getByRole('slider').fill('500');
    await page.locator('.later').first().waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Keys' }).click();
    expect(await problems()).toEqual([]);
    await page.keyboard.press('Escape');
    await seen.picture(`axe-${name.replace(/\W+/g, '-')}`);
    // Nothing stands beside the screen.
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});
