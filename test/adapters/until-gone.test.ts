import { fly } from 'pilotfish-sandbox/fly';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, expect, it } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const opened: { readonly stage: Stage; readonly simulation: ReturnType<typeof fly> }[] = [];
afterEach(async () => {
  for (const { stage, simulation } of opened.splice(0)) {
    verifyHandled([simulation]);
    await stage.close();
  }
});

const name = 'shop-pr-12';

/** One app of a hand-written line; its delete is answered with 202, and it goes after so many more requests. */
async function openApp(lingers: number, until_gone: Readonly<Record<string, unknown>> = { path: '/apps/{id}', seconds: 60 }) {
  const simulation = fly();
  simulation.world.state.lingers = lingers;
  const line = {
    id: 'app',
    adapter: 'http',
    op: 'resource',
    api: 'host',
    chosen_id: name,
    find: { path: '/apps', query: { org_slug: 'acme' }, list_path: '/apps', match: { name } },
    create: { path: '/apps', query: { wait: 'true' }, body: { name, org_slug: 'acme' } },
    delete: { path: '/apps/{id}', until_gone },
    id_path: '/name',
  };
  const plan = {
    version: 1,
    providers: { http: { host: { base_url: simulation.origin + simulation.basePath, auth: { bearer_env: 'FLY_TOKEN' } } } },
    changes: [line],
  };
  const clock = new LeapingClock();
  const stage = await openStage({
    simulations: [simulation],
    env: { FLY_TOKEN: simulation.tokens.full },
    plan: JSON.stringify(plan),
    clock,
  });
  opened.push({ stage, simulation });
  await stage.apply();
  const { world } = simulation;
  return { stage, simulation, world, clock, app: () => world.app(name) };
}

it('a destroy waits until an accepted delete is done, and only then forgets the object', async () => {
  const { stage, app, simulation, clock } = await openApp(7);
  const began = clock.mono();
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(app()).toBeUndefined();
  expect((await stage.ledger()).records.size).toBe(0);
  expect(simulation.writes().map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  expect(clock.mono() - began).toBeGreaterThan(1_000);
});

it('a destroy that finds nobody to wait for asks once', async () => {
  const { stage, simulation } = await openApp(0);
  const watch = stage.watch();
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(watch.all().map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /v1/apps/shop-pr-12', 'GET /v1/apps/shop-pr-12']);
  expect(simulation.world.state.apps).toEqual([]);
});

it('an object that does not go is given up after its seconds, keeps its record, and a later destroy ends it', async () => {
  const { stage, app, world, clock } = await openApp(Number.MAX_SAFE_INTEGER);
  const began = clock.mono();
  const doc = await stage.destroy({ waitTimeoutMs: 300_000 });
  expect(doc).toMatchObject({ ok: false, lines: [{ error: { code: 'WAIT_TIMEOUT', detail: expect.stringContaining('60 s') } }] });
  expect(clock.mono() - began).toBeGreaterThan(59_000);
  expect(clock.mono() - began).toBeLessThan(70_000);
  expect([...(await stage.ledger()).records.values()].map(({ objectId }) => objectId)).toEqual([name]);
  Object.assign(app() ?? {}, { leaving: 1 });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(world.state.apps).toEqual([]);
  expect((await stage.ledger()).records.size).toBe(0);
});

it('a destroy that is interrupted while it waits leaves the record, and the next one goes on', async () => {
  const { stage, app, simulation, world } = await openApp(Number.MAX_SAFE_INTEGER);
  const stop = new AbortController();
  let looks = 0;
  simulation.watch(({ phase, method, path }) => {
    if (phase === 'after' && method === 'GET' && path.endsWith(name) && ++looks === 3) stop.abort();
  });
  expect(await stage.apply({ destroy: true }, undefined, stop.signal)).toMatchObject({ ok: false, status: 'interrupted' });
  expect((await stage.ledger()).records.size).toBe(1);
  Object.assign(app() ?? {}, { leaving: 2 });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(world.state.apps).toEqual([]);
});

it('an object that is made anew is made once the old one is gone', async () => {
  const { stage, app } = await openApp(5);
  const before = app()?.internal_numeric_id;
  expect(await stage.apply({ recreate: ['app'] })).toMatchObject({ ok: true });
  expect(app()?.leaving).toBeNull();
  expect(app()?.internal_numeric_id).not.toBe(before);
});

it('what an answer says may mean that it is gone, whatever its status', async () => {
  const { stage, world } = await openApp(Number.MAX_SAFE_INTEGER, {
    path: '/apps/{id}',
    seconds: 5,
    none_match: { '/status': 'pending' },
  });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  // This one is still shown: the line took the state for gone.
  expect(world.state.apps).toHaveLength(1);
});

it('the record keeps how to see that the object is gone, since a destroy has nothing else', async () => {
  const { stage } = await openApp(3);
  const [record] = (await stage.ledger()).records.values();
  expect(record?.reach).toMatchObject({ until_gone: { read: { method: 'GET', path: '/apps/{id}' }, seconds: 60 } });
  await stage.write('version: 1\nchanges: []\n');
  expect(await stage.destroy()).toMatchObject({ ok: true });
});
