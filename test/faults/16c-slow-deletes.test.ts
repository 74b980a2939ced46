import { HttpResponse, http } from 'msw';
import { fly } from 'pilotfish-sandbox/fly';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, it } from 'vitest';
import { runApply } from '../../src/engine/run.ts';
import { ends } from '../lifecycle/shop.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage } from '../support/stage.ts';
import { mswDispatcher } from '../support/via-msw.ts';

const name = 'shop-pr-12';
const never = Number.MAX_SAFE_INTEGER;
const slow = { path: '/apps/{id}', until_gone: { path: '/apps/{id}', seconds: 60 } };
const unsaid = { path: '/apps/{id}' };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** One app whose name its line chose. Its delete is answered with 202, and it goes after so many more requests. */
async function open({
  lingers,
  remove = slow,
  line,
  isChosen = true,
}: {
  lingers: number;
  remove?: object;
  line?: object;
  isChosen?: boolean;
}) {
  const clock = new LeapingClock();
  const simulation = fly({ clock });
  simulation.world.state.lingers = lingers;
  const written = {
    id: 'app',
    adapter: 'http',
    op: 'resource',
    api: 'host',
    ...(isChosen && { chosen_id: name }),
    find: { path: '/apps', query: { org_slug: 'acme' }, list_path: '/apps', match: { name } },
    create: { path: '/apps', query: { wait: 'true' }, body: { name, org_slug: 'acme' } },
    delete: remove,
    id_path: '/name',
  };
  const plan = {
    version: 1,
    providers: { http: { host: { base_url: simulation.origin + simulation.basePath, auth: { bearer_env: 'FLY_API_TOKEN' } } } },
    changes: [line ?? written],
  };
  const remote = new MemoryRemote();
  let isDead = false;
  const perish = (): void => {
    if (isDead) throw new Error('the process is dead');
  };
  remote.before = perish;
  simulation.watch(perish);
  const stage = await openStage({
    simulations: [simulation],
    env: { FLY_API_TOKEN: simulation.tokens.full },
    plan: JSON.stringify(plan),
    clock,
    store: () => remote.open(),
  });
  closers.push(async () => {
    verifyHandled([simulation]);
    await stage.close();
  });
  await stage.apply();
  const app = () => simulation.world.app(name);
  return {
    ...stage,
    simulation,
    clock,
    app,
    number: () => app()?.internal_numeric_id,
    /** The process ends before (or after) its delete, or another write, had its effect. */
    dieAt: (phase: 'before' | 'after', method = 'DELETE') => {
      const unwatch = simulation.watch((event) => {
        if (event.phase !== phase || event.method !== method) return;
        unwatch();
        isDead = true;
        perish();
      });
    },
    revive: () => {
      isDead = false;
    },
    leave: (requests: number) => Object.assign(app() ?? {}, { leaving: requests }),
    live: () => Object.assign(app() ?? {}, { leaving: null }),
  };
}

describe('an object whose record stays because its delete was not done in time', () => {
  it('is not taken for one that stands: the scope waits for its end and makes it anew', async () => {
    const { apply, destroy, number, leave, ledger, plan } = await open({ lingers: never });
    const old = number();
    expect((await destroy()).lines).toMatchObject([{ error: { code: 'WAIT_TIMEOUT' } }]);
    expect((await ledger()).records.size).toBe(1);
    expect((await plan()).lines).toMatchObject([{ verdict: 'create', why: expect.stringContaining('its delete is under way') }]);
    const late = await apply({ waitTimeoutMs: 30_000 });
    expect(late.lines).toMatchObject([{ error: { code: 'WAIT_TIMEOUT' } }]);
    expect([number(), (await ledger()).records.size, (await ledger()).intents.size]).toEqual([old, 1, 0]);
    leave(6);
    expect((await apply()).status).toBe('complete');
    expect(number()).not.toBe(old);
    expect((await apply()).lines).toMatchObject([{ verdict: 'none' }]);
  });

  it.for(['before', 'after'] as const)('also where the run was killed %s the provider took the delete', async (phase) => {
    const { apply, destroy, number, app, dieAt, revive } = await open({ lingers: 8 });
    const old = number();
    dieAt(phase);
    await destroy();
    revive();
    expect(app()).toBeDefined();
    expect((await apply({ waitTimeoutMs: 600_000, leaseTimeoutMs: 600_000 })).status).toBe('complete');
    expect(number()).not.toBe(old);
    expect(app()?.leaving).toBeNull();
  });

  it('stands again once its provider refuses the delete', async () => {
    const { apply, destroy, number, app, ledger } = await open({ lingers: 3 });
    const old = number();
    Object.assign(app() ?? {}, { machines: 1 });
    expect((await destroy()).status).toBe('failed');
    expect([...(await ledger()).records.values()].map(({ removing }) => removing)).toEqual([undefined]);
    expect((await apply()).lines).toMatchObject([{ verdict: 'none' }]);
    expect(number()).toBe(old);
  });

  it('goes with a later destroy', async () => {
    const { destroy, app, leave } = await open({ lingers: never });
    await destroy();
    leave(4);
    expect((await destroy()).status).toBe('complete');
    expect(app()).toBeUndefined();
  });
});

describe('an object that was forgotten', () => {
  it('is not waited for where a run that died has made another one under its id, which the plan does not say it chose', async () => {
    const { apply, destroy, number, dieAt, revive, ledger } = await open({ lingers: 0, isChosen: false });
    await destroy();
    dieAt('after', 'POST');
    await apply();
    revive();
    const made = number();
    expect([made === undefined, (await ledger()).intents.size]).toEqual([false, 1]);
    expect((await apply({ waitTimeoutMs: 600_000, leaseTimeoutMs: 600_000 })).lines).toMatchObject([
      { verdict: 'claim', state: 'settled' },
    ]);
    expect(number()).toBe(made);
  });

  it('and that a list still shows after it is gone by its id is waited for', async () => {
    const { apply, destroy, number, simulation } = await open({ lingers: 0 });
    const old = number();
    await destroy();
    // What the list showed before the delete.
    const lagging = simulation.faults.times(5, 'GET /v1/apps', 200, { apps: [{ name, id: 'x', status: 'pending' }], total_apps: 1 });
    expect((await apply()).status).toBe('complete');
    expect(lagging.left).toBe(0);
    expect([number() === old, simulation.world.state.apps.length]).toEqual([false, 1]);
  });

  it('with a 202 and nothing that says how to wait, is waited for by a look at its list', async () => {
    const { apply, destroy, number } = await open({ lingers: 8, remove: unsaid });
    const old = number();
    expect((await destroy()).status).toBe('complete');
    expect(number()).toBe(old);
    expect((await apply()).status).toBe('complete');
    expect(number()).not.toBe(old);
  });

  it('and whose name its provider still holds, is waited for by its create', async () => {
    const { apply, destroy, app, simulation, ledger } = await open({ lingers: 0 });
    await destroy();
    const held = simulation.faults.times(4, 'POST /v1/apps', 409, { error: 'the name is not free yet' });
    expect((await apply()).status).toBe('complete');
    expect([held.left, app() !== undefined, (await ledger()).records.size]).toEqual([0, true, 1]);
  });

  it('and whose name stays held: that is told, and no announcement is left', async () => {
    const { apply, destroy, app, simulation, ledger } = await open({ lingers: 0 });
    await destroy();
    const held = simulation.faults.times(500, 'POST /v1/apps', 409, { error: 'the name is not free yet' });
    const doc = await apply({ waitTimeoutMs: 120_000 });
    expect(doc.lines).toMatchObject([{ error: { code: 'WAIT_TIMEOUT', detail: expect.stringContaining('not free yet') } }]);
    expect([app(), (await ledger()).intents.size]).toEqual([undefined, 0]);
    held.disarm();
    expect((await apply()).status).toBe('complete');
  });

  it('with a 202 is looked after by the next destroy, once', async () => {
    const { destroy, app, watch, leave } = await open({ lingers: 6, remove: unsaid });
    await destroy();
    leave(0);
    const first = watch();
    expect(await destroy()).toMatchObject({ status: 'complete', lines: [{ verdict: 'forget' }] });
    expect([app(), first.writes()]).toEqual([undefined, []]);
    const second = watch();
    expect(await destroy()).toMatchObject({ status: 'complete', lines: [] });
    expect(second.all()).toEqual([]);
  });

  it('with a 202 that comes to nothing, goes with the next destroy', async () => {
    const { destroy, app, live, simulation } = await open({ lingers: never, remove: unsaid });
    await destroy();
    live();
    simulation.world.state.lingers = 3;
    expect(await destroy()).toMatchObject({ status: 'complete', lines: [{ verdict: 'delete' }] });
    expect(app()).toBeUndefined();
  });

  it('and that nobody may look for any more, is told as a warning, and stays noted', async () => {
    const { destroy, apply, app, env } = await open({ lingers: never, remove: unsaid });
    await destroy();
    const blind = await destroy({ env: { ...env, FLY_API_TOKEN: 'a-token-that-was-taken-away' } });
    expect(blind).toMatchObject({ status: 'complete', warnings: [expect.stringContaining('could not see')] });
    expect(app()).toBeDefined();
    expect((await apply({ waitTimeoutMs: 10_000 })).lines).toMatchObject([{ error: { code: 'WAIT_TIMEOUT' } }]);
  });
});

it('a name that somebody else holds is refused at once where this scope never had it', async () => {
  const { destroy, apply, simulation, clock, write } = await open({
    lingers: 0,
    line: { id: 'app', recipe: 'fly.app', org_slug: 'acme', name },
  });
  expect(simulation.world.app(name)).toBeDefined();
  await destroy();
  await write(JSON.stringify({ version: 1, changes: [{ id: 'app', recipe: 'fly.app', org_slug: 'acme', name: 'shop-other' }] }));
  simulation.world.addApp('others', 'shop-other');
  const began = clock.mono();
  expect(ends(await apply())[0]).toContain('failed');
  expect(clock.mono() - began).toBeLessThan(20_000);
});

it('an object of a chosen name that was made after ours went is foreign, where its provider tells when it was made', async () => {
  const made = new Date('2026-11-25T12:00:00Z').toISOString();
  const later = new Date('2026-11-25T12:05:00Z').toISOString();
  let things: { name: string; made: string }[] = [];
  const dispatcher = mswDispatcher([
    http.all('https://api.acme.example/v1/*', ({ request }) => {
      if (request.method === 'POST') things.push({ name: 'pr-12', made });
      if (request.method === 'DELETE') things = [];
      return HttpResponse.json(request.method === 'GET' ? things : (things[0] ?? {}), { headers: { date: new Date(made).toUTCString() } });
    }),
  ]);
  const line = {
    id: 'thing',
    adapter: 'http',
    op: 'resource',
    api: 'acme',
    chosen_id: 'pr-12',
    find: { path: '/things', list_path: '', match: { '/name': 'pr-12' } },
    created_at: '/made',
    create: { path: '/things' },
    delete: { path: '/things/{id}' },
    id_path: '/name',
  };
  const providers = { http: { acme: { base_url: 'https://api.acme.example/v1', auth: { bearer_env: 'ACME_TOKEN' } } } };
  const plan = JSON.stringify({ version: 1, providers, changes: [line] });
  const stage = await openStage({ simulations: [], env: { ACME_TOKEN: 'acme-token-0123456789' }, plan });
  closers.push(() => stage.close());
  const world = () => ({ dispatcher, store: stage.store(), repository: null });
  expect((await runApply(stage.request(), world())).status).toBe('complete');
  expect((await runApply(stage.request({ destroy: true }), world())).status).toBe('complete');
  things = [{ name: 'pr-12', made: later }];
  expect((await runApply(stage.request(), world())).lines).toMatchObject([{ error: { code: 'RESOURCE_FOREIGN' } }]);
});
