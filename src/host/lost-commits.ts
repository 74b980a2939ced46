import { z } from 'zod';
import { once } from '../core/once.ts';
import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';

/** GitHub's list of the activities on a branch: https://docs.github.com/en/rest/repos/repos#list-repository-activities. */
const shape = once(() => z.array(z.object({ before: z.string(), ref: z.string(), activity_type: z.string(), timestamp: z.string() })));

/** Many forced pushes leave many lost heads. The newest ones hold the facts of the older ones. */
const most = 5;

/**
 * Heads that a branch had before somebody moved it by force or deleted it, newest first, as the code host remembers. Empty where the host
 * does not tell: GitLab keeps no such list, and a token may lack the permission.
 */
export async function lostCommits(client: Client, host: CodeHost, branch: string, signal: AbortSignal): Promise<readonly string[]> {
  if (host.kind !== 'github') return [];
  const ref = `refs/heads/${branch}`;
  try {
    const path = `/repos/${host.repository}/activity`;
    const request = { method: 'GET', path, query: { ref, per_page: '100' } } as const;
    const { body } = await client.api(host.block).send(request, { purpose: 'read', share: false, signal });
    const { data = [] } = shape().safeParse(body);
    const lost = data.filter((one) => one.ref === ref && (one.activity_type === 'force_push' || one.activity_type === 'branch_deletion'));
    return [...new Set(lost.map(({ before }) => before))].slice(0, most);
  } catch {
    return [];
  }
}
