import { afterEach, describe, expect, it } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { ends, lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { cutAt, effectsOf } from './cut.ts';

const plan = planOf(lines.payments, lines.hook, lines.dns, lines.callback);

/** The world and the ledger without ids and times, and how they hang together. */
async function pictureOf(shop: Shop) {
  const { records, intents, lease, snapshot, receipt } = await shop.ledger();
  const objects = new Map<string, string>([
    ...shop.endpoints().map(({ id }) => [id, 'endpoint'] as const),
    ...shop.hooks().map(({ id }) => [String(id), 'hook'] as const),
    ...shop.records().map(({ id }) => [id, 'record'] as const),
  ]);
  return {
    endpoints: shop.endpoints().map(({ url, enabled_events, status }) => ({ url, enabled_events, status })),
    hooks: shop.hooks().map(({ config, events, active }) => ({
      url: config.url,
      events,
      active,
      hasSecretOfEndpoint: config.secret === shop.endpoints()[0]?.secret,
    })),
    records: shop.records().map(({ name, content, type }) => ({ name, content, type })),
    callbacks: shop.callbacks(),
    ledger: [...records.values()]
      .map(({ line, kind, owned, hash, objectId, superseded, unready, outputs }) => ({
        line,
        kind,
        owned,
        // Fingerprints of once-only secrets differ from one object to the next.
        hash: line === 'hook' ? '' : hash,
        object: kind === 'object' ? objects.get(objectId) : objectId,
        superseded,
        unready,
        outputs: Object.keys(outputs),
      }))
      .sort((a, b) => (a.line < b.line ? -1 : 1)),
    intents: intents.size,
    isReleased: lease === null || lease.released !== null,
    snapshot,
    receipt: receipt && {
      command: receipt.command,
      status: receipt.status,
      lines: receipt.lines.map(({ id, state }) => [id, state].join(' ')).sort(),
    },
  };
}

/** What a person does after a crash: run it again, and rotate a once-only secret that died with the process. */
async function applyAgain(shop: Shop): Promise<ApplyDoc> {
  const doc = await shop.apply();
  return doc.error?.code === 'OUTPUT_UNAVAILABLE' ? await shop.apply({ recreate: ['payments'] }) : doc;
}

let shop: Shop;
afterEach(async () => {
  shop.verify();
  await shop.close();
});

const nothing = async (): Promise<void> => undefined;
const apply = (one: Shop): Promise<unknown> => one.apply();
const recreate = (one: Shop): Promise<unknown> => one.apply({ recreate: ['payments'] });
const destroy = (one: Shop): Promise<unknown> => one.destroy();
const prune = (one: Shop): Promise<ApplyDoc> => one.apply({ prune: true });
/** The plan then loses a line, names one otherwise and moves one. */
const move = async (one: Shop): Promise<void> => {
  await one.apply();
  await one.write(planOf(lines.payments.replace('id: payments', 'id: billing'), lines.dns.replace('name: ', 'name: new-'), lines.logout));
};

const whole = await openShop(plan);
await whole.apply();
const applied = await pictureOf(whole);
await whole.destroy();
const destroyed = await pictureOf(whole);
await whole.close();
const prunedShop = await openShop(plan);
await move(prunedShop);
await prune(prunedShop);
await prune(prunedShop);
const pruned = await pictureOf(prunedShop);
await prunedShop.close();
const cuts = {
  apply: await effectsOf(plan, nothing, apply),
  recreate: await effectsOf(plan, apply, recreate),
  destroy: await effectsOf(plan, apply, destroy),
  prune: await effectsOf(plan, move, prune),
};

describe('an apply that dies', () => {
  it.each(cuts.apply)('%s %s (%i) ends, with the next one, as if it had not', async (...cut) => {
    shop = await openShop(plan);
    const state = cutAt(shop, cut);
    await shop.apply().catch(() => undefined);
    expect(state.happened).toBe(true);
    shop.crash.over();
    const doc = await applyAgain(shop);
    expect(doc.error).toBeUndefined();
    expect(await pictureOf(shop)).toEqual(applied);
    expect(ends(await shop.apply()).filter((end) => !end.endsWith('none settled'))).toEqual([]);
  });
});

describe('a replacement that dies', () => {
  it.each(cuts.recreate)('%s %s (%i) ends, with the next runs, in one object', async (...cut) => {
    shop = await openShop(plan);
    await shop.apply();
    const state = cutAt(shop, cut);
    await shop.apply({ recreate: ['payments'] }).catch(() => undefined);
    expect(state.happened).toBe(true);
    shop.crash.over();
    const doc = await applyAgain(shop);
    expect(doc.error).toBeUndefined();
    expect(await pictureOf(shop)).toEqual(applied);
  });
});

describe('a destroy that dies', () => {
  it.each(cuts.destroy)('%s %s (%i) is finished by the next one', async (...cut) => {
    shop = await openShop(plan);
    await shop.apply();
    const state = cutAt(shop, cut);
    await shop.destroy().catch(() => undefined);
    expect(state.happened).toBe(true);
    shop.crash.over();
    expect((await shop.destroy()).error).toBeUndefined();
    const { receipt: _receipt, ...picture } = await pictureOf(shop);
    const { receipt: _whole, ...expected } = destroyed;
    expect(picture).toEqual(expected);
  });
});

describe('a prune that dies', () => {
  it.each(cuts.prune)('%s %s (%i) leaves what the plan has, and nothing else, after the next ones', async (...cut) => {
    shop = await openShop(plan);
    await move(shop);
    const state = cutAt(shop, cut);
    await prune(shop).catch(() => undefined);
    expect(state.happened).toBe(true);
    shop.crash.over();
    expect((await prune(shop)).error).toBeUndefined();
    expect((await prune(shop)).orphans).toEqual([]);
    expect(await pictureOf(shop)).toEqual(pruned);
  });
});

describe('an apply that dies and is not run again', () => {
  it.each(cuts.apply)('%s %s (%i) is taken away whole by destroy', async (...cut) => {
    shop = await openShop(plan);
    cutAt(shop, cut);
    await shop.apply().catch(() => undefined);
    shop.crash.over();
    expect((await shop.destroy()).error).toBeUndefined();
    const { receipt: _receipt, ...picture } = await pictureOf(shop);
    const { receipt: _whole, ...expected } = destroyed;
    expect(picture).toEqual(expected);
  });
});
