import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Fault } from './planted.ts';
import type { Counts } from './world.ts';

/** What a worker tells of one history. */
export interface Told {
  readonly seed: number;
  readonly breaches: readonly string[];
  readonly counts: Counts;
}

/** What a worker is asked for: every `step`-th seed. */
export interface Share {
  readonly first: number;
  readonly step: number;
  readonly end: number;
  readonly without: Fault | null;
}

export interface Campaign {
  readonly counts: Counts;
  /** The lowest of the seeds that failed. */
  readonly failure: Told | null;
}

export interface CampaignOptions {
  readonly first: number;
  readonly seeds: number;
  readonly workers: number;
  readonly without: Fault | null;
  readonly onHistory?: (done: number) => void;
}

/** Lives through histories in processes of their own until one fails or all have passed. */
export async function runCampaign({ first, seeds, workers, without, onHistory }: CampaignOptions): Promise<Campaign> {
  const counts: Counts = { histories: 0, runs: 0, lost: 0, killed: 0, sweeps: 0 };
  let failure: Told | null = null;
  const shares = Array.from(
    { length: Math.min(workers, seeds) },
    (_, nth): Share => ({ first: first + nth, step: workers, end: first + seeds, without }),
  );
  const children = shares.map((share) =>
    fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [JSON.stringify(share)], { execArgv: flags }),
  );
  const hear = (told: Told): void => {
    for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] += told.counts[name];
    onHistory?.(counts.histories);
    if (told.breaches.length === 0) return;
    if (failure === null || told.seed < failure.seed) failure = told;
    for (const child of children) child.kill();
  };
  await Promise.all(
    children.map(
      (child) =>
        new Promise<void>((resolve, reject) => {
          child.on('message', (told) => hear(told as Told));
          child.once('error', reject);
          child.once('exit', (code) => (code === 0 || failure !== null ? resolve() : reject(new Error(`a worker ended with ${code}`))));
        }),
    ),
  );
  return { counts, failure };
}

/** A young generation of this size spares most of the collections. */
const flags = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
