/** A command that deploys, or that shows where the app is deployed. */
export interface HostProgram {
  readonly programs: readonly string[];
  /** The words behind the program that are no flags, with a space between. */
  readonly does: RegExp;
  /** What stands anywhere behind the program, in flags as well. */
  readonly has?: RegExp;
  readonly provider: string;
  readonly product?: string;
  /** Where the app is built when nothing else says it. */
  readonly builds?: 'host' | 'ci';
  /** Flags that name values of params. */
  readonly flags?: { readonly [param: string]: readonly string[] };
  /** Flags that name the app. It may be the app of production, so it becomes a param only where it is one of a pull request. */
  readonly app?: { readonly flags: readonly string[]; readonly param: string };
  /** The place among the words that are no flags: of the app's or service's name, and of the folder. */
  readonly nameAt?: { readonly at: number; readonly param: string };
  readonly folderAt?: number;
  /** Flags that name the folder. */
  readonly folders?: readonly string[];
  /** Where the built files stand that it uploads: the place among the words that are no flags, or flags. */
  readonly uploads?: { readonly at?: number; readonly flags?: readonly string[] };
  /** Flags that name a configuration. */
  readonly configs?: readonly string[];
  /** Flags whose values begin with the name of a variable, and `=`. Several names stand with a comma between. */
  readonly sets?: readonly string[];
  /** Names of variables are the words behind, as in `fly secrets set A=1`. */
  readonly setsWords?: boolean;
  /** It only shows the host, and deploys nothing. */
  readonly isWeak?: boolean;
}

const fly = {
  provider: 'fly',
  builds: 'host',
  flags: { org_slug: ['-o', '--org'], region: ['-r', '--region', '--primary-region'] },
} as const;
const flyApp = { flags: ['-a', '--app', '--name'], param: 'name' } as const;
const vercelFlags = { 'provider.slug': ['-S', '--scope', '--team'], project: ['--project'] } as const;
const vercelSets = ['-e', '--env', '-b', '--build-env'];
const azure = { resource_group: ['-g', '--resource-group'] } as const;
const azureApp = { flags: ['-n', '--name', '--app-name'], param: 'name' } as const;

/** What each host's program says. The first that fits counts. Several hosts of one vendor have one program. */
export const hostPrograms: readonly HostProgram[] = [
  {
    programs: ['flyctl', 'fly'],
    does: /^(deploy|launch)\b/,
    ...fly,
    app: flyApp,
    folderAt: 1,
    configs: ['-c', '--config'],
    sets: ['-e', '--env', '--build-arg', '--build-secret'],
  },
  { programs: ['flyctl', 'fly'], does: /^(apps|app) (create|open|destroy)\b/, ...fly, app: flyApp, nameAt: { at: 2, param: 'name' } },
  { programs: ['flyctl', 'fly'], does: /^secrets (set|import|deploy)\b/, ...fly, app: flyApp, setsWords: true },
  {
    programs: ['flyctl', 'fly'],
    does: /^(machines?|status|scale|ssh|ips|certs|consul|volumes?|proxy)\b/,
    ...fly,
    app: flyApp,
    configs: ['-c', '--config'],
    isWeak: true,
  },
  {
    programs: ['vercel', 'vc', 'now'],
    does: /^(deploy\b|build\b|pull\b|link\b|redeploy\b|promote\b|alias\b|env\b|--|\.|$)/,
    provider: 'vercel',
    flags: vercelFlags,
    folderAt: 1,
    folders: ['--cwd'],
    configs: ['-A', '--local-config'],
    sets: vercelSets,
  },
  {
    programs: ['netlify', 'ntl'],
    does: /^deploy\b/,
    provider: 'netlify',
    builds: 'ci',
    flags: { site_id: ['-s', '--site'] },
    folders: ['--cwd'],
    uploads: { flags: ['--dir', '-d'] },
  },
  {
    programs: ['netlify', 'ntl'],
    does: /^(build|link|env)\b/,
    provider: 'netlify',
    flags: { site_id: ['-s', '--site', '--id'] },
    isWeak: true,
  },
  {
    programs: ['wrangler'],
    does: /^pages (deploy|publish)\b/,
    provider: 'cloudflare',
    product: 'pages',
    builds: 'ci',
    uploads: { at: 2 },
    flags: { project_name: ['--project-name'] },
    configs: ['-c', '--config'],
  },
  {
    programs: ['wrangler'],
    does: /^pages (project|deployment|secret)\b/,
    provider: 'cloudflare',
    product: 'pages',
    flags: { project_name: ['--project-name'] },
    isWeak: true,
  },
  {
    programs: ['wrangler'],
    does: /^(deploy|publish|versions upload|versions deploy)\b/,
    provider: 'cloudflare',
    product: 'workers',
    app: { flags: ['--name'], param: 'name' },
    configs: ['-c', '--config'],
    builds: 'ci',
    sets: ['--var'],
  },
  { programs: ['opennextjs-cloudflare'], does: /^(deploy|upload)\b/, provider: 'cloudflare', product: 'workers', builds: 'ci' },
  {
    programs: ['next-on-pages', '@cloudflare/next-on-pages'],
    does: /^/,
    provider: 'cloudflare',
    product: 'pages',
    builds: 'ci',
    isWeak: true,
  },
  {
    programs: ['firebase', 'firebase-tools'],
    does: /^(hosting:channel:deploy|hosting:clone|deploy)\b/,
    provider: 'firebase_hosting',
    product: 'hosting',
    builds: 'ci',
    flags: { project: ['-P', '--project'] },
  },
  {
    programs: ['firebase', 'firebase-tools'],
    does: /^apphosting:/,
    provider: 'firebase_app_hosting',
    flags: { project: ['-P', '--project'] },
  },
  {
    programs: ['gcloud'],
    does: /^(beta |alpha )?run (services )?(deploy|update|replace)\b/,
    provider: 'cloud_run',
    flags: { project: ['--project'], location: ['--region'] },
    nameAt: { at: -1, param: 'service' },
    builds: 'host',
    folders: ['--source'],
    sets: ['--set-env-vars', '--update-env-vars', '--set-secrets', '--update-secrets'],
  },
  { programs: ['gcloud'], does: /^(beta |alpha )?app deploy\b/, provider: 'app_engine', flags: { project: ['--project'] } },
  {
    programs: ['gcloud'],
    does: /^(beta |alpha )?functions deploy\b/,
    provider: 'cloud_functions',
    flags: { project: ['--project'], location: ['--region'] },
    folders: ['--source'],
  },
  { programs: ['gcloud'], does: /^(beta |alpha )?container clusters get-credentials\b/, provider: 'kubernetes' },
  {
    programs: ['heroku'],
    does: /^(git:remote|container:(push|release)|builds:create|releases|pipelines:|create|apps:create|run|config:set|ps:)/,
    provider: 'heroku',
    builds: 'host',
    app: { flags: ['-a', '--app'], param: 'app' },
  },
  {
    programs: ['railway'],
    does: /^(up|deploy|redeploy|link|run|environment)\b/,
    provider: 'railway',
    builds: 'host',
    flags: { project_id: ['-p', '--project'], service_id: ['-s', '--service'] },
    folderAt: 1,
  },
  { programs: ['render'], does: /^(deploys? create|services|jobs)\b/, provider: 'render', builds: 'host' },
  {
    programs: ['doctl'],
    does: /^apps? (create|update|create-deployment|spec)\b/,
    provider: 'digitalocean',
    builds: 'host',
    configs: ['--spec'],
  },
  { programs: ['doctl'], does: /^(kubernetes|k8s)\b/, provider: 'kubernetes' },
  {
    programs: ['aws'],
    does: /^amplify (start-job|create-deployment|start-deployment|create-branch)\b/,
    provider: 'amplify',
    flags: { app_id: ['--app-id'], 'provider.region': ['--region'] },
  },
  {
    programs: ['aws'],
    does: /^ecs (update-service|register-task-definition|deploy|run-task)\b/,
    provider: 'aws_ecs',
    flags: { 'provider.region': ['--region'] },
    builds: 'ci',
  },
  { programs: ['aws'], does: /^lambda (update-function-code|publish-version|create-function)\b/, provider: 'aws_lambda', builds: 'ci' },
  { programs: ['aws'], does: /^elasticbeanstalk\b/, provider: 'aws_elastic_beanstalk' },
  { programs: ['aws'], does: /^apprunner\b/, provider: 'aws_app_runner' },
  { programs: ['aws'], does: /^deploy (create-deployment|push)\b/, provider: 'aws_ec2' },
  { programs: ['aws'], does: /^eks update-kubeconfig\b/, provider: 'kubernetes' },
  { programs: ['aws'], does: /^cloudfront create-invalidation\b/, provider: 'aws_s3_website', builds: 'ci' },
  {
    programs: ['aws'],
    does: /^s3 (?:sync|cp) \S*(dist|build|out|public|_site|www|site|html)\b\S* s3:/,
    provider: 'aws_s3_website',
    builds: 'ci',
    uploads: { at: 2 },
  },
  { programs: ['eb'], does: /^(deploy|create|init)\b/, provider: 'aws_elastic_beanstalk', builds: 'host' },
  { programs: ['copilot'], does: /^(deploy|svc|app|env|pipeline)\b/, provider: 'aws_ecs' },
  { programs: ['sam'], does: /^(deploy|sync)\b/, provider: 'aws_lambda', builds: 'ci' },
  { programs: ['chalice', 'zappa', 'arc', 'claudia', 'up'], does: /^(deploy|update)\b/, provider: 'aws_lambda', builds: 'ci' },
  { programs: ['cdk', 'aws-cdk'], does: /^deploy\b/, provider: 'aws', builds: 'ci' },
  { programs: ['sst'], does: /^deploy\b/, provider: 'aws_lambda', builds: 'ci' },
  {
    programs: ['serverless', 'sls'],
    does: /^(deploy|$)/,
    provider: 'aws_lambda',
    builds: 'ci',
    flags: { 'provider.region': ['-r', '--region'] },
  },
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
  {
    programs: ['kamal', 'mrsk'],
    does: /^(deploy|setup|redeploy|app|env)\b/,
    provider: 'kamal',
    builds: 'ci',
    configs: ['-c', '--config-file'],
  },
  { programs: ['kubectl', 'oc'], does: /^(apply|set|rollout|create|patch|replace)\b/, provider: 'kubernetes', builds: 'ci' },
  { programs: ['gke-deploy'], does: /^(apply|run)\b/, provider: 'gke' },
  { programs: ['docker'], does: /^stack deploy\b/, provider: 'own_server', builds: 'ci', configs: ['-c', '--compose-file'] },
  { programs: ['cx', 'cloud66'], does: /^(redeploy|deploy)\b/, provider: 'cloud66', builds: 'host' },
  { programs: ['lagoon'], does: /^deploy\b/, provider: 'lagoon', builds: 'host' },
  { programs: ['krane', 'kubernetes-deploy'], does: /^(?:deploy\b|\S+ \S+|global-deploy\b)/, provider: 'kubernetes', builds: 'ci' },
  { programs: ['kapp', 'ytt', 'tanka', 'tk', 'kluctl', 'cdk8s'], does: /^(?:deploy|apply|synth)\b/, provider: 'kubernetes' },
  { programs: ['helm'], does: /^(upgrade|install)\b/, provider: 'kubernetes', builds: 'ci' },
  {
    programs: ['helmfile', 'skaffold', 'kustomize', 'argocd', 'devspace', 'werf'],
    does: /^(apply|sync|run|deploy|build|edit|app|converge)\b/,
    provider: 'kubernetes',
  },
  { programs: ['caprover'], does: /^deploy\b/, provider: 'caprover' },
  { programs: ['gigalixir'], does: /./, provider: 'gigalixir' },
  { programs: ['deployctl'], does: /^deploy\b/, provider: 'deno_deploy', app: { flags: ['-p', '--project'], param: 'project' } },
  { programs: ['deno'], does: /^deploy\b/, provider: 'deno_deploy', app: { flags: ['--app'], param: 'project' } },
  { programs: ['zeabur'], does: /^deploy\b/, provider: 'zeabur' },
  { programs: ['koyeb'], does: /^(deploy|services?|apps?)\b/, provider: 'koyeb' },
  { programs: ['northflank'], does: /./, provider: 'northflank' },
  { programs: ['platform', 'upsun'], does: /^(push|deploy|environment:|e:|activity:)/, provider: 'platform_sh' },
  { programs: ['vapor'], does: /^(deploy|env)\b/, provider: 'laravel_vapor', builds: 'ci' },
  { programs: ['forge'], does: /^(deploy|server|site)\b/, provider: 'laravel_forge' },
  { programs: ['eas', 'eas-cli'], does: /^(build|update|submit|deploy|workflow:run)\b/, provider: 'expo_eas', builds: 'host' },
  { programs: ['expo'], does: /^(publish|build:)/, provider: 'expo_eas' },
  {
    programs: ['fastlane'],
    does: /^(?!(?:\S+ )?(?:scan|run_tests|tests?|unit_tests?|ui_tests?|lint|screenshots|snapshot|match|certs?|build)(?: |$))./,
    provider: 'app_stores',
    builds: 'ci',
  },
  {
    programs: ['gh-pages', 'angular-cli-ghpages'],
    does: /^/,
    provider: 'github_pages',
    builds: 'ci',
    uploads: { flags: ['-d', '--dist', '--dir'] },
  },
  { programs: ['mkdocs'], does: /^gh-deploy/, provider: 'github_pages', builds: 'ci', isWeak: true },
  { programs: ['ghp-import'], does: /^\S+$/, provider: 'github_pages', builds: 'ci', isWeak: true, uploads: { at: 0 } },
  {
    programs: ['surge'],
    does: /^(?!teardown|list|login|token)/,
    provider: 'surge',
    builds: 'ci',
    uploads: { at: 0, flags: ['--project', '-p'] },
  },
  { programs: ['convex'], does: /^deploy\b/, provider: 'convex', product: 'functions', builds: 'ci', flags: {} },
  {
    programs: ['supabase'],
    does: /^functions deploy\b/,
    provider: 'supabase',
    product: 'functions',
    flags: { project_ref: ['--project-ref'] },
  },
  { programs: ['modal'], does: /^deploy\b/, provider: 'modal' },
  { programs: ['cf'], does: /^push\b/, provider: 'cloud_foundry' },
  { programs: ['scalingo'], does: /./, provider: 'scalingo' },
  { programs: ['clever'], does: /^deploy\b/, provider: 'clever_cloud' },
  { programs: ['aptible'], does: /^(deploy|apps)\b/, provider: 'aptible' },
  { programs: ['porter'], does: /^(apply|app|update)\b/, provider: 'porter' },
  { programs: ['qovery'], does: /./, provider: 'qovery' },
  { programs: ['encore'], does: /^deploy\b/, provider: 'encore' },
  { programs: ['fastly'], does: /^compute (publish|deploy)\b/, provider: 'fastly_compute' },
  { programs: ['cap'], does: /\bdeploy\b/, provider: 'own_server' },
  { programs: ['dep', 'deployer', 'mina', 'pm2'], does: /^deploy\b/, provider: 'own_server' },
  { programs: ['ansible-playbook'], does: /deploy|site|prod/, provider: 'own_server' },
  { programs: ['rsync', 'scp'], does: /\S+@\S+:|:\/(?:var|srv|opt|home|www)\//, provider: 'own_server', builds: 'ci' },
  { programs: ['ssh'], does: /\bdokku\b/, provider: 'dokku' },
  { programs: ['ssh'], does: /docker|compose|systemctl|deploy|git pull|pm2|supervisorctl/, provider: 'own_server' },
  { programs: ['git'], does: /^push \S*(heroku)/, provider: 'heroku', builds: 'host' },
  { programs: ['git'], does: /^push \S*(dokku)/, provider: 'dokku', builds: 'host' },
  { programs: ['git'], does: /^push \S*(gigalixir)/, provider: 'gigalixir', builds: 'host' },
  { programs: ['git'], does: /^push \S*(clever-cloud|scalingo)/, provider: 'clever_cloud', builds: 'host' },
  { programs: ['curl', 'http', 'wget'], does: /api\.render\.com\/(deploy|v1\/services)/, provider: 'render', builds: 'host' },
  {
    programs: ['curl', 'http', 'wget'],
    does: /api\.vercel\.com\/v\d+\/(integrations\/deploy|deployments)/,
    provider: 'vercel',
    builds: 'host',
  },
  { programs: ['curl', 'http', 'wget'], does: /api\.netlify\.com\/build_hooks/, provider: 'netlify', builds: 'host' },
  {
    programs: ['curl', 'http', 'wget'],
    does: /hooks\.cloud66\.com|app\.cloud66\.com\/api\/\S*redeploy/,
    provider: 'cloud66',
    builds: 'host',
  },
  { programs: ['curl', 'http', 'wget'], does: /forge\.laravel\.com/, provider: 'laravel_forge', builds: 'host' },
  { programs: ['curl', 'http', 'wget'], does: /\bcoolify\b|\/api\/v1\/deploy\?uuid=/, provider: 'coolify', builds: 'host' },
  { programs: ['curl', 'http', 'wget'], does: /\bdokploy\b/, provider: 'dokploy', builds: 'host' },
];
