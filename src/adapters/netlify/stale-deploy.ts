import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { ask } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import type { EnvIdentity, EnvVariable } from './api.ts';

const deploySchema = z.object({
  id: z.string(),
  state: z.string().nullish(),
  branch: z.string().nullish(),
  commit_ref: z.string().nullish(),
  context: z.string().nullish(),
  created_at: z.string().nullish(),
  deploy_ssl_url: z.string().nullish(),
  skipped: z.boolean().nullish(),
});
type Deploy = z.output<typeof deploySchema>;
const deploysSchema = z.array(deploySchema);

/** What this run deploys, as far as it knows. */
export interface Revision {
  readonly sha: string | null;
  readonly branch: string | null;
}

/** Ended without being deployed: whoever wants it starts another one, which sees the new value. */
const ended: ReadonlySet<string> = new Set(['error', 'rejected', 'deleted', 'pending_review']);

/**
 * A deploy sees the values that were set before it started. Says so in the report where the newest one of this context started
 * too early; nothing is rebuilt, because Netlify builds what is pushed and a second build would only be paid for.
 */
export async function noteStaleDeploy(io: Io, identity: EnvIdentity, written: readonly EnvVariable[], revision: Revision): Promise<void> {
  const { site } = identity;
  const keys = [...new Set(written.map(({ key }) => key))].join(', ');
  const query = queryOf(identity, revision);
  if (query === null) return;
  const request = { method: 'GET', path: `/sites/${encodeURIComponent(site)}/deploys`, query: { ...query, per_page: '20' } } as const;
  let deploys: readonly Deploy[];
  try {
    deploys = await ask(io.http, request, { purpose: 'read', signal: io.signal, share: true }, deploysSchema);
  } catch (thrown) {
    // The value stands, whether or not its deploys may be seen.
    if (!(thrown instanceof Failure)) throw thrown;
    io.note(`Whether the newest deploy has what was written of ${keys} is not known: ${thrown.detail}`);
    return;
  }
  const ours = deploys.filter((one) => isOf(one, identity, revision)).toSorted((a, b) => startOf(b) - startOf(a));
  const [newest] = ours;
  if (!newest || !written.some((one) => isBefore(newest, one.updated_at))) return;
  const where = newest.deploy_ssl_url ? ` (${newest.deploy_ssl_url})` : '';
  io.note(`The deploy ${newest.id}${where} started before ${keys} was written and does not have it. Trigger a new deploy in Netlify.`);
}

/** What the list is narrowed to; `null` where no deploy has the value, as with those of local development. */
function queryOf({ context, branch }: EnvIdentity, revision: Revision): { readonly [name: string]: string } | null {
  if (context === 'branch') return branch === null ? null : { branch };
  if (context === 'deploy-preview') return { 'deploy-previews': 'true', ...(revision.branch !== null && { branch: revision.branch }) };
  if (context === 'production') return { production: 'true' };
  return context === 'branch-deploy' || context === 'all' ? {} : null;
}

/** A filter that the provider did not heed must not make another deploy ours. */
function isOf(deploy: Deploy, { context, branch }: EnvIdentity, { sha }: Revision): boolean {
  if (deploy.skipped === true || ended.has(deploy.state ?? '')) return false;
  if (context === 'branch' && deploy.branch !== branch) return false;
  if (context !== 'branch' && context !== 'all' && deploy.context !== context) return false;
  // All previews share a value, and only one of them is this run's.
  return context !== 'deploy-preview' || sha === null || deploy.commit_ref === sha;
}

const startOf = ({ created_at }: Deploy): number => Date.parse(created_at ?? '') || 0;

/** By the provider's own clock on both sides; where it tells no time, a deploy that is there already came first. */
function isBefore(deploy: Deploy, written: string | null | undefined): boolean {
  const at = Date.parse(written ?? '');
  return Number.isNaN(at) || startOf(deploy) <= at;
}
