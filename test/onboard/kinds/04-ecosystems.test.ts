import { expect, it } from 'vitest';
import { type Files, initIn } from './init-in.ts';

/** The same two services, as each ecosystem names them. */
it.each<readonly [string, Files]>([
  ['npm', { 'package.json': { name: 'a', private: true, dependencies: { stripe: '17', '@sentry/node': '9' } }, 'fly.toml': 'app = "a"\n' }],
  [
    'requirements that include others',
    {
      'requirements.txt': '-r requirements/prod.txt\n',
      'requirements/prod.txt': 'stripe==11\nsentry-sdk==2\n',
      Procfile: 'web: gunicorn a.wsgi\n',
    },
  ],
  [
    'groups of pyproject',
    {
      'pyproject.toml':
        '[tool.poetry]\nname = "a"\npackage-mode = false\n[tool.poetry.dependencies]\npython = "^3.12"\nstripe = "^11"\n[tool.poetry.group.prod.dependencies]\nsentry-sdk = "^2"\n',
      'fly.toml': 'app = "a"\n',
    },
  ],
  [
    'groups of a Gemfile',
    {
      Gemfile: "source 'https://rubygems.org'\ngem 'rails'\ngem 'stripe'\ngroup :production do\n  gem 'sentry-ruby'\nend\n",
      Procfile: 'web: puma\n',
    },
  ],
  [
    'a workspace of Go',
    {
      'go.work': 'go 1.23\nuse (\n\t./api\n\t./lib\n)\n',
      'api/go.mod':
        'module acme.example/api\ngo 1.23\nrequire (\n\tgithub.com/stripe/stripe-go/v81 v81.1.0\n\tacme.example/lib v0.0.0\n)\nreplace acme.example/lib => ../lib\n',
      'api/main.go': 'package main\nfunc main() {}\n',
      'api/fly.toml': 'app = "a"\n',
      'lib/go.mod': 'module acme.example/lib\ngo 1.23\nrequire github.com/getsentry/sentry-go v0.30.0\n',
    },
  ],
  [
    'a workspace of Cargo',
    {
      'Cargo.toml': '[workspace]\nmembers = ["server", "lib"]\n[workspace.dependencies]\nasync-stripe = "0.39"\n',
      'server/Cargo.toml':
        '[package]\nname = "server"\nversion = "0.1.0"\npublish = false\n[dependencies]\nasync-stripe.workspace = true\nlib = { path = "../lib" }\n',
      'server/src/main.rs': 'fn main() {}\n',
      'server/fly.toml': 'app = "a"\n',
      'lib/Cargo.toml': '[package]\nname = "lib"\nversion = "0.1.0"\npublish = false\n[dependencies]\nsentry = "0.35"\n',
    },
  ],
  [
    'Composer',
    { 'composer.json': { type: 'project', require: { 'stripe/stripe-php': '^16', 'sentry/sentry': '^4' } }, Procfile: 'web: apache2\n' },
  ],
  [
    'mix and its configuration',
    {
      'mix.exs':
        'defmodule A.MixProject do\n  use Mix.Project\n  def project, do: [app: :a, deps: deps()]\n  defp deps, do: [{:stripity_stripe, "~> 3.2"}, {:sentry, "~> 10.8"}]\nend\n',
      'fly.toml': 'app = "a"\n',
    },
  ],
  [
    'Maven',
    {
      'pom.xml':
        '<project><groupId>a</groupId><artifactId>a</artifactId><dependencies><dependency><groupId>com.stripe</groupId><artifactId>stripe-java</artifactId></dependency><dependency><groupId>io.sentry</groupId><artifactId>sentry-spring-boot-starter-jakarta</artifactId></dependency></dependencies></project>\n',
      Procfile: 'web: java -jar a.jar\n',
    },
  ],
  [
    'Gradle with a catalog of versions',
    {
      'settings.gradle.kts': 'rootProject.name = "a"\n',
      'build.gradle.kts': 'dependencies {\n  implementation(libs.stripe)\n  implementation("io.sentry:sentry:7.19.0")\n}\n',
      'gradle/libs.versions.toml': '[libraries]\nstripe = { module = "com.stripe:stripe-java", version = "28.2.0" }\n',
      Procfile: 'web: java -jar a.jar\n',
    },
  ],
  [
    'projects of .NET',
    {
      'Web/Web.csproj':
        '<Project Sdk="Microsoft.NET.Sdk.Web"><ItemGroup><PackageReference Include="Stripe.net" Version="47" /><PackageReference Include="Sentry.AspNetCore" Version="4" /></ItemGroup></Project>\n',
      'Web/Program.cs': 'var app = WebApplication.CreateBuilder(args).Build();\n',
      'Web/fly.toml': 'app = "a"\n',
    },
  ],
])('%s: Stripe and Sentry are found', async (_, files) => {
  expect((await initIn(files)).services).toEqual(expect.arrayContaining(['stripe', 'sentry']));
});

it.each<readonly [string, Files, string]>([
  ['Bazel', { 'MODULE.bazel': 'module(name = "a")\n' }, 'MODULE.bazel'],
  ['Nix', { 'flake.nix': '{ outputs = { self }: { }; }\n' }, 'flake.nix'],
  ['Haskell', { 'shop.cabal': 'name: shop\nversion: 0.1\nbuild-depends: base, servant\n' }, 'shop.cabal'],
])('a format that is not read is named: %s', async (_, files, file) => {
  const said = await initIn(files);
  expect(said.told.unread).toEqual(expect.arrayContaining([expect.objectContaining({ file })]));
  expect(await said.text()).toContain(file);
});
