import type { Store } from '../store.ts';
import type { LedgerPlace } from './ledger-place.ts';

interface Placing {
  readonly place: LedgerPlace;
  /** The git remote, which may be the store itself. */
  readonly git: Store;
  /** The answer to the first read tells every branch of the remote, so the name is looked for after it. */
  readonly isToldByReads: boolean;
}

/**
 * The store, held to the place that the git remote names. A store elsewhere is asked nothing before that: it may not be the one that our
 * credentials are for. Reads of the git remote itself are asked side by side with the name, and a write waits for it.
 */
export function placedStore(store: Store, { place, git, isToldByReads }: Placing): Store {
  const reading = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (store !== git) await place.check();
    const read = ask();
    if (isToldByReads) await read.catch(() => undefined);
    // What is wrong with the place comes first.
    const [checked, told] = await Promise.allSettled([place.check(), read]);
    if (checked.status === 'rejected') throw checked.reason;
    if (told.status === 'rejected') throw told.reason;
    return told.value;
  };
  const { history, past, remembered, message, recall, lost, readAll } = store;
  return {
    kind: store.kind,
    location: store.location,
    stats: store.stats,
    read: (branch) => reading(() => store.read(branch)),
    readAt: (branch, head) => reading(() => store.readAt(branch, head)),
    head: (branch) => reading(() => store.head(branch)),
    list: (prefix) => reading(() => store.list(prefix)),
    append: async (...all) => {
      await place.claim();
      return await store.append(...all);
    },
    remove: async (branch, expect) => {
      await place.check();
      await store.remove(branch, expect);
    },
    close: async () => {
      await store.close();
      if (git !== store) await git.close();
    },
    ...(readAll && {
      async *readAll(prefix: string) {
        await place.check();
        yield* readAll.call(store, prefix);
      },
    }),
    ...(history && { history: (branch: string, most?: number) => reading(() => history.call(store, branch, most)) }),
    ...(past && { past: (branch: string, path: string, most: number) => reading(() => past.call(store, branch, path, most)) }),
    ...(remembered && { remembered: (branch: string) => remembered.call(store, branch) }),
    ...(message && { message: (commit: string) => message.call(store, commit) }),
    ...(recall && { recall: (commit: string) => recall.call(store, commit) }),
    ...(lost && { lost: (branch: string) => lost.call(store, branch) }),
  };
}
