import { digitalocean } from 'pilotfish-sandbox/digitalocean/index';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const opened: { readonly stage: Stage; readonly simulation: ReturnType<typeof digitalocean> }[] = [];
afterEach(async () => {
  for (const { stage, simulation } of opened.splice(0)) {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  }
});

const name = 'shop-pr-12';
const image = { registry_type: 'DOCR', repository: 'shop', tag: 'pr-12' };
const web = { name: 'web', image, http_port: 8080 };
type Params = Readonly<Record<string, unknown>>;

async function openApp(params: Params = { name, spec: { services: [web] } }, adapter = 'digitalocean') {
  const clock = new LeapingClock();
  const simulation = digitalocean({ clock });
  const planOf = (now: Params) => JSON.stringify({ version: 1, changes: [{ id: 'app', adapter, op: 'app', ...now }] });
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { DIGITALOCEAN_ACCESS_TOKEN: simulation.tokens.full, SESSION_KEY: 'session-key-0123456789' },
    plan: planOf(params),
  });
  opened.push({ stage, simulation });
  const { world, faults } = simulation;
  return { stage, simulation, world, faults, app: () => world.app(name), change: (now: Params) => stage.write(planOf(now)) };
}

describe('an app', () => {
  it('is found by its name on a later page of an account with many', async () => {
    const { stage, world, simulation } = await openApp({ name, spec: { keep: true } });
    for (let n = 100; n < 330; n += 1) world.addApp(`other-${n}`);
    world.addApp(name);
    for (let n = 330; n < 340; n += 1) world.addApp(`other-${n}`);
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'adopt' }] });
    expect(simulation.log.map(({ query }) => query)).toContainEqual({ per_page: '200', page: '2' });
    expect(simulation.writes()).toEqual([]);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(world.app(name)).toBeDefined();
  });

  it('is made in an account without any, whose list has no apps in its answer', async () => {
    const { stage, app } = await openApp();
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }] });
    expect(app()?.spec).toMatchObject({ name, services: [web] });
  });

  it('takes its name from the spec, and has the family’s name as well', async () => {
    const { stage, app } = await openApp({ spec: { name, services: [web] } }, 'app_cloud_b');
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(app()).toBeDefined();
  });

  it.each([
    [{ spec: { services: [web] } }, /neither `name` nor a name in `spec`/],
    [{ name, spec: { name: 'other', services: [web] } }, /its spec gives another name/],
    [{ name: 'Shop_12', spec: { services: [web] } }, /name/],
    [{ spec: { name: `shop-${'x'.repeat(40)}`, services: [web] } }, /2 to 32/],
    [{ name, spec: { services: [{ ...web, envs: [{ key: 'SESSION', value: { secret: 'env://SESSION_KEY' } }] }] } }, /type: SECRET/],
  ] satisfies [Params, RegExp][])('is refused before any request: %j', async (params, problem) => {
    const { stage, simulation } = await openApp(params);
    await expect(stage.plan()).rejects.toMatchObject({ failures: [{ code: 'PARAM_INVALID', message: expect.stringMatching(problem) }] });
    expect(simulation.log).toEqual([]);
  });

  it('tells its address when its first deployment is active, and waits in words a person can read', async () => {
    const { stage, faults, world, app } = await openApp();
    faults.readyAfter(4);
    Object.assign(world.state, { flaps: true, oldestFirst: true });
    const events: RunEvent[] = [];
    expect(await stage.apply({}, events)).toMatchObject({ ok: true });
    const details = events.flatMap((event) => (event.type === 'wait' ? [event.detail] : []));
    expect(details).toContain('building, 2 of 4 steps');
    expect(details).toContain('deploying, 3 of 4 steps');
    const [record] = (await stage.ledger()).records.values();
    expect(record?.outputs).toMatchObject({ name, live_url: app()?.live_url, default_ingress: app()?.live_url });
    expect(app()?.live_url).toMatch(/^https:/);
  });

  it('of workers alone has no address, and is not waited for in vain', async () => {
    const { stage } = await openApp({ name, spec: { workers: [{ name: 'queue', image }] } });
    expect(await stage.apply()).toMatchObject({ ok: true });
    const [record] = (await stage.ledger()).records.values();
    expect(record?.outputs).not.toHaveProperty('live_url');
  });

  it.each([
    ['ERROR', /failed: web: Your build job failed because a command exited with a non-zero code\.$/],
    ['CANCELED', /was cancelled\.$/],
  ] as const)('whose deployment ends as %s fails the line with the reason, and is mended by another spec', async (ends, reason) => {
    const { stage, world, change } = await openApp();
    Object.assign(world.state, { ends });
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'EXTERNAL_FAILED', detail: expect.stringMatching(reason) } });
    Object.assign(world.state, { ends: 'ACTIVE' });
    await change({ name, spec: { services: [{ ...web, image: { ...image, tag: 'pr-12b' } }] } });
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
    expect(world.deployments(name).map(({ phase }) => phase)).toEqual(['ACTIVE', ends]);
  });

  it('is ready with the deployment that took over from its own', async () => {
    const { stage, simulation, faults, world } = await openApp();
    faults.readyAfter(3);
    let looks = 0;
    simulation.watch(({ phase, method, path }) => {
      if (phase === 'after' && method === 'GET' && path.includes('/deployments/') && ++looks === 2) world.push(name);
    });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(world.deployments(name).map(({ phase }) => phase)).toEqual(['ACTIVE', 'SUPERSEDED']);
  });

  it('whose deployment was superseded by one that the list does not show yet is not ready with it', async () => {
    const { stage, simulation, faults, world } = await openApp();
    faults.readyAfter(3);
    let looks = 0;
    let lagging = 0;
    simulation.watch(({ phase, method, path }) => {
      if (phase !== 'after' || method !== 'GET' || !path.includes('/deployments/') || ++looks !== 2) return;
      const [own] = world.deployments(name);
      world.push(name);
      const shown = { id: own?.id, phase: 'SUPERSEDED', created_at: own?.created_at };
      const late = faults.times(2, { method: 'GET', path: /\/deployments$/ }, 200, { deployments: [shown], meta: { total: 1 }, links: {} });
      lagging = late.left;
    });
    const events: RunEvent[] = [];
    expect(await stage.apply({}, events)).toMatchObject({ ok: true });
    expect(lagging).toBe(2);
    expect(events.flatMap((event) => (event.type === 'wait' ? [event.detail] : []))).toContain('waiting for a newer deployment');
    expect(world.deployments(name).map(({ phase }) => phase)).toEqual(['ACTIVE', 'SUPERSEDED']);
  });

  it('whose source nobody gave access to says where to give it', async () => {
    const { stage, app } = await openApp({ name, spec: { services: [{ name: 'web', github: { repo: 'acme/shop', branch: 'pr-12' } }] } });
    const { error } = await stage.apply();
    expect(error).toMatchObject({
      code: 'PROVIDER_INVALID',
      fix: expect.stringContaining('https://cloud.digitalocean.com/apps/github/install'),
    });
    expect(error?.detail).toContain('github user not authenticated');
    expect(app()).toBeUndefined();
    expect((await stage.ledger()).intents.size).toBe(0);
  });
});

describe('its spec', () => {
  const envs = [
    { key: 'LOG_LEVEL', value: 'debug', type: 'GENERAL', scope: 'RUN_AND_BUILD_TIME' },
    { key: 'SESSION_KEY', type: 'SECRET', value: { secret: 'env://SESSION_KEY' } },
  ];
  const spec = (more: Params = {}) => ({
    services: [{ ...web, envs, routes: [{ path: '/' }, { path: '/api', preserve_path_prefix: true }] }],
    ...more,
  });

  it('is no drift for what the provider says in its own words: order, defaults, rules in place of routes', async () => {
    const { stage, app } = await openApp({
      name,
      spec: spec({
        disable_edge_cache: false,
        workers: [
          { name: 'alpha', image },
          { name: 'beta', image },
        ],
      }),
    });
    await stage.apply();
    const held = app()?.spec ?? {};
    expect(held).toMatchObject({ region: 'nyc', ingress: { rules: [{ component: { name: 'web' } }, { component: { name: 'web' } }] } });
    expect(held).not.toHaveProperty('disable_edge_cache');
    held.workers = [
      { name: 'beta', image },
      { name: 'alpha', image },
    ];
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  });

  it('is sent with the plan’s part in place: what others declared stays, and secrets keep their value', async () => {
    const { stage, world, app, change } = await openApp({ name, spec: spec() });
    await stage.apply();
    expect(world.secret(name, 'web', 'SESSION_KEY')).toBe('session-key-0123456789');
    Object.assign(app()?.spec ?? {}, { maintenance: { enabled: true }, domains: [{ domain: 'pr-12.acme.example' }] });
    const kept = [
      {
        ...web,
        envs: [
          { key: 'LOG_LEVEL', value: 'warn' },
          { key: 'SESSION_KEY', type: 'SECRET', value: { keep: true } },
        ],
      },
    ];
    await change({ name, spec: { services: kept } });
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
    expect(app()?.spec).toMatchObject({
      maintenance: { enabled: true },
      domains: [{ domain: 'pr-12.acme.example' }],
      ingress: { rules: [{}, {}] },
    });
    expect(world.secret(name, 'web', 'SESSION_KEY')).toBe('session-key-0123456789');
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  });

  it('loses the rules of a component that goes', async () => {
    const { stage, app, change } = await openApp({ name, spec: { services: [web, { name: 'docs', image }] } });
    await stage.apply();
    expect(app()?.spec).toMatchObject({ ingress: { rules: [{}, {}] } });
    await change({ name, spec: { services: [web] } });
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
    expect(app()?.spec.ingress).toEqual({ rules: [{ match: { path: { prefix: '/' } }, component: { name: 'web' } }] });
  });

  it('is put back when somebody took a secret variable away', async () => {
    const { stage, world, app } = await openApp({ name, spec: spec() });
    await stage.apply();
    const held = app()?.spec ?? {};
    held.services = [{ ...web, envs: [{ key: 'LOG_LEVEL', value: 'debug' }] }];
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'update', drift: 'changed' }] });
    await stage.apply();
    expect(world.secret(name, 'web', 'SESSION_KEY')).toBe('session-key-0123456789');
  });
});
