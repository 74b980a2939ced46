import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { type LinearPlace, places } from './places.ts';
import { faults } from './planted.ts';
import { record } from './record.ts';

// `npm run linear` does the same a thousand times on every store.
describe('what several processes see of one branch', () => {
  let place: LinearPlace | null;
  beforeAll(async () => {
    place = (await places.local?.()) ?? null;
  });
  afterAll(() => place?.stop());

  const recorded = async (seed: number, fault?: string) =>
    record({
      place: place?.place ?? '',
      env: {},
      root: await tempFolder('linear'),
      histories: 4,
      processes: 4,
      operations: 10,
      seed,
      ...(fault && { fault }),
    });

  it('is linearizable', async () => {
    const { wrong, operations, overlapping, moved } = await recorded(1);
    expect(wrong).toEqual([]);
    expect(operations).toBe(160);
    // Processes that take turns would prove nothing.
    expect(overlapping).toBeGreaterThan(operations / 2);
    expect(moved).toBeGreaterThan(0);
  });

  it.each(Object.keys(faults))('is not, with the fault %s in the store', async (fault) => {
    expect((await recorded(100, fault)).wrong.length).toBeGreaterThan(0);
  });
});
