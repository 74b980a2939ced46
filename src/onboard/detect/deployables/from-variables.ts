import type { HostEvidence, VariableUse } from '../facts.ts';
import { isIn } from '../paths.ts';
import type { Candidate } from './candidates.ts';

/** Variables that a host sets by itself, so that nobody has a reason to read them elsewhere. */
const named: readonly (readonly [name: RegExp, provider: string])[] = [
  [/^(?:POSTGRESQL|MYSQL|MONGODB|REDIS)_ADDON_(?:URI|HOST|DB)$/, 'clever_cloud'],
  [/^FLY_(?:APP_NAME|ALLOC_ID|MACHINE_ID|PRIVATE_IP)$/, 'fly'],
  [/^HEROKU_(?:SLUG_COMMIT|APP_NAME|APP_ID|RELEASE_VERSION|DYNO_ID)$/, 'heroku'],
  [/^RENDER_(?:EXTERNAL_HOSTNAME|EXTERNAL_URL|GIT_COMMIT|SERVICE_ID|INSTANCE_ID)$/, 'render'],
  [/^RAILWAY_(?:PUBLIC_DOMAIN|PRIVATE_DOMAIN|STATIC_URL|ENVIRONMENT|ENVIRONMENT_NAME|SERVICE_NAME|GIT_COMMIT_SHA|PROJECT_ID)$/, 'railway'],
  [/^GAE_(?:ENV|APPLICATION|SERVICE|VERSION|INSTANCE)$/, 'app_engine'],
  [/^WEBSITE_(?:HOSTNAME|SITE_NAME|INSTANCE_ID)$/, 'azure_app_service'],
];

/**
 * The host whose own variables the code of an app reads. An app that many people run on hosts of their choice reads those of several, and
 * then none is told.
 */
export function fromVariables(variables: readonly VariableUse[], candidates: readonly Candidate[]): readonly HostEvidence[] {
  const apps = candidates.filter(({ isApp }) => isApp).sort((a, b) => b.folder.length - a.folder.length);
  const found = variables.flatMap(({ name, file, line, where, use }): readonly HostEvidence[] => {
    if (use !== 'runtime' || (where !== 'code' && where !== 'settings')) return [];
    const provider = named.find(([pattern]) => pattern.test(name))?.[1];
    const app = provider === undefined ? undefined : apps.find(({ folder }) => isIn(file, folder));
    return provider === undefined || !app ? [] : [{ provider, folder: app.folder, file, line, by: 'word', ids: {} }];
  });
  return new Set(found.map(({ provider }) => provider)).size > 1 ? [] : found;
}
