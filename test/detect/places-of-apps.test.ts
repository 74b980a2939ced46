import { describe, expect, it } from 'vitest';
import { alsoOn } from '../../src/onboard/detect/deployables/choice.ts';
import type { Files } from './lay-files.ts';
import { surveyOf } from './survey-of.ts';

const json = (value: unknown): string => JSON.stringify(value);

const placesOf = async (files: Files): Promise<{ readonly [folder: string]: string | null }> =>
  Object.fromEntries((await surveyOf(files)).deployables.map(({ folder, host }) => [folder, host?.provider ?? null]));

const rolesOf = async (files: Files): Promise<{ readonly [folder: string]: string }> =>
  Object.fromEntries((await surveyOf(files)).units.map(({ folder, role }) => [folder, role]));

const pyproject = (classifiers: readonly string[], dependencies: readonly string[], more = ''): string =>
  `[build-system]\nrequires = ["hatchling"]\n[project]\nname = "forms"\nversion = "1.0"\nclassifiers = ${json(classifiers)}\ndependencies = ${json(dependencies)}\n${more}`;
const language = 'Programming Language :: Python :: 3';

describe('classifiers of Python', () => {
  it.each<readonly [string, string, string]>([
    ['an app with the program that serves it', pyproject([language, 'License :: OSI Approved'], ['fastapi', 'uvicorn[standard]']), 'app'],
    ['an app of Django with the language alone', pyproject([language], ['Django>=5']), 'app'],
    ['an app of Flask on gunicorn', pyproject([language, 'Topic :: Internet'], ['flask', 'gunicorn']), 'app'],
    ['a plugin of a framework', pyproject([language, 'Framework :: Django'], ['django']), 'library'],
    ['a plugin with an address', pyproject([language], ['fastapi'], '[project.urls]\nHome = "https://forms.dev"\n'), 'library'],
    ['a program that people install', pyproject([language], ['flask', 'waitress'], '[project.scripts]\nforms = "forms:main"\n'), 'library'],
  ])('%s', async (_, text, role) => {
    expect(await rolesOf({ 'pyproject.toml': text, 'forms/__init__.py': '', 'forms/main.py': '' })).toMatchObject({ '': role });
  });
});

const web = (more = ''): string => `<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup>${more}</PropertyGroup></Project>`;
const refers = (project: string, sdk = 'Microsoft.NET.Sdk', more = ''): string =>
  `<Project Sdk="${sdk}">${more}<ItemGroup><ProjectReference Include="../../src/${project}/${project}.csproj" /></ItemGroup></Project>`;
const azure = `on: { push: { branches: [main] } }
jobs: { deploy: { runs-on: ubuntu-latest, steps: [{ uses: azure/webapps-deploy@v3, with: { app-name: shop } }] } }`;

describe('projects of .NET', () => {
  it('a server with assets is the app, whoever refers to it', async () => {
    const files = {
      'src/Shop/Shop.csproj': web(),
      'src/Shop/package.json': json({ private: true, scripts: { build: 'webpack' } }),
      'src/Shop.AppHost/Shop.AppHost.csproj': refers('Shop', 'Microsoft.NET.Sdk', '<Sdk Name="Aspire.AppHost.Sdk" Version="9.0.0" />'),
      'perf/Shop.Benchmarks/Shop.Benchmarks.csproj': refers(
        'Shop',
        'Microsoft.NET.Sdk',
        '<ItemGroup><PackageReference Include="BenchmarkDotNet" /></ItemGroup>',
      ),
      '.github/workflows/deploy.yml': azure,
    };
    expect(await placesOf(files)).toEqual({ 'src/Shop': 'azure_app_service' });
  });
  it('a server that may be packed is an app, and a package of components is none', async () => {
    const files = {
      'src/Api/Api.csproj': web('<IsPackable>true</IsPackable>'),
      'src/Client/Client.csproj': '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><IsPackable>true</IsPackable></PropertyGroup></Project>',
      'src/Cli/Cli.csproj': web('<PackAsTool>true</PackAsTool>'),
    };
    expect(await rolesOf(files)).toMatchObject({ 'src/Api': 'app', 'src/Client': 'library', 'src/Cli': 'library' });
  });
});

describe('plugins of Gradle', () => {
  const catalog =
    '[plugins]\nandroidApplication = { id = "com.android.application", version = "8.0.0" }\nboot = "org.springframework.boot:3.3.0"\n';
  it.each<readonly [string, Files, string]>([
    [
      'an alias',
      { 'gradle/libs.versions.toml': catalog, 'app/build.gradle.kts': 'plugins {\n  alias(libs.plugins.androidApplication)\n}\n' },
      'android',
    ],
    ['the old form', { 'app/build.gradle': "apply plugin: 'com.android.application'\n" }, 'android'],
    [
      'the name of an alias',
      { 'gradle/libs.versions.toml': catalog, 'app/build.gradle.kts': 'plugins { id(libs.plugins.boot.get().pluginId) }\n' },
      'spring-boot',
    ],
  ])('%s', async (_, files, framework) => {
    const { deployables } = await surveyOf({ 'settings.gradle.kts': 'include(":app")\n', ...files });
    expect(deployables.find(({ folder }) => folder === 'app')?.framework).toBe(framework);
  });
});

it('modules below a folder of apps that others use and nothing starts are packages', async () => {
  const gradle = {
    'settings.gradle': "include 'server:core', 'server:mail', 'server:app'\n",
    'server/core/build.gradle': "dependencies { implementation 'com.shop:sdk:1' }\n",
    'server/mail/build.gradle': "plugins {\n  id 'application'\n}\n",
    'server/app/build.gradle':
      "dependencies {\n  implementation project(':server:core')\n  implementation project(':server:mail')\n  implementation 'io.ktor:ktor-server-netty:3'\n}\n",
  };
  expect(await rolesOf(gradle)).toMatchObject({ 'server/core': 'package', 'server/mail': 'package', 'server/app': 'app' });
  const cargo = {
    'Cargo.toml': '[workspace]\nmembers = ["services/*"]\n',
    'services/api/Cargo.toml':
      '[package]\nname = "api"\nversion = "0.1.0"\n[dependencies]\naxum = "0.8"\nderive = { path = "../derive" }\n',
    'services/api/src/main.rs': 'fn main() {}\n',
    'services/derive/Cargo.toml': '[package]\nname = "derive"\nversion = "0.1.0"\n[lib]\nproc-macro = true\n',
    'services/derive/src/lib.rs': '',
  };
  expect(await placesOf(cargo)).toEqual({ 'services/api': null });
});

it('the names of folders say what is no app only where a manifest stands', async () => {
  const lone = { dependencies: { fastify: '5' }, scripts: { start: 'node index.js' }, private: true };
  const files = {
    'package.json': json({ private: true, dependencies: { next: '15' } }),
    'research/notebooks/package.json': json(lone),
    'csv-importer/package.json': json(lone),
    'services/importer/package.json': json(lone),
  };
  const roles = await rolesOf(files);
  expect(roles).toMatchObject({ 'research/notebooks': 'example', 'csv-importer': 'helper', 'services/importer': 'app' });
});

it('a site within a published package is an app', async () => {
  const files = {
    'package.json': json({ private: true, workspaces: ['packages/*', 'packages/*/site'] }),
    'packages/ui/package.json': json({ name: 'ui', files: ['dist'], dependencies: { vue: '3' } }),
    'packages/ui/site/package.json': json({
      private: true,
      scripts: { start: 'vite', build: 'vite build' },
      devDependencies: { vite: '6' },
    }),
    'packages/ui/site/index.html': '',
  };
  expect(await placesOf(files)).toEqual({ 'packages/ui/site': null });
});

describe('whom evidence is about', () => {
  it('a project of one system belongs to its app, and a store to what is installed', async () => {
    const flutter = 'name: care\ndependencies:\n  flutter:\n    sdk: flutter\n';
    const files = {
      'package.json': json({ private: true, dependencies: { next: '15' }, scripts: { start: 'next start' } }),
      'vercel.json': '{ "framework": "nextjs" }',
      'client/pubspec.yaml': flutter,
      'client/android/build.gradle': '',
      'client/android/fastlane/Fastfile': 'lane :beta do\n  upload_to_play_store\nend\n',
    };
    expect(await placesOf(files)).toEqual({ '': 'vercel', client: 'app_stores' });
  });
  it('functions of a folder that does not exist are none', async () => {
    const files = {
      'package.json': json({ private: true, dependencies: { next: '15' } }),
      'infra/firebase.compose.json': json({ functions: [{ source: 'functions' }] }),
    };
    expect(Object.keys(await placesOf(files))).toEqual(['']);
  });
  it('a root that starts several folders is none', async () => {
    const files = {
      'package.json': json({
        scripts: { start: 'concurrently "npm:api" "npm:web"', api: 'cd api && npm start', web: 'npm start --prefix web' },
        dependencies: { concurrently: '9', vite: '6' },
      }),
      'api/package.json': json({ name: 'api', scripts: { start: 'node .' }, dependencies: { express: '5' } }),
      'web/package.json': json({ name: 'web', scripts: { start: 'vite', build: 'vite build' }, devDependencies: { vite: '6' } }),
    };
    expect(Object.keys(await placesOf(files))).toEqual(['api', 'web']);
  });
  it('the name of the whole product chooses no folder', async () => {
    const files = {
      'settings.gradle': "include 'server'\n",
      'server/build.gradle': "dependencies { implementation 'io.ktor:ktor-server-netty:3' }\n",
      'ui/package.json': json({ name: 'ledger', scripts: { build: 'vite build', start: 'vite' }, devDependencies: { vite: '6' } }),
      '.github/workflows/deploy.yml':
        'on: { push: { branches: [main] } }\njobs: { a: { runs-on: x, steps: [{ uses: digitalocean/app_action/deploy@v2, with: { app_name: ledger-app } }] } }',
    };
    expect(await placesOf(files)).toMatchObject({ server: 'digitalocean', ui: null });
  });
});

describe('the images that a workflow builds tell what it deploys', () => {
  const server = json({ private: true, scripts: { start: 'node .' }, dependencies: { express: '5' } });
  const ecs = 'uses: aws-actions/amazon-ecs-deploy-task-definition@v2, with: { service: shop }';
  const run = (steps: string, deploy: string, env = '{}'): string =>
    `on: { push: { branches: [main] } }\nenv: ${env}\njobs:\n  build: { runs-on: x, steps: [${steps}] }\n  deploy: { runs-on: x, needs: build, steps: [{ ${deploy} }] }\n`;
  it.each<readonly [string, Files, { readonly [folder: string]: string | null }]>([
    [
      'an action with inputs from the environment',
      {
        '.github/workflows/a.yml': run(
          '{ uses: acme/push-ecr-image@v1, with: { dockerfile: "${{ env.FILE }}", path: . } }',
          ecs,
          '{ FILE: api/Dockerfile.prod }',
        ),
      },
      { api: 'aws_ecs', web: null },
    ],
    [
      'commands for two images',
      {
        '.github/workflows/a.yml': run(
          '{ run: "docker build -t a -f api/Dockerfile .\\ndocker buildx build --push -t b ./web" }',
          'run: kubectl apply -f k8s/all.yaml',
        ),
      },
      { api: 'kubernetes', web: 'kubernetes' },
    ],
    [
      'the context where the Dockerfile stands aside',
      {
        '.github/workflows/a.yml': run(
          '{ uses: docker/build-push-action@v6, with: { context: web, file: docker/Dockerfile } }',
          'run: gcloud run deploy shop --image x',
        ),
      },
      { api: null, web: 'cloud_run' },
    ],
  ])('%s', async (_, files, places) => {
    expect(await placesOf({ 'api/package.json': server, 'web/package.json': server, 'api/Dockerfile': 'FROM node\n', ...files })).toEqual(
      places,
    );
  });
  it('an image of a folder without a manifest is deployed for itself, and one of the root tells nothing', async () => {
    const files = (context: string): Files => ({
      'api/package.json': server,
      'proxy/Dockerfile': 'FROM nginx\n',
      '.github/workflows/a.yml': run(`{ uses: docker/build-push-action@v6, with: { context: "${context}" } }`, ecs),
    });
    expect(await placesOf(files('proxy'))).toEqual({ api: null, proxy: 'aws_ecs' });
    expect(await placesOf(files('.'))).toEqual({ api: 'aws_ecs' });
  });
});

describe('a folder on two hosts', () => {
  it('has both where CI deploys to both, and one where the other is a file alone', async () => {
    const files: Files = {
      'package.json': json({ private: true, dependencies: { expo: '53' }, scripts: { start: 'expo start' } }),
      '.github/workflows/web.yml':
        'on: { push: { branches: [main] } }\njobs: { a: { runs-on: x, steps: [{ run: npx netlify deploy --prod }] } }',
    };
    const eas = 'on: { push: { branches: [main] } }\njobs: { a: { runs-on: x, steps: [{ run: eas update --auto }] } }';
    const hostsOf = async (more: Files): Promise<readonly string[]> =>
      (await surveyOf({ ...files, ...more })).deployables.flatMap((one) => [
        ...(one.host ? [one.host.provider] : []),
        ...alsoOn(one).map(({ provider }) => provider),
      ]);
    expect((await hostsOf({ '.github/workflows/app.yml': eas })).toSorted()).toEqual(['expo_eas', 'netlify']);
    expect(await hostsOf({ 'eas.json': '{ "build": {} }' })).toEqual(['netlify']);
    expect(await hostsOf({ '.github/workflows/pages.yml': eas.replace('eas update --auto', 'npx surge dist') })).toEqual(['netlify']);
  });
});
