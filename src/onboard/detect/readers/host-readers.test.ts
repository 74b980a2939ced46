import { expect, it } from 'vitest';
import { noQuestions, readFacts } from '../../../../test/support/read-facts.ts';

const told = async (files: Record<string, string>): Promise<readonly unknown[]> =>
  (await readFacts(files)).hosts.map(({ provider, folder, by, ids }) => [provider, folder, by, ids]);

const json = (value: unknown): string => JSON.stringify(value);

it.each([
  ['fly.toml', 'app = "club"\nprimary_region = "lhr"\n', 'fly', ''],
  ['fly-preview.toml', 'app = "club-preview"\n', 'fly', ''],
  ['services/api/production.toml', 'app = "club"\n[http_service]\ninternal_port = 80\n', 'fly', 'services/api'],
  ['edge/worker.toml', 'name = "w"\nmain = "a.ts"\ncompatibility_date = "2026-01-01"\n', 'cloudflare', 'edge'],
  ['wrangler.staging.jsonc', '{ "name": "w", // a worker\n "main": "a.ts" }', 'cloudflare', ''],
  ['netlify.toml', '[build]\nbase = "site"\n', 'netlify', 'site'],
  ['apps/web/.vercel/project.json', json({ projectId: 'prj_1', orgId: 'team_1' }), 'vercel', 'apps/web'],
  ['railway.api.json', json({ build: { builder: 'NIXPACKS' } }), 'railway', ''],
  ['api.railway.toml', '[build]\nbuilder = "RAILPACK"\n', 'railway', ''],
  ['app.yaml', 'runtime: python312\n', 'app_engine', ''],
  ['.do/app.yaml', 'name: a\nservices:\n  - name: web\n    source_dir: api\n', 'digitalocean', 'api'],
  ['amplify.yml', 'applications:\n  - appRoot: apps/web\n', 'amplify', 'apps/web'],
  ['azure.yaml', 'name: a\nservices:\n  web:\n    project: ./src/web\n    host: appservice\n', 'azure_app_service', 'src/web'],
  ['public/staticwebapp.config.json', '{}', 'azure_static_web_apps', ''],
  ['api/serverless.yml', 'service: a\nprovider:\n  name: aws\n', 'aws_lambda', 'api'],
  ['template.yaml', 'Transform: AWS::Serverless-2016-10-31\n', 'aws_lambda', ''],
  ['infra/cdk.json', json({ app: 'node x' }), 'aws', 'infra'],
  ['sst.config.ts', 'export default $config({ app() { return { name: "a", home: "aws" } } })', 'aws_lambda', ''],
  ['config/deploy.yml', 'service: a\nimage: acme/a\nservers: [1.2.3.4]\n', 'kamal', ''],
  ['charts/a/Chart.yaml', 'apiVersion: v2\nname: a\n', 'kubernetes', 'charts/a'],
  ['k8s/web.yaml', 'apiVersion: apps/v1\nkind: Deployment\n', 'kubernetes', 'k8s'],
  ['config/deploy/live/web.yml.erb', 'kind: Deployment\nname: <%= name %>\n', 'kubernetes', 'config/deploy/live'],
  ['ops/k8s/web.yaml.j2', 'kind: Deployment\n', 'kubernetes', 'ops/k8s'],
  ['config/deploy.review.yml', 'service: <%= name %>\n<% if x %>\nimage: acme/a\n<% end %>\nservers: [1.2.3.4]\n', 'kamal', ''],
  ['web/VERCEL_DEPLOYMENT.md', '# x', 'vercel', 'web'],
  ['DEPLOY_TO_RENDER.md', '# x', 'render', ''],
  ['app.py', 'import streamlit as st\nkey = st.secrets["KEY"]\n', 'streamlit_cloud', ''],
  ['.platform.app.yaml', 'name: app\ntype: "php:8.3"\n', 'platform_sh', ''],
  ['captain-definition', json({ schemaVersion: 2 }), 'caprover', ''],
  ['apps/phone/eas.json', json({ build: { preview: {} } }), 'expo_eas', 'apps/phone'],
  ['deno.json', json({ deploy: { project: 'a' } }), 'deno_deploy', ''],
  ['Procfile', 'web: bundle exec puma\n', 'heroku', ''],
  ['vapor.yml', 'id: 1\nenvironments:\n  production: {}\n', 'laravel_vapor', ''],
  ['deploy.php', '<?php\nnamespace Deployer;\n', 'own_server', ''],
  ['apphosting.yaml', 'env:\n  - variable: A\n    value: b\n', 'firebase_app_hosting', ''],
  ['convex/schema.ts', 'export default {}', 'convex', 'convex'],
  ['supabase/functions/hook/index.ts', 'Deno.serve()', 'supabase', 'supabase/functions'],
])('%s shows its host and the folder that is deployed', async (path, text, provider, folder) => {
  const { hosts } = await readFacts({ [path]: text });
  expect(hosts.map((one) => [one.provider, one.folder])).toEqual([[provider, folder]]);
});

it.each([
  ['pyproject.toml', '[project]\nname = "a"\n'],
  ['config.toml', 'app = "settings"\n'],
  ['app.json', json({ expo: { name: 'a' } })],
  ['service.yaml', 'kind: Service\nspec:\n  ports: []\n'],
  ['app.yaml', 'kind: Deployment\nruntime: 1\n'],
  ['config/deploy.yml', 'defaults: 1\n'],
  ['docs/base/guide.yaml', 'title: Deployment\n'],
  ['manifest.yml', 'name: extension\n'],
  ['deno.json', json({ tasks: {} })],
  ['host.json', json({ hosts: [] })],
  ['fly.toml', 'app = [broken'],
  ['vercel.json', '[]'],
])('%s of another tool, or a broken file, shows none', async (path, text) => {
  expect(await told({ [path]: text })).toEqual([]);
});

it('a project of Pages has the folder of its build, a Worker a program, and an account has its form', async () => {
  const account = 'a'.repeat(32);
  const files = {
    'wrangler.toml': `name = "shop"\npages_build_output_dir = "dist"\naccount_id = "${account}"\n`,
    'api/wrangler.toml': 'name = "api"\nmain = "a.ts"\naccount_id = "your-account"\n',
    'site/wrangler.jsonc': '{ "name": "site", "assets": { "directory": "dist" } }',
  };
  const { hosts } = await readFacts(files);
  expect(hosts.map(({ product, ids }) => [product, ids])).toEqual([
    ['pages', { project_name: 'shop', account_id: account }],
    ['workers', { application: 'api' }],
    ['workers', { application: 'site' }],
  ]);
});

it('bindings of a Worker are facts, also those of an environment', async () => {
  const { facts } = await readFacts({
    'wrangler.jsonc': json({
      name: 'a',
      main: 'a.ts',
      d1_databases: [{ binding: 'DB' }],
      r2_buckets: [],
      env: { preview: { kv_namespaces: [{ binding: 'KV' }] } },
    }),
    'w.toml': 'name = "w"\nmain = "b.ts"\n[ai]\nbinding = "AI"\n[queues]\nproducers = [{ queue = "q", binding = "Q" }]\n',
  });
  expect(facts.map(({ name }) => name)).toEqual(['d1_databases', 'kv_namespaces', 'queues', 'ai'].map((key) => `wrangler.toml#/${key}`));
});

it.each([
  ['vercel.json', json({ git: { deploymentEnabled: false } }), 'off'],
  ['vercel.json', json({ git: { deploymentEnabled: { main: true, '*': false } } }), 'off'],
  ['vercel.json', json({ github: { enabled: false } }), 'off'],
  ['vercel.json', json({ ignoreCommand: '[ "$VERCEL_ENV" != "production" ]' }), 'off'],
  ['vercel.json', json({ git: { deploymentEnabled: { docs: false } } }), undefined],
  ['vercel.json', json({ ignoreCommand: 'npx turbo-ignore' }), undefined],
  ['netlify.toml', '[context.deploy-preview]\nignore = "exit 0"\n', 'off'],
  ['netlify.toml', '[build]\nignore = "git diff --quiet"\n', undefined],
  ['render.yaml', 'previews: { generation: automatic }\nservices: [{ type: web, name: a }]\n', 'each'],
  ['render.yaml', 'services: [{ type: web, name: a, previews: { generation: off } }]\n', 'off'],
  ['app.json', json({ stack: 'heroku-24', environments: { review: {} } }), 'each'],
])('%s %s: previews %s', async (path, text, previews) => {
  const { hosts } = await readFacts({ [path]: text });
  expect(hosts.map((one) => one.previews)).toEqual([previews]);
});

it('a link of a repository has each project with its folder', async () => {
  const text = json({
    orgId: 'team_1',
    projects: [
      { id: 'prj_a', name: 'a', directory: 'apps/a' },
      { id: 'prj_b', name: 'b', directory: '.' },
    ],
  });
  expect(await told({ '.vercel/repo.json': text })).toEqual([
    ['vercel', 'apps/a', 'link', { project: 'prj_a', 'provider.team_id': 'team_1', application: 'a' }],
    ['vercel', '', 'link', { project: 'prj_b', 'provider.team_id': 'team_1', application: 'b' }],
  ]);
  expect(await told({ '.vercel/project.json': json({ projectId: 'prj_a', orgId: 'user_1' }) })).toEqual([
    ['vercel', '', 'link', { project: 'prj_a' }],
  ]);
  expect(await told({ '.netlify/state.json': json({ siteId: '3f1c' }) })).toEqual([['netlify', '', 'link', { site_id: '3f1c' }]]);
});

it.each([
  [
    'render.yaml',
    'services: [{ type: web, name: a, rootDir: api }, { type: keyvalue, name: kv }]\ndatabases: [{ name: db }]\n',
    ['postgres', 'redis'],
  ],
  [
    'app.json',
    json({ addons: ['heroku-postgresql:essential-0', { plan: 'papertrail:choklad' }, 'scheduler'] }),
    ['postgres', 'papertrail'],
  ],
  ['app.json', json({ addons: ['heroku-redis'], environments: { review: { addons: ['cloudamqp'] } } }), ['rabbitmq']],
  ['heroku.yml', 'setup:\n  addons:\n    - plan: jawsdb:kitefin\n', ['mysql']],
  ['.platform/services.yaml', 'db:\n  type: "postgresql:16"\ncache:\n  type: "redis:7"\n', ['postgres', 'redis']],
  ['.upsun/config.yaml', 'applications:\n  web: { type: "nodejs:22" }\nservices:\n  db: { type: "mariadb:11" }\n', ['mysql']],
  ['.do/app.yaml', 'services: [{ name: a }]\ndatabases: [{ engine: MYSQL, name: db }, { engine: PG, production: true }]\n', ['mysql']],
  ['netlify.toml', '[build]\ncommand = "npx convex deploy --cmd \'npm run build\'"\n', ['convex']],
  ['vercel.json', json({ buildCommand: 'convex deploy --cmd "pnpm build"' }), ['convex']],
])('%s makes services for previews: %s', async (path, text, services) => {
  const { hosts } = await readFacts({ [path]: text });
  expect(hosts[0]?.makes?.map(({ service }) => service)).toEqual(services);
});

it('a file for the button of a host is only a word', async () => {
  expect(await told({ 'app.json': json({ repository: 'https://github.com/a/b', addons: ['heroku-redis'] }) })).toEqual([
    ['heroku', '', 'word', {}],
  ]);
  expect(await told({ 'README.md': '[deploy](https://vercel.com/new/clone?repository-url=x)' })).toEqual([['vercel', '', 'word', {}]]);
  expect(await told({ 'README.md': 'https://vercel.com/new?utm_medium=default-template' })).toEqual([]);
});

it('variables of a configuration are names, with the hosts that their values answer', async () => {
  const asked = { ...noQuestions, hosts: ['.neon.tech'], schemes: ['postgres'] };
  const files = {
    'fly.toml': 'app = "a"\n[env]\nDB_HOST_HINT = "ep-cool-1.eu-central-1.aws.neon.tech"\nPORT = "8080"\n',
    'api/render.yaml':
      'services:\n  - type: web\n    name: a\n    envVars:\n      - key: DATABASE_URL\n        value: postgres://u:p@h.neon.tech/d\n      - key: KEY\n        sync: false\n',
    'edge/wrangler.toml': 'name = "a"\nmain = "a.ts"\n[vars]\nMODE = "x"\n[env.preview.vars]\nEXTRA = "y"\n',
  };
  const { variables } = await readFacts(files, asked);
  expect(variables.map(({ name, hosts, schemes, where }) => [name, hosts, schemes, where])).toEqual([
    ['DB_HOST_HINT', ['.neon.tech'], [], 'host'],
    ['PORT', [], [], 'host'],
    ['DATABASE_URL', ['.neon.tech'], ['postgres'], 'host'],
    ['KEY', [], [], 'host'],
    ['MODE', [], [], 'host'],
    ['EXTRA', [], [], 'host'],
  ]);
  expect(json(variables)).not.toMatch(/ep-cool|u:p|8080/);
});

it('the project of Firebase is known from any folder, and a site from its settings', async () => {
  const read = async (files: Record<string, string>): Promise<readonly unknown[]> =>
    (await readFacts(files)).ids.map(({ provider, param, value }) => [provider, param, value]);
  expect(await read({ 'firebase-project/.firebaserc': json({ projects: { default: 'acme-app' } }) })).toEqual([
    ['firebase_hosting', 'project', 'acme-app'],
    ['firebase_auth', 'project', 'acme-app'],
  ]);
  expect(await read({ '.firebaserc': json({ projects: { staging: 'acme-s', prod: 'acme-p' } }) })).toEqual([]);
  expect(
    await read({ '.firebaserc': json({ projects: { prod: 'acme-p' }, targets: { 'acme-p': { hosting: { web: ['acme-web'] } } } }) }),
  ).toContainEqual(['firebase_hosting', 'site', 'acme-web']);
  expect(await told({ 'x/firebase.json': json({ firestore: {} }) })).toEqual([]);
  expect(await told({ 'x/firebase.json': json({ hosting: { site: 'acme', public: 'dist' }, functions: { source: 'fn' } }) })).toEqual([
    ['firebase_hosting', 'x', 'config', { site: 'acme' }],
    ['firebase_functions', 'x/fn', 'config', {}],
  ]);
});

it('Amplify is told by the file of its team', async () => {
  const team = { dev: { awscloudformation: { Region: 'eu-central-1', AmplifyAppId: 'd2xyz0abc1def', AuthRoleName: 'x' } } };
  expect(await told({ 'amplify/team-provider-info.json': json(team) })).toEqual([
    [
      'amplify',
      '',
      'link',
      { app_id: 'd2xyz0abc1def', 'provider.region': 'eu-central-1', 'provider.base_url': 'https://amplify.eu-central-1.amazonaws.com' },
    ],
  ]);
  expect(await told({ 'web/amplify/team-provider-info.json': json({ dev: { awscloudformation: { Region: 'nowhere' } } }) })).toEqual([
    ['amplify', 'web', 'link', {}],
  ]);
  expect(await told({ 'web/amplify/backend.ts': 'defineBackend({})' })).toEqual([['amplify', 'web', 'config', {}]]);
});

it.each([
  ['next.config.js', 'module.exports = withSentryConfig({}, { org: "acme", project: "shop-web" });', ['acme', 'shop-web']],
  ['vite.config.ts', 'plugins: [sentryVitePlugin({\n  org: "acme",\n  project: "web",\n  authToken: process.env.X })]', ['acme', 'web']],
  ['.sentryclirc', '[defaults]\norg = acme\nproject=api\n', ['acme', 'api']],
  ['android/sentry.properties', 'defaults.org=acme\ndefaults.project=phone\nauth.token=sntrys_abc\n', ['acme', 'phone']],
  ['.github/workflows/release.yml', 'env:\n  SENTRY_ORG: acme\n  SENTRY_PROJECT: "web"\n', ['acme', 'web']],
  ['.env.example', 'SENTRY_ORG=acme\nSENTRY_PROJECT=your-project\n', ['acme']],
  ['next.config.js', 'withSentryConfig(x, { org: process.env.SENTRY_ORG })', []],
  ['app.config.ts', 'export default { project: "other" }; // sentry', []],
])('%s: the organisation and the project of Sentry', async (path, text, values) => {
  const { ids } = await readFacts({ [path]: text });
  expect(ids.filter(({ provider }) => provider === 'sentry').map(({ value }) => value)).toEqual(values);
});

it('schedules that a host starts are told', async () => {
  const files = {
    'vercel.json': json({ crons: [{ path: '/api/daily', schedule: '0 1 * * *' }] }),
    'wrangler.toml': 'name = "a"\nmain = "a.ts"\n[triggers]\ncrons = ["0 * * * *"]\n',
    Procfile: 'web: a\nclock: python clock.py\n',
  };
  expect((await readFacts(files)).schedules.map(({ by, line }) => [by, line])).toEqual([
    ['vercel', 1],
    ['cloudflare', 4],
    ['procfile', 2],
  ]);
});
