import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { surveyOf } from '../../../test/support/surveys.ts';
import type { Detect, DraftVariable } from '../../ops/detect.ts';
import type { Adapter, Op } from '../../ops/op.ts';
import type { Route } from '../detect/facts.ts';
import type { Claim, Deployable, HostChoice, Survey } from '../detect/survey.ts';
import type { DraftProvider } from '../draft.ts';
import { renderPlan } from '../render.ts';
import { findTodos } from '../standing.ts';
import type { Wired } from '../wiring/wiring.ts';
import { type Composed, compose } from './compose.ts';
import type { ComposeRequest } from './scene.ts';

const op = (required: readonly string[], more: Partial<Op> = {}): Op => ({
  kind: 'object',
  doc: 'What it is.',
  params: Object.fromEntries(
    required.map((name) => [name, { type: 'string', required: true, doc: `The ${name}.`, todo: `where ${name} is.` }]),
  ),
  outputs: {},
  bind: () => {
    throw new Error('a draft is not bound');
  },
  ...more,
});

function provider(name: string, ops: Adapter['ops'], detect: Detect, isRecipe = false): DraftProvider {
  return { adapter: { name, title: name.toUpperCase(), docs: '', provider: { base_url: null, auth: null }, ops, detect }, isRecipe };
}

const uri: DraftVariable = { names: ['DATABASE_URL'], value: { from: 'database.uri' } };
const database = (name: string, rank = 1, isRecipe = false): DraftProvider =>
  provider(
    name,
    { branch: op(['project', 'name'], { outputs: { uri: { doc: 'Its address.', sensitive: true }, id: { doc: 'Its id.' } } }) },
    {
      database: { rank, variables: [uri] },
      draft: [{ id: 'database', op: 'branch', comment: 'A branch.', params: { name: '${repository}-${ctx.scope}' }, part: 'database' }],
    },
    isRecipe,
  );

const host = (name = 'host', hosting: Partial<NonNullable<Detect['hosting']>> = {}): DraftProvider =>
  provider(
    name,
    { env: op(['project', 'key', 'value']), deploy: op(['project']), address: op(['project']) },
    {
      hosting: {
        rank: 1,
        url: { from: 'preview.url' },
        host: { from: 'preview.host' },
        before: { url: { from: 'address.url' }, host: { from: 'address.hostname' } },
        ...hosting,
      },
      draft: [
        { id: 'address', op: 'address', comment: 'The address.', params: {}, part: 'address' },
        {
          id: 'variable',
          op: 'env',
          comment: 'The build sees it.',
          params: { key: { of: 'variable.key' }, value: { of: 'variable.value' } },
          part: 'variable',
        },
        {
          id: 'preview',
          op: 'deploy',
          comment: 'The preview.',
          params: {},
          withAddress: { address: { from: 'address.hostname' } },
          part: 'deployment',
        },
      ],
    },
  );
/** An app for each preview, which CI deploys to. */
const apps = provider(
  'apps',
  { app: op(['name'], { outputs: { name: { doc: 'Its name.' } } }), secret: op(['app', 'key', 'value']) },
  {
    hosting: { rank: 2, url: { text: 'https://your-app.test', words: { 'your-app': 'name' }, todo: 'the app in place of your-app.' } },
    draft: [
      { id: 'app', op: 'app', comment: 'An app.', params: { name: '${repository}-${ctx.scope}' } },
      {
        id: 'variable',
        op: 'secret',
        comment: 'The app sees it.',
        params: { app: { from: 'app.name' }, key: { of: 'variable.key' }, value: { of: 'variable.value' } },
        part: 'variable',
      },
    ],
  },
);

const hook: DraftVariable = { names: ['HOOK_SECRET'], value: { from: 'payments.secret' } };
const payments = (isRecipe = true, ...required: readonly string[]): DraftProvider =>
  provider(
    'pay',
    {
      webhook: {
        ...op(['url', ...required]),
        params: { ...op(['url', ...required]).params, path: { type: 'string', doc: '', default: '/api/webhooks/pay' } },
      },
    },
    {
      variables: [hook],
      draft: [{ id: 'payments', op: 'webhook', comment: 'A hook.', params: { url: { of: 'preview.url' } } }],
    },
    isRecipe,
  );
const signIn = (isRecipe = false): DraftProvider =>
  provider(
    'auth',
    { redirect: { ...op(['url']), params: { ...op(['url']).params, path: { type: 'string', doc: '' } } } },
    {
      draft: [
        {
          id: 'sign-in',
          op: 'redirect',
          comment: 'Sign-in.',
          params: { url: { of: 'preview.url' }, path: '/callback' },
          check: { path: 'the path that sign-in comes back to.' },
        },
      ],
    },
    isRecipe,
  );

const chosen = (name = 'host', more: Partial<HostChoice> = {}): HostChoice => ({
  provider: name,
  ids: {},
  unclear: {},
  builds: 'host',
  previews: null,
  product: null,
  evidence: [{ provider: name, folder: '', file: 'host.json', line: 1, by: 'config', ids: {} }],
  ...more,
});
const deployable = (folder = '', more: Partial<Deployable> = {}): Deployable => ({
  folder,
  name: folder.split('/').at(-1) || 'shop',
  kind: 'web',
  framework: null,
  host: chosen(),
  others: [],
  ...more,
});
const claimOf = ({ adapter, isRecipe }: DraftProvider, more: Partial<Claim> = {}): Claim => ({
  service: adapter.name,
  from: isRecipe ? 'family' : 'adapter',
  facts: [],
  evidence: [],
  deployables: [''],
  ids: {},
  unclear: {},
  madeByHost: null,
  ...more,
});
const wired = (of: DraftProvider, given: DraftVariable = uri, more: Partial<Wired> = {}): Wired => ({
  variable: given.names[0] ?? '',
  deployable: '',
  service: of.adapter.name,
  from: of.isRecipe ? 'family' : 'adapter',
  given,
  isPrisma: false,
  driver: null,
  evidence: { file: 'src/db.ts', what: '' },
  ...more,
});
const route = (path: string, file = 'app/route.ts', more: Partial<Route> = {}): Route => ({
  path,
  methods: ['POST'],
  file,
  line: 1,
  words: ['pay', 'signature'],
  ...more,
});

interface Given {
  readonly services?: readonly DraftProvider[];
  readonly claims?: readonly Claim[];
  readonly hosts?: readonly DraftProvider[];
  readonly deployables?: readonly Deployable[];
  readonly wired?: readonly Wired[];
  readonly survey?: Partial<Survey>;
  readonly request?: Partial<ComposeRequest>;
}

function drafted({
  services = [],
  claims,
  hosts = [host()],
  deployables = [deployable()],
  wired: all = [],
  survey = {},
  request = {},
}: Given): Composed {
  const base = surveyOf({ apps: Object.fromEntries(deployables.map(({ folder }) => [folder, []])) });
  return compose({
    survey: { ...base, deployables, claims: claims ?? services.map((one) => claimOf(one)), ...survey },
    wiring: { wired: all, unwired: [] },
    repository: 'shop',
    providers: [...services, ...hosts],
    titleOf: (name) => name.toUpperCase(),
    ways: [],
    standing: null,
    ...request,
  });
}

const rows = ({ lines }: Composed): readonly string[] =>
  lines.map(({ id, provider: { adapter }, aside }) => `${aside === null ? '' : '# '}${adapter.name} ${id}`);
const param = ({ lines }: Composed, id: string, name: string) =>
  lines.find((line) => line.id === id)?.params.find(([one]) => one === name)?.[1];
const aside = ({ lines }: Composed, id: string) => lines.find((line) => line.id === id)?.aside;

const neon = database('neon');

describe('a first plan', () => {
  it('has the database, its variable, and the deployment that waits for it', () => {
    const draft = drafted({ services: [neon], wired: [wired(neon)] });
    expect(rows(draft)).toEqual(['neon database', 'host database-url', 'host preview']);
    expect(param(draft, 'database-url', 'value')).toEqual({ value: { from: 'database.uri' } });
    expect(draft.lines[2]?.dependsOn).toEqual(['database-url']);
    expect(draft.wired).toEqual([{ variable: 'DATABASE_URL', deployable: '', service: 'neon', from: 'database.uri', where: 'host' }]);
  });

  it('has no line where nothing is found, and none for a host that nothing needs', () => {
    expect(drafted({ deployables: [] }).lines).toEqual([]);
    expect(drafted({}).lines).toEqual([]);
  });

  it('has the ids that files hold, and a placeholder with a hint for each missing id', () => {
    const draft = drafted({ services: [neon], claims: [claimOf(neon, { ids: { project: 'quiet-river' } })], wired: [wired(neon)] });
    expect(param(draft, 'database', 'project')).toEqual({ value: 'quiet-river' });
    expect(param(draft, 'preview', 'project')).toEqual({ value: 'your-host-project', todo: 'where project is.' });
  });

  it('names all values where files hold several', () => {
    const several = deployable('', { host: chosen('host', { unclear: { project: ['web', 'docs'] } }) });
    const draft = drafted({ services: [neon], deployables: [several], wired: [wired(neon)] });
    expect(param(draft, 'preview', 'project')?.todo).toMatch(/^one of web, docs, .*where project is\.$/);
  });

  it('says what the code must change where its driver asks for another begin of the address', () => {
    const draft = drafted({ services: [neon], wired: [{ ...wired(neon), driver: 'postgresql+asyncpg://' }] });
    expect(param(draft, 'database-url', 'value')).toMatchObject({
      value: { from: 'database.uri' },
      check: 'the code must put postgresql+asyncpg:// in place of what this address begins with.',
    });
  });

  it('has several databases where the code reads each', () => {
    const mysql = database('mysql', 2);
    const draft = drafted({ services: [mysql, neon], wired: [wired(neon), wired(mysql, { ...uri, names: ['LEGACY_URL'] })] });
    expect(rows(draft)).toEqual(['neon database', 'mysql database-mysql', 'host database-url', 'host legacy-url', 'host preview']);
    expect(param(draft, 'legacy-url', 'value')).toEqual({ value: { from: 'database-mysql.uri' } });
  });
});

describe('a database that no line hands on is a comment, and so is everything that needs it', () => {
  it('says that no code reads it', () => {
    const draft = drafted({
      services: [neon],
      request: { wiring: { wired: [], unwired: [{ service: 'neon', deployable: '', variable: null, why: 'The code reads no name.' }] } },
    });
    expect(rows(draft)).toEqual(['# neon database']);
    expect(aside(draft, 'database')).toBe('The code reads no name.');
  });

  it.each([
    ['no host is known', deployable('', { host: null }), 'No file tells which host has shop.'],
    ['its host is not managed', deployable('', { host: chosen('aws') }), 'shop runs at AWS, and pilotfish has no line for previews there.'],
    [
      'its host builds no branches',
      deployable('', { host: chosen('host', { previews: 'off' }) }),
      'HOST builds no branches of shop: host.json switches that off.',
    ],
    ['it runs on phones', deployable('', { kind: 'mobile' }), 'shop runs on the devices of its users, so no host has a preview of it.'],
  ])('where %s', (_, one, why) => {
    const draft = drafted({ services: [neon], deployables: [one], wired: [wired(neon)] });
    expect(rows(draft)).toEqual(['# neon database']);
    expect(aside(draft, 'database')).toBe(`Hand its value to DATABASE_URL yourself. ${why}`);
    expect(draft.unwired).toEqual([{ service: 'neon', why: `DATABASE_URL: ${why}` }]);
  });

  it('where CI builds the app: the job takes the value, or reads it where it is a secret', () => {
    const built = deployable('', { host: chosen('host', { builds: 'ci' }) });
    const plain = drafted({ services: [neon], deployables: [built], wired: [wired(neon, { ...uri, value: { from: 'database.id' } })] });
    expect(rows(plain)).toEqual(['# neon database']);
    expect(aside(plain, 'database')).toContain('`DATABASE_URL: ${{ fromJSON(steps.pilotfish.outputs.outputs).database.id }}`');
    expect(plain.wired).toEqual([{ variable: 'DATABASE_URL', deployable: '', service: 'neon', from: 'database.id', where: 'job' }]);
    const secret = drafted({ services: [neon], deployables: [built], wired: [wired(neon)] });
    expect(aside(secret, 'database')).toContain('no output of the action shows a secret');
  });

  it('keeps no sign-in alive that is its own, because nobody signs in there', () => {
    const auth = provider(
      'base',
      { branch: op(['name']), redirect: op(['project', 'url']) },
      {
        database: { rank: 1, variables: [uri] },
        draft: [
          { id: 'database', op: 'branch', comment: 'A branch.', params: { name: 'x' }, part: 'database' },
          { id: 'sign-in', op: 'redirect', comment: 'Sign-in.', params: { project: { from: 'database.id' }, url: { of: 'preview.url' } } },
        ],
      },
    );
    const built = deployable('', { host: chosen('host', { builds: 'ci' }) });
    const draft = drafted({ services: [auth], deployables: [built], wired: [wired(auth)] });
    expect(rows(draft)).toEqual(['# base database', '# host preview', '# base sign-in']);
    expect(aside(draft, 'sign-in')).toBe('It needs database.');
    expect(rows(drafted({ services: [auth], wired: [wired(auth)] }))).toEqual([
      'base database',
      'host database-url',
      'host preview',
      'base sign-in',
    ]);
  });

  it('where its value names no output, the variable needs all lines of the database', () => {
    const text = { ...uri, value: 'libsql://your-name.test', todo: 'the name.' };
    const hidden = { ...deployable(), host: null };
    const draft = drafted({
      services: [neon],
      deployables: [deployable(), { ...hidden, folder: 'api', name: 'api' }],
      wired: [wired(neon, text)],
    });
    expect(rows(draft)).toEqual(['neon database', 'host database-url', 'host preview']);
    expect(rows(drafted({ services: [neon], wired: [wired(neon, text)], survey: { template: { file: 'README.md', what: '' } } }))).toEqual([
      '# neon database',
      '# host database-url',
      '# host preview',
    ]);
  });

  it('is left to the host that makes it for each preview', () => {
    const made = claimOf(neon, { madeByHost: { host: 'host', what: 'a database' } });
    expect(drafted({ services: [neon], claims: [made], wired: [wired(neon)] }).lines).toEqual([]);
  });
});

describe('several deployables', () => {
  const two = [deployable('apps/web', { host: chosen('host', { ids: { project: 'shop-web' } }) }), deployable('apps/admin')];
  const both = claimOf(neon, { deployables: ['apps/web', 'apps/admin'] });

  it('get lines each, with their projects, and variables at the host of the one that reads them', () => {
    const draft = drafted({
      services: [neon],
      claims: [both],
      deployables: two,
      wired: [wired(neon, uri, { deployable: 'apps/web' }), wired(neon, uri, { deployable: 'apps/admin' })],
    });
    expect(rows(draft)).toEqual([
      'neon database',
      'host database-url-web',
      'host preview-web',
      'host database-url-admin',
      'host preview-admin',
    ]);
    expect(param(draft, 'database-url-web', 'project')).toEqual({ value: 'shop-web' });
    expect(param(draft, 'database-url-admin', 'project')?.todo).toBe('for admin: where project is.');
  });

  it('get placeholders of their own, so that the value of one is not that of the other, and share what their host calls shared', () => {
    const shared = { ...host('host', { shared: ['team'] }) };
    const withTeam = {
      ...shared,
      adapter: { ...shared.adapter, ops: { ...shared.adapter.ops, env: op(['project', 'team', 'key', 'value']) } },
    };
    const text = renderPlan(
      drafted({
        services: [neon],
        hosts: [withTeam],
        claims: [both],
        deployables: [deployable('apps/web'), deployable('apps/admin')],
        wired: [wired(neon, uri, { deployable: 'apps/web' }), wired(neon, uri, { deployable: 'apps/admin' })],
      }),
      { schema: null },
    );
    const projects = parse(text).changes.map(({ project, team }: Record<string, string>) => [project, team]);
    expect(projects).toEqual([
      ['your-neon-project', undefined],
      ['your-web-host-project', 'your-host-team'],
      ['your-web-host-project', undefined],
      ['your-admin-host-project', 'your-host-team'],
      ['your-admin-host-project', undefined],
    ]);
    expect(findTodos(text, 'plan').map(({ hint }) => hint)).toEqual([
      'where project is.',
      'for web: where project is.',
      'where team is.',
      'for admin: where project is.',
    ]);
  });

  it('name their objects after themselves', () => {
    const names = drafted({
      services: [neon],
      hosts: [
        {
          ...apps,
          adapter: { ...apps.adapter, detect: { ...apps.adapter.detect, hosting: { rank: 1, url: { text: 'https://x.example' } } } },
        },
      ],
      claims: [both],
      deployables: [deployable('apps/web', { host: chosen('apps') }), deployable('apps/admin', { host: chosen('apps') })],
      wired: [wired(neon, uri, { deployable: 'apps/web' }), wired(neon, uri, { deployable: 'apps/admin' })],
    });
    expect([param(names, 'app-web', 'name'), param(names, 'app-admin', 'name')].map((one) => one?.value)).toEqual([
      'shop-web-${ctx.scope}',
      'shop-admin-${ctx.scope}',
    ]);
  });

  it('a sign-in comes back to each that uses it', () => {
    const auth = signIn();
    const draft = drafted({ services: [auth], claims: [claimOf(auth, { deployables: ['apps/web', 'apps/admin'] })], deployables: two });
    expect(rows(draft)).toEqual(['host preview-web', 'host preview-admin', 'auth sign-in-web', 'auth sign-in-admin']);
    expect(param(draft, 'sign-in-admin', 'url')).toEqual({ value: { from: 'preview-admin.url' } });
  });
});

describe('a webhook', () => {
  const pay = payments();
  const read = wired(pay, hook);

  it('takes the path of the app and the address from before the build, and the deployment is held against it', () => {
    const draft = drafted({ services: [pay], wired: [read], survey: { routes: [route('/hooks/pay')] } });
    expect(rows(draft)).toEqual(['host address', 'pay payments', 'host hook-secret', 'host preview']);
    expect(param(draft, 'payments', 'url')).toEqual({ value: { from: 'address.url' } });
    expect(param(draft, 'payments', 'path')).toEqual({ value: '/hooks/pay' });
    expect(param(draft, 'preview', 'address')).toEqual({ value: { from: 'address.hostname' } });
    expect(draft.lines[3]?.dependsOn).toEqual(['hook-secret']);
  });

  it('comes after the build where no code reads its secret, and then nobody needs the address', () => {
    const draft = drafted({ services: [pay], survey: { routes: [route('/hooks/pay')] } });
    expect(rows(draft)).toEqual(['host preview', 'pay payments']);
    expect(param(draft, 'preview', 'address')).toBeUndefined();
  });

  it('is a comment where no route takes it, with its path to be checked', () => {
    const draft = drafted({ services: [pay], wired: [read] });
    expect(rows(draft)).toEqual(['# host address', '# pay payments', '# host hook-secret', '# host preview']);
    expect(param(draft, 'preview', 'address')).toBeUndefined();
    expect(aside(draft, 'payments')).toBe('No file of this repository has a route that takes events of PAY.');
    expect(param(draft, 'payments', 'path')).toEqual({ value: '/api/webhooks/pay', check: 'the path of your app that answers PAY.' });
  });

  it('takes the address of the deployable that answers, and is a comment where that has none', () => {
    const two = [deployable('apps/web'), deployable('apps/api', { host: chosen('apps') })];
    const at = (one: Deployable) =>
      drafted({
        services: [pay],
        hosts: [host(), apps],
        claims: [claimOf(pay, { deployables: ['apps/web'] })],
        deployables: [two[0] as Deployable, one],
        survey: { routes: [route('/hooks/pay', 'apps/api/server.ts')] },
      });
    const open = at(two[1] as Deployable);
    expect(rows(open)).toEqual(['# apps app-api', '# pay payments']);
    expect(param(open, 'payments', 'url')?.value).toBe('https://your-app.test');
    const none = at({ ...(two[1] as Deployable), host: null });
    expect(aside(none, 'payments')).toBe('apps/api/server.ts has the route /hooks/pay. No file tells which host has api.');
  });

  it('is a comment where another service answers', () => {
    const draft = drafted({ services: [pay], survey: { routes: [route('/pay/events', 'convex/http.ts', { servedBy: 'convex' })] } });
    expect(aside(draft, 'payments')).toBe('convex/http.ts has the route /pay/events, which CONVEX answers at an address of its own.');
  });

  it('is a comment while a value is missing, unless the build needs its secret', () => {
    const open = payments(true, 'id');
    const survey = { routes: [route('/hooks/pay')] };
    expect(rows(drafted({ services: [open], survey }))).toEqual(['# host preview', '# pay payments']);
    const draft = drafted({ services: [open], wired: [wired(open, hook)], survey });
    expect(rows(draft)).toEqual(['host address', 'pay payments', 'host hook-secret', 'host preview']);
    expect(param(draft, 'payments', 'id')?.todo).toBe('where id is.');
  });
});

describe('the place of a preview', () => {
  it('is a line where variables go there', () => {
    const draft = drafted({
      services: [neon],
      hosts: [apps],
      deployables: [deployable('', { host: chosen('apps') })],
      wired: [wired(neon)],
    });
    expect(rows(draft)).toEqual(['neon database', 'apps app', 'apps database-url']);
    expect(param(draft, 'database-url', 'app')).toEqual({ value: { from: 'app.name' } });
  });

  it('is left to the workflow that makes it, whose name the lines take', () => {
    const evidence = [{ provider: 'apps', folder: '', file: '.github/workflows/preview.yml', line: 7, by: 'preview' as const, ids: {} }];
    const made = chosen('apps', { previews: 'each', ids: { name: 'shop-pr-${ctx.pr.number}' }, evidence });
    const auth = signIn();
    const draft = drafted({
      services: [neon, auth],
      hosts: [apps],
      deployables: [deployable('', { host: made })],
      wired: [wired(neon)],
    });
    expect(rows(draft)).toEqual(['neon database', 'apps database-url', 'auth sign-in']);
    expect(param(draft, 'database-url', 'app')).toEqual({ value: 'shop-pr-${ctx.pr.number}' });
    expect(param(draft, 'sign-in', 'url')).toEqual({ value: 'https://shop-pr-${ctx.pr.number}.test' });
  });

  it('has lines for one product of the host alone', () => {
    const pages = host('host', { product: 'pages' });
    const worker = deployable('', { host: chosen('host', { product: 'workers' }) });
    const draft = drafted({ services: [neon], hosts: [pages], deployables: [worker], wired: [wired(neon)] });
    expect(rows(draft)).toEqual(['# neon database']);
    expect(draft.deployed[0]?.why).toBe(
      'shop runs at HOST, and pilotfish has lines for its product pages and none for the product workers.',
    );
  });
});

describe('lines that stand alone', () => {
  const report = provider(
    'errors',
    { release: op(['version']) },
    { draft: [{ id: 'release', op: 'release', comment: 'A report.', params: { version: '${ctx.git.sha}' }, part: 'report' }] },
  );
  const flags = provider('flags', { rule: op([]) }, { draft: [{ id: 'flag', op: 'rule', comment: 'A flag.', params: {}, part: 'flags' }] });
  const cache = provider(
    'cache',
    { cache: op(['name']) },
    { draft: [{ id: 'cache', op: 'cache', comment: 'A cache.', params: { name: 'x' } }] },
  );

  it('a release report is no plan by itself', () => {
    expect(rows(drafted({ services: [report] }))).toEqual(['# errors release']);
    expect(rows(drafted({ services: [report, neon], wired: [wired(neon)] }))).toContain('errors release');
  });

  it('a flag is an example', () => {
    expect(rows(drafted({ services: [flags, neon], wired: [wired(neon)] }))).toContain('# flags flag');
  });

  it('what only its outputs tell of is a comment where nobody reads them', () => {
    expect(rows(drafted({ services: [cache] }))).toEqual(['# cache cache']);
  });
});

it('a database whose provider nobody can tell has its managed ways as comments', () => {
  const xata = { ...host('xata'), adapter: { ...host('xata').adapter, ...database('xata', 2).adapter } };
  const given = { engine: 'PostgreSQL', variable: 'DATABASE_URL', deployables: [''] };
  const ways = [neon, xata].map((one) => ({ ...given, provider: one }));
  const lines = drafted({ services: [], request: { ways } });
  expect(rows(lines)).toEqual(['# neon database-neon', '# host database-url-neon', '# xata database-xata', '# host database-url-xata']);
  expect(param(lines, 'database-url-xata', 'value')).toEqual({ value: { from: 'database-xata.uri' } });
  expect([aside(lines, 'database-xata'), aside(lines, 'database-url-xata')]).toEqual([
    'Use it if the PostgreSQL database is at XATA, with the line of its variable below.',
    'It needs database-xata.',
  ]);
  const draft = drafted({ services: [], deployables: [deployable('', { host: null })], request: { ways } });
  expect(rows(draft)).toEqual(['# neon database-neon', '# xata database-xata']);
  expect(aside(draft, 'database-xata')).toBe('Use it if the PostgreSQL database is at XATA, and hand its address to DATABASE_URL.');
});

it('a name of the repository ends no comment and marks no value', () => {
  const hostile = deployable('', { name: 'x\n  - id: evil\n    adapter: neon # TODO: y', host: null });
  const draft = drafted({ services: [neon], deployables: [hostile], wired: [wired(neon)] });
  const text = renderPlan(draft, { schema: null });
  expect(text).toContain('evil');
  expect(parse(text)).toEqual({ version: 1, environments: ['preview'], changes: null });
  expect(findTodos(text, 'p')).toEqual([]);
});

describe('beside an existing plan', () => {
  const line = (id: string, name: string, one: string, params: Readonly<Record<string, string>>) => ({
    id,
    provider: name,
    isRecipe: false,
    op: one,
    params,
    unfinished: new Set<string>(),
  });
  const standing = (...lines: readonly ReturnType<typeof line>[]) => ({
    lines,
    taken: lines.map(({ id }) => id),
    environments: ['preview'],
  });

  it('lines refer to its ids, and take no id twice', () => {
    const auth = signIn();
    const plan = standing(line('site', 'host', 'deploy', { project: 'ours' }), line('database', 'other', 'thing', {}));
    const draft = drafted({ services: [neon, auth], wired: [wired(neon)], request: { standing: plan } });
    expect(rows(draft)).toEqual(['neon database-neon', 'host database-url', 'host site', 'auth sign-in']);
    expect(param(draft, 'sign-in', 'url')).toEqual({ value: { from: 'site.url' } });
  });

  it('a value of the plan goes before that of a file', () => {
    const known = deployable('', { host: chosen('host', { ids: { project: 'of-a-file' } }) });
    const plan = standing(line('preview', 'host', 'deploy', { project: 'ours' }));
    const draft = drafted({ services: [neon], deployables: [known], wired: [wired(neon)], request: { standing: plan } });
    expect(param(draft, 'database-url', 'project')).toEqual({ value: 'ours' });
  });

  it('tells the lines of two deployables apart by their projects', () => {
    const two = ['web', 'admin'].map((name) => deployable(name, { host: chosen('host', { ids: { project: `shop-${name}` } }) }));
    const plan = standing(line('a', 'host', 'deploy', { project: 'shop-admin' }), line('b', 'host', 'deploy', { project: 'shop-web' }));
    const draft = drafted({
      services: [neon],
      claims: [claimOf(neon, { deployables: ['web', 'admin'] })],
      deployables: two,
      wired: ['web', 'admin'].map((folder) => wired(neon, uri, { deployable: folder })),
      request: { standing: plan },
    });
    expect(rows(draft)).toEqual(['neon database', 'host database-url-web', 'host b', 'host database-url-admin', 'host a']);
  });
});
