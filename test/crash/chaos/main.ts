import { existsSync } from 'node:fs';
import { optionsOf } from '../../../scripts/options.ts';
import { binary } from '../../cli/program.ts';
import { runChaos } from './chaos.ts';
import { terms } from './terms.ts';

const usage = 'npm run chaos -- [--kills N] [--seed S], both whole numbers';

/** Kills real processes of the built program at random moments. Exit 1 when a promise was broken. */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, { options: { kills: { type: 'string', default: '100' }, seed: { type: 'string' } } });
  const kills = whole(values.kills);
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : whole(values.seed);
  if (kills === null || seed === null) {
    console.error(usage);
    return 2;
  }
  if (!existsSync(binary)) {
    console.error('dist/pilotfish.js is missing: `npm run chaos` builds it first');
    return 2;
  }
  console.log(
    `seed ${seed}; a request deadline of ${terms.deadlineMs} ms, a lease of ${terms.leaseMs} ms for runs that are cut and of ${terms.calmLeaseMs} ms for others`,
  );
  const { ok, summary, broken, folder } = await runChaos({ kills, seed, print: (text) => console.log(text) });
  for (const one of broken) console.log(`BROKEN ${one}`);
  console.log(summary);
  if (folder !== null) console.log(`Repeat the choices with --seed ${seed}; every run's log is in ${folder}`);
  return ok ? 0 : 1;
}

const whole = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

process.exitCode = await main();
