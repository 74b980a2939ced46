import { expect } from 'vitest';
import type { Bench } from './bench.ts';
import { type Case, createOf, eachBusy, expectUntouched, lookOf, removeOf, standsAsPlanned, writesOf } from './case.ts';

/** Providers that are busy, and credentials that may not do everything. */
export const weather = {
  busyLook: {
    says: '423, 429 and 503 to a look are got over',
    run: (bench) =>
      eachBusy(async (status, headers) => {
        const armed = bench.simulation.faults.once(lookOf(bench), status, undefined, headers);
        await bench.applied();
        standsAsPlanned(bench);
        return armed;
      }),
  },

  busyCreate: {
    says: '423, 429 and 503 to a create are got over, and one is made',
    unless: ({ remove }) => (remove ? null : 'nobody can remove it, so there is only one create'),
    run: (bench) =>
      eachBusy(async (status, headers) => {
        if (bench.subject.mine().length > 0) bench.subject.remove?.();
        const armed = bench.simulation.faults.once(createOf(bench), status, undefined, headers);
        await bench.applied();
        standsAsPlanned(bench);
        return armed;
      }),
  },

  busyDelete: {
    says: '423, 429 and 503 to a delete are got over',
    unless: ({ stays }) => (stays ? 'destroy sends no delete' : null),
    run: (bench) =>
      eachBusy(async (status, headers) => {
        await bench.applied();
        const armed = bench.simulation.faults.once(removeOf(bench), status, undefined, headers);
        expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
        expect(bench.subject.mine()).toEqual([]);
        return armed;
      }),
  },

  full: {
    says: 'an account without room is PROVIDER_QUOTA with the limit and the way to make room, and nothing is recorded',
    unless: ({ fill }) => (fill ? null : 'its description tells of no limit of this kind'),
    run: async (bench) => {
      bench.subject.fill?.();
      const refused = async (writes: number): Promise<void> => {
        const seen = await bench.during(async () => {
          const { ok, error } = await bench.apply();
          expect(ok).toBe(false);
          expect(error).toMatchObject({ code: 'PROVIDER_QUOTA', fix: expect.stringContaining('`pilotfish apply --destroy --closed`') });
          expect(error?.detail).toContain(`Scope pr-12 holds none of ${bench.op}`);
          expect(error?.detail).toContain((await bench.told()).limit);
        });
        expect(writesOf(seen), 'no wait makes room').toHaveLength(writes);
      };
      const { untell } = bench.subject;
      expect((await bench.told()).isCounted, 'figures that the suite knows how to hide').toBe(untell !== undefined);
      if (untell) {
        // The provider tells its figures, so nothing is sent that it must refuse.
        await refused(0);
        untell();
      }
      await refused(1);
      await expectUntouched(bench);
      // Nothing is left that would let the next run take somebody else's for its own.
      bench.subject.foreign?.();
      expect(await bench.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    },
  },

  wrong: {
    says: 'a credential that the provider does not know is PROVIDER_AUTH, and nothing is made or recorded',
    run: async (bench) => {
      const world = structuredClone(bench.subject.mine());
      const seen = await bench.during(async () => {
        expect(await bench.apply(bench.as('wrong'))).toMatchObject({ ok: false, error: { code: 'PROVIDER_AUTH' } });
      });
      expect(writesOf(seen).filter(({ status }) => status !== null && status < 400)).toEqual([]);
      await expectUntouched(bench, world);
    },
  },

  readOnly: {
    says: 'a credential that may only read is PROVIDER_AUTH, a 403 tells what it needs, and nothing is made or recorded',
    run: async (bench) => {
      const { ok, error } = await bench.apply(bench.as('readOnly'));
      expect([ok, error?.code]).toEqual([false, 'PROVIDER_AUTH']);
      if (bench.simulation.log.at(-1)?.status === 403) expect(error?.fix).toContain((await bench.told()).needs);
      await expectUntouched(bench);
    },
  },

  readOnlyDestroy: {
    says: 'a credential that may only read forgets nothing at destroy',
    unless: ({ stays }) => (stays ? 'destroy sends no delete' : null),
    run: async (bench) => {
      await bench.applied();
      await keepsRecord(bench, async () => {
        const { ok, error } = await bench.destroy(bench.as('readOnly'));
        expect(ok).toBe(false);
        // A read-only key may see objects without their ids.
        expect(['PROVIDER_AUTH', 'PROVIDER_RESPONSE']).toContain(error?.code);
      });
    },
  },

  blind: {
    says: 'a credential that sees nothing does not make it again',
    run: async (bench) => {
      await bench.applied();
      await keepsRecord(bench, async () => {
        const { ok, error } = await bench.apply(bench.as('blind'));
        expect(ok).toBe(false);
        // A parent that answers 404 is as much as the provider says.
        expect(['PROVIDER_AUTH', 'PROVIDER_NOT_FOUND']).toContain(error?.code);
      });
    },
  },

  blindDestroy: {
    says: 'a credential that sees nothing forgets nothing at destroy',
    unless: ({ stays }) => (stays ? 'destroy sends no delete' : null),
    run: async (bench) => {
      await bench.applied();
      await keepsRecord(bench, async () => {
        const { ok, error } = await bench.destroy(bench.as('blind'));
        expect(ok).toBe(false);
        expect(['PROVIDER_AUTH', 'PROVIDER_NOT_FOUND']).toContain(error?.code);
      });
      expect(await bench.destroy()).toMatchObject({ ok: true });
      expect(bench.subject.mine()).toEqual([]);
    },
  },
} satisfies { readonly [name: string]: Case };

async function keepsRecord(bench: Bench, work: () => Promise<void>): Promise<void> {
  const world = structuredClone(bench.subject.mine());
  const before = await bench.ledger();
  await work();
  const { records, intents } = await bench.ledger();
  expect(records).toEqual(before.records);
  expect([...intents.keys()]).toEqual([]);
  expect(bench.subject.mine()).toEqual(world);
}
