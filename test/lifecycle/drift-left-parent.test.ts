import { fly } from 'pilotfish-sandbox/fly';
import { neon } from 'pilotfish-sandbox/neon/index';
import { afterEach, expect, it } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const app = { id: 'app', recipe: 'fly.app', org_slug: 'acme', name: 'shop-pr-12' };
const database = { id: 'database', adapter: 'neon', op: 'branch', project_id: 'quiet-river-12345678', name: 'pr-12' };
const secret = {
  ...{ id: 'secret', recipe: 'fly.secret', app: 'shop-pr-12', name: 'DATABASE_URL' },
  ...{ value: { from: 'database.connection_uri' }, depends_on: ['app'] },
};
const planOf = (...changes: readonly object[]): string => JSON.stringify({ version: 1, drift: 'report', changes });

let stage: Stage;
afterEach(() => stage.close());

it('what was recorded in a missing object is missing with it; another line says which object it lacks', async () => {
  const clock = new LeapingClock();
  const simulations = [fly({ clock }), neon({ clock, project: 'quiet-river-12345678' })] as const;
  const [host, data] = simulations;
  const env = { FLY_API_TOKEN: host.tokens.full, NEON_API_KEY: data.tokens.full };
  stage = await openStage({ simulations, clock, env, plan: planOf(app, database, secret) });
  expect((await stage.apply()).status).toBe('complete');
  host.world.removeApp('shop-pr-12');
  const told = await stage.apply();
  expect(told.status).toBe('complete');
  expect(told.lines.map(({ id, verdict, drift, driftLeft }) => [id, verdict, drift, driftLeft])).toEqual([
    ['app', 'none', 'missing', true],
    ['database', 'none', 'none', undefined],
    ['secret', 'none', 'missing', true],
  ]);
  expect((await stage.plan()).lines.map(({ drift }) => drift)).toEqual(['missing', 'none', 'missing']);
  await stage.write(planOf(app, database, secret, { ...secret, id: 'second', name: 'SECOND_URL' }));
  const lacking = await stage.apply();
  expect(lacking.lines.map(({ id, state, error }) => [id, state, error?.code])).toEqual([
    ['app', 'settled', undefined],
    ['database', 'settled', undefined],
    ['secret', 'settled', undefined],
    ['second', 'failed', 'PROVIDER_NOT_FOUND'],
  ]);
  expect(lacking.error?.detail).toContain('It stands in the object of app, which was deleted outside');
});
