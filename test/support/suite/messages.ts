import { expect } from 'vitest';
import { lineId } from './bench.ts';
import { type Case, createOf, eachBusy, expectUntouched, writesOf } from './case.ts';

/** What an action promises: it is sent when its trigger changes, and leaves nothing to take back. */
export const messages = {
  send: {
    says: 'it is sent once, after a plan that said so',
    run: async (bench) => {
      expect(await bench.planned()).toMatchObject({ verdict: 'send' });
      expect(bench.subject.mine()).toEqual([]);
      const seen = await bench.during(() => bench.applied());
      expect(writesOf(seen)).toHaveLength(1);
      expect(bench.one()).toMatchObject(bench.subject.stands ?? {});
      expect([...(await bench.ledger()).records.values()]).toMatchObject([{ line: lineId, kind: 'action' }]);
    },
  },

  again: {
    says: 'an unchanged trigger sends nothing, and adds one receipt',
    run: async (bench) => {
      await bench.applied();
      const before = await bench.ledger();
      const seen = await bench.during(async () => {
        expect(await bench.applied()).toMatchObject({ verdict: 'none' });
      });
      expect(seen).toEqual([]);
      const after = await bench.ledger();
      expect(after.records).toEqual(before.records);
      expect(after.history).toHaveLength(before.history.length + 1);
    },
  },

  recreate: {
    says: '--recreate sends it again',
    run: async (bench) => {
      await bench.applied();
      expect(await bench.applied({ recreate: [lineId] })).toMatchObject({ verdict: 'send' });
      expect(bench.subject.mine()).toHaveLength(2);
    },
  },

  destroy: {
    says: 'destroy sends nothing and forgets it',
    run: async (bench) => {
      await bench.applied();
      const seen = await bench.during(async () => {
        expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
      });
      expect(seen).toEqual([]);
      await expectUntouched(bench, structuredClone(bench.subject.mine()));
    },
  },
} satisfies { readonly [name: string]: Case };

/** Providers that are busy when it is sent. */
export const busySend: Case = {
  says: '423, 429 and 503 to a send are got over, and it is sent once',
  run: (bench) =>
    eachBusy(async (status, headers) => {
      const before = bench.subject.mine().length;
      const armed = bench.simulation.faults.once(createOf(bench), status, undefined, headers);
      await bench.applied({ recreate: before === 0 ? [] : [lineId] });
      expect(bench.subject.mine()).toHaveLength(before + 1);
      return armed;
    }),
};

/** A change of the plan that makes it send again. */
export const trigger = (name: string): Case => ({
  says: `another ${name} sends it again`,
  run: async (bench) => {
    await bench.applied();
    await bench.change(bench.subject.fixed?.[name] ?? {});
    expect(await bench.planned()).toMatchObject({ verdict: 'send' });
    const seen = await bench.during(() => bench.applied());
    expect(writesOf(seen)).toHaveLength(1);
  },
});
