import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { address } from './address.ts';
import { revision } from './revision.ts';
import { signals } from './signals.ts';

/** `init` recognises Cloud Run by this. A first plan has a revision of the service for each preview, beside its traffic. */
const detect: Detect = {
  ...signals,
  ids: ['service.yaml', 'service.yml', 'run.yaml'].flatMap((file) => [
    { param: 'service', file, at: '/metadata/name' },
    { param: 'location', file, at: '/metadata/labels/cloud.googleapis.com~1location' },
  ]),
  hosting: { rank: 4, url: { from: 'revision.url' }, host: { from: 'revision.hostname' }, shared: ['project', 'location'] },
  draft: [
    {
      id: 'revision',
      op: 'revision',
      comment: 'The image of this commit as a revision without traffic, whose env has the variables of the preview.',
      params: { tag: '${ctx.scope}', image: 'your-image:${ctx.git.sha}' },
      todo: { image: 'the image that the CI pushes for a commit, such as europe-west1-docker.pkg.dev/acme/web/shop.' },
    },
  ],
};

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
  ops: { address, revision },
};
