import { createWorld, seed, type World } from 'pilotfish-sandbox/all';
import type { Scene } from '../scene.ts';

const branch = 'feature';
const sha = '1'.repeat(40);
const address = 'https://pr-12.acme.example';

type Line = Readonly<Record<string, unknown>> & { readonly id: string };

/** A preview as teams have it: a database and its variable, a webhook whose secret two lines take, names, URLs, a flag, a deploy. */
const lines: readonly Line[] = [
  { id: 'database', adapter: 'neon', op: 'branch', project_id: seed.neonProject, name: 'shop-pr-12' },
  {
    id: 'database-url',
    adapter: 'vercel',
    op: 'env',
    project: seed.vercelProject,
    key: 'DATABASE_URL',
    value: { from: 'database.connection_uri' },
    git_branch: branch,
  },
  { id: 'payments', recipe: 'stripe.webhook_endpoint', name: 'shop-pr-12', url: address, enabled_events: ['invoice.paid'] },
  {
    id: 'payments-secret',
    adapter: 'vercel',
    op: 'env',
    project: seed.vercelProject,
    key: 'STRIPE_WEBHOOK_SECRET',
    value: { from: 'payments.secret' },
    type: 'sensitive',
    git_branch: branch,
  },
  { id: 'hook', recipe: 'github.repo_webhook', repo: seed.repository, url: address, secret: { from: 'payments.secret' } },
  { id: 'dns', recipe: 'cloudflare.dns_cname', zone_id: seed.zone.id, name: 'pr-12.acme.example', target: 'cname.vercel-dns.com' },
  {
    id: 'alias',
    recipe: 'cloudflare.dns_cname',
    zone_id: seed.zone.id,
    name: 'www.pr-12.acme.example',
    target: { from: 'dns.hostname' },
  },
  { id: 'sign-in', recipe: 'auth0.callback_url', client_id: seed.auth0Client, url: `${address}/callback` },
  { id: 'sign-out', recipe: 'auth0.logout_url', client_id: seed.auth0Client, url: address },
  {
    id: 'flag',
    recipe: 'unleash.flag_strategy',
    project: seed.flag.project,
    feature: seed.flag.name,
    environment: seed.flag.environment,
    title: 'shop pr-12',
    parameters: { rollout: '100' },
  },
  {
    id: 'deploy',
    adapter: 'vercel',
    op: 'deploy',
    project: seed.vercelProject,
    depends_on: ['database-url', 'payments-secret'],
  },
  { id: 'told', recipe: 'rollbar.deploy', environment: 'pr-12', revision: sha, depends_on: ['deploy'] },
];

const planOf = (changes: { readonly [id: string]: object } = {}): string =>
  JSON.stringify({ version: 1, changes: lines.map((line) => ({ ...line, ...changes[line.id] })) });

/** Lines lost, under other ids, and with other names; those that used them take the new values. */
function movedPlan(): string {
  const lost: ReadonlySet<string> = new Set(['hook', 'sign-out', 'flag']);
  const ids: { readonly [id: string]: string } = { payments: 'billing', 'sign-in': 'login', 'payments-secret': 'billing-secret' };
  const changes: { readonly [id: string]: object } = {
    database: { name: 'shop-pr-12-next' },
    dns: { name: 'next-pr-12.acme.example' },
    'payments-secret': { value: { from: 'billing.secret' } },
    deploy: { depends_on: ['database-url', 'billing-secret'] },
  };
  const kept = lines.filter(({ id }) => !lost.has(id));
  return JSON.stringify({ version: 1, changes: kept.map((line) => ({ ...line, ...changes[line.id], id: ids[line.id] ?? line.id })) });
}

/** Everything of one preview, at all providers together. */
export const mixed: Scene = {
  family: 'mixed',
  kind: 'object',
  open: (clock) => {
    const world = createWorld({ clock });
    others(world);
    return {
      simulations: world.simulations,
      env: {
        ...world.credentials,
        AUTH0_API_URL: world.auth0.origin + world.auth0.basePath,
        UNLEASH_API_URL: world.unleash.origin,
      },
      run: { sha, branch },
      plans: {
        first: planOf(),
        updated: planOf({
          payments: { enabled_events: ['invoice.paid', 'charge.failed'] },
          dns: { ttl: 300 },
          flag: { parameters: { rollout: '50' } },
        }),
        replaced: planOf({ payments: { api_version: '2026-06-30.clover' } }),
        moved: movedPlan(),
      },
      recreate: ['payments'],
      drift: () => {
        for (const endpoint of endpointsOf(world)) endpoint.status = 'disabled';
        for (const record of recordsOf(world)) Object.assign(record, { content: 'elsewhere.example' });
        world.auth0.world.client(seed.auth0Client).callbacks = ['https://shop.acme.example/callback'];
      },
      remove: () => {
        for (const { id } of endpointsOf(world)) world.stripe.world.removeEndpoint(id);
        for (const { id } of recordsOf(world)) world.cloudflare.world.removeRecord(seed.zone.id, id);
      },
      mine: () => mineOf(world),
      others: () => othersOf(world),
    };
  },
};

const isMine = (text: unknown): boolean => String(text).includes('pr-12');

const endpointsOf = ({ stripe }: World) => stripe.world.endpoints().filter(({ url }) => isMine(url));
const recordsOf = ({ cloudflare }: World) => cloudflare.world.records(seed.zone.id).filter(({ name }) => isMine(name));
const hooksOf = ({ github }: World) => github.world.hooks(seed.repository).filter(({ config }) => isMine(config.url));
const branchesOf = ({ neon }: World) => neon.world.branches().filter(({ name }) => isMine(name));
const variablesOf = ({ vercel }: World) => vercel.world.project(seed.vercelProject).env.filter(({ gitBranch }) => gitBranch === branch);
const strategiesOf = ({ unleash }: World) =>
  unleash.world.environment(seed.flag.project, seed.flag.name, seed.flag.environment).strategies.filter(({ title }) => isMine(title));

/** What the plan made, in the order of its lines; secrets only as whether they are the ones of the object that they belong to. */
function mineOf(world: World): readonly unknown[] {
  const [endpoint] = endpointsOf(world);
  const [database] = branchesOf(world);
  const client = world.auth0.world.client(seed.auth0Client);
  const passwords = database?.roles.map(({ password }) => password) ?? [];
  return [
    ...branchesOf(world).map(({ name, init_source, isProtected }) => ({ name, init_source, isProtected })),
    ...variablesOf(world)
      .map(({ key, type, target, value }) => ({
        key,
        type,
        target,
        isCurrent: key === 'DATABASE_URL' ? passwords.some((password) => value.includes(password)) : value === endpoint?.secret,
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    ...endpointsOf(world).map(({ url, enabled_events, status, api_version }) => ({ url, enabled_events, status, api_version })),
    ...hooksOf(world).map(({ config, events, active }) => ({
      url: config.url,
      events,
      active,
      isCurrent: config.secret === endpoint?.secret,
    })),
    ...recordsOf(world)
      .map(({ name, content, ttl }) => ({ name, content, ttl }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...[client.callbacks, client.allowed_logout_urls].map((list) => (Array.isArray(list) ? list.filter(isMine) : [])),
    ...strategiesOf(world).map(({ name, title, parameters, disabled }) => ({ name, title, parameters, disabled })),
  ];
}

/** What the rest of the team has at the same places. Deployments are the host's, and may be more than one. */
function others({ neon, vercel, stripe, github, cloudflare, unleash, auth0 }: World): void {
  neon.world.addBranch('staging');
  vercel.world.setEnv('LOG_LEVEL', 'info');
  vercel.world.push(branch, sha);
  stripe.world.addEndpoint('https://staging.acme.example/api/webhooks/stripe');
  github.world.addHook(seed.repository, { url: 'https://chat.acme.example/hooks/github' });
  cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: 'www.acme.example', content: 'cname.vercel-dns.com' });
  const { project, name, environment } = seed.flag;
  unleash.world.addStrategy(project, name, environment, { name: 'flexibleRollout', title: 'our testers' });
  Object.assign(auth0.world.client(seed.auth0Client), { web_origins: ['https://shop.acme.example'] });
}

function othersOf({ neon, vercel, stripe, github, cloudflare, unleash, auth0 }: World): unknown {
  const client = auth0.world.client(seed.auth0Client);
  const { project, name, environment } = seed.flag;
  return {
    branches: neon.world.branches().flatMap((one) => (isMine(one.name) ? [] : [one.name])),
    variables: vercel.world.project(seed.vercelProject).env.filter(({ gitBranch }) => gitBranch !== branch),
    endpoints: stripe.world.endpoints().filter(({ url }) => !isMine(url)),
    hooks: github.world.hooks(seed.repository).filter(({ config }) => !isMine(config.url)),
    records: cloudflare.world.records(seed.zone.id).filter((one) => !isMine(one.name)),
    strategies: unleash.world.environment(project, name, environment).strategies.filter(({ title }) => !isMine(title)),
    client: Object.fromEntries(
      Object.entries(client).map(([key, value]) => [key, Array.isArray(value) ? value.filter((one) => !isMine(one)) : value]),
    ),
  };
}
