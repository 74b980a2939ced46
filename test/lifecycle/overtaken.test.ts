import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { traceOf } from '../../src/report/trace/page/model.ts';
import { ends, lines, openShop, planOf, type Shop } from './shop.ts';
import { minute, openTown, second } from './town.ts';

let shop: Shop;
afterEach(async () => {
  shop.verify();
  await shop.close();
});

/** An apply of one line more, which another run overtakes between its looks and its lease. */
async function overtakenBy(run: (shop: Shop) => Promise<unknown>) {
  shop = await openShop(planOf(lines.dns));
  await shop.apply();
  await shop.write(planOf(lines.dns, lines.alias));
  const { world } = shop;
  let isOver = false;
  const stop = world.cloudflare.watch(async ({ phase, method }) => {
    // `dns` has settled when `alias` is looked for: its key comes from there.
    if (
      phase !== 'after' ||
      method !== 'GET' ||
      isOver ||
      world.cloudflare.log.at(-1)?.query['name.startswith'] !== 'www.pr-12.acme.example'
    )
      return;
    isOver = true;
    stop();
    await run(shop);
  });
  const doc = await shop.apply();
  expect(isOver).toBe(true);
  return doc;
}

describe('an apply that another run overtakes before it holds the lease', () => {
  it('looks again at all its lines, also those that had settled: a destroy took them away', async () => {
    const doc = await overtakenBy((one) => one.destroy());
    expect([doc.status, doc.error]).toEqual(['complete', undefined]);
    expect(ends(doc)).toEqual(['dns create settled', 'alias create settled']);
    const { records, receipt } = await shop.ledger();
    expect([records.size, receipt?.status, shop.records().length]).toEqual([2, 'complete', 2]);
  });

  it('ends as planned when the other run left them as they were', async () => {
    const doc = await overtakenBy((one) => one.apply());
    expect([doc.status, doc.error]).toEqual(['complete', undefined]);
    expect(ends(doc)).toEqual(['dns none settled', 'alias none settled']);
    expect(shop.records()).toHaveLength(2);
  });

  it('looks again when that one died before it could record what it had changed', async () => {
    const town = await openTown(planOf(lines.dns));
    shop = town;
    expect((await town.computer().apply()).status).toBe('complete');
    await town.write(planOf(lines.dns, lines.alias));
    const [dying, late] = [town.computer(), town.computer()];
    dying.machine.at('after', 'DELETE', /dns_records/, () => dying.machine.kill());
    // `dns` has settled when `alias` is looked for.
    let isOver = false;
    late.machine.at('after', 'GET', /dns_records$/, () =>
      late.machine.at('before', 'GET', /dns_records$/, async () => {
        isOver = true;
        town.abandon(dying.destroy());
        await dying.machine.stopped;
      }),
    );
    const doc = await late.apply();
    expect([isOver, doc.status]).toEqual([true, 'complete']);
    expect(ends(doc)).toEqual(['dns create settled', 'alias create settled']);
    expect(shop.records()).toHaveLength(2);
  });
});

describe('an apply that waits for a deployment when another run overtakes it', () => {
  it('begins anew at once, and waits on', async () => {
    const site = '\n  - { id: site, adapter: vercel, op: deploy, project: shop }';
    const town = await openTown(planOf(lines.dns, site));
    shop = town;
    const { vercel } = town.world;
    vercel.faults.readyAfter(1_000);
    const deployment = vercel.world.push('feature', '1111111111111111111111111111111111111111');
    const [other, waiting] = [town.computer(), town.computer()];
    let made = 0;
    waiting.machine.at('after', 'GET', /dns_records$/, async () => {
      await town.write(planOf(lines.dns));
      expect((await other.apply()).status).toBe('complete');
      expect((await other.destroy()).status).toBe('complete');
      // Who waits lets others go on with their push after half a minute; that one finds the ledger moved, and so does not stand.
      void town.pass(2 * minute).then(() => {
        made = shop.records().length;
        vercel.world.settle(deployment, 'READY');
      });
    });
    const doc = await waiting.apply();
    expect([doc.status, ends(doc)]).toEqual(['complete', ['dns create settled', 'site none settled']]);
    expect([made, shop.records().length]).toEqual([1, 1]);
  });
});

describe('an apply whose only write is to finish a replacement, which another run finishes before', () => {
  it('finds nothing left to do, and warns of nothing', async () => {
    const town = await openTown(planOf(lines.payments, lines.hook));
    shop = town;
    expect((await town.computer().apply()).status).toBe('complete');
    const down = town.world.stripe.faults.times(9, 'DELETE /v1/webhook_endpoints/{webhook_endpoint}', 403, {});
    const unfinished = await town.computer().apply({ recreate: ['payments'] });
    expect(unfinished.warnings).toEqual([expect.stringContaining('the next run tries again')]);
    down.disarm();
    expect(shop.endpoints()).toHaveLength(2);
    const { before } = town.remote;
    town.remote.before = async (...given) => {
      town.remote.before = before;
      await before(...given);
      expect((await town.computer().apply()).status).toBe('complete');
    };
    const doc = await town.computer().apply();
    expect([doc.status, doc.warnings, ends(doc)]).toEqual(['complete', [], ['payments none settled', 'hook none settled']]);
    expect(shop.endpoints()).toHaveLength(1);
  });
});

describe('an apply that refuses a line, while another run destroys what it has looked at', () => {
  it('makes it again', async () => {
    shop = await openShop(planOf(lines.dns));
    await shop.apply();
    await shop.write(planOf(lines.dns, lines.alias));
    const { cloudflare } = shop.world;
    const name = `www.pr-12.${seed.zone.name}`;
    cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name, content: 'theirs.example' });
    let isOver = false;
    cloudflare.watch(async ({ phase, method }) => {
      if (phase !== 'after' || method !== 'GET' || isOver || cloudflare.log.at(-1)?.query['name.startswith'] !== name) return;
      isOver = true;
      await shop.destroy();
    });
    const doc = await shop.apply();
    expect(ends(doc)).toEqual(['dns create settled', 'alias refused refused RESOURCE_FOREIGN']);
    expect(shop.records()).toMatchObject([{ content: 'theirs.example' }, { content: 'cname.vercel-dns.com' }]);
  });
});

/** A destroy that another run overtakes between its first look at the ledger and its first push. */
async function destroyOvertakenBy(run: (shop: Shop) => Promise<unknown>, events: RunEvent[] = [], change: Partial<RunRequest> = {}) {
  const { remote } = shop;
  const { before } = remote;
  let isOver = false;
  remote.before = async (...given) => {
    remote.before = before;
    await before(...given);
    isOver = true;
    await run(shop);
  };
  const doc = await shop.destroy(change, events);
  expect(isOver).toBe(true);
  return doc;
}

const applied =
  (...changes: readonly string[]) =>
  async (one: Shop): Promise<void> => {
    await one.write(planOf(...changes));
    expect((await one.apply()).status).toBe('complete');
  };

describe('a destroy that another run overtakes before it holds the lease', () => {
  const facts = async () => {
    const { records, intents } = await shop.ledger();
    return [records.size, intents.size, shop.records().length];
  };

  it('takes away what that one made, dependents first', async () => {
    shop = await openShop(planOf(lines.dns));
    await shop.apply();
    const hostname = shop.records()[0]?.id ?? '';
    const events: RunEvent[] = [];
    const doc = await destroyOvertakenBy(applied(lines.dns, lines.alias, lines.callback), events);
    expect(doc.status).toBe('complete');
    expect(ends(doc)).toEqual(['dns delete settled', 'alias delete settled', 'callback delete settled']);
    expect(await facts()).toEqual([0, 0, 0]);
    const removed = shop.world.cloudflare.log.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('/').at(-1));
    expect([removed.length, removed.indexOf(hostname)]).toEqual([2, 1]);
    // Those of before are told of no more, and nobody sees a line that was interrupted.
    expect(events.flatMap((event) => (event.type === 'lines' ? [event.lines.length] : []))).toEqual([1, 3]);
    expect(events.filter((event) => event.type === 'line' && event.to === 'interrupted')).toEqual([]);
    const trace = traceOf(events, []);
    expect(trace.lines.map(({ name, after, before }) => [name, after.length, before.length])).toEqual([
      ['dns', 1, 0],
      ['alias', 0, 1],
      ['callback', 0, 0],
    ]);
    expect(trace.ending).toBe('finished');
  });

  it('takes it away also where it had found nothing', async () => {
    shop = await openShop(planOf(lines.dns));
    // The job of a CI that tells of no event: a person would be told that there is no such scope.
    const doc = await destroyOvertakenBy(applied(lines.dns, lines.alias), [], { env: { ...shop.request().env, CI: 'true' } });
    expect([doc.status, ends(doc)]).toEqual(['complete', ['dns delete settled', 'alias delete settled']]);
    expect(await facts()).toEqual([0, 0, 0]);
  });

  it('takes it away also where it had nothing to remove itself', async () => {
    shop = await openShop(planOf(`${lines.dns}\n    destroy: keep`));
    await shop.apply();
    const doc = await destroyOvertakenBy(applied(`${lines.dns}\n    destroy: keep`, lines.callback));
    expect([doc.status, ends(doc)]).toEqual(['complete', ['dns forget settled', 'callback delete settled']]);
    expect(await facts()).toEqual([0, 0, 1]);
  });

  it('shows what another destroy took away', async () => {
    shop = await openShop(planOf(lines.dns, lines.callback));
    await shop.apply();
    const doc = await destroyOvertakenBy((one) => one.destroy());
    expect([doc.status, ends(doc)]).toEqual(['complete', ['dns none settled', 'callback none settled']]);
    expect(doc.lines.map(({ why }) => why)).toEqual(['another run took it away', 'another run took it away']);
    expect(await facts()).toEqual([0, 0, 0]);
  });
});

/** A run whose first look at the provider comes after all of another run, which began when this one had read the ledger. */
async function lookingAfter(run: (shop: Shop) => Promise<unknown>, ...changes: readonly string[]) {
  shop = await openShop(planOf(...changes));
  let isOver = false;
  shop.world.cloudflare.watch(async ({ phase, method }) => {
    if (phase !== 'before' || method !== 'GET' || isOver) return;
    isOver = true;
    await run(shop);
  });
  return shop;
}

describe('an object that another run of the scope makes after this one has read the ledger', () => {
  it('is no stranger: the apply reads the ledger again before it says so', async () => {
    await lookingAfter((one) => one.apply(), lines.dns, lines.alias, lines.callback);
    const doc = await shop.apply();
    expect(ends(doc)).toEqual(['dns none settled', 'alias none settled', 'callback none settled']);
    expect(doc.status).toBe('complete');
    expect(shop.records()).toHaveLength(2);
    expect((await shop.ledger()).records.size).toBe(3);
  });

  it('is none for a plan either', async () => {
    await lookingAfter((one) => one.apply(), lines.dns);
    const doc = await shop.plan();
    expect(doc.lines.map(({ id, verdict }) => [id, verdict])).toEqual([['dns', 'none']]);
  });

  it('stays one where the other run destroyed what it made, and somebody else made it anew', async () => {
    await lookingAfter(async (one) => {
      await one.apply();
      await one.destroy();
      one.world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    }, lines.dns);
    expect(ends(await shop.apply())).toEqual(['dns refused refused RESOURCE_FOREIGN']);
    expect(shop.records()).toMatchObject([{ content: 'theirs.example' }]);
  });
});

describe('a run that slept after a refused create, while another run of the scope made the object', () => {
  it('says that its lease is lost, and not that the object is a stranger', async () => {
    const town = await openTown(planOf(lines.dns));
    shop = town;
    const [sleeper, other] = [town.computer(), town.computer()];
    const create = 'POST /client/v4/zones/{zone}/dns_records';
    town.world.cloudflare.faults.once(create, 429, {}, { 'retry-after': '5' });
    sleeper.machine.at('after', 'POST', /dns_records$/, () => void town.pass(second).then(() => sleeper.machine.freeze()));
    const run = sleeper.apply();
    await sleeper.machine.stopped;
    expect((await other.apply()).status).toBe('complete');
    sleeper.machine.thaw();
    const doc = await run;
    expect(ends(doc)).toEqual(['dns create failed LEASE_LOST']);
    expect(shop.records()).toHaveLength(1);
    expect((await shop.ledger()).records.size).toBe(1);
  });
});
