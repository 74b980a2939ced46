import { gcs } from 'pilotfish-sandbox/google-cloud-storage';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { openStage, type Stage } from '../support/stage.ts';

const stages: { readonly stage: Stage; readonly simulation: ReturnType<typeof gcs> }[] = [];
afterEach(async () => {
  for (const { stage, simulation } of stages.splice(0)) {
    verifyHandled([simulation]);
    expectContracts([simulation]);
    await stage.close();
  }
});

const theirs = { origin: ['https://theirs.example'], method: ['GET'], maxAgeSeconds: 60 };
const own = { origin: ['https://pr-12.acme.example'], method: ['GET'], maxAgeSeconds: 3600 };

async function open() {
  const simulation = gcs();
  const parent = {
    path: '/b/shop-assets',
    method: 'PATCH',
    version: { from: '/metageneration', query: 'ifMetagenerationMatch' },
  };
  const line = { id: 'cors', adapter: 'http', op: 'list_item', api: 'storage', parent, list_path: '/cors', key_field: '/origin/0' };
  const plan = {
    version: 1,
    providers: { http: { storage: { base_url: simulation.origin + simulation.basePath, auth: { bearer_env: 'GCS_TOKEN' } } } },
    changes: [{ ...line, item: own.origin[0], value: { method: own.method, maxAgeSeconds: own.maxAgeSeconds, origin: own.origin } }],
  };
  const stage = await openStage({ simulations: [simulation], env: { GCS_TOKEN: simulation.tokens.full }, plan: JSON.stringify(plan) });
  stages.push({ stage, simulation });
  return { stage, simulation, world: simulation.world };
}

/** Somebody else writes right before each of the first `times` writes of ours arrives. */
function interfere({ watch, world }: ReturnType<typeof gcs>, times: number): void {
  let left = times;
  watch(({ phase, write }) => {
    if (phase !== 'before' || !write || left === 0) return;
    left -= 1;
    world.setCors([...(world.bucket.cors ?? []), { ...theirs, maxAgeSeconds: left }]);
  });
}

it('a write names the version that was read', async () => {
  const { stage, simulation, world } = await open();
  world.setCors([theirs]);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.bucket.cors).toEqual([theirs, own]);
  expect(simulation.writes().map(({ query }) => query)).toEqual([{ ifMetagenerationMatch: '2' }]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(world.bucket.cors).toEqual([theirs]);
});

it('what somebody wrote in between is read and kept, and the write is tried again', async () => {
  const { stage, simulation, world } = await open();
  interfere(simulation, 2);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.bucket.cors).toEqual([{ ...theirs, maxAgeSeconds: 1 }, { ...theirs, maxAgeSeconds: 0 }, own]);
  expect(simulation.writes().map(({ status }) => status)).toEqual([412, 412, 200]);
});

it('who is refused three more times is told so, and nothing of others is lost', async () => {
  const { stage, simulation, world } = await open();
  interfere(simulation, 9);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_CONFLICT', detail: expect.stringContaining('412') } });
  expect(simulation.writes().map(({ status }) => status)).toEqual([412, 412, 412, 412]);
  expect(world.bucket.cors).toHaveLength(4);
  expect((await stage.ledger()).records.size).toBe(0);
});
