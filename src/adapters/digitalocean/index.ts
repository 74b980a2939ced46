import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { app } from './app.ts';
import { signals } from './signals.ts';

/** `init` recognises App Platform by this. A first plan has an app for each preview. */
const detect: Detect = {
  ...signals,
  hosting: { rank: 5, url: { from: 'app.live_url' } },
  draft: [
    {
      id: 'app',
      op: 'app',
      comment: 'An app of its own for the preview, with the variables in the envs of its spec.',
      params: {
        name: '${repository}-${ctx.scope}',
        spec: {
          services: [{ name: 'web', github: { repo: 'your-owner/${repository}', branch: '${ctx.git.branch}' }, http_port: 8080 }],
        },
      },
      check: { name: 'at most 32 characters.' },
      todo: { spec: 'the spec of your app without its name, as in .do/app.yaml.' },
    },
  ],
};

/** DigitalOcean: App Platform. */
export const digitalocean: Adapter = {
  name: 'digitalocean',
  alias: 'app_cloud_b',
  title: 'DigitalOcean App Platform',
  docs: 'https://docs.digitalocean.com/reference/api/reference/apps/',
  provider: { base_url: 'https://api.digitalocean.com', auth: { bearer_env: 'DIGITALOCEAN_ACCESS_TOKEN' } },
  setup: {
    page: 'https://cloud.digitalocean.com/account/api/tokens',
    needs: 'A personal access token with the scopes app:create, app:read, app:update and app:delete.',
    check: { method: 'GET', path: '/v2/apps', query: { per_page: '1' } },
  },
  detect,
  ops: { app },
};
