import { describe, expect, it } from 'vitest';
import { linesIn, namesOf, readAll } from '../../../../../test/support/readings.ts';
import type { Asked, Reading } from '../../facts.ts';
import { settingsReaders } from './index.ts';

const asked: Partial<Asked> = {
  hosts: ['.neon.tech', '.database.windows.net', 'smtp.sendgrid.net'],
  schemes: ['postgresql', 'redis'],
  modules: [
    'Swoosh.Adapters.Postmark',
    'Swoosh.Adapters.Mailgun',
    'Swoosh.Adapters.Sendgrid',
    'Swoosh.Adapters.SparkPost',
    'Ecto.Adapters.*',
    'django_ses',
    'storages.backends.s3boto3',
    'Laravel\\Cashier',
    'Sentry\\Laravel\\*',
    'Shrine::Storage::S3',
  ],
};
const read = (path: string, text: string): Promise<readonly Reading[]> => readAll(settingsReaders, path, text, asked);
const settingsIn = async (path: string, text: string): Promise<readonly string[]> => namesOf(await read(path, text), 'setting');
const variablesIn = async (path: string, text: string) => (await read(path, text)).flatMap(({ variables = [] }) => variables);

describe('keys of settings', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'src/main/resources/application.yml',
      'server:\n  port: 8080\nspring:\n  datasource:\n    url: x\n  security:\n    oauth2:\n      client:\n        provider:\n          cognito:\n            issuer-uri: https://x\n',
      [
        'spring',
        'spring.datasource',
        'spring.datasource.url',
        'spring.security',
        'spring.security.oauth2',
        'spring.security.oauth2.client',
        'spring.security.oauth2.client.provider',
        'spring.security.oauth2.client.provider.cognito',
        'spring.security.oauth2.client.provider.cognito.issuer-uri',
      ],
    ],
    [
      'src/main/resources/application.properties',
      '# spring.no=1\nspring.data.redis.host=${REDIS_HOST}\n%prod.quarkus.datasource.jdbc.url = x\r\nlogging.level.root=info',
      ['spring.data.redis.host', 'quarkus.datasource.jdbc.url'],
    ],
    ['src/test/resources/application-test.yml', 'spring.kafka.bootstrap-servers: x', ['spring.kafka.bootstrap-servers (develop)']],
    ['application-local.properties', 'spring.kafka.bootstrap-servers=x', ['spring.kafka.bootstrap-servers (local)']],
    [
      'website/docusaurus.config.ts',
      "export default {\n  url: 'https://a.example', // algolia: {\n  themeConfig: { algolia: { appId: 'x' } },\n  'navbar': { title: 'algolia: {' },\n};\n",
      ['docusaurus.themeConfig', 'docusaurus.algolia', 'docusaurus.navbar'],
    ],
    [
      'docs/.vitepress/config.mts',
      "export default { themeConfig: { search: { provider: 'local' }, /* algolia: {} */ } }",
      ['vitepress.themeConfig', 'vitepress.search.local'],
    ],
    ['src/config.ts', 'export default { algolia: {} }', []],
    ['conf/application.conf', 'db.default.url = ${?DATABASE_URL}', ['db.default.url']],
    [
      'config/storage.yml',
      'test:\n  service: Disk\namazon:\n  service: S3\n  access_key_id: <%= ENV["KEY"] %>\n',
      ['active_storage.disk (local)', 'active_storage.s3'],
    ],
    [
      'config/cable.yml',
      'development:\n  adapter: async\nproduction:\n  adapter: redis\n  url: <%= ENV.fetch("REDIS_URL") { "redis://localhost" } %>\n',
      ['action_cable.redis'],
    ],
    ['config/database.yml', 'default: &default\n  adapter: postgresql\nproduction:\n  <<: *default\n', ['active_record.postgresql']],
    [
      'config/environments/production.rb',
      '  # config.cache_store = :no\n  config.cache_store = :redis_cache_store, { url: ENV["X"] }\n  config.active_job.queue_adapter = :sidekiq\n  config.action_mailer.delivery_method = :postmark\n',
      ['cache_store.redis_cache_store', 'active_job.queue_adapter.sidekiq', 'action_mailer.delivery_method.postmark'],
    ],
    [
      'config/environments/development.rb',
      'config.action_mailer.delivery_method = :letter_opener',
      ['action_mailer.delivery_method.letter_opener (local)'],
    ],
    [
      'config/packages/mailer.yaml',
      'framework:\n  mailer:\n    dsn: "%env(MAILER_DSN)%"\n',
      ['framework', 'framework.mailer', 'framework.mailer.dsn'],
    ],
    [
      '.env.example',
      'MAIL_MAILER=postmark\nFILESYSTEM_DISK="s3"\nQUEUE_CONNECTION=sync\nSCOUT_DRIVER=algolia # search\nDB_CONNECTION=secretvalue\nOTHER=postmark',
      ['mail.default.postmark', 'filesystems.default.s3', 'scout.driver.algolia'],
    ],
    [
      'src/Api/appsettings.json',
      '{ // x\n"Logging":{"LogLevel":{"Default":"x"}},"Stripe":{"ApiKey":"k"},"ConnectionStrings":{"Default":"Host=db"}}',
      ['Stripe.ApiKey', 'ConnectionStrings.Default'],
    ],
    ['appsettings.Development.json', '{"Stripe":{"ApiKey":"k"}}', ['Stripe.ApiKey (local)']],
    ['wp-config.php', "<?php\n// define('NO', 1);\ndefine( 'DB_HOST', 'x' );", ['wp-config.DB_HOST']],
  ])('are facts: %s', async (path, text, expected) => expect(await settingsIn(path, text)).toEqual(expected));
});

describe('variables that settings name', () => {
  it.each<[string, string, readonly object[]]>([
    [
      'src/main/resources/application.yml',
      'spring:\n  datasource:\n    url: jdbc:postgresql://${DB_HOST:localhost}/orders\n    password: ${DB_PASSWORD}\n    x: ${lower.case}\n',
      [
        {
          name: 'DB_HOST',
          line: 3,
          where: 'settings',
          schemes: ['postgresql'],
          opens: { engine: 'postgres', by: 'spring.datasource.url' },
        },
        { name: 'DB_PASSWORD', line: 4 },
      ],
    ],
    [
      'application.properties',
      'quarkus.datasource.jdbc.url=${QUARKUS_URL}\nspring.data.mongodb.uri=${MONGO}',
      [
        { name: 'QUARKUS_URL', opens: { engine: null } },
        { name: 'MONGO', opens: { engine: 'mongodb' } },
      ],
    ],
    [
      'config/database.yml',
      'production:\n  primary:\n    url: <%= ENV["APP_DATABASE_URL"] %>\ntest:\n  url: <%= ENV.fetch("TEST_URL", "x") %>',
      [
        { name: 'APP_DATABASE_URL', use: 'runtime', opens: { by: 'database.production.primary.url' } },
        { name: 'TEST_URL', use: 'local' },
      ],
    ],
    [
      'config/packages/doctrine.yaml',
      "doctrine:\n  dbal:\n    url: '%env(resolve:DATABASE_URL)%'\n",
      [{ name: 'DATABASE_URL', opens: { engine: null, by: 'doctrine.dbal.url' } }],
    ],
    [
      'appsettings.json',
      '{"ConnectionStrings":{"Default":"Host=db;Database=x","Sql":"Server=tcp:a.database.windows.net,1433;Initial Catalog=x","Lite":"Data Source=app.db"}}',
      [
        { name: 'ConnectionStrings__Default', opens: { engine: 'postgres' } },
        { name: 'ConnectionStrings__Sql', hosts: ['.database.windows.net'], opens: { engine: 'sqlserver' } },
        { name: 'ConnectionStrings__Lite', opens: { engine: 'sqlite' } },
      ],
    ],
    ['conf/application.conf', 'db.default.url = ${?DATABASE_URL}', [{ name: 'DATABASE_URL' }]],
  ])('are found: %s', async (path, text, expected) => expect(await variablesIn(path, text)).toMatchObject(expected));
});

describe('modules that services ask for', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'config/runtime.exs',
      '# Swoosh.Adapters.Postmark\nconfig :a, adapter: Swoosh.Adapters.Postmark, x: 1',
      ['Swoosh.Adapters.Postmark:2'],
    ],
    ['lib/notes/repo.ex', 'use Ecto.Repo, otp_app: :notes, adapter: Ecto.Adapters.Postgres', ['Ecto.Adapters.*:1']],
    [
      'shop/settings.py',
      'EMAIL_BACKEND = "django_ses.SESBackend"\nSTORAGES = {"default": {"BACKEND": "storages.backends.s3boto3.S3Boto3Storage"}}\ndjango_ses = 1',
      ['django_ses:1', 'storages.backends.s3boto3:2'],
    ],
    ['config/settings/production.py', 'INSTALLED_APPS += ["django_ses"]', ['django_ses:1']],
    ['app/Models/User.php', '<?php\nuse Laravel\\Cashier\\Billable;', ['Laravel\\Cashier:2']],
    ['config/logging.php', "'x' => 'Sentry\\\\Laravel\\\\LogChannel'", ['Sentry\\Laravel\\*:1']],
    ['config/initializers/shrine.rb', 'Shrine.storages = Shrine::Storage::S3.new', ['Shrine::Storage::S3:1']],
    // A list for a choice.
    ['lib/mail/options.ex', '[Swoosh.Adapters.Postmark, Swoosh.Adapters.Mailgun, Swoosh.Adapters.Sendgrid, Swoosh.Adapters.SparkPost]', []],
    ['app/models/user.rb', '# Shrine::Storage::S3', []],
    ['src/main.py', 'x = "django_ses"', []],
  ])('are facts: %s', async (path, text, expected) => {
    const readings = await read(path, text);
    expect(linesIn(readings.map(({ facts = [] }) => ({ facts: facts.filter(({ kind }) => kind === 'module') })))).toEqual(expected);
  });
});

describe('a value that opens a database', () => {
  it.each([
    ['application.yml', 'spring:\n  datasource:\n    url: ${SHOP_URL}\n', [['SHOP_URL', undefined, 'jdbc:']]],
    [
      'application.properties',
      'spring.datasource.url=jdbc:postgresql://${SHOP_PLACE}:${SHOP_DOOR:5432}/shop\n',
      [
        ['SHOP_PLACE', 'part', 'jdbc:'],
        ['SHOP_DOOR', 'part', 'jdbc:'],
      ],
    ],
    ['config/database.yml', 'production:\n  url: <%= ENV["SHOP_URL"] %>\n', [['SHOP_URL', undefined, undefined]]],
  ])('says what the variable of %s is', async (path, text, expected) => {
    const found = await variablesIn(path, text);
    expect(found.map(({ name, opens, form }) => [name, opens?.role, form])).toEqual(expected);
  });
});
