import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../test/support/temp-folder.ts';
import type { Phase } from './phase.ts';
import { planOf } from './plans.ts';
import { type Counters, startServer, token } from './server.ts';
import { flawsOf } from './verify.ts';
import type { Wanted } from './wish.ts';
import type { Standing } from './world.ts';

/** A plan of what is wanted in a folder of its own, and the server that counts what runs of it ask. Both go with the test. `latency`: ms. */
export interface Counted {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What was asked since the last time. */
  counters(): Promise<Counters>;
  /** What is wrong with what stands there after a phase. */
  flaws(phase: Phase): Promise<string[]>;
}

export async function openCounted(wanted: Wanted, latency = 0): Promise<Counted> {
  const server = await startServer();
  onTestFinished(() => server.stop());
  const control = async (path: string, body?: object): Promise<Response> =>
    await fetch(`${server.base}/control/${path}`, { method: 'POST', ...(body && { body: JSON.stringify(body) }) });
  await control('reset', { wanted, latency, rate: null });
  const cwd = await tempFolder('counts');
  await writeFile(join(cwd, 'release.plan.yaml'), planOf({ wanted, ledger: 'local', concurrency: null, credentials: 1 }, server.base));
  return {
    cwd,
    env: { BENCH_TOKEN: token, VERCEL_TOKEN: token },
    counters: async () => (await (await control('counters')).json()) as Counters,
    flaws: async (phase) => flawsOf(wanted, phase, (await (await control('world')).json()) as Standing),
  };
}
