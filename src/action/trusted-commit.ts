import { Failure } from '../core/errors.ts';
import type { JobEvent } from './event.ts';
import type { AskHost } from './host.ts';

/**
 * Finds the commit whose plan people have merged: the head of the default branch. A pull request into another branch must use this commit
 * too. Otherwise a person who can push a branch could make the base of their own plan. Returns `null` for a job of the default branch,
 * which runs that plan itself.
 */
export async function trustedCommit(env: NodeJS.ProcessEnv, event: JobEvent, host: Pick<AskHost, 'branchHead'>): Promise<string | null> {
  const { pull, deployment, defaultBranch } = event;
  if (defaultBranch === null) {
    throw new Failure('PLAN_NOT_TRUSTED', {
      detail: 'The event names no default branch of the repository, so pilotfish does not know the trusted plan. Nothing was sent.',
      fix: 'Leave `plan-from` out in this workflow.',
    });
  }
  if (pull?.base.branch === defaultBranch) return pull.base.commit;
  // The ref of a deployment belongs to the deployed commit, so it may name any branch.
  const isItsOwn = pull === null && deployment === null && env.GITHUB_REF === `refs/heads/${defaultBranch}`;
  return isItsOwn ? null : await host.branchHead(defaultBranch);
}
