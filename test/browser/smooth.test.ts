import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { type Scrubbed, scrubTimes } from './frames.ts';
import { choose, expectQuiet, hasBrowser, openPages, type Pages, soon } from './pages.ts';
import { sixtyLines, thousandLines } from './runs.ts';

describe.skipIf(!hasBrowser)('trace.html of a thousand lines', () => {
  let sixty: readonly RunEvent[];
  let thousand: readonly RunEvent[];
  let pages: Pages;

  beforeAll(async () => {
    sixty = (await sixtyLines()).events;
    thousand = (await thousandLines()).events;
    pages = await openPages();
  });
  afterAll(() => pages.close());

  it('stays smooth with a thousand lines: scrubbing takes less than 50 ms a frame', async () => {
    const small = await pages.open('sixty', sixty);
    const beside = (): Promise<Scrubbed> => scrubTimes(small.page, 50);
    const seen = await pages.open('thousand', thousand);
    const { page } = seen;
    await expect.poll(() => page.locator('.found').innerText(), soon).toBe('998 lines');
    await seen.picture('thousand-light');
    // As many heads as are in sight, not as many as there are lines.
    expect(await page.getByRole('option').count()).toBeLessThan(60);
    await expectSmooth(page, 'the whole run', beside);
    await choose(page, 'database');
    await expectSmooth(page, 'a line with its machine', beside);
    await page.keyboard.press('/');
    await page.keyboard.type('settled');
    await expectSmooth(page, 'a search for a state', beside);
    expectQuiet(seen);
  });
});

/**
 * A frame takes less than 50 ms, or the machine is slow just now: then a run of sixty lines, measured beside it,
 * takes its time for a frame, too, and a thousand lines take at most three times as long as those.
 */
async function expectSmooth(page: Page, what: string, beside: () => Promise<Scrubbed>): Promise<void> {
  const { frames, work } = await scrubTimes(page, 100);
  const middle = half(frames);
  const most = frames[Math.floor(frames.length * 0.95)] ?? 0;
  console.log(
    `${what}: half of the frames under ${middle.toFixed(1)} ms, 95 of 100 under ${most.toFixed(1)} ms, ${work.toFixed(1)} ms of work each`,
  );
  expect(work).toBeGreaterThan(0);
  if (middle < 50 && work < 30) return;
  const few = await beside();
  console.log(`a run of sixty lines: half of the frames under ${half(few.frames).toFixed(1)} ms, ${few.work.toFixed(1)} ms of work each`);
  expect(middle / half(few.frames)).toBeLessThan(3);
  expect(work / few.work).toBeLessThan(3);
}

const half = (frames: readonly number[]): number => frames[Math.floor(frames.length / 2)] ?? 0;
