import type { HostEvidence, Manifest } from '../facts.ts';
import { fromBuild } from '../readers/host-build.ts';
import { hostCommand } from '../readers/host-commands.ts';
import { joined, startedIn } from '../readers/shell.ts';
import type { Unit } from '../survey.ts';

/** Packages without which an app of this framework does not run at the host. A program or types for it prove nothing. */
const adapters: readonly (readonly [packages: string, provider: string, product?: string])[] = [
  ['npm:@sveltejs/adapter-vercel npm:@astrojs/vercel npm:@vercel/remix npm:@vercel/react-router', 'vercel'],
  [
    'npm:@sveltejs/adapter-netlify npm:@astrojs/netlify npm:@netlify/plugin-nextjs npm:gatsby-adapter-netlify npm:@netlify/remix-adapter npm:@netlify/vite-plugin-react-router npm:@netlify/vite-plugin-tanstack-start',
    'netlify',
  ],
  ['npm:@cloudflare/next-on-pages npm:@remix-run/cloudflare-pages', 'cloudflare', 'pages'],
  [
    'npm:@opennextjs/cloudflare npm:@cloudflare/vite-plugin npm:@remix-run/cloudflare npm:@react-router/cloudflare npm:@opennextjs/cloudflare',
    'cloudflare',
    'workers',
  ],
  ['npm:@sveltejs/adapter-cloudflare npm:@astrojs/cloudflare npm:nitro-cloudflare-dev', 'cloudflare'],
  ['npm:@flydotio/dockerfile', 'fly'],
  ['npm:heroku-ssl-redirect pypi:django-heroku rubygems:rails_12factor', 'heroku'],
  ['npm:firebase-frameworks', 'firebase_hosting', 'hosting'],
  ['npm:@aws-amplify/backend', 'amplify'],
  ['npm:svelte-kit-sst npm:sst npm:astro-sst npm:@opennextjs/aws', 'aws_lambda'],
  [
    'npm:serverless-http npm:@vendia/serverless-express npm:@codegenie/serverless-express npm:aws-serverless-express npm:serverless-offline',
    'aws_lambda',
  ],
  ['pypi:mangum pypi:zappa pypi:chalice pypi:aws-wsgi', 'aws_lambda'],
  ['composer:bref/bref', 'aws_lambda'],
  ['composer:laravel/vapor-core composer:laravel/vapor-cli', 'laravel_vapor'],
  ['composer:platformsh/symfonyflex-bridge composer:platformsh/laravel-bridge composer:platformsh/config-reader', 'platform_sh'],
  ['npm:gh-pages', 'github_pages'],
  ['rubygems:github-pages', 'github_pages'],
  ['rubygems:kamal', 'kamal'],
  ['rubygems:capistrano npm:shipit-cli', 'own_server'],
  ['composer:deployer/deployer', 'own_server'],
  ['npm:eas-cli', 'expo_eas'],
  ['cargo:shuttle-runtime', 'shuttle'],
  ['cargo:worker', 'cloudflare', 'workers'],
  ['maven:com.google.cloud.tools:appengine-gradle-plugin maven:com.google.cloud.tools:appengine-maven-plugin', 'app_engine'],
];

/** Packages that work at one host alone, though an app may have them and be elsewhere. */
const words: readonly (readonly [packages: string, provider: string])[] = [
  [
    'npm:@vercel/analytics npm:@vercel/speed-insights npm:@vercel/functions npm:@vercel/kv npm:@vercel/postgres npm:@vercel/blob npm:@vercel/edge-config',
    'vercel',
  ],
  ['npm:@netlify/functions npm:@netlify/edge-functions npm:@netlify/blobs npm:@netlify/neon', 'netlify'],
];

/** What the manifests of a unit say about its host: adapters of frameworks, and scripts that start a host's program. */
export const fromManifests = (unit: Unit): readonly HostEvidence[] =>
  unit.manifests.flatMap((manifest) => [...fromPackages(unit.folder, manifest), ...fromScripts(unit.folder, manifest)]);

function fromPackages(folder: string, { file, ecosystem, packages }: Manifest): readonly HostEvidence[] {
  const listed = new Map(packages.map(({ name, use }) => [`${ecosystem}:${name}`, use]));
  const has = (names: string): boolean => names.split(' ').some((name) => listed.has(name));
  const runs = (names: string): boolean => names.split(' ').some((name) => listed.get(name) === 'runtime');
  const at = { folder, file, line: 0, ids: {} } as const;
  return [
    ...adapters.flatMap(([names, provider, product]) =>
      has(names) ? [{ ...at, provider, by: 'package' as const, ...(product !== undefined && { product }) }] : [],
    ),
    ...words.flatMap(([names, provider]) => (runs(names) ? [{ ...at, provider, by: 'word' as const }] : [])),
  ];
}

/** Scripts that one host alone starts, by their names. That of Heroku stays behind in many manifests when an app moves. */
const ofHosts: { readonly [script: string]: string } = { 'vercel-build': 'vercel', 'now-build': 'vercel' };

function fromScripts(folder: string, manifest: Manifest): readonly HostEvidence[] {
  const { file, scripts } = manifest;
  const named = Object.keys(scripts).flatMap((name): readonly HostEvidence[] => {
    const provider = Object.hasOwn(ofHosts, name) ? ofHosts[name] : undefined;
    return provider === undefined ? [] : [{ provider, folder, file, line: 0, by: 'word', ids: {} }];
  });
  return [...named, ...startedBy(folder, manifest)];
}

function startedBy(folder: string, { file, scripts }: Manifest): readonly HostEvidence[] {
  return Object.entries(scripts).flatMap(([name, text]) =>
    startedIn(text).flatMap((started) => {
      const command = hostCommand(started);
      if (!command) return [];
      const { isProduction, isWeak, line: _, folder: inside, ...said } = command;
      // `convex deploy --cmd` in a build makes a backend for each branch; what it says is read by the readers of builds.
      const place = inside === null ? folder : (joined(folder, inside) ?? folder);
      return [
        {
          ...said,
          folder: said.provider === 'convex' ? backendFolder(place) : place,
          file,
          line: 0,
          by: isWeak || name.startsWith('pre') ? ('word' as const) : ('script' as const),
        },
      ];
    }),
  );
}

const backendFolder = (folder: string): string => (folder === '' ? 'convex' : `${folder}/convex`);

/** What a build script makes for each branch when the host runs it. */
export const madeInBuilds = (unit: Unit, provider: string): readonly HostEvidence[] =>
  unit.manifests.flatMap(({ file, scripts }) =>
    Object.entries(scripts).flatMap(([name, text]): readonly HostEvidence[] => {
      const { makes } = /build/.test(name) ? fromBuild(text) : {};
      return makes ? [{ provider, folder: unit.folder, file, line: 0, by: 'script', ids: {}, makes }] : [];
    }),
  );
