import { gcs } from 'pilotfish-sandbox/google-cloud-storage';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { openStage, type Stage } from '../support/stage.ts';

/** Two CORS rules of one origin: a list of maps takes a name twice. */
const name = 'https://pr-12.acme.example';
const own = { origin: [name], method: ['GET'], maxAgeSeconds: 3600 };
const theirs = { origin: [name], method: ['PUT'], maxAgeSeconds: 60 };

let simulation: ReturnType<typeof gcs>;
let stage: Stage;
beforeEach(async () => {
  simulation = gcs();
  const parent = { path: '/b/shop-assets', method: 'PATCH' };
  const { origin: _, ...value } = own;
  const line = { id: 'cors', adapter: 'http', op: 'list_item', api: 'storage', parent, list_path: '/cors', key_field: '/origin/0' };
  const plan = {
    version: 1,
    providers: { http: { storage: { base_url: simulation.origin + simulation.basePath, auth: { bearer_env: 'GCS_TOKEN' } } } },
    changes: [{ ...line, item: name, value }],
  };
  stage = await openStage({ simulations: [simulation], env: { GCS_TOKEN: simulation.tokens.full }, plan: JSON.stringify(plan) });
});
afterEach(async () => {
  verifyHandled([simulation]);
  expectContracts([simulation]);
  await stage.close();
});

const unclear = { code: 'PARAM_INVALID', detail: expect.stringContaining('cannot tell which one belongs to this scope') };

it('two entries of one name are refused, and nothing is written', async () => {
  simulation.world.setCors([theirs, own]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'refused', error: unclear }] });
  expect(await stage.apply()).toMatchObject({ ok: false, error: unclear });
  expect(simulation.writes()).toEqual([]);
});

it('destroy takes neither of two entries of one name, and goes on when one of them is gone', async () => {
  await stage.apply();
  simulation.world.setCors([own, theirs]);
  expect(await stage.destroy()).toMatchObject({ ok: false, error: unclear });
  expect(simulation.world.bucket.cors).toEqual([own, theirs]);
  expect((await stage.ledger()).records.size).toBe(1);
  simulation.world.setCors([own]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.world.bucket.cors ?? []).toEqual([]);
});
