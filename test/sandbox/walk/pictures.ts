import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../../browser/browser.ts';

/** Looks at the page of a sandbox. Gives a sentence for each flaw. */
export interface Pictures {
  take(name: string, url: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens Chromium, and keeps a picture of each page in the folder. Throws where Chromium is not installed. */
export async function openPictures(folder: string): Promise<Pictures> {
  if (chromiumPath === null) throw new Error('--pictures needs Chromium: apt-get install chromium');
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  return {
    take: async (name, url) => {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(`page: ${message.text()}`));
      page.on('pageerror', (error) => complaints.push(`page: ${String(error)}`));
      page.on('request', (request) => {
        if (!request.url().startsWith(url)) complaints.push(`page: asks ${request.url()}`);
      });
      await page.goto(url);
      await page.getByText('live', { exact: true }).waitFor();
      if ((await page.locator('#list summary').count()) === 0) complaints.push('page: shows no object');
      if ((await page.locator('#sent tr').count()) === 0) complaints.push('page: shows no request');
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (over > 0) complaints.push(`page: is ${over} pixels wider than its window`);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await page.close();
      return complaints;
    },
    close: () => browser.close(),
  };
}
