import { createHash } from 'node:crypto';
import { MemoryRemote } from '../support/memory-store.ts';
import { type Line, planText, type Shop } from './plan.ts';

/** A pull request as the code host has it now. */
export interface Pull {
  readonly number: number;
  readonly author: string;
  readonly headRepository: string;
  branch: string;
  head: string;
  /** The commit that the host made up of head and base. */
  merge: string;
  base: string;
  state: 'open' | 'closed';
  isMerged: boolean;
  /** Its branch has another name now, so it cannot be opened again. */
  isGone: boolean;
  isDraft: boolean;
  isConflicted: boolean;
  labels: readonly string[];
  /** Milliseconds of the world's time. */
  updatedAt: number;
  /** When it was opened, or opened again. */
  openedAt: number;
  closedAt: number | null;
  /** Since when it must not have a preview, although it is open; `null` while it may. */
  unwantedAt: number | null;
  /** The event of that came in time. */
  unwantedCame: boolean;
  /** When the label that spares it from its lifetime was put on or taken off. */
  keepSince: number;
  /** The event of its close came in time. */
  closeCame: boolean;
}

interface Commit {
  readonly lines: readonly Line[];
  readonly parents: readonly string[];
}

interface Comment {
  readonly id: number;
  readonly pull: number;
  body: string;
}

/** A repository at the code host: its commits, its pull requests with their comments, and the branches of its ledger. */
export class Repository {
  readonly shop: Shop;
  readonly commits = new Map<string, Commit>();
  readonly pulls = new Map<number, Pull>();
  readonly comments: Comment[] = [];
  /** Statuses of commits, the newest last. */
  readonly statuses: { readonly commit: string; readonly state: string }[] = [];
  readonly ledger = new MemoryRemote();
  /** The head of the default branch. */
  main: string;
  /** Until then the host refuses what the repository's jobs ask. */
  limitedUntil = 0;
  #count = 0;

  readonly #idleHours: number | null;

  /** `idleHours`: the lifetime of its previews; `null` where the plans have none. */
  constructor(shop: Shop, lines: readonly Line[], idleHours: number | null) {
    this.shop = shop;
    this.#idleHours = idleHours;
    this.main = this.commit(lines, []);
  }

  commit(lines: readonly Line[], parents: readonly string[]): string {
    this.#count += 1;
    const sha = createHash('sha1').update(`${this.shop.slug} ${this.#count}`).digest('hex');
    this.commits.set(sha, { lines, parents });
    return sha;
  }

  linesOf(sha: string): readonly Line[] {
    return this.commits.get(sha)?.lines ?? [];
  }

  /** The plan file at a commit. */
  planAt(sha: string): string {
    return planText(this.linesOf(sha), this.shop, this.#idleHours);
  }

  isAncestor(older: string, newer: string): boolean {
    const left = [...(this.commits.get(newer)?.parents ?? [])];
    for (const sha of left) {
      if (sha === older) return true;
      left.push(...(this.commits.get(sha)?.parents ?? []));
    }
    return false;
  }

  /** Commits on the branch of a pull request, as `git log` shows them. */
  has(pull: Pull, sha: string): boolean {
    return pull.head === sha || (sha !== this.main && this.isAncestor(sha, pull.head) && !this.isAncestor(sha, this.main));
  }
}
