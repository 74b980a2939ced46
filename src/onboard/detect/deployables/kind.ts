import type { Deployable, HostChoice } from '../survey.ts';
import type { Candidate } from './candidates.ts';

const filesOnly = new Set(['github_pages', 'gitlab_pages', 'surge', 'aws_s3_website']);
const functionHosts = new Set(['aws_lambda', 'cloud_functions', 'azure_functions', 'firebase_functions', 'fastly_compute']);
const mobileHosts = new Set(['expo_eas', 'app_stores']);

/** What a deployable does, by its framework and its host. */
export function kindOf({ folder, framework, own }: Candidate, host: HostChoice | null): Deployable['kind'] {
  const provider = host?.provider ?? '';
  if (host?.product === 'functions') return 'function';
  if (mobileHosts.has(provider)) return 'mobile';
  // An app for phones that a host of sites has is its build for browsers.
  if (framework?.kind === 'mobile' || framework?.kind === 'desktop') return host ? 'static' : framework.kind;
  if (framework && !framework.isWeak) return framework.kind;
  if (functionHosts.has(provider) || host?.product === 'workers') return 'function';
  if (framework) return framework.kind;
  if (framework === null && /^(?:.*[-_])?(?:workers?|jobs?|queue|cron|scheduler|consumer)$/.test(folder.slice(folder.lastIndexOf('/') + 1)))
    return 'worker';
  if (filesOnly.has(provider) || host?.product === 'pages' || own.has('index.html')) return 'static';
  return 'web';
}

/** The name of a deployable: its manifest's, else its host's, else its folder's. */
export function nameOf({ folder, unit }: Candidate, host: HostChoice | null): string {
  const manifests = unit?.manifests ?? [];
  const named =
    manifests.find(({ file, name }) => file.endsWith('package.json') && name !== null) ?? manifests.find(({ name }) => name !== null);
  const ids = host?.ids ?? {};
  const hosted = ids.application ?? ids.project_name ?? ids.service ?? ids.app ?? ids.site;
  return named?.name ?? hosted ?? (folder.slice(folder.lastIndexOf('/') + 1) || 'app');
}
