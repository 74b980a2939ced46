import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/report/document.ts';
import { traceHtml } from '../../src/report/trace/page/page.ts';
import { readPageFiles } from '../../src/report/trace/page/page-files.ts';
import { machineSources } from '../../src/run/machine-sources.ts';
import { chromiumPath, noChromium, type Opened, openBrowser, type Seen } from './browser.ts';
import { scrubTimes } from './frames.ts';
import { failedRun, killedAndResumed, sixtyLines, thousandLines } from './runs.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

if (chromiumPath === null) console.log(`test/browser is skipped: ${noChromium}`);

describe.skipIf(chromiumPath === null)('trace.html in a browser', () => {
  let runs: { readonly [name in 'sixty' | 'failed' | 'killed' | 'resumed' | 'thousand']: readonly RunEvent[] };
  let browser: Opened;

  beforeAll(async () => {
    // Before the browser starts: the clock of the runs takes a process beside this one for work that it must wait for.
    const { killed, resumed } = await killedAndResumed();
    const told = [await sixtyLines(), await failedRun(), await thousandLines()];
    const [sixty = [], failed = [], thousand = []] = told.map(({ events }) => events);
    runs = { sixty, failed, killed: killed.events, resumed: resumed.events, thousand };
    browser = await openBrowser();
    console.log(`pages and pictures of them: ${browser.folder}`);
  }, 180_000);
  afterAll(() => browser.close());

  const write = async (name: string, events: readonly RunEvent[]): Promise<string> => {
    const file = join(browser.folder, `${name}.html`);
    const about = { title: 'apply preview/pr-12', version: '0.0.0' };
    await writeFile(file, traceHtml(events, { about, machines: machineSources, files: readPageFiles() }));
    return file;
  };
  const open = async (name: string, events: readonly RunEvent[], options: Parameters<Opened['open']>[1] = {}): Promise<Seen> =>
    await browser.open(await write(name, events), options);

  it('shows a run of sixty lines: its graph, its timeline and the way of a line through its machine', async () => {
    const seen = await open('sixty', runs.sixty);
    const { page } = seen;
    await expect.poll(() => page.locator('header').innerText()).toContain('62 of 62 lines done');
    await seen.picture('sixty-overview-light');
    expect(await colours(page, '.graph canvas')).toBeGreaterThan(8);
    expect(await colours(page, 'canvas.bars')).toBeGreaterThan(8);
    await choose(page, 'database');
    expect(await page.locator('.panel h2').innerText()).toBe('database');
    expect(await page.locator('.chart .state').count()).toBe(machineSources[0] ? 23 : 0);
    expect(await page.locator('.way').innerText()).toBe(
      'So far: waiting → observing → judged → recording intent → creating → awaiting → recording → settled',
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
    const seen = await open('time', runs.sixty);
    const { page } = seen;
    await choose(page, 'database');
    const before = await picture(page, '.graph canvas');
    await page.getByRole('slider').fill('0');
    await expect.poll(() => page.locator('.way').innerText()).toBe('So far: waiting → observing');
    expect(await page.locator('.chart .current').textContent()).toContain('observing');
    expect(await option(page, 'database').innerText()).toContain('observing');
    expect(await picture(page, '.graph canvas')).not.toBe(before);
    await page.keyboard.press('Escape');
    await page.locator('body').press('ArrowRight');
    await frame(page);
    expect(await page.locator('.now').innerText()).toMatch(/^0\.070 s/);
    await page.locator('body').press('End');
    await expect.poll(() => page.locator('.now').innerText()).toMatch(/^9\.\d+ s \/ 9/);
    // From the end, playing begins anew.
    await page.locator('body').press(' ');
    await expect.poll(async () => Number.parseFloat(await page.locator('.now').innerText())).toBeLessThan(5);
    await page.locator('body').press(' ');
    await seen.picture('sixty-in-the-middle');
    expectQuiet(seen);
  });

  it('shows what failed, why, and how to correct it, and takes no text of a provider for markup', async () => {
    const seen = await open('failed', runs.failed, { colorScheme: 'dark' });
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
    expect(await failure.innerText()).toContain('it needs dns-1');
    await seen.picture('failed-alias-dark');
    expect(await page.locator('script').count()).toBe(2);
    expectQuiet(seen);
  });

  it('says of a killed run that its events end, and of the next one what it took over and what it waited for', async () => {
    const first = await open('killed', runs.killed);
    expect(await first.page.locator('header').innerText()).toContain('Cut off');
    await first.picture('killed-light');
    expectQuiet(first);
    const second = await open('resumed', runs.resumed, { colorScheme: 'dark' });
    expect(await second.page.locator('.panel').innerText()).toContain('holds this scope');
    await choose(second.page, 'callback-1');
    expect(await second.page.locator('.panel').innerText()).toContain('An earlier run settled it');
    await second.picture('resumed-dark');
    expectQuiet(second);
  });

  it('finds lines by id, operation, state, verdict and error code, by keyboard alone', async () => {
    const { page } = await open('search', runs.failed);
    const found = page.locator('.found');
    const finds = async (text: string, count: string): Promise<void> => {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await expect.poll(() => found.innerText()).toBe(count);
      await page.keyboard.press('Escape');
      await expect.poll(() => found.innerText()).toBe('20 lines');
    };
    await finds('hook-2', '1 of 20 lines');
    await finds('cloudflare', '6 of 20 lines');
    await finds('settled', '8 of 20 lines');
    await finds('PROVIDER_AUTH', '3 of 20 lines');
    await finds('skipped alias', '3 of 20 lines');
    await finds('nothing like it', '0 of 20 lines');
    await page.getByLabel('Any verdict').selectOption('create');
    await expect.poll(() => found.innerText()).toBe('14 of 20 lines');
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
    const { page } = await open('graph', runs.failed);
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
    const { page } = await open('tabs', runs.failed);
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
    const seen = await open(name.replace(/\W+/g, '-'), runs.failed, options);
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

  it('stays smooth with a thousand lines: scrubbing takes less than 50 ms a frame', async () => {
    const seen = await open('thousand', runs.thousand);
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

  it('reads on paper', async () => {
    const { page } = await open('paper', runs.failed, { colorScheme: 'dark' });
    await choose(page, 'dns-1');
    const pdf = await page.pdf({ path: join(browser.folder, 'paper.pdf'), printBackground: true });
    expect(pdf.length).toBeGreaterThan(10_000);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('.paper tbody tr').count()).toBe(20);
    await page.screenshot({ path: join(browser.folder, 'paper.png'), fullPage: true });
  });

  it('shows an empty run, and one that ended before its lines began', async () => {
    const seen = await open('empty', []);
    expect(await seen.page.locator('header').innerText()).toContain('Not begun');
    expectQuiet(seen);
    const waiting = await open('waiting', [{ type: 'run', state: 'waiting', detail: 'run 12 holds this scope', at: 5 }]);
    expect(await waiting.page.locator('.panel').innerText()).toContain('run 12 holds this scope');
    expectQuiet(waiting);
  });
});

const option = (page: Page, id: string) => page.getByRole('option').filter({ has: page.locator(`.name[title="${id}"]`) });

/** Clicks its head; the page shows it in the next frame. */
async function choose(page: Page, id: string): Promise<void> {
  await option(page, id).click();
  await frame(page);
}

const frame = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

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

function expectQuiet({ complaints, requests }: Seen): void {
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
}

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
