import { createWorld, seed } from 'pilotfish-sandbox/all';
import { mount, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, it } from 'vitest';
import { Redactor } from '../../src/core/redact.ts';
import { Sealed } from '../../src/core/sealed.ts';
import { createClient } from '../../src/http/client.ts';
import type { Body } from '../../src/http/types.ts';
import type { Bound, Desired, Io, ObjectBound, Params } from '../../src/ops/bound.ts';
import { resolveBlock } from '../../src/ops/provider.ts';
import { familyAdapter } from '../../src/recipes/expand.ts';
import { loadFamily } from '../../src/recipes/load.ts';
import { isAsPlanned } from '../../src/remote/compare.ts';
import { findAll, removeObject } from '../../src/remote/find.ts';
import { instantOf } from '../../src/remote/instant.ts';
import { unreadable } from '../../src/remote/live-object.ts';
import { applyEntries, hasEntry, readParent, unmanaged, writeParent } from '../../src/remote/parent.ts';
import { toSend } from '../../src/remote/stored.ts';
import { expectContracts } from '../contracts/expect.ts';

/** What each family really sends, at a provider that refuses what the real one refuses. */
let world = createWorld();
afterEach(() => {
  const { simulations } = world;
  // A test that fails leaves the next one a world of its own.
  world = createWorld();
  verifyHandled(simulations);
  expectContracts(simulations);
});

/** Tenants, instances and regions have addresses of their own, which every plan gives. */
const addresses = () =>
  Object.fromEntries(
    [world.auth0, world.unleash, world.sentry].map((one) => [`${one.name.toUpperCase()}_API_URL`, one.origin + one.basePath]),
  );
const signal = new AbortController().signal;

async function line(recipe: string, params: Params): Promise<{ bound: Bound; io: Io }> {
  const [name, op] = recipe.split('.') as [string, string];
  const family = familyAdapter(await loadFamily(name));
  const env = { ...world.credentials, ...addresses() };
  const block = resolveBlock({ name, defaults: family.provider, entry: undefined, env });
  const client = createClient({ env, redactor: new Redactor(), signal, dispatcher: mount(world.simulations) });
  const bound = family.ops[op]?.bind(params, { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null });
  if (!bound) throw new Error(`no ${recipe}`);
  return { bound, io: { http: client.api(block), signal, note: () => {}, share: false } };
}

async function object(recipe: string, params: Params): Promise<{ bound: ObjectBound; io: Io }> {
  const { bound, io } = await line(recipe, params);
  if (bound.kind !== 'object') throw new Error(`${recipe} is no object`);
  return { bound, io };
}

const desiredOf = (bound: Bound) => bound.fields as Desired;
const sentOf = (bound: Bound) => toSend(bound.fields) as { readonly [field: string]: Body };

/** The live object as the line declares it; hidden fields are there, and that is all that can be said of them. */
async function expectAsPlanned({ bound, io }: { bound: ObjectBound; io: Io }): Promise<void> {
  const [live, ...more] = await bound.find(io);
  expect(more).toEqual([]);
  for (const [field, planned] of Object.entries(sentOf(bound))) {
    const seen = live?.values[field];
    expect(seen === unreadable || isAsPlanned(planned, seen), `${field} is ${JSON.stringify(seen)}`).toBe(true);
  }
}

const url = 'https://pr-12.acme.example';
const secret = new Sealed('whs-1234567890', 'env://HOOK_SECRET');
const flag = { project: seed.flag.project, feature: seed.flag.name, environment: seed.flag.environment, title: 'shop pr-12' };
const constraint = { contextName: 'host', operator: 'IN', values: ['pr-12.acme.example'] };
const dns = { zone_id: seed.zone.id, name: 'pr-12.acme.example', target: 'cname.vercel-dns.com' };
const release = { organization: seed.sentry.organization, version: 'shop@1.2.0+pr.12', projects: [seed.sentry.project] };

describe.each<[string, Params, Params | null]>([
  [
    'github.repo_webhook',
    { repo: seed.repository, url, events: ['push', 'release'], secret },
    { repo: seed.repository, url, events: ['push'], secret, content_type: 'form' },
  ],
  [
    'stripe.webhook_endpoint',
    { name: 'shop-pr-12', url, enabled_events: ['invoice.paid'] },
    { name: 'shop-pr-12', url: `${url}/x`, enabled_events: ['*'], description: 'x' },
  ],
  [
    'unleash.flag_strategy',
    { ...flag, constraints: [constraint] },
    { ...flag, constraints: [constraint], parameters: { rollout: '50' }, disabled: true },
  ],
  ['cloudflare.dns_cname', dns, { ...dns, target: 'other.acme.example', proxied: true, comment: 'preview' }],
  ['sentry.release', release, { ...release, url, ref: '4f2a91c' }],
])('%s', (recipe, params, changed) => {
  it('is made, found as planned, changed in place, removed, and then gone', async () => {
    const first = await object(recipe, params);
    expect(await first.bound.find(first.io)).toEqual([]);
    const made = await first.bound.create(
      first.bound.idempotency ? { ...first.io, idempotencyKey: 'k-1' } : first.io,
      desiredOf(first.bound),
    );
    await expectAsPlanned(first);

    const second = await object(recipe, changed ?? params);
    expect(second.bound.key).toBe(first.bound.key);
    const [live] = await second.bound.find(second.io);
    if (!live) throw new Error('not found');
    expect(live.id).toBe(made.id);
    // By the provider's clock, which is minutes away from this one.
    expect(live.createdAt === undefined || Math.abs((instantOf(live.createdAt) ?? Number.NaN) - Date.now()) < 10 * 60_000).toBe(true);
    const fields = Object.keys(second.bound.fields);
    const after = await second.bound.update?.(second.io, live, desiredOf(second.bound), fields);
    expect(after?.id).toBe(made.id);
    await expectAsPlanned(second);

    const { reach } = second.bound;
    if (reach.kind !== 'object' || !reach.find || !reach.witness) throw new Error('not reachable');
    expect(await findAll(second.io.http, reach.find, { signal })).toHaveLength(1);
    expect(await removeObject(second.io.http, reach, made.id, signal)).toBe('removed');
    expect(await findAll(second.io.http, reach.find, { signal })).toEqual([]);
    expect(await removeObject(second.io.http, reach, made.id, signal)).toBe('gone');
    expect((await second.io.http.send(reach.witness, { purpose: 'read', signal })).status).toBe(200);
  });
});

describe('github.repo_webhook', () => {
  const hook = { repo: seed.repository, url, events: ['push'] };

  it('keeps the secret when another field is changed', async () => {
    const { bound, io } = await object('github.repo_webhook', { ...hook, secret });
    await bound.create(io, desiredOf(bound));
    const undeclared = await object('github.repo_webhook', { ...hook, content_type: 'form', active: false });
    const [live] = await undeclared.bound.find(undeclared.io);
    if (!live) throw new Error('not found');
    await undeclared.bound.update?.(undeclared.io, live, desiredOf(undeclared.bound), ['/config/content_type', 'active']);
    expect(world.github.world.hooks(seed.repository)).toMatchObject([
      { active: false, config: { secret: 'whs-1234567890', content_type: 'form' } },
    ]);
  });

  it('reports a hook that exists as a conflict', async () => {
    world.github.world.addHook(seed.repository, { url: `${url}/api/webhooks/github`, events: ['push'] });
    const { bound, io } = await object('github.repo_webhook', hook);
    await expect(bound.create(io, desiredOf(bound))).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT', status: 422 });
  });

  it('is found on a later page', async () => {
    for (let i = 0; i < 130; i += 1) world.github.world.addHook(seed.repository, { url: `https://other-${i}.test` });
    world.github.world.addHook(seed.repository, { url: `${url}/api/webhooks/github` });
    const { bound, io } = await object('github.repo_webhook', hook);
    expect(await bound.find(io)).toHaveLength(1);
  });
});

describe('stripe.webhook_endpoint', () => {
  it('shows its secret once, and is found on any page', async () => {
    const { bound, io } = await object('stripe.webhook_endpoint', { name: 'shop-pr-12', url, enabled_events: ['*'] });
    const made = await bound.create({ ...io, idempotencyKey: 'k-1' }, desiredOf(bound));
    expect(made.outputs.secret).toBeInstanceOf(Sealed);
    expect((await bound.find(io))[0]?.outputs).toEqual({ id: made.id });
  });
});

describe('unleash.flag_strategy', () => {
  it('changes what it declares and loses nothing else', async () => {
    const segments = [3];
    const { id = '' } = world.unleash.world.addStrategy(flag.project, flag.feature, flag.environment, {
      name: 'flexibleRollout',
      title: flag.title,
      parameters: { rollout: '10', stickiness: 'userId', groupId: 'x' },
      constraints: [{ contextName: 'x', operator: 'IN', values: ['1'] }],
      segments,
    });
    const { bound, io } = await object('unleash.flag_strategy', { ...flag, parameters: { rollout: '50' } });
    const [live] = await bound.find(io);
    if (!live) throw new Error('not found');
    await bound.update?.(io, live, desiredOf(bound), ['parameters']);
    const [after] = world.unleash.world.environment(flag.project, flag.feature, flag.environment).strategies;
    expect(after).toMatchObject({ id, title: flag.title, parameters: { rollout: '50', stickiness: 'userId', groupId: 'x' }, segments });
    expect(after?.constraints).toMatchObject([{ contextName: 'x', values: ['1'] }]);
  });

  it('names a host that is too long for a constraint before any request', async () => {
    const { bound } = await object('unleash.flag_strategy', { ...flag, constraints: [{ ...constraint, values: ['x'.repeat(101)] }] });
    expect(bound.problems).toEqual(['constraints.0.values.0 has 101 characters, but the provider takes at most 100.']);
  });
});

describe('cloudflare.dns_cname', () => {
  it('reports a name that an address record has taken as a conflict', async () => {
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'A', name: dns.name, content: '192.0.2.1' });
    const { bound, io } = await object('cloudflare.dns_cname', dns);
    expect(await bound.find(io)).toEqual([]);
    await expect(bound.create(io, desiredOf(bound))).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT', status: 400 });
  });
});

describe('sentry', () => {
  it('makes a finalized release, and takes one that exists for a conflict', async () => {
    const { bound, io } = await object('sentry.release', release);
    await bound.create(io, desiredOf(bound));
    expect(world.sentry.world.releases(seed.sentry.organization)[0]).toMatchObject({ dateReleased: expect.any(String) });
    await expect(bound.create(io, desiredOf(bound))).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT', status: 208 });
  });

  it('makes one deploy of a name, which it finds and cannot remove', async () => {
    const made = await object('sentry.release', release);
    await made.bound.create(made.io, desiredOf(made.bound));
    const { bound, io } = await object('sentry.deploy', {
      organization: release.organization,
      version: release.version,
      environment: 'preview',
      name: 'pr-12',
      url,
    });
    expect(await bound.find(io)).toEqual([]);
    await bound.create(io, desiredOf(bound));
    await expectAsPlanned({ bound, io });
    expect(bound.update).toBeUndefined();
    expect(bound.reach).toMatchObject({ remove: null });
  });
});

it('rollbar.deploy reports the deploy and gives its id', async () => {
  const { bound, io } = await line('rollbar.deploy', { environment: 'pr-12', revision: '4f2a91c', comment: 'preview' });
  if (bound.kind !== 'action') throw new Error('no action');
  expect((await bound.send(io)).outputs.id).toEqual(expect.any(Number));
});

describe('auth0', () => {
  it.each([
    ['callback_url', 'callbacks', 'url', `${url}/callback`],
    ['logout_url', 'allowed_logout_urls', 'url', url],
    ['web_origin', 'web_origins', 'origin', url],
    ['allowed_origin', 'allowed_origins', 'origin', url],
  ])('%s stands in its list and goes from it, and nothing else changes', async (op, list, param, item) => {
    const before = structuredClone(world.auth0.world.client(seed.auth0Client));
    const { bound, io } = await line(`auth0.${op}`, { client_id: seed.auth0Client, [param]: item });
    if (bound.kind !== 'item') throw new Error('no item');
    const spec = bound.reach.parent;
    const put = applyEntries(await readParent(io.http, spec, { signal }), spec, [{ item, entry: item }]);
    await writeParent(io.http, spec, put.body, { signal });
    const after = await readParent(io.http, spec, { signal });
    expect(hasEntry(after, spec, item, item)).toBe(true);
    expect(world.auth0.world.client(seed.auth0Client)).toMatchObject({ [list]: [...unmanaged(after, [item]), item] });
    const gone = applyEntries(after, spec, [{ item, entry: null }]);
    await writeParent(io.http, spec, gone.body, { signal });
    expect({ ...before, [list]: [] }).toEqual({
      ...world.auth0.world.client(seed.auth0Client),
      ...(list === 'callbacks' ? { [list]: [] } : {}),
    });
  });
});
