import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Asked } from '../../src/onboard/detect/facts.ts';
import { readers } from '../../src/onboard/detect/readers/index.ts';
import { readAll } from '../support/readings.ts';

/** Signals that the values below come near, so that readers look at them closely. */
const asked: Asked = {
  hosts: ['.neon.tech', 'smtp.sendgrid.net', 'sqs.*.amazonaws.com', '.ingest.sentry.io', '.database.windows.net'],
  schemes: ['postgresql', 'postgres', 'mongodb+srv', 'redis', 'gs', 'op'],
  modules: ['Swoosh.Adapters.Postmark', 'django_ses', 'Laravel\\Cashier'],
  resources: [],
};

/** Files of each format in which `@@` stands for a secret value. */
const files: readonly (readonly [path: string, text: string])[] = [
  [
    'package.json',
    '{"name":"a","scripts":{"dev":"KEY=@@ next dev --token @@","b":"API_KEY=\\"@@\\" node . --api-key=@@"},"config":{"x":"@@"},"dependencies":{"stripe":"https://u:@@@x.y/z.tgz"}}',
  ],
  ['project.json', '{"name":"a","targets":{"x":{"options":{"command":"TOKEN=@@ node a","env":{"KEY":"@@"}}}}}'],
  ['deno.json', '{"imports":{"stripe":"npm:stripe@1"},"tasks":{"start":"KEY=@@ deno run a.ts"},"secret":"@@"}'],
  ['pnpm-workspace.yaml', 'packages:\n  - a\nsecret: @@\n'],
  [
    'pyproject.toml',
    '[project]\nname="a"\ndependencies=["stripe"]\n[tool.poe.tasks]\nx="KEY=@@ python a.py"\n[[tool.uv.index]]\nurl="https://u:@@@x.y/simple"',
  ],
  ['requirements.txt', '--extra-index-url https://u:@@@x.y/simple\nstripe==1\nmine @ git+https://@@@x.y/z.git'],
  ['Pipfile', '[[source]]\nurl="https://u:@@@x.y"\n[packages]\nstripe="*"\n[scripts]\nx="KEY=@@ a"'],
  ['setup.py', 'setup(name="a", password="@@", install_requires=["stripe"])'],
  ['environment.yml', 'dependencies:\n  - stripe\nvariables:\n  KEY: @@\n'],
  ['Gemfile', 'source "https://u:@@@x.y"\ngem "stripe"\nKEY = "@@"'],
  ['go.mod', 'module x\n// @@\nrequire github.com/a/b v1.0.0'],
  ['Cargo.toml', '[package]\nname="a"\nmetadata={key="@@"}\n[dependencies]\na={git="https://u:@@@x.y/z"}'],
  ['composer.json', '{"require":{"stripe/stripe-php":"1"},"config":{"http-basic":{"x":{"password":"@@"}}},"scripts":{"a":"KEY=@@ php a"}}'],
  ['mix.exs', '{:stripe, "~> 1"},\n{:a, "1", organization: "x"}\n@key "@@"'],
  ['config/runtime.exs', 'config :a, api_key: "@@", adapter: Swoosh.Adapters.Postmark, url: "postgres://u:@@@ep-1.neon.tech/x"'],
  [
    'build.gradle',
    "dependencies { implementation 'a:b:1' }\next.key = '@@'\nmaven { url 'https://u:@@@x.y' ; credentials { password '@@' } }",
  ],
  ['gradle.properties', 'token=@@'],
  [
    'pom.xml',
    '<project><properties><key>@@</key></properties><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId></dependency></dependencies></project>',
  ],
  ['a.csproj', '<Project><PropertyGroup><Key>@@</Key></PropertyGroup><PackageReference Include="Stripe.net" /></Project>'],
  ['pubspec.yaml', 'name: a\ndependencies:\n  stripe: 1\nkey: @@\n'],
  ['build.sbt', 'val key = "@@"\nlibraryDependencies += "a" % "b" % "1"'],
  [
    'src/main/resources/application.yml',
    'spring:\n  datasource:\n    url: jdbc:postgresql://u:@@@ep-1.neon.tech/${DB:@@}\n    password: ${DB_PASSWORD:@@}\nstripe:\n  key: @@\n',
  ],
  ['application.properties', 'stripe.key=@@\nspring.datasource.password=${P:@@}\n'],
  ['conf/application.conf', 'db.default.password = "@@"\nplay.http.secret.key = ${?KEY}'],
  [
    'config/database.yml',
    'production:\n  adapter: postgresql\n  password: @@\n  url: <%= ENV["DATABASE_URL"] || "postgres://u:@@@x.neon.tech" %>\n',
  ],
  ['config/storage.yml', 'amazon:\n  service: S3\n  secret_access_key: @@\n'],
  [
    'config/environments/production.rb',
    'config.action_mailer.delivery_method = :postmark\nconfig.action_mailer.postmark_settings = { api_token: "@@" }',
  ],
  ['config/packages/mailer.yaml', 'framework:\n  mailer:\n    dsn: "%env(MAILER_DSN)%"\n    key: @@\n'],
  ['appsettings.json', '{"Stripe":{"ApiKey":"@@"},"ConnectionStrings":{"Default":"Server=tcp:a.database.windows.net,1433;Password=@@"}}'],
  [
    'settings.py',
    'SECRET_KEY = "@@"\nDATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "PASSWORD": "@@"}}\nEMAIL_BACKEND = "django_ses.SESBackend"',
  ],
  ['wp-config.php', "<?php define('DB_PASSWORD', '@@');"],
  ['config/services.php', "<?php return ['stripe' => ['key' => '@@', 'secret' => env('STRIPE_SECRET', '@@')]];"],
  [
    '.env',
    'STRIPE_KEY=@@\nDATABASE_URL="postgres://u:@@@ep-1.neon.tech/x"\nMAIL_MAILER=@@\nGITHUB_KEY="-----BEGIN PRIVATE KEY-----\n@@\n-----END PRIVATE KEY-----"',
  ],
  ['env.op', 'STRIPE_KEY=@@\nDATABASE_URL=op://team/neon/url'],
  ['fnox.toml', '[secrets]\nSTRIPE_KEY = "@@"\nOTHER = { provider = "x", value = "@@" }'],
  ['secrets.enc.yaml', 'STRIPE_KEY: ENC[AES256_GCM,data:@@,iv:@@]\nsops:\n  mac: @@\n'],
  ['main.tf', 'resource "aws_sqs_queue" "x" {\n  environment = {\n    STRIPE_KEY = "@@"\n  }\n}\nprovider "neon" { api_key = "@@" }'],
  [
    'index.ts',
    "import * as aws from '@pulumi/aws';\nnew aws.sqs.Queue('x', { key: '@@' });\nconst key = '@@';\nconst url = 'postgres://u:@@@ep-1.neon.tech/x';",
  ],
  ['template.yaml', 'Resources:\n  F:\n    Type: AWS::Lambda::Function\n    Environment:\n      Variables:\n        STRIPE_KEY: @@\n'],
  ['k8s/a.yaml', 'apiVersion: v1\nkind: Secret\nstringData:\n  STRIPE_KEY: @@\nspec:\n  env:\n    - name: STRIPE_KEY\n      value: @@\n'],
  [
    'docker-compose.yml',
    'services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: @@\n      - KEY=@@\n    command: run --token @@\n',
  ],
  [
    '.github/workflows/a.yml',
    'env:\n  STRIPE_KEY: @@\njobs:\n  a:\n    steps:\n      - run: curl -H "Authorization: @@" https://x.neon.tech\n',
  ],
  ['src/a.py', 'stripe.api_key = "@@"\nurl = os.environ.get("DATABASE_URL", "postgres://u:@@@ep-1.neon.tech/x")'],
];

/** Forms of secrets. Each has digits and is long, as no name of an adapter is. */
const secret = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9]{24,40}$/),
  fc.stringMatching(/^[a-f0-9]{32}$/),
  fc.stringMatching(/^(?:sk_live|whsec|re|napi|sbp)_[A-Za-z0-9]{20,30}$/),
  fc.stringMatching(/^[a-z]{4,8}-[A-Z0-9]{12}-[a-z0-9]{8}$/),
);

describe('no reading holds a value', () => {
  it.each(files)('of %s', async (path, text) => {
    await fc.assert(
      fc.asyncProperty(secret, async (canary) => {
        const readings = await readAll(
          readers,
          path,
          text.replaceAll('@@', () => canary),
          asked,
        );
        expect(JSON.stringify(readings)).not.toContain(canary);
      }),
      { numRuns: 20 },
    );
  });
});
