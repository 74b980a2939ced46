import { expect, it } from 'vitest';
import { readFacts } from '../../../test/support/read-facts.ts';
import type { Manifest } from './facts.ts';
import { withStarted } from './started.ts';

const manifest = (file: string, name: string, scripts: Manifest['scripts']): Manifest => ({
  ...{ file, name, scripts, ecosystem: 'npm', packages: [], isPublished: null, hasProgram: false, members: [], references: [] },
});
const workflow = (step: string, on = 'push'): string => `on: ${on}\nenv:\n  REGION: x\njobs:\n  a:\n    steps:\n${step}`;
const ci = '.github/workflows/ship.yml';

const told = async (files: Record<string, string>, manifests: readonly Manifest[] = []): Promise<readonly unknown[]> => {
  const { hosts } = withStarted({ ...(await readFacts(files)), manifests });
  return hosts.filter(({ by }) => by === 'deploy' || by === 'preview').map(({ provider, folder, by }) => [provider, folder, by]);
};

it.each([
  [
    'a shell script by its path, of any name, behind a function of its own',
    {
      [ci]: workflow('      - run: bash ./tools/go.sh prod\n'),
      'tools/go.sh': 'loud() { "$@"; }\nloud gcloud run deploy shop --image x\n',
    },
    ['cloud_run', '', 'deploy'],
  ],
  [
    'a script that starts another, from the folder of the step',
    {
      [ci]: workflow('      - run: ../ci/a.sh\n        working-directory: api\n', 'pull_request'),
      'ci/a.sh': '"$HERE/b.sh" x\n',
      'ci/b.sh': 'cd web\naws ecs update-service --service shop\n',
    },
    ['aws_ecs', 'api/web', 'preview'],
  ],
  [
    'a target of a make file, through the target before it',
    {
      [ci]: workflow('      - run: cd ops && make -s prod\n'),
      'ops/Makefile': 'prod: ship\n\techo x\nship:\n\t@fly deploy -c fly.toml\nold:\n\tcf push\n',
    },
    ['fly', 'ops', 'deploy'],
  ],
  [
    'a script of GitLab',
    {
      '.gitlab-ci.yml': 'ship:\n  script:\n    - ./bin/ship\n  only: [main]\n',
      'bin/ship.sh': 'cf push\n',
      'bin/ship': 'heroku container:release web -a shop\n',
    },
    ['heroku', '', 'deploy'],
  ],
  [
    'a program that deploys by the library of a cloud',
    {
      [ci]: workflow('      - run: uv run python deploy/new_deployment.py\n'),
      'deploy/new_deployment.py': 'client = session.client("codedeploy")\nclient.create_deployment(applicationName="Shop")\n',
    },
    ['aws_ec2', '', 'deploy'],
  ],
  [
    'a program that starts that of a host',
    {
      [ci]: workflow('      - run: npx tsx tools/ship.ts\n'),
      'tools/ship.ts': "await run('flyctl', ['deploy', '--remote-only'])\n",
    },
    ['fly', '', 'deploy'],
  ],
])('CI starts %s', async (_, files, expected) => {
  expect(await told(files)).toEqual([expected]);
});

it('CI starts a script of a manifest, of its folder or of a package of the workspace', async () => {
  const manifests = [
    manifest('package.json', 'all', { deploy: 'npm run build && gh-pages -d dist' }),
    manifest('apps/web/package.json', '@acme/web', { ship: 'sst deploy --stage prod', check: 'wrangler deploy --dry-run' }),
  ];
  expect(await told({ [ci]: workflow('      - run: yarn deploy\n') }, manifests)).toEqual([['github_pages', '', 'deploy']]);
  const inner = '      - run: pnpm --filter @acme/web run ship\n      - run: npm --prefix apps/web run check\n';
  expect(await told({ [ci]: workflow(inner) }, manifests)).toEqual([['aws_lambda', 'apps/web', 'deploy']]);
});

it('a script that nobody in CI starts is no step of it, and a loop of scripts ends', async () => {
  expect(await told({ 'tools/go.sh': 'fly deploy\n', [ci]: workflow('      - run: cat tools/go.sh\n') })).toEqual([]);
  expect(await told({ 'a.sh': './b.sh\n', 'b.sh': './a.sh\nfly deploy\n', [ci]: workflow('      - run: ./a.sh\n') })).toEqual([
    ['fly', '', 'deploy'],
  ]);
});

it('what a step sets for a script that deploys is set for the app', async () => {
  const files = { [ci]: workflow('      - run: ./go.sh\n'), 'go.sh': 'netlify deploy --prod\n' };
  const { hosts, variables } = withStarted({ ...(await readFacts(files)), manifests: [] });
  expect(hosts.at(-1)?.variables).toEqual(['REGION']);
  expect(variables).toEqual([expect.objectContaining({ name: 'REGION', use: 'runtime' })]);
});
