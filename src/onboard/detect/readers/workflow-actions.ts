/** What an action of a workflow deploys, by the names of its inputs. */
export interface DeployAction {
  readonly provider: string;
  readonly product?: string;
  readonly builds?: 'host' | 'ci';
  /** Inputs that hold values of params. */
  readonly ids?: { readonly [param: string]: string };
  /** The input that names the app, and the param that it becomes where the app is one of a pull request. */
  readonly app?: { readonly input: string; readonly param: string };
  readonly folder?: string;
  /** The input that names the built files to upload. */
  readonly uploads?: string;
  readonly config?: string;
  /** Inputs that hold a program's words. The program decides what they do. */
  readonly command?: { readonly program: string; readonly input: string };
  /** An input with such a value deploys to production, whatever starts the workflow. */
  readonly production?: { readonly input: string; readonly value: RegExp };
  /** It makes an environment of its own for each pull request. */
  readonly isPreview?: boolean;
  /** It builds pages about the code before. */
  readonly isOfDocs?: boolean;
  /** Inputs with lines or words `NAME=value`. */
  readonly sets?: readonly string[];
}

const azureApp = { input: 'app-name', param: 'name' } as const;

/** By the name of the action, without its version. */
export const deployActions: { readonly [action: string]: DeployAction } = {
  'superfly/flyctl-actions': { provider: 'fly', builds: 'host', command: { program: 'flyctl', input: 'args' } },
  'superfly/fly-pr-review-apps': {
    provider: 'fly',
    builds: 'host',
    isPreview: true,
    ids: { org_slug: 'org', region: 'region' },
    app: { input: 'name', param: 'name' },
    folder: 'path',
    config: 'config',
    sets: ['secrets', 'build_args', 'build_args'],
  },
  'amondnet/vercel-action': {
    provider: 'vercel',
    builds: 'host',
    ids: {
      project: 'vercel-project-id',
      'provider.team_id': 'vercel-org-id',
      'provider.slug': 'scope',
      application: 'vercel-project-name',
    },
    folder: 'working-directory',
    production: { input: 'vercel-args', value: /--prod\b/ },
  },
  'BetaHuhn/deploy-to-vercel-action': {
    provider: 'vercel',
    builds: 'host',
    ids: { project: 'VERCEL_PROJECT_ID', 'provider.slug': 'VERCEL_SCOPE' },
    folder: 'WORKING_DIRECTORY',
  },
  'nwtgck/actions-netlify': {
    provider: 'netlify',
    builds: 'ci',
    uploads: 'publish-dir',
    production: { input: 'production-deploy', value: /true/ },
  },
  'netlify/actions/cli': { provider: 'netlify', builds: 'ci', command: { program: 'netlify', input: 'args' } },
  'jsmrcaga/action-netlify-deploy': { provider: 'netlify', builds: 'ci', ids: { site_id: 'NETLIFY_SITE_ID' } },
  'South-Paw/action-netlify-deploy': { provider: 'netlify', builds: 'ci' },
  'cloudflare/pages-action': {
    provider: 'cloudflare',
    product: 'pages',
    builds: 'ci',
    ids: { project_name: 'projectName', account_id: 'accountId' },
    folder: 'workingDirectory',
    uploads: 'directory',
  },
  'AdrianGonz97/refined-cf-pages-action': {
    provider: 'cloudflare',
    product: 'pages',
    builds: 'ci',
    ids: { project_name: 'projectName', account_id: 'accountId' },
    folder: 'workingDirectory',
    uploads: 'directory',
  },
  'cloudflare/wrangler-action': {
    provider: 'cloudflare',
    product: 'workers',
    builds: 'ci',
    ids: { account_id: 'accountId' },
    folder: 'workingDirectory',
    command: { program: 'wrangler', input: 'command' },
  },
  'FirebaseExtended/action-hosting-deploy': {
    provider: 'firebase_hosting',
    product: 'hosting',
    builds: 'ci',
    ids: { project: 'projectId', site: 'target' },
    folder: 'entryPoint',
    production: { input: 'channelId', value: /^live$/ },
  },
  'w9jds/firebase-action': { provider: 'firebase_hosting', builds: 'ci', command: { program: 'firebase', input: 'args' } },
  'google-github-actions/deploy-cloudrun': {
    provider: 'cloud_run',
    ids: { service: 'service', location: 'region', project: 'project_id' },
    folder: 'source',
    sets: ['env_vars', 'secrets'],
  },
  'google-github-actions/deploy-appengine': { provider: 'app_engine', folder: 'working_directory' },
  'google-github-actions/deploy-cloud-functions': { provider: 'cloud_functions', folder: 'source_dir', sets: ['environment_variables'] },
  'akhileshns/heroku-deploy': { provider: 'heroku', builds: 'host', app: { input: 'heroku_app_name', param: 'app' }, folder: 'appdir' },
  'bervProject/railway-deploy': { provider: 'railway', builds: 'host', ids: { service_id: 'service' } },
  'johnbeynon/render-deploy-action': { provider: 'render', builds: 'host', ids: { service_id: 'service-id' } },
  'JorgeLNJunior/render-deploy': { provider: 'render', builds: 'host', ids: { service_id: 'service_id' } },
  'aws-actions/amazon-ecs-deploy-task-definition': { provider: 'aws_ecs', builds: 'ci', ids: { application: 'service' } },
  'awslabs/amazon-app-runner-deploy': { provider: 'aws_app_runner', ids: { application: 'service' } },
  'einaregilsson/beanstalk-deploy': { provider: 'aws_elastic_beanstalk', ids: { application: 'application_name' } },
  'aws-actions/aws-lambda-deploy': { provider: 'aws_lambda', ids: { application: 'function-name' } },
  'appleboy/lambda-action': { provider: 'aws_lambda', ids: { application: 'function_name' } },
  'serverless/github-action': { provider: 'aws_lambda', command: { program: 'serverless', input: 'args' } },
  'jakejarvis/s3-sync-action': { provider: 'aws_s3_website', builds: 'ci' },
  'reggionick/s3-deploy': { provider: 'aws_s3_website', builds: 'ci' },
  'Azure/static-web-apps-deploy': { provider: 'azure_static_web_apps', builds: 'ci', folder: 'app_location' },
  'Azure/webapps-deploy': { provider: 'azure_app_service', app: azureApp, uploads: 'package' },
  'Azure/functions-action': { provider: 'azure_functions', app: azureApp, uploads: 'package' },
  'Azure/container-apps-deploy-action': {
    provider: 'azure_container_apps',
    app: { input: 'containerAppName', param: 'name' },
    folder: 'appSourcePath',
  },
  'Azure/k8s-deploy': { provider: 'kubernetes' },
  'Azure/aks-set-context': { provider: 'kubernetes' },
  'google-github-actions/get-gke-credentials': { provider: 'kubernetes' },
  'digitalocean/app_action/deploy': { provider: 'digitalocean', builds: 'host', ids: { application: 'app_name' } },
  'digitalocean/app_action': { provider: 'digitalocean', builds: 'host', ids: { application: 'app_name' } },
  'actions/deploy-pages': { provider: 'github_pages', builds: 'ci' },
  'peaceiris/actions-gh-pages': { provider: 'github_pages', builds: 'ci', uploads: 'publish_dir' },
  'JamesIves/github-pages-deploy-action': { provider: 'github_pages', builds: 'ci', uploads: 'folder' },
  'crazy-max/ghaction-github-pages': { provider: 'github_pages', builds: 'ci', uploads: 'build_dir' },
  'mhausenblas/mkdocs-deploy-gh-pages': { provider: 'github_pages', builds: 'ci', isOfDocs: true },
  'rossjrw/pr-preview-action': { provider: 'github_pages', builds: 'ci', uploads: 'source-dir', isPreview: true },
  'afc163/surge-preview': { provider: 'surge', builds: 'ci', uploads: 'dist', isPreview: true },
  'dswistowski/surge-sh-action': { provider: 'surge', builds: 'ci', uploads: 'project' },
  'denoland/deployctl': { provider: 'deno_deploy', builds: 'ci', ids: { application: 'project' }, folder: 'root' },
  'expo/expo-github-action/preview': { provider: 'expo_eas', isPreview: true, folder: 'working-directory' },
  'caprover/deploy-from-github': { provider: 'caprover' },
  'dokku/github-action': { provider: 'dokku', builds: 'host' },
  'appleboy/ssh-action': { provider: 'own_server' },
  'appleboy/scp-action': { provider: 'own_server', builds: 'ci' },
  'easingthemes/ssh-deploy': { provider: 'own_server', builds: 'ci' },
  'SamKirkland/FTP-Deploy-Action': { provider: 'own_server', builds: 'ci', uploads: 'local-dir' },
  'deployphp/action': { provider: 'own_server' },
  'porter-dev/porter-cli-action': { provider: 'porter' },
  'porter-dev/porter-update-action': { provider: 'porter' },
  'koyeb-community/koyeb-actions': { provider: 'koyeb' },
  'koyeb/action-git-deploy': { provider: 'koyeb' },
  'mikhael28/northflank-deploy': { provider: 'northflank' },
  'northflank/deploy-to-northflank': { provider: 'northflank' },
  'scalingo-community/setup-scalingo': { provider: 'scalingo' },
  '47ng/actions-clever-cloud': { provider: 'clever_cloud', builds: 'host' },
  'platformsh/gha-deploy': { provider: 'platform_sh' },
  'fastly/compute-actions': { provider: 'fastly_compute' },
  'r0adkll/upload-google-play': { provider: 'app_stores', builds: 'ci' },
  'apple-actions/upload-testflight-build': { provider: 'app_stores', builds: 'ci' },
  'maierj/fastlane-action': { provider: 'app_stores', builds: 'ci', command: { program: 'fastlane', input: 'lane' } },
  'burnett01/rsync-deployments': { provider: 'own_server', builds: 'ci', uploads: 'path' },
  'garygrossgarten/github-action-scp': { provider: 'own_server', builds: 'ci', uploads: 'local' },
  'wlixcc/SFTP-Deploy-Action': { provider: 'own_server', builds: 'ci', uploads: 'local_path' },
};

/** Actions and programs that make a service of its own for each pull request, so that nothing else needs to. */
export const makerActions: { readonly [action: string]: { readonly service: string; readonly what: string } } = {
  'neondatabase/create-branch-action': { service: 'neon', what: 'a branch for each pull request, made by a workflow' },
  'planetscale/create-branch-action': { service: 'planetscale', what: 'a branch for each pull request, made by a workflow' },
  'xataio/create-branch-action': { service: 'xata', what: 'a branch for each pull request, made by a workflow' },
};

export const makerCommands: readonly { readonly programs: readonly string[]; readonly does: RegExp; readonly service: string }[] = [
  { programs: ['neonctl', 'neon'], does: /^branch(?:es)? create\b/, service: 'neon' },
  { programs: ['pscale'], does: /^branch create\b/, service: 'planetscale' },
  { programs: ['supabase'], does: /^branches create\b/, service: 'supabase' },
  { programs: ['turso'], does: /^db create\b/, service: 'turso' },
  { programs: ['xata'], does: /^branch create\b/, service: 'xata' },
  { programs: ['prisma-postgres', 'create-db'], does: /^/, service: 'prisma_postgres' },
];

/** What the names of inputs say of an action that nobody knows: `redeploy_ecs_service`, `heroku_app_name`. */
const inputs: readonly (readonly [RegExp, string])[] = [
  [/ecs[_-]?(?:cluster|service|task)/, 'aws_ecs'],
  [/cloud[_-]?run[_-]?(?:service|job|region)/, 'cloud_run'],
  [/heroku[_-]?app/, 'heroku'],
  [/fly[_-]?app/, 'fly'],
  [/container[_-]?app[_-]?name/, 'azure_container_apps'],
  [/(?:web[_-]?app|app[_-]?service)[_-]?name/, 'azure_app_service'],
  [/function[_-]?app[_-]?name/, 'azure_functions'],
  [/lambda[_-]?(?:function|name)/, 'aws_lambda'],
  [/beanstalk/, 'aws_elastic_beanstalk'],
  [/app[_-]?runner/, 'aws_app_runner'],
  [/netlify[_-]?site/, 'netlify'],
  [/vercel[_-]?project/, 'vercel'],
];

/** Actions that look at a deployment, or prepare one. */
const looks = /wait|status|comment|notify|purge|lint|setup|login|logs?\b|check|test|render|describe|cleanup|delete/i;

/** The host that an unknown action deploys to, if its inputs name one. */
export const hostOfInputs = (action: string, names: readonly string[]): string | undefined =>
  looks.test(action) ? undefined : inputs.find(([pattern]) => names.some((name) => pattern.test(name.toLowerCase())))?.[1];
