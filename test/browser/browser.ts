import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where Linux distributions put it; `PILOTFISH_CHROMIUM` names another one. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath: string | null =
  [process.env.PILOTFISH_CHROMIUM ?? '', ...places].find((path) => path !== '' && existsSync(path)) ?? null;

export const noChromium = 'there is no Chromium here: install the package "chromium", or name a program in PILOTFISH_CHROMIUM';

/** A page that is looked at, with all that it complained of and all that it asked for. */
export interface Seen {
  readonly page: Page;
  /** Errors and warnings of the console, and exceptions that nobody caught. */
  readonly complaints: readonly string[];
  /** Addresses other than that of the page itself. */
  readonly requests: readonly string[];
  /** Keeps a picture; returns where it lies. */
  picture(name: string): Promise<string>;
}

export interface Opened {
  open(file: string, options?: BrowserContextOptions): Promise<Seen>;
  /** Pages and pictures of this run of the tests; they stay. */
  readonly folder: string;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<Opened> {
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath ?? '',
    // Containers run as root, where its sandbox does not start; a page of ours is all that it opens.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-pages-'));
  return {
    folder,
    open: async (file, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      const own = pathToFileURL(file).href;
      page.on('console', (message) => {
        if (['error', 'warning', 'assert'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        if (request.url() !== own) requests.push(request.url());
      });
      await page.goto(own);
      await page.locator('.transport').waitFor();
      return {
        page,
        complaints,
        requests,
        picture: async (name) => {
          const path = join(folder, `${name}.png`);
          await page.screenshot({ path });
          return path;
        },
      };
    },
    close: () => browser.close(),
  };
}
