import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { branch, ends, lines, openShop, planOf, type Shop } from './shop.ts';

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

describe('G1: an intent stands before its create', () => {
  it('in the commit before the request, for every create of the run', async () => {
    const { apply, world, remote } = await open(...everything);
    const announced: boolean[] = [];
    for (const simulation of [world.stripe, world.github, world.cloudflare]) {
      simulation.watch(({ phase, method }) => {
        if (phase !== 'before' || method !== 'POST') return;
        announced.push([...remote.filesOf(branch).keys()].some((path) => path.startsWith('intents/')));
      });
    }
    expect((await apply()).status).toBe('complete');
    expect(announced).toEqual([true, true, true, true]);
  });

  it.each([
    ['payments', lines.payments, 'POST', /webhook_endpoints$/],
    ['dns', lines.dns, 'POST', /dns_records$/],
  ])('so a create of %s whose answer was lost in a dead process is claimed by the next one', async (id, line, method, path) => {
    const { apply, crash, endpoints, records } = await open(line);
    crash.at('after', method, path);
    expect((await apply()).ok).toBe(false);
    crash.over();
    const again = await apply();
    expect(ends(again)).toEqual([`${id} claim settled`]);
    expect(endpoints().length + records().length).toBe(1);
  });

  it('and one that was never sent is created by the next run', async () => {
    const { apply, crash, records, ledger } = await open(lines.dns);
    crash.at('before', 'POST', /dns_records$/);
    await apply();
    expect((await ledger()).intents.size).toBe(1);
    crash.over();
    expect(ends(await apply())).toEqual(['dns create settled']);
    expect(records()).toHaveLength(1);
    expect((await ledger()).intents.size).toBe(0);
  });
});

describe('G2: applying an unchanged plan again', () => {
  it('writes nothing but its receipt', async () => {
    const { apply, watch, remote, ledger } = await open(...everything);
    await apply();
    const before = await ledger();
    const seen = watch();
    const commits = remote.on(branch).length;
    const again = await apply();
    expect(again.lines.map(({ verdict }) => verdict)).toEqual(Array(6).fill('none'));
    expect(seen.writes().filter(({ path }) => path !== '/oauth/token')).toEqual([]);
    expect([...(remote.on(branch)[commits]?.keys() ?? [])].sort()).toEqual(['history.jsonl', 'receipt.json']);
    expect(remote.on(branch)).toHaveLength(commits + 1);
    const after = await ledger();
    expect(after.records).toEqual(before.records);
    expect(after.intents.size).toBe(0);
  });

  it('costs one commit, and a first apply at most one more than it is deep', async () => {
    const { apply, remote } = await open(...everything);
    await apply();
    expect(remote.on(branch).length).toBeLessThanOrEqual(3);
  });

  it('a plan writes nothing anywhere', async () => {
    const { plan, watch, remote } = await open(...everything);
    const seen = watch();
    expect((await plan()).summary).toEqual({ create: 6 });
    expect(seen.writes().filter(({ path }) => path !== '/oauth/token')).toEqual([]);
    expect(remote.commits).toEqual([]);
  });
});

describe('G3: drift', () => {
  it('is what was changed outside of a declared field, and is put back', async () => {
    const { apply, plan, records } = await open(lines.dns);
    await apply();
    Object.assign(records()[0] ?? {}, { content: 'elsewhere.example' });
    const seen = (await plan()).lines[0];
    expect([seen?.verdict, seen?.drift, seen?.changes.length]).toEqual(['update', 'changed', 1]);
    expect(ends(await apply())).toEqual(['dns update settled']);
    expect(records()[0]).toMatchObject({ content: 'cname.vercel-dns.com' });
  });

  it('is not what nobody declared', async () => {
    const { apply, endpoints } = await open(lines.payments);
    await apply();
    Object.assign(endpoints()[0] ?? {}, { description: 'by hand' });
    expect(ends(await apply())).toEqual(['payments none settled']);
    expect(endpoints()[0]?.description).toBe('by hand');
  });

  it('is not an outside change that equals the plan', async () => {
    const { apply, write, records } = await open(lines.dns);
    await apply();
    Object.assign(records()[0] ?? {}, { content: 'other.example' });
    await write(planOf(lines.dns.replace('cname.vercel-dns.com', 'other.example')));
    expect(ends(await apply())).toEqual(['dns none settled']);
    expect(ends(await apply())).toEqual(['dns none settled']);
  });

  it('of what is gone is made again', async () => {
    const { apply, plan, records, world, ledger } = await open(lines.dns);
    await apply();
    const old = records()[0];
    world.cloudflare.world.removeRecord(seed.zone.id, old?.id ?? '');
    expect((await plan()).lines[0]).toMatchObject({ verdict: 'create', drift: 'missing' });
    expect(ends(await apply())).toEqual(['dns create settled']);
    const [record] = (await ledger()).records.values();
    expect(record?.objectId).toBe(records()[0]?.id);
    expect(record?.objectId).not.toBe(old?.id);
  });
});

describe('G4: destroy', () => {
  it('removes what pilotfish made and leaves everything of others', async () => {
    const { apply, destroy, world, endpoints, hooks, records, callbacks, ledger } = await open(...everything);
    world.stripe.world.addEndpoint('https://other.example');
    world.github.world.addHook(seed.repository, { url: 'https://other.example' });
    await apply();
    const done = await destroy();
    expect(done.status).toBe('complete');
    expect([endpoints().length, hooks().length, records().length]).toEqual([1, 1, 0]);
    expect(callbacks()).toEqual(['https://shop.acme.example/callback']);
    const { records: left, intents } = await ledger();
    expect(left.size + intents.size).toBe(0);
  });

  it('leaves an object whose line says destroy: keep, and forgets it', async () => {
    const { apply, destroy, endpoints, records, ledger } = await open(`${lines.payments}\n    destroy: keep`, lines.dns);
    await apply();
    expect([...ends(await destroy())].sort()).toEqual(['dns delete settled', 'payments forget settled']);
    expect([endpoints().length, records().length]).toEqual([1, 0]);
    expect((await ledger()).records.size).toBe(0);
  });

  it('leaves what was adopted, and apply never changes it', async () => {
    const adopted = lines.dns.replace(
      'target: cname.vercel-dns.com',
      'target: { keep: true }\n    ttl: { keep: true }\n    proxied: { keep: true }',
    );
    const { apply, destroy, world, records, ledger, watch } = await open(adopted);
    expect(ends(await apply())).toEqual(['dns refused refused PROVIDER_NOT_FOUND']);
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    const seen = watch();
    expect(ends(await apply())).toEqual(['dns adopt settled']);
    expect([...(await ledger()).records.values()].map(({ owned }) => owned)).toEqual([false]);
    expect(ends(await apply())).toEqual(['dns none settled']);
    expect(ends(await apply({ recreate: ['dns'] }))).toEqual(['dns none settled']);
    expect(ends(await destroy())).toEqual(['dns forget settled']);
    expect(seen.writes()).toEqual([]);
    expect(records()).toHaveLength(1);
  });

  it('refuses to change what was adopted when the plan later gives it values', async () => {
    const adopted = lines.dns.replace(
      'target: cname.vercel-dns.com',
      'target: { keep: true }\n    ttl: { keep: true }\n    proxied: { keep: true }',
    );
    const { apply, world, write, watch } = await open(adopted);
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    await apply();
    await write(planOf(lines.dns));
    const seen = watch();
    expect(ends(await apply())).toEqual(['dns refused refused RESOURCE_FOREIGN']);
    expect(ends(await apply({ recreate: ['dns'] }))).toEqual(['dns refused refused RESOURCE_FOREIGN']);
    expect(seen.writes()).toEqual([]);
  });

  it('twice does the same as once', async () => {
    const { apply, destroy, watch } = await open(...everything);
    await apply();
    await destroy();
    const seen = watch();
    const again = await destroy();
    expect([again.status, again.lines.length, seen.all().length]).toEqual(['complete', 0, 0]);
  });

  it('and another apply of the same commit make everything anew', async () => {
    const { apply, destroy, endpoints, hooks, records, ledger } = await open(...everything);
    await apply();
    await destroy();
    expect((await apply()).status).toBe('complete');
    expect([endpoints().length, hooks().length, records().length]).toEqual([1, 1, 2]);
    expect([...(await ledger()).records.values()].find(({ line }) => line === 'payments')?.objectId).toBe(endpoints()[0]?.id);
  });

  it('goes on from where a dead one stopped', async () => {
    const { apply, destroy, crash, endpoints, hooks, records, ledger } = await open(...everything);
    await apply();
    crash.at('after', 'DELETE', /./);
    expect((await destroy()).ok).toBe(false);
    crash.over();
    expect((await destroy()).status).toBe('complete');
    expect([endpoints().length, hooks().length, records().length]).toEqual([0, 0, 0]);
    expect((await ledger()).records.size).toBe(0);
  });
});

describe('G5: a secret', () => {
  it('stands in no commit, no document and no event, in any form', async () => {
    const { apply, plan, destroy, remote, endpoints, hooks, env, bytes } = await open(...everything);
    const events: never[] = [];
    const said = [await plan(), await apply({}, events), await plan(), await apply({ recreate: ['payments'] }, events), await destroy()];
    const made = endpoints()
      .map(({ secret }) => secret)
      .concat(hooks().map(({ config }) => config.secret ?? ''));
    const given = Object.entries(env).filter(([name]) => /KEY|TOKEN|SECRET/.test(name) && !/MS$/.test(name));
    const text = JSON.stringify([said, events, remote.commits.map(({ change, message }) => [[...change], message])]) + (await bytes());
    for (const secret of [...made, ...given.map(([, value]) => value)].filter((one) => one.length > 5)) {
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) expect(text).not.toContain(form);
    }
    expect(text).not.toContain('whsec_');
    expect(events.length).toBeGreaterThan(10);
  });
});

describe('G6: destroy needs only the ledger', () => {
  it.each([
    ['is gone', null],
    ['is broken', 'changes: [{ id: '],
    ['says something else', 'version: 1\nchanges: []\n'],
    ['names an adapter that is not installed', 'version: 1\nchanges: [{ id: x, adapter: gone, op: thing }]\n'],
  ])('when the plan file %s', async (_, text) => {
    const { apply, destroy, write, folder, endpoints, hooks, records } = await open(...everything);
    await apply();
    if (text === null) await (await import('node:fs/promises')).rm(`${folder}/release.plan.yaml`);
    else await write(text);
    expect((await destroy()).status).toBe('complete');
    expect([endpoints().length, hooks().length, records().length]).toEqual([0, 0, 0]);
  });

  it('also for a create whose answer was lost with its process', async () => {
    const { apply, destroy, crash, endpoints, ledger } = await open(lines.payments);
    crash.at('after', 'POST', /webhook_endpoints$/);
    await apply();
    crash.over();
    expect(endpoints()).toHaveLength(1);
    expect(ends(await destroy())).toEqual(['payments delete settled']);
    expect(endpoints()).toHaveLength(0);
    expect((await ledger()).intents.size).toBe(0);
  });

  it('in the order against the references', async () => {
    const { apply, destroy, world } = await open(...everything);
    await apply();
    const order: string[] = [];
    for (const simulation of world.simulations) {
      simulation.watch(({ phase, method, path }) => {
        if (phase === 'before' && method === 'DELETE') order.push(path.replace(/^.*\/(\w+)\/\w+$/, `$1 of ${simulation.name}`));
      });
    }
    const [alias, dns] = [...(await shop.ledger()).records.values()]
      .filter(({ recipe }) => recipe === 'cloudflare.dns_cname')
      .sort((a) => (a.line === 'alias' ? -1 : 1));
    expect((await destroy()).status).toBe('complete');
    expect(order.indexOf('hooks of github')).toBeLessThan(order.indexOf('webhook_endpoints of stripe'));
    const deletes = world.cloudflare.log.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('/').at(-1));
    expect(deletes).toEqual([alias?.objectId, dns?.objectId]);
  });
});

describe('G7: every apply leaves a receipt', () => {
  it('also one that failed, one that was refused and a destroy', async () => {
    const { apply, destroy, ledger, world } = await open(lines.dns);
    world.cloudflare.faults.once('POST /client/v4/zones/{zone}/dns_records', 403, { success: false });
    expect((await apply()).status).toBe('failed');
    expect((await ledger()).receipt).toMatchObject({ status: 'failed', lines: [{ id: 'dns', state: 'failed', code: 'PROVIDER_AUTH' }] });
    expect((await apply()).status).toBe('complete');
    await destroy();
    const { history, receipt } = await ledger();
    expect(history.map(({ outcome }) => outcome)).toEqual(['failed', 'complete', 'destroyed: complete']);
    expect(receipt?.command).toBe('destroy');
  });
});
