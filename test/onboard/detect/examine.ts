import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pilotfish } from '../command.ts';
import { type Fault, judge, type Score, type Scores } from './judge.ts';
import type { Place } from './places.ts';
import { faultsOfPlan } from './runnable.ts';
import { readTold } from './told.ts';

/** What is said about one repository. */
export interface Examined {
  readonly name: string;
  readonly scores: Scores;
  /** `null` where the plan did not have to run. */
  readonly runnable: Score | null;
  readonly faults: readonly (
    | Fault
    | { readonly kind: 'wrong'; readonly about: 'plan'; readonly what: string; readonly evidence: readonly string[] }
  )[];
}

/** Runs init on a copy of a repository and judges what it says. `runs`: also what its plan does at the simulated providers. */
export async function examine({ name, expected, lay }: Place, { runs }: { readonly runs: boolean }): Promise<Examined> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-detect-'));
  try {
    await lay(folder);
    const { code, stdout, stderr } = await pilotfish(['init', '--json'], { cwd: folder });
    if (code !== 0) throw new Error(`${name}: init ended with ${code}: ${stderr}${stdout}`);
    const { scores, faults } = judge(expected, readTold(stdout.replaceAll(`${folder}/`, '')));
    const plan = runs ? await faultsOfPlan(await planIn(folder)) : null;
    return {
      name,
      scores,
      runnable: plan && { right: plan.length === 0 ? 1 : 0, of: 1 },
      faults: [...faults, ...(plan ?? []).map((what) => ({ kind: 'wrong' as const, about: 'plan' as const, what, evidence: [] }))],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A repository may bring a plan of its own. Where init wrote none, there is nothing to run. */
async function planIn(folder: string): Promise<string> {
  return await readFile(join(folder, 'release.plan.yaml'), 'utf8').catch(() => '');
}
