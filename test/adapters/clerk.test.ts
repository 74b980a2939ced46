import { clerk } from 'pilotfish-sandbox/clerk';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, expect, test } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { openStage, type Stage } from '../support/stage.ts';

const url = 'https://pr-12.acme.example/sso-callback';
let stages: Stage[] = [];
afterEach(async () => {
  await Promise.all(stages.map((stage) => stage.close()));
  stages = [];
});

async function openShop(urls: readonly string[] = [url], adapter = 'clerk') {
  const simulation = clerk();
  const changes = urls.map((one, n) => ({ id: `login-${n}`, adapter, op: 'redirect_allow', url: one }));
  const stage = await openStage({
    simulations: [simulation],
    env: { CLERK_SECRET_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes }),
  });
  stages.push(stage);
  const check = () => {
    verifyHandled([simulation]);
    expectContracts([simulation]);
  };
  return { simulation, world: simulation.world, stage, check };
}

test('the list is read in pages of a hundred with offsets, once for all lines', async () => {
  const { world, stage, check } = await openShop([url, `${url}/a`, `${url}/b`]);
  for (let n = 100; n < 350; n += 1) world.addUrl(`https://pr-${n}.acme.example/sso-callback`);
  const watched = stage.watch();
  expect(await stage.plan()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }, { verdict: 'create' }, { verdict: 'create' }] });
  const pages = watched.all().map(({ query }) => query);
  expect(pages.slice(0, 3)).toEqual([
    { paginated: 'true', limit: '100' },
    { paginated: 'true', limit: '100', offset: '100' },
    { paginated: 'true', limit: '100', offset: '200' },
  ]);
  expect(new Set(pages.map(({ limit }) => limit))).toEqual(new Set(['100']));
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.state.urls).toHaveLength(253);
  check();
});

test('a list that fills its page ends there, because its answer tells the number of all', async () => {
  const { world, stage, check } = await openShop();
  for (let n = 100; n < 200; n += 1) world.addUrl(`https://pr-${n}.acme.example/sso-callback`);
  const watched = stage.watch();
  expect(await stage.plan()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }] });
  expect(watched.all().map(({ query }) => query)).toEqual([{ paginated: 'true', limit: '100' }]);
  check();
});

test.each([400, 422] as const)(
  'an URL that somebody adds between the look and the create (%i) is looked at again and not taken over',
  async (status) => {
    const { simulation, world, stage, check } = await openShop();
    world.state.duplicate = status;
    let raced = false;
    simulation.watch(({ phase, method }) => {
      if (phase !== 'before' || method !== 'POST' || raced) return;
      raced = true;
      world.addUrl(url);
    });
    const watched = stage.watch();
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    const last = watched.all().at(-1);
    expect(last).toMatchObject({ method: 'GET', path: '/v1/redirect_urls' });
    const { records, intents } = await stage.ledger();
    expect([records.size, intents.size]).toEqual([0, 0]);
    expect(world.state.urls).toHaveLength(1);
    check();
  },
);

test.each([400, 422] as const)('a create that is refused with %i for another reason says what the provider said', async (status) => {
  const { simulation, world, stage, check } = await openShop();
  simulation.faults.times(4, 'POST /v1/redirect_urls', status, {
    errors: [{ message: 'The scheme is not allowed.', code: 'form_param_format_invalid' }],
  });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_INVALID', detail: expect.stringContaining('The scheme is not allowed.') },
  });
  expect(simulation.writes()).toHaveLength(1);
  expect(world.state.urls).toEqual([]);
  expect((await stage.ledger()).intents.size).toBe(0);
  check();
});

test('an URL that is gone answers 404 to the delete, which is success', async () => {
  const { simulation, world, stage, check } = await openShop();
  await stage.apply();
  world.removeUrl(url);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.log.filter(({ method }) => method === 'DELETE')).toMatchObject([{ status: 404 }]);
  check();
});

test('the neutral name is the same adapter', async () => {
  const { world, stage } = await openShop([url], 'idp_g');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.state.urls).toMatchObject([{ url }]);
});

test.each(['pr-12.acme.example', 'https://', 'https://pr 12.example', ''])('%j is no URL and refused before any request', async (wrong) => {
  const { simulation, stage } = await openShop([wrong]);
  await expect(stage.plan()).rejects.toThrow(/login-0.url/);
  expect(simulation.log).toEqual([]);
});

test('a path follows a URL that another line may give, and both together are the entry', async () => {
  const { world, stage, check } = await openShop();
  const line = (given: object) =>
    JSON.stringify({ version: 1, changes: [{ id: 'login', adapter: 'clerk', op: 'redirect_allow', ...given }] });
  await stage.write(line({ url: 'https://pr-12.acme.example', path: '/sso-callback' }));
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.state.urls.map((one) => one.url)).toEqual([url]);
  await stage.write(line({ url }));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
  check();
});

test('a URL with a slash at its end takes no path', async () => {
  const { stage } = await openShop();
  const line = { id: 'login', adapter: 'clerk', op: 'redirect_allow', url: 'https://pr-12.acme.example/', path: '/sso-callback' };
  await stage.write(JSON.stringify({ version: 1, changes: [line] }));
  await expect(stage.plan()).rejects.toMatchObject({ failures: [{ code: 'PARAM_INVALID', fix: expect.stringContaining('slash') }] });
});
