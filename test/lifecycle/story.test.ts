import { seed } from 'pilotfish-sandbox/all';
import { expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { openPulls, shaA, shaB, shaC } from './pulls.ts';

const plan = `
version: 1
changes:
  - { id: database, adapter: neon, op: branch, project_id: ${seed.neonProject}, name: "shop-\${ctx.scope}" }
  - { id: database-url, adapter: vercel, op: env, project: shop, key: DATABASE_URL, value: { from: database.connection_uri }, git_branch: feature }
  - { id: site, adapter: vercel, op: deploy, project: shop, depends_on: [database-url] }
  - { id: sign-in, recipe: auth0.callback_url, client_id: ${seed.auth0Client}, url: { from: site.url } }
  - { id: payments, recipe: stripe.webhook_endpoint, name: "shop-\${ctx.scope}", url: { from: site.url }, enabled_events: [invoice.paid] }
`;

it('a preview lives and ends with its pull request: opened, pushed to twice, deployed, told late, closed, told late again', async () => {
  const preview = await openPulls(plan);
  const { pulls, world } = preview;
  const { neon, vercel, auth0, stripe } = world;
  stripe.world.addEndpoint('https://shop.acme.example/api/webhooks/stripe');
  vercel.world.setEnv('DATABASE_URL', 'postgres://everyone', { target: ['preview'], gitBranch: null });
  // Builds last until they are settled.
  vercel.faults.readyAfter(1_000_000);

  /** Everything that stands at the services, but for what the host builds. */
  const standing = () => ({
    branches: neon.world.branches().map(({ name }) => name),
    variables: vercel.world.project().env.map(({ key, gitBranch, value }) => [key, gitBranch, value.replace(/:\/\/.*/, '')]),
    callbacks: auth0.world.client(seed.auth0Client).callbacks,
    webhooks: stripe.world.endpoints().map(({ url }) => url),
  });
  const before = standing();
  const urlOf = (host: string): string => `https://${host}`;
  const preparing = {
    ...before,
    branches: [...before.branches, 'shop-pr-12'],
    variables: [...before.variables, ['DATABASE_URL', 'feature', 'postgresql']],
  };
  const live = (host: string) => ({
    ...preparing,
    callbacks: [...(before.callbacks as string[]), urlOf(host)],
    webhooks: [...before.webhooks, `${urlOf(host)}/api/webhooks/stripe`],
  });
  const newest = () => {
    const built = vercel.world.deployments().at(-1);
    if (!built) throw new Error('nothing was deployed');
    return built;
  };
  /** The host tells that its newest deployment is ready. */
  const ready = async (sha: string) => {
    await preview.later();
    vercel.world.settle(newest(), 'READY');
    return await preview.onDeployment(sha);
  };
  /** Tells of a build; nothing is asked of any provider, and nothing changes. */
  const late = async (sha: string): Promise<void> => {
    await preview.later();
    const world = standing();
    const asked = preview.providersSince();
    expect(await preview.onDeployment(sha)).toMatchObject({ ok: true, status: 'stale', lines: [] });
    expect(asked()).toEqual([]);
    expect(standing()).toEqual(world);
  };

  // Opened: the host began to build before the variable was there, so it builds again, and the run goes on when that is told.
  pulls.world.open(12, shaA);
  const early = vercel.world.push('feature', shaA);
  await preview.later();
  const opened = await preview.onPull('opened');
  expect([opened.ok, opened.status]).toEqual([true, 'partial']);
  expect(standing()).toEqual(preparing);
  const first = newest();
  expect([first.source, first.id === early.id]).toEqual(['redeploy', false]);
  expect(first.env.DATABASE_URL).toMatch(/^postgresql:/);
  expect((await ready(shaA)).status).toBe('complete');
  expect(standing()).toEqual(live(first.host));
  const [database] = neon.world.branches().filter(({ name }) => name === 'shop-pr-12');
  const endpoint = stripe.world.endpoints().at(-1)?.id;

  // Pushed: the host builds with what stands; address and webhook move to the new deployment.
  pulls.world.push(12, shaB);
  vercel.world.push('feature', shaB);
  await preview.later();
  expect((await preview.onPull('synchronize')).status).toBe('partial');
  expect(standing()).toEqual(live(first.host));
  const second = newest();
  expect([second.source, second.sha]).toEqual(['git', shaB]);
  expect((await ready(shaB)).status).toBe('complete');
  expect(standing()).toEqual(live(second.host));

  // Pushed again; the event of the older build comes late.
  pulls.world.push(12, shaC);
  vercel.world.push('feature', shaC);
  await preview.later();
  expect((await preview.onPull('synchronize')).status).toBe('partial');
  await late(shaB);
  await late(shaA);
  expect(standing()).toEqual(live(second.host));
  const third = newest();
  expect((await ready(shaC)).status).toBe('complete');
  expect(standing()).toEqual(live(third.host));
  // One database and one webhook all along.
  expect(neon.world.branches().find(({ name }) => name === 'shop-pr-12')?.id).toBe(database?.id);
  expect(stripe.world.endpoints().at(-1)?.id).toBe(endpoint);
  expect(vercel.world.deployments().map(({ sha, source }) => [sha, source])).toEqual([
    [shaA, 'git'],
    [shaA, 'redeploy'],
    [shaB, 'git'],
    [shaC, 'git'],
  ]);

  // Closed: everything is as it was, and what is told late changes nothing.
  pulls.world.close(12);
  await preview.later();
  expect((await preview.onClosed()).status).toBe('complete');
  expect(standing()).toEqual(before);
  await late(shaC);
  await late(shaA);
  const { records, intents } = await preview.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);

  preview.verify();
  expectContracts([...preview.simulations]);
  await preview.close();
});
