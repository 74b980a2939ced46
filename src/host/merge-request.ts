import { z } from 'zod';
import { once } from '../core/once.ts';
import type { CodeHost } from './code-host.ts';
import type { PullNow } from './pull-request.ts';

/** Where the API of GitLab has a merge request: https://docs.gitlab.com/api/merge_requests/#retrieve-a-merge-request. */
export const mergeRequestPath = (host: CodeHost, iid: number): string =>
  `/projects/${host.project ?? encodeURIComponent(host.repository)}/merge_requests/${iid}`;

const shape = once(() =>
  z.object({
    iid: z.int(),
    // `locked` is a merge request while it is being merged.
    state: z.enum(['opened', 'closed', 'locked', 'merged']),
    sha: z.string().min(1).nullable(),
    source_branch: z.string(),
    source_project_id: z.int().nullish(),
    project_id: z.int(),
    updated_at: z.string(),
  }),
);

/** A merge request as a pull request; `null` for an answer that is none, or is about another. */
export function mergeRequestNow(host: CodeHost, iid: number, body: unknown): PullNow | null {
  const { data } = shape().safeParse(body);
  if (!data || data.iid !== iid) return null;
  const isOurs = data.source_project_id === data.project_id;
  return {
    state: data.state === 'closed' || data.state === 'merged' ? 'closed' : 'open',
    // One whose branch has no commit has no head.
    head: data.sha ?? '',
    branch: data.source_branch,
    headRepository: isOurs ? host.repository : data.source_project_id ? `project ${data.source_project_id}` : null,
    at: data.updated_at,
  };
}
