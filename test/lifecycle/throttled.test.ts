import { describe, expect, it, onTestFinished } from 'vitest';
import { type ApiOptions, openApi } from '../specification/api.ts';
import { thing } from '../specification/lines.ts';
import { LeapingClock } from '../support/leaping-clock.ts';

type Answer = NonNullable<ApiOptions['answer']>;

/** Ten objects of one list, each another name. */
const ten = Array.from({ length: 10 }, (_, n) => {
  const name = `thing-${n}`;
  const find = { path: '/things', list_path: '/items', match: { name } };
  return thing({ id: name, find, fields: { name, note: 'first' } });
});

/** Who sleeps to the same moment wakes at it together, as by a timer. */
class TimerClock extends LeapingClock {
  readonly #waking = new Map<number, Promise<void>>();

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    // Time limits end with what they limit.
    if (ms >= 20_000) return super.sleep(ms, signal);
    const until = this.mono() + ms;
    const waking = this.#waking.get(until) ?? super.sleep(ms);
    this.#waking.set(until, waking);
    return waking;
  }
}

async function open(answer: Answer) {
  const api = await openApi({ lines: ten, answer, clock: new TimerClock() });
  onTestFinished(() => api.close());
  return api;
}

describe('creates that a rate limit refused together', () => {
  it('are looked for in a read that they share, and each is made once', async () => {
    let left = 6;
    const api = await open(({ method }) => {
      if (method !== 'POST' || left === 0) return null;
      left -= 1;
      return { status: 429, headers: { 'retry-after': '1' } };
    });
    expect((await api.apply()).doc?.ok).toBe(true);
    expect(api.shelf.things.size).toBe(10);
    const sent = api.sent();
    expect(sent.filter((one) => one.startsWith('POST '))).toHaveLength(16);
    // The first look of all, and one or two for the six: a write that is sent between them begins another.
    expect(sent.filter((one) => one.startsWith('GET ')).length).toBeLessThanOrEqual(3);
  });

  it('claim what stands there all the same', async () => {
    let left = 3;
    const api = await open(({ method, body }, { things }) => {
      if (method !== 'POST' || left === 0) return null;
      left -= 1;
      const id = `made-${left}`;
      things.set(id, { ...(body as object), id });
      return { status: 429, headers: { 'retry-after': '1' } };
    });
    await api.apply();
    expect([...api.shelf.things.values()].map(({ name }) => name).sort()).toEqual(ten.map(({ id }) => id));
  });

  it('are looked for at once where nobody knows what became of the request', async () => {
    let left = 3;
    const api = await open(({ method }) => {
      if (method !== 'POST' || left === 0) return null;
      left -= 1;
      return { status: 503 };
    });
    expect((await api.apply()).doc?.ok).toBe(true);
    expect(api.shelf.things.size).toBe(10);
    const sent = api.sent().map((one) => one.split(' ')[0]);
    // The first look of all, and then one that began after each of the three was answered: by two of them together, or by each.
    expect(sent.filter((method) => method === 'GET').length).toBeGreaterThan(1);
    expect(sent.lastIndexOf('GET')).toBeGreaterThan(sent.indexOf('POST') + 2);
  });
});
