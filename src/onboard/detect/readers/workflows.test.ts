import { expect, it } from 'vitest';
import { noQuestions, readFacts } from '../../../../test/support/read-facts.ts';
import { work } from '../../../../test/support/work.ts';

const path = '.github/workflows/preview.yml';
const step = (text: string, on = 'pull_request', more = ''): string => `on: ${on}\njobs:\n  a:\n    runs-on: x\n${more}    steps:\n${text}`;
const told = async (text: string, at = path): Promise<readonly unknown[]> =>
  (await readFacts({ [at]: text })).hosts.map(({ provider, folder, by, ids }) => [provider, folder, by, ids]);

it('a workflow for pull requests names the app, the organisation, the region and the configuration', async () => {
  const text = [
    'on: pull_request',
    'jobs:',
    '  preview:',
    '    steps:',
    '      - run: flyctl apps create club-pr-${{ github.event.number }} --org club-org || true',
    '      - run: flyctl deploy -c fly-preview.toml -a club-pr-${{ github.event.number }} --region lhr',
    '        env:',
    '          FLY_API_TOKEN: ${{ secrets.FLY_API_TOKEN }}',
  ].join('\n');
  const { hosts, variables, facts } = await readFacts({ [path]: text });
  expect(hosts).toEqual([
    expect.objectContaining({ provider: 'fly', by: 'preview', line: 5, ids: { name: 'club-pr-${ctx.pr.number}', org_slug: 'club-org' } }),
    expect.objectContaining({
      by: 'preview',
      line: 6,
      previews: 'each',
      targets: ['fly-preview.toml'],
      ids: { name: 'club-pr-${ctx.pr.number}', region: 'lhr' },
    }),
  ]);
  expect(variables).toEqual([
    expect.objectContaining({ name: 'FLY_API_TOKEN', where: 'workflow', use: 'runtime', keptIn: 'github', line: 8 }),
  ]);
  expect(facts).toContainEqual(expect.objectContaining({ kind: 'command', name: 'flyctl', use: 'ci' }));
});

it('a build in CI takes the variables of the job', async () => {
  const text = step(
    '      - run: npx @cloudflare/next-on-pages\n      - run: npx wrangler pages deploy .vercel/output/static --project-name dash-web --branch ${{ github.head_ref }}\n',
    '[push, pull_request]',
    '    env:\n      NEXT_PUBLIC_SUPABASE_URL: ${{ secrets.SUPABASE_URL }}\n',
  );
  const { hosts, variables } = await readFacts({ [path]: text });
  expect(hosts.at(-1)).toMatchObject({
    provider: 'cloudflare',
    product: 'pages',
    by: 'preview',
    builds: 'ci',
    ids: { project_name: 'dash-web' },
    variables: ['NEXT_PUBLIC_SUPABASE_URL'],
  });
  expect(variables.map(({ name, keptIn }) => [name, keptIn])).toEqual([
    ['NEXT_PUBLIC_SUPABASE_URL', undefined],
    ['SUPABASE_URL', 'github'],
  ]);
  const prebuilt = (pull: string): string =>
    step(`      - run: vercel pull --environment=preview ${pull}\n      - run: vercel build\n      - run: vercel deploy --prebuilt\n`);
  expect((await readFacts({ [path]: prebuilt('') })).hosts.at(-1)?.builds).toBe('ci');
  expect((await readFacts({ [path]: prebuilt('--git-branch=$B') })).hosts.at(-1)?.builds).toBe('host');
});

it.each([
  ['pull_request', '', 'preview'],
  ['{ pull_request: { types: [closed] } }', '', 'deploy'],
  ['push', '', 'deploy'],
  ['[push, pull_request]', "    if: github.event_name == 'push'\n", 'deploy'],
  ['[push, pull_request]', "    if: github.ref == 'refs/heads/main'\n", 'deploy'],
  ['[push, pull_request]', "    if: github.event_name == 'pull_request' || github.ref == 'refs/heads/main'\n", 'preview'],
  ['pull_request_target', '', 'preview'],
  ['release', '', 'deploy'],
])('on %s %s a step deploys as %s', async (on, condition, by) => {
  expect(await told(step('      - run: railway up\n', on, condition))).toEqual([['railway', '', by, {}]]);
});

it('a deployment to production in a workflow for pull requests is none of previews', async () => {
  expect(await told(step('      - run: vercel deploy --prod\n'))).toEqual([['vercel', '', 'deploy', {}]]);
  expect(await told(step('      - run: netlify deploy --prod --site abc\n'))).toEqual([['netlify', '', 'deploy', { site_id: 'abc' }]]);
  expect(
    await told(step('      - uses: FirebaseExtended/action-hosting-deploy@v0\n        with: { projectId: acme, channelId: live }\n')),
  ).toEqual([['firebase_hosting', '', 'deploy', { project: 'acme' }]]);
});

it.each([
  [
    'superfly/fly-pr-review-apps@1.2',
    'name: "shop-pr-${{ github.event.number }}", region: ams, org: acme, path: api',
    ['fly', 'api', 'preview', { name: 'shop-pr-${ctx.pr.number}', region: 'ams', org_slug: 'acme' }],
  ],
  [
    'cloudflare/pages-action@v1',
    'projectName: shop, directory: dist, workingDirectory: web',
    ['cloudflare', 'web', 'preview', { project_name: 'shop' }],
  ],
  [
    'cloudflare/wrangler-action@v3',
    'command: "pages deploy dist --project-name=shop"',
    ['cloudflare', '', 'preview', { project_name: 'shop' }],
  ],
  [
    'amondnet/vercel-action@v25',
    'vercel-project-id: prj_1, vercel-org-id: "${{ secrets.ORG }}", scope: acme',
    ['vercel', '', 'preview', { project: 'prj_1', 'provider.slug': 'acme' }],
  ],
  [
    'google-github-actions/deploy-cloudrun@v2',
    'service: shop, region: europe-west1, project_id: acme',
    ['cloud_run', '', 'preview', { service: 'shop', location: 'europe-west1', project: 'acme' }],
  ],
  ['azure/static-web-apps-deploy@v1', 'app_location: "/web", action: upload', ['azure_static_web_apps', 'web', 'preview', {}]],
  ['akhileshns/heroku-deploy@v3', 'heroku_app_name: shop', ['heroku', '', 'preview', { application: 'shop' }]],
  ['aws-actions/amazon-ecs-deploy-task-definition@v2', 'service: shop', ['aws_ecs', '', 'preview', { application: 'shop' }]],
])('%s', async (action, given, expected) => {
  expect(await told(step(`      - uses: ${action}\n        with: { ${given} }\n`))).toEqual([expected]);
});

it('an action that sets a program up, or takes a preview down, deploys nothing', async () => {
  expect(
    await told(step('      - uses: superfly/flyctl-actions/setup-flyctl@master\n      - uses: google-github-actions/setup-gcloud@v2\n')),
  ).toEqual([]);
  expect(await told(step('      - uses: azure/static-web-apps-deploy@v1\n        with: { action: close }\n'))).toEqual([]);
  expect(
    (await readFacts({ [path]: step('      - uses: superfly/flyctl-actions/setup-flyctl@master\n') })).facts.map(({ name }) => name),
  ).toEqual(['superfly/flyctl-actions/setup-flyctl', 'superfly/flyctl-actions']);
});

it('values go from the workflow, the job, the matrix, the inputs and a step before to the command', async () => {
  const matrix = step(
    '      - run: railway up --service ${{ matrix.app }}\n        working-directory: apps/${{ matrix.app }}\n',
    'push',
    '    strategy: { matrix: { app: [web, api] } }\n',
  );
  expect(await told(matrix)).toEqual([
    ['railway', 'apps/web', 'deploy', { service_id: 'web' }],
    ['railway', 'apps/api', 'deploy', { service_id: 'api' }],
  ]);
  const env = `env:\n  APP: shop-\${{ github.event.pull_request.number }}\n${step('      - run: flyctl deploy --app "$APP" --org ${{ env.ORG }}\n        env: { ORG: ignored }\n', 'pull_request', '    env: { ORG: acme }\n')}`;
  expect(await told(env)).toEqual([['fly', '', 'preview', { name: 'shop-${ctx.pr.number}', org_slug: 'acme' }]]);
  const before = step(
    '      - id: n\n        run: echo "app=shop-${{ github.head_ref }}" >> $GITHUB_OUTPUT\n      - run: flyctl deploy -a ${{ steps.n.outputs.app }}\n',
  );
  expect(await told(before)).toEqual([['fly', '', 'preview', { name: 'shop-${ctx.git.branch}' }]]);
});

it('a workflow that others call says by its name or its words that it is for previews', async () => {
  const call = step('      - run: flyctl deploy -a x-${{ inputs.app }}\n', '{ workflow_call: { inputs: { app: { default: web } } } }');
  expect(await told(call)).toEqual([['fly', '', 'preview', { application: 'x-web' }]]);
  expect(await told(call, '.github/workflows/deploy.yml')).toEqual([['fly', '', 'deploy', { application: 'x-web' }]]);
  expect(
    await told(
      'runs:\n  using: composite\n  steps:\n    - run: npx wrangler deploy --name a-${{ github.event.number }}\n',
      '.github/actions/x/action.yml',
    ),
  ).toEqual([['cloudflare', '', 'preview', { name: 'a-${ctx.pr.number}' }]]);
});

it('a workflow that makes a branch of a database is told as its maker', async () => {
  const neon = step('      - uses: neondatabase/create-branch-action@v5\n        with: { project_id: a }\n');
  const { hosts } = await readFacts({ [path]: neon });
  expect(hosts).toEqual([expect.objectContaining({ isMaker: true, makes: [expect.objectContaining({ service: 'neon' })] })]);
  expect((await readFacts({ [path]: step('      - run: pscale branch create db pr-1 --org acme\n') })).hosts[0]?.makes?.[0]?.service).toBe(
    'planetscale',
  );
  expect((await readFacts({ [path]: step('      - run: supabase branches create x\n', 'push') })).hosts).toEqual([]);
});

it('services of tests are images of CI, and a schedule is one of GitHub', async () => {
  const text = step(
    '      - run: npm test\n',
    '{ schedule: [{ cron: "0 1 * * *" }], push: }',
    '    services: { db: { image: "postgres:16-alpine" }, cache: redis }\n',
  );
  const { facts, schedules } = await readFacts({ [path]: text });
  expect(facts.filter(({ kind }) => kind === 'image').map(({ name, use }) => [name, use])).toEqual([
    ['postgres', 'ci'],
    ['redis', 'ci'],
  ]);
  expect(schedules).toEqual([expect.objectContaining({ by: 'github' })]);
});

it.each([
  [
    '.gitlab-ci.yml',
    'review:\n  script:\n    - flyctl deploy -a shop-$CI_MERGE_REQUEST_IID\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "merge_request_event"\n',
    ['fly', '', 'preview', { name: 'shop-${ctx.pr.number}' }],
  ],
  [
    '.gitlab-ci.yml',
    '.base:\n  only: [merge_requests]\na:\n  extends: .base\n  script: [netlify deploy --site abc]\n',
    ['netlify', '', 'preview', { site_id: 'abc' }],
  ],
  ['.gitlab-ci.yml', 'pages:\n  script: [hugo]\n  artifacts: { paths: [public] }\n', ['gitlab_pages', '', 'deploy', {}]],
  [
    '.circleci/config.yml',
    'orbs: { heroku: circleci/heroku@2 }\njobs: { a: { steps: [heroku/deploy-via-git] } }\n',
    ['heroku', '', 'deploy', {}],
  ],
  [
    '.circleci/config.yml',
    'jobs: { a: { steps: [{ run: { command: "firebase deploy -P acme", working_directory: ~/project/web } }] } }\n',
    ['firebase_hosting', 'web', 'deploy', { project: 'acme' }],
  ],
  [
    'bitbucket-pipelines.yml',
    'pipelines:\n  pull-requests:\n    "**":\n      - step: { script: ["vercel deploy --scope acme"] }\n',
    ['vercel', '', 'preview', { 'provider.slug': 'acme' }],
  ],
  [
    'bitbucket-pipelines.yml',
    'pipelines: { branches: { main: [{ step: { script: [{ pipe: "atlassian/google-cloud-run-deploy:1.0", variables: { SERVICE: shop, REGION: europe-west1 } }] } }] } }\n',
    ['cloud_run', '', 'deploy', { service: 'shop', location: 'europe-west1' }],
  ],
  [
    'azure-pipelines.yml',
    'steps:\n  - task: AzureWebApp@1\n    inputs: { appName: shop }\n',
    ['azure_app_service', '', 'deploy', { application: 'shop' }],
  ],
  [
    'azure-pipelines.yml',
    'steps:\n  - task: AzureCLI@2\n    inputs:\n      inlineScript: az containerapp up -n shop -g rg\n',
    ['azure_container_apps', '', 'deploy', { application: 'shop', resource_group: 'rg' }],
  ],
  ['.buildkite/pipeline.yml', 'steps:\n  - command: railway up\n    if: build.pull_request.id != null\n', ['railway', '', 'preview', {}]],
  ['.travis.yml', 'deploy: { provider: heroku }\n', ['heroku', '', 'deploy', {}]],
  ['.drone.yml', 'steps:\n  - name: a\n    commands: [kubectl apply -f k8s]\n', ['kubernetes', '', 'deploy', {}]],
  ['Jenkinsfile', "stage('a') { steps { sh 'eb deploy shop' } }\n", ['aws_elastic_beanstalk', '', 'deploy', {}]],
  ['Makefile', 'deploy:\n\t@cd web && netlify deploy --site abc\nrun:\n\techo x\n', ['netlify', 'web', 'script', { site_id: 'abc' }]],
  [
    'scripts/deploy.sh',
    '#!/bin/sh\nset -e\ngcloud run deploy shop --region europe-west1\n',
    ['cloud_run', '', 'script', { location: 'europe-west1', service: 'shop' }],
  ],
  [
    'cloudbuild.yaml',
    'steps:\n  - name: gcr.io/google.com/cloudsdktool/cloud-sdk\n    entrypoint: gcloud\n    args: [run, deploy, $_SERVICE, --region, $_REGION]\nsubstitutions: { _SERVICE: shop, _REGION: europe-west1 }\n',
    ['cloud_run', '', 'deploy', { location: 'europe-west1', service: 'shop' }],
  ],
])('%s: %s', async (at, text, expected) => {
  expect(await told(text, at)).toEqual([expected]);
});

it('orbs, images and commands of other systems are facts, and variables are names', async () => {
  const text =
    'orbs: { s: getsentry/sentry@1 }\njobs:\n  a:\n    docker: [{ image: "cimg/node:22" }, { image: "mongo:7" }]\n    environment: { MONGO_URL: "mongodb://localhost/x" }\n    steps: [{ run: npx sentry-cli releases new }]\n';
  const { facts, variables } = await readFacts({ '.circleci/config.yml': text }, { ...noQuestions, schemes: ['mongodb'] });
  expect(facts.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
    expect.arrayContaining(['orb getsentry/sentry', 'image mongo', 'command sentry-cli']),
  );
  expect(variables.map(({ name, schemes }) => [name, schemes])).toEqual([['MONGO_URL', ['mongodb']]]);
  const docker = await readFacts({
    'api/Dockerfile': 'FROM node:22 AS base\nARG NEXT_PUBLIC_A\nENV B=secret\nFROM base\nCMD ["doppler", "run", "--", "node", "a.js"]\n',
  });
  expect(docker.facts.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['image node', 'command doppler', 'command node']);
  expect(docker.variables.map(({ name }) => name)).toEqual(['NEXT_PUBLIC_A', 'B']);
});

it('a broken or hostile workflow says nothing, and is read quickly', async () => {
  expect(await told('on: [pull_request\njobs: {')).toEqual([]);
  expect(await told('- a\n- b\n')).toEqual([]);
  const deep = `${'{a: '.repeat(2000)}1${'}'.repeat(2000)}`;
  const wide = step(
    `      - run: ${'${{ '.repeat(20_000)}\n`,
    'pull_request',
    '    strategy: { matrix: { a: [1,2,3,4,5,6], b: [1,2,3,4,5,6], c: [1,2,3,4,5,6] } }\n',
  );
  const all = async () => [await told(deep), await told(wide), await told(deep, '.gitlab-ci.yml')];
  expect(await work(all)).toBeLessThan(10_000);
});

it('the site of a job is a path from the root, whatever the working directory of its commands', async () => {
  const site = (path: string): string =>
    step(
      `      - run: deno task build\n      - uses: actions/upload-pages-artifact@v3\n        with:\n          path: ${path}\n      - uses: actions/deploy-pages@v4\n`,
      'push',
      '    defaults:\n      run:\n        working-directory: pages\n',
    );
  expect(await told(site('pages/_site'))).toEqual([['github_pages', 'pages', 'deploy', {}]]);
  expect(await told(site('_site'))).toEqual([['github_pages', 'pages', 'deploy', {}]]);
});

it('pages about an app are no deployment of the app', async () => {
  const docs = (build: string): string => step(`      - run: ${build}\n      - run: netlify deploy --dir=site\n`);
  for (const build of ['mkdocs build', 'make -C docs html', 'tox -e docs'])
    expect((await readFacts({ [path]: docs(build) })).hosts).toMatchObject([
      { provider: 'netlify', folder: '', by: 'script', isOfDocs: true },
    ]);
  expect(await told(docs('npm run build'))).toEqual([['netlify', 'site', 'preview', {}]]);
});

it('a workflow that others call may be given the command that it runs', async () => {
  const text = 'on: push\njobs:\n  a:\n    uses: ./.github/workflows/run.yml\n    with:\n      command: KEY=1 kamal deploy --version x\n';
  expect(await told(text)).toEqual([['kamal', '', 'deploy', {}]]);
});
