import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { fields, openShelf } from './story.ts';

/** The answer to a write lacks a field, so the line reads the object again. */
const open = async () => {
  const place = await openShelf({
    manners: { keeps: (thing) => ({ ...thing, text: '' }) },
    shape: 'list and path',
  });
  const recorded = async (): Promise<readonly string[]> => {
    const { records } = await place.ledger();
    return [...records.values()].map(({ objectId }) => objectId);
  };
  return { ...place, recorded };
};

describe('an object whose write cannot be verified', () => {
  test('is recorded all the same, and the next run takes up no intent', async () => {
    const place = await open();
    const refused = place.provider.faults.times(20, 'GET /things/{id}', 403, { message: 'no read' });
    const first = await place.apply();
    expect(refused.hits).toBeGreaterThan(0);
    expect(first.lines).toMatchObject([{ state: 'failed', error: { code: 'PROVIDER_AUTH' } }]);
    expect(await place.recorded()).toEqual(place.ours().map(({ id }) => id));
    place.provider.faults.clear();
    await place.rewrite({ ...fields, text: '' });
    expect(await place.apply()).toMatchObject({ ok: true, lines: [{ state: 'settled' }] });
    expect(place.world.made()).toBe(1);
  });

  test('is recorded by a run that is told to stop meanwhile', async () => {
    const place = await open();
    const stop = new AbortController();
    const push = (event: RunEvent): void => {
      if (event.type === 'line' && event.to === 'verifying') stop.abort();
    };
    const first = await place.apply({}, { push }, stop.signal);
    expect(first.lines).toMatchObject([{ state: 'interrupted' }]);
    expect(await place.recorded()).toEqual(place.ours().map(({ id }) => id));
  });
});
