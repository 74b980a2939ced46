import { openShop, type Shop } from '../lifecycle/shop.ts';

/** A moment of a run: before or after the n-th effect of its kind. */
export type Cut = readonly [phase: 'before' | 'after', effect: string, nth: number];

/** Tells every effect of a shop's runs: a request to a provider, or a commit of the ledger or of a lock. */
export function listen(shop: Shop, on: (phase: Cut[0], effect: string) => void): void {
  for (const simulation of shop.world.simulations) {
    simulation.watch(({ phase, method, path, write }) => {
      // A read that was answered changed nothing: cutting after it is cutting before what comes next.
      if (phase === 'before' || write) on(phase, `${method} ${path.replace(/\/[\w-]*\d[\w-]*(?=\/|$)/g, '/…')}`);
    });
  }
  const { before } = shop.remote;
  shop.remote.before = async (branch, change) => {
    await before(branch, change);
    on('before', branch.includes('lock') ? 'a commit of the lock' : 'a commit of the ledger');
    await before(branch, change);
  };
  shop.remote.after = async (branch, change) => {
    on('after', branch.includes('lock') ? 'a commit of the lock' : 'a commit of the ledger');
    await before(branch, change);
  };
}

/** Where a run can be cut: each of its effects, before and after. */
export async function effectsOf(
  plan: string,
  prepare: (shop: Shop) => Promise<unknown>,
  run: (shop: Shop) => Promise<unknown>,
): Promise<readonly Cut[]> {
  const shop = await openShop(plan);
  await prepare(shop);
  const seen = new Map<string, number>();
  const cuts: Cut[] = [];
  listen(shop, (phase, effect) => {
    const nth = (seen.get(phase + effect) ?? 0) + 1;
    seen.set(phase + effect, nth);
    cuts.push([phase, effect, nth]);
  });
  await run(shop);
  await shop.close();
  return cuts;
}

/** Acts at this moment, once. */
export function onceAt(shop: Shop, [phase, effect, nth]: Cut, act: () => void): { readonly happened: boolean } {
  const state = { happened: false };
  let count = 0;
  listen(shop, (seenPhase, seenEffect) => {
    if (state.happened || seenPhase !== phase || seenEffect !== effect) return;
    count += 1;
    if (count < nth) return;
    state.happened = true;
    act();
  });
  return state;
}

/** From this moment on, nothing of this process gets through to anybody. */
export const cutAt = (shop: Shop, cut: Cut): { readonly happened: boolean } =>
  onceAt(shop, cut, () => {
    shop.crash.now();
    throw new Error('the process is dead');
  });
