import { expect, it } from 'vitest';
import type { Asked } from '../../src/onboard/detect/facts.ts';
import { readers } from '../../src/onboard/detect/readers/index.ts';

const asked: Asked = {
  hosts: ['.neon.tech', 'api.stripe.com', 'sqs.*.amazonaws.com'],
  schemes: ['gs', 'postgresql'],
  modules: ['django_ses', 'Swoosh.Adapters.Postmark', 'A.*'],
  resources: [],
};

/** A path that each kind of reader takes. */
const paths = [
  ...[
    'package.json',
    'pnpm-workspace.yaml',
    'deno.json',
    'src/a.ts',
    'pyproject.toml',
    'requirements.txt',
    'setup.py',
    'setup.cfg',
    'environment.yml',
  ],
  ...[
    'Gemfile',
    'a.gemspec',
    'go.mod',
    'Cargo.toml',
    'composer.json',
    'mix.exs',
    'rebar.config',
    'build.gradle',
    'settings.gradle',
    'pom.xml',
  ],
  ...['a.csproj', 'a.sln', 'paket.references', 'pubspec.yaml', 'Package.swift', 'Podfile', 'build.sbt', 'deps.edn', 'buildSrc/a/Deps.kt'],
  ...['application.yml', 'application.properties', 'config/storage.yml', 'config/environments/production.rb', '.env', 'appsettings.json'],
  ...[
    'config/a.exs',
    'settings.py',
    'config/a.php',
    'wp-config.php',
    'a.tf',
    'a.go',
    'serverless.yml',
    'a.bicep',
    'k8s/a.yaml',
    'Chart.yaml',
  ],
  ...['docker-compose.yml', 'index.html', 'env.op', 'fnox.toml', 'secrets.enc.yaml'],
];

/** Pieces that a search with two loops would walk over again from every place. */
const pieces = ['\\"', '"a": ', '- a: ', '<a b="', '{:a, [', '\n', ' ', 'A_B=${A', 'implementation("', 'https://x.neon.tech', '\r\n\t#'];

/** Begins that make readers look closer. */
const begin = 'apiVersion: a\nkind: B\nAWS:: @pulumi/ aws-cdk-lib sst. op:// npm: arn:aws install_requires=[\n';

const size = 32 * 1024;
/** In milliseconds of the processor. A reader with one loop needs a few; one with two needs many seconds. */
const most = 1000;

it.each(paths)('a row of the same signs in %s costs each reader no more than its length', async (path) => {
  const own = readers.filter((reader) => reader.takes(path));
  expect(own.length).toBeGreaterThan(0);
  for (const piece of pieces) {
    const text = (begin + piece.repeat(size / piece.length)).slice(0, size);
    for (const reader of own) {
      const before = process.cpuUsage();
      await reader.read({ path, text }, asked);
      const { user } = process.cpuUsage(before);
      expect(user / 1000, `${reader.name} on ${JSON.stringify(piece)}`).toBeLessThan(most);
    }
  }
});

it.each(['\u0000\u0001\u0002\u0000', '\ud83d', '\ufeff{"a":1}', '[[[[[[[['])('bytes that are no text harm no reader: %j', async (piece) => {
  for (const path of paths) {
    const text = piece.repeat(3000);
    for (const reader of readers.filter((one) => one.takes(path))) await reader.read({ path, text }, asked);
  }
});
