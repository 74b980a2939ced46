import { fly } from 'pilotfish-sandbox/fly';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { neon } from 'pilotfish-sandbox/neon/index';
import { afterEach, expect, it } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const app = { id: 'app', recipe: 'fly.app', org_slug: 'acme', name: 'shop-pr-12' };
const database = { id: 'database', adapter: 'neon', op: 'branch', project_id: 'quiet-river-12345678', name: 'pr-12' };
const secret = { id: 'secret', recipe: 'fly.secret', app: 'shop-pr-12', name: 'DATABASE_URL', value: { from: 'database.connection_uri' } };

let stage: Stage;
afterEach(() => stage.close());

async function planOf(...changes: readonly object[]) {
  const clock = new LeapingClock();
  const simulations = [fly({ clock }), neon({ clock, project: 'quiet-river-12345678' })] as const;
  const [host, data] = simulations;
  stage = await openStage({
    simulations,
    clock,
    env: { FLY_API_TOKEN: host.tokens.full, NEON_API_KEY: data.tokens.full },
    plan: JSON.stringify({ version: 1, changes }),
  });
  const { lines } = await stage.plan();
  verifyHandled(simulations);
  return lines.find(({ id }) => id === 'secret');
}

it('what stands in an object that an earlier line makes is planned although the object is not there', async () => {
  expect(await planOf(app, database, { ...secret, depends_on: ['app'] })).toMatchObject({
    verdict: 'create',
    why: 'stands in an object that this plan makes',
  });
});

it('so it is where another line stands between the two', async () => {
  expect(await planOf(app, { ...database, depends_on: ['app'] }, secret)).toMatchObject({
    verdict: 'create',
    why: 'stands in an object that this plan makes',
  });
});

it('an object that no line of its provider makes is missing, also where a value comes from an earlier line', async () => {
  expect(await planOf(app, database, { ...secret, app: 'shop-pr-21' })).toMatchObject({
    verdict: 'failed',
    error: { code: 'PROVIDER_NOT_FOUND', detail: expect.stringContaining('shop-pr-21') },
  });
});
