import { HeadMoved, type Store } from '../../src/ledger/stores/store.ts';

/** Faults that a check of histories must find. */
export const faults = {
  'no-condition': 'an append builds on whatever stands there',
  'old-read': 'a read may give what the process read before',
} as const;

/** The store with a fault in it, or as it is. */
export function planted(fault: string, store: Store): Store {
  if (fault === '') return store;
  if (!(fault in faults)) throw new Error(`there is no fault ${fault}`);
  const read = store.read.bind(store);
  const append = store.append.bind(store);
  if (fault === 'no-condition') {
    store.append = async (branch, change, _expect, message) => {
      for (;;) {
        try {
          return await append(branch, change, await store.head(branch), message);
        } catch (error) {
          if (!(error instanceof HeadMoved)) throw error;
        }
      }
    };
    return store;
  }
  const kept = new Map<string, Promise<Awaited<ReturnType<Store['read']>>>>();
  let reads = 0;
  store.read = async (branch) => {
    reads += 1;
    const old = reads % 3 === 0 ? kept.get(branch) : undefined;
    if (old) return await old;
    const fresh = read(branch);
    kept.set(branch, fresh);
    return await fresh;
  };
  return store;
}
