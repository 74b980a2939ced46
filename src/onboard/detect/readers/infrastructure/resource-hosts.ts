import type { Fact, HostEvidence } from '../../facts.ts';
import { baseOf, folderOf } from '../../paths.ts';
import { roleOfPath } from '../../units/roles.ts';

/** Resources that run an app. A cluster, a machine or a function of a few lines may run anything, so they tell of none. */
const runs: readonly (readonly [names: string, provider: string])[] = [
  ['aws_ecs_service aws_ecs_task_definition AWS::ECS::Service AWS::ECS::TaskDefinition terraform-aws-modules/ecs/aws', 'aws_ecs'],
  ['aws_apprunner_service AWS::AppRunner::Service', 'aws_app_runner'],
  ['aws_elastic_beanstalk_environment AWS::ElasticBeanstalk::Environment', 'aws_elastic_beanstalk'],
  ['AWS::Serverless::Function', 'aws_lambda'],
  ['aws_amplify_app AWS::Amplify::App', 'amplify'],
  ['azurerm_container_app Microsoft.App/containerApps', 'azure_container_apps'],
  ['azurerm_linux_web_app azurerm_windows_web_app azurerm_app_service', 'azure_app_service'],
  ['azurerm_spring_cloud_app Microsoft.AppPlatform/Spring/apps', 'azure_spring_apps'],
  ['azurerm_static_web_app azurerm_static_site Microsoft.Web/staticSites', 'azure_static_web_apps'],
  ['azurerm_linux_function_app azurerm_windows_function_app azurerm_function_app', 'azure_functions'],
  ['google_cloud_run_service google_cloud_run_v2_service GoogleCloudPlatform/cloud-run/google', 'cloud_run'],
  ['google_app_engine_standard_app_version google_app_engine_flexible_app_version', 'app_engine'],
  ['digitalocean_app', 'digitalocean'],
  ['heroku_app', 'heroku'],
  ['vercel_project', 'vercel'],
  ['netlify_site', 'netlify'],
  ['fly_app', 'fly'],
  ['render_web_service', 'render'],
  ['railway_service', 'railway'],
  ['koyeb_service', 'koyeb'],
  ['scaleway_container', 'scaleway'],
  ['cloudflare_pages_project cloudflare_workers_script', 'cloudflare'],
];
const providers = new Map(runs.flatMap(([names, provider]) => names.split(' ').map((name) => [name, provider] as const)));

/** Folders of infrastructure. What stands before the first of them is the app or its repository. */
const infrastructure =
  /(?:^|\/)(?:infra(?:structure)?|terraform|tf|tofu|terragrunt|iac|cdk|cloudformation|cfn|pulumi|bicep|deploy(?:ment)?s?|ops|devops|cloud|aws|azure|gcp|google|modules|environments|envs|stacks?|templates?|sam|\.aws|\.azure|provision(?:ing)?|platform)(?:\/.*)?$/i;
const plain =
  /^(?:infra(?:structure)?|terraform|modules?|applications?|services?|main|index|apps?|ecs|resources?|template|stack|variables|outputs)$/i;

/** The hosts that resources of one file show. The names of folders and of the file are words for the app. */
export function hostsOfResources(facts: readonly Fact[]): readonly HostEvidence[] {
  const found = new Map<string, HostEvidence>();
  for (const { name, file, line, use } of facts) {
    const provider = providers.get(name);
    if (provider === undefined || use !== 'infrastructure' || found.has(provider) || isAside(file)) continue;
    const isTemplate = name === 'AWS::Serverless::Function';
    const folder = isTemplate ? folderOf(file) : folderOf(file).replace(infrastructure, '');
    found.set(provider, {
      provider,
      folder,
      file,
      line,
      by: 'config',
      ids: {},
      ...(!isTemplate && { isBeside: true, targets: wordsOf(file) }),
    });
  }
  return [...found.values()];
}

const isAside = (file: string): boolean => ['example', 'test', 'template', 'docs'].includes(roleOfPath(folderOf(file)) ?? '');

/** `shop_api` may be named after an app `api`. The nearest folder speaks first, and a whole name before its parts. */
function wordsOf(file: string): readonly string[] {
  const names = [baseOf(file).replace(/\..*$/, ''), ...folderOf(file).split('/').toReversed()].filter(
    (name) => name !== '' && !plain.test(name),
  );
  return [
    ...new Set(
      names.flatMap((name) => [
        name,
        ...name
          .split(/[-_.]/)
          .toReversed()
          .filter((word) => word.length > 2 && !plain.test(word)),
      ]),
    ),
  ].slice(0, 12);
}
