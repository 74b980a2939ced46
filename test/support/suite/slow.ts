import { expect } from 'vitest';
import type { Bench } from './bench.ts';
import { type Case, expectUntouched, standsAsPlanned, writesOf } from './case.ts';

const unless: Case['unless'] = ({ slow }) => (slow ? null : 'it is ready when it is made');

/** What an object promises that becomes ready by itself, some time after it was made. */
export const slow = {
  interrupted: {
    says: 'a run that is told to stop while it is not ready leaves it to the next, which waits on and makes no other',
    unless,
    run: async (bench) => {
      bench.subject.slow?.hangs();
      expect(await bench.interrupted()).toMatchObject({ ok: false, status: 'interrupted' });
      bench.one();
      const { records, intents } = await bench.ledger();
      expect(records.size + intents.size).toBe(1);
      bench.subject.slow?.goesOn();
      const seen = await bench.during(() => bench.applied());
      expect(writesOf(seen)).toEqual([]);
      standsAsPlanned(bench);
      expect([...(await bench.ledger()).records.values()]).toMatchObject([{ owned: true, unready: false }]);
    },
  },

  stuck: {
    says: 'one that does not come ends as WAIT_TIMEOUT at its deadline, stays known, and is waited for again or removed',
    unless,
    run: async (bench) => {
      bench.subject.slow?.hangs();
      // A template has the deadline of the run alone, an adapter one of its own.
      if (!bench.isRecipe) await bench.change({ timeout: 3 });
      await knownAlthough(bench, { code: 'WAIT_TIMEOUT', detail: expect.stringMatching(/not ready after 3 s: \S/) });
      const seen = await bench.during(async () => {
        expect(await bench.apply({ waitTimeoutMs: 3000 })).toMatchObject({ ok: false, error: { code: 'WAIT_TIMEOUT' } });
      });
      expect(writesOf(seen)).toEqual([]);
      bench.one();
      expect(await bench.destroy()).toMatchObject({ ok: true });
      await expectUntouched(bench);
    },
  },

  failed: {
    says: 'one that ends badly fails the line with EXTERNAL_FAILED, stays known, and is removed',
    unless: (subject) => unless(subject) ?? (subject.slow?.fails ? null : 'the provider has no state for it'),
    run: async (bench) => {
      bench.subject.slow?.fails?.();
      await knownAlthough(bench, { code: 'EXTERNAL_FAILED' });
      expect(await bench.destroy()).toMatchObject({ ok: true });
      await expectUntouched(bench);
    },
  },
} satisfies { readonly [name: string]: Case };

/** The apply fails by this error, and what it made is in the ledger, marked. */
async function knownAlthough(bench: Bench, error: object): Promise<void> {
  expect(await bench.apply(bench.isRecipe ? { waitTimeoutMs: 3000 } : {})).toMatchObject({ ok: false, error });
  bench.one();
  expect([...(await bench.ledger()).records.values()]).toMatchObject([{ owned: true, unready: true }]);
}
