import { describe, expect, it } from 'vitest';
import type { Detect } from '../../src/ops/detect.ts';
import type { Files } from './lay-files.ts';
import { surveyOf } from './survey-of.ts';

const json = (value: unknown): string => JSON.stringify(value);
const app = { 'package.json': json({ name: 'harbour', private: true, dependencies: { next: '15.0.0' } }) };

const servicesIn = async (files: Files, detects: { readonly [name: string]: Detect }): Promise<readonly string[]> =>
  (await surveyOf({ ...app, ...files }, detects)).claims.map(({ service }) => service);

describe('the id of an account and its key', () => {
  const detect = { lantern: { may: { variables: ['LANTERN_*'] } } };
  it.each<readonly [string, string, readonly string[]]>([
    ['together', 'LANTERN_APP_ID=\nLANTERN_PRIVATE_KEY=\n', ['lantern']],
    ['as a file of the key', 'LANTERN_APP_ID=\nLANTERN_APP_PEM=\n', ['lantern']],
    ['an id of something in it', 'LANTERN_ROOM_ID=\nLANTERN_KEY=\n', []],
    ['the id alone', 'LANTERN_APP_ID=\nLANTERN_CHANNEL_ID=\n', []],
    ['the key alone', 'LANTERN_KEY=\nLANTERN_HOST=\n', []],
  ])('%s', async (_, text, services) => {
    expect(await servicesIn({ '.env.example': text }, detect)).toEqual(services);
  });
  it('of a test tell of nothing', async () => {
    expect(await servicesIn({ '.env.test': 'LANTERN_APP_ID=\nLANTERN_PRIVATE_KEY=\n' }, detect)).toEqual([]);
  });
});

describe("a command of AWS's program", () => {
  const detects = {
    cdn: { uses: { modules: ['aws:cloudfront'] } },
    store: { uses: { modules: ['aws:ssm'] } },
    bucket: { uses: { modules: ['aws:s3'] } },
  };
  const job = (steps: string): Files => ({
    '.github/workflows/ship.yml': `on: { push: { branches: [main] } }\njobs:\n  ship:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`,
  });
  const sync = '      - run: aws s3 sync ./out s3://harbour-site\n';
  it.each<readonly [string, Files, readonly string[]]>([
    ['in a job that deploys', job(`${sync}      - run: aws --region eu-west-1 cloudfront create-invalidation --paths "/*"\n`), ['cdn']],
    ['as an action in a job that deploys', job(`${sync}      - uses: chetan/invalidate-cloudfront-action@v2\n`), ['cdn']],
    ['in a job that tests', job('      - run: aws ssm get-parameters --names /harbour/test\n'), []],
    ['that starts a program on a machine', job(`${sync}      - run: aws ssm send-command --document-name AWS-RunShellScript\n`), []],
    [
      'in the script with which an image starts',
      { 'docker-entrypoint.sh': 'export KEY=$(aws ssm get-parameter --name /harbour/key)\n' },
      ['store'],
    ],
    ['in a Dockerfile', { Dockerfile: 'FROM node:22\nCMD aws ssm get-parameters-by-path --path /harbour > .env && node .\n' }, ['store']],
  ])('%s', async (_, files, services) => {
    expect(await servicesIn(files, detects)).toEqual(services);
  });
});

describe('keys of settings', () => {
  const detects = {
    lantern: { uses: { variables: ['LANTERN_API_KEY', 'LANTERN_APP_ID'] } },
    beacon: { uses: { variables: ['BEACON_*'] } },
  };
  it.each<readonly [string, Files, readonly string[]]>([
    [
      'of Angular',
      { 'src/environments/environment.prod.ts': "export const environment = { production: true, lanternApiKey: 'x' };\n" },
      ['lantern'],
    ],
    ['of Expo', { 'app.json': json({ expo: { name: 'harbour', extra: { lanternAppId: 'x' } } }) }, ['lantern']],
    ['one inside the other', { 'config/default.json': json({ beacon: { apiKey: '' }, port: 1 }) }, ['beacon']],
    ['of a comment', { 'src/config.ts': '// lanternApiKey: x\nexport const config = { lanternHost: 1 };\n' }, []],
    ['of Elixir', { 'config/runtime.exs': 'import Config\nconfig :harbour, :beacon,\n  api_key: "x"\n' }, ['beacon']],
    ['of Elixir, in one word', { 'config/config.exs': 'import Config\nconfig :harbour, lantern_api_key: nil\n' }, ['lantern']],
    [
      'that code of Elixir asks for',
      { 'lib/harbour/mail.ex': 'def key, do: Application.fetch_env!(:harbour, :lantern_api_key)\n' },
      ['lantern'],
    ],
    ['of the tests of Elixir', { 'config/test.exs': 'import Config\nconfig :harbour, :beacon, api_key: "x"\n' }, []],
  ])('%s', async (_, files, services) => {
    expect(await servicesIn(files, detects)).toEqual(services);
  });
});

describe('settings that a package of Laravel brings', () => {
  const detect = { lantern: { uses: { variables: ['LANTERN_API_KEY'] } } };
  const listed = ['APP_KEY', 'APP_URL', ...'ABCDEFGHIJ'].map((name) => `${name.length > 1 ? name : `OTHER_${name}`}=`).join('\n');
  const settings = "<?php return ['drivers' => ['lantern' => ['key' => env('LANTERN_API_KEY')]]];";
  it.each<readonly [string, Files, readonly string[]]>([
    ['that the list of variables lacks', { '.env.example': listed, 'config/geo.php': settings }, []],
    ['that the list has', { '.env.example': `${listed}\nLANTERN_API_KEY=\n`, 'config/geo.php': settings }, ['lantern']],
    ['beside what each app has', { '.env.example': listed, 'config/mail.php': settings }, ['lantern']],
    ["of the app's own accounts", { '.env.example': listed, 'config/services.php': settings }, ['lantern']],
    ['without a list', { 'config/geo.php': settings }, ['lantern']],
  ])('%s', async (_, files, services) => {
    expect(await servicesIn(files, detect)).toEqual(services);
  });
});

describe('constants of a stack of SST', () => {
  it('are variables of the app', async () => {
    const detect = { lantern: { uses: { variables: ['LANTERN_API_KEY'] } } };
    const code = "import { Config } from 'sst/node/config';\nexport const key = Config.LANTERN_API_KEY;\n";
    expect(await servicesIn({ 'src/lantern.ts': code }, detect)).toEqual(['lantern']);
    expect(await servicesIn({ 'src/lantern.ts': code.replace("'sst/node/config'", "'./own'") }, detect)).toEqual([]);
  });
});

describe('addresses that are not of the app', () => {
  const detect = { lantern: { uses: { hosts: ['api.lantern.example'] } } };
  it('stand in data that stands for a service', async () => {
    const text = "export const rows = [{ url: 'https://api.lantern.example/v1/a' }];\n";
    for (const file of ['src/rows/dummy/data.ts', '__dummy__/rows.ts', 'prisma/seedData.ts'])
      expect(await servicesIn({ [file]: text }, detect)).toEqual([]);
    expect(await servicesIn({ 'src/rows/data.ts': text }, detect)).toEqual(['lantern']);
  });
  it('stand in what a build put among the files of a server', async () => {
    const text = `var a="https://api.lantern.example/v1";${'b();'.repeat(2_000)}\n`;
    expect(await servicesIn({ 'public/js/panel/echo.js': text }, detect)).toEqual([]);
    expect(await servicesIn({ 'public/js/panel/echo.js': text.slice(0, 100) }, detect)).toEqual(['lantern']);
  });
  it('stand in texts for people, and not in the templates that show these', async () => {
    const text = '<script src="https://api.lantern.example/embed.js"></script>\n';
    expect(await servicesIn({ 'site/blog/first.html': text }, detect)).toEqual([]);
    expect(await servicesIn({ 'site/templates/blog/post.html': text }, detect)).toEqual(['lantern']);
  });
  it('are values of a DNS record', async () => {
    const record = (kind: string): string => `resource "${kind}" "mail" {\n  name = "mail"\n  records = ["api.lantern.example"]\n}\n`;
    expect(await servicesIn({ 'infra/dns.tf': record('aws_route53_record') }, detect)).toEqual([]);
    expect(await servicesIn({ 'infra/job.tf': record('acme_job') }, detect)).toEqual(['lantern']);
  });
});

describe('a package of the workspace that only types are taken of', () => {
  const lists = { may: { packages: {} }, uses: { packages: { npm: ['lantern-sdk'] } } };
  const files = (imported: string): Files => ({
    'package.json': json({ name: 'root', private: true, workspaces: ['apps/*', 'packages/*'] }),
    'apps/web/package.json': json({
      name: '@harbour/web',
      private: true,
      dependencies: { next: '15.0.0' },
      scripts: { build: 'next build' },
    }),
    'apps/web/vercel.json': '{}',
    'apps/web/app/page.tsx': imported,
    'packages/mail/package.json': json({ name: '@harbour/mail', private: true, dependencies: { 'lantern-sdk': '1' } }),
    'packages/mail/index.ts': '',
  });
  it('gives the app none of its services, over several lines as well', async () => {
    const types = "import type {\n  Letter,\n  Stamp,\n} from '@harbour/mail';\n";
    expect((await surveyOf(files(types), { lantern: lists })).claims).toEqual([]);
    const value = "import {\n  send,\n  type Letter,\n} from '@harbour/mail';\n";
    expect((await surveyOf(files(value), { lantern: lists })).claims.map(({ service }) => service)).toEqual(['lantern']);
  });
});

describe('what Terraform is set up for', () => {
  const detect = { lantern: { uses: { variables: ['LANTERN_API_KEY'], resources: ['lantern_*'] } } };
  it.each<readonly [string, string, readonly string[]]>([
    ['a provider', 'provider "lantern" {\n  region = "eu"\n}\n', ['lantern']],
    ['a module with the name of a service', 'module "watch" {\n  source = "./vendor/modules/monitoring/lantern"\n}\n', ['lantern']],
    ['a variable for its key', 'variable "lantern_api_key" {\n  sensitive = true\n}\n', ['lantern']],
    ['a variable of another kind', 'variable "lantern_replicas" {\n  type = number\n}\n', []],
  ])('%s', async (_, text, services) => {
    expect(await servicesIn({ 'infra/main.tf': text }, detect)).toEqual(services);
  });
});
