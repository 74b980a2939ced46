import { type GitCache, retire } from './git-cache.ts';

/** The cache repository of a store. The first need opens it: a read from a copy and a push of what was just made need none. */
export class GitCacheInUse {
  readonly #open: () => Promise<GitCache>;
  readonly #openFresh: () => Promise<GitCache>;
  #opened: Promise<GitCache> | null = null;
  #replacing: Promise<void> | null = null;
  #count = 0;

  constructor(open: () => Promise<GitCache>, openFresh: () => Promise<GitCache>) {
    this.#open = open;
    this.#openFresh = openFresh;
  }

  now(): Promise<GitCache> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** How often the cache was replaced. */
  get count(): number {
    return this.#count;
  }

  /** Replaces the cache that failed when `count` had this value. Operations that find the damage at once cause one replacement. */
  async replace(count: number): Promise<void> {
    if (this.#count !== count) return;
    this.#replacing ??= (async () => {
      const fresh = await this.#openFresh();
      const used = await this.#inUse();
      this.#opened = Promise.resolve(fresh);
      this.#count += 1;
      await used?.remove();
      if (used) await retire(used.gitdir);
    })().finally(() => {
      this.#replacing = null;
    });
    await this.#replacing;
  }

  async close(): Promise<void> {
    await (await this.#inUse())?.remove();
  }

  /** `null` when no caller asked for a cache, or when none could be opened: that caller has the error. */
  async #inUse(): Promise<GitCache | null> {
    return (await this.#opened?.catch(() => null)) ?? null;
  }
}
