import { expect, it } from 'vitest';
import { endingsOf } from './endings.ts';
import { readers } from './readers/index.ts';

it.each([
  [/\.ya?ml$/, ['yaml', 'yml']],
  [/(?:^|\/)vercel\.json$/, ['json']],
  [/(?:^|\/)wrangler(?:[.-][\w-]+)*\.jsonc?$/, ['jsonc', 'json']],
  [/(?:^|\/)cloudbuild[\w.-]*\.(?:ya?ml|json)$/, ['yaml', 'yml', 'json']],
  [/\/\.do\/[\w.-]+\.ya?ml$|app-spec\.yaml$/, ['yaml', 'yml']],
  [/(?:^|\/)\.firebaserc$/, ['firebaserc']],
])('the endings of %s are known', (pattern, endings) => expect(endingsOf(pattern)).toEqual(endings));

it.each([/(?:^|\/)Procfile$/, /\.(?:ya?ml|js[xo]n)$/, /(?:a\.yml|b\.json)$/, /\.toml/, /\.json$|Dockerfile$/])(
  'the endings of %s are not known',
  (pattern) => expect(endingsOf(pattern)).toBeUndefined(),
);

/** Paths of real shape, so that a reader whose endings are too few is found. */
const paths = `
  package.json apps/web/package.json pnpm-workspace.yaml lerna.json deno.jsonc project.json import_map.json config/importmap.rb index.html
  pyproject.toml requirements.txt requirements/base.in Pipfile setup.py setup.cfg environment.yml Gemfile gems.rb shop.gemspec go.mod go.work
  Cargo.toml composer.json mix.exs config/runtime.exs rebar.config gleam.toml build.gradle build.gradle.kts settings.gradle.kts
  gradle/libs.versions.toml buildSrc/src/main/kotlin/Deps.kt pom.xml web/web.csproj Directory.Packages.props packages.config shop.sln shop.slnx
  paket.dependencies pubspec.yaml melos.yaml Package.swift Podfile build.sbt project/Dependencies.scala build.mill project.clj deps.edn
  vercel.json .vercel/project.json netlify.toml .netlify/state.json wrangler.jsonc fly.toml fly.preview.json railway.json render.yaml app.json
  Procfile heroku.yml app.yaml service.yaml cloudbuild.yaml firebase.json .firebaserc apphosting.yaml amplify.yml amplify/backend.ts
  staticwebapp.config.json azure.yaml host.json .do/app.yaml serverless.ts template.yaml cdk.json captain-definition Capfile config/deploy.rb
  deploy.php ecosystem.config.cjs Shuttle.toml .replit fastlane/Fastfile convex/schema.ts supabase/functions/pay/index.ts CNAME
  .github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml Dockerfile Makefile README.md bin/release scripts/deploy.sh
  application.yml src/main/resources/application-prod.properties conf/application.conf appsettings.json config/database.yml config/application.rb
  config/environments/production.rb config/packages/mailer.yaml wp-config.php config/mail.php settings.py main.tf stack.tofu.json main.bicep
  lib/stack.ts stack.py stack.go Stack.java Stack.cs k8s/web.yaml chart/values.yaml web.yaml.tpl docker-compose.yml .devcontainer/devcontainer.json
  .env .env.example .env.test env.ts src/main.rs src/main.go app/models/user.rb Rakefile.rake config.ru src/App.vue src/page.svelte src/page.astro
  lib/shop.ex lib/main.dart Sources/main.swift src/Shop.scala src/Shop.kt Program.cs index.php src/index.mts src/index.cjs src/index.tsx
  schema.prisma drizzle.config.ts knexfile.js .sequelizerc src/db.ts secrets.enc.yaml mise.toml`
  .trim()
  .split(/\s+/);

/** The ending of a name, written again so that the test does not depend on what it checks. */
const ending = (path: string): string => (path.split('/').at(-1) ?? '').split('.').at(-1)?.toLowerCase() ?? '';

it.each(readers.map((reader) => [reader.name, reader] as const))('%s names every ending that it takes', (_, { takes, endings }) => {
  const taken = paths.filter((path) => takes(path)).map(ending);
  if (endings) expect(endings).toEqual(expect.arrayContaining(taken));
});

it.each(readers.flatMap((reader) => (reader.names ? [[reader.name, reader.takes, reader.names] as const] : [])))(
  '%s names every file that it takes',
  (_, takes, names) => {
    const taken = paths.filter((path) => takes(path));
    expect(taken.filter((path) => !names(path.split('/').at(-1) ?? ''))).toEqual([]);
  },
);

it('no reader is asked about code of a language that it does not read', () => {
  const asked = readers.filter(({ endings, isCode }) => isCode !== true && (endings === undefined || endings.includes('ts')));
  expect(asked.map(({ name }) => name).length, asked.map(({ name }) => name).join(', ')).toBeLessThanOrEqual(12);
});
