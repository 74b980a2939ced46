import { expect, it } from 'vitest';
import type { HostEvidence, Manifest } from '../facts.ts';
import type { Role, Unit } from '../survey.ts';
import { deployablesOf } from './deployables.ts';
import { madeByHostsOf } from './made-by-host.ts';

const manifest = (file: string, packages: readonly string[] = [], more: Partial<Manifest> = {}): Manifest => ({
  file,
  ecosystem: 'npm',
  name: null,
  packages: packages.map((name) => ({ name: name.replace(/^dev:/, ''), use: name.startsWith('dev:') ? 'develop' : 'runtime' })),
  isPublished: null,
  hasProgram: false,
  members: [],
  references: [],
  scripts: {},
  ...more,
});

const unit = (folder: string, role: Role, packages: readonly string[] = [], more: Partial<Manifest> = {}): Unit => ({
  folder,
  role,
  reaches: [],
  manifests: [manifest(folder === '' ? 'package.json' : `${folder}/package.json`, packages, more)],
});

const evidence = (provider: string, folder: string, by: HostEvidence['by'], more: Partial<HostEvidence> = {}): HostEvidence => ({
  provider,
  folder,
  by,
  file: folder === '' ? `${provider}.toml` : `${folder}/${provider}.toml`,
  line: 1,
  ids: {},
  ...more,
});

const hostsOf = (units: readonly Unit[], hosts: readonly HostEvidence[], files: readonly string[] = []): Record<string, string | null> =>
  Object.fromEntries(deployablesOf({ units, hosts, files }).map(({ folder, host }) => [folder, host?.provider ?? null]));

it('a package of types, a program of a host and analytics make no host where a configuration names another', () => {
  expect(hostsOf([unit('', 'app', ['astro', 'dev:@cloudflare/workers-types', 'dev:vercel'])], [evidence('fly', '', 'config')])).toEqual({
    '': 'fly',
  });
  expect(hostsOf([unit('', 'app', ['next', '@vercel/analytics'])], [evidence('netlify', '', 'config')])).toEqual({ '': 'netlify' });
  expect(hostsOf([unit('', 'app', ['express', 'dev:netlify-cli', 'dev:@types/aws-lambda'])], [])).toEqual({ '': null });
});

it('a helper and a package of a workspace lend their host to nobody', () => {
  const units = [
    unit('', 'app', ['stripe'], { members: ['apps/*'] }),
    unit('apps/web', 'app'),
    unit('packages/framework', 'package', ['dev:@vercel/node']),
  ];
  expect(hostsOf(units, [evidence('netlify', '', 'config')])).toEqual({ 'apps/web': 'netlify' });
  const worker = [unit('', 'app', ['hono'])];
  const relay = [evidence('cloudflare', '', 'config', { product: 'workers' }), evidence('vercel', 'optional/relay', 'config')];
  expect(hostsOf(worker, relay, ['optional/relay/vercel.json'])).toEqual({ '': 'cloudflare' });
  const tools = [unit('', 'app', ['rails']), unit('tools/bot', 'helper', ['wrangler'])];
  expect(hostsOf(tools, [evidence('heroku', '', 'config'), evidence('cloudflare', 'tools/bot', 'config')])).toEqual({ '': 'heroku' });
});

it('the strongest evidence names the host, and the others stay known', () => {
  const hosts = [
    evidence('vercel', '', 'config'),
    evidence('fly', '', 'preview', { file: '.github/workflows/preview.yml' }),
    evidence('render', '', 'link'),
  ];
  const [one] = deployablesOf({ units: [unit('', 'app', ['next'])], hosts, files: [] });
  expect(one?.host).toMatchObject({ provider: 'fly', previews: 'each' });
  expect(one?.others.map(({ provider }) => provider)).toEqual(['render', 'vercel']);
});

it('several projects of one host are several deployables, each with its own ids', () => {
  const units = [
    unit('', 'app', [], { members: ['apps/*'] }),
    unit('apps/web', 'app', ['next'], { name: 'web' }),
    unit('apps/marketing', 'app', ['next']),
  ];
  const hosts = [
    evidence('vercel', 'apps/web', 'link', { ids: { project: 'prj_web' } }),
    evidence('vercel', 'apps/marketing', 'link', { ids: { project: 'prj_marketing' } }),
    evidence('vercel', 'apps/marketing', 'config', { previews: 'off' }),
  ];
  const found = deployablesOf({ units, hosts, files: [] });
  expect(found.map(({ folder, name, host }) => [folder, name, host?.ids, host?.previews])).toEqual([
    ['apps/marketing', 'marketing', { project: 'prj_marketing' }, 'off'],
    ['apps/web', 'web', { project: 'prj_web' }, null],
  ]);
});

it('ids of one strength that disagree are unclear, and a stronger one wins', () => {
  const hosts = [
    evidence('fly', '', 'config', { file: 'fly.a.toml', ids: { application: 'a', region: 'lhr' } }),
    evidence('fly', '', 'config', { file: 'fly.b.toml', ids: { application: 'b', region: 'lhr' } }),
    evidence('fly', '', 'preview', { file: 'preview.yml', ids: { region: 'ams', name: 'a-${ctx.pr.number}' } }),
  ];
  const [one] = deployablesOf({ units: [unit('', 'app', ['hono'])], hosts, files: [] });
  expect(one?.host).toMatchObject({ ids: { region: 'ams', name: 'a-${ctx.pr.number}' }, unclear: { application: ['a', 'b'] } });
});

it('a workflow at the root goes to the app that it names by package, by configuration or by the name of its app', () => {
  const units = [
    unit('', 'app', [], { members: ['apps/*'] }),
    unit('apps/web', 'app', ['vite'], { name: '@acme/site', scripts: { build: 'vite build' } }),
    unit('apps/api', 'app', ['fastify']),
  ];
  expect(hostsOf(units, [evidence('cloudflare', '', 'deploy', { targets: ['@acme/site'] })])).toEqual({
    'apps/api': null,
    'apps/web': 'cloudflare',
  });
  expect(hostsOf(units, [evidence('fly', '', 'deploy', { targets: ['apps/api/fly.toml'] })])).toEqual({
    'apps/api': 'fly',
    'apps/web': null,
  });
  expect(hostsOf(units, [evidence('fly', '', 'deploy', { ids: { application: 'acme-api' } })])).toEqual({
    'apps/api': 'fly',
    'apps/web': null,
  });
});

it('a host of the root has each app of a workspace whose root is none, without the ids of one project', () => {
  const units = [unit('', 'app', [], { members: ['apps/*'] }), unit('apps/web', 'app', ['next']), unit('apps/admin', 'app', ['next'])];
  const found = deployablesOf({
    units,
    hosts: [evidence('vercel', '', 'link', { ids: { project: 'prj_1', 'provider.team_id': 'team_1' } })],
    files: [],
  });
  expect(found.map(({ folder, host }) => [folder, host?.provider, host?.ids])).toEqual([
    ['apps/admin', 'vercel', { 'provider.team_id': 'team_1' }],
    ['apps/web', 'vercel', { 'provider.team_id': 'team_1' }],
  ]);
});

it('a library, an example and a test are deployed only where a workflow says so', () => {
  expect(hostsOf([unit('', 'library', ['express'])], [evidence('vercel', '', 'config')])).toEqual({});
  expect(hostsOf([unit('', 'library')], [evidence('github_pages', '', 'deploy')])).toEqual({});
  expect(
    hostsOf([unit('', 'app', ['next']), unit('examples/shop', 'example', ['next'])], [evidence('vercel', 'examples/shop', 'config')]),
  ).toEqual({ '': null });
  expect(hostsOf([unit('', 'library'), unit('demo', 'example', ['next'])], [evidence('vercel', 'demo', 'deploy')])).toEqual({
    demo: 'vercel',
  });
});

it('a folder without a manifest that a host has is deployed by itself, if no app above it has a host', () => {
  const files = ['frontend/index.html', 'frontend/vercel.json', 'convex/schema.ts'];
  const units = [unit('', 'app', ['express'])];
  expect(hostsOf(units, [evidence('vercel', 'frontend', 'config')], files)).toEqual({ '': null, frontend: 'vercel' });
  const backend = [evidence('netlify', '', 'config'), evidence('convex', 'convex', 'config', { product: 'functions' })];
  const found = deployablesOf({ units, hosts: backend, files });
  expect(found.map(({ folder, kind, host }) => [folder, kind, host?.provider])).toEqual([
    ['', 'web', 'netlify'],
    ['convex', 'function', 'convex'],
  ]);
});

it('the configuration in a folder for deployment is that of the app above', () => {
  expect(hostsOf([unit('', 'app', ['express'])], [evidence('fly', 'deploy', 'config')], ['deploy/fly.toml'])).toEqual({ '': 'fly' });
  expect(
    hostsOf([unit('api', 'app', ['hono']), unit('', 'package')], [evidence('kubernetes', 'api/k8s', 'config')], ['api/k8s/app.yaml']),
  ).toEqual({ api: 'kubernetes' });
  expect(hostsOf([unit('', 'app', ['express'])], [evidence('heroku', 'config', 'config')], [])).toEqual({ '': 'heroku' });
});

it('a script that starts the program of a host shows it, and the folder into which it goes', () => {
  expect(hostsOf([unit('', 'app', ['express'], { scripts: { deploy: 'npm run build && flyctl deploy --remote-only' } })], [])).toEqual({
    '': 'fly',
  });
  expect(hostsOf([unit('', 'app', ['vite'], { scripts: { deploy: 'wrangler pages deploy dist' } })], [])).toEqual({ '': 'cloudflare' });
  expect(hostsOf([unit('', 'app', ['next'], { scripts: { dev: 'vercel dev', pull: 'vercel env pull' } })], [])).toEqual({ '': 'vercel' });
});

it('a host of files has no app that answers requests, unless nothing else has it', () => {
  const units = [unit('', 'app', ['next'])];
  expect(hostsOf(units, [evidence('github_pages', '', 'deploy'), evidence('vercel', '', 'config')])).toEqual({ '': 'vercel' });
  expect(hostsOf(units, [evidence('github_pages', '', 'deploy')])).toEqual({ '': 'github_pages' });
  expect(hostsOf([unit('', 'app', ['vite'])], [evidence('github_pages', '', 'deploy'), evidence('vercel', '', 'config')])).toEqual({
    '': 'github_pages',
  });
});

it.each([
  ['npm', ['next'], 'next', 'web'],
  ['npm', ['dev:@sveltejs/kit', 'dev:vite'], 'sveltekit', 'web'],
  ['npm', ['astro'], 'astro', 'static'],
  ['npm', ['astro', '@astrojs/vercel'], 'astro', 'web'],
  ['npm', ['expo', 'react-native'], 'expo', 'mobile'],
  ['npm', ['dev:electron', 'express'], 'electron', 'desktop'],
  ['pypi', ['django', 'celery'], 'django', 'web'],
  ['rubygems', ['rails', 'sinatra'], 'rails', 'web'],
  ['composer', ['laravel/framework'], 'laravel', 'web'],
  ['hex', ['phoenix', 'plug_cowboy'], 'phoenix', 'web'],
  ['maven', ['org.springframework.boot:spring-boot-starter-webflux'], 'spring-boot', 'web'],
  ['maven', ['io.quarkus:quarkus-rest'], 'quarkus', 'web'],
  ['nuget', ['Microsoft.NET.Sdk.Web'], 'aspnet', 'web'],
  ['go', ['github.com/go-chi/chi'], 'chi', 'web'],
  ['cargo', ['axum'], 'axum', 'web'],
] as const)('%s %j is %s, and it is %s', (ecosystem, packages, framework, kind) => {
  const [one] = deployablesOf({ units: [unit('', 'app', packages, { ecosystem })], hosts: [], files: [] });
  expect(one).toMatchObject({ framework, kind });
});

it('a service that the chosen host makes is told, and that of another host is not', () => {
  const hosts = [
    evidence('render', '', 'deploy', { makes: [{ service: 'postgres', what: 'a database of the blueprint' }] }),
    evidence('heroku', '', 'config', { makes: [{ service: 'redis', what: 'an add-on' }] }),
    evidence('github', '', 'word', { isMaker: true, makes: [{ service: 'neon', what: 'a branch' }] }),
  ];
  const found = deployablesOf({ units: [unit('', 'app', ['express'])], hosts, files: [] });
  expect(madeByHostsOf(found, hosts).map(({ service, host, deployable }) => [service, host, deployable])).toEqual([
    ['postgres', 'render', ''],
    ['neon', 'github', null],
  ]);
});

it('evidence at the root of a workspace is that of its one app that answers requests', () => {
  const cargo = { ecosystem: 'cargo' } as const;
  const units = [
    unit('', 'package', [], { members: ['crates/*'] }),
    unit('crates/server', 'app', ['axum'], cargo),
    unit('crates/store', 'package', ['sqlx'], cargo),
  ];
  expect(hostsOf(units, [evidence('fly', '', 'config')])).toEqual({ 'crates/server': 'fly' });
  expect(hostsOf(units, [evidence('aws_ecs', '', 'deploy', { file: '.github/workflows/a.yml' })])).toEqual({ 'crates/server': 'aws_ecs' });
  expect(hostsOf(units, [evidence('fly', '', 'config'), evidence('render', 'crates/server', 'config')])).toEqual({
    '': 'fly',
    'crates/server': 'render',
  });
  const both = [evidence('vercel', '', 'config'), evidence('render', '', 'config')];
  expect(hostsOf(units, both)).toEqual({ 'crates/server': 'vercel' });
});

it('a server among the packages for the work on a library makes no app', () => {
  const names = (packages: readonly string[]): unknown =>
    deployablesOf({ units: [unit('', 'app', packages)], hosts: [], files: [] }).map(({ framework }) => framework);
  expect(names(['dev:express', 'dev:vitest'])).toEqual([null]);
  expect(names(['dev:fastify'])).toEqual([null]);
  expect(names(['dev:astro'])).toEqual(['astro']);
});

it('a Procfile in a folder of Docker, and a chart for the machine of a developer, show no host', () => {
  const units = [unit('', 'app', ['laravel/framework'], { ecosystem: 'composer' })];
  expect(hostsOf(units, [evidence('heroku', 'docker/nginx', 'script')], ['docker/nginx/Procfile'])).toEqual({ '': null });
  expect(hostsOf(units, [evidence('heroku', '', 'script')], ['Procfile'])).toEqual({ '': 'heroku' });
  expect(hostsOf(units, [evidence('kubernetes', 'dev/k8s', 'word')], ['dev/k8s/a.yaml'])).toEqual({ '': null });
});

it('a web project of .NET is an app although others use it', () => {
  const nuget = { ecosystem: 'nuget' } as const;
  const host: Unit = { ...unit('src/Host', 'package', ['Aspire.Hosting'], nuget), reaches: ['src/Api'] };
  const units = [
    unit('', 'package'),
    host,
    unit('src/Api', 'package', ['Microsoft.NET.Sdk.Web'], nuget),
    unit('src/Data', 'package', ['Npgsql'], nuget),
  ];
  expect(hostsOf(units, [])).toEqual({ 'src/Api': null });
});

it('a chart goes to the app that it is named after', () => {
  const units = [unit('', 'package', [], { members: ['*'] }), unit('api', 'app', ['express']), unit('worker', 'app', ['express'])];
  const files = ['charts/api/Chart.yaml', 'k8s/worker.yaml'];
  const hosts = [
    evidence('kubernetes', 'charts/api', 'config', { file: 'charts/api/Chart.yaml' }),
    evidence('kubernetes', 'k8s', 'config', { file: 'k8s/worker.yaml' }),
  ];
  expect(hostsOf(units, hosts, files)).toEqual({ api: 'kubernetes', worker: 'kubernetes' });
});

it('a product of a cloud stands for the tool of the whole cloud', () => {
  const units = [unit('', 'app', ['aws-cdk-lib'])];
  expect(hostsOf(units, [evidence('aws', '', 'deploy'), evidence('aws_lambda', '', 'config', { file: 'lib/stack.ts' })])).toEqual({
    '': 'aws_lambda',
  });
  expect(hostsOf(units, [evidence('aws', '', 'config')])).toEqual({ '': 'aws' });
  expect(hostsOf(units, [evidence('azure', '', 'deploy'), evidence('azure_functions', '', 'config')])).toEqual({ '': 'azure_functions' });
});

it('projects for single systems in an app for phones are none of their own', () => {
  const phone = [
    unit('', 'app', ['flutter'], { ecosystem: 'pub' }),
    unit('android/app', 'app', ['com.android.application:com.android.application'], { ecosystem: 'maven' }),
  ];
  expect(hostsOf(phone, [])).toEqual({ '': null });
  const desk = [unit('apps/desk', 'app', ['@tauri-apps/cli']), unit('apps/desk/src-tauri', 'app', ['tauri'], { ecosystem: 'cargo' })];
  expect(hostsOf(desk, [])).toEqual({ 'apps/desk': null });
  expect(
    hostsOf([unit('', 'app', ['express']), unit('android', 'app', ['com.android.application:x'], { ecosystem: 'maven' })], []),
  ).toHaveProperty('');
});

it('a build script that deploys a backend tells that the host makes it for each branch', () => {
  const units = [unit('', 'app', ['next'], { scripts: { build: "npx convex deploy --cmd 'next build'" } })];
  const found = deployablesOf({ units, hosts: [evidence('vercel', '', 'config')], files: [] });
  expect(madeByHostsOf(found, []).map(({ service, host }) => [service, host])).toEqual([['convex', 'vercel']]);
  expect(madeByHostsOf(deployablesOf({ units, hosts: [], files: [] }), [])).toEqual([]);
});

it('code of Go and Rust without a program is no app', () => {
  const go = [unit('', 'app', ['github.com/hashicorp/vault/api'], { ecosystem: 'go' })];
  expect(hostsOf(go, [], ['vault.go'])).toEqual({});
  expect(hostsOf(go, [], ['cmd/tool/main.go'])).toEqual({ '': null });
  expect(hostsOf([unit('', 'app', ['serde'], { ecosystem: 'cargo' })], [], ['src/lib.rs'])).toEqual({});
});

it('evidence at the root is none of an app for desktops, and a folder that is gone has no app', () => {
  const units = [unit('', 'package', [], { members: ['*'] }), unit('desk', 'app', ['@tauri-apps/cli']), unit('web', 'app', ['next'])];
  expect(hostsOf(units, [evidence('netlify', '', 'config')])).toEqual({ desk: null, web: 'netlify' });
  expect(hostsOf(units, [evidence('netlify', '', 'config', { targets: ['old/dist'] })])).toEqual({ '': 'netlify', desk: null, web: null });
  expect(hostsOf(units, [evidence('netlify', '', 'config', { targets: ['web/dist'] })])).toEqual({ desk: null, web: 'netlify' });
});

it('a server that others use in their tests is an app where its manifest starts it', () => {
  const web: Unit = { ...unit('web', 'app', ['next']), reaches: ['backend'] };
  const backend = (more: Partial<Manifest>): Unit => unit('backend', 'package', ['@nestjs/core'], more);
  expect(hostsOf([web, backend({ isPublished: false, scripts: { start: 'nest start' } })], [])).toEqual({ web: null, backend: null });
  expect(hostsOf([web, backend({ isPublished: false })], [])).toEqual({ web: null });
  expect(hostsOf([web, backend({ scripts: { start: 'nest start' } })], [])).toEqual({ web: null });
});

it('a folder among the services of a workspace runs without a framework', () => {
  const units = [
    unit('', 'package', [], { members: ['services/*'] }),
    unit('services/gateway', 'app', ['elysia']),
    unit('services/worker', 'app', ['mongoose']),
  ];
  const found = deployablesOf({ units, hosts: [evidence('railway', '', 'config')], files: [] });
  expect(found.map(({ folder, kind, host }) => [folder, kind, host?.provider])).toEqual([
    ['services/gateway', 'web', 'railway'],
    ['services/worker', 'worker', undefined],
  ]);
  expect(hostsOf([unit('', 'package'), unit('libs/worker', 'app', ['mongoose'])], [])).toEqual({ 'libs/worker': null });
  expect(hostsOf([unit('', 'app', ['next']), unit('services/types', 'app', ['dev:typescript'])], [])).toEqual({ '': null });
});

it('the image of a root without a framework holds the one app that no other host has', () => {
  const root = unit('', 'app', ['stripe']);
  const api = unit('api', 'app', ['express']);
  const image = ['Dockerfile', 'api/package.json'];
  const fly = evidence('fly', '', 'config');
  expect(hostsOf([root, api], [fly], image)).toEqual({ '': 'fly' });
  expect(deployablesOf({ units: [root, api], hosts: [fly], files: image })[0]?.framework).toBe('express');
  expect(hostsOf([root, api], [fly, evidence('vercel', 'api', 'config')], image)).toEqual({ '': 'fly', api: 'vercel' });
  expect(hostsOf([root, api, unit('web', 'app', ['next'])], [fly], image)).toEqual({ '': 'fly', api: null, web: null });
  expect(hostsOf([unit('', 'app', ['hono']), api], [fly], image)).toEqual({ '': 'fly', api: null });
});

it('a script that starts an example starts no app', () => {
  const started = (start: string) => Object.keys(hostsOf([unit('', 'app', ['lodash'], { scripts: { start } })], []));
  expect(started('tsx sandbox/index.ts')).toEqual([]);
  expect(started('cd examples/basic && npm start')).toEqual([]);
  expect(started('vite serve playground')).toEqual([]);
  expect(started('node dist/index.js')).toEqual(['']);
});

it('the host of pages about an app is none of the app', () => {
  const docs = evidence('netlify', '', 'script', { isOfDocs: true });
  expect(hostsOf([unit('', 'app', ['express'])], [docs, evidence('azure_container_apps', '', 'config')])).toEqual({
    '': 'azure_container_apps',
  });
  expect(hostsOf([unit('', 'app', ['express'])], [docs])).toEqual({ '': null });
});

it('a Procfile beside an image that CI publishes is no sign of Heroku', () => {
  const procfile = evidence('heroku', '', 'script', { file: 'Procfile' });
  const hostOf = (hosts: readonly HostEvidence[], files: readonly string[], isImagePublished = true): unknown =>
    deployablesOf({ units: [unit('', 'app', ['express'])], hosts, files, isImagePublished })[0]?.host?.provider ?? null;
  expect(hostOf([procfile], ['Procfile', 'Dockerfile'])).toBe(null);
  expect(hostOf([procfile], ['Procfile'])).toBe('heroku');
  expect(hostOf([procfile], ['Procfile', 'Dockerfile'], false)).toBe('heroku');
  expect(hostOf([procfile, evidence('heroku', '', 'config', { file: 'app.json' })], ['Procfile', 'Dockerfile'])).toBe('heroku');
});

it('variables that one host alone sets tell of it, and those of several hosts of none', () => {
  const read = (...names: readonly string[]): unknown =>
    deployablesOf({
      units: [unit('', 'app', ['express'])],
      hosts: [],
      files: [],
      variables: names.map((name) => ({ name, file: 'a.js', line: 1, where: 'code', use: 'runtime', hosts: [], schemes: [] })),
    })[0]?.host?.provider ?? null;
  expect(read('FLY_APP_NAME')).toBe('fly');
  expect(read('FLY_APP_NAME', 'RENDER_EXTERNAL_URL')).toBe(null);
  expect(read('VERCEL_URL')).toBe(null);
});
