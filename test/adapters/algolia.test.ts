import { algolia } from 'pilotfish-sandbox/algolia/index';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, expect, test } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const search = { id: 'search', adapter: 'search_a', op: 'index', name: 'products_pr-12', source_index: 'products' };

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function openShop(changes: readonly object[] = [search], providers: object = {}) {
  const clock = new LeapingClock();
  const simulation = algolia({ clock });
  const { world, faults, tokens, origin } = simulation;
  const source = world.addIndex('products', { settings: { searchableAttributes: ['title'] }, synonyms: ['tv'], rules: ['promote'] });
  const planOf = (lines: readonly object[]): string => JSON.stringify({ version: 1, providers, changes: lines });
  const stage: Stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      ALGOLIA_APP_ID: world.appId,
      ALGOLIA_API_KEY: tokens.full,
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '120000',
      ...(Object.keys(providers).length === 0 && { ALGOLIA_API_URL: origin }),
    },
    plan: planOf(changes),
  });
  ends.push(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  const order = () => simulation.writes().map(({ method, path }) => `${method} ${path.replace('/1/indexes/', '')}`);
  const names = () => world.state.indices.map(({ name }) => name);
  const write = (lines: readonly object[]) => stage.write(planOf(lines));
  return { simulation, world, faults, source, stage, order, names, write };
}

const copy = 'POST products/operation';
const waitsIn = (events: readonly RunEvent[]) => events.flatMap((event) => (event.type === 'wait' ? [event.detail] : []));

test('everything is copied and the task is waited for, and destroy waits until the index is gone', async () => {
  const { simulation, world, faults, source, stage, order, names } = await openShop();
  faults.readyAfter(4);
  const events: RunEvent[] = [];
  expect(await stage.apply({}, events)).toMatchObject({ ok: true, status: 'complete' });
  expect(waitsIn(events)).toContain('copying');
  expect(simulation.writes().map(({ body }) => body)).toEqual([{ operation: 'copy', destination: 'products_pr-12' }]);
  const { settings, synonyms, rules, records } = source;
  expect(world.index('products_pr-12')).toMatchObject({ settings, synonyms, rules, records });
  world.state.looksUntilGone = 3;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.log.at(-1)).toMatchObject({ method: 'GET', path: '/1/indexes/products_pr-12/settings', status: 404 });
  expect(order()).toEqual([copy, 'DELETE products_pr-12']);
  expect(names()).toEqual(['products']);
});

test('a delete that does not end keeps the record, and the next destroy goes on', async () => {
  const { world, stage, names } = await openShop();
  await stage.apply();
  world.state.looksUntilGone = Number.POSITIVE_INFINITY;
  expect(await stage.destroy()).toMatchObject({ ok: false, lines: [{ error: { code: 'WAIT_TIMEOUT' } }] });
  expect((await stage.ledger()).records.size).toBe(1);
  world.state.looksUntilGone = 0;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(names()).toEqual(['products']);
});

test('scope copies parts of an index, and the records that the app writes then are its own', async () => {
  const { world, stage, write } = await openShop([{ ...search, scope: ['settings', 'rules'] }]);
  await stage.apply();
  const index = world.index('products_pr-12');
  expect(index).toMatchObject({ settings: { searchableAttributes: ['title'] }, rules: ['promote'], synonyms: [], records: [] });
  Object.assign(index ?? {}, { records: ['x'], createdAt: '2026-11-21T12:00:00Z' });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  // A change of the plan is seen although the index has changed as well.
  await write([{ ...search, scope: ['settings'] }]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'replace' }] });
});

test('a source that is not there is refused before anything is sent: a copy of it would be an empty index', async () => {
  const { stage, order, names } = await openShop([{ ...search, source_index: 'product' }]);
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: {
      code: 'PROVIDER_NOT_FOUND',
      detail: expect.stringContaining('no index product '),
      fix: expect.stringContaining('source_index'),
    },
  });
  expect(order()).toEqual([]);
  expect(names()).toEqual(['products']);
  expect((await stage.ledger()).intents.size).toBe(0);
});

test('a copy that is answered with 404 says the same', async () => {
  const { faults, stage } = await openShop();
  faults.once({ method: 'POST' }, 404, { message: 'Index does not exist', status: 404 });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_NOT_FOUND', fix: expect.stringContaining('source_index') },
  });
});

test('an index that somebody makes between the look and the copy is not overwritten', async () => {
  const { simulation, world, stage, order } = await openShop();
  let looks = 0;
  simulation.watch(({ phase, path }) => {
    if (phase !== 'before' || !path.endsWith('/products_pr-12/settings')) return;
    looks += 1;
    if (looks === 2) world.addIndex('products_pr-12', { records: ['theirs'] });
  });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  expect(world.index('products_pr-12')?.records).toEqual(['theirs']);
  expect(order()).toEqual([]);
  expect((await stage.ledger()).intents.size).toBe(0);
});

test('another source makes a new index after the old one is gone', async () => {
  const { world, stage, order, write } = await openShop();
  world.addIndex('articles', { records: ['c'] });
  await stage.apply();
  await write([{ ...search, source_index: 'articles' }]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'replace' }] });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(order()).toEqual([copy, 'DELETE products_pr-12', 'POST articles/operation']);
  expect(world.index('products_pr-12')?.records).toEqual(['c']);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
});

test('an index of the plan may be copied by another line, once its own copy is done', async () => {
  const second = { ...search, id: 'second', name: 'products_pr-12_b', source_index: { from: 'search.name' } };
  const { world, faults, stage, order } = await openShop([search, second]);
  faults.readyAfter(3);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(order()).toEqual([copy, 'POST products_pr-12/operation']);
  expect(world.index('products_pr-12_b')?.records).toEqual(['a', 'b']);
  expect(await stage.destroy()).toMatchObject({ ok: true });
});

test('a copy is known by its name alone: it bears the creation date of its source', async () => {
  const { simulation, world, stage, order } = await openShop();
  const lost = simulation.faults.loseAnswer({ method: 'POST' });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'claim' }] });
  expect([lost.hits, order()]).toEqual([1, [copy]]);
  expect(world.index('products_pr-12')?.createdAt).toBe('2020-03-01T08:00:00.000Z');
});

test('a copy that is not to be seen before it is done is waited for by its task', async () => {
  const { world, faults, stage, names } = await openShop();
  world.state.showsCopies = false;
  faults.readyAfter(5);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(names()).toEqual(['products', 'products_pr-12']);
});

test('a task that is not to be found below the new index yet is one that has not begun', async () => {
  const { faults, stage } = await openShop();
  faults.times(3, { method: 'GET', path: /\/task\// }, 404, { message: 'Index does not exist', status: 404 });
  const events: RunEvent[] = [];
  expect(await stage.apply({}, events)).toMatchObject({ ok: true });
  expect(waitsIn(events)).toEqual(['copying', 'copying', 'copying']);
});

test('a copy that nobody sees and whose answer was lost is sent once more, and one index stands', async () => {
  const { world, faults, stage, order, names } = await openShop();
  world.state.showsCopies = false;
  faults.readyAfter(6);
  faults.loseAnswer({ method: 'POST' });
  expect(await stage.apply({ waitTimeoutMs: 200_000 })).toMatchObject({ ok: true });
  expect(order()).toEqual([copy, copy]);
  expect(names()).toEqual(['products', 'products_pr-12']);
  expect((await stage.ledger()).intents.size).toBe(0);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(names()).toEqual(['products']);
});

test('a copy that nobody sees and that is not awaited to its end is found by the next run, or removed', async () => {
  const { world, faults, stage, names } = await openShop([{ ...search, timeout: 2 }]);
  world.state.showsCopies = false;
  faults.readyAfter(Number.POSITIVE_INFINITY);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'WAIT_TIMEOUT', detail: expect.stringContaining('copying') } });
  world.finish();
  faults.readyAfter(0);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(names()).toEqual(['products', 'products_pr-12']);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(names()).toEqual(['products']);
});

test('a task that is done and leaves no index fails with the place to look at, and stays known', async () => {
  const { world, stage, names } = await openShop();
  Object.assign(world.state, { full: 'silent', indexLimit: 1 });
  expect(await stage.apply({ waitTimeoutMs: 200_000 })).toMatchObject({
    ok: false,
    error: { code: 'EXTERNAL_FAILED', detail: expect.stringContaining('too many indices') },
  });
  expect([...(await stage.ledger()).records.values()]).toMatchObject([{ unready: true }]);
  world.state.indexLimit = 10;
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(names()).toEqual(['products', 'products_pr-12']);
});

test.each([
  [400, 'Too many indices (11 > 10), please remove unused indices before pushing'],
  [403, 'Too many indices (11 > 10), please remove unused indices before pushing'],
  [403, 'Record quota exceeded, change plan or delete records.'],
])('an application without room that answers %i "%s" is PROVIDER_QUOTA', async (status, message) => {
  const { world, stage } = await openShop();
  Object.assign(world.state, { indexLimit: 1, full: { status, message } });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_QUOTA', detail: expect.stringContaining('1,000 indices') },
  });
});

test('a copy that somebody made a replica stays, with what to do, and goes with the next destroy', async () => {
  const { world, stage, names } = await openShop();
  await stage.apply();
  const index = world.index('products_pr-12');
  Object.assign(index ?? {}, { primary: 'products' });
  expect(await stage.destroy()).toMatchObject({ ok: false, lines: [{ error: { fix: expect.stringContaining('primary') } }] });
  expect((await stage.ledger()).records.size).toBe(1);
  delete index?.primary;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(names()).toEqual(['products']);
});

test('a key for other indices is PROVIDER_AUTH: nothing of it is made again or forgotten', async () => {
  const { simulation, stage, order } = await openShop();
  await stage.apply();
  const env = { ALGOLIA_API_KEY: simulation.tokens.blind };
  await expect(stage.plan({ env })).resolves.toMatchObject({ lines: [{ error: { code: 'PROVIDER_AUTH' } }] });
  expect(await stage.destroy({ env })).toMatchObject({ ok: false, lines: [{ error: { code: 'PROVIDER_AUTH' } }] });
  expect((await stage.ledger()).records.size).toBe(1);
  expect(order()).toEqual([copy]);
});

test('names are sent as they are written, also with spaces and slashes', async () => {
  const { simulation, world, stage, names } = await openShop([{ ...search, name: 'Shop / pr-12?', source_index: 'Shop #1' }]);
  world.addIndex('Shop #1');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.writes().map(({ path }) => path)).toEqual(['/1/indexes/Shop%20%231/operation']);
  expect(names()).toContain('Shop / pr-12?');
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(names()).toEqual(['products', 'Shop #1']);
});

test.each([
  ['a name that is a step in a path', { name: '..' }, /name/],
  ['a part that cannot be copied', { scope: ['records'] }, /settings, synonyms, rules/],
  ['no part at all', { scope: [] }, /scope/],
])('%s is refused before any request', async (_, change, message) => {
  const { simulation, stage } = await openShop([{ ...search, ...change }]);
  await expect(stage.apply()).rejects.toMatchObject({ message: expect.stringMatching(message) });
  expect(simulation.log).toEqual([]);
});

test('an index is no copy of itself', async () => {
  const { simulation, stage } = await openShop([{ ...search, source_index: search.name }]);
  await expect(stage.apply()).rejects.toThrow(/another `name`/);
  expect(simulation.log).toEqual([]);
});

test('the address of the application is asked for, and the plan may give it', async () => {
  const missing = await openShop([search], { algolia: { concurrency: 2 } });
  await expect(missing.stage.apply()).rejects.toThrow(/base URL/);
  const given = await openShop([search], { algolia: { base_url: missing.simulation.origin } });
  expect(await given.stage.apply()).toMatchObject({ ok: true });
});
