import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';

/** The word of pilotfish on a commit, beside those of other checks. */
export interface CommitStatus {
  readonly state: 'pending' | 'success' | 'failure';
  /** At most 140 characters. */
  readonly description: string;
  /** The newest status of a context stands. The case of a context does not count. */
  readonly context: string;
  /** The address of the run's log. */
  readonly targetUrl: string | null;
}

/** A token without `statuses: write` is refused with 403. GitHub hides what a token must not see behind 404. */
const refusals = [403, 404];

/**
 * Adds a status to a commit. The host keeps at most 1,000 for a commit and context, so a caller adds one only when the state changes. Returns
 * `false` where the token may not. Throws `Failure` where the host does not answer. Source: docs.github.com/rest/commits/statuses.
 */
export async function addCommitStatus(
  client: Client,
  host: CodeHost,
  { commit, status, signal }: { readonly commit: string; readonly status: CommitStatus; readonly signal: AbortSignal },
): Promise<boolean> {
  const { state, description, context, targetUrl } = status;
  const body = { state, description, context, ...(targetUrl !== null && { target_url: targetUrl }) };
  const answer = await client
    .api(host.block)
    .send(
      { method: 'POST', path: `/repos/${host.repository}/statuses/${commit}`, body },
      { purpose: 'write', retry: 'none', signal, accept: refusals },
    );
  return !refusals.includes(answer.status);
}
