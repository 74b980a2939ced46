import { expect } from 'vitest';
import type { Bench } from './bench.ts';
import { type Case, createOf, standsAsPlanned, writesOf } from './case.ts';
import type { Subject } from './subject.ts';

const unless = ({ late }: Subject): string | null => (late ? null : 'no description says that its reads are late');

/** From now on reads show what stood there so long ago. */
function lag({ simulation, subject }: Bench): void {
  if (subject.late) simulation.faults.lags(subject.late.reads, subject.late.seconds * 1_000);
}

/** Providers whose reads lag behind their writes. */
export const late = {
  lateAnswer: {
    says: 'one whose create had its answer lost is claimed where reads are late, and not made twice',
    unless,
    run: async (bench) => {
      lag(bench);
      const lost = bench.simulation.faults.loseAnswer(createOf(bench));
      await bench.applied();
      expect(lost.hits).toBe(1);
      standsAsPlanned(bench);
      expect((await bench.ledger()).records.size).toBe(1);
    },
  },

  lateStory: {
    says: 'where reads are late, runs that follow each other at once send each write once, and leave nothing',
    unless,
    run: async (bench) => {
      lag(bench);
      for (let turn = 0; turn < 2; turn += 1) {
        expect(writesOf(await bench.during(() => bench.applied()))).toHaveLength(1);
        standsAsPlanned(bench);
        expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none' });
        for (const params of Object.values(bench.subject.changes ?? {})) {
          await bench.change(params);
          expect(writesOf(await bench.during(() => bench.applied()))).toHaveLength(1);
        }
        await bench.change({});
        expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
        expect(bench.subject.mine()).toEqual([]);
        expect((await bench.ledger()).records.size).toBe(0);
      }
    },
  },
} satisfies { readonly [name: string]: Case };
