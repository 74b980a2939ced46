import { expect, it } from 'vitest';
import { runChaos } from './chaos.ts';

it('five signals at random moments leave no second object, no unknown object, no lease and no lock', async () => {
  const seed = Date.now() % 1_000_000;
  const { ok, summary, broken, folder } = await runChaos({ kills: 5, seed, print: () => undefined });
  console.log(`chaos with seed ${seed}: ${summary}`);
  expect(broken, `npm run chaos -- --kills 5 --seed ${seed}; logs in ${folder}`).toEqual([]);
  expect(ok).toBe(true);
});
