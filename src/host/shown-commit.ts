import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { once } from '../core/once.ts';
import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';

const shape = once(() => z.object({ message: z.string() }));

/**
 * The message of a commit that the code host still holds; `null` where it holds none of that name. A host keeps a commit for a while
 * after the last branch that led to it is gone: https://docs.github.com/en/rest/git/commits, https://docs.gitlab.com/api/commits.
 */
export async function shownCommit(client: Client, host: CodeHost, commit: string, signal: AbortSignal): Promise<string | null> {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return null;
  const path =
    host.kind === 'gitlab'
      ? `/projects/${host.project ?? encodeURIComponent(host.repository)}/repository/commits/${commit}`
      : `/repos/${host.repository}/git/commits/${commit}`;
  try {
    const { body } = await client.api(host.block).send({ method: 'GET', path }, { purpose: 'read', share: false, signal });
    return shape().safeParse(body).data?.message ?? null;
  } catch (thrown) {
    if (thrown instanceof Failure && !signal.aborted) return null;
    throw thrown;
  }
}
