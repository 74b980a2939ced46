import type { Adapter } from '../../ops/op.ts';
import { detect } from './detect.ts';
import { revision } from './revision.ts';

/** Google Cloud Run: services. */
export const cloudRun: Adapter = {
  name: 'cloud_run',
  alias: 'app_cloud_a',
  title: 'Google Cloud Run',
  docs: 'https://cloud.google.com/run/docs/reference/rest/v2/projects.locations.services',
  provider: { base_url: 'https://run.googleapis.com', auth: { command: ['gcloud', 'auth', 'print-access-token'] } },
  setup: {
    page: 'https://console.cloud.google.com/iam-admin/iam',
    needs:
      'The gcloud CLI, signed in as a person or service account with the role Cloud Run Developer on the service, and Service Account User on the account that it runs as.',
    // Every read names a project.
    check: null,
    check_by: [{ method: 'GET', path: '/v2/projects/{project}/locations/{location}/services/{service}' }],
  },
  detect,
  ops: { revision },
};
