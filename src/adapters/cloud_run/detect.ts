import type { Detect } from '../../ops/detect.ts';

/** What tells of Cloud Run, and what a first plan has for it: a revision of the service for each preview, beside its traffic. */
export const detect: Detect = {
  files: ['.gcloudignore'],
  // Kubernetes has files of that name as well, whose services hold no containers.
  holds: ['service.yaml', 'service.yml', 'run.yaml'].map((file) => ({ file, at: '/spec/template/spec/containers' })),
  dependencies: ['@google-cloud/run', 'google-cloud-run', 'cloud.google.com/go/run'],
  env: ['K_SERVICE', 'CLOUD_RUN_SERVICE', 'CLOUD_RUN_REGION'],
  ids: ['service.yaml', 'service.yml', 'run.yaml'].flatMap((file) => [
    { param: 'service', file, at: '/metadata/name' },
    { param: 'location', file, at: '/metadata/labels/cloud.googleapis.com~1location' },
  ]),
  hosting: { rank: 4, url: { from: 'revision.url' }, host: { from: 'revision.hostname' } },
  draft: [
    {
      id: 'revision',
      op: 'revision',
      comment: 'The image of this commit beside what the service serves, without traffic; variables of the preview go into its env.',
      params: { tag: '${ctx.scope}', image: 'your-image:${ctx.git.sha}' },
      todo: { image: 'the image that the CI pushes for a commit, such as europe-west1-docker.pkg.dev/acme/web/shop.' },
    },
  ],
};
