import { afterEach, describe, expect, it } from 'vitest';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { branch, lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { Forger, factsIn, put, type Tree } from './forger.ts';

/* Facts that once were true: taken out of the ledger, put back into it, or put where they do not belong. */
let shop: Shop;
let forger: Forger;
let theirs: string;
afterEach(async () => {
  shop.verify();
  await shop.close();
});

const plan = planOf(lines.payments, lines.dns, lines.callback);
const noPlan = 'version: 1\nchanges: []\n';

/** A scope that was applied, one of somebody else beside it, and an object that a person made. */
async function open(): Promise<void> {
  shop = await openShop(plan);
  forger = new Forger(shop.remote);
  theirs = shop.world.stripe.world.addEndpoint('https://theirs.example/hook').id;
  expect((await shop.apply()).status).toBe('complete');
  expect((await shop.apply({ scope: 'pr-13' })).status).toBe('complete');
}

const foreignStands = (): void => {
  expect(shop.endpoints().map(({ id }) => id)).toContain(theirs);
  expect(shop.endpoints().some(({ url }) => url.includes('pr-13'))).toBe(true);
};
const ours = () => shop.endpoints().filter(({ url }) => url.includes('pr-12'));

describe('what is taken away', () => {
  const removals: { readonly [name: string]: (files: Tree) => void } = {
    'a record': (files) => drop(files, /^records\//),
    'a record and the seal lists': (files) => drop(files, /^(records|seals)/),
    everything: (files) => files.clear(),
    'all but the seal lists': (files) => drop(files, /^(?!seals)/),
  };
  const drop = (files: Tree, paths: RegExp): void => {
    for (const path of [...files.keys()]) if (paths.test(path)) files.delete(path);
  };

  it.each(Object.entries(removals))('%s: a destroy takes the object away all the same, and fails', async (_, remove) => {
    await open();
    await forger.push(branch, remove);
    const doc = await shop.destroy();
    expect([doc.ok, doc.error?.code]).toEqual([false, 'LEDGER_CORRUPT']);
    expect(doc.error?.detail).toContain('payments');
    expect([ours(), shop.records().filter(({ name }) => name.startsWith('pr-12'))]).toEqual([[], []]);
    foreignStands();
    expect((await shop.destroy()).status).toBe('complete');
  });

  it.each(Object.entries(removals))('%s: an apply brings it back, makes nothing twice, and fails once', async (_, remove) => {
    await open();
    await forger.push(branch, remove);
    const { writes } = shop.watch();
    const doc = await shop.apply();
    expect([doc.ok, doc.error?.code]).toEqual([false, 'LEDGER_CORRUPT']);
    expect(writes()).toEqual([]);
    expect((await shop.apply()).status).toBe('complete');
    expect((await shop.destroy()).status).toBe('complete');
    expect(ours()).toEqual([]);
  });

  it('an announcement whose create was sent: its object goes at the destroy', async () => {
    shop = await openShop(plan);
    forger = new Forger(shop.remote);
    theirs = shop.world.stripe.world.addEndpoint('https://theirs.example/hook').id;
    shop.crash.at('after', 'POST', /webhook_endpoints$/);
    await shop.apply().catch(() => undefined);
    shop.crash.over();
    expect(ours()).toHaveLength(1);
    await forger.push(branch, (files) => drop(files, /^intents\//));
    const doc = await shop.destroy();
    expect(doc.error?.code).toBe('LEDGER_CORRUPT');
    expect(ours()).toEqual([]);
  });
});

describe('an announcement whose credential was changed to one that seals nothing', () => {
  it.each([
    ['an output', { from: 'other.token' }],
    ['a secret that nobody has', { secret: 'env://NOBODY_SETS_THIS' }],
  ])('claims no object of a person: %s', async (_, credential) => {
    await open();
    const url = ours()[0]?.url ?? '';
    const metadata = ours()[0]?.metadata;
    const first = shop.remote.on(branch)[0] ?? new Map();
    const announced = factsIn(new Map([...first].flatMap(([path, text]) => (text === null ? [] : [[path, text]]))), 'intents');
    expect((await shop.destroy()).status).toBe('complete');
    const persons = shop.world.stripe.world.addEndpoint(url, { ...(metadata && { metadata }) });
    await forger.push(branch, (files) => {
      for (const [, fact] of announced.filter(([, one]) => one.line === 'payments'))
        put(files, 'intents', { ...fact, credential, atHost: undefined });
    });
    const doc = await shop.apply();
    expect(doc.lines.find(({ id }) => id === 'payments')?.error?.code).toBe('LEDGER_UNSEALED');
    expect([...(await shop.ledger()).records.values()].map(({ objectId }) => objectId)).not.toContain(persons.id);
    await shop.destroy();
    expect(shop.endpoints().map(({ id }) => id)).toContain(persons.id);
  });
});

describe('replayed', () => {
  it('records of an object that was destroyed remove nothing that has its id since', async () => {
    await open();
    const before = new Map(shop.remote.filesOf(branch));
    expect((await shop.destroy()).status).toBe('complete');
    await forger.push(branch, (files) => {
      for (const [path, text] of before) if (path.startsWith('records/')) files.set(path, text);
    });
    const { writes } = shop.watch();
    await shop.write(noPlan);
    const doc = await shop.destroy();
    expect(doc.lines.map(({ error }) => error?.code)).toEqual(['LEDGER_UNSEALED', 'LEDGER_UNSEALED', 'LEDGER_UNSEALED']);
    expect(writes()).toEqual([]);
  });
});

describe('put where they do not belong', () => {
  const production = { environment: 'production', scope: null, approvedBy: 'ann' } as const;
  const branchThere = receiptsBranch('production', 'production');
  const there = () => shop.endpoints().filter(({ url }) => url.includes('production'));

  it('records of a preview remove nothing of it', async () => {
    await open();
    expect((await shop.apply(production)).status).toBe('complete');
    await forger.push(branchThere, (files) => {
      for (const [path, text] of shop.remote.filesOf(branch)) if (/^(?:records|seals)/.test(path)) files.set(path, text);
    });
    await shop.destroy(production);
    expect(ours()).toHaveLength(1);
    foreignStands();
  });

  it('records of production, on the branch of a preview, remove nothing of it', async () => {
    await open();
    expect((await shop.apply(production)).status).toBe('complete');
    await forger.push(branch, (files) => {
      for (const [path, text] of shop.remote.filesOf(branchThere)) if (/^(?:records|seals)/.test(path)) files.set(path, text);
    });
    await shop.destroy();
    expect(there()).toHaveLength(1);
    expect(ours()).toEqual([]);
  });
});
