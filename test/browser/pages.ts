import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ErrorData } from '../../src/core/errors.ts';
import type { RunEvent } from '../../src/engine/document.ts';
import { machineSources } from '../../src/machines/sources.ts';
import type { PageAbout } from '../../src/report/trace/page/data.ts';
import { traceHtml } from '../../src/report/trace/page/page.ts';
import { readPageFiles } from '../../src/report/trace/page/page-files.ts';
import { chromiumPath, noChromium, type Opened, openBrowser, type Seen } from './browser.ts';

/** Says so where these suites cannot run. */
export const hasBrowser: boolean = chromiumPath !== null;
if (!hasBrowser) console.log(`test/browser is skipped: ${noChromium}`);

export interface Pages {
  /** Pages and pictures of them; they stay. */
  readonly folder: string;
  /** Writes the page of these events and looks at it. */
  open(
    name: string,
    events: readonly RunEvent[],
    options?: Parameters<Opened['open']>[1],
    errors?: readonly ErrorData[],
    more?: Pick<PageAbout, 'receipt'>,
  ): Promise<Seen>;
  close(): Promise<void>;
}

/** Runs are made before: their clock takes a process beside this one for work that it must wait for. */
export async function openPages(): Promise<Pages> {
  const browser = await openBrowser();
  console.log(`pages and pictures of them: ${browser.folder}`);
  return {
    folder: browser.folder,
    open: async (name, events, options = {}, errors = [], more = {}) => {
      const file = join(browser.folder, `${name}.html`);
      const about = { title: 'apply preview/pr-12', version: '0.0.0', errors, ...more };
      await writeFile(file, traceHtml(events, { about, machines: machineSources, files: readPageFiles() }));
      return await browser.open(file, options);
    },
    close: () => browser.close(),
  };
}

/** How long a page may take to show what it was asked for: a busy machine is no fault of it. */
export const soon = { timeout: 60_000, interval: 50 } as const;

/** The head of a line's row. */
export const option = (page: Page, id: string): Locator => page.getByRole('option').filter({ has: page.locator(`.name[title="${id}"]`) });

/** Clicks its head; the page shows it in the next frame. */
export async function choose(page: Page, id: string): Promise<void> {
  await option(page, id).click();
  await frame(page);
}

export const frame = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** Nothing went wrong, and nobody was asked for anything. */
export function expectQuiet({ complaints, requests }: Seen): void {
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
}
