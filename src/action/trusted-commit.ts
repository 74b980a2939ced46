import { Failure } from '../core/errors.ts';
import type { JobEvent } from './event.ts';
import type { AskHost } from './host.ts';

/**
 * The commit whose plan people have merged: at the head of the default branch. A pull request into another branch is held to that one as well, or
 * whoever may push a branch would make the base of their own plan. `null` for a job of the default branch, which runs that plan itself.
 */
export async function trustedCommit(env: NodeJS.ProcessEnv, event: JobEvent, host: Pick<AskHost, 'branchHead'>): Promise<string | null> {
  const { pull, deployment, defaultBranch } = event;
  if (defaultBranch === null) {
    throw new Failure('PLAN_NOT_TRUSTED', {
      detail: 'The event names no default branch of the repository, so nobody knows which plan is the trusted one. Nothing was sent.',
      fix: 'Leave `plan-from` out in this workflow.',
    });
  }
  if (pull?.base.branch === defaultBranch) return pull.base.commit;
  // The ref of a deployment is that of the deployed commit, whatever branch it came from.
  const isItsOwn = pull === null && deployment === null && env.GITHUB_REF === `refs/heads/${defaultBranch}`;
  return isItsOwn ? null : await host.branchHead(defaultBranch);
}
