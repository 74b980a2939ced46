import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import { codeHostOf, isCodeHost } from '../../host/code-host.ts';
import { markOf } from '../../host/comment-mark.ts';
import { commentsOf } from '../../host/upsert-comment.ts';
import type { Client } from '../../http/client.ts';
import type { ToldReceipt } from '../../ledger/recovery/missing.ts';
import { isProduction } from '../../plan/context.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { hostPatience } from './host-patience.ts';
import { triggerOf } from './trigger.ts';

/**
 * The receipt of this very branch that our own comment on the pull request names. `null` when there is no such comment, no pull request, or
 * no host that can be asked. `null` says nothing about the branch. A person's run does not ask, because their machine remembers what a
 * job's machine forgets.
 */
export async function toldReceipt(o: {
  readonly client: Client;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  readonly repository: RepositoryFacts | null;
  readonly environment: string;
  readonly pr: number | null;
  readonly branch: string;
  readonly signal: AbortSignal;
}): Promise<ToldReceipt | null> {
  if (o.pr === null || isProduction(o.environment) || triggerOf(o.env, o.pr).kind === 'person') return null;
  const host = codeHostOf(o.env, o.repository);
  if (!isCodeHost(host)) return null;
  const api = commentsOf(o.client, host, o.pr, o.env);
  try {
    const comments = await hostPatience(o, (signal) => api.list(signal));
    const told = comments.flatMap(({ body, isOwn }) => (isOwn && markOf(body)?.receipt) || []);
    const commit = told.findLast(({ branch }) => branch === o.branch)?.commit;
    return commit === undefined ? null : { commit, where: `the comment on the pull request ${o.pr}` };
  } catch (thrown) {
    if (thrown instanceof Failure && !o.signal.aborted) return null;
    throw thrown;
  }
}
