import { drawScenario, type Scenario } from './scenario.ts';
import { simulateSeed } from './seed.ts';
import { type Counts, noCounts } from './world.ts';

/** What a number of seeds came to. */
export interface Campaign {
  readonly seeds: number;
  readonly lines: number;
  readonly counts: Counts;
  readonly failure: { readonly scenario: Scenario; readonly breaches: readonly string[]; readonly log: readonly string[] } | null;
}

/** Lives through seeds one after the other until one fails or all have passed. */
export async function runCampaign(o: { first: number; seeds: number; onSeed?: (done: number) => void }): Promise<Campaign> {
  const counts = noCounts();
  let lines = 0;
  for (let done = 0; done < o.seeds; done += 1) {
    const scenario = drawScenario(o.first + done);
    lines += scenario.plans[0]?.length ?? 0;
    const result = await simulateSeed(scenario);
    add(counts, result.counts);
    if (result.breaches.length > 0) return { seeds: done + 1, lines, counts, failure: { scenario, ...result } };
    o.onSeed?.(done + 1);
  }
  return { seeds: o.seeds, lines, counts, failure: null };
}

function add(sum: Counts, more: Counts): void {
  for (const [kind, n] of Object.entries(more.faults)) sum.faults[kind] = (sum.faults[kind] ?? 0) + n;
  for (const name of ['kills', 'signals', 'suspensions', 'runs', 'claimed', 'replaced', 'requests', 'pushes', 'edits', 'together'] as const)
    sum[name] += more[name];
}
