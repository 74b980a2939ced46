import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { lineMachine } from '../../src/machines/line/line.machine.ts';
import { receiptEvents } from '../../src/report/trace/receipt-events.ts';
import { failedReceipt as receipt } from '../support/failed-receipt.ts';
import { choose, expectQuiet, frame, hasBrowser, openPages, option, type Pages, soon } from './pages.ts';
import { failedRun, killedAndResumed, sixtyLines } from './runs.ts';

describe.skipIf(!hasBrowser)('trace.html in a browser', () => {
  let runs: { readonly [name in 'sixty' | 'failed' | 'killed' | 'resumed']: readonly RunEvent[] };
  let pages: Pages;

  beforeAll(async () => {
    const { killed, resumed } = await killedAndResumed();
    const [sixty, failed] = [await sixtyLines(), await failedRun()];
    runs = { sixty: sixty.events, failed: failed.events, killed: killed.events, resumed: resumed.events };
    pages = await openPages();
  });
  afterAll(() => pages.close());

  it('shows a run of sixty lines: its graph, its timeline and the way of a line through its machine', async () => {
    const seen = await pages.open('sixty', runs.sixty);
    const { page } = seen;
    await expect.poll(() => page.locator('header').innerText(), soon).toContain('62 of 62 lines done');
    await seen.picture('sixty-overview-light');
    expect(await colours(page, '.graph canvas')).toBeGreaterThan(8);
    expect(await colours(page, 'canvas.bars')).toBeGreaterThan(8);
    await choose(page, 'database');
    expect(await page.locator('.panel h2').innerText()).toBe('database');
    expect(await page.locator('.chart .state').count()).toBe(Object.keys(lineMachine.states).length);
    expect(await page.locator('.way').innerText()).toBe(
      'So far: waiting → observing → judged → recording intent → creating → verifying → awaiting → recording → settled',
    );
    await page.getByRole('button', { name: 'Readiness' }).click();
    expect(await page.locator('.way').innerText()).toMatch(/^So far: looking → pausing → looking/);
    await seen.picture('sixty-database-light');
    await choose(page, 'callback-1');
    await page.getByRole('button', { name: 'Shared object' }).click();
    expect(await page.locator('.way').innerText()).toContain('locking → reading → writing → verifying → unlocking');
    await choose(page, 'hook-1');
    const requests = page.getByRole('table', { name: 'Requests' });
    expect(await requests.locator('tbody tr').count()).toBeGreaterThan(2);
    expect(await requests.innerText()).toContain('429');
    await seen.picture('sixty-hook-light');
    expectQuiet(seen);
  });

  it('goes back in time everywhere at once', async () => {
    const seen = await pages.open('time', runs.sixty);
    const { page } = seen;
    await choose(page, 'database');
    const before = await picture(page, '.graph canvas');
    await page.getByRole('slider').fill('0');
    await expect.poll(() => page.locator('.way').innerText(), soon).toBe('So far: waiting → observing');
    expect(await page.locator('.chart .current').textContent()).toContain('observing');
    expect(await option(page, 'database').innerText()).toContain('observing');
    expect(await picture(page, '.graph canvas')).not.toBe(before);
    await page.keyboard.press('Escape');
    await page.locator('body').press('ArrowRight');
    await frame(page);
    expect(await page.locator('.now').innerText()).toMatch(/^0\.070 s/);
    await page.locator('body').press('End');
    await expect.poll(() => page.locator('.now').innerText(), soon).toMatch(/^(\d+\.\d+ s) \/ \1/);
    // From the end, playing begins anew.
    await page.locator('body').press(' ');
    await expect.poll(async () => Number.parseFloat(await page.locator('.now').innerText()), soon).toBeLessThan(5);
    await page.locator('body').press(' ');
    await seen.picture('sixty-in-the-middle');
    expectQuiet(seen);
  });

  it('shows what failed, why, and how to correct it, and takes no text of a provider for markup', async () => {
    const seen = await pages.open('failed', runs.failed, { colorScheme: 'dark' });
    const { page } = seen;
    expect(await page.locator('header').innerText()).toContain('6 lines failed');
    await seen.picture('failed-overview-dark');
    await page.locator('.panel').getByRole('button', { name: 'dns-1', exact: true }).click();
    const failure = page.locator('.failure');
    expect(await failure.innerText()).toContain('PROVIDER_INVALID');
    expect(await failure.innerText()).toContain('<script>alert("x")</script>');
    expect(await failure.innerText()).toContain('Fix:');
    expect(await page.locator('.changes tbody tr').count()).toBe(3);
    await choose(page, 'alias-1');
    // Its cause is told once, at the line that failed.
    expect(await failure.count()).toBe(0);
    expect(await page.locator('.panel').innerText()).toMatch(/was kept from its turn by\s+dns-1/);
    await seen.picture('failed-alias-dark');
    expect(await page.locator('script').count()).toBe(2);
    expectQuiet(seen);
  });

  it('says of a killed run that its events end, and of the next one what it took over and what it waited for', async () => {
    const first = await pages.open('killed', runs.killed);
    expect(await first.page.locator('header').innerText()).toContain('Cut off');
    await first.picture('killed-light');
    expectQuiet(first);
    const second = await pages.open('resumed', runs.resumed, { colorScheme: 'dark' });
    expect(await second.page.locator('.panel').innerText()).toContain('holds this scope');
    await choose(second.page, 'callback-1');
    expect(await second.page.locator('.panel').innerText()).toContain('An earlier run settled this line');
    await second.picture('resumed-dark');
    expectQuiet(second);
  });

  it('made of a receipt shows how each line ended, and says what it cannot show', async () => {
    const { run, status, approvedBy, stats } = receipt;
    const seen = await pages.open('receipt', receiptEvents({ receipt, records: [] }), {}, [], {
      receipt: { run, status, approvedBy, stats, branch: 'pilotfish-receipts/preview/pr-12', ledgerCommit: 'c0ffee0c0ffee0' },
    });
    const { page } = seen;
    const header = await page.locator('header').innerText();
    expect(header).toContain('failed');
    expect(header).toContain('1 of 3 lines done in 2.5 s');
    expect(header).toContain(`the receipt of run ${run}`);
    expect(await page.locator('.panel').innerText()).toContain('4 requests, 1 that wrote');
    await choose(page, 'dns');
    expect(await page.locator('.failure').innerText()).toContain('RESOURCE_FOREIGN');
    expect(await page.locator('.panel').innerText()).toContain('It took 300 ms and 1 request.');
    await seen.picture('receipt');
    expectQuiet(seen);
  });

  it('reads on paper', async () => {
    const { page } = await pages.open('paper', runs.failed, { colorScheme: 'dark' });
    await choose(page, 'dns-1');
    const pdf = await page.pdf({ path: join(pages.folder, 'paper.pdf'), printBackground: true });
    expect(pdf.length).toBeGreaterThan(10_000);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('.paper tbody tr').count()).toBe(20);
    await page.screenshot({ path: join(pages.folder, 'paper.png'), fullPage: true });
  });

  it('shows an empty run, and one that ended before its lines began', async () => {
    const seen = await pages.open('empty', []);
    expect(await seen.page.locator('header').innerText()).toContain('Not begun');
    expectQuiet(seen);
    const held = { code: 'LEASE_HELD', summary: 'Another run holds this scope', detail: 'run 12 holds it', fix: 'Wait.' } as const;
    const waiting = await pages.open('waiting', [{ type: 'run', state: 'waiting', detail: 'run 12 holds this scope', at: 5 }], {}, [held]);
    expect(await waiting.page.locator('.panel').innerText()).toContain('run 12 holds this scope');
    expect(await waiting.page.locator('.failure').innerText()).toMatch(
      /^LEASE_HELD Another run holds this scope\s+run 12 holds it\s+Fix: Wait\.$/,
    );
    expectQuiet(waiting);
  });
});

/** How many colours a canvas has: an empty one has one. */
const colours = async (page: Page, selector: string): Promise<number> =>
  await page.evaluate(`(() => {
    const canvas = document.querySelector(${JSON.stringify(selector)});
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
    return found.size;
  })()`);

const picture = async (page: Page, selector: string): Promise<string> =>
  await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).toDataURL()`);
