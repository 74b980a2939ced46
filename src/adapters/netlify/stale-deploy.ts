import { Failure } from '../../core/errors.ts';
import type { Io } from '../../ops/bound.ts';
import type { EnvIdentity, EnvVariable } from './api.ts';
import { type Deploy, ended, listDeploys, startOf } from './deploys.ts';

/** The commit and branch that this run deploys, as far as it knows. */
export interface Revision {
  readonly sha: string | null;
  readonly branch: string | null;
}

/**
 * A deploy sees the values that were set before it started. The report says so where the newest deploy of this context started
 * too early. Nothing is rebuilt, because Netlify builds every push and a second build would only cost money.
 */
export async function noteStaleDeploy(io: Io, identity: EnvIdentity, written: readonly EnvVariable[], revision: Revision): Promise<void> {
  const { site } = identity;
  const keys = [...new Set(written.map(({ key }) => key))].join(', ');
  const query = queryOf(identity, revision);
  if (query === null) return;
  let deploys: readonly Deploy[];
  try {
    deploys = await listDeploys(io, site, query, true);
  } catch (thrown) {
    // The value is written, even where the token may not see deploys.
    if (!(thrown instanceof Failure)) throw thrown;
    io.note(`pilotfish cannot tell whether the newest deploy has the new values of ${keys}: ${thrown.detail}`);
    return;
  }
  const newest = deploys.find((one) => isOf(one, identity, revision));
  if (!newest || !written.some((one) => isBefore(newest, one.updated_at))) return;
  const where = newest.deploy_ssl_url ? ` (${newest.deploy_ssl_url})` : '';
  io.note(
    `The deploy ${newest.id}${where} started before ${keys} was written, so it does not have the new value. Trigger a new deploy in Netlify.`,
  );
}

/** The filter of the list; `null` where no deploy has the value, as for local development. */
function queryOf({ context, branch }: EnvIdentity, revision: Revision): { readonly [name: string]: string } | null {
  if (context === 'branch') return branch === null ? null : { branch };
  if (context === 'deploy-preview') return { 'deploy-previews': 'true', ...(revision.branch !== null && { branch: revision.branch }) };
  if (context === 'production') return { production: 'true' };
  return context === 'branch-deploy' || context === 'all' ? {} : null;
}

/** Whether a deploy belongs to the context. If the provider ignored the filter, another deploy must not count as ours. */
function isOf(deploy: Deploy, { context, branch }: EnvIdentity, { sha }: Revision): boolean {
  if (deploy.skipped === true || ended.has(deploy.state ?? '')) return false;
  if (context === 'branch' && deploy.branch !== branch) return false;
  if (context !== 'branch' && context !== 'all' && deploy.context !== context) return false;
  // All previews share a value, but only one of them belongs to this run.
  return context !== 'deploy-preview' || sha === null || deploy.commit_ref === sha;
}

/** Whether a deploy started before a write, by the provider's own clock on both sides. Without a time an existing deploy came first. */
function isBefore(deploy: Deploy, written: string | null | undefined): boolean {
  const at = Date.parse(written ?? '');
  return Number.isNaN(at) || startOf(deploy) <= at;
}
