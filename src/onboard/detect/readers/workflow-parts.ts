import { isMap } from '../../../core/json.ts';
import type { Fact, HostEvidence, SourceFile } from '../facts.ts';
import { lineOf, listOf, mapOf, mapsOf, pairsOf, textOf } from './host-file.ts';
import { idsOf } from './host-ids.ts';

interface Part {
  readonly provider: string;
  /** Members that hold values of params. */
  readonly ids?: { readonly [param: string]: string };
}

/** Orbs of CircleCI whose commands deploy. */
const orbs: { readonly [orb: string]: string } = {
  'circleci/heroku': 'heroku',
  'circleci/aws-ecs': 'aws_ecs',
  'circleci/aws-elastic-beanstalk': 'aws_elastic_beanstalk',
  'circleci/aws-sam-serverless': 'aws_lambda',
  'circleci/aws-s3': 'aws_s3_website',
  'circleci/gcp-cloud-run': 'cloud_run',
  'circleci/kubernetes': 'kubernetes',
  'circleci/helm': 'kubernetes',
  'circleci/aws-eks': 'kubernetes',
  'circleci/gcp-gke': 'kubernetes',
  'circleci/azure-aks': 'kubernetes',
  'hugefunction/vercel': 'vercel',
  'expo/expo-cli': 'expo_eas',
};

/** Pipes of Bitbucket, without their version. */
const pipes: { readonly [pipe: string]: Part } = {
  'atlassian/heroku-deploy': { provider: 'heroku', ids: { application: 'HEROKU_APP_NAME' } },
  'atlassian/aws-s3-deploy': { provider: 'aws_s3_website' },
  'atlassian/aws-ecs-deploy': { provider: 'aws_ecs', ids: { application: 'SERVICE_NAME' } },
  'atlassian/aws-lambda-deploy': { provider: 'aws_lambda', ids: { application: 'FUNCTION_NAME' } },
  'atlassian/aws-elasticbeanstalk-deploy': { provider: 'aws_elastic_beanstalk', ids: { application: 'APPLICATION_NAME' } },
  'atlassian/aws-code-deploy': { provider: 'aws_ec2' },
  'atlassian/google-cloud-run-deploy': { provider: 'cloud_run', ids: { service: 'SERVICE', location: 'REGION', project: 'PROJECT' } },
  'atlassian/google-app-engine-deploy': { provider: 'app_engine', ids: { project: 'PROJECT' } },
  'atlassian/google-cloud-functions-deploy': { provider: 'cloud_functions' },
  'atlassian/google-gke-kubectl-run': { provider: 'kubernetes' },
  'atlassian/aws-eks-kubectl-run': { provider: 'kubernetes' },
  'atlassian/kubectl-run': { provider: 'kubernetes' },
  'atlassian/firebase-deploy': { provider: 'firebase_hosting', ids: { project: 'PROJECT_ID' } },
  'atlassian/netlify-deploy': { provider: 'netlify' },
  'atlassian/azure-web-apps-deploy': { provider: 'azure_app_service', ids: { application: 'AZURE_APP_NAME' } },
  'atlassian/azure-functions-deploy': { provider: 'azure_functions' },
  'microsoft/azure-static-web-apps-deploy': { provider: 'azure_static_web_apps' },
  'atlassian/ssh-run': { provider: 'own_server' },
  'atlassian/rsync-deploy': { provider: 'own_server' },
  'atlassian/scp-deploy': { provider: 'own_server' },
  'atlassian/ftp-deploy': { provider: 'own_server' },
};

/** Tasks of Azure Pipelines, without their version. */
const tasks: { readonly [task: string]: Part } = {
  AzureWebApp: { provider: 'azure_app_service', ids: { application: 'appName' } },
  AzureWebAppContainer: { provider: 'azure_app_service', ids: { application: 'appName' } },
  AzureRmWebAppDeployment: { provider: 'azure_app_service', ids: { application: 'WebAppName' } },
  AzureFunctionApp: { provider: 'azure_functions', ids: { application: 'appName' } },
  AzureStaticWebApp: { provider: 'azure_static_web_apps' },
  AzureContainerApps: { provider: 'azure_container_apps', ids: { application: 'containerAppName', resource_group: 'resourceGroup' } },
  KubernetesManifest: { provider: 'kubernetes' },
  Kubernetes: { provider: 'kubernetes' },
  HelmDeploy: { provider: 'kubernetes' },
  BeanstalkDeployApplication: { provider: 'aws_elastic_beanstalk' },
};

/** Providers of Travis. */
const travis: { readonly [provider: string]: string } = {
  heroku: 'heroku',
  pages: 'github_pages',
  s3: 'aws_s3_website',
  firebase: 'firebase_hosting',
  elasticbeanstalk: 'aws_elastic_beanstalk',
  gae: 'app_engine',
  netlify: 'netlify',
  surge: 'surge',
  cloudfoundry: 'cloud_foundry',
  lambda: 'aws_lambda',
};

/** What finished parts of a CI system deploy, and the facts that they are. */
export function ciParts(
  root: Record<string, unknown>,
  file: SourceFile,
): { readonly hosts: readonly HostEvidence[]; readonly facts: readonly Fact[] } {
  const fact = (kind: Fact['kind'], name: string): Fact => ({ kind, name, file: file.path, line: lineOf(file.text, name), use: 'ci' });
  const used = pairsOf(root.orbs).flatMap(([alias, orb]) => (typeof orb === 'string' ? [{ alias, name: orb.replace(/@.*$/, '') }] : []));
  const found = [...partsIn(root, 0)];
  return {
    facts: used.map(({ name }) => fact('orb', name)),
    hosts: [
      ...used.flatMap(({ alias, name }) =>
        orbs[name] !== undefined && file.text.includes(`${alias}/`) ? [said(file, { provider: orbs[name] }, {}, `${alias}/`)] : [],
      ),
      ...found.flatMap(({ part, values, word }) => [said(file, part, values, word)]),
      ...mapsOf([root.deploy].flat()).flatMap(({ provider }) =>
        typeof provider === 'string' && travis[provider] !== undefined ? [said(file, { provider: travis[provider] }, {}, provider)] : [],
      ),
      ...(isGitlab(file) ? gitlab(root, file) : []),
    ],
  };
}

function said(file: SourceFile, { provider, ids = {} }: Part, values: Record<string, unknown>, word: string): HostEvidence {
  const named = Object.fromEntries(Object.entries(ids).map(([param, key]) => [param, values[key]]));
  return { provider, folder: '', file: file.path, line: lineOf(file.text, word), by: 'deploy', ids: idsOf(named) };
}

const isGitlab = ({ path }: SourceFile): boolean => path.includes('gitlab');

/** A job of this name publishes a site, and a template deploys to Kubernetes. */
function gitlab(root: Record<string, unknown>, file: SourceFile): readonly HostEvidence[] {
  const isSite = isMap(root.pages) && (listOf(mapOf(root.pages.artifacts).paths).includes('public') || root.pages.publish !== undefined);
  const isAuto = [root.include].flat().some((one) => /Auto-DevOps/.test(textOf(one) ?? textOf(mapOf(one).template) ?? ''));
  return [
    ...(isSite ? [said(file, { provider: 'gitlab_pages' }, {}, 'pages:')] : []),
    ...(isAuto ? [said(file, { provider: 'kubernetes' }, {}, 'Auto-DevOps')] : []),
  ];
}

/** Pipes and tasks at any depth. */
function* partsIn(
  node: unknown,
  depth: number,
): Generator<{ readonly part: Part; readonly values: Record<string, unknown>; readonly word: string }> {
  if (depth > 14) return;
  if (Array.isArray(node)) for (const item of node) yield* partsIn(item, depth + 1);
  if (!isMap(node)) return;
  const pipe = textOf(node.pipe);
  const pipePart = pipe === undefined ? undefined : pipes[pipe.replace(/^docker:\/\//, '').replace(/:.*$/, '')];
  if (pipe !== undefined && pipePart) yield { part: pipePart, values: mapOf(node.variables), word: pipe };
  const task = textOf(node.task);
  const taskPart = task === undefined ? undefined : tasks[task.replace(/@.*$/, '')];
  if (task !== undefined && taskPart) yield { part: taskPart, values: mapOf(node.inputs), word: task };
  for (const value of Object.values(node)) yield* partsIn(value, depth + 1);
}
