import { gcs } from 'pilotfish-sandbox/google-cloud-storage';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { openStage, type Stage } from '../support/stage.ts';

/** A list of a bucket, for buckets of one storage class. */
const name = 'https://pr-12.acme.example';
const own = { origin: [name], method: ['GET'] };
const theirs = { origin: ['https://acme.example'], method: ['PUT'] };

let simulation: ReturnType<typeof gcs>;
let stage: Stage;
beforeEach(async () => {
  simulation = gcs();
  simulation.world.setCors([theirs]);
  stage = await openStage({ simulations: [simulation], env: { GCS_TOKEN: simulation.tokens.full }, plan: planFor('STANDARD') });
});
afterEach(async () => {
  verifyHandled([simulation]);
  expectContracts([simulation]);
  await stage.close();
});

function planFor(storageClass: string): string {
  const parent = {
    path: '/b/shop-assets',
    method: 'PATCH',
    require: { match: { '/storageClass': storageClass }, fix: 'Name a bucket of that class.' },
  };
  const line = { id: 'cors', adapter: 'http', op: 'list_item', api: 'storage', parent, list_path: '/cors', key_field: '/origin/0' };
  return JSON.stringify({
    version: 1,
    providers: { http: { storage: { base_url: simulation.origin + simulation.basePath, auth: { bearer_env: 'GCS_TOKEN' } } } },
    changes: [{ ...line, item: name, value: { method: own.method } }],
  });
}

const refusal = { code: 'PARAM_INVALID', fix: 'Name a bucket of that class.' };

it('a parent of another kind is refused by plan and apply, and nothing is written', async () => {
  await stage.write(planFor('ARCHIVE'));
  expect(await stage.plan()).toMatchObject({ lines: [{ error: refusal }] });
  expect(await stage.apply()).toMatchObject({ ok: false, error: refusal });
  expect(simulation.writes()).toEqual([]);
  expect((await stage.ledger()).records.size).toBe(0);
});

it('one that became of another kind is not written to, and destroy takes out what stands in it', async () => {
  expect(await stage.apply()).toMatchObject({ ok: true });
  Object.assign(simulation.world.bucket, { storageClass: 'ARCHIVE' });
  expect(await stage.apply()).toMatchObject({ ok: false, error: refusal });
  expect(simulation.world.bucket.cors).toEqual([theirs, own]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.world.bucket.cors).toEqual([theirs]);
});
