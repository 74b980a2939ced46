import './machine/stand-ins.ts';
import '../crash/simulate/known-plans.ts';
import type { Share, Told } from './campaign.ts';

// The program is loaded when the stand-ins are in place.
const { liveThroughSeed } = await import('./seed.ts');
const { warmUp } = await import('./warm.ts');

await warmUp();

const { first, step, end, without } = JSON.parse(process.argv[2] ?? '') as Share;
for (let seed = first; seed < end; seed += step) {
  const { breaches, counts } = await liveThroughSeed(seed, without);
  const told: Told = { seed, breaches, counts };
  process.send?.(told);
}
process.disconnect();
