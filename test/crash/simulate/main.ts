import './virtual-files.ts';
import './known-plans.ts';

import { optionsOf } from '../../../scripts/options.ts';
import { runCampaign } from './campaign.ts';
import { planText } from './plans.ts';
import { drawScenario } from './scenario.ts';
import { simulateSeed } from './seed.ts';
import { shrink } from './shrink.ts';

const usage = 'npm run simulate -- [--seeds N] [--seed S] [--log] [--keep]';

/**
 * `--seeds N` lives through N seeds from `--seed S` on; `--seed S` alone through that one, with `--log` all that happened. Exit 1
 * when a promise was broken; `--keep` shows that seed as it was drawn instead of making it smaller.
 */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, {
    options: { seeds: { type: 'string' }, seed: { type: 'string' }, log: { type: 'boolean' }, keep: { type: 'boolean' } },
  });
  const first = Number(values.seed ?? 1);
  const seeds = Number(values.seeds ?? (values.seed === undefined ? 1000 : 1));
  if (!Number.isInteger(first) || !Number.isInteger(seeds) || seeds < 1) {
    console.error(usage);
    return 2;
  }
  const began = process.cpuUsage();
  const campaign = await runCampaign({ first, seeds, onSeed: (done) => tellProgress(done, seeds) });
  const { user, system } = process.cpuUsage(began);
  if (values.log && seeds === 1) console.log((await simulateSeed(drawScenario(first))).log.join('\n'));
  summarise(campaign, (user + system) / 1e6);
  if (!campaign.failure) return 0;

  const { scenario, breaches } = campaign.failure;
  console.log(
    `\nSeed ${scenario.seed} breaks a promise:\n  ${breaches.slice(0, 5).join('\n  ')}${values.keep ? '' : '\n\nMaking it smaller …'}`,
  );
  const least = values.keep ? scenario : await shrink(scenario);
  const result = await simulateSeed(least);
  console.log(
    `\n${result.breaches[0] ?? ''}\n\nwith\n${JSON.stringify({ runs: least.runs, edits: least.edits, weather: least.weather }, null, 2)}`,
  );
  const collections = new Map(least.collections.map((one) => [one.name, one]));
  for (const [i, plan] of least.plans.entries()) console.log(`\nplan ${i}\n${planText(plan, collections)}`);
  console.log(`collections: ${JSON.stringify(least.collections)}\n\n${result.log.join('\n')}\n`);
  console.log(`Again: npm run simulate -- --seed ${scenario.seed}`);
  return 1;
}

function tellProgress(done: number, seeds: number): void {
  if (process.stderr.isTTY && done % 50 === 0) process.stderr.write(`\r${done} of ${seeds} seeds`);
  if (process.stderr.isTTY && done === seeds) process.stderr.write('\r');
}

function summarise({ seeds, lines, counts, failure }: Awaited<ReturnType<typeof runCampaign>>, cpu: number): void {
  const faults = Object.values(counts.faults).reduce((sum, n) => sum + n, 0);
  const lost = (counts.faults.loseAnswer ?? 0) + (counts.faults.hang ?? 0) + (counts.faults['lost push answer'] ?? 0);
  console.log(`seeds ${seeds} (${(seeds / cpu).toFixed(1)} a second of CPU), failed ${failure ? 1 : 0}`);
  console.log(`plans ${seeds} with ${lines} lines, runs ${counts.runs}, begun beside another ${counts.together}`);
  console.log(
    `cuts ${counts.kills + counts.signals} (killed ${counts.kills}, told to stop ${counts.signals}), suspended ${counts.suspensions}`,
  );
  console.log(
    `faults ${faults}, of them lost answers ${lost}: ${Object.entries(counts.faults)
      .map(([kind, n]) => `${kind} ${n}`)
      .sort()
      .join(', ')}`,
  );
  console.log(
    `claimed ${counts.claimed}, replaced ${counts.replaced}, edits by hand ${counts.edits}, requests ${counts.requests}, pushes ${counts.pushes}`,
  );
}

process.exitCode = await main();
