import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Google Cloud Run by these. */
export const signals: ServiceSignals = {
  uses: {
    // Kubernetes has files with these names too, but its services hold no containers.
    holds: [
      { file: 'service.yaml', at: '/spec/template/spec/containers' },
      { file: 'service.yml', at: '/spec/template/spec/containers' },
      { file: 'run.yaml', at: '/spec/template/spec/containers' },
    ],
    actions: ['google-github-actions/deploy-cloudrun'],
    orbs: ['circleci/gcp-cloud-run'],
    resources: ['google_cloud_run_service', 'google_cloud_run_v2_service'],
  },
  may: {
    packages: { npm: ['@google-cloud/run'], pypi: ['google-cloud-run'], go: ['cloud.google.com/go/run'] },
    variables: ['CLOUD_RUN_SERVICE', 'CLOUD_RUN_REGION'],
    hosts: ['.run.app'],
    files: ['cloudbuild.yaml', 'cloudbuild.yml'],
    commands: ['gcloud'],
  },
  nothing: { variables: ['K_SERVICE', 'K_REVISION', 'K_CONFIGURATION'], files: ['.gcloudignore'] },
};
