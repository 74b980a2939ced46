import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { runApply } from '../../src/engine/run.ts';
import { branch, ends, lines, openRecord, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { openGitPlace } from '../support/git-place.ts';
import { cleanGitEnv } from '../support/git-remote.ts';

const record = 'DELETE /client/v4/zones/{zone}/dns_records/{id}';
const name = `pr-12.${seed.zone.name}`;
const never = Number.POSITIVE_INFINITY;

let shop: Shop;
const open = async (plan: string): Promise<Shop> => {
  shop = await openShop(plan);
  return shop;
};
afterEach(async () => {
  shop.verify();
  await shop.close();
});

/** Deletes of records are answered at once, and done so many requests later. */
const lagging = ({ world }: Shop, requests: number, times = 1) => world.cloudflare.faults.later(record, requests, times);

describe('a scope that is opened again while what its destroy removed is still there', () => {
  it('waits until that is gone, makes the line anew, and owns the new one', async () => {
    const { apply, plan, destroy, records, ledger } = await open(planOf(lines.dns));
    await apply();
    const [old] = records();
    lagging(shop, 12);
    expect((await destroy()).status).toBe('complete');
    expect([records().length, (await ledger()).records.size]).toEqual([1, 0]);
    expect((await plan()).lines).toMatchObject([{ verdict: 'create', why: expect.stringContaining('its delete is under way') }]);
    const again = await apply();
    expect(again.status, JSON.stringify(again)).toBe('complete');
    expect(records()).toHaveLength(1);
    expect(records()[0]?.id).not.toBe(old?.id);
    expect([...(await ledger()).records.values()].map(({ objectId }) => objectId)).toEqual([records()[0]?.id]);
    expect((await apply()).lines.map(({ verdict }) => verdict)).toEqual(['none']);
    expect((await destroy()).status).toBe('complete');
    expect(records()).toEqual([]);
  });

  it('is told when that is not gone in time, makes nothing, and the next run goes on waiting', async () => {
    const { apply, destroy, records, clock, ledger } = await open(planOf(lines.dns));
    await apply();
    const [old] = records();
    const fault = lagging(shop, 400);
    await destroy();
    expect(fault.hits).toBe(1);
    const began = clock.mono();
    const late = await apply({ waitTimeoutMs: 60_000 });
    expect(clock.mono() - began).toBeGreaterThan(59_000);
    expect(late.lines).toMatchObject([{ error: { code: 'WAIT_TIMEOUT', detail: expect.stringContaining(old?.id ?? '?') } }]);
    expect(late.lines[0]?.error?.fix).toContain('again later');
    expect([records().map(({ id }) => id), (await ledger()).intents.size]).toEqual([[old?.id], 0]);
    expect((await apply({ waitTimeoutMs: 3_600_000 })).status).toBe('complete');
    expect(records().map(({ id }) => id)).not.toContain(old?.id);
  });

  it('ends on the signal while it waits, and leaves nothing behind', async () => {
    const { apply, destroy, records, ledger, world } = await open(planOf(lines.dns));
    await apply();
    lagging(shop, never);
    await destroy();
    const stop = new AbortController();
    let looks = 0;
    world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'GET' && ++looks === 4) stop.abort();
    });
    expect((await apply({}, undefined, stop.signal)).status).toBe('interrupted');
    expect([records().length, (await ledger()).records.size, (await ledger()).intents.size]).toEqual([1, 0, 0]);
  });

  it('waits also for an object of the open adapter', async () => {
    const { apply, destroy, records } = await open(openRecord({}));
    await apply();
    const [old] = records();
    lagging(shop, 9);
    await destroy();
    expect((await apply()).status).toBe('complete');
    expect(records().map(({ id }) => id === old?.id)).toEqual([false]);
  });

  it('keeps other lines going meanwhile', async () => {
    const { apply, destroy, records, callbacks, world } = await open(planOf(lines.dns, lines.callback));
    await apply();
    const [old] = records();
    lagging(shop, 40);
    await destroy();
    const stood: boolean[] = [];
    world.auth0.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'PATCH') stood.push(records().some(({ id }) => id === old?.id));
    });
    const doc = await apply({ waitTimeoutMs: 600_000 });
    expect(ends(doc)).toEqual(['dns create settled', 'callback create settled']);
    expect(stood).toEqual([true]);
    expect([records().length, (callbacks() as string[]).includes('https://pr-12.acme.example/callback')]).toEqual([1, true]);
  });
});

describe('only the noted object is waited for', () => {
  it('one of the same name with another id is foreign, also beside the one that goes', async () => {
    const { apply, destroy, records, world } = await open(planOf(lines.dns));
    await apply();
    lagging(shop, never);
    await destroy();
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name, content: 'theirs.example' });
    const doc = await apply();
    expect(ends(doc)).toEqual(['dns refused refused RESOURCE_FOREIGN']);
    expect(records().map(({ content }) => content)).toContain('theirs.example');
  });

  it('one that appears while the wait is under way is foreign', async () => {
    const { apply, destroy, world, ledger } = await open(planOf(lines.dns));
    await apply();
    lagging(shop, 6);
    await destroy();
    let looks = 0;
    world.cloudflare.watch(({ phase, method }) => {
      if (phase !== 'after' || method !== 'GET' || ++looks !== 3) return;
      world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name, content: 'theirs.example' });
    });
    expect((await apply()).lines).toMatchObject([{ error: { code: 'RESOURCE_FOREIGN' } }]);
    expect([(await ledger()).records.size, (await ledger()).intents.size]).toEqual([0, 0]);
  });

  it('another scope that wants the same is refused', async () => {
    const { apply, destroy, write } = await open(planOf(lines.dns));
    await apply();
    lagging(shop, never);
    await destroy();
    await write(planOf(lines.dns.replaceAll('${ctx.scope}', 'pr-12')));
    expect((await apply({ scope: 'pr-13' })).lines).toMatchObject([{ error: { code: 'RESOURCE_FOREIGN' } }]);
  });

  it('what another scope has recorded meanwhile is that one’s', async () => {
    const { apply, destroy, remote } = await open(planOf(lines.dns));
    await apply();
    const before = remote.branches.get(branch);
    if (!before) throw new Error('no ledger');
    lagging(shop, never);
    await destroy();
    remote.branches.set(branch.replace('pr-12', 'pr-13'), before);
    expect((await apply()).lines).toMatchObject([{ error: { code: 'RESOURCE_FOREIGN', detail: expect.stringContaining('pr-13') } }]);
  });

  it('what a line keeps was never removed, and is taken back as before', async () => {
    const { apply, destroy, write, records } = await open(planOf(lines.dns, lines.alias));
    await apply();
    await write(planOf(`${lines.dns}\n    destroy: keep`, lines.alias));
    await apply();
    await destroy();
    expect(records()).toHaveLength(1);
    expect((await destroy()).status).toBe('complete');
    expect(records()).toHaveLength(1);
    expect((await apply()).lines[0]).toMatchObject({ verdict: 'claim' });
  });
});

describe('a delete that comes to nothing', () => {
  it('is sent again by a destroy once somebody saw that, and nothing is left behind', async () => {
    const { apply, destroy, records, plan } = await open(planOf(lines.dns));
    await apply();
    lagging(shop, never);
    await destroy();
    expect((await apply({ waitTimeoutMs: 20_000 })).lines).toMatchObject([{ error: { code: 'WAIT_TIMEOUT' } }]);
    expect(records()).toHaveLength(1);
    expect((await plan({ destroy: true })).lines).toMatchObject([{ id: 'dns', verdict: 'delete' }]);
    expect((await destroy()).status).toBe('complete');
    expect(records()).toEqual([]);
    const after = shop.watch();
    expect(await destroy()).toMatchObject({ status: 'complete', lines: [] });
    expect(after.all()).toEqual([]);
  });

  it('is told by that destroy when it comes to nothing again', async () => {
    const { apply, destroy, records } = await open(planOf(lines.dns));
    await apply();
    lagging(shop, never, 2);
    await destroy();
    await apply({ waitTimeoutMs: 20_000 });
    expect((await destroy()).lines).toMatchObject([{ error: { code: 'WAIT_TIMEOUT' } }]);
    expect(records()).toHaveLength(1);
    expect((await destroy()).status).toBe('complete');
    expect(records()).toEqual([]);
  });
});

it('a destroy after an ordinary one asks nobody', async () => {
  const { apply, destroy, watch } = await open(planOf(lines.dns));
  await apply();
  await destroy();
  const second = watch();
  expect(await destroy()).toMatchObject({ status: 'complete', lines: [] });
  expect(second.all()).toEqual([]);
});

it('what a replacement removed is no second match while it is still there', async () => {
  const { apply, records, endpoints, world } = await open(planOf(lines.payments));
  await apply();
  world.stripe.faults.later('DELETE /v1/webhook_endpoints/{id}', never);
  expect((await apply({ recreate: ['payments'] })).status).toBe('complete');
  expect([records().length, endpoints().length]).toEqual([0, 2]);
  expect(ends(await apply())).toEqual(['payments none settled']);
});

it('a replacement whose old object goes first waits until its provider lets the new one stand', async () => {
  const { apply, records } = await open(planOf(lines.dns));
  await apply();
  const [old] = records();
  lagging(shop, 9);
  expect((await apply({ recreate: ['dns'] })).status).toBe('complete');
  expect(records().map(({ id }) => id === old?.id)).toEqual([false]);
  expect((await apply()).lines).toMatchObject([{ verdict: 'none' }]);
});

it('the digest of a plan that waits is the one that is applied', async () => {
  const { apply, plan, destroy, records } = await open(planOf(lines.dns));
  await apply();
  const [old] = records();
  lagging(shop, 14);
  await destroy();
  const { digest } = await plan();
  expect((await apply({ expect: digest })).status).toBe('complete');
  expect(records().map(({ id }) => id === old?.id)).toEqual([false]);
});

it('a ledger that somebody changed there is damage, and no destroy and no apply goes by it', async () => {
  const { apply, destroy, remote } = await open(planOf(lines.dns));
  await apply();
  await destroy();
  const tree = remote.branches.get(branch);
  const [at, text] = [...(tree?.files ?? [])].find(([one]) => one.startsWith('deletes/')) ?? ['', ''];
  expect(JSON.parse(text)).toMatchObject({ n: 1, head: expect.any(String) });
  await remote.open().append(branch, new Map([[at, text.replace('"n": 1', '"n": 2')]]), tree?.head ?? null, 'edited');
  await expect(apply()).rejects.toMatchObject({ code: 'LEDGER_CORRUPT' });
});

describe('on another machine, over git', () => {
  it('the object is known by the history of the branch, and only the folder of a clone is needed', async () => {
    const place = await openGitPlace({ user: 'ci', password: 'a-password-of-ci' });
    onTestFinished(place.close);
    const { request, dispatcher, records, clock } = await open(planOf(lines.dns, lines.alias));
    let machines = 0;
    /** A machine that has never seen the ledger. */
    const run = async (change: Parameters<typeof request>[0] = {}) => {
      machines += 1;
      const home = await mkdtemp(path.join(place.root, `machine-${machines}-`));
      const store = await place.open({ cwd: home, env: cleanGitEnv(home), clock });
      return await runApply(request(change), { dispatcher, store, clock, repository: null });
    };
    expect((await run()).status).toBe('complete');
    const old = records().map(({ id }) => id);
    lagging(shop, 12, 2);
    expect((await run({ destroy: true })).status).toBe('complete');
    expect(records().map(({ id }) => id)).toEqual(old);
    expect((await run()).status).toBe('complete');
    expect(records().filter(({ id }) => old.includes(id))).toEqual([]);
    expect(records()).toHaveLength(2);
  });
});
