import { describe, expect, it } from 'vitest';
import { linesIn, namesOf, readAll } from '../../../../../test/support/readings.ts';
import type { Manifest, Reading } from '../../facts.ts';
import { resolveAliases } from './aliases.ts';
import { packageReaders } from './index.ts';

const read = (path: string, text: string): Promise<readonly Reading[]> => readAll(packageReaders, path, text);
const packagesIn = async (path: string, text: string): Promise<readonly string[]> => namesOf(await read(path, text), 'package');
const manifestIn = async (path: string, text: string): Promise<Manifest | undefined> =>
  (await read(path, text)).find(({ manifest }) => manifest)?.manifest;

describe('packages with their use', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'package.json',
      '{"dependencies":{"next":"15"},"devDependencies":{"vitest":"3","next":"15"},"peerDependencies":{"react":"19","ai":"5"},"peerDependenciesMeta":{"ai":{"optional":true}}}',
      ['npm:next', 'npm:react', 'npm:vitest (develop)', 'npm:ai (develop)'],
    ],
    [
      'apps/web/package.json',
      '{"scripts":{"d":"supabase start"},"devDependencies":{"@sveltejs/kit":"2","stripe":"17","supabase":"2","prettier":"3","@types/pg":"8"}}',
      ['npm:@sveltejs/kit', 'npm:stripe', 'npm:supabase (develop)', 'npm:prettier (develop)', 'npm:@types/pg (develop)'],
    ],
    ['package.json', '{"dependencies":{"a":"1"},\n<<<<<<< HEAD\n"devDependencies":{"b":"1"}}', ['npm:a', 'npm:b (develop)']],
    [
      'deno.jsonc',
      '{ // mail\n"imports":{"stripe":"npm:stripe@^17","s":"jsr:@supabase/supabase-js@2","r":"https://esm.sh/resend@4?target=deno","x":"https://deno.land/x/a/mod.ts"}}',
      ['npm:stripe', 'npm:@supabase/supabase-js', 'npm:resend'],
    ],
    [
      'supabase/functions/pay/index.ts',
      'import Stripe from "https://esm.sh/stripe@14"\nimport x from \'npm:@upstash/redis@1\'',
      ['npm:stripe', 'npm:@upstash/redis'],
    ],
    [
      'config/importmap.rb',
      'pin "application"\npin "@sentry/browser", to: "https://ga.jspm.io/x"',
      ['npm:application', 'npm:@sentry/browser'],
    ],
    [
      'pyproject.toml',
      '[project]\nname="a"\ndependencies=["Django>=5","sentry-sdk[django]~=2", "django_anymail[postmark]"]\n[project.optional-dependencies]\npg=["psycopg>=3"]\ndocs=["sphinx"]\n[dependency-groups]\ndev=["pytest",{include-group="x"}]\nprod=["gunicorn"]',
      [
        'pypi:django',
        'pypi:sentry-sdk',
        'pypi:sentry-sdk[django]',
        'pypi:django-anymail',
        'pypi:django-anymail[postmark]',
        'pypi:psycopg',
        'pypi:sphinx (develop)',
        'pypi:pytest (develop)',
        'pypi:gunicorn',
      ],
    ],
    [
      'pyproject.toml',
      '[tool.poetry.dependencies]\npython="^3.12"\nstripe="^1"\nuvicorn={version="1",extras=["standard"]}\n[tool.poetry.group.dev.dependencies]\nruff="*"\n[tool.poetry.group.worker.dependencies]\ncelery="5"',
      ['pypi:stripe', 'pypi:uvicorn', 'pypi:uvicorn[standard]', 'pypi:ruff (develop)', 'pypi:celery'],
    ],
    [
      'pyproject.toml',
      '[tool.uv]\ndev-dependencies=["ruff"]\n[tool.pdm.dev-dependencies]\ntest=["pytest"]',
      ['pypi:ruff (develop)', 'pypi:pytest (develop)'],
    ],
    [
      'requirements.txt',
      '# a\n-r base.txt\n-c constraints.txt\n--index-url https://x\nstripe==1 \\\n    --hash=sha256:aa\nresend\nredis ; python_version>"3"\nmine @ git+https://x/y\ngit+https://x/y#egg=Their_One\n',
      ['pypi:stripe', 'pypi:resend', 'pypi:redis', 'pypi:mine', 'pypi:their-one'],
    ],
    ['requirements/production.txt', '-r base.txt\nboto3\r\n', ['pypi:boto3']],
    ['requirements-dev.txt', 'pytest\r\nblack\r\n', ['pypi:pytest (develop)', 'pypi:black (develop)']],
    ['Pipfile', '[packages]\nstripe="*"\n[dev-packages]\npytest="*"', ['pypi:stripe', 'pypi:pytest (develop)']],
    [
      'setup.py',
      'setup(\n  name="x",\n  install_requires=[\n    "celery[redis]>=5", # "no"\n    "boto3",\n  ],\n  extras_require={"dev": ["pytest"]},\n)',
      ['pypi:celery', 'pypi:celery[redis]', 'pypi:boto3', 'pypi:pytest (develop)'],
    ],
    [
      'setup.cfg',
      '[options]\ninstall_requires =\n    stripe\n    redis>=4\npackages = find:\n[options.extras_require]\ntest = pytest',
      ['pypi:stripe', 'pypi:redis', 'pypi:pytest (develop)'],
    ],
    [
      'environment.yml',
      'name: a\ndependencies:\n  - python=3.12\n  - conda-forge::boto3>=1\n  - pip:\n    - stripe==1',
      ['pypi:python', 'pypi:boto3', 'pypi:stripe'],
    ],
    [
      'Gemfile',
      "source 'https://rubygems.org'\n# gem 'no'\ngem 'rails', '~> 8'\ngem 'x',\n  group: :development\ngroup :development, :test do\n  gem 'rspec' do\n  end\n  gem 'dotenv'\nend\ngem \"pg\" if true\ngroup(:production, :test) do\n gem 'aws-sdk-s3', require: false\nend",
      [
        'rubygems:rails',
        'rubygems:x (develop)',
        'rubygems:rspec (develop)',
        'rubygems:dotenv (develop)',
        'rubygems:pg',
        'rubygems:aws-sdk-s3',
      ],
    ],
    [
      'a.gemspec',
      'Gem::Specification.new do |s|\n s.name = "a"\n s.add_dependency "faraday", ">= 1"\n s.add_development_dependency("rspec")\nend',
      ['rubygems:faraday', 'rubygems:rspec (develop)'],
    ],
    [
      'go.mod',
      'module example.com/shop\n\nrequire github.com/a/b v1.0.0\nrequire (\n\tgithub.com/stripe/stripe-go/v76 v76.1.0\n\tgithub.com/c/d v0.0.1 // indirect\n\tgithub.com/e/f v1.0.0\n)\ntool github.com/e/f/cmd/f\nreplace github.com/a/b => ../b',
      ['go:github.com/a/b', 'go:github.com/stripe/stripe-go', 'go:github.com/e/f (develop)'],
    ],
    [
      'Cargo.toml',
      '[package]\nname="api"\n[dependencies]\nsqlx={version="0.8"}\npg={package="tokio-postgres",version="1"}\n[dev-dependencies]\nmockall="1"\n[target."cfg(unix)".dependencies]\nredis="1"\n[build-dependencies]\ncc="1"\n[workspace.dependencies]\nunused="1"',
      ['cargo:sqlx', 'cargo:tokio-postgres', 'cargo:mockall (develop)', 'cargo:cc (develop)', 'cargo:redis'],
    ],
    [
      'composer.json',
      '{"require":{"php":"8","ext-pdo":"*","Stripe/stripe-php":"1"},"require-dev":{"phpunit/phpunit":"1"}}',
      ['composer:ext-pdo', 'composer:stripe/stripe-php', 'composer:phpunit/phpunit (develop)'],
    ],
    [
      'mix.exs',
      'defp deps do\n[\n {:phoenix, "~> 1.8"},\n # {:no, "1"},\n {:credo, "~> 1", only: [:dev, :test], runtime: false},\n {:stripe, "~> 3", hex: :stripity_stripe},\n {:core, in_umbrella: true},\n {:shared, path: "../shared"},\n {:sentry, "~> 11", only: [:prod]}\n]\nend\ndef f, do: {:ok, value}',
      ['hex:phoenix', 'hex:credo (develop)', 'hex:stripity_stripe', 'hex:shared', 'hex:sentry'],
    ],
    [
      'rebar.config',
      '{deps, [{cowboy, "2.9"}, {epgsql, {git, "x"}}]}.\n% {no, "1"}\n{profiles, [{test, [{deps, [{meck, "1"}]}]}]}.',
      ['hex:cowboy', 'hex:epgsql', 'hex:meck (develop)'],
    ],
    ['gleam.toml', 'name="a"\n[dependencies]\nwisp="1"\n[dev-dependencies]\ngleeunit="1"', ['hex:wisp', 'hex:gleeunit (develop)']],
    [
      'build.gradle',
      "plugins { id 'org.springframework.boot' version '3' }\ndependencies {\n // implementation 'no:no'\n implementation 'a.b:web'\n implementation('c:d:1') { exclude group: 'x', module: 'y' }\n runtimeOnly 'org.postgresql:postgresql', 'e:f:1'\n testImplementation \"g:h:$v\"\n implementation platform('i:bom:1')\n implementation group: 'j', name: 'k', version: '1'\n annotationProcessor 'l:m'\n implementation project(':core')\n}",
      [
        'maven:a.b:web',
        'maven:c:d',
        'maven:org.postgresql:postgresql',
        'maven:e:f',
        'maven:g:h (develop)',
        'maven:j:k',
        'maven:l:m (develop)',
        'maven:org.springframework.boot:org.springframework.boot.gradle.plugin (develop)',
      ],
    ],
    [
      'build.gradle.kts',
      'dependencies {\n implementation("com.stripe:stripe-java:30")\n implementation(\n  libs.aws.sqs\n )\n debugImplementation(libs.leak)\n implementation(projects.core.data)\n}',
      ['maven:com.stripe:stripe-java', 'maven:libs.aws.sqs', 'maven:libs.leak (develop)'],
    ],
    [
      'pom.xml',
      '<project><groupId>x</groupId><artifactId>shop</artifactId><properties><g>io.sentry</g></properties><dependencyManagement><dependencies><dependency><groupId>no</groupId><artifactId>no</artifactId></dependency></dependencies></dependencyManagement><dependencies>\n<!-- <dependency><groupId>no</groupId></dependency> -->\n<dependency><groupId>${g}</groupId><artifactId>sentry</artifactId><exclusions><exclusion><artifactId>z</artifactId></exclusion></exclusions></dependency><dependency><groupId>junit</groupId><artifactId>junit</artifactId><scope>test</scope></dependency></dependencies></project>',
      ['maven:io.sentry:sentry', 'maven:junit:junit (develop)'],
    ],
    [
      'src/Api/Api.csproj',
      '<Project Sdk="Microsoft.NET.Sdk.Web"><ItemGroup><PackageReference Include="Npgsql" Version="9" /><PackageReference Include="Analyzers"><PrivateAssets>all</PrivateAssets></PackageReference><ProjectReference Include="..\\Core\\Core.csproj" /></ItemGroup></Project>',
      ['nuget:Microsoft.NET.Sdk.Web', 'nuget:Npgsql', 'nuget:Analyzers (develop)'],
    ],
    [
      'Directory.Packages.props',
      '<Project><ItemGroup><PackageVersion Include="No" Version="1"/><GlobalPackageReference Include="Yes" Version="1"/></ItemGroup></Project>',
      ['nuget:Yes'],
    ],
    [
      'packages.config',
      '<packages><package id="Stripe.net" version="1"/><package id="X" developmentDependency="true"/></packages>',
      ['nuget:Stripe.net', 'nuget:X (develop)'],
    ],
    ['paket.references', 'Npgsql\n\ngroup Test\n  Expecto\n', ['nuget:Npgsql', 'nuget:Expecto']],
    [
      'pubspec.yaml',
      'name: app\npublish_to: none\ndependencies:\n  flutter:\n    sdk: flutter\n  sentry_flutter: ^8\n  core:\n    path: ../core\ndev_dependencies:\n  lints: ^5',
      ['pub:flutter', 'pub:sentry_flutter', 'pub:core', 'pub:lints (develop)'],
    ],
    [
      'Package.swift',
      'let package = Package(name: "App", dependencies: [\n .package(url: "https://github.com/vapor/fluent-postgres-driver.git", from: "2.0.0"),\n // .package(url: "https://github.com/no/no.git"),\n .package(path: "../Core")])',
      ['swift:vapor/fluent-postgres-driver'],
    ],
    ['ios/Podfile', "target 'A' do\n  pod 'Firebase/Auth'\n  # pod 'No'\nend", ['swift:Firebase']],
    [
      'build.sbt',
      'libraryDependencies += "org.postgresql" % "postgresql" % "42"\nlibraryDependencies ++= Seq(\n "com.stripe" % "stripe-java" % v,\n "org.scalatest" %% "scalatest" % "3" % Test)',
      ['maven:org.postgresql:postgresql', 'maven:com.stripe:stripe-java', 'maven:org.scalatest:scalatest (develop)'],
    ],
    [
      'project.clj',
      '(defproject a "1"\n :dependencies [[org.clojure/clojure "1.12"] [hikari-cp "3"]]\n ; [no "1"]\n :profiles {:dev {:dependencies [[midje "1"]]}})',
      ['maven:org.clojure:clojure', 'maven:hikari-cp:hikari-cp', 'maven:midje:midje (develop)'],
    ],
    [
      'deps.edn',
      '{:deps {com.stripe/stripe-java {:mvn/version "1"}}\n :aliases {:test {:extra-deps {lambdaisland/kaocha {:mvn/version "1"}}}}}',
      ['maven:com.stripe:stripe-java', 'maven:lambdaisland:kaocha (develop)'],
    ],
  ])('are read out of %s', async (path, text, expected) => expect((await packagesIn(path, text)).toSorted()).toEqual(expected.toSorted()));

  it.each<[string, string, readonly string[]]>([
    ['package.json', '{\n"name":"x",\n"dependencies":{\n"next":"15",\n"stripe":"1"\n}}', ['npm:next:4', 'npm:stripe:5']],
    ['pyproject.toml', '[project]\ndependencies = [\n  "stripe>=1",\n  "redis",\n]', ['pypi:stripe:3', 'pypi:redis:4']],
    ['mix.exs', '[\n{:a, "1"},\n{:b, "1"}]', ['hex:a:2', 'hex:b:3']],
    [
      'pom.xml',
      '<project>\n<dependencies>\n<dependency>\n<groupId>a</groupId><artifactId>b</artifactId></dependency></dependencies></project>',
      ['maven:a:b:3'],
    ],
    ['Gemfile', "\r\ngem 'a'\r\ngem 'b'", ['rubygems:a:2', 'rubygems:b:3']],
  ])('have the lines of %s', async (path, text, expected) => expect(linesIn(await read(path, text))).toEqual(expected));
});

describe('a manifest', () => {
  it.each<[string, string, Partial<Manifest>]>([
    [
      'package.json',
      '{"name":"root","private":true,"workspaces":["apps/*","!apps/old"],"scripts":{"dev":"next dev"}}',
      { name: 'root', isPublished: false, members: ['apps/*', '!apps/old'], scripts: { dev: 'next dev' } },
    ],
    ['package.json', '{"workspaces":{"packages":["./packages/*/"],"catalog":{"x":"1"}}}', { isPublished: null, members: ['packages/*'] }],
    [
      'apps/web/package.json',
      '{"name":"web","files":["dist"],"bin":{"web":"x"},"dependencies":{"@acme/db":"workspace:*","ui":"file:../../packages/ui","t":"file:t.tgz"}}',
      { isPublished: true, hasProgram: true, references: ['@acme/db', 'packages/ui'] },
    ],
    ['pnpm-workspace.yaml', 'packages:\n  - "apps/*"\n  - packages/*\ncatalog:\n  react: 19\n', { members: ['apps/*', 'packages/*'] }],
    ['lerna.json', '{"packages":["modules/*"]}', { members: ['modules/*'] }],
    [
      'apps/api/project.json',
      '{"name":"api","targets":{"serve":{"executor":"nx:run-commands","options":{"command":"node main.js"}}},"implicitDependencies":["shared"]}',
      { name: 'api', scripts: { serve: 'node main.js' }, references: ['shared'] },
    ],
    [
      'deno.json',
      '{"workspace":["./a","./b"],"tasks":{"start":"deno run main.ts"},"imports":{"@core/":"../core/src/"}}',
      { members: ['a', 'b'], scripts: { start: 'deno run main.ts' } },
    ],
    [
      'pyproject.toml',
      '[project]\nname="x"\nclassifiers=["Programming Language :: Python"]\n[project.scripts]\nx="x:main"\n[tool.uv.sources]\ncore={workspace=true}\n[tool.uv.workspace]\nmembers=["libs/*"]\nexclude=["libs/old"]',
      { name: 'x', isPublished: true, hasProgram: true, references: ['core'], members: ['libs/*', '!libs/old'] },
    ],
    [
      'svc/pyproject.toml',
      '[tool.poetry]\nname="svc"\npackage-mode=false\n[tool.poetry.dependencies]\nshared={path="../shared",develop=true}\n[tool.poe.tasks]\nserve="uvicorn a"',
      { name: 'svc', isPublished: false, references: ['shared'], scripts: { serve: 'uvicorn a' } },
    ],
    ['requirements/base.txt', 'stripe', { folder: '' }],
    ['api/requirements/base.txt', '-r ../../common/requirements.txt', { folder: 'api', references: ['common'] }],
    ['engines/shop/shop.gemspec', 's.name = "shop"', { name: 'shop', isPublished: true }],
    ['Gemfile', 'gem "shop", path: "engines/shop"\neval_gemfile "gemfiles/dev.rb"', { references: ['engines/shop', 'gemfiles'] }],
    ['svc/go.mod', 'module x\nreplace a/b => ../lib', { name: 'x', references: ['lib'] }],
    ['go.work', 'go 1.24\nuse ./api\nuse (\n\t./worker // w\n\t"./lib"\n)', { members: ['api', 'worker', 'lib'] }],
    ['Cargo.toml', '[workspace]\nmembers=["crates/*"]\nexclude=["old"]', { name: null, members: ['crates/*', '!old'] }],
    [
      'crates/api/Cargo.toml',
      '[package]\nname="api"\npublish=false\n[dependencies]\ndb={path="../db"}\ncore.workspace=true',
      { name: 'api', isPublished: false, references: ['crates/db', 'core'] },
    ],
    [
      'composer.json',
      '{"name":"a/b","type":"project","repositories":[{"type":"path","url":"packages/*"},{"type":"path","url":"./lib"}],"scripts":{"dev":["a","b"]}}',
      { name: 'a/b', isPublished: false, members: ['packages/*'], references: ['lib'], scripts: { dev: 'a && b' } },
    ],
    ['mix.exs', 'def project, do: [apps_path: "apps"]', { members: ['apps/*'], name: null }],
    [
      'apps/web/mix.exs',
      'def project, do: [app: :web, deps: [{:core, in_umbrella: true}, {:lib, path: "../../lib"}]]',
      { name: 'web', references: ['core', 'lib'] },
    ],
    [
      'settings.gradle',
      "rootProject.name = 'shop'\ninclude ':core', ':app:web'\ninclude('jobs')\nproject(':jobs').projectDir = file('services/jobs')",
      { name: 'shop', members: ['core', 'app/web', 'services/jobs'] },
    ],
    [
      'app/build.gradle.kts',
      'dependencies { implementation(project(":core"))\n api(projects.shared.data) }',
      { references: [':core', ':shared:data'] },
    ],
    [
      'pom.xml',
      '<project><parent><groupId>p</groupId><artifactId>q</artifactId></parent><artifactId>a</artifactId><modules><module>core</module><module>web/pom.xml</module></modules></project>',
      { name: 'p:a', references: ['p:q'], members: ['core', 'web'] },
    ],
    [
      'Shop.sln',
      'Project("{FAE0}") = "Api", "src\\Api\\Api.csproj", "{1}"\nEndProject\nProject("{2150}") = "items", "items", "{2}"',
      { members: ['src/Api'] },
    ],
    ['Shop.slnx', '<Solution><Project Path="src/Web/Web.fsproj" /></Solution>', { members: ['src/Web'] }],
    [
      'src/Api/Api.csproj',
      '<Project><PropertyGroup><PackAsTool>true</PackAsTool></PropertyGroup><ProjectReference Include="..\\Core\\Core.csproj"/></Project>',
      { name: 'Api', hasProgram: true, references: ['src/Core'] },
    ],
    ['pubspec.yaml', 'name: root\nworkspace:\n  - packages/a\n', { name: 'root', members: ['packages/a'] }],
    [
      'ios/App.xcodeproj/project.pbxproj',
      'repositoryURL = "https://github.com/getsentry/sentry-cocoa";',
      { folder: 'ios', packages: [{ name: 'getsentry/sentry-cocoa', use: 'runtime' }] },
    ],
  ])('is read out of %s', async (path, text, expected) => expect(await manifestIn(path, text)).toMatchObject(expected));

  it('keeps no value that a script sets', async () => {
    const script =
      'STRIPE_KEY=canary1 API_TOKEN="canary 2" next dev --token canary3 --api-key=canary4 --port 3000 -c fly-preview.toml -H "Authorization: canary5"';
    const manifest = await manifestIn('package.json', JSON.stringify({ scripts: { dev: script } }));
    expect(manifest?.scripts.dev).not.toContain('canary');
    expect(manifest?.scripts.dev).toContain('--port 3000 -c fly-preview.toml');
  });

  it.each([
    ['package.json', '[]', /holds no JSON object/],
    ['pyproject.toml', '[project]\ndependencies = [', /^is not valid TOML \(line \d+, column \d+\)$/],
    ['composer.json', '{', /^is not valid JSON \(line 1, column 2: /],
  ])('says the mistake of a broken %s', async (path, text, why) => expect((await read(path, text))[0]?.problem).toMatch(why));
});

describe('names of version catalogs', () => {
  const catalog =
    '[libraries]\nstripe-java="com.stripe:stripe-java:30"\naws-sqs={module="software.amazon.awssdk:sqs",version.ref="aws"}\npg={group="org.postgresql",name="postgresql"}\n[bundles]\ndata=["pg","aws-sqs"]';
  const resolve = async (files: { readonly [path: string]: string }): Promise<readonly string[]> => {
    const readings = (await Promise.all(Object.entries(files).map(([path, text]) => read(path, text)))).flat();
    return namesOf(resolveAliases(readings), 'package');
  };

  it.each<[string, { readonly [path: string]: string }, readonly string[]]>([
    [
      'libs',
      {
        'gradle/libs.versions.toml': catalog,
        'app/build.gradle.kts': 'dependencies { implementation(libs.stripe.java)\n testImplementation(libs.unknown) }',
      },
      ['maven:com.stripe:stripe-java'],
    ],
    [
      'bundles',
      { 'gradle/libs.versions.toml': catalog, 'build.gradle': 'dependencies {\n implementation libs.bundles.data\n}' },
      ['maven:org.postgresql:postgresql', 'maven:software.amazon.awssdk:sqs'],
    ],
    [
      'another catalog',
      { 'gradle/deps.versions.toml': catalog, 'build.gradle.kts': 'dependencies {\n api(deps.aws.sqs) }' },
      ['maven:software.amazon.awssdk:sqs'],
    ],
    [
      'constants of buildSrc',
      {
        'buildSrc/src/main/kotlin/Deps.kt': 'object Deps {\n const val stripe = "com.stripe:stripe-java:30"\n}',
        'app/build.gradle.kts': 'dependencies { implementation(Deps.stripe) }',
      },
      ['maven:com.stripe:stripe-java'],
    ],
  ])('stand for packages: %s', async (_, files, expected) => expect(await resolve(files)).toEqual(expected));

  it('alone are no use of a package', async () => expect(await resolve({ 'gradle/libs.versions.toml': catalog })).toEqual([]));
});
