import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanDoc, RunEvent } from '../../src/engine/document.ts';
import { companies } from '../../test/support/companies.ts';
import { LeapingClock } from '../../test/support/leaping-clock.ts';
import { openStage } from '../../test/support/stage.ts';
import { root } from '../tasks.ts';

/** The time from a request to its answer. Only a wait takes time on a leaping clock, so every run takes the same. */
const latencyMs = 120;

interface ExampleRun {
  readonly plan: PlanDoc;
  /** Of the apply after it. */
  readonly events: readonly RunEvent[];
}

/** The plan of an example and its first apply, at simulated providers that answer after the same time each. */
export async function exampleRun(name: string): Promise<ExampleRun> {
  const clock = new LeapingClock();
  const company = companies[name]?.(clock);
  if (!company) throw new Error(`nobody has the accounts of examples/${name}`);
  const stage = await openStage({
    simulations: company.simulations,
    env: { PILOTFISH_REQUEST_DEADLINE_MS: '30000', PILOTFISH_LEASE_MS: '120000', ...company.credentials, ...company.addresses },
    plan: await readFile(join(root, 'examples', name, 'release.plan.yaml'), 'utf8'),
    clock,
    wire: (providers) =>
      providers.compose((dispatch) => (options, handler) => {
        void clock.sleep(latencyMs).then(() => dispatch(options, handler));
        return true;
      }),
  });
  try {
    const plan = await stage.plan({ pr: 12 });
    const events: RunEvent[] = [];
    const { status } = await stage.apply({ pr: 12 }, events);
    if (status !== 'complete') throw new Error(`the apply of examples/${name} ended ${status}`);
    return { plan, events };
  } finally {
    await stage.close();
  }
}
