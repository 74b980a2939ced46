import { expect, it } from 'vitest';
import { readFacts } from '../../../../test/support/read-facts.ts';

const ci = '.github/workflows/ship.yml';
const workflow = (steps: string, more = ''): string => `on: push\njobs:\n  a:\n    runs-on: x\n${more}    steps:\n${steps}`;
const told = async (text: string, path = ci): Promise<readonly unknown[]> =>
  (await readFacts({ [path]: text })).hosts
    .filter(({ isWithoutSite }) => isWithoutSite !== true)
    .map(({ provider, folder, by }) => [provider, folder, by]);

it.each([
  ['      - run: npx wrangler pages deploy apps/docs/.vitepress/dist --project-name x\n', 'cloudflare', 'apps/docs'],
  ['      - run: npx surge --project packages/ui/site/dist a.surge.sh\n', 'surge', 'packages/ui/site'],
  ['      - uses: peaceiris/actions-gh-pages@v4\n        with: { publish_dir: ./web/build }\n', 'github_pages', 'web'],
  [
    '      - uses: actions/upload-pages-artifact@v3\n        with: { path: book/_build }\n      - uses: actions/deploy-pages@v4\n',
    'github_pages',
    'book',
  ],
  ["      - run: az storage blob upload-batch -s admin/dist -d '$web' --account-name x\n", 'azure_storage_website', 'admin'],
])('the built files that a step uploads tell the folder: %s', async (steps, provider, folder) => {
  expect(await told(workflow(steps))).toEqual([[provider, folder, 'deploy']]);
});

it.each([
  '      - run: netlify deploy --dir playwright-report\n',
  '      - uses: cloudflare/pages-action@v1\n        with: { directory: coverage }\n',
  '      - run: npx gh-pages -d storybook-static\n',
  '      - run: npx wrangler deploy --dry-run --outdir x\n      - run: firebase deploy --only firestore:rules\n',
  '      - run: bundle exec fastlane scan\n      - run: fastlane ios test\n',
  '      - uses: actions/checkout@v4\n        with: { repository: acme/phone }\n      - run: fastlane release\n',
])('reports, dry runs, tests and another repository deploy no app: %s', async (steps) => {
  expect((await told(workflow(steps))).filter((one) => JSON.stringify(one).includes('"deploy"'))).toEqual([]);
});

it('the images that a workflow builds tell the folders', async () => {
  const deploy = '      - uses: aws-actions/amazon-ecs-deploy-task-definition@v2\n';
  const built =
    '      - uses: docker/build-push-action@v6\n        with: { context: ., file: apps/api/Dockerfile }\n      - run: docker build -t x ./worker\n';
  expect(await told(workflow(built + deploy))).toEqual([
    ['aws_ecs', 'apps/api', 'deploy'],
    ['aws_ecs', 'worker', 'deploy'],
  ]);
  const other = `${workflow('      - run: gcloud builds submit api --tag x\n')}  b:\n    steps:\n      - run: gcloud run deploy shop --image x\n`;
  expect(await told(other)).toEqual([['cloud_run', 'api', 'deploy']]);
});

it('a deployment on a machine of the owner, or through Docker of another machine, is a server of their own', async () => {
  const up = '      - run: docker compose up -d\n';
  const owned = workflow(up).replace('runs-on: x', 'runs-on: [self-hosted, prod]');
  expect(await told(owned, '.github/workflows/deploy.yml')).toEqual([['own_server', '', 'deploy']]);
  expect(await told(owned, '.github/workflows/test.yml')).toEqual([]);
  expect(await told(workflow(up), '.github/workflows/deploy.yml')).toEqual([]);
  expect(await told(workflow('      - run: docker -H ssh://a@b compose up -d\n'))).toEqual([['own_server', '', 'deploy']]);
  expect(await told(workflow('      - run: DOCKER_HOST=ssh://a@b docker stack deploy -c x.yml shop\n'))).toEqual([
    ['own_server', '', 'deploy'],
  ]);
});

it('the inputs of an action that nobody knows name the host', async () => {
  const uses = (name: string, input: string): string => workflow(`      - uses: ${name}@v1\n        with: { ${input}: x }\n`);
  expect(await told(uses('acme/ship', 'redeploy_ecs_service'))).toEqual([['aws_ecs', '', 'deploy']]);
  expect(await told(uses('acme/release', 'heroku-app-name'))).toEqual([['heroku', '', 'deploy']]);
  expect(await told(uses('acme/wait-for-service', 'ecs-service'))).toEqual([]);
  expect(await told(uses('acme/ship', 'token'))).toEqual([]);
});

it('a condition on the default branch keeps a job away from pull requests', async () => {
  const when = (condition: string): string =>
    `on: [push, pull_request]\njobs:\n  a:\n    if: ${condition}\n    steps:\n      - run: fly deploy\n`;
  expect(await told(when('github.ref_name == github.event.repository.default_branch'))).toEqual([['fly', '', 'deploy']]);
  expect(await told(when("github.ref == format('refs/heads/{0}', github.event.repository.default_branch)"))).toEqual([
    ['fly', '', 'deploy'],
  ]);
});

it('Cloud Build is known by its images, and runs what it gives to a shell', async () => {
  const text = [
    'steps:',
    '  - name: gcr.io/cloud-builders/gcloud',
    '    entrypoint: bash',
    '    args: [-c, "run_it gcloud run deploy shop --image x"]',
    '  - name: gcr.io/cloud-builders/gke-deploy',
    '    args: [run, --filename=k8s]',
  ].join('\n');
  expect((await told(text, 'release/all.yaml')).map((one) => JSON.stringify(one))).toEqual([
    '["cloud_run","release","deploy"]',
    '["gke","release","deploy"]',
  ]);
});

it.each([
  ['.cloud66/manifest.yml', 'production: {}\n', 'cloud66', ''],
  ['.lagoon.yml', 'docker-compose-yaml: docker-compose.yml\n', 'lagoon', ''],
  ['server/src/main/webapp/WEB-INF/appengine-web.xml', '<appengine-web-app/>', 'app_engine', 'server'],
])('%s shows its host', async (path, text, provider, folder) => {
  expect(await told(text, path)).toEqual([[provider, folder, 'config']]);
});

it('Lagoon makes the databases that a compose file labels', async () => {
  const text = 'services:\n  cli:\n    labels: { lagoon.type: cli-persistent }\n  db:\n    labels: { lagoon.type: mariadb }\n';
  const { hosts } = await readFacts({ 'docker-compose.yml': text });
  expect(hosts).toEqual([
    expect.objectContaining({ provider: 'lagoon', makes: [{ service: 'mariadb', what: 'a container of each branch' }] }),
  ]);
});
