import { type Change, type Files, HeadMoved, type Store, type Tree } from '../../src/ledger/stores/store.ts';

/** Branches in memory, shared by every store that is opened over them: each store acts as another machine. */
export class MemoryRemote {
  readonly branches = new Map<string, Tree>();
  /** Every commit, oldest first. */
  readonly commits: { readonly branch: string; readonly change: Change; readonly message: string }[] = [];
  /** Messages by commit, also of those that no branch leads to any more. */
  readonly messages = new Map<string, string>();
  /** Called before an append is looked at and after it stands; throwing is what a dead process or a refusing host does. */
  before: (branch: string, change: Change) => void | Promise<void> = () => undefined;
  after: (branch: string, change: Change) => void | Promise<void> = () => undefined;
  /** Every commit, whether a branch leads to it or not. */
  readonly #all = new Map<string, Tree>();
  /** Every state of each branch, oldest first. */
  readonly #states = new Map<string, Tree[]>();
  #count = 0;

  open(): Store {
    const stats = { fetches: 0, pushes: 0, lockPushes: 0 };
    return {
      kind: 'plugin:memory',
      location: 'memory',
      stats,
      read: async (branch) => {
        await Promise.resolve();
        stats.fetches += 1;
        return this.branches.get(branch) ?? null;
      },
      append: async (branch, change, expect, message, base) => {
        await this.before(branch, change);
        const head = this.#append(branch, change, expect, message, base);
        if (branch.includes('locks')) stats.lockPushes += 1;
        else stats.pushes += 1;
        await this.after(branch, change);
        return head;
      },
      readAt: async (branch, head) => this.#states.get(branch)?.find((tree) => tree.head.startsWith(head)) ?? null,
      history: async (branch, most = 50) =>
        (this.#states.get(branch) ?? [])
          .map(({ head }) => head)
          .reverse()
          .slice(0, most),
      recall: async (commit) => this.#all.get(commit) ?? null,
      remove: async (branch, expect) => {
        if (this.branches.get(branch)?.head !== expect) throw new HeadMoved(branch);
        stats.pushes += 1;
        this.branches.delete(branch);
        this.#states.delete(branch);
      },
      message: async (commit) => this.messages.get(commit) ?? null,
      list: async (prefix) =>
        [...this.branches].filter(([branch]) => branch.startsWith(prefix)).map(([branch, { head }]) => ({ branch, head })),
      head: async (branch) => this.branches.get(branch)?.head ?? null,
      close: async () => undefined,
    };
  }

  /** Somebody moves a branch back by force: its commits since are in no history. */
  force(branch: string, head: string): void {
    const states = this.#states.get(branch) ?? [];
    const kept = states.slice(0, states.findIndex((tree) => tree.head === head) + 1);
    this.#states.set(branch, kept);
    const last = kept.at(-1);
    if (last) this.branches.set(branch, last);
  }

  /** Somebody pushes a commit that no store makes. */
  plant(branch: string, tree: Tree): void {
    this.branches.set(branch, tree);
    this.#states.set(branch, [...(this.#states.get(branch) ?? []), tree]);
  }

  /** Commits to a branch, as the receipts of one scope see them. */
  on(branch: string): readonly Change[] {
    return this.commits.filter((commit) => commit.branch === branch).map(({ change }) => change);
  }

  filesOf(branch: string): Files {
    return this.branches.get(branch)?.files ?? new Map();
  }

  #append(branch: string, change: Change, expect: string | null, message: string, base?: string): string {
    const now = this.branches.get(branch);
    if ((now?.head ?? null) !== expect) throw new HeadMoved(branch);
    const from = base === undefined ? now : this.#states.get(branch)?.find(({ head }) => head === base);
    if (base !== undefined && !from) throw new HeadMoved(branch);
    const changed = new Map<string, string | null>([...(from?.files ?? []), ...change]);
    const standing = [...changed].filter((file): file is [string, string] => file[1] !== null);
    // In the order of a git tree.
    const files: Files = new Map(standing.sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#count += 1;
    const head = `commit-${this.#count}`;
    const tree = { head, files, message, parent: now?.head ?? null };
    this.branches.set(branch, tree);
    this.#all.set(head, tree);
    this.#states.set(branch, [...(this.#states.get(branch) ?? []), tree]);
    this.messages.set(head, message);
    this.commits.push({ branch, change: new Map(change), message });
    return head;
  }
}
