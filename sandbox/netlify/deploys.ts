import { type Call, json, type Reply } from '../kit/index.ts';
import { type Deploy, type NetlifyState, refusal, type Site } from './state.ts';

/** Newest first, in numbered pages. A deploy moves one step on with each read. */
export function deploysOf({ query }: Call<NetlifyState>, site: Site | undefined, polls: number): Reply {
  if (!site) throw refusal(404, 'Not Found');
  const branch = query.get('branch');
  const state = query.get('state');
  const found = site.deploys
    .filter((one) => branch === null || one.branch === branch)
    .filter((one) => state === null || one.state === state)
    .filter((one) => query.get('deploy-previews') !== 'true' || one.context === 'deploy-preview')
    .filter((one) => query.get('production') !== 'true' || one.context === 'production')
    .toReversed();
  const size = Number(query.get('per_page') ?? 100);
  const first = (Number(query.get('page') ?? 1) - 1) * size;
  const page = found.slice(first, first + size);
  for (const one of page) moveOn(one, polls);
  return json(
    200,
    page.map(({ env: _, polls: __, isHeld: ___, ...rest }) => ({
      ...rest,
      site_id: site.id,
      deploy_ssl_url: `https://${hostOf(site, rest)}`,
      deploy_url: `http://${hostOf(site, rest)}`,
    })),
  );
}

function moveOn(deploy: Deploy, polls: number): void {
  if (deploy.isHeld || deploy.state !== 'building') return;
  deploy.polls += 1;
  if (deploy.polls > polls) deploy.state = 'ready';
}

/**
 * The host name of a deploy: docs.netlify.com, "Understand domains" and "Automatic deploy subdomains". A branch is spelled in lower case
 * with hyphens (answers.netlify.com/t/12630). A name above 63 characters is none, and the deploy has only its own (answers.netlify.com/t/12396,
 * both 2026-11-27). So has a deploy whose name a deploy of the command line took with `--alias`.
 */
function hostOf(site: Site, { id, context, branch, review_id: pull }: Pick<Deploy, 'id' | 'context' | 'branch' | 'review_id'>): string {
  const own = `${id}--${site.name}.netlify.app`;
  const isPreview = context === 'deploy-preview';
  if (!isPreview && context !== 'branch-deploy') return `${site.name}.netlify.app`;
  const slug = branch
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const prefix = isPreview ? `deploy-preview-${pull ?? 0}` : slug;
  if (site.taken.includes(prefix)) return own;
  const custom = isPreview ? site.deploy_preview_custom_domain : site.branch_deploy_custom_domain;
  const label = custom === null ? `${prefix}--${site.name}` : prefix;
  return label.length > 63 ? own : `${label}.${custom ?? 'netlify.app'}`;
}
