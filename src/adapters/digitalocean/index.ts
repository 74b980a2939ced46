import type { Adapter } from '../../ops/op.ts';
import { app } from './app.ts';
import { detect } from './detect.ts';

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
