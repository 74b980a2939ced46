import './machine/stand-ins.ts';
import '../crash/simulate/known-plans.ts';
import { optionsOf } from '../../scripts/options.ts';
import { type Campaign, runCampaign } from './campaign.ts';
import { type Fault, faults, isFault } from './planted.ts';

// The program is loaded when the stand-ins are in place.
const { drawHistory } = await import('./history.ts');
const { told } = await import('./live.ts');
const { shops } = await import('./plan.ts');
const { liveThrough, liveThroughSeed } = await import('./seed.ts');
const { shrink } = await import('./shrink.ts');
const { warmUp } = await import('./warm.ts');

const usage =
  'npm run losses -- [--seeds N] [--from S] [--workers N] [--without sweep|hour|target] [--planted] [--seed S [--log] [--keep]]';

/** Seeds within which each planted fault must be found. */
const enough = 400;

/**
 * `--seeds N` lives through N histories from `--from S` on, and `--seed S` through one, with `--log` all that happened there. Exit 1 when
 * something was left behind, missing or touched. `--without` takes one net out of the workflow; `--planted` takes out each of them, and
 * exits with 0 when each was missed. `--keep` shows a failing history as it was drawn.
 */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, {
    options: {
      seeds: { type: 'string' },
      from: { type: 'string' },
      seed: { type: 'string' },
      workers: { type: 'string' },
      without: { type: 'string' },
      planted: { type: 'boolean' },
      log: { type: 'boolean' },
      keep: { type: 'boolean' },
    },
  });
  const first = Number(values.seed ?? values.from ?? 1);
  const seeds = Number(values.seeds ?? (values.seed === undefined ? (values.planted ? enough : 300) : 1));
  const workers = Number(values.workers ?? 2);
  const fault = values.without ?? null;
  const isSound = [first, seeds, workers].every((n) => Number.isInteger(n) && n > 0) && (fault === null || isFault(fault));
  if (!isSound) {
    console.error(usage);
    return 2;
  }
  const o = { first, seeds, workers, isWhole: values.keep === true };
  if (values.planted) {
    await warmUp();
    let missed = 0;
    for (const one of faults) if (!(await judge({ ...o, without: one }))) missed += 1;
    console.log(`planted faults ${faults.length}, found ${faults.length - missed}`);
    return missed === 0 ? 0 : 1;
  }
  const without = fault !== null && isFault(fault) ? fault : null;
  await warmUp();
  if (values.log) console.log((await liveThroughSeed(first, without)).log.join('\n'));
  return (await judge({ ...o, without })) ? 1 : 0;
}

interface Asked {
  readonly first: number;
  readonly seeds: number;
  readonly workers: number;
  readonly without: Fault | null;
  readonly isWhole: boolean;
}

/** Lives through the histories and tells of the first that fails. Whether one did, by the net that was taken out. */
async function judge(o: Asked): Promise<boolean> {
  const began = performance.now();
  const campaign = await runCampaign({ ...o, onHistory: (done) => tellProgress(done, o.seeds) });
  const isFound = campaign.failure !== null && (await tellFailure(o, campaign.failure.seed));
  summarise(campaign, o.without, (performance.now() - began) / 1000);
  return isFound;
}

async function tellFailure({ without, isWhole }: Asked, seed: number): Promise<boolean> {
  const again = (history: ReturnType<typeof drawHistory>) => liveThrough(history, without);
  const drawn = drawHistory(seed);
  const least = isWhole ? drawn : await shrink(drawn, again);
  const { breaches, log } = await again(least);
  console.log(`\nThe history ${seed}${without === null ? '' : `, without ${without},`} ends badly:\n  ${breaches[0] ?? 'not any more'}\n`);
  console.log(
    `${isWhole ? 'Its' : 'The shortest such history has these'} steps, with a credential that is ${least.credential} and a network that is ${least.weather}:`,
  );
  for (const step of least.steps) console.log(`  +${step.after} min  ${shops[step.repository].slug} ${step.pull}: ${told(step)}`);
  console.log(`\n${log.join('\n')}\n\nAgain: npm run losses -- --seed ${seed}${without === null ? '' : ` --without ${without}`}\n`);
  if (without === null) return true;
  const [breach] = (await liveThrough(least, null)).breaches;
  console.log(
    breach === undefined ? 'With the whole workflow the same history ends well.' : `With the whole workflow it ends badly too: ${breach}`,
  );
  return breach === undefined;
}

function tellProgress(done: number, seeds: number): void {
  if (process.stderr.isTTY && done % 10 === 0) process.stderr.write(`\r${done} of ${seeds} histories`);
  if (process.stderr.isTTY && done === seeds) process.stderr.write('\r');
}

function summarise({ counts, failure }: Campaign, without: Fault | null, seconds: number): void {
  const kind = failure?.breaches[0]?.split(':')[0] ?? '';
  const { histories, runs, lost, killed, sweeps } = counts;
  const left = kind === 'leftover' ? 1 : 0;
  const foreign = kind === 'foreign' ? 1 : 0;
  const other = failure === null || left + foreign > 0 ? '' : `, ${kind} 1`;
  console.log(
    `histories ${histories}${without === null ? '' : ` without ${without}`}, runs ${runs}, events lost or late ${lost}, killed runs ${killed}, sweeps ${sweeps}, ` +
      `leftovers ${left}, foreign touched ${foreign}${other}, ${seconds.toFixed(0)} s`,
  );
}

process.exitCode = await main();
