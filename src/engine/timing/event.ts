import { z } from 'zod';
import { isCommitId } from '../../core/commit-id.ts';
import { once } from '../../core/once.ts';
import { isGitlabJob } from '../../host/addresses.ts';
import type { CodeHostEvent } from './event-file.ts';
import { readEventFile } from './event-file.ts';
import { readGitlabEvent } from './gitlab-event.ts';

const payload = once(() => {
  // Half a character, which JSON can hold, is in no name of git and in no address.
  const text = z
    .string()
    .min(1)
    .refine((name) => name.isWellFormed());
  const repository = z.object({ full_name: text }).nullish();
  return z.object({
    action: z.string().nullish(),
    before: text.nullish(),
    pull_request: z
      .object({
        number: z.int().positive(),
        head: z.object({ sha: text, ref: text, repo: repository }),
        base: z.object({ repo: repository }).nullish(),
        state: z.enum(['open', 'closed']).nullish(),
        updated_at: z.iso.datetime({ offset: true }).nullish(),
      })
      .nullish(),
    deployment: z.object({ sha: text, ref: text.nullish() }).nullish(),
    deployment_status: z.looseObject({}).nullish(),
  });
});

/**
 * Reads GITHUB_EVENT_PATH, or the variables of a GitLab job. In a pull request job GITHUB_SHA is the merge commit that the host made up. The
 * head of the pull request, which gets deployed, stands only in the payload. So a file that cannot be read is `USAGE` and never passed over:
 * the run would go on with another commit, or for nobody's pull request.
 */
export function readCodeHostEvent(env: NodeJS.ProcessEnv): CodeHostEvent {
  const name = env.GITHUB_EVENT_NAME || null;
  const none: CodeHostEvent = {
    name,
    action: null,
    pr: null,
    sha: null,
    branch: null,
    state: null,
    at: null,
    changedAt: null,
    isForeign: null,
  };
  const path = env.GITHUB_EVENT_PATH;
  if (path === undefined || path === '') return name === null && isGitlabJob(env) ? readGitlabEvent(env) : none;
  const { action = null, before, pull_request: pull, deployment, deployment_status: status } = readEventFile(path, payload());
  if (pull) {
    const { number, head, base, state = null, updated_at: at = null } = pull;
    const isForeign = isElsewhere(head.repo, base?.repo?.full_name ?? env.GITHUB_REPOSITORY);
    const told = { name: name ?? 'pull_request', action, pr: number, sha: head.sha, branch: head.ref, state, at, changedAt: at, isForeign };
    return action === 'synchronize' && before ? { ...told, before } : told;
  }
  if (!deployment) return { ...none, action };
  // A deployment's ref is the branch or the commit, as its creator liked.
  const { sha, ref } = deployment;
  const branch = !ref || isCommitId(ref.toLowerCase()) ? null : ref;
  return { ...none, name: name ?? (status ? 'deployment_status' : 'deployment'), action, sha, branch };
}

/** The repository of a deleted fork is `null`. Names of repositories ignore case. */
function isElsewhere(head: { readonly full_name: string } | null | undefined, base: string | undefined): boolean | null {
  if (head === undefined || !base) return null;
  return head?.full_name.toLowerCase() !== base.toLowerCase();
}
