import { fly } from 'pilotfish-sandbox/fly';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const org_slug = 'acme';
const name = 'shop-pr-12';

describeRecipe('fly.app', {
  simulate: fly,
  subject: ({ world }) => {
    world.addApp(org_slug, 'shop-pr-13', 'shop-pr-12');
    return {
      credential: 'FLY_API_TOKEN',
      params: { org_slug, name, network: 'preview-12' },
      mine: () => world.state.apps.filter((one) => one.name === name),
      others: () => world.state.apps.filter((one) => one.name !== name),
      stands: { name, network: 'preview-12', org: org_slug },
      edits: {},
      fixed: { network: { network: 'preview-13' } },
      undeclared: { secrets: { TOKEN: { value: 'theirs' } } },
      remove: () => world.removeApp(name),
      foreign: () => world.addApp(org_slug, name),
    };
  },
  skip: {
    twoMatches: 'a name is one app',
    'takeOver network': 'the name is the id, so the new app has the id of the old one; the test below looks at the app itself',
  },
});

describeRecipe('fly.secret', {
  simulate: fly,
  subject: ({ world }) => {
    const { secrets } = world.addApp(org_slug, name);
    world.setSecret(name, 'PORT', '3000');
    const other = world.addApp(org_slug, 'shop-pr-13');
    world.setSecret(other.name, 'DATABASE_URL', 'theirs');
    return {
      credential: 'FLY_API_TOKEN',
      env: { DATABASE_URL: 'postgres://ada:pw-12345678@db.acme.example/shop', NEXT_DATABASE_URL: 'postgres://next' },
      params: { app: name, name: 'DATABASE_URL', value: { secret: 'env://DATABASE_URL' } },
      mine: () => Object.entries(secrets).flatMap(([key, one]) => (key === 'DATABASE_URL' ? [one] : [])),
      others: () => [Object.entries(secrets).filter(([key]) => key !== 'DATABASE_URL'), other],
      stands: { value: 'postgres://ada:pw-12345678@db.acme.example/shop' },
      edits: {},
      unseen: { value: 'the value is never read' },
      changes: { value: { value: { secret: 'env://NEXT_DATABASE_URL' } } },
      remove: () => {
        delete secrets.DATABASE_URL;
      },
      foreign: () => world.setSecret(name, 'DATABASE_URL', 'theirs'),
    };
  },
  skip: { twoMatches: 'a name holds one value' },
});

/** An app, and a secret that waits for it. */
async function openApp() {
  const clock = new LeapingClock();
  const simulation = fly({ clock });
  const plan = (network: string) =>
    JSON.stringify({
      version: 1,
      changes: [
        { id: 'app', recipe: 'fly.app', org_slug, name, network },
        { id: 'token', recipe: 'fly.secret', app: { from: 'app.name' }, name: 'TOKEN', value: { secret: 'env://SHOP_TOKEN' } },
      ],
    });
  const stage = await openStage({
    simulations: [simulation],
    env: { FLY_API_TOKEN: simulation.tokens.full, SHOP_TOKEN: 'shop-token-12345' },
    plan: plan('one'),
    clock,
  });
  return { simulation, stage, plan };
}

it('an app on another network takes the place of the old one, and its secret is written again', async () => {
  const { simulation, stage, plan } = await openApp();
  expect(await stage.apply()).toMatchObject({ ok: true });
  const before = simulation.world.app(name);
  expect(before).toMatchObject({ network: 'one', secrets: { TOKEN: { value: 'shop-token-12345' } } });
  await stage.write(plan('two'));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'replace' }, {}] });
  const after = simulation.world.app(name);
  expect(after).toMatchObject({ network: 'two', secrets: { TOKEN: { value: 'shop-token-12345' } } });
  expect(after?.internal_numeric_id).not.toBe(before?.internal_numeric_id);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.world.state.apps).toEqual([]);
  await stage.close();
});

it('a name that another organisation has is refused, and its app stays', async () => {
  const { simulation, stage } = await openApp();
  const theirs = simulation.world.addApp('globex', name);
  expect(await stage.apply()).toMatchObject({ ok: false, lines: [{ error: { code: 'PROVIDER_CONFLICT' } }, {}] });
  expect((await stage.ledger()).intents.size).toBe(0);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.world.state.apps).toEqual([theirs]);
  await stage.close();
});

it('an app that is made anew waits until the old one is gone, and has its secret', async () => {
  const { simulation, stage } = await openApp();
  await stage.apply();
  const before = simulation.world.app(name);
  simulation.world.state.lingers = 2;
  expect(await stage.apply({ recreate: ['app'] })).toMatchObject({ ok: true });
  expect(simulation.world.app(name)).toMatchObject({ leaving: null, secrets: { TOKEN: { value: 'shop-token-12345' } } });
  expect(simulation.world.app(name)?.internal_numeric_id).not.toBe(before?.internal_numeric_id);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }] });
  await stage.close();
});

it('an app goes with the machines that run in it', async () => {
  const { simulation, stage } = await openApp();
  await stage.apply();
  Object.assign(simulation.world.app(name) ?? {}, { machines: 2 });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.world.state.apps).toEqual([]);
  await stage.close();
});

it('a secret of a new app waits until the app is to be seen', async () => {
  const { simulation, stage } = await openApp();
  simulation.faults.lags({ method: 'GET' }, 10_000);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.world.app(name)?.secrets).toMatchObject({ TOKEN: { value: 'shop-token-12345' } });
  expect(simulation.writes()).toHaveLength(2);
  await stage.close();
});

it('an app that is seen some time after its create, and still after its delete, is made once and is gone at the end', () =>
  livesOn(
    'fly.app',
    fly,
    ({ world }) => {
      world.addApp(org_slug, 'shop-pr-13');
      return {
        credential: 'FLY_API_TOKEN',
        params: { org_slug, name, network: 'preview-12' },
        mine: () => world.state.apps.filter((one) => one.name === name),
        others: () => world.state.apps.filter((one) => one.name !== name),
        stands: { network: 'preview-12' },
      };
    },
    async (bench, { world }) => {
      const before = world.app(name)?.internal_numeric_id;
      expect(await bench.destroy()).toMatchObject({ ok: true });
      expect(bench.subject.mine()).toEqual([]);
      await bench.applied();
      expect(world.app(name)?.internal_numeric_id).not.toBe(before);
    },
  ));

it('a secret of which a digest alone is shown is written once, and again when the plan changes it', () =>
  livesOn(
    'fly.secret',
    fly,
    ({ world }) => {
      const { secrets } = world.addApp(org_slug, name);
      world.setSecret(name, 'PORT', '3000');
      return {
        credential: 'FLY_API_TOKEN',
        env: { DATABASE_URL: 'postgres://ada:pw-12345678@db.acme.example/shop', NEXT_DATABASE_URL: 'postgres://next' },
        params: { app: name, name: 'DATABASE_URL', value: { secret: 'env://DATABASE_URL' } },
        mine: () => Object.entries(secrets).flatMap(([key, one]) => (key === 'DATABASE_URL' ? [one] : [])),
        others: () => Object.entries(secrets).filter(([key]) => key !== 'DATABASE_URL'),
        stands: { value: 'postgres://ada:pw-12345678@db.acme.example/shop' },
      };
    },
    async (bench, { exchanges }) => {
      await bench.change({ value: { secret: 'env://NEXT_DATABASE_URL' } });
      await bench.applied();
      expect(bench.one()).toMatchObject({ value: 'postgres://next' });
      const answers = JSON.stringify(exchanges.map(({ answer }) => answer.body));
      expect(answers).toContain('"digest"');
      expect(answers).not.toContain('postgres://');
    },
  ));
