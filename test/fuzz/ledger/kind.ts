import { Failure, Failures } from '../../../src/core/errors.ts';
import { receiptsBranch } from '../../../src/ledger/model/names.ts';
import { lines, openShop, planOf } from '../../lifecycle/shop.ts';
import { type Kind, type Outcome, part } from '../kind.ts';
import { Random } from '../random.ts';
import { forge } from './forgery.ts';

const production = { environment: 'production', scope: null, approvedBy: 'ann' } as const;
const noPlan = 'version: 1\nchanges: []\n';
const plan = planOf(lines.payments, lines.dns, lines.alias, lines.callback);

/** The doors that a forged ledger comes through. */
const doors = ['destroy', 'destroy without a plan', 'apply and destroy', 'plan', 'production'] as const;

/** One forged ledger, met by one run in a world of its own. What is forged follows from a number alone, because the ledger is made by a run. */
export const forgedLedgers: Kind = {
  name: 'forged ledgers',
  share: 0,
  prepare: async () => undefined,
  make: (random) => ({ how: '', parts: [part('seed', String(random.int(2 ** 31)))] }),
  run: ({ parts: [seed] }) => trial(new Random(Number(seed?.bytes.toString() ?? 0))),
};

async function trial(random: Random): Promise<Outcome> {
  const shop = await openShop(plan);
  try {
    const theirs = shop.world.stripe.world.addEndpoint('https://theirs.example/hook').id;
    await shop.apply({ scope: 'pr-13' });
    await shop.apply(production);
    const isHalf = random.chance(0.3);
    if (isHalf) shop.crash.at('after', 'POST', random.pick([/webhook_endpoints$/, /dns_records$/]));
    await shop.apply().catch(() => undefined);
    shop.crash.over();
    const door = random.pick(doors as unknown as [(typeof doors)[number], ...(typeof doors)[number][]]);
    const target = door === 'production' ? receiptsBranch('production', 'production') : receiptsBranch('preview', 'pr-12');
    const others = [...shop.remote.branches].flatMap(([name, { files }]) => (name === target || name.includes('locks') ? [] : [files]));
    const store = shop.remote.open();
    const heads = (await store.history?.(target)) ?? [];
    const older = (await Promise.all(heads.map((head) => store.readAt(target, head)))).flatMap((tree) => (tree ? [tree.files] : []));
    const files = new Map(shop.remote.filesOf(target));
    const how = `${door}${isHalf ? ', after a run that died' : ''}: ${forge(files, random, {
      others,
      older,
      words: [theirs, 'https://thief.example', 'GITHUB_TOKEN', '/v1/webhook_endpoints', 'pr-13.acme.example', 'delete', 'keep'],
    })}`;
    const delta = new Map<string, string | null>([...files]);
    for (const path of shop.remote.filesOf(target).keys()) if (!files.has(path)) delta.set(path, null);
    await store.append(target, delta, shop.remote.branches.get(target)?.head ?? null, 'forged');

    const before = owned(shop, door === 'production' ? 'pr-12' : 'production');
    const end = await through(shop, door);
    const gone = [
      ...(shop.endpoints().some(({ id }) => id === theirs) ? [] : ['a person’s webhook']),
      ...(owned(shop, 'pr-13') === wholeOf ? [] : ['an object of pr-13']),
      ...(owned(shop, door === 'production' ? 'pr-12' : 'production') === before ? [] : ['an object of another environment']),
    ];
    const left = owned(shop, door === 'production' ? 'production' : 'pr-12');
    const isDestroyed = door !== 'plan' && door !== 'production' && end === 'complete';
    const strange = [...shop.strangers, ...shop.world.simulations.flatMap(({ unhandled }) => unhandled)];
    const finding =
      gone.length > 0
        ? `gone: ${gone.join(', ')}`
        : strange.length > 0
          ? `sent: ${strange.join(', ')}`
          : isDestroyed && left > 0
            ? `complete, and ${left} stand`
            : end === 'thrown'
              ? 'neither a document nor a clear error'
              : null;
    if (finding !== null) process.stderr.write(`${how}\n`);
    return { codes: [end], finding };
  } finally {
    await shop.close();
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** A scope has a webhook, two names and a callback. */
const wholeOf = 4;

const owned = (shop: Shop, scope: string): number =>
  shop.endpoints().filter(({ url }) => url.includes(`//${scope}.`)).length +
  shop.records().filter(({ name }) => name === `${scope}.acme.example` || name === `www.${scope}.acme.example`).length +
  (shop.callbacks() as string[]).filter((url) => url.includes(`//${scope}.`)).length;

async function through(shop: Shop, door: (typeof doors)[number]): Promise<string> {
  try {
    if (door === 'plan') return (await shop.plan()).ok ? 'planned' : 'refused';
    if (door === 'production') return (await shop.apply(production)).status;
    if (door === 'apply and destroy') await shop.apply().catch(failed);
    if (door === 'destroy without a plan') await shop.write(noPlan);
    return (await shop.destroy()).status;
  } catch (error) {
    return failed(error);
  }
}

/** A clear refusal is an end as well. */
function failed(error: unknown): string {
  const codes = error instanceof Failures ? error.failures.map(({ code }) => code) : error instanceof Failure ? [error.code] : [];
  return codes.length === 0 || codes.includes('INTERNAL') ? 'thrown' : (codes[0] ?? 'thrown');
}
