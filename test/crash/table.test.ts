import { expect, it } from 'vitest';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { execute, root } from '../cli/program.ts';
import { operations } from './operations.ts';
import { cutsAt } from './process.ts';
import { openTrial } from './prove.ts';
import { byHand } from './scenes/by-hand.ts';

/** Every operation that a plan may name. */
async function plannable(): Promise<readonly string[]> {
  const registry = await openRegistry({ env: {}, cwd: root });
  const families = await Promise.all(registry.familyNames().map((name) => registry.family(name)));
  const builtIn = await Promise.all(registry.adapterNames().map((name) => registry.adapter(name)));
  return [...families, ...builtIn].flatMap((one) => (one ? Object.keys(one.ops).map((op) => `${one.name}.${op}`) : []));
}

it('a sample of cuts of every operation of every family ends as if nothing was cut', { timeout: 600_000 }, async () => {
  const { stdout, stderr, code } = await execute(process.execPath, ['test/crash/main.ts', '--sample'], { cwd: root, env: process.env });
  expect(code, stdout + stderr).toBe(0);
  const families = stdout.split('\n').map((line) => line.split(' ')[0] ?? '');
  for (const op of await plannable())
    expect(
      families.some((family) => `${family}.`.startsWith(`${op}.`)),
      `${op} is in the table`,
    ).toBe(true);
});

it('a cut that nobody repairs is told', async () => {
  const [scene] = byHand;
  const apply = operations.find(({ name }) => name === 'apply');
  if (!scene || !apply) throw new Error('there is nothing to cut');
  const emptied = JSON.stringify({ version: 1, changes: [] });
  const trial = await openTrial(scene, {
    ...apply,
    after: async (world) => {
      // Whoever takes the line out of the plan does not repair it: what stands then depends on where the cut was.
      await world.write(emptied);
      const doc = await world.run({});
      if (!doc) throw new Error('the run died');
      return doc;
    },
  });
  const isTold = await Promise.all(trial.cuts.map(async (cut) => (await trial.prove(cut)).length > 0));
  expect(isTold).toContain(true);
});

it('a write can be cut in four ways, a read in two', () => {
  const moment = { effect: 'POST /things', nth: 1, where: 'provider' } as const;
  const fates = (phase: 'before' | 'after', isWrite: boolean) => cutsAt({ ...moment, phase, isWrite }).map(({ fate }) => fate);
  expect([...fates('before', true), ...fates('after', true)]).toEqual(['lost', 'late', 'stopped', 'stood']);
  expect([...fates('before', false), ...fates('after', false)]).toEqual(['lost', 'stopped']);
});
