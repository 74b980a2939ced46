import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/report/document.ts';
import { scrubTimes } from './frames.ts';
import { choose, expectQuiet, hasBrowser, openPages, type Pages } from './pages.ts';
import { thousandLines } from './runs.ts';

describe.skipIf(!hasBrowser)('trace.html of a thousand lines', () => {
  let thousand: readonly RunEvent[];
  let pages: Pages;

  beforeAll(async () => {
    thousand = (await thousandLines()).events;
    pages = await openPages();
  }, 180_000);
  afterAll(() => pages.close());

  it('stays smooth with a thousand lines: scrubbing takes less than 50 ms a frame', async () => {
    const seen = await pages.open('thousand', thousand);
    const { page } = seen;
    await expect.poll(() => page.locator('.found').innerText()).toBe('998 lines');
    await seen.picture('thousand-light');
    // As many heads as are in sight, not as many as there are lines.
    expect(await page.getByRole('option').count()).toBeLessThan(60);
    await expectSmooth(page, 'the whole run');
    await choose(page, 'database');
    await expectSmooth(page, 'a line with its machine');
    await page.keyboard.press('/');
    await page.keyboard.type('settled');
    await expectSmooth(page, 'a search for a state');
    expectQuiet(seen);
  });
});

/** Most frames are in time even where others use the machine; what the page itself does for one is far below. */
async function expectSmooth(page: Page, what: string): Promise<void> {
  const { frames, work } = await scrubTimes(page, 100);
  const [middle = 0, most = 0] = [0.5, 0.95].map((part) => frames[Math.floor(frames.length * part)]);
  console.log(
    `${what}: half of the frames under ${middle.toFixed(1)} ms, 95 of 100 under ${most.toFixed(1)} ms, ${work.toFixed(1)} ms of work each`,
  );
  expect(middle).toBeLessThan(50);
  expect(work).toBeGreaterThan(0);
  expect(work).toBeLessThan(30);
}
