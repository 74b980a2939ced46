import { contentful } from 'pilotfish-sandbox/contentful/index';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { expectContracts } from '../contracts/expect.ts';
import { fastClock } from '../support/fast-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const content = { id: 'content', adapter: 'contentful', op: 'environment', space_id: 'shop', environment_id: 'pr-12' };
const access = { id: 'access', adapter: 'cms_b', op: 'api_key_access', space_id: 'shop', api_key_id: 'website' };
const own = { ...access, environment_id: { from: 'content.id' } };

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function openShop(changes: readonly object[], keyReads?: readonly string[], store?: (folder: string) => Store) {
  const clock = fastClock(20);
  const simulation = contentful({ clock });
  const { world } = simulation;
  const space = world.addSpace('shop');
  const key = world.addKey('shop', 'website', keyReads);
  const planOf = (lines: readonly object[]): string => JSON.stringify({ version: 1, changes: lines });
  const stage: Stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      CONTENTFUL_MANAGEMENT_TOKEN: simulation.tokens.full,
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '120000',
    },
    plan: planOf(changes),
    ...(store && { store }),
  });
  ends.push(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  const order = () => simulation.writes().map(({ method, path }) => `${method} ${path.replace('/spaces/shop/', '')}`);
  const reads = () => key.environments?.map(({ sys }) => sys.id);
  const ids = () => space.environments.map(({ id }) => id);
  const write = (lines: readonly object[]) => stage.write(planOf(lines));
  return { simulation, world, space, key, stage, order, reads, ids, write };
}

test('a key may read a new environment once its copy is ready, and no more when it goes', async () => {
  const { simulation, stage, order, reads, ids } = await openShop([content, own], ['master']);
  simulation.faults.readyAfter(5);
  const events: RunEvent[] = [];
  expect(await stage.apply({}, events)).toMatchObject({ ok: true, status: 'complete' });
  expect(events.flatMap((event) => (event.type === 'wait' ? [event.detail] : []))).toContain('copying content');
  expect(order()).toEqual(['PUT environments/pr-12', 'PUT api_keys/website']);
  expect(reads()).toEqual(['master', 'pr-12']);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(order().slice(2)).toEqual(['PUT api_keys/website', 'DELETE environments/pr-12']);
  expect([reads(), ids()]).toEqual([['master'], ['master']]);
});

test('a key without a list reads master, and still does when an environment is added and taken off', async () => {
  const { stage, key, reads } = await openShop([content, own]);
  expect(key.environments).toBeUndefined();
  await stage.apply();
  expect(reads()).toEqual(['master', 'pr-12']);
  await stage.destroy();
  expect(reads()).toEqual(['master']);
});

test('the last environment that is taken off a key leaves master, which the key would read anyway', async () => {
  const { stage, key, reads } = await openShop([content, own], ['master']);
  await stage.apply();
  key.environments = key.environments?.filter(({ sys }) => sys.id !== 'master') ?? [];
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(reads()).toEqual(['master']);
});

test('name and description of a key go back as they were, and what it may do is not sent', async () => {
  const { simulation, stage, key } = await openShop([content, own], ['master']);
  Object.assign(key, { name: 'Website, live', description: 'Read by the CDN' });
  const { accessToken, policies } = structuredClone(key);
  await stage.apply();
  expect(key).toMatchObject({ name: 'Website, live', description: 'Read by the CDN', accessToken, policies });
  expect(Object.keys(simulation.writes().at(-1)?.body ?? {}).sort()).toEqual(['description', 'environments', 'name']);
  expect(await stage.bytes()).not.toContain(accessToken);
});

test('a key that somebody writes between the read and the write is read and written again', async () => {
  const { simulation, world, stage, key, reads } = await openShop([content, own], ['master']);
  world.addEnvironment('shop', 'pr-13');
  let raced = false;
  simulation.watch(({ phase, method, path }) => {
    if (phase !== 'before' || method !== 'PUT' || !path.includes('api_keys') || raced) return;
    raced = true;
    key.environments?.push({ sys: { type: 'Link', linkType: 'Environment', id: 'pr-13' } });
    key.version += 1;
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(raced).toBe(true);
  expect(reads()).toEqual(['master', 'pr-13', 'pr-12']);
});

test('environments of one key that come together are one write', async () => {
  const second = { ...content, id: 'second', environment_id: 'pr-12-b' };
  const { world, stage, order, reads } = await openShop(
    [
      { ...access, environment_id: 'pr-12' },
      { ...access, id: 'more', environment_id: second.environment_id },
    ],
    ['master'],
  );
  world.addEnvironment('shop', 'pr-12');
  world.addEnvironment('shop', 'pr-12-b');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(order()).toEqual(['PUT api_keys/website']);
  expect(reads()?.toSorted()).toEqual(['master', 'pr-12', 'pr-12-b']);
});

test('an environment is a copy of master, or of the one that is named', async () => {
  const { world, stage, write } = await openShop([content]);
  await stage.apply();
  expect(world.environments('shop').at(-1)).toMatchObject({ id: 'pr-12', name: 'pr-12', source: 'master' });
  world.addEnvironment('shop', 'staging');
  await write([content, { ...content, id: 'two', environment_id: 'pr-12-b', source_environment: 'staging' }]);
  await stage.apply();
  expect(world.environments('shop').at(-1)).toMatchObject({ id: 'pr-12-b', source: 'staging' });
});

test('another source makes a new environment after the old one is gone, and one that was copied as planned is left', async () => {
  const { world, stage, order, write } = await openShop([{ ...content, source_environment: 'staging' }]);
  world.addEnvironment('shop', 'staging');
  await stage.apply();
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  await write([{ ...content, source_environment: 'master' }]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'replace' }] });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(order()).toEqual(['PUT environments/pr-12', 'DELETE environments/pr-12', 'PUT environments/pr-12']);
  expect(world.environments('shop').at(-1)).toMatchObject({ id: 'pr-12', source: 'master' });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
});

describe('a replacement whose machine died after the create', () => {
  /** Applies a copy of `staging`, and dies in the apply that makes it a copy of `master` before it can record that. */
  async function die() {
    let isDead = false;
    const shop = await openShop([{ ...content, source_environment: 'staging' }], undefined, (folder) => {
      const inner = openLocalStore({ folder });
      const append: Store['append'] = async (...given) => {
        if (isDead) throw new Error('the machine is gone');
        return await inner.append(...given);
      };
      return { ...inner, append };
    });
    shop.world.addEnvironment('shop', 'staging');
    await shop.stage.apply();
    await shop.write([{ ...content, source_environment: 'master' }]);
    const alive = shop.simulation.watch((event) => {
      if (event.phase === 'after' && event.method === 'PUT') isDead = true;
    });
    await shop.stage.apply().catch(() => null);
    alive();
    isDead = false;
    const { intents } = await shop.stage.ledger();
    return { ...shop, intents: intents.size, apply: () => shop.stage.apply({ leaseTimeoutMs: 200_000, waitTimeoutMs: 200_000 }) };
  }

  test('is made again where the plan goes back to the first source', async () => {
    const { world, stage, write, apply, intents } = await die();
    expect([world.environments('shop').at(-1)?.source, intents]).toEqual(['master', 1]);
    await write([{ ...content, source_environment: 'staging' }]);
    expect(await apply()).toMatchObject({ ok: true, status: 'complete' });
    expect(world.environments('shop').at(-1)).toMatchObject({ id: 'pr-12', source: 'staging' });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  });

  test('is gone on with where the plan is the same', async () => {
    const { world, order, apply } = await die();
    expect(await apply()).toMatchObject({ ok: true, status: 'complete' });
    expect(world.environments('shop').at(-1)).toMatchObject({ id: 'pr-12', source: 'master' });
    expect(order()).toEqual(['PUT environments/pr-12', 'DELETE environments/pr-12', 'PUT environments/pr-12']);
  });
});

test('a source that is not there is named beside the space', async () => {
  const { stage } = await openShop([{ ...content, source_environment: 'stagin' }]);
  const { error } = await stage.apply();
  expect(error).toMatchObject({ code: 'PROVIDER_NOT_FOUND', fix: expect.stringContaining('source_environment') });
  expect(error?.detail).toContain('stagin');
  expect((await stage.ledger()).intents.size).toBe(0);
});

test('an environment that somebody makes between the look and the create is not taken over', async () => {
  const { simulation, world, stage } = await openShop([{ ...content, name: 'Preview' }]);
  let raced = false;
  simulation.watch(({ phase, method }) => {
    if (phase !== 'before' || method !== 'PUT' || raced) return;
    raced = true;
    world.addEnvironment('shop', 'pr-12', { name: 'Theirs' });
  });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  expect(world.environments('shop').at(-1)?.name).toBe('Theirs');
  expect((await stage.ledger()).intents.size).toBe(0);
});

test('master is never made, changed or deleted, and may be adopted', async () => {
  const { stage, order, write } = await openShop([{ ...content, environment_id: 'master' }]);
  await expect(stage.apply()).rejects.toThrow(/master/);
  await write([{ ...access, environment_id: 'master' }]);
  await expect(stage.apply()).rejects.toThrow(/master/);
  await write([{ ...content, environment_id: 'master', name: { keep: true } }]);
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'adopt' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(order()).toEqual([]);
});

test('an alias is no environment: the line is refused, and nothing is written', async () => {
  const { world, space, stage, order } = await openShop([content]);
  world.addEnvironment('shop', 'release-1');
  space.aliases['pr-12'] = 'release-1';
  const { error } = await stage.apply();
  expect(error).toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringContaining('alias of the environment release-1') });
  expect(order()).toEqual([]);
});

test('an environment that an alias points to is not changed, and destroy says what to do', async () => {
  const { space, stage, ids, order, write } = await openShop([{ ...content, name: 'Preview' }]);
  await stage.apply();
  space.aliases.live = 'pr-12';
  await write([{ ...content, name: 'Other' }]);
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_INVALID', detail: expect.stringContaining('alias live') },
  });
  expect(await stage.destroy()).toMatchObject({ ok: false, lines: [{ error: { fix: expect.stringContaining('aliases') } }] });
  expect(ids()).toContain('pr-12');
  expect(order()).toEqual(['PUT environments/pr-12', 'DELETE environments/pr-12']);
  delete space.aliases.live;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(ids()).toEqual(['master']);
});

test('a rename over which somebody else was faster names the version that stands then', async () => {
  const { simulation, world, stage, write } = await openShop([{ ...content, name: 'Preview' }]);
  await stage.apply();
  await write([{ ...content, name: 'Other' }]);
  let raced = false;
  simulation.watch(({ phase, method }) => {
    if (phase !== 'before' || method !== 'PUT' || raced) return;
    raced = true;
    for (const environment of world.environments('shop')) environment.version += 1;
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(raced).toBe(true);
  expect(world.environments('shop').at(-1)?.name).toBe('Other');
});

test('a rename whose answer was lost is seen to have been done', async () => {
  const { simulation, world, stage, write } = await openShop([{ ...content, name: 'Preview' }]);
  await stage.apply();
  await write([{ ...content, name: 'Other' }]);
  const lost = simulation.faults.loseAnswer({ method: 'PUT' });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(lost.hits).toBe(1);
  expect(world.environments('shop').at(-1)).toMatchObject({ name: 'Other', version: 2 });
});

test('a status that is not known yet is one more step of the copy', async () => {
  const { simulation, world, stage } = await openShop([content]);
  world.state.steps = ['queued', 'replicating', 'queued'];
  simulation.faults.readyAfter(4);
  const events: RunEvent[] = [];
  expect(await stage.apply({}, events)).toMatchObject({ ok: true });
  const waits = events.flatMap((event) => (event.type === 'wait' ? [event.detail] : []));
  expect(new Set(waits)).toEqual(new Set(['copying content', 'replicating']));
});

test('a copy that failed says what to do, and --recreate makes it anew', async () => {
  const { world, stage, ids } = await openShop([content]);
  world.state.end = 'failed';
  const { error } = await stage.apply();
  expect(error).toMatchObject({ code: 'EXTERNAL_FAILED', detail: expect.stringContaining('Delete it in the web app') });
  world.state.end = 'ready';
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'EXTERNAL_FAILED' } });
  expect(await stage.apply({ recreate: ['content'] })).toMatchObject({ ok: true });
  expect(ids()).toEqual(['master', 'pr-12']);
});

test('an environment that may not be deleted while it is copied keeps its record, and goes with the next destroy', async () => {
  const { simulation, world, stage, ids } = await openShop([{ ...content, timeout: 2 }]);
  simulation.faults.readyAfter(Number.POSITIVE_INFINITY);
  world.state.deletesCopies = false;
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'WAIT_TIMEOUT' } });
  expect(await stage.destroy()).toMatchObject({ ok: false, lines: [{ error: { fix: expect.stringContaining('running copy ends') } }] });
  expect((await stage.ledger()).records.size).toBe(1);
  for (const environment of world.environments('shop')) environment.pollsLeft = 0;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(ids()).toEqual(['master']);
});

test.each(['pr/12', 'x'.repeat(65), 'pr 12'])(
  'an id that Contentful does not take (%s) is refused before any request',
  async (environment_id) => {
    const { simulation, stage } = await openShop([{ ...content, environment_id }]);
    await expect(stage.apply()).rejects.toMatchObject({ message: expect.stringContaining('environment_id') });
    expect(simulation.log).toEqual([]);
  },
);
