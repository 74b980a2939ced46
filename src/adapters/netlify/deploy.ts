import { commitIdPattern } from '../../core/commit-id.ts';
import { addressParam, expectedOf, holdAddress, hostOf, shaOf } from '../../ops/address.ts';
import type { Readiness, WaitBound } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { waitTimeoutOf, waitTimeoutParam } from '../../ops/timeout.ts';
import { identityText } from '../../remote/value.ts';
import { type Deploy, ended, listDeploys, startOf } from './deploys.ts';
import { siteParam } from './params.ts';

/**
 * Waits until the deploy of a commit is published. A deploy sees only values that were set before it started, so an older one does not
 * count. Netlify describes no request that builds a commit again, so a person or a build hook starts the new one.
 */
export const deploy: Op = {
  kind: 'wait',
  doc: 'Waits until the deploy of a commit is published. A deploy that started before the state that it needs does not count.',
  subject: 'deploy of site {site_id}[, {context}][, commit {sha}]',
  notes: [
    'Netlify starts to build when a commit is pushed, often before its variables are written. Then the line says so and waits for another deploy of the commit: "Retry deploy" in Netlify, or a build hook that an http.action line calls before this line.',
  ],
  params: {
    site_id: siteParam,
    sha: { type: 'string', pattern: commitIdPattern, doc: 'The commit; the commit of the run when left out.' },
    context: {
      type: 'string',
      enum: ['deploy-preview', 'branch-deploy'],
      default: 'deploy-preview',
      doc: 'Which deploy of the commit: that of its pull request, or that of its branch.',
    },
    address: addressParam,
    timeout: waitTimeoutParam,
  },
  outputs: {
    id: { doc: 'Id of the deploy.' },
    url: { doc: 'Address of the deploy, with https://. It stays the same for later deploys of the pull request or branch.' },
    hostname: { doc: 'Host name of the deploy.' },
  },
  bind(params, context): WaitBound {
    const sha = shaOf(params, context);
    const site = identityText(params.site_id, 'site_id');
    const of = identityText(params.context ?? 'deploy-preview', 'context');
    const expected = expectedOf(params);
    const query = {
      ...(of === 'deploy-preview' && { 'deploy-previews': 'true' }),
      ...(context.branch !== null && { branch: context.branch }),
    };
    return {
      kind: 'wait',
      key: `/sites/${encodeURIComponent(site)}/deploys[sha=${sha},context=${of}]`,
      fields: { sha, context: of },
      reach: { kind: 'none' },
      poll: async (io, since) => {
        const deploys = await listDeploys(io, site, query, false);
        const newest = deploys.find((one) => one.commit_ref === sha && one.context === of);
        return newest ? judge(newest, { since, expected }) : wait(`Netlify has no ${of} of the commit ${sha.slice(0, 12)} yet.`);
      },
      ...waitTimeoutOf(params),
    };
  },
};

interface Wanted {
  readonly since: number | null;
  readonly expected: string | null;
}

function judge(newest: Deploy, { since, expected }: Wanted): Readiness {
  const { id, state, error_message: said } = newest;
  const hosts = [...new Set([newest.deploy_ssl_url, newest.deploy_url].flatMap((url) => hostOf(url) ?? []))];
  const [hostname] = hosts;
  const live = { id, values: {}, outputs: { id, ...(hostname !== undefined && { hostname, url: `https://${hostname}` }) } };
  if (newest.skipped === true) return failed(`The deploy ${id} was skipped.`);
  if (since !== null && startOf(newest) <= since) {
    return {
      state: 'stale',
      detail: `The deploy ${id} started before the state that it needs was written. Start another deploy of the commit in Netlify.`,
      live,
    };
  }
  if (state === 'pending_review') return failed(`The deploy ${id} waits for a review in Netlify.`);
  if (ended.has(state ?? '')) return failed(`The deploy ${id} ended as ${state}${said ? `: ${said}` : ''}.`);
  if (state !== 'ready') return wait(`The deploy ${id} is ${state ?? 'new'}.`);
  if (hostname === undefined) return wait(`The deploy ${id} has no address yet.`);
  holdAddress(expected, `The deploy ${id}`, hosts);
  return { state: 'ready', live };
}

const wait = (detail: string): Readiness => ({ state: 'wait', detail });
const failed = (detail: string): Readiness => ({ state: 'failed', detail });
