import type { Job } from './job.ts';
import { keepLabel } from './plan.ts';
import type { Pull, Repository } from './repository.ts';
import type { World } from './world.ts';

const hour = 3_600_000;

/** The time after which a preview may be taken, and the time from which on it must go. `null`: its lifetime never ends as things are. */
export interface Expiry {
  readonly mayGoAt: number;
  /** Infinite while no apply ended well, because nobody knows an end then. */
  readonly mustGoAt: number;
}

/**
 * When the preview of an open pull request is over. The last apply that ended well said it. A later one that failed or died may have renewed
 * it, so the preview may stand longer than that.
 */
export function expiryOf({ idleHours, jobs }: World, repository: Repository, pull: Pull): Expiry | null {
  if (idleHours === null) return null;
  const applies = jobs.filter((job) => job.facts.repository === repository && !job.isDestroy && isFor(job, repository, pull));
  // A job that failed or died may have said it, too.
  const sure = applies.findLast(isGood) ?? applies.find(({ begunAt }) => begunAt !== null);
  if (sure === undefined || sure.begunAt === null) return null;
  const last = Math.max(...applies.map((job) => job.end?.at ?? Number.POSITIVE_INFINITY), pull.keepSince);
  return { mayGoAt: sure.begunAt + idleHours * hour, mustGoAt: isGood(sure) ? last + idleHours * hour : Number.POSITIVE_INFINITY };
}

/** Whether a job applies a pull request: by an event of it, or by a deployment of one of its commits. */
function isFor(job: Job, repository: Repository, pull: Pull): boolean {
  if (job.pull !== null) return job.pull === pull.number;
  const { deployment } = job.facts.event.payload as { readonly deployment?: { readonly sha: string } };
  return deployment !== undefined && repository.has(pull, deployment.sha);
}

/** Whether the label spares the pull request, and did so when the job looked. */
export const isKept = (pull: Pull, since: number): boolean => pull.labels.includes(keepLabel) && pull.keepSince < since;

const isGood = ({ end, status }: Job): boolean => end?.how === 'ended' && end.code === 0 && (status === 'complete' || status === 'partial');
