import { describe, expect, it } from 'vitest';
import { listed, read, sourceOf, surveyOf } from '../../../test/support/surveys.ts';
import type { VariableUse } from '../detect/facts.ts';
import { wire } from './wire.ts';
import type { Source } from './wiring.ts';

const neon = sourceOf(
  'neon',
  { pooled: ['DATABASE_URL', 'POSTGRES_URL', 'POSTGRES_PRISMA_URL'], direct: ['DIRECT_URL', 'DATABASE_URL_UNPOOLED'], host: ['PGHOST'] },
  { engine: 'postgres', hosts: ['.neon.tech'], packages: ['@neondatabase/serverless'] },
);
const supabase = sourceOf(
  'supabase',
  {
    url: ['NEXT_PUBLIC_SUPABASE_URL', 'SUPABASE_URL'],
    'publishable-key': ['NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY', 'NEXT_PUBLIC_SUPABASE_ANON_KEY', 'SUPABASE_ANON_KEY'],
    'secret-key': ['SUPABASE_SERVICE_ROLE_KEY', 'SUPABASE_SERVICE_ROLE'],
    pooled: ['DATABASE_URL', 'SUPABASE_DB_URL'],
    direct: ['DIRECT_URL'],
  },
  { engine: 'postgres', hosts: ['.supabase.co', '.supabase.com'], packages: ['@supabase/supabase-js'] },
);
const atlas = sourceOf('mongodb_atlas', { user: ['MONGODB_USER'] }, { engine: 'mongodb', hosts: ['.mongodb.net'] });
const turso = sourceOf('turso', { connection: ['TURSO_DATABASE_URL', 'DATABASE_URL'] }, { engine: 'libsql', hosts: ['.turso.io'] });
const planetscale = sourceOf('planetscale', { connection: ['DATABASE_URL', 'DB_URL'] }, { engine: 'mysql', hosts: ['.psdb.cloud'] });
const stripe = sourceOf('stripe', { 'signing-secret': ['STRIPE_WEBHOOK_SECRET', 'STRIPE_ENDPOINT_SECRET'] }, { packages: ['stripe'] });

const opens = (engine: string | null, by = 'drizzle-orm', role?: 'migrate' | 'direct' | 'shadow'): Partial<VariableUse> => ({
  opens: { engine, by, ...(role && { role }) },
});

const wiredIn = (variables: readonly VariableUse[], sources: readonly Source[], more: Parameters<typeof surveyOf>[0] = {}): string[] =>
  wire(surveyOf({ services: sources.map(({ service }) => service), ...more, variables }), sources).wired.map(
    ({ variable, given, deployable }) => `${deployable ? `${deployable}: ` : ''}${variable} = ${(given.value as { from: string }).from}`,
  );
const unwiredIn = (variables: readonly VariableUse[], sources: readonly Source[]): (string | null)[] =>
  wire(surveyOf({ services: sources.map(({ service }) => service), variables }), sources).unwired.map(({ why }) => why);

describe('a name gets the value', () => {
  it.each<[string, readonly VariableUse[], readonly Source[], string[]]>([
    [
      'whose kind it opens, under the name of the team',
      [read('DATABASE_PRIMARY_URL', 'drizzle.config.ts', opens('postgres'))],
      [supabase],
      ['DATABASE_PRIMARY_URL = supabase.pooled'],
    ],
    [
      'of each kind under its own name',
      [
        listed('NEXT_PUBLIC_SUPABASE_URL'),
        listed('NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY'),
        listed('DATABASE_PRIMARY_URL'),
        read('DATABASE_PRIMARY_URL', 'src/db.ts', opens('postgres')),
      ],
      [supabase],
      [
        'DATABASE_PRIMARY_URL = supabase.pooled',
        'NEXT_PUBLIC_SUPABASE_URL = supabase.url',
        'NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY = supabase.publishable-key',
      ],
    ],
    [
      'that its host suffix names, before the name',
      [read('DATABASE_URL'), listed('DATABASE_URL', '.env', { hosts: ['.neon.tech'] })],
      [neon, supabase],
      ['DATABASE_URL = neon.pooled'],
    ],
    [
      'under each of its names',
      [read('DATABASE_URL'), read('POSTGRES_PRISMA_URL'), read('DATABASE_URL_UNPOOLED')],
      [neon],
      ['DATABASE_URL = neon.pooled', 'POSTGRES_PRISMA_URL = neon.pooled', 'DATABASE_URL_UNPOOLED = neon.direct'],
    ],
    [
      'of the session, where it is for migrations and the app has another',
      [
        read('APP_DB_URL', 'src/db.ts', opens('postgres')),
        read('MIGRATE_DB', 'drizzle.config.ts', opens('postgres', 'drizzle-kit', 'migrate')),
      ],
      [neon],
      ['APP_DB_URL = neon.pooled', 'MIGRATE_DB = neon.direct'],
    ],
    [
      'through the pooler, where the app has no other name than that of migrations',
      [read('APP_DB_URL', 'drizzle.config.ts', opens('postgres', 'drizzle-kit', 'migrate'))],
      [neon],
      ['APP_DB_URL = neon.pooled'],
    ],
    [
      'of the client that takes it',
      [read('PROJECT_ADDRESS', 'src/a.ts', { givenTo: '@supabase/supabase-js' })],
      [supabase],
      ['PROJECT_ADDRESS = supabase.url'],
    ],
    [
      'of the place at which its client takes it',
      [
        read('SB_API', 'src/a.ts', { givenTo: '@supabase/supabase-js', givenAs: 'address' }),
        read('SB_PUBLIC', 'src/a.ts', { givenTo: '@supabase/supabase-js', givenAs: 'key' }),
        read('SB_ADMIN', 'src/b.ts', { givenTo: '@supabase/supabase-js', givenAs: 'key' }),
        read('SB_OTHER', 'src/c.ts', { givenTo: '@supabase/supabase-js', givenAs: 'key' }),
        read('SHOP_API', 'src/d.ts', { givenTo: 'shop-client', givenAs: 'address' }),
      ],
      [supabase],
      ['SB_API = supabase.url', 'SB_PUBLIC = supabase.publishable-key', 'SB_ADMIN = supabase.secret-key'],
    ],
    [
      'of the database whose engine it opens',
      [read('DATABASE_URL', 'src/db.ts', opens('mysql')), read('PG_ANALYTICS_URL', 'src/analytics.ts', opens('postgres'))],
      [neon, planetscale],
      ['DATABASE_URL = planetscale.connection', 'PG_ANALYTICS_URL = neon.pooled'],
    ],
    [
      'of the driver of its own provider',
      [read('DATABASE_URL', 'src/db.ts', opens('postgres', '@neondatabase/serverless'))],
      [neon, supabase],
      ['DATABASE_URL = neon.pooled'],
    ],
    [
      'that an example file holds whole',
      [listed('SHOP_DB', '.env.example', { hosts: ['.turso.io'], ...opens('libsql', 'value') })],
      [turso],
      ['SHOP_DB = turso.connection'],
    ],
    [
      'whose words say that it is a database, where there is one alone',
      [read('PRIMARY_DATABASE_URL')],
      [neon],
      ['PRIMARY_DATABASE_URL = neon.pooled'],
    ],
    [
      'of a webhook under a name of the team',
      [read('STRIPE_HOOK_SIGNING_SECRET')],
      [stripe],
      ['STRIPE_HOOK_SIGNING_SECRET = stripe.signing-secret'],
    ],
    [
      'of a webhook under a name with the words of an address',
      [read('STRIPE_WEBHOOK_ENDPOINT_SECRET')],
      [stripe],
      ['STRIPE_WEBHOOK_ENDPOINT_SECRET = stripe.signing-secret'],
    ],
    [
      'of a key under a name without the word for a key',
      [read('SUPABASE_ANON_PUBLIC'), read('VITE_SUPABASE_ANON'), read('SUPABASE_SERVICE_ROLE')],
      [supabase],
      [
        'SUPABASE_ANON_PUBLIC = supabase.publishable-key',
        'VITE_SUPABASE_ANON = supabase.publishable-key',
        'SUPABASE_SERVICE_ROLE = supabase.secret-key',
      ],
    ],
    [
      'of an address under a prefix of the app or with words that add nothing',
      [read('SHOP_SUPABASE_URL'), read('SUPABASE_PROJECT_URL'), read('NEXT_PUBLIC_SUPABASE_API_ENDPOINT')],
      [supabase],
      ['SHOP_SUPABASE_URL = supabase.url', 'SUPABASE_PROJECT_URL = supabase.url', 'NEXT_PUBLIC_SUPABASE_API_ENDPOINT = supabase.url'],
    ],
  ])('%s', (_, variables, sources, expected) => expect(wiredIn(variables, sources)).toEqual(expected));
});

describe('nothing is wired, and it is said', () => {
  it.each<[string, readonly VariableUse[], readonly Source[], RegExp]>([
    [
      'for a name that two databases share',
      [read('DATABASE_URL', 'src/db.ts', opens('postgres'))],
      [neon, supabase],
      /DATABASE_URL may hold a value of neon or of supabase/,
    ],
    [
      'for a name whose value is an address of another provider',
      [read('DATABASE_URL'), listed('DATABASE_URL', '.env.example', { hosts: ['.rds.amazonaws.com'] })],
      [neon],
      /DATABASE_URL in \.env\.example is an address of another provider/,
    ],
    [
      'for a name that opens another engine',
      [read('DATABASE_URL', 'src/db.ts', opens('mysql'))],
      [neon],
      /opens mysql with DATABASE_URL, and neon is postgres/,
    ],
    [
      'for a secret in a name of the browser',
      [read('NEXT_PUBLIC_SUPABASE_SERVICE_ROLE_KEY')],
      [supabase],
      /A browser reads NEXT_PUBLIC_SUPABASE_SERVICE_ROLE_KEY/,
    ],
    ['where the code reads no name', [read('SESSION_SECRET')], [neon], /The code reads no name for a value of neon/],
    ['where only a test reads the name', [read('DATABASE_URL', 'test/db.ts', { use: 'develop' })], [neon], /reads no name/],
    [
      'for the address of a string that the provider does not give',
      [read('MONGODB_URI', 'src/db.ts', opens('mongodb', 'mongoose'))],
      [atlas],
      /opens mongodb_atlas with MONGODB_URI, an address of which pilotfish gives parts alone/,
    ],
    [
      'for an address of Java',
      [read('DATABASE_URL', 'application.yml', { ...opens(null, 'spring.datasource.url'), form: 'jdbc:' })],
      [neon],
      /DATABASE_URL takes an address that begins with jdbc:, and neon gives a plain address/,
    ],
    ['for an address of Java, by its name', [read('SPRING_DATASOURCE_URL', 'A.java', opens(null, 'jdbc'))], [neon], /begins with jdbc:/],
    [
      'for a connection string of .NET',
      [read('ConnectionStrings__Shop', 'Program.cs', opens('postgres', 'ConnectionStrings'))],
      [neon],
      /ConnectionStrings__Shop takes a list of keys and values/,
    ],
    [
      'for several secrets of webhooks under names of the team',
      [read('STRIPE_BILLING_WEBHOOK_SECRET'), read('STRIPE_CONNECT_WEBHOOK_SECRET')],
      [stripe],
      /several secrets of stripe/,
    ],
  ])('%s', (_, variables, sources, why) => {
    expect(wiredIn(variables, sources)).toEqual([]);
    expect(unwiredIn(variables, sources).join('\n')).toMatch(why);
  });

  it.each([
    ['STRIPE_SECRET_KEY', stripe, 'src/pay.ts'],
    ['STRIPE_API_KEY', stripe, 'billing/settings.py'],
    ['RESEND_API_KEY', sourceOf('resend', { 'signing-secret': ['RESEND_WEBHOOK_SECRET'] }), 'app/mail.rb'],
  ])('where the code reads %s alone, which no line gives', (name, source, file) => {
    const [why] = unwiredIn([read(name, file)], [source]);
    expect(why).toBe(
      `The code reads ${name} of ${source.title}, and pilotfish gives only the secret that signs its webhooks, which the code does not read.`,
    );
    expect(unwiredIn([listed(name)], [source])).toEqual([`The code reads no name for a value of ${source.title}.`]);
  });

  it('for a name that may be a second database beside the usual one', () => {
    const variables = [read('DATABASE_URL', 'src/db.ts', opens('postgres')), read('EVENTS_DB_URL', 'src/events.ts', opens('postgres'))];
    expect(wiredIn(variables, [neon])).toEqual(['DATABASE_URL = neon.pooled']);
    expect(unwiredIn(variables, [neon])).toEqual([
      'EVENTS_DB_URL may be another database than the one of neon: the code reads several names.',
    ]);
    expect(wiredIn([...variables.slice(1), read('SHOP_DB_URL', 'src/a.ts', opens('postgres'))], [neon])).toEqual([]);
    const bound = [read('DATABASE_URL'), listed('EVENTS_DB', '.env.example', { hosts: ['.neon.tech'], ...opens('postgres', 'value') })];
    expect(wiredIn(bound, [neon])).toEqual(['DATABASE_URL = neon.pooled', 'EVENTS_DB = neon.pooled']);
  });

  it('of a driver that an address of the provider does not name, and the value goes there', () => {
    const variables = [read('DATABASE_URL', 'app/db.py'), listed('DATABASE_URL', '.env.example', { form: 'postgresql+asyncpg://' })];
    const { wired } = wire(surveyOf({ services: ['neon'], variables }), [neon]);
    expect(wired.map(({ variable, driver }) => [variable, driver])).toEqual([['DATABASE_URL', 'postgresql+asyncpg://']]);
  });

  it('in a template', () => {
    const survey = surveyOf({ variables: [read('DATABASE_URL')], isTemplate: true });
    expect(wire(survey, [neon])).toEqual({
      wired: [],
      unwired: [{ service: 'neon', deployable: '', variable: null, why: 'The repository is a template.' }],
    });
  });
});

describe('a value never goes', () => {
  it.each<[string, readonly VariableUse[], readonly Source[]]>([
    [
      'as a connection string under the address of an API',
      [read('SUPABASE_URL'), read('API_URL')],
      [{ ...supabase, variables: supabase.variables.filter(({ kind }) => kind === 'pooled') }],
    ],
    ['to a shadow database', [read('SHADOW_DATABASE_URL', 'prisma/schema.prisma', opens('postgres', 'prisma', 'shadow'))], [neon]],
    ['to another environment', [read('PROD_DATABASE_URL', 'src/copy.ts', opens('postgres'))], [neon]],
    ['to a key that manages the account', [read('TURSO_API_TOKEN')], [sourceOf('turso', { token: ['TURSO_AUTH_TOKEN'] })]],
    [
      'to a name of another service',
      [read('CONVEX_DATABASE_URL', 'src/a.ts', opens('postgres'))],
      [neon, sourceOf('convex', { url: ['CONVEX_URL'] })],
    ],
    ...[
      'SUPABASE_DASHBOARD_URL',
      'NEXT_PUBLIC_SUPABASE_STUDIO_URL',
      'SUPABASE_STORAGE_URL',
      'SUPABASE_TELEMETRY_URL',
      'AUTH_REDIRECT_URL',
    ].map((name): [string, readonly VariableUse[], readonly Source[]] => [
      `to the address of a page or of one part: ${name}`,
      [read(name, 'src/a.ts', { hosts: ['.supabase.co'] })],
      [supabase],
    ]),
    ...['DATABASE_URL_FILE', 'DB_CONNECTION', 'DB_CONNECTION_LIMIT', 'DATABASE_URL_SECRET', 'POSTGRES_CONNECTION_TIMEOUT'].map(
      (name): [string, readonly VariableUse[], readonly Source[]] => [`to what stands beside a value: ${name}`, [read(name)], [neon]],
    ),
    ...['STRIPE_SECRET', 'STRIPE_ENDPOINT_KEY', 'STRIPE_WEBHOOK_SECRET_LIVE', 'STRIPE_WEBHOOK_SECRET_ARN'].map(
      (name): [string, readonly VariableUse[], readonly Source[]] => [`to another secret: ${name}`, [read(name)], [stripe]],
    ),
  ])('%s', (_, variables, sources) => expect(wiredIn(variables, sources)).toEqual([]));
});

describe('the names of a deployable', () => {
  const shared = sourceOf('neon', { pooled: ['DATABASE_URL'] }, { engine: 'postgres', deployables: ['apps/web', 'apps/api'] });

  it('are those of the packages that it reaches', () => {
    const variables = [read('DATABASE_URL', 'packages/db/src/client.ts'), read('DATABASE_URL', 'packages/old/src/client.ts')];
    const more = { apps: { 'apps/web': ['packages/db'], 'apps/api': [] }, packages: ['packages/db', 'packages/old'] };
    expect(wiredIn(variables, [shared], more)).toEqual(['apps/web: DATABASE_URL = neon.pooled']);
  });

  it.each([
    ['scripts', 'packages/db/src/scripts/copy.ts', {}],
    ['a program that seeds', 'packages/db/src/seed.ts', opens('postgres')],
    ['a tool', 'packages/db/tools/dump.py', opens('postgres')],
    ['the configuration of drizzle-kit', 'packages/db/drizzle.config.ts', opens('postgres', 'drizzle-kit', 'migrate')],
    ['the configuration of Prisma', 'packages/db/prisma.config.ts', opens('postgres', 'prisma', 'migrate')],
    ['a knexfile', 'packages/db/knexfile.js', opens('postgres', 'knex')],
  ])('are not those that only %s of a package read', (_, file, extra) => {
    const more = { apps: { 'apps/web': ['packages/db'], 'apps/api': ['packages/db'] }, packages: ['packages/db'] };
    const aside = read('DATABASE_URL', file, extra);
    expect(wiredIn([aside], [shared], more)).toEqual([]);
    expect(wiredIn([aside, read('DATABASE_URL', 'apps/api/src/db.ts')], [shared], more)).toEqual(['apps/api: DATABASE_URL = neon.pooled']);
    expect(wiredIn([aside, read('DATABASE_PRIMARY_URL', 'packages/db/src/client.ts', opens('postgres'))], [shared], more)).toEqual([
      'apps/web: DATABASE_PRIMARY_URL = neon.pooled',
      'apps/api: DATABASE_PRIMARY_URL = neon.pooled',
    ]);
  });

  it.each([
    ['a list', listed('DATABASE_URL', 'apps/web/.env.example')],
    ['a script', read('DATABASE_URL', 'apps/web/scripts/fill.ts', opens('postgres'))],
    ['the configuration of migrations', read('DATABASE_URL', 'apps/web/drizzle.config.ts', opens('postgres', 'drizzle-kit', 'migrate'))],
  ])('have a name of the team that alone opens the database, beside the usual one of %s', (_, usual) => {
    const own = read('DATABASE_PRIMARY_URL', 'apps/web/src/db.ts', opens('postgres'));
    expect(wiredIn([usual, own], [shared], { apps: { 'apps/web': [] } })).toContain('apps/web: DATABASE_PRIMARY_URL = neon.pooled');
    const two = [own, read('DATABASE_URL', 'apps/web/src/env.ts')];
    expect(wiredIn(two, [shared], { apps: { 'apps/web': [] } })).toEqual(['apps/web: DATABASE_URL = neon.pooled']);
  });

  it('hold none that a script of the app opens a database of its own with', () => {
    const old = read('LEGACY_SHOP', 'apps/web/scripts/import.ts', opens('postgres'));
    expect(wiredIn([old, read('DATABASE_URL', 'apps/web/src/db.ts')], [shared], { apps: { 'apps/web': [] } })).toEqual([
      'apps/web: DATABASE_URL = neon.pooled',
    ]);
  });

  it('are those of an example file at a root that deploys nothing', () => {
    expect(wiredIn([listed('DATABASE_URL')], [shared], { apps: { 'apps/web': [] } })).toEqual(['apps/web: DATABASE_URL = neon.pooled']);
    const both = { ...shared, deployables: ['', 'apps/web'] };
    const more = { apps: { '': [], 'apps/web': [] } };
    const inScript = read('DATABASE_URL', 'scripts/copy.ts');
    expect(wiredIn([listed('DATABASE_URL'), inScript], [both], more)).toEqual(['apps/web: DATABASE_URL = neon.pooled']);
    expect(wiredIn([listed('DATABASE_URL'), read('PORT')], [both], more)).toEqual(['DATABASE_URL = neon.pooled']);
  });

  it('are none of an example file at the root that only another app reads', () => {
    const more = { apps: { 'apps/web': [], 'apps/api': ['packages/db'] }, packages: ['packages/db'] };
    const variables = [listed('DATABASE_URL'), read('DATABASE_URL', 'packages/db/src/client.ts')];
    expect(wiredIn(variables, [shared], more)).toEqual(['apps/api: DATABASE_URL = neon.pooled']);
    expect(wiredIn([...variables, listed('DATABASE_URL', 'apps/web/.env.example')], [shared], more)).toContain(
      'apps/web: DATABASE_URL = neon.pooled',
    );
  });

  it('are those that a script gives them', () => {
    const api = sourceOf('supabase', { url: ['SUPABASE_URL'] }, { deployables: ['apps/web', 'apps/phone'] });
    const renamed = (to: string, folder: string) => ({ file: 'scripts/env.mjs', line: 1, from: 'PUBLIC_', to, isPrefix: true, folder });
    const more = {
      apps: { 'apps/web': [], 'apps/phone': [] },
      renames: [renamed('NEXT_PUBLIC_', 'apps/web'), renamed('EXPO_PUBLIC_', 'apps/phone')],
    };
    const code = read('NEXT_PUBLIC_SUPABASE_URL', 'apps/web/lib/db.ts');
    expect(wiredIn([listed('PUBLIC_SUPABASE_URL'), code], [api], more)).toEqual([
      'apps/web: NEXT_PUBLIC_SUPABASE_URL = supabase.url',
      'apps/phone: EXPO_PUBLIC_SUPABASE_URL = supabase.url',
    ]);
  });

  it('keep the name that code reads beside a renamed one', () => {
    const renames = [{ file: 'deploy.sh', line: 1, from: 'POSTGRES_URL', to: 'DATABASE_URL', isPrefix: false, folder: null }];
    const variables = [listed('POSTGRES_URL'), read('DATABASE_URL')];
    expect(wiredIn(variables, [neon], { renames })).toEqual(['DATABASE_URL = neon.pooled']);
    expect(wiredIn([...variables, read('POSTGRES_URL')], [neon], { renames })).toEqual([
      'POSTGRES_URL = neon.pooled',
      'DATABASE_URL = neon.pooled',
    ]);
  });
});
