import { z } from 'zod';
import { commitIdPattern } from '../../core/commit-id.ts';
import { pages } from '../../http/paging.ts';
import { addressParam, expectedOf, holdAddress, hostOf, shaOf } from '../../ops/address.ts';
import { parseAnswer } from '../../ops/answer.ts';
import type { Io, Readiness, WaitBound } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { waitTimeoutOf, waitTimeoutParam } from '../../ops/timeout.ts';
import { isProduction } from '../../plan/context.ts';
import { projectParams, projectPath } from './params.ts';

const deploymentSchema = z.object({
  id: z.string(),
  url: z.string().nullish(),
  aliases: z
    .array(z.string())
    .nullish()
    .transform((aliases) => aliases ?? []),
  created_on: z.string().nullish(),
  is_skipped: z.boolean().nullish(),
  skip_reason: z.string().nullish(),
  latest_stage: z.object({ name: z.string().nullish(), status: z.string().nullish() }).nullish(),
  deployment_trigger: z
    .object({ metadata: z.object({ branch: z.string().nullish(), commit_hash: z.string().nullish() }).nullish() })
    .nullish(),
});
type Deployment = z.output<typeof deploymentSchema>;

/** The project and environment that a commit is deployed to. */
interface Place {
  readonly path: string;
  readonly env: 'preview' | 'production';
  readonly sha: string;
}

const listSchema = z.object({ result: z.array(deploymentSchema) });

/**
 * Waits until the deployment of a commit is live. A deployment sees only values that were set before it was made, so an older one does not
 * count. The description has no request that builds a commit again, so a person or a deploy hook starts the new one.
 */
export const pagesDeploy: Op = {
  kind: 'wait',
  doc: 'Waits until the deployment of a commit of a Pages project is live, in a preview the preview deployment. A deployment that was made before the state that it needs does not count.',
  subject: 'deployment of {project_name}[, commit {sha}], account {account_id}',
  console: {
    page: 'https://dash.cloudflare.com/{account_id}/pages/view/{project_name}',
    key: '/accounts/{account_id}/pages/projects/{project_name}',
  },
  notes: [
    'Pages starts to build when a commit is pushed, often before its variables are written. Then the line says so and waits for another deployment of the commit: "Retry deployment" in the dashboard, `wrangler pages deploy`, or a deploy hook that an http.action line calls before this line.',
  ],
  params: {
    ...projectParams,
    sha: { type: 'string', pattern: commitIdPattern, doc: 'The commit; the commit of the run when left out.' },
    address: addressParam,
    timeout: waitTimeoutParam,
  },
  outputs: {
    id: { doc: 'Id of the deployment.' },
    url: { doc: 'Address of this one deployment, with https://.' },
    hostname: { doc: 'Host name of this one deployment.' },
  },
  bind(params, context): WaitBound {
    const env = isProduction(context.environment) ? 'production' : 'preview';
    const place: Place = { path: projectPath(params), env, sha: shaOf(params, context) };
    const { path, sha } = place;
    const expected = expectedOf(params);
    let hasLooked = false;
    return {
      kind: 'wait',
      key: `${path}/deployments[sha=${sha},env=${env}]`,
      fields: { sha, env },
      reach: { kind: 'none' },
      poll: async (io, since) => {
        const found = await newestOf(io, place, hasLooked);
        hasLooked = true;
        return found ? judge(found, since, expected) : wait(`Pages has no ${env} deployment of the commit ${sha.slice(0, 12)} yet.`);
      },
      ...waitTimeoutOf(params),
    };
  },
};

interface Found {
  readonly newest: Deployment;
  /** Of its branch: an alias leads to the last deployment of the branch, which may be that of a later commit. */
  readonly aliases: readonly string[];
}

/**
 * The newest deployment of the commit. The list has no filter for a commit, takes at most 25 a page, and begins with the newest (2026-11-27).
 * After a look at the whole list a new deployment can only be on the first page.
 */
async function newestOf(io: Io, { path, env, sha }: Place, hasLooked: boolean): Promise<Found | null> {
  const request = { method: 'GET', path: `${path}/deployments`, query: { env, per_page: '25' } } as const;
  const inPage = (body: unknown): readonly Deployment[] => parseAnswer(listSchema, body, `cloudflare answered GET ${request.path}`).result;
  const paging = { kind: 'page', param: 'page', size: 25, total: '/result_info/total_count' } as const;
  const options = { purpose: 'read', signal: io.signal } as const;
  const all: Deployment[] = [];
  for await (const { body } of pages(io.http, request, paging, options, { list: inPage, idOf: (one) => (one as Deployment).id })) {
    for (const one of inPage(body)) all.push(one);
    const [newest] = all.filter((one) => of(one)?.commit_hash === sha).toSorted((a, b) => madeAt(b) - madeAt(a));
    if (newest) return { newest, aliases: all.filter((one) => of(one)?.branch === of(newest)?.branch).flatMap(({ aliases }) => aliases) };
    if (hasLooked) return null;
  }
  return null;
}

function judge({ newest, aliases }: Found, since: number | null, expected: string | null): Readiness {
  const { id, latest_stage: stage, skip_reason: reason } = newest;
  const hostname = hostOf(newest.url);
  const live = { id, values: {}, outputs: { id, ...(hostname !== null && { hostname, url: `https://${hostname}` }) } };
  if (newest.is_skipped === true) return failed(`The deployment ${id} was skipped${reason ? `: ${reason}` : ''}.`);
  if (since !== null && madeAt(newest) <= since) {
    const detail = `The deployment ${id} was made before the state that it needs was written. Start another deployment of the commit in Pages.`;
    return { state: 'stale', detail, live };
  }
  const status = stage?.status ?? 'idle';
  if (status === 'failure' || status === 'canceled') return failed(`The deployment ${id} ended as ${status} in the stage ${stage?.name}.`);
  if (stage?.name !== 'deploy' || status !== 'success') return wait(`The deployment ${id} is in the stage ${stage?.name ?? 'queued'}.`);
  if (hostname === null) return wait(`The deployment ${id} has no address yet.`);
  holdAddress(expected, `The deployment ${id}`, [...new Set([...aliases, hostname].flatMap((alias) => hostOf(alias) ?? []))]);
  return { state: 'ready', live };
}

const of = ({ deployment_trigger }: Deployment) => deployment_trigger?.metadata;
const madeAt = ({ created_on }: Deployment): number => Date.parse(created_on ?? '') || 0;
const wait = (detail: string): Readiness => ({ state: 'wait', detail });
const failed = (detail: string): Readiness => ({ state: 'failed', detail });
