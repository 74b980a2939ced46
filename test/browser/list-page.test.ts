import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPage } from '../../src/report/list-page.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { listed, row } from '../surface/stands-samples.ts';
import { chromiumPath } from './browser.ts';

const hostile = '</th></table><script>document.title="taken"</script><img src="http://127.0.0.1:9/x" onerror="document.title=1">';

describe.skipIf(chromiumPath === null)('the page of list in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  afterAll(() => browser.close());

  it.each([
    ['wide and light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
    ['wide and dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
    ['a phone', { viewport: { width: 360, height: 800 }, colorScheme: 'dark' }],
  ] as const)('%s: asks for nothing, runs nothing, and needs no scrolling to the side', async (_, options) => {
    const file = path.join(await tempFolder('page'), 'list.html');
    await writeFile(file, listPage({ ...listed, scopes: [...listed.scopes, { ...row, scope: hostile.repeat(3) }] }));
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`file://${file}`);
    expect(asked).toEqual([`file://${file}`]);
    expect(complaints).toEqual([]);
    expect(await page.title()).toBe('preview: 7 scopes · pilotfish');
    expect(await page.locator('tbody tr').count()).toBe(7);
    expect(await page.locator('tbody th').last().innerText()).toBe(hostile.repeat(3));
    expect(await page.locator('img, script').count()).toBe(0);
    // A browser runs these texts, and the tests know no document.
    const [over, back, ink] = await page.evaluate<readonly [number, string, string]>(
      '(({ backgroundColor, color }) => [document.documentElement.scrollWidth - innerWidth, backgroundColor, color])(getComputedStyle(document.body))',
    );
    expect(over).toBeLessThanOrEqual(0);
    expect(back === 'rgb(255, 255, 255)').toBe(options.colorScheme === 'light');
    expect(ink).not.toBe(back);
    await context.close();
  });
});
