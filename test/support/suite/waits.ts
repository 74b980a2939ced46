import { expect } from 'vitest';
import { type Case, writesOf } from './case.ts';

/** What a line promises that waits for something that others make, and owns nothing. */
export const waits = {
  wait: {
    says: 'a plan tells that it is not there yet; an apply waits until it is, and writes and records nothing',
    run: async (bench) => {
      expect(await bench.planned()).toMatchObject({ verdict: 'pending' });
      const seen = await bench.during(() => bench.applied());
      expect(writesOf(seen)).toEqual([]);
      expect(seen.length).toBeGreaterThan(1);
      expect([bench.one()]).toMatchObject([bench.subject.stands ?? {}]);
      expect((await bench.ledger()).records.size).toBe(0);
    },
  },

  again: {
    says: 'what is there is not waited for again',
    run: async (bench) => {
      await bench.applied();
      const world = structuredClone(bench.subject.mine());
      expect(await bench.planned()).toMatchObject({ verdict: 'none' });
      const seen = await bench.during(() => bench.applied());
      expect(writesOf(seen)).toEqual([]);
      expect(bench.subject.mine()).toEqual(world);
    },
  },

  fails: {
    says: 'what ended badly fails the line',
    unless: ({ fails }) => (fails ? null : 'it cannot end badly'),
    run: async (bench) => {
      bench.subject.fails?.();
      expect(await bench.apply()).toMatchObject({ ok: false, status: 'failed', error: { code: 'EXTERNAL_FAILED' } });
    },
  },

  never: {
    says: 'what does not come ends as WAIT_TIMEOUT',
    unless: ({ hangs }) => (hangs ? null : 'it always comes'),
    run: async (bench) => {
      bench.subject.hangs?.();
      expect(await bench.apply({ waitTimeoutMs: 500 })).toMatchObject({ ok: false, error: { code: 'WAIT_TIMEOUT' } });
    },
  },

  destroy: {
    says: 'destroy asks for nothing and leaves it',
    run: async (bench) => {
      await bench.applied();
      const world = structuredClone(bench.subject.mine());
      const seen = await bench.during(async () => {
        expect(await bench.destroy()).toMatchObject({ ok: true, lines: [] });
      });
      expect(seen).toEqual([]);
      expect(bench.subject.mine()).toEqual(world);
    },
  },

  blind: {
    says: 'a credential that sees nothing fails the line',
    run: async (bench) => {
      const { ok, error } = await bench.apply(bench.as('blind'));
      expect(ok).toBe(false);
      expect(['PROVIDER_AUTH', 'PROVIDER_NOT_FOUND']).toContain(error?.code);
    },
  },
} satisfies { readonly [name: string]: Case };
