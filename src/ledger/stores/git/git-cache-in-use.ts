import { type GitCache, retire } from './git-cache.ts';

/** The cache repository that a store works in. The first need of it opens it: a read from a copy and a push of what was just made need none. */
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

  /** How often it was replaced. */
  get count(): number {
    return this.#count;
  }

  /** Takes a new one in place of one that failed when `count` was this: one replacement, however many operations found the damage at once. */
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

  /** None when nobody asked for one, or none could be opened: then the caller who asked was told. */
  async #inUse(): Promise<GitCache | null> {
    return (await this.#opened?.catch(() => null)) ?? null;
  }
}
