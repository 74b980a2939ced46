import type { Page } from 'playwright-core';

/** What happens in the page: the slider goes from end to end, one step a frame, and each frame is timed. */
const scrub = `async (steps) => {
  const slider = document.querySelector('input[type=range]');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times = [];
  await frame();
  for (let i = 0; i <= steps; i += 1) {
    const begun = performance.now();
    slider.value = String((Number(slider.max) * (i % 2 === 0 ? i : steps - i)) / steps);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await frame();
    const drawn = new MessageChannel();
    const done = new Promise((resolve) => { drawn.port1.onmessage = resolve; });
    drawn.port2.postMessage(null);
    await done;
    times.push(performance.now() - begun);
  }
  return times;
}`;

export interface Scrubbed {
  /** Milliseconds from moving the slider to when its frame was painted, shortest first: what a person would see on this machine. */
  readonly frames: readonly number[];
  /** Milliseconds of a processor that the page took for one frame: the same however busy the machine is. */
  readonly work: number;
}

export async function scrubTimes(page: Page, steps: number): Promise<Scrubbed> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    const found = metrics.find(({ name }) => name === 'TaskDuration');
    if (!found) throw new Error('this Chromium does not tell how long its tasks took');
    return found.value * 1_000;
  };
  const before = await busy();
  const times: readonly number[] = await page.evaluate(`(${scrub})(${steps})`);
  const work = ((await busy()) - before) / times.length;
  await session.detach();
  return { frames: times.toSorted((a, b) => a - b), work };
}
