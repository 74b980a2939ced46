import type { HostProgram } from './host-program.ts';

const azure = { resource_group: ['-g', '--resource-group'] } as const;
const azureApp = { flags: ['-n', '--name', '--app-name'], param: 'name' } as const;

/** The programs of Azure. One of them has a group of words for each product. */
export const azurePrograms: readonly HostProgram[] = [
  { programs: ['az'], does: /^(webapp|appservice)\b/, provider: 'azure_app_service', flags: azure, app: azureApp, sets: ['--settings'] },
  {
    programs: ['az'],
    does: /^containerapp\b/,
    provider: 'azure_container_apps',
    flags: azure,
    app: azureApp,
    sets: ['--set-env-vars', '--env-vars'],
  },
  { programs: ['az'], does: /^functionapp\b/, provider: 'azure_functions', flags: azure, app: azureApp, sets: ['--settings'] },
  { programs: ['az'], does: /^staticwebapp\b/, provider: 'azure_static_web_apps', flags: { ...azure, site: ['-n', '--name'] } },
  { programs: ['az'], does: /^aks (?:get-credentials|command invoke)\b/, provider: 'kubernetes' },
  {
    programs: ['az'],
    does: /^spring(?:-cloud)? app (?:deploy|create|update|deployment)\b/,
    provider: 'azure_spring_apps',
    flags: azure,
    app: azureApp,
    sets: ['--env'],
    uploads: { flags: ['--artifact-path', '--jar-path'] },
  },
  {
    programs: ['az'],
    does: /^storage blob (?:sync|upload-batch|directory|service-properties update)\b/,
    has: /\$web|--static-website/,
    provider: 'azure_storage_website',
    builds: 'ci',
    uploads: { flags: ['-s', '--source'] },
  },
  { programs: ['func'], does: /^azure functionapp publish\b/, provider: 'azure_functions' },
  {
    programs: ['swa'],
    does: /^deploy\b/,
    provider: 'azure_static_web_apps',
    builds: 'ci',
    flags: { resource_group: ['-R', '--resource-group'], site: ['-n', '--app-name'], subscription_id: ['-S', '--subscription-id'] },
    uploads: { at: 1 },
  },
  { programs: ['azd'], does: /^(up|deploy|provision)\b/, provider: 'azure' },
];
