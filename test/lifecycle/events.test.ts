import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { lines, openShop, planOf, type Shop } from './shop.ts';

let shop: Shop;
afterEach(async () => {
  shop.verify();
  await shop.close();
});

/** The states that each machine went through, by its name. */
const paths = (events: readonly RunEvent[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const event of events) {
    if (event.type !== 'machine' && event.type !== 'line') continue;
    const name = event.type === 'line' ? event.line : event.machine;
    const path = found.get(name) ?? [event.from];
    expect(path.at(-1), `${name} goes on where it was`).toBe(event.from);
    found.set(name, [...path, event.to]);
  }
  return found;
};

describe('what a run tells while it goes on', () => {
  it('is every line with its order, the verdict of each, and every transition of every machine', async () => {
    shop = await openShop(planOf(lines.callback, lines.dns));
    const events: RunEvent[] = [];
    const { status } = await shop.apply({}, events);
    expect(status).toBe('complete');
    const told = events.flatMap((event) => (event.type === 'lines' ? event.lines : []));
    expect(told.map(({ id }) => id)).toHaveLength(2);
    expect(events.flatMap((event) => (event.type === 'verdict' ? [event.verdict] : []))).toEqual(['create', 'create']);
    const all = paths(events);
    expect(all.get('coordinator')).toEqual(['', 'running', 'finished']);
    expect(all.get('parent')).toEqual(expect.arrayContaining(['locking', 'reading', 'writing', 'verifying', 'unlocking']));
    expect(events.map(({ type }) => type).indexOf('lines')).toBeLessThan(events.map(({ type }) => type).indexOf('line'));
  });
});
