import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Agent } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { runClosed } from '../../src/engine/closed.ts';
import { findReceipt } from '../../src/engine/finish/find-receipt.ts';
import { runApply } from '../../src/engine/run.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { openPulls, shaA } from '../lifecycle/pulls.ts';
import { ends, lines, openRecord, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

const other = receiptsBranch('preview', 'pr-13');
let shop: Shop;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const open = async (plan: string): Promise<Shop> => {
  shop = await openShop(plan);
  const { verify, close } = shop;
  closers.push(async () => {
    verify();
    await close();
  });
  return shop;
};

/** A ledger that nobody can read. */
const damage = (scope = other, { remote }: Pick<Shop, 'remote'> = shop): void => {
  remote.branches.set(scope, { head: `torn-${scope}`, files: new Map([['receipt.json', '{"v": 1']]) });
};

/** A run that sends its create and dies before it can record anything. */
const dieInCreate = async (): Promise<void> => {
  shop.crash.at('after', 'POST', /dns_records$/);
  await shop.apply().catch(() => undefined);
  shop.crash.over();
  expect((await shop.ledger()).intents.size).toBe(1);
};

it('a create of an earlier run is claimed though the ledger of another scope is damaged, which a warning names', async () => {
  await open(planOf(lines.dns));
  await dieInCreate();
  damage();
  const doc = await shop.apply();
  expect(ends(doc)).toEqual(['dns claim settled']);
  expect(doc.status).toBe('complete');
  expect(doc.warnings.filter((text) => text.includes(other))).toEqual([
    expect.stringMatching(/receipt\.json .*cannot be used.*`pilotfish plan --scope pr-13`/),
  ]);
  expect(shop.records()).toHaveLength(1);
});

it('a destroy takes away what an earlier run created, all the same', async () => {
  await open(planOf(lines.dns));
  await dieInCreate();
  damage();
  const doc = await shop.destroy();
  expect(doc.status).toBe('complete');
  expect(doc.warnings.join()).toContain(other);
  expect(shop.records()).toEqual([]);
});

it('an object that tells neither when nor by whom it was made is left alone, and is claimed once the other ledger can be read', async () => {
  await open(openRecord({}));
  await dieInCreate();
  damage();
  const doc = await shop.apply();
  expect(ends(doc)).toEqual([expect.stringContaining('LEDGER_CORRUPT')]);
  expect(doc.lines[0]?.error).toMatchObject({ detail: expect.stringContaining(other), fix: expect.stringContaining('--scope pr-13') });
  expect(ends(await shop.destroy())).toEqual([expect.stringContaining('LEDGER_CORRUPT')]);
  expect([(await shop.ledger()).intents.size, shop.records().length]).toEqual([1, 1]);
  shop.remote.branches.delete(other);
  expect(ends(await shop.apply())).toEqual(['thing claim settled']);
});

it('a line that claims nothing asks nothing of other ledgers', async () => {
  await open(planOf(lines.dns));
  damage();
  const doc = await shop.apply();
  expect([doc.status, doc.warnings]).toEqual(['complete', []]);
});

/** Each read takes a second. */
const slow = ({ remote, clock }: Pick<Shop, 'remote' | 'clock'> = shop): { readonly store: Store; readonly most: () => number } => {
  const inner = remote.open();
  let [now, most] = [0, 0];
  const store: Store = {
    ...inner,
    read: async (name) => {
      now += 1;
      most = Math.max(most, now);
      await clock.sleep(1_000);
      now -= 1;
      return await inner.read(name);
    },
  };
  return { store, most: () => most };
};

it('two hundred other scopes are read side by side, and a few at a time', async () => {
  await open(planOf(lines.dns));
  await dieInCreate();
  for (let n = 100; n < 300; n += 1) damage(receiptsBranch('preview', `pr-${n}`));
  const { store, most } = slow();
  const since = shop.clock.mono();
  const doc = await runApply(shop.request(), { clock: shop.clock, dispatcher: shop.dispatcher, store, repository: null });
  expect(ends(doc)).toEqual(['dns claim settled']);
  expect(shop.clock.mono() - since).toBeLessThan(40_000);
  expect(most()).toBeLessThanOrEqual(16);
  expect(doc.warnings.filter((text) => text.includes('pilotfish-receipts/'))).toHaveLength(200);
});

it('a receipt is found beside a damaged ledger, and a run that none knows is told with the damage', async () => {
  await open(planOf(lines.dns));
  const { receipt } = await shop.apply({ scope: 'pr-20' });
  for (let n = 100; n < 140; n += 1) damage(receiptsBranch('preview', `pr-${n}`));
  damage();
  const { store } = slow();
  const asked = { ...shop.request(), scope: null, pr: null };
  const world = { store, clock: shop.clock, repository: null };
  const since = shop.clock.mono();
  const run = (await shop.ledger('pr-20')).receipt?.run ?? '';
  expect(await findReceipt(asked, run, world)).toMatchObject({ commit: receipt.commit, receipt: { run } });
  expect(shop.clock.mono() - since).toBeLessThan(10_000);
  await expect(findReceipt(asked, 'nobody', world)).rejects.toMatchObject({
    code: 'LEDGER_CORRUPT',
    detail: expect.stringContaining(other),
  });
});

it('--closed reads the ledgers side by side, ends what it can and names what it cannot', async () => {
  const pulls = await openPulls(planOf(lines.dns));
  closers.push(pulls.close);
  pulls.pulls.world.open(12, shaA);
  expect((await pulls.onPull('opened')).status).toBe('complete');
  pulls.pulls.world.close(12);
  for (let n = 300; n < 340; n += 1) damage(receiptsBranch('preview', `pr-${n}`), pulls);
  const { store, most } = slow(pulls);
  const since = pulls.clock.mono();
  const { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env } = pulls.request({ env: { GITHUB_REPOSITORY: 'acme/shop' } });
  const doc = await runClosed(
    { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env, keepReceiptsDays: 90 },
    { store, clock: pulls.clock, dispatcher: pulls.dispatcher },
  );
  expect(doc.scopes.find(({ scope }) => scope === 'pr-12')?.outcome).toBe('destroyed');
  expect(doc.scopes.filter(({ outcome }) => outcome === 'failed')).toHaveLength(40);
  expect([doc.status, pulls.records().length]).toEqual(['failed', 0]);
  expect(pulls.clock.mono() - since).toBeLessThan(30_000);
  expect(most()).toBeGreaterThan(1);
});

it('a ledger that the host cannot give is told like a damaged one', async () => {
  await open(planOf(lines.dns));
  await dieInCreate();
  damage();
  const inner = shop.remote.open();
  const read = (name: string) =>
    name === other ? Promise.reject(new Failure('LEDGER_REFUSED', { detail: `${other} could not be fetched.` })) : inner.read(name);
  const world = { clock: shop.clock, dispatcher: shop.dispatcher, store: { ...inner, read }, repository: null };
  const doc = await runApply(shop.request(), world);
  expect(ends(doc)).toEqual(['dns claim settled']);
  expect(doc.warnings.join()).toContain(`${other} could not be fetched`);
});

it.each(['http', 'path'] as const)(
  'over %s, a ledger whose objects the host has lost keeps no other from being read',
  async (transport) => {
    const remote: GitRemoteServer = await startGitRemote({ user: 'ci', password: 'word' });
    closers.push(remote.stop);
    const agent = new Agent({ allowH2: false });
    closers.push(() => agent.destroy());
    const url = transport === 'http' ? remote.urlWithAuth : remote.dir;
    const [writer, reader] = await Promise.all(
      ['writer', 'reader'].map(async (name) => {
        const home = await tempFolder(name);
        return openGitStore({ url, cwd: home, env: cleanGitEnv(home), dispatcher: agent, clock: quickClock });
      }),
    );
    if (!writer || !reader) throw new Error('no stores');
    closers.unshift(writer.close.bind(writer), reader.close.bind(reader));
    const names = [receiptsBranch('preview', 'a'), other, receiptsBranch('preview', 'z')];
    for (const name of names) await writer.append(name, new Map([['a', name]]), null, name);
    const blob = await remote.git('rev-parse', `${other}:.pilotfish/a`);
    await rm(path.join(remote.dir, 'objects', blob.slice(0, 2), blob.slice(2)));
    const read = await Promise.allSettled(names.map((name) => reader.read(name)));
    expect(read.map((one) => (one.status === 'fulfilled' ? one.value?.files.get('a') : one.reason.code))).toEqual([
      names[0],
      'LEDGER_REFUSED',
      names[2],
    ]);
  },
);

it('over git alone, a ledger that is not there keeps none of those that are asked for with it', async () => {
  const remote: GitRemoteServer = await startGitRemote({ user: 'ci', password: 'word' });
  closers.push(remote.stop);
  const home = await tempFolder('foreign');
  const store = openGitStore({ url: remote.dir, cwd: home, env: cleanGitEnv(home), clock: quickClock });
  const fresh = openGitStore({ url: remote.dir, cwd: home, env: cleanGitEnv(await tempFolder('foreign')), clock: quickClock });
  closers.push(store.close.bind(store), fresh.close.bind(fresh));
  await store.append(other, new Map([['a', '1']]), null, 'first');
  const names = [receiptsBranch('preview', 'absent'), other, receiptsBranch('preview', 'neither')];
  expect((await Promise.all(names.map((name) => fresh.read(name)))).map((tree) => tree?.files.get('a'))).toEqual([
    undefined,
    '1',
    undefined,
  ]);
});

it('over git alone, one fetch brings all that were asked for while another was under way', async () => {
  const remote: GitRemoteServer = await startGitRemote({ user: 'ci', password: 'word' });
  closers.push(remote.stop);
  const [log, machine] = [await tempFolder('fetches'), await tempFolder('foreign')];
  const here = openGitStore({ url: remote.dir, cwd: log, env: cleanGitEnv(await tempFolder('foreign')), clock: quickClock });
  const env = { ...cleanGitEnv(machine), GIT_TRACE2_EVENT: log };
  const there = openGitStore({ url: remote.dir, cwd: machine, env, clock: quickClock });
  closers.push(here.close.bind(here), there.close.bind(there));
  const names = Array.from({ length: 40 }, (_, n) => receiptsBranch('preview', `pr-${n}`));
  const head = await here.append(names[0] ?? '', new Map([['a', '1']]), null, 'first');
  for (const name of names.slice(1)) await remote.git('update-ref', `refs/heads/${name}`, head);
  const read = await Promise.all(names.map((name) => there.read(name)));
  expect(read.map((tree) => tree?.files.get('a'))).toEqual(names.map(() => '1'));
  const traces = await Promise.all((await readdir(log)).map((file) => readFile(path.join(log, file), 'utf8')));
  expect(traces.filter((text) => /"event":"start".*"fetch"/.test(text)).length).toBeLessThan(5);
});
