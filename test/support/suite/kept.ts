import type { Simulation, SimulationOptions } from 'pilotfish-sandbox/kit/index';
import { expect } from 'vitest';
import { type Bench, withBench } from './bench.ts';
import { editOutside, standsAsPlanned, writesOf } from './case.ts';
import type { Subject } from './subject.ts';

/**
 * One line of a recipe through its whole life at a provider that keeps something else than it was sent: made once, quiet, put back
 * after each edit of its subject, and taken away. `then` comes before the destroy. `stands` of the subject is what the provider keeps.
 */
export const livesOn = <W>(
  op: string,
  simulate: (options: SimulationOptions) => Simulation<W>,
  subject: (simulation: Simulation<W>) => Subject,
  then: (bench: Bench, simulation: Simulation<W>) => Promise<void> = () => Promise.resolve(),
): Promise<void> => {
  let world: Simulation<W> | null = null;
  const kept = (options: SimulationOptions): Simulation<W> => {
    world = simulate(options);
    return world;
  };
  return withBench({ op, isRecipe: true, simulate: kept, subject }, async (bench) => {
    await bench.applied();
    standsAsPlanned(bench);
    await staysQuiet(bench);
    for (const edit of Object.values(bench.subject.edits ?? {})) {
      editOutside(bench, edit);
      expect(await bench.planned(), 'the plan after an outside change').toMatchObject({ drift: 'changed' });
      await bench.applied();
      standsAsPlanned(bench);
      await staysQuiet(bench);
    }
    if (world) await then(bench, world);
    expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
    expect(bench.subject.mine(), 'what destroy leaves').toHaveLength(bench.subject.stays ? 1 : 0);
    expect((await bench.ledger()).records.size).toBe(0);
  });
};

/** Another apply writes nothing, and a plan has nothing to say. */
export async function staysQuiet(bench: Bench): Promise<void> {
  const seen = await bench.during(() => bench.applied());
  expect(writesOf(seen), 'writes of another apply').toEqual([]);
  expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none', changes: [] });
}
