import type { Job } from './job.ts';
import { expiryOf, isKept } from './judge-expired.ts';
import { ownerOf } from './plan.ts';
import type { World } from './world.ts';

/** Judged at each write of a destroy: what it removed belonged to no pull request that was open all the time since its job began. */
export function judgeTaken(world: World, job: Job, gone: readonly string[]): void {
  if (!job.isDestroy || job.begunAt === null) return;
  for (const name of gone) {
    const owner = ownerOf(name);
    const repository = world.repositories.find(({ shop }) => shop === owner?.shop);
    const pull = repository?.pulls.get(owner?.pull ?? 0);
    if (!repository || pull?.state !== 'open' || pull.unwantedAt !== null || pull.openedAt >= job.begunAt) continue;
    // Where the host refuses every question, a close of the same moment as a reopening may come first. The reopening then makes all anew.
    if (!job.isSweep && repository.limitedUntil > job.begunAt) continue;
    const expiry = job.isSweep ? expiryOf(world, repository, pull) : null;
    if (expiry === null || world.time.now < expiry.mayGoAt || isKept(pull, job.begunAt))
      world.breach('taken', `${job.name} took ${name}, whose pull request is open`);
  }
}
