import { describe, expect, it } from 'vitest';
import { survey } from '../../src/onboard/detect/take-survey.ts';
import { type Files, layFiles } from './lay-files.ts';
import { type Detects, servicesOf, surveyOf } from './survey-of.ts';

const shop: Detects = {
  shop: {
    uses: {
      packages: {
        npm: ['shop-sdk'],
        pypi: ['shop-sdk'],
        go: ['github.com/shop/sdk'],
        cargo: ['shop-sdk'],
        maven: ['com.shop:sdk'],
        rubygems: ['shop-sdk'],
        nuget: ['Shop.Sdk'],
      },
    },
    may: { packages: { npm: ['shop-types'] }, variables: ['SHOP_*'] },
    nothing: { variables: ['SHOP_NAME'] },
  },
};

const claimed = async (files: Files): Promise<readonly string[]> => (await surveyOf(files, shop)).claims.map(({ service }) => service);
const json = (value: unknown): string => JSON.stringify(value);
const uses = { dependencies: { 'shop-sdk': '1' } };

describe('a package of the repository that an app uses speaks for the app', () => {
  it.each<[string, Files]>([
    [
      'npm',
      {
        'package.json': json({ private: true, workspaces: ['apps/*', 'packages/*'] }),
        'apps/web/package.json': json({ name: 'web', dependencies: { next: '15', '@acme/pay': 'workspace:*' } }),
        'packages/pay/package.json': json({ name: '@acme/pay', private: true, ...uses }),
      },
    ],
    [
      'Go',
      {
        'go.work': 'go 1.24\nuse (\n\t./api\n\t./pay\n)\n',
        'api/go.mod': 'module example.com/api\n\ngo 1.24\n\nrequire example.com/pay v0.0.0\n',
        'api/main.go': 'package main\n',
        'api/Dockerfile': 'FROM golang\n',
        'pay/go.mod': 'module example.com/pay\n\ngo 1.24\n\nrequire github.com/shop/sdk v1.0.0\n',
        'pay/pay.go': 'package pay\n',
      },
    ],
    [
      'Cargo',
      {
        'Cargo.toml': '[workspace]\nmembers = ["api", "pay"]\n',
        'api/Cargo.toml': '[package]\nname = "api"\nversion = "0.1.0"\n[dependencies]\naxum = "0.8"\npay = { path = "../pay" }\n',
        'api/src/main.rs': 'fn main() {}\n',
        'pay/Cargo.toml': '[package]\nname = "pay"\nversion = "0.1.0"\n[dependencies]\nshop-sdk = "1"\n',
        'pay/src/lib.rs': '',
      },
    ],
    [
      'Gradle',
      {
        'settings.gradle': "include ':api', ':libs:pay'\n",
        'api/build.gradle':
          "plugins { id 'org.springframework.boot' version '3.4.0' }\ndependencies { implementation project(':libs:pay') }\n",
        'libs/pay/build.gradle': "dependencies { implementation 'com.shop:sdk:1.0' }\n",
      },
    ],
    [
      '.NET',
      {
        'Web/Web.csproj':
          '<Project Sdk="Microsoft.NET.Sdk.Web"><ItemGroup><ProjectReference Include="..\\Pay\\Pay.csproj" /></ItemGroup></Project>',
        'Pay/Pay.csproj':
          '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Shop.Sdk" Version="1" /></ItemGroup></Project>',
      },
    ],
  ])('of %s', async (_, files) => expect(await claimed(files)).toEqual(['shop']));
});

describe('what speaks for nobody else', () => {
  const app = { 'package.json': json({ name: 'app', private: true, dependencies: { next: '15' } }) };
  it.each<[string, Files]>([
    ['an example', { ...app, 'examples/pay/package.json': json(uses) }],
    ['a test', { ...app, 'test/e2e/package.json': json(uses) }],
    ['docs', { ...app, 'docs/package.json': json(uses) }],
    ['a template', { ...app, 'templates/basic/package.json': json({ name: '{{name}}', ...uses }) }],
    ['a tool', { ...app, 'tools/release/package.json': json({ name: 'release', ...uses }) }],
    ['a test of code', { ...app, 'src/pay.test.ts': 'process.env.SHOP_KEY; process.env.SHOP_ID' }],
    [
      'a package of a workspace that nobody uses',
      {
        'package.json': json({ private: true, workspaces: ['apps/*', 'packages/*'] }),
        'apps/web/package.json': json({ name: 'web', dependencies: { next: '15' } }),
        'packages/pay/package.json': json({ name: 'pay', ...uses }),
      },
    ],
  ])('is %s', async (_, files) => expect(await claimed(files)).toEqual([]));
});

const packaged = '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "app"\ndependencies = ["shop-sdk"]\n';

describe('a published package that nothing deploys', () => {
  it.each<[string, Files]>([
    ['npm', { 'package.json': json({ name: 'lib', version: '1.0.0', main: 'index.js', files: ['dist'], ...uses }) }],
    ['Go', { 'go.mod': 'module example.com/lib\n\nrequire github.com/shop/sdk v1.0.0\n', 'lib.go': 'package lib\n' }],
    ['Cargo', { 'Cargo.toml': '[package]\nname = "lib"\nversion = "1.0.0"\n[dependencies]\nshop-sdk = "1"\n', 'src/lib.rs': '' }],
    [
      'PyPI, on no index yet',
      {
        'pyproject.toml':
          '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "lib"\n[project.optional-dependencies]\npay = ["shop-sdk"]\n',
        'src/lib/__init__.py': '',
        'src/lib/pay.py': 'import shop\n',
        'tests/test_pay.py': '',
      },
    ],
    ['RubyGems', { 'lib.gemspec': "Gem::Specification.new do |s|\n  s.name = 'lib'\n  s.add_dependency 'shop-sdk'\nend\n" }],
  ])('of %s is told and has no services', async (_, files) => {
    const { claims, library } = await surveyOf(files, shop);
    expect(claims).toEqual([]);
    expect(library).not.toBeNull();
  });

  it('is an app where a program starts', async () => {
    const files = { 'go.mod': 'module example.com/app\n\nrequire github.com/shop/sdk v1.0.0\n', 'main.go': 'package main\n' };
    expect((await surveyOf(files, shop)).library).toBeNull();
    expect(await claimed(files)).toEqual(['shop']);
  });

  it.each<[string, Files]>([
    ['without a build system', { 'pyproject.toml': '[project]\nname = "app"\ndependencies = ["shop-sdk"]\n', 'src/shop/__init__.py': '' }],
    ['with a module that runs', { 'pyproject.toml': packaged, 'src/shop/__init__.py': '', 'src/shop/main.py': '' }],
    ['with a script at its root', { 'pyproject.toml': packaged, 'shop/__init__.py': '', 'report.py': '' }],
    ['with an image', { 'pyproject.toml': packaged, 'shop/__init__.py': '', Dockerfile: 'FROM python:3.13\n' }],
    [
      'with a file of a host',
      {
        'pyproject.toml': packaged,
        'shop/__init__.py': '',
        'render.yaml': 'services:\n  - { type: worker, name: shop, runtime: python }\n',
      },
    ],
  ])('is an app of Python %s', async (_, files) => expect(await claimed(files)).toEqual(['shop']));
});

describe('what proves a service', () => {
  const manifest = (value: object): Files => ({
    'package.json': json({ name: 'app', private: true, scripts: { start: 'node .' }, ...value }),
  });

  it.each<[string, Files, readonly string[]]>([
    ['one thing that suffices', manifest(uses), ['shop']],
    ['nothing for the work on the app alone', manifest({ devDependencies: { 'shop-sdk': '1' } }), []],
    ['hints of two kinds', { ...manifest({ devDependencies: { 'shop-types': '1' } }), '.env.example': 'SHOP_KEY=' }, ['shop']],
    ['no hint alone', { ...manifest({}), '.env.example': 'SHOP_KEY=\nSHOP_ID=' }, []],
    [
      'no name that proves nothing, though it begins as a hint',
      { ...manifest({ devDependencies: { 'shop-types': '1' } }), '.env.example': 'SHOP_NAME=' },
      [],
    ],
    [
      'a variable behind the prefix of a build',
      { ...manifest({ devDependencies: { 'shop-types': '1' } }), '.env.example': 'NEXT_PUBLIC_SHOP_KEY=' },
      ['shop'],
    ],
    [
      'no package that the repository is itself',
      { ...manifest(uses), 'packages/sdk/package.json': json({ name: 'shop-sdk', version: '1.0.0' }) },
      [],
    ],
  ])('is %s', async (_, files, services) => expect(await claimed(files)).toEqual(services));
});

it.each<[string, Files, string]>([
  ['a manifest with a placeholder', { 'package.json': json({ name: '{{project_name}}' }) }, 'package.json'],
  ['cookiecutter', { 'cookiecutter.json': '{}', '{{cookiecutter.slug}}/main.py': '' }, 'cookiecutter.json'],
  ['a folder with a placeholder', { '{{cookiecutter.slug}}/main.py': '' }, '{{cookiecutter.slug}}/main.py'],
])('%s shows a template', async (_, files, file) => expect((await surveyOf(files)).template).toMatchObject({ file }));

it('a format that nobody reads is named, with its file', async () => {
  const { unread } = await surveyOf({ 'flake.nix': '', 'MODULE.bazel': '', 'lib/BUILD.bazel': '', 'package.json': '{}' });
  expect(unread).toEqual([
    { format: 'Bazel', file: 'MODULE.bazel' },
    { format: 'Nix', file: 'flake.nix' },
  ]);
});

describe('an app that uses another deployable reads nothing of what that one reads', () => {
  const workspace = 'packages:\n  - apps/*\n  - packages/*\n';
  it.each<[string, Files]>([
    [
      'of npm, for its types',
      {
        'pnpm-workspace.yaml': workspace,
        'package.json': json({ private: true }),
        'apps/web/package.json': json({ name: '@acme/web', dependencies: { next: '15', '@acme/api': 'workspace:*' } }),
        'apps/api/package.json': json({ name: '@acme/api', private: true, dependencies: { hono: '4', ...uses.dependencies } }),
        'apps/api/fly.toml': 'app = "api"\n',
        'apps/web/vercel.json': '{}',
      },
    ],
    [
      'of npm, with a package that only the other one uses',
      {
        'pnpm-workspace.yaml': workspace,
        'package.json': json({ private: true }),
        'apps/web/package.json': json({ name: '@acme/web', devDependencies: { '@acme/api': 'workspace:*' }, dependencies: { next: '15' } }),
        'apps/api/package.json': json({ name: '@acme/api', private: true, dependencies: { '@acme/pay': 'workspace:*', express: '5' } }),
        'apps/api/Dockerfile': 'FROM node\n',
        'apps/web/vercel.json': '{}',
        'packages/pay/package.json': json({ name: '@acme/pay', private: true, ...uses }),
      },
    ],
    [
      'of Go',
      {
        'go.work': 'go 1.24\nuse (\n\t./apps/web\n\t./apps/api\n)\n',
        'apps/web/go.mod': 'module example.com/web\n\ngo 1.24\n\nrequire example.com/api v0.0.0\n',
        'apps/web/main.go': 'package main\n',
        'apps/web/fly.toml': 'app = "web"\n',
        'apps/api/go.mod': 'module example.com/api\n\ngo 1.24\n\nrequire github.com/shop/sdk v1.0.0\n',
        'apps/api/main.go': 'package main\n',
        'apps/api/fly.toml': 'app = "api"\n',
      },
    ],
  ])('%s', async (_, files) => {
    const found = await surveyOf(files, shop);
    expect(found.deployables.map(({ folder }) => folder)).toEqual(['apps/api', 'apps/web']);
    expect(found.claims.map(({ deployables }) => deployables)).toEqual([['apps/api']]);
    expect(found.reaches?.get('apps/web')).not.toContain('apps/api');
  });
});

describe('what a workflow says', () => {
  const app = { 'package.json': json({ name: 'app', private: true, dependencies: { next: '15' } }) };
  const workflow = (env: string, run: string): string =>
    `on: pull_request\njobs:\n  go:\n    runs-on: x\n    env:\n${env}    steps:\n      - run: ${run}\n`;
  const detects: Detects = {
    shop: { uses: { variables: ['SHOP_KEY'], actions: ['shop/report'] }, may: { variables: ['SHOP_ID'], images: ['shop/server'] } },
  };
  const key = '      SHOP_KEY: ${{ secrets.SHOP_KEY }}\n';
  it.each<[string, Files, readonly string[]]>([
    ['of tests proves nothing', { ...app, '.github/workflows/a.yml': workflow(key, 'npm test') }, []],
    [
      'of an action proves nothing',
      { ...app, '.github/workflows/a.yml': 'on: push\njobs: { a: { steps: [{ uses: shop/report@v1 }] } }' },
      [],
    ],
    [
      'and a compose file prove nothing together',
      {
        ...app,
        '.github/workflows/a.yml': workflow('      SHOP_ID: "1"\n', 'npm test'),
        'docker-compose.yml': 'services:\n  a:\n    image: shop/server\n',
      },
      [],
    ],
    ['in a job that deploys proves it', { ...app, '.github/workflows/a.yml': workflow(key, 'npx vercel deploy') }, ['shop']],
    [
      'and code prove it together',
      { ...app, '.github/workflows/a.yml': 'on: push\njobs: { a: { steps: [{ uses: shop/report@v1 }] } }', 'a.ts': 'process.env.SHOP_ID;' },
      ['shop'],
    ],
  ])('%s', async (_, files, expected) => {
    expect((await surveyOf(files, detects)).claims.map(({ service }) => service)).toEqual(expected);
  });
});

describe('a service that deploys apps, where another one has the app', () => {
  const detects: Detects = {
    lambda: { uses: { packages: { npm: ['@aws-sdk/client-lambda', 'lambda-server'], nuget: ['AWSSDK.Lambda'] } } },
  };
  const app = (...names: string[]): Files => ({
    'fly.toml': 'app = "shop"\n',
    'package.json': json({ name: 'app', private: true, dependencies: Object.fromEntries(['next', ...names].map((name) => [name, '1'])) }),
  });
  it.each<[string, Files, readonly string[]]>([
    ['is used by code with its client', app('@aws-sdk/client-lambda'), ['lambda']],
    [
      'is used by code of .NET with its client',
      {
        'fly.toml': 'app = "shop"\n',
        'Web.csproj':
          '<Project Sdk="Microsoft.NET.Sdk.Web"><ItemGroup><PackageReference Include="AWSSDK.Lambda" Version="1" /></ItemGroup></Project>',
      },
      ['lambda'],
    ],
    ['is shown by no package of apps that run there', app('lambda-server'), []],
  ])('%s', async (_, files, expected) => {
    const services = servicesOf({ ...detects, fly: {} }).map((one) => ({ ...one, isHost: true }));
    const { claims } = await survey(await layFiles(files), services);
    expect(claims.map(({ service }) => service).filter((name) => name !== 'fly')).toEqual(expected);
  });
});

it('a variable of a build is known without its prefix', async () => {
  const app = { 'package.json': json({ name: 'app', private: true, dependencies: { next: '15' } }) };
  const detects: Detects = { shop: { uses: { variables: ['SHOP_KEY'] } } };
  for (const name of ['NEXT_PRIVATE_SHOP_KEY', 'NEXT_PUBLIC_SHOP_KEY', 'VITE_SHOP_KEY'])
    expect((await surveyOf({ ...app, 'a.ts': `process.env.${name}` }, detects)).claims, name).toHaveLength(1);
  expect((await surveyOf({ ...app, 'a.ts': 'process.env.OTHERSHOP_KEY' }, detects)).claims).toEqual([]);
});

describe('an address that nothing is sent to', () => {
  const detects: Detects = { shop: { uses: { hosts: ['api.shop.io', 'www.shopapis.com'], schemes: ['shop'] } } };
  const app = { 'package.json': json({ name: 'app', private: true, dependencies: { next: '15' } }) };
  it.each<[string, Files, number]>([
    ['in a comparison', { 'a.ts': "export const is = url.startsWith('shop://');" }, 0],
    ['in a policy', { 'next.config.js': 'const csp = "connect-src \'self\' https://api.shop.io";' }, 0],
    ['in a list of allowed origins', { 'a.ts': "const o = { allowedDevOrigins: ['https://api.shop.io'] };" }, 0],
    ['as a scope', { 'a.ts': "const scope = 'https://www.shopapis.com/auth/files';" }, 0],
    ['in a description of an API', { 'api.yaml': 'openapi: 3.1.0\nservers:\n  - url: https://api.shop.io\n' }, 0],
    ['but one that is called proves it', { 'a.ts': "const is = u.startsWith('shop://');\nfetch('https://api.shop.io/v1');" }, 1],
    [
      'and a call behind the comparison of the same',
      { 'a.ts': "if (u.startsWith('https://api.shop.io')) x();\nfetch('https://api.shop.io/v1');" },
      1,
    ],
  ])('%s', async (_, files, count) => expect((await surveyOf({ ...app, ...files }, detects)).claims).toHaveLength(count));
});
