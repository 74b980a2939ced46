import { auth0 } from 'pilotfish-sandbox/auth0/index';
import { github } from 'pilotfish-sandbox/github';
import type { Match, Simulation } from 'pilotfish-sandbox/kit/types';
import { describe, expect, test } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

/** A scope announced an object that it never made, and then another scope made one of that name. */
async function announcedByOne(
  o: { readonly simulation: Simulation; readonly env: Record<string, string>; readonly line: object; readonly create: Match },
  then: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage = await openStage({
    simulations: [o.simulation],
    clock,
    env: { PILOTFISH_REQUEST_DEADLINE_MS: '1000', PILOTFISH_LEASE_MS: '60000', ...o.env },
    plan: JSON.stringify({ version: 1, changes: [o.line] }),
  });
  const lost = o.simulation.faults.loseRequest(o.create, 100);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_TRANSIENT' } });
  expect((await stage.ledger()).intents.size).toBe(1);
  lost.disarm();
  expect(await stage.apply({ scope: 'pr-13' })).toMatchObject({ ok: true });
  const before = o.simulation.dump();
  await then(stage);
  expect(isolated(o.simulation.dump())).toEqual(isolated(before));
  await stage.close();
}

const clock = new LeapingClock();

/** Without the tokens that each run takes. */
const isolated = (dump: unknown): unknown => (typeof dump === 'object' && dump !== null ? { ...dump, issued: null } : dump);

const hooks = () => {
  const simulation = github({ clock });
  simulation.world.addRepository('acme/shop');
  return {
    simulation,
    env: { GITHUB_TOKEN: simulation.tokens.full },
    line: { id: 'hook', recipe: 'github.repo_webhook', repo: 'acme/shop', url: 'https://one.acme.example' },
    create: { method: 'POST' },
  };
};

const callbacks = () => {
  const simulation = auth0({ clock });
  simulation.world.addClient('shopWeb', { callbacks: [] });
  return {
    simulation,
    env: {
      AUTH0_API_URL: simulation.origin + simulation.basePath,
      AUTH0_CLIENT_ID: simulation.world.machineClients.full,
      AUTH0_CLIENT_SECRET: simulation.tokens.full,
    },
    line: { id: 'url', recipe: 'auth0.callback_url', client_id: 'shopWeb', url: 'https://one.acme.example/callback' },
    create: { method: 'PATCH' },
  };
};

describe.each([
  ['an object', hooks],
  ['an entry of a list', callbacks],
])('%s that another scope made', (_, world) => {
  test('is not claimed through an intent of this one', () =>
    announcedByOne(world(), async (stage) => {
      expect((await stage.plan()).lines).toMatchObject([{ error: { code: 'RESOURCE_FOREIGN' } }]);
      expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
      expect((await stage.ledger()).records.size).toBe(0);
    }));

  test('is not removed when this one is destroyed', () =>
    announcedByOne(world(), async (stage) => {
      expect(await stage.destroy()).toMatchObject({ ok: true, lines: [{ verdict: 'forget' }] });
      expect((await stage.ledger()).intents.size).toBe(0);
    }));

  test('is not recorded when the line has left the plan', () =>
    announcedByOne(world(), async (stage) => {
      await stage.write(JSON.stringify({ version: 1, changes: [] }));
      expect(await stage.apply()).toMatchObject({ ok: true, orphans: [] });
      const { records, intents } = await stage.ledger();
      expect([records.size, intents.size]).toEqual([0, 0]);
    }));
});

describe('an object that this scope made and could not record, while another scope announces it too', () => {
  /** `pr-13` announces and sends nothing that arrives; then `pr-12` makes the object and its answers are lost. */
  async function announcedByTwo(then: (stage: Stage, world: ReturnType<typeof github>['world']) => Promise<void>): Promise<void> {
    const { simulation, env, line, create } = hooks();
    const stage = await openStage({
      simulations: [simulation],
      clock,
      env: { PILOTFISH_REQUEST_DEADLINE_MS: '1000', PILOTFISH_LEASE_MS: '60000', ...env },
      plan: JSON.stringify({ version: 1, changes: [line] }),
    });
    const unsent = simulation.faults.loseRequest(create, 100);
    expect(await stage.apply({ scope: 'pr-13' })).toMatchObject({ ok: false });
    unsent.disarm();
    simulation.faults.loseAnswer(create, 100);
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    simulation.faults.clear();
    await then(stage, simulation.world);
    await stage.close();
  }

  test('is not forgotten by a destroy', () =>
    announcedByTwo(async (stage, world) => {
      expect(await stage.destroy()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
      expect([world.hooks('acme/shop').length, (await stage.ledger()).intents.size]).toEqual([1, 1]);
      for (const { id } of world.hooks('acme/shop')) world.removeHook('acme/shop', id);
      expect(await stage.destroy()).toMatchObject({ ok: true, lines: [{ verdict: 'forget' }] });
    }));

  test('is not forgotten when its line has left the plan', () =>
    announcedByTwo(async (stage, world) => {
      await stage.write(JSON.stringify({ version: 1, changes: [] }));
      expect(await stage.apply()).toMatchObject({ ok: true });
      expect([world.hooks('acme/shop').length, (await stage.ledger()).intents.size]).toEqual([1, 1]);
    }));
});
