import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import type { RunEvent } from '../../src/engine/document.ts';
import { branch, ends, lines, openRecord, openShop, planOf, type Shop } from './shop.ts';

let shop: Shop;
const open = async (...changes: readonly string[]): Promise<Shop> => {
  shop = await openShop(planOf(...changes));
  return shop;
};
afterEach(async () => {
  shop.verify();
  await shop.close();
});
const everything = Object.values(lines);
const adopted = lines.dns.replace(
  'target: cname.vercel-dns.com',
  'target: { keep: true }\n    ttl: { keep: true }\n    proxied: { keep: true }',
);
const isLockFree = (): boolean =>
  [...shop.remote.branches]
    .filter(([name]) => name.includes('lock'))
    .every(([, { files }]) => (files.get('lock.json') ?? '').includes('"released": {'));

describe('two runs of one scope at once', () => {
  it('make each object once: one waits for the other and finds nothing to do', async () => {
    const { apply, endpoints, hooks, records, callbacks, ledger } = await open(...everything);
    const docs = await Promise.all([apply(), apply()]);
    expect(docs.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect([endpoints().length, hooks().length, records().length]).toEqual([1, 1, 2]);
    expect(callbacks()).toEqual(['https://shop.acme.example/callback', 'https://pr-12.acme.example/callback']);
    const state = await ledger();
    expect([state.records.size, state.intents.size, state.history.length]).toEqual([6, 0, 2]);
    expect(state.lease?.released).not.toBeNull();
  });

  it('adopt one object without a quarrel', async () => {
    const { apply, world, ledger } = await open(adopted);
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    const docs = await Promise.all([apply(), apply(), apply()]);
    expect(docs.map(({ status, error }) => [status, error])).toEqual(Array(3).fill(['complete', undefined]));
    expect((await ledger()).records.size).toBe(1);
    expect((await ledger()).history).toHaveLength(3);
  });

  it('end in one of the two plans when they differ, never in a mixture of object and record', async () => {
    const { apply, records, ledger } = await open(lines.dns);
    await apply();
    Object.assign(records()[0] ?? {}, { content: 'elsewhere.example' });
    const docs = await Promise.all([apply({ recreate: ['dns'] }), apply()]);
    expect(docs.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(records()).toHaveLength(1);
    const [record] = (await ledger()).records.values();
    expect(record?.objectId).toBe(records()[0]?.id);
  });

  it('of which one destroys leave no object without a record, and no record without its object', async () => {
    const { apply, destroy, endpoints, hooks, records, ledger } = await open(...everything);
    await apply();
    await Promise.all([destroy(), apply()]);
    const state = await ledger();
    expect(state.intents.size).toBe(0);
    const made = [...endpoints(), ...hooks(), ...records()].map(({ id }) => String(id)).sort();
    expect([...state.records.values()].flatMap(({ kind, objectId }) => (kind === 'object' ? [objectId] : [])).sort()).toEqual(made);
  });

  it('that both destroy remove each object once and agree', async () => {
    const { apply, destroy, endpoints, records, ledger } = await open(...everything);
    await apply();
    const docs = await Promise.all([destroy(), destroy()]);
    expect(docs.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(endpoints().length + records().length + (await ledger()).records.size).toBe(0);
  });
});

describe('several scopes at once', () => {
  it('all end up in one shared list, and leave it one by one', async () => {
    const { apply, destroy, callbacks } = await open(lines.callback, lines.logout);
    const scopes = ['pr-1', 'pr-2', 'pr-3', 'pr-4'];
    const docs = await Promise.all(scopes.map((scope) => apply({ scope })));
    expect(docs.map(({ status }) => status)).toEqual(Array(4).fill('complete'));
    const theirs = 'https://shop.acme.example/callback';
    expect([...(callbacks() as string[])].sort()).toEqual(
      [...scopes.map((scope) => `https://${scope}.acme.example/callback`), theirs].sort(),
    );
    await Promise.all([destroy({ scope: 'pr-1' }), destroy({ scope: 'pr-3' }), apply({ scope: 'pr-5' })]);
    expect([...(callbacks() as string[])].sort()).toEqual(
      ['pr-2', 'pr-4', 'pr-5']
        .map((scope) => `https://${scope}.acme.example/callback`)
        .concat(theirs)
        .sort(),
    );
    expect(isLockFree()).toBe(true);
  });

  it('write a list once for all items of a run', async () => {
    const more = Array.from({ length: 8 }, (_, i) =>
      lines.callback.replace('id: callback', `id: callback-${i}`).replace('/callback', `/callback/${i}`),
    );
    const { apply, watch } = await open(...more);
    const seen = watch();
    expect((await apply()).status).toBe('complete');
    const calls = seen.all().filter(({ path }) => path.includes('/clients/'));
    expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
    expect(calls.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(3);
  });
});

describe('a dead run', () => {
  it('is waited out for as long as its lease lasts, and then taken over', async () => {
    const { apply, crash, clock } = await open(lines.payments);
    crash.at('after', 'POST', /webhook_endpoints$/);
    await apply();
    crash.over();
    const began = clock.mono();
    const events: RunEvent[] = [];
    expect((await apply({}, events)).status).toBe('complete');
    expect(clock.mono() - began).toBeGreaterThanOrEqual(3_000);
    expect(events.some((event) => event.type === 'run' && event.detail?.includes('holds this scope'))).toBe(true);
  });

  it('keeps others from the scope when they do not want to wait that long', async () => {
    const { apply, crash, watch } = await open(lines.payments);
    crash.at('after', 'POST', /webhook_endpoints$/);
    await apply();
    crash.over();
    const seen = watch();
    await expect(apply({ leaseTimeoutMs: 1_000 })).rejects.toMatchObject({ code: 'LEASE_HELD' });
    expect(seen.all()).toEqual([]);
  });

  it('whose lines are no longer in the plan leaves no object unknown', async () => {
    const { apply, destroy, write, crash, endpoints, ledger } = await open(lines.payments);
    crash.at('after', 'POST', /webhook_endpoints$/);
    await apply();
    crash.over();
    await write(planOf(lines.dns));
    const doc = await apply();
    expect(doc.warnings.join()).toContain('no longer in the plan');
    expect((await ledger()).intents.size).toBe(0);
    expect((await apply()).orphans.map(({ line }) => line)).toEqual(['payments']);
    await destroy();
    expect(endpoints()).toEqual([]);
  });

  it('whose push never came through made nothing', async () => {
    const { apply, crash, remote, watch } = await open(...everything);
    const seen = watch();
    remote.before = () => {
      crash.now();
      throw new Error('killed');
    };
    expect((await apply()).ok).toBe(false);
    expect(seen.writes().filter(({ path }) => path !== '/oauth/token')).toEqual([]);
    expect(remote.commits).toEqual([]);
  });
});

describe('an interrupted run', () => {
  /** What a signal gives as its reason: whatever was waiting is rejected with it. */
  const sigint = (): Failure => new Failure('INTERRUPTED', { detail: 'SIGINT stopped the run before it was done.' });
  /** Aborts when the first request that matches has been answered. */
  const stopAt = (method: string, path: RegExp): AbortController => {
    const stop = new AbortController();
    for (const simulation of shop.world.simulations) {
      const off = simulation.watch((event) => {
        if (event.phase !== 'after' || event.method !== method || !path.test(event.path)) return;
        off();
        stop.abort(sigint());
      });
    }
    return stop;
  };

  it('sends nothing new, records what it made, gives the lease back and tells where it stood', async () => {
    const { apply, ledger, endpoints, hooks } = await open(...everything);
    const doc = await apply({}, [], stopAt('POST', /webhook_endpoints$/).signal);
    expect([doc.status, doc.ok]).toEqual(['interrupted', false]);
    const state = await ledger();
    expect(state.lease?.released).not.toBeNull();
    expect(state.snapshot?.lines).toHaveLength(6);
    expect(hooks()).toEqual([]);
    expect([...state.records.values()].filter(({ line }) => line === 'payments').map(({ objectId }) => objectId)).toEqual(
      endpoints().map(({ id }) => id),
    );
    expect(state.receipt?.status).toBe('interrupted');
    expect(isLockFree()).toBe(true);
  });

  it('is gone on with: settled lines whose outputs nobody needs are not looked at', async () => {
    const slow = lines.payments.replace('id: payments', 'id: slow').replace('name: shop', 'name: slow').concat('\n    depends_on: [dns]');
    const { apply, watch, world } = await open(lines.dns, lines.callback, slow);
    await apply({}, [], stopAt('POST', /webhook_endpoints$/).signal);
    const seen = watch();
    const doc = await apply();
    expect(doc.status).toBe('complete');
    expect(seen.all().filter(({ path }) => path.includes('/clients/'))).toEqual([]);
    expect(world.stripe.world.endpoints()).toHaveLength(1);
    expect((await shop.ledger()).snapshot).toBeNull();
  });

  it('of another plan or commit is looked at anew, with a notice', async () => {
    const { apply, watch } = await open(lines.dns, lines.callback, lines.payments);
    await apply({}, [], stopAt('POST', /webhook_endpoints$/).signal);
    const seen = watch();
    const doc = await apply({ sha: '2'.repeat(40) });
    expect(doc.warnings.join()).toContain('looks at every line anew');
    expect(seen.all().some(({ path }) => path.includes('dns_records'))).toBe(true);
  });

  it('that waits for another run ends at once and writes nothing', async () => {
    const { apply, crash, remote } = await open(lines.payments);
    crash.at('after', 'POST', /webhook_endpoints$/);
    await apply();
    crash.over();
    const commits = remote.on(branch).length;
    const stop = new AbortController();
    const waiting = shop.apply({}, [], stop.signal);
    waiting.catch(() => undefined);
    setImmediate(() => stop.abort(sigint()));
    await expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED', detail: expect.stringContaining('waited for another run') });
    expect(remote.on(branch)).toHaveLength(commits);
  });

  it.each([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 24, 26])(
    'at its effect %i leaves a ledger from which the next run makes everything exactly once',
    async (at) => {
      const { apply, world } = await open(...everything);
      const stop = new AbortController();
      let count = 0;
      for (const simulation of world.simulations) {
        simulation.watch(() => {
          count += 1;
          if (count === at) stop.abort(sigint());
        });
      }
      const stopped = await apply({}, [], stop.signal);
      expect([stopped.status, stopped.lines.filter(({ error }) => error?.code === 'INTERRUPTED')]).toEqual(['interrupted', []]);
      expect((await shop.ledger()).lease?.released ?? {}).not.toBeNull();
      expect(isLockFree()).toBe(true);
      let doc = await apply();
      // A secret that nobody took before the interrupt has to be rotated.
      if (doc.error?.code === 'OUTPUT_UNAVAILABLE') doc = await apply({ recreate: ['payments'] });
      expect(doc.error).toBeUndefined();
      expect([shop.endpoints().length, shop.hooks().length, shop.records().length]).toEqual([1, 1, 2]);
      expect(ends(await apply()).filter((end) => !end.endsWith('none settled'))).toEqual([]);
    },
  );
});

describe('an interrupted plan', () => {
  it.each([1, 2, 3, 4, 5, 6])('is whole or none, whatever reason the signal gives (at its request %i)', async (at) => {
    for (const reason of [new Failure('INTERRUPTED', { detail: 'SIGINT was received.' }), new Error('SIGTERM'), undefined, 'over']) {
      const { plan, world, remote } = await open(...everything);
      const stop = new AbortController();
      let count = 0;
      for (const simulation of world.simulations) {
        simulation.watch(({ phase }) => {
          if (phase !== 'after') return;
          count += 1;
          if (count === at) stop.abort(reason);
        });
      }
      const outcome = await plan({}, [], stop.signal).catch((thrown: unknown) => thrown);
      expect(stop.signal.aborted).toBe(true);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'INTERRUPTED' });
      else
        expect(outcome).toMatchObject({
          command: 'plan',
          lines: Array(everything.length).fill({ verdict: expect.not.stringMatching('pending') }),
        });
      expect(remote.branches.size).toBe(0);
      await shop.close();
    }
  });
});

describe('a delete request that changed', () => {
  const block = (remove: string): string => openRecord({ remove });
  const one = `/zones/${seed.zone.id}/dns_records/{id}`;

  it('needs --reconcile, which stores it and keeps the ownership', async () => {
    shop = await openShop(block(one));
    expect(ends(await shop.apply())).toEqual(['thing create settled']);
    await shop.write(block(`${one}?again=1`));
    expect((await shop.plan()).lines[0]?.error?.code).toBe('NEEDS_RECONCILE');
    const refused = await shop.apply();
    expect(ends(refused)).toEqual(['thing refused refused NEEDS_RECONCILE']);
    expect(refused.error?.fix).toContain('--reconcile');
    expect(ends(await shop.apply({ reconcile: true }))).toEqual(['thing reconcile settled']);
    expect(ends(await shop.apply())).toEqual(['thing none settled']);
    await shop.write(block(one));
    expect(ends(await shop.apply({ reconcile: true }))).toEqual(['thing reconcile settled']);
    expect((await shop.destroy()).status).toBe('complete');
    expect(shop.records()).toEqual([]);
  });

  it('and a difference that cannot be updated are refused before anything is sent', async () => {
    shop = await openShop(block(one));
    await shop.apply();
    await shop.write(block(one).replace('cname.vercel-dns.com', 'other.example'));
    const seen = shop.watch();
    expect(ends(await shop.apply())).toEqual(['thing refused refused PARAM_INVALID']);
    expect(seen.writes()).toEqual([]);
  });
});
