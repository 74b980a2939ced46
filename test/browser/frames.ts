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

/** Milliseconds from moving the slider to when its frame was painted, shortest first. */
export async function scrubTimes(page: Page, steps: number): Promise<readonly number[]> {
  const times: readonly number[] = await page.evaluate(`(${scrub})(${steps})`);
  return times.toSorted((a, b) => a - b);
}
