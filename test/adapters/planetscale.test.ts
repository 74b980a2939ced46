import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { planetscale } from 'pilotfish-sandbox/planetscale/index';
import { vercel } from 'pilotfish-sandbox/vercel/index';
import { afterEach, expect, test } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

const shop = { organization: 'acme', database: 'shop' };
const db = { id: 'db', adapter: 'planetscale', op: 'branch', ...shop, name: 'pr-12' };
const key = { id: 'key', adapter: 'planetscale', op: 'password', ...shop, branch: 'pr-12', name: 'preview', role: 'admin' };

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function openShop(changes: readonly object[], store?: (folder: string) => Store) {
  const clock = new LeapingClock();
  const simulation = planetscale({ clock });
  const planOf = (lines: readonly object[]): string => JSON.stringify({ version: 1, changes: lines });
  const stage: Stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      PLANETSCALE_SERVICE_TOKEN_ID: simulation.world.tokenId,
      PLANETSCALE_SERVICE_TOKEN: simulation.tokens.full,
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '12000',
    },
    plan: planOf(changes),
    ...(store && { store }),
  });
  ends.push(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  const order = () => simulation.writes().map(({ method, path }) => `${method} ${path.split('/shop/')[1]}`);
  return { simulation, world: simulation.world, stage, order, write: (lines: readonly object[]) => stage.write(planOf(lines)) };
}

test('a password waits until the branch of the same plan is ready', async () => {
  const { simulation, world, stage, order } = await openShop([db, { ...key, branch: { from: 'db.name' } }]);
  simulation.faults.readyAfter(6);
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  expect(order()).toEqual(['POST branches', 'POST branches/pr-12/passwords']);
  expect(world.branch('pr-12')).toMatchObject({ ready: true, passwords: [{ name: 'preview', role: 'admin' }] });
});

test('a password waits until a branch from outside of the plan is ready, and tells what for', async () => {
  const { world, stage, order } = await openShop([key]);
  world.addBranch('pr-12', { pollsLeft: 5 });
  const events: RunEvent[] = [];
  expect(await stage.apply({}, events)).toMatchObject({ ok: true });
  expect(events.flatMap((event) => (event.type === 'wait' ? [event.detail] : []))).toContain('The branch pr-12 is being provisioned.');
  expect(order()).toEqual(['POST branches/pr-12/passwords']);
});

test('a password whose branch stays asleep gives up at its deadline, and nothing was made or announced', async () => {
  const { world, stage, order } = await openShop([{ ...key, timeout: 3 }]);
  world.addBranch('pr-12', { ready: false, state: 'sleeping', pollsLeft: Number.POSITIVE_INFINITY });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'WAIT_TIMEOUT', detail: expect.stringContaining('The branch pr-12 is asleep.') },
  });
  expect(order()).toEqual([]);
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
});

test('an interrupted wait for the branch leaves nothing behind', async () => {
  const { world, stage, order } = await openShop([key]);
  const branch = world.addBranch('pr-12', { pollsLeft: Number.POSITIVE_INFINITY, ready: false, state: 'pending' });
  const stop = new AbortController();
  const push = (event: RunEvent): void => {
    if (event.type === 'wait') stop.abort();
  };
  expect(await stage.apply({}, { push }, stop.signal)).toMatchObject({ ok: false, status: 'interrupted' });
  expect(order()).toEqual([]);
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
  branch.pollsLeft = 1;
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(branch.passwords).toHaveLength(1);
});

test('a Postgres branch has no passwords, and the error says what it has', async () => {
  const { world, stage, order } = await openShop([{ ...key, database: 'ledger', branch: 'main' }]);
  world.addDatabase('acme/ledger', 'postgresql');
  const { ok, error } = await stage.apply();
  expect(ok).toBe(false);
  expect(error).toMatchObject({ code: 'PARAM_INVALID', fix: expect.stringContaining('role') });
  expect(error?.detail).toContain('postgresql');
  expect(order()).toEqual([]);
});

test('the secret of a password is shown once, and --recreate makes a new one beside the old one', async () => {
  const { world, stage, order } = await openShop([db, { ...key, branch: { from: 'db.name' } }]);
  await stage.apply();
  const [before] = world.branch('pr-12').passwords;
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }, { verdict: 'none' }] });
  expect(await stage.apply({ recreate: ['key'] })).toMatchObject({ ok: true });
  const [after, ...more] = world.branch('pr-12').passwords;
  expect(more).toEqual([]);
  expect(after?.plain_text).not.toBe(before?.plain_text);
  // The new one is made before the old one goes, and no renewal is asked for.
  expect(order().slice(2)).toEqual(['POST branches/pr-12/passwords', `DELETE branches/pr-12/passwords/${before?.id}`]);
  expect(await stage.bytes()).not.toContain('pscale_pw_');
});

test('another role makes a new password beside the old one, which goes when its users have the new one', async () => {
  const { world, stage, order, write } = await openShop([db, { ...key, branch: { from: 'db.name' } }]);
  await stage.apply();
  const [before] = world.branch('pr-12').passwords;
  await write([db, { ...key, branch: { from: 'db.name' }, role: 'reader' }]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'replace' }] });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(order().slice(2)).toEqual(['POST branches/pr-12/passwords', `DELETE branches/pr-12/passwords/${before?.id}`]);
  expect(world.branch('pr-12').passwords).toMatchObject([{ name: 'preview', role: 'reader' }]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }] });
});

test('a password that has expired is made anew', async () => {
  const { world, stage } = await openShop([key]);
  world.addBranch('pr-12');
  await stage.apply();
  const [first] = world.branch('pr-12').passwords;
  if (first) first.expiresAt = 0;
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'create', drift: 'missing' }] });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.branch('pr-12').passwords.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1);
});

test.each([400, 409, 422] as const)(
  'a branch that somebody makes between the look and the create (%i) is not taken over',
  async (status) => {
    const { simulation, world, stage } = await openShop([db]);
    world.state.duplicate = status;
    let raced = false;
    simulation.watch(({ phase, method }) => {
      if (phase !== 'before' || method !== 'POST' || raced) return;
      raced = true;
      world.addBranch('pr-12');
    });
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    expect((await stage.ledger()).intents.size).toBe(0);
  },
);

test('a parent branch that is not there is named beside the other two that may be missing', async () => {
  const { stage } = await openShop([{ ...db, parent_branch: 'nowhere' }]);
  const { error } = await stage.apply();
  expect(error?.code).toBe('PROVIDER_NOT_FOUND');
  for (const name of ['acme', 'shop', 'nowhere']) expect(error?.detail).toContain(name);
});

test('a branch that is protected must be kept, and is left by destroy', async () => {
  const { world, stage, write } = await openShop([{ ...db, deletion_protected: true }]);
  await expect(stage.apply()).rejects.toThrow(/destroy: keep/);
  await write([{ ...db, deletion_protected: true, destroy: 'keep' }]);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(world.branch('pr-12').deletion_protected).toBe(true);
});

test('a branch that is ready, then asleep, is ready as far as its line is concerned', async () => {
  const { world, stage } = await openShop([db]);
  await stage.apply();
  Object.assign(world.branch('pr-12'), { state: 'sleeping', ready: false, pollsLeft: Number.POSITIVE_INFINITY });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
});

test('destroy removes the password before its branch', async () => {
  const { world, stage, order } = await openShop([db, { ...key, branch: { from: 'db.name' } }]);
  await stage.apply();
  const before = order().length;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(order().slice(before)).toEqual([expect.stringMatching(/^DELETE branches\/pr-12\/passwords\//), 'DELETE branches/pr-12']);
  expect(world.branches().map(({ name }) => name)).toEqual(['main']);
});

test.each([{ parent_branch: 'staging' }, { region: 'ap-south' }])(
  'another %o makes a new branch that takes the name of the old one',
  async (change) => {
    const { world, stage, order, write } = await openShop([db]);
    world.addBranch('staging');
    await write([{ ...db, region: 'us-east' }]);
    await stage.apply();
    const before = world.branch('pr-12').id;
    await write([{ ...db, region: 'us-east', ...change }]);
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'replace' }] });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(order().slice(1)).toEqual(['DELETE branches/pr-12', 'POST branches']);
    expect(world.branch('pr-12')).toMatchObject(change);
    expect(world.branch('pr-12').id).not.toBe(before);
    expect((await stage.ledger()).records.values().next().value).toMatchObject({
      superseded: [],
      outputs: { id: world.branch('pr-12').id },
    });
  },
);

test('a branch that somebody made a production branch stays at destroy, and the error says what to do', async () => {
  const { world, stage } = await openShop([db]);
  await stage.apply();
  world.branch('pr-12').production = true;
  expect(await stage.destroy()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_INVALID', fix: expect.stringContaining('production branch') },
  });
  expect((await stage.ledger()).records.size).toBe(1);
  world.branch('pr-12').production = false;
  expect(await stage.destroy()).toMatchObject({ ok: true });
});

test('the connection string goes to a variable in the run that makes it; a variable that is added later is refused until --recreate', async () => {
  const [simulation, host] = [planetscale(), vercel()];
  const url = (key: string, output = 'connection_uri') => ({
    id: key.toLowerCase(),
    adapter: 'vercel',
    op: 'env',
    project: 'shop',
    key,
    value: { from: `key.${output}` },
  });
  const planOf = (...lines: readonly object[]) =>
    JSON.stringify({ version: 1, changes: [db, { ...key, branch: { from: 'db.name' } }, ...lines] });
  const stage = await openStage({
    simulations: [simulation, host],
    env: {
      PLANETSCALE_SERVICE_TOKEN_ID: simulation.world.tokenId,
      PLANETSCALE_SERVICE_TOKEN: simulation.tokens.full,
      VERCEL_TOKEN: host.tokens.full,
    },
    plan: planOf(url('DATABASE_URL')),
  });
  ends.push(() => stage.close());
  expect(await stage.apply()).toMatchObject({ ok: true });
  const uriOf = () => {
    const [made] = simulation.world.branch('pr-12').passwords;
    return `mysql://${made?.username}:${made?.plain_text}@aws.connect.psdb.cloud/shop?ssl=%7B%22rejectUnauthorized%22%3Atrue%7D`;
  };
  expect(host.world.env('DATABASE_URL')?.value).toBe(uriOf());
  for (const later of [url('SHADOW_URL'), url('DATABASE_PASSWORD', 'plain_text')]) {
    await stage.write(planOf(url('DATABASE_URL'), later));
    expect(await stage.apply()).toMatchObject({
      ok: false,
      error: { code: 'OUTPUT_UNAVAILABLE', fix: expect.stringContaining('--recreate key') },
    });
  }
  await stage.write(planOf(url('DATABASE_URL'), url('SHADOW_URL'), url('DATABASE_PASSWORD', 'plain_text')));
  expect(await stage.apply({ recreate: ['key'] })).toMatchObject({ ok: true });
  for (const name of ['DATABASE_URL', 'SHADOW_URL']) expect(host.world.env(name)?.value).toBe(uriOf());
  const { passwords } = simulation.world.branch('pr-12');
  expect(passwords.map(({ plain_text }) => plain_text)).toEqual([host.world.env('DATABASE_PASSWORD')?.value]);
  expect(await stage.bytes()).not.toContain('pscale_pw_');
  verifyHandled([simulation, host]);
  expectContracts([simulation, host]);
});

test('a branch that a dead run made anew is waited for by the next run', async () => {
  let isDead = false;
  const { simulation, world, stage, order } = await openShop([db], (folder) => {
    const store = openLocalStore({ folder });
    const append: Store['append'] = async (...given) => {
      if (isDead) throw new Error('the machine is gone');
      return await store.append(...given);
    };
    return { ...store, append };
  });
  await stage.apply();
  world.removeBranch('pr-12');
  simulation.faults.readyAfter(12);
  const alive = simulation.watch(({ phase, method }) => {
    if (phase === 'after' && method === 'POST') isDead = true;
  });
  await stage.apply({ waitTimeoutMs: 200 }).catch(() => null);
  alive();
  isDead = false;
  expect(world.branch('pr-12').ready).toBe(false);
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([1, 1]);
  expect(await stage.apply({ leaseTimeoutMs: 200_000, waitTimeoutMs: 200_000 })).toMatchObject({ ok: true, status: 'complete' });
  expect(world.branch('pr-12').ready).toBe(true);
  expect(order()).toEqual(['POST branches', 'POST branches']);
  expect((await stage.ledger()).intents.size).toBe(0);
});
