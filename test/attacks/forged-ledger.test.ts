import { afterEach, describe, expect, it } from 'vitest';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { branch, lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { add, type Fact, Forger, factsIn, type Tree } from './forger.ts';

/*
 * Whoever can push to a receipts branch writes what runs believe. In each case the forger changes the ledger of a scope that stands, and a
 * run comes through one of the doors. `verify` fails the test for a request to a host that nobody plays.
 */
let shop: Shop;
let forger: Forger;
let theirs: string;
afterEach(async () => {
  shop.verify();
  await shop.close();
});

const plan = planOf(lines.payments, lines.dns, lines.callback);
const thief = 'https://thief.example';
const neighbour = receiptsBranch('preview', 'pr-13');
const noPlan = 'version: 1\nchanges: []\n';

/** A scope that was applied, one of somebody else beside it, and an object that a person made. */
async function open(): Promise<void> {
  shop = await openShop(plan);
  forger = new Forger(shop.remote);
  theirs = shop.world.stripe.world.addEndpoint('https://theirs.example/hook').id;
  expect((await shop.apply()).status).toBe('complete');
  expect((await shop.apply({ scope: 'pr-13' })).status).toBe('complete');
}

const isHook = ({ line }: Fact): boolean => line === 'payments';
const ofHook = (files: Tree, folder = 'records'): Fact => {
  const found = factsIn(files, folder).find(([, fact]) => isHook(fact))?.[1];
  if (!found) throw new Error('no record of the webhook');
  return found;
};
const provider = (fact: Fact): Fact => fact.provider as Fact;
const intentLike = ({ recordId: _r, objectId: _o, owned: _w, ...fact }: Fact): Fact => ({
  ...fact,
  idempotencyKey: null,
  not: [],
  at: '2020-01-01T00:00:00.000Z',
});

/** Each changes the files of the scope's branch. */
const forgeries: { readonly [name: string]: (files: Tree) => void } = {
  'a record that names another host': (files) => edit(files, 'records', (fact) => Object.assign(provider(fact), { base_url: thief })),
  'a record of another host and another credential': (files) =>
    add(
      files,
      'records',
      { ...ofHook(files), line: 'extra', provider: { api: 'x', base_url: thief, auth: { bearer_env: 'GITHUB_TOKEN' } } },
      'a',
    ),
  'a record of another host that names the address variable of none': (files) =>
    edit(files, 'records', (fact) => Object.assign(provider(fact), { base_url: thief, base_url_env: 'NOBODY_SETS_THIS' })),
  'a record of an object that a person made': (files) =>
    add(files, 'records', { ...ofHook(files), line: 'extra', objectId: theirs, recordId: `DELETE /v1/webhook_endpoints/${theirs}` }, 'b'),
  'a record whose request removes something else': (files) =>
    edit(files, 'records', (fact) => {
      const reach = fact.reach as { remove: Fact | null };
      if (reach.remove) reach.remove.path = `/v1/webhook_endpoints/${theirs}`;
    }),
  'an object to remove, added to a record': (files) =>
    edit(files, 'records', (fact) => {
      fact.superseded = [{ recordId: `DELETE /v1/webhook_endpoints/${theirs}`, objectId: theirs, reach: fact.reach }];
    }),
  'a record of another id': (files) => edit(files, 'records', (fact) => Object.assign(fact, { objectId: theirs })),
  'an announcement of an object that a person made': (files) => {
    const fact = intentLike(ofHook(files));
    const find = { request: { method: 'GET', path: '/v1/webhook_endpoints' }, list: '/data', match: { '/id': theirs }, id: '/id' };
    add(files, 'intents', { ...fact, line: 'extra', reach: { ...(fact.reach as Fact), find } }, 'c');
  },
  'an announcement to another host': (files) =>
    add(files, 'intents', { ...intentLike(ofHook(files)), line: 'extra', provider: { ...provider(ofHook(files)), base_url: thief } }, 'd'),
  'deletes of objects that a person made': (files) => {
    const record: Fact = { ...ofHook(files), objectId: theirs, recordId: `DELETE /v1/webhook_endpoints/${theirs}`, v: 1 };
    add(
      files,
      'deletes',
      { v: 1, n: 1, run: 'x', head: 'commit-1', of: String(record.identity).slice(0, 6), open: true, records: [record] },
      'e',
    );
    const [path = '', text = ''] = [...files].find(([name]) => name.startsWith('deletes/')) ?? [];
    files.delete(path);
    files.set('deletes/000001.json', text);
  },
  'the records of another scope': (files) => {
    for (const [path, text] of shop.remote.filesOf(neighbour)) if (path !== 'lease.json' && path !== 'receipt.json') files.set(path, text);
  },
};

function edit(files: Tree, folder: string, change: (fact: Fact) => void): void {
  const fact = ofHook(files, folder);
  change(fact);
  add(files, folder, fact, '');
}

const foreignStands = (): void => {
  expect(shop.endpoints().map(({ id }) => id)).toContain(theirs);
  expect(shop.endpoints().some(({ url }) => url.includes('pr-13'))).toBe(true);
};
const ours = () => shop.endpoints().filter(({ url }) => url.includes('pr-12'));

describe.each(Object.entries(forgeries))('%s', (name, forge) => {
  it('gains nothing at a destroy that has no plan: what is ours goes, what is not stays, and the run says so', async () => {
    await open();
    await forger.push(branch, forge);
    await shop.write(noPlan);
    const doc = await shop.destroy();
    // A note of deletes that nobody sealed is passed over.
    expect(doc.ok).toBe(name.startsWith('deletes'));
    foreignStands();
    expect(ours()).toEqual([]);
  });

  it('gains nothing at an apply and the destroy after it', async () => {
    await open();
    await forger.push(branch, forge);
    await shop.apply();
    foreignStands();
    expect(ours()).toHaveLength(1);
    await shop.destroy();
    foreignStands();
    expect(ours()).toEqual([]);
  });

  it('gains nothing at a plan', async () => {
    await open();
    await forger.push(branch, forge);
    const { writes } = shop.watch();
    await shop.plan();
    await shop.plan({ destroy: true });
    expect(writes()).toEqual([]);
  });
});

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
      for (const [, fact] of announced.filter(([, one]) => isHook(one)))
        add(files, 'intents', { ...fact, credential, atHost: undefined }, '');
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

describe('at an approved production run', () => {
  const production = { environment: 'production', scope: null, approvedBy: 'ann' } as const;
  const branchThere = receiptsBranch('production', 'production');
  const there = () => shop.endpoints().filter(({ url }) => url.includes('production'));

  it.each(Object.entries(forgeries))('%s gains nothing', async (_, forge) => {
    await open();
    expect((await shop.apply(production)).status).toBe('complete');
    await forger.push(branchThere, forge);
    await shop.apply(production);
    foreignStands();
    expect(there()).toHaveLength(1);
    await shop.write(noPlan);
    await shop.destroy(production);
    foreignStands();
    expect(ours()).toHaveLength(1);
    expect(there()).toEqual([]);
  });

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
