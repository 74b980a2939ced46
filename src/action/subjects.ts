import type { Pull } from '../host/pulls-of.ts';
import type { Subject } from './argv.ts';
import { foreign, isSameRepository, type Job } from './job.ts';

/** The subjects of a commit's deployment: its open pull requests, or the reason why there is none. */
export type Subjects = Extract<Job, { kind: 'skip' | 'foreign' }> | { readonly kind: 'run'; readonly subjects: readonly OfPull[] };

/** A subject with the facts of its pull request. */
export type OfPull = Omit<Subject, 'pull'> & { readonly pull: Pull };

/**
 * Finds the subjects of a deployment. A commit in two pull requests continues both. A commit that is only in closed pull requests continues
 * the last of them, so that the run says that it is stale. A fork's pull request is passed over, and explained if there is no other.
 */
export function subjectsOf(commit: string, pulls: readonly Pull[], repository: string): Subjects {
  const ours = pulls.filter(({ headRepository }) => isSameRepository(headRepository, repository));
  const open = ours.filter(({ state }) => state === 'open').toSorted((a, b) => a.number - b.number);
  const chosen = open.length > 0 ? open : ours.toSorted((a, b) => b.number - a.number).slice(0, 1);
  if (chosen.length > 0) return { kind: 'run', subjects: chosen.map((pull) => ({ pull, branch: pull.branch, commit })) };
  const fork = pulls.find(({ state }) => state === 'open') ?? pulls[0];
  if (fork) return { kind: 'foreign', why: foreign(fork.number, fork.headRepository) };
  return { kind: 'skip', why: `No pull request has the deployed commit ${commit.slice(0, 12)}.` };
}

/** Exit codes of a run that SIGINT or SIGTERM ended. */
export const interrupted: ReadonlySet<number> = new Set([130, 143]);

/** Runs one after the other. A signal stops the current run and the whole job: no other run begins after it. */
export async function inTurn<S, E extends { readonly exit: number }>(
  subjects: readonly S[],
  run: (subject: S) => Promise<readonly E[]>,
): Promise<readonly E[]> {
  const endings: E[] = [];
  for (const subject of subjects) {
    endings.push(...(await run(subject)));
    if (endings.some(({ exit }) => interrupted.has(exit))) break;
  }
  return endings;
}
