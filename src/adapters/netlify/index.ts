import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { address } from './address.ts';
import { deploy } from './deploy.ts';
import { env } from './env.ts';
import { signals } from './signals.ts';

/** `init` recognises Netlify by this. A first plan has the variables of the branch that the preview is built from. */
const detect: Detect = {
  ...signals,
  ids: [{ param: 'site_id', file: '.netlify/state.json', at: '/siteId' }],
  hosting: { rank: 2, url: { from: 'address.url' }, host: { from: 'address.hostname' }, shared: ['account_id'] },
  draft: [
    {
      id: 'variable',
      op: 'env',
      comment: 'Deploys of this git branch see it when they start after it was written.',
      params: { key: { of: 'variable.key' }, value: { of: 'variable.value' }, context_parameter: '${ctx.git.branch}' },
      check: { context_parameter: 'Netlify documents values of a branch for branch deploys; check whether your deploy preview sees them.' },
      part: 'variable',
    },
    {
      id: 'address',
      op: 'address',
      comment: 'Where the deploy preview will answer, known before its build.',
      params: { pull_request: '${ctx.pr.number}' },
      part: 'address',
    },
    {
      id: 'preview',
      op: 'deploy',
      comment: 'Fails where the deploy preview answers under another name than its lines were given.',
      params: { address: { from: 'address.hostname' } },
      part: 'address',
    },
  ],
};

/** Netlify: hosting. */
export const netlify: Adapter = {
  name: 'netlify',
  alias: 'hosting_b',
  title: 'Netlify',
  docs: 'https://docs.netlify.com/api/get-started/',
  provider: { base_url: 'https://api.netlify.com/api/v1', auth: { bearer_env: 'NETLIFY_AUTH_TOKEN' } },
  setup: {
    page: 'https://app.netlify.com/user/applications#personal-access-tokens',
    needs: 'A personal access token of a member of the team who may change the variables of the site.',
    check: { method: 'GET', path: '/sites', query: { per_page: '1' } },
    check_by: [{ method: 'GET', path: '/accounts/{account_id}/env', query: { site_id: '{site_id}' } }],
  },
  detect,
  ops: { address, deploy, env },
};
