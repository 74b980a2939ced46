import type { Pull } from '../host/pulls-of.ts';
import type { Subject } from './argv.ts';
import { foreign, isSameRepository, type Job } from './job.ts';

/** What a deployment of a commit goes on with: its open pull requests, or why there is nothing. */
export type Subjects = Extract<Job, { kind: 'skip' | 'foreign' }> | { readonly kind: 'run'; readonly subjects: readonly Subject[] };

/**
 * A commit that stands in two pull requests continues both. One that only closed pull requests know goes on as theirs, so that the
 * run tells that it is stale. A fork's is passed over, and explained where nothing else is left.
 */
export function subjectsOf(commit: string, pulls: readonly Pull[], repository: string): Subjects {
  const ours = pulls.filter(({ headRepository }) => isSameRepository(headRepository, repository));
  const open = ours.filter(({ state }) => state === 'open').toSorted((a, b) => a.number - b.number);
  const chosen = open.length > 0 ? open : ours.toSorted((a, b) => b.number - a.number).slice(0, 1);
  if (chosen.length > 0) return { kind: 'run', subjects: chosen.map(({ number, branch }) => ({ pull: number, branch, commit })) };
  const fork = pulls.find(({ state }) => state === 'open') ?? pulls[0];
  if (fork) return { kind: 'foreign', why: foreign(fork.number, fork.headRepository) };
  return { kind: 'skip', why: `No pull request has the commit ${commit.slice(0, 12)} that was deployed.` };
}

/** Exit codes of a run that SIGINT or SIGTERM ended. */
const interrupted: ReadonlySet<number> = new Set([130, 143]);

/** One run after the other. A signal is heard by the run that it meets, and means the whole job: after it none is begun. */
export async function inTurn<E extends { readonly exit: number }>(
  subjects: readonly Subject[],
  run: (subject: Subject) => Promise<E>,
): Promise<readonly E[]> {
  const endings: E[] = [];
  for (const subject of subjects) {
    const ending = await run(subject);
    endings.push(ending);
    if (interrupted.has(ending.exit)) break;
  }
  return endings;
}
