import { seed } from 'pilotfish-sandbox/all';
import { describe, expect, it } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { openShop } from '../lifecycle/shop.ts';
import { expectSurfaces } from './document-surfaces.ts';

/** Reports of real runs: each line by what it touches, and words that say what the run does. */

const lines = {
  database: `- { id: database, adapter: neon, op: branch, project_id: ${seed.neonProject}, name: "shop-\${ctx.scope}" }`,
  databaseUrl:
    '- { id: database-url, adapter: vercel, op: env, project: shop, key: DATABASE_URL, value: { from: database.connection_uri }, git_branch: "${ctx.git.branch}" }',
  databaseHost:
    '- { id: database-host, adapter: vercel, op: env, project: shop, key: DATABASE_HOST, value: { from: database.host }, git_branch: "${ctx.git.branch}" }',
  apiUrl:
    '- { id: api-url, adapter: vercel, op: env, project: shop, key: API_URL, value: "https://${ctx.scope}.acme.example", git_branch: "${ctx.git.branch}" }',
  preview: '- { id: preview, adapter: vercel, op: deploy, project: shop, depends_on: [database-url, database-host, api-url] }',
  signIn: `- { id: sign-in, recipe: auth0.callback_url, client_id: ${seed.auth0Client}, url: { from: preview.url }, path: /callback }`,
  signOut: `- { id: sign-out, recipe: auth0.logout_url, client_id: ${seed.auth0Client}, url: { from: preview.url } }`,
  payments:
    '- { id: payments, recipe: stripe.webhook_endpoint, name: "shop-${ctx.scope}", url: { from: preview.url }, enabled_events: [invoice.paid] }',
  hook: `- { id: hook, recipe: github.repo_webhook, repo: ${seed.repository}, url: "https://\${ctx.scope}.acme.example", secret: { from: payments.secret } }`,
  dns: `- { id: dns, recipe: cloudflare.dns_cname, zone_id: ${seed.zone.id}, name: "\${ctx.scope}.${seed.zone.name}", target: cname.vercel-dns.com }`,
  release: `- { id: release, recipe: sentry.release, organization: acme, version: "\${ctx.git.sha}", projects: [shop] }`,
  deployed: `- { id: deployed, recipe: sentry.deploy, organization: acme, version: { from: release.id }, environment: preview, name: "\${ctx.scope}" }`,
} as const;
type Name = keyof typeof lines;

const planOf = (...names: readonly Name[]): string => `version: 1\nchanges:\n${names.map((name) => `  ${lines[name]}\n`).join('')}`;
const all = Object.keys(lines) as Name[];
const verdicts = ({
  lines: of,
}: {
  readonly lines: readonly { readonly id: string; readonly verdict: string }[];
}): Record<string, string> => Object.fromEntries(of.map(({ id, verdict }) => [id, verdict]));

const sha = '8a1f'.repeat(10);

/** A pull request whose build is there, with a plan of these lines. */
async function opened(plan: string) {
  const shop = await openShop(plan);
  const { vercel, sentry } = shop.world;
  vercel.world.push('feature', sha);
  await shop.clock.sleep(60_000);
  const run = { sha, branch: 'feature', env: { SENTRY_URL: sentry.origin } };
  return {
    ...shop,
    vercel,
    plan: (only: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => shop.plan({ ...run, only, env: { ...run.env, ...env } }),
    planDestroy: () => shop.plan({ ...run, destroy: true }),
    apply: async (change: { readonly expect?: string } = {}, env: NodeJS.ProcessEnv = {}): Promise<ApplyDoc> => {
      const document = await shop.apply({ ...run, ...change, env: { ...run.env, ...env } });
      await shop.clock.sleep(60_000);
      return document;
    },
    destroy: () => shop.destroy(run),
  };
}

describe('a report', () => {
  it('names each line of a first run by what it touches, and counts the deployment that is made again', async () => {
    const shop = await opened(planOf(...all));
    const planned = await shop.plan();
    const text = await expectSurfaces('first-run', planned);
    expect(planned.summary).toEqual({ create: 11, redeploy: 1 });
    expect(text).toContain('(from preview.url)/callback of');
    const applied = await shop.apply();
    expect(verdicts(applied)).toEqual(verdicts(planned));
    expect(await expectSurfaces('first-apply', applied)).not.toContain('(from');
    const again = await shop.plan();
    expect(again.summary).toEqual({ none: 12 });
    await expectSurfaces('no-change', again);
  });

  it('tells of drift beside the names', async () => {
    const shop = await opened(planOf('dns', 'database', 'payments').replace('{ from: preview.url }', 'https://shop.acme.example'));
    await shop.apply();
    Object.assign(shop.records()[0] ?? {}, { content: 'elsewhere.example.com' });
    shop.world.stripe.world.removeEndpoint(shop.endpoints()[0]?.id ?? '');
    const planned = await shop.plan();
    expect(verdicts(planned)).toEqual({ dns: 'update', database: 'none', payments: 'create' });
    await expectSurfaces('drift', planned);
  });

  it('of an object that somebody else made says that it is theirs, and names what waits for its line', async () => {
    const shop = await opened(planOf('payments', 'hook', 'dns').replace('{ from: preview.url }', 'https://shop.acme.example'));
    shop.world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    const planned = await shop.plan();
    expect(verdicts(planned)).toEqual({ dns: 'refused', payments: 'create', hook: 'create' });
    expect(await expectSurfaces('foreign', planned)).toContain('RESOURCE_FOREIGN');
    const applied = await shop.apply();
    expect(applied.status).toBe('failed');
    await expectSurfaces('foreign-apply', applied);
  });

  it('calls a line of another id renamed, writes its record alone, and then says no more of it', async () => {
    const names = [
      'database',
      'databaseUrl',
      'databaseHost',
      'preview',
      'signIn',
      'payments',
      'hook',
      'dns',
      'release',
      'deployed',
    ] as const;
    const shop = await opened(planOf(...names).replace(', api-url]', ']'));
    await shop.apply();
    await shop.write(
      planOf(...names)
        .replace(', api-url]', ']')
        .replace('id: database,', 'id: db,')
        .replaceAll('from: database.', 'from: db.')
        .replace('id: payments,', 'id: stripe-hook,')
        .replaceAll('from: payments.', 'from: stripe-hook.')
        .replace('id: preview,', 'id: site,')
        .replaceAll('from: preview.', 'from: site.')
        .replace('id: dns,', 'id: address,')
        .replace('id: release,', 'id: version,')
        .replaceAll('from: release.', 'from: version.'),
    );
    const planned = await shop.plan();
    const text = await expectSurfaces('renamed', planned);
    const renamed = { db: 'rename', 'stripe-hook': 'rename', address: 'rename', version: 'rename' };
    const rest = { 'database-url': 'none', 'database-host': 'none', site: 'none', 'sign-in': 'none', hook: 'none', deployed: 'none' };
    expect(verdicts(planned)).toEqual({ ...renamed, ...rest });
    expect(planned.orphans).toEqual([]);
    expect(text).toContain('renamed: its id was database');
    expect(text).toContain('4 to rename, 6 unchanged');
    const { writes } = shop.watch();
    const applied = await shop.apply({ expect: planned.digest });
    expect(writes()).toEqual([]);
    expect(verdicts(applied)).toEqual(verdicts(planned));
    await expectSurfaces('renamed-apply', applied);
    expect([...(await shop.ledger()).records.values()].map(({ line }) => line).sort()).toContain('stripe-hook');
    expect((await shop.plan()).summary).toEqual({ none: 10 });
    expect((await shop.planDestroy()).lines.map(({ id }) => id)).toContain('db');
  });
});

describe('a renamed line', () => {
  it('is no orphan where the run leaves it out, or does not know its object yet', async () => {
    const shop = await opened(planOf('dns', 'database').replace('cname.vercel-dns.com', '{ from: database.host }'));
    await shop.apply();
    const renamed = planOf('dns', 'database', 'apiUrl')
      .replace('cname.vercel-dns.com', '{ from: database.host }')
      .replace('id: dns,', 'id: address,');
    await shop.write(renamed);
    expect((await shop.plan(['api-url'])).orphans).toEqual([]);
    await shop.write(renamed.replace('id: database,', 'id: db,').replace('from: database.', 'from: db.'));
    expect((await shop.plan(['api-url'])).orphans).toEqual([]);
    await shop.write(planOf('apiUrl'));
    expect((await shop.plan(['api-url'])).orphans.map(({ line }) => line).sort()).toEqual(['database', 'dns']);
  });
});

describe('a plan that changes what a destroy does', () => {
  it('shows the change of each record, and an apply makes it', async () => {
    const shop = await opened(
      planOf('database', 'payments', 'dns', 'apiUrl').replace('{ from: preview.url }', 'https://shop.acme.example'),
    );
    await shop.apply();
    const changed = planOf('database', 'payments', 'dns', 'apiUrl')
      .replace('{ from: preview.url }', 'https://shop.acme.example')
      .replace('id: database,', 'id: database, destroy: keep,')
      .replace('id: payments,', 'id: stripe-hook, destroy: keep, ')
      .replace('id: dns,', 'id: dns, depends_on: [api-url],');
    await shop.write(changed);
    const planned = await shop.plan();
    expect(verdicts(planned)).toEqual({ database: 'record', 'stripe-hook': 'record', dns: 'record', 'api-url': 'none' });
    const text = await expectSurfaces('changed-destroy', planned);
    expect(text).toContain('destroy: delete -> keep; a destroy lets it stay');
    expect(text).not.toContain('Nothing to do');
    const { writes } = shop.watch();
    expect(verdicts(await shop.apply())).toEqual(verdicts(planned));
    expect(writes()).toEqual([]);
    expect((await shop.plan()).summary).toEqual({ none: 4 });
    const removed = await shop.planDestroy();
    expect(verdicts(removed)).toEqual({ database: 'forget', 'stripe-hook': 'forget', dns: 'delete', 'api-url': 'delete' });
    await expectSurfaces('destroy-plan', removed, true);
  });
});

describe('a line with a credential of its own', () => {
  it('shows another credential as a change of its record, because a destroy uses the recorded one', async () => {
    const url = 'https://shop.acme.example';
    const planWith = (more: string): string =>
      planOf('payments').replace('{ from: preview.url }', url).replace('id: payments,', `id: payments, ${more}`);
    const shop = await opened(planWith('credential: { secret: env://STRIPE_SECRET_KEY },'));
    await shop.apply();
    await shop.write(planWith('credential: { secret: env://OTHER_STRIPE_KEY },'));
    const env = { OTHER_STRIPE_KEY: shop.world.credentials.STRIPE_SECRET_KEY ?? '' };
    const planned = await shop.plan([], env);
    expect(verdicts(planned)).toEqual({ payments: 'record' });
    expect(planned.lines[0]?.recordChanges?.map(({ field }) => field)).toEqual(['credential']);
    await shop.apply({}, env);
    expect((await shop.plan([], env)).summary).toEqual({ none: 1 });
    expect([...(await shop.ledger()).records.values()].map(({ credential }) => credential)).toEqual([{ secret: 'env://OTHER_STRIPE_KEY' }]);
  });
});

describe('a line whose object another line decides', () => {
  it('shows a text with a value that is not known yet as the plan has it', async () => {
    const shop = await opened(
      planOf('preview', 'signIn')
        .replace('depends_on: [database-url, database-host, api-url]', 'target: preview')
        .replace('{ from: preview.url }', '"https://${preview.hostname}"'),
    );
    shop.vercel.world.settle(shop.vercel.world.deployments()[0] as never, 'BUILDING');
    const { lines: planned } = await shop.plan();
    expect(planned.map(({ subject }) => subject)).toEqual([
      'deployment of shop, preview',
      'https://${preview.hostname}/callback of shopWebAbCdEfGhIjKlMnOpQrStUvWxY',
    ]);
  });
});

describe('what has left the plan', () => {
  const kept = (name: Name): string => lines[name].replace(/^- \{ id: ([a-z-]+),/, '- { id: $1, destroy: keep,');
  const planWith = (...more: readonly string[]): string =>
    `version: 1\nchanges:\n  ${lines.apiUrl}\n${more.map((line) => `  ${line}\n`).join('')}`;

  it('is told by what a destroy would do with it, in plan, apply and destroy', async () => {
    const hook = lines.hook.replace(', secret: { from: payments.secret }', '');
    const shop = await opened(planWith(lines.dns, kept('database'), lines.release, lines.deployed, hook));
    await shop.apply();
    await shop.write(planWith());
    const planned = await shop.plan();
    const text = await expectSurfaces('orphans', planned);
    expect(Object.fromEntries(planned.orphans.map(({ line, verdict }) => [line, verdict]))).toEqual({
      dns: 'delete',
      database: 'forget',
      release: 'forget',
      deployed: 'forget',
      hook: 'delete',
    });
    expect(text).toContain('5 orphans, left alone by apply');
    await expectSurfaces('orphans-apply', await shop.apply());
    const destroyed = await shop.destroy();
    for (const { line, verdict } of planned.orphans) expect(verdicts(destroyed)[line]).toBe(verdict);
    const told = await expectSurfaces('orphans-destroy', destroyed, true);
    expect(told).toContain('the provider cannot delete it, so it stays');
    expect(told).toContain('destroy: keep, so it stays');
  });

  it('is promised no removal where a destroy removes none of it', async () => {
    const shop = await opened(planWith(kept('database')));
    await shop.apply();
    await shop.write(planWith());
    const text = await expectSurfaces('orphan-kept', await shop.plan());
    expect(text).toContain('1 orphan, left alone by apply; `pilotfish apply --prune --pr 12` only forgets\n  it:');
    expect(text).not.toContain('removes');
  });
});

describe('a deployment that is made again', () => {
  it('counts as a change of the plan and of the apply', async () => {
    const site = '- { id: preview, adapter: vercel, op: deploy, project: shop, depends_on: [api-url] }';
    const planWith = (value: string): string =>
      `version: 1\nchanges:\n  ${lines.apiUrl.replace('https://${ctx.scope}', value)}\n  ${site}\n`;
    const shop = await opened(planWith('https://a'));
    await shop.apply();
    expect((await shop.plan()).summary).toEqual({ none: 2 });
    await shop.write(planWith('https://b'));
    const planned = await shop.plan();
    expect(planned.summary).toEqual({ update: 1, redeploy: 1 });
    expect(await expectSurfaces('redeploy', planned)).toContain('1 to update, 1 to redeploy');
    const before = shop.vercel.world.deployments().length;
    const applied = await shop.apply({ expect: planned.digest });
    expect(shop.vercel.world.deployments().length).toBe(before + 1);
    expect(verdicts(applied)).toEqual({ 'api-url': 'update', preview: 'redeploy' });
    await expectSurfaces('redeploy-apply', applied);
    expect((await shop.plan()).summary).toEqual({ none: 2 });
  });

  it('is no redeploy where the host has no deployment yet, and where another is newer than the writes', async () => {
    const site = '- { id: preview, adapter: vercel, op: deploy, project: shop, depends_on: [api-url] }';
    const shop = await openShop(`version: 1\nchanges:\n  ${lines.apiUrl}\n  ${site}\n`);
    const run = { sha, branch: 'feature' };
    shop.world.vercel.world.push('feature', '0'.repeat(40));
    const first = await shop.plan(run);
    expect(verdicts(first)).toEqual({ 'api-url': 'create', preview: 'pending' });
    expect(verdicts(await shop.apply({ ...run, only: ['api-url'] }))).toEqual({ 'api-url': 'create' });
    await shop.clock.sleep(60_000);
    shop.world.vercel.world.push('feature', sha);
    await shop.clock.sleep(60_000);
    expect(verdicts(await shop.apply(run))).toEqual({ 'api-url': 'none', preview: 'none' });
  });
});
