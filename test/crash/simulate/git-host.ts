import { Failure } from '../../../src/core/errors.ts';
import type { LedgerState } from '../../../src/ledger/model/facts.ts';
import { parseState, type Seen } from '../../../src/ledger/model/state.ts';
import { type Change, type Files, HeadMoved, type Store, type Tree } from '../../../src/ledger/stores/store.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

/** Locks that nobody released. What a dead run held runs out by itself. */
export function heldLocks({ branches }: GitHost): readonly { readonly branch: string; readonly run: string }[] {
  return [...branches].flatMap(([branch, { files }]) => {
    const text = branch.includes('locks') ? files.get('lock.json') : undefined;
    if (text === undefined) return [];
    const { run, released } = JSON.parse(text) as { readonly run: string; readonly released: unknown };
    return released ? [] : [{ branch, run }];
  });
}

export interface GitHostOptions {
  readonly time: Timeline;
  readonly random: Random;
  /** A process sends a push. */
  readonly onPush: (process: Process, branch: string) => void;
  /** A push was stored; `before` is what the branch held. */
  readonly onStored: (push: { process: Process; branch: string; before: Files; change: Change }) => void;
  readonly onLost: () => void;
}

/** The remote of the ledgers: branches with compare-and-swap, a way there and a way back. */
export class GitHost {
  readonly branches = new Map<string, Tree>();
  /** Of a thousand pushes: stored, and the answer is lost for good; refused before anything is stored. */
  lost = 0;
  refused = 0;
  pushes = 0;
  readonly #o: GitHostOptions;
  readonly #parsed = new Map<string, Seen & { readonly head: string }>();
  readonly #history = new Map<string, Tree>();
  #commits = 0;

  constructor(options: GitHostOptions) {
    this.#o = options;
  }

  filesOf(branch: string): Files {
    return this.branches.get(branch)?.files ?? new Map();
  }

  /** What the branch says now. */
  stateOf(branch: string): LedgerState {
    const head = this.branches.get(branch)?.head ?? '';
    const known = this.#parsed.get(branch);
    if (known?.head === head) return known.state;
    const files = this.filesOf(branch);
    const state = parseState(files, branch, known);
    this.#parsed.set(branch, { head, files, state });
    return state;
  }

  /** The remote as one process sees it. What was sent arrives even when its sender is dead by then. */
  storeOf(process: Process): Store {
    const { time, random } = this.#o;
    const stats = { fetches: 0, pushes: 0, lockPushes: 0 };
    const call = <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        process.hasBegun = true;
        time.in(random.int(5, 40), () => {
          const back = random.int(5, 40);
          try {
            const value = work();
            time.in(back, () => process.deliver(() => resolve(value)));
          } catch (error) {
            time.in(back, () => process.deliver(() => reject(error)));
          }
        });
      });
    return {
      kind: 'plugin:simulated',
      location: 'https://git.example/shop',
      stats,
      read: (branch) => {
        stats.fetches += 1;
        return call(() => this.branches.get(branch) ?? null);
      },
      append: (branch, change, expect) => {
        if (branch.includes('locks')) stats.lockPushes += 1;
        else stats.pushes += 1;
        this.#o.onPush(process, branch);
        return call(() => this.#append(process, branch, change, expect));
      },
      list: (prefix) =>
        call(() => [...this.branches].filter(([branch]) => branch.startsWith(prefix)).map(([branch, { head }]) => ({ branch, head }))),
      head: (branch) => call(() => this.branches.get(branch)?.head ?? null),
      readAt: (branch, head) => call(() => this.#history.get(`${branch} ${head}`) ?? null),
      remove: () => Promise.reject(new Error('no run removes a branch')),
      close: async () => undefined,
    };
  }

  #append(process: Process, branch: string, change: Change, expect: string | null): string {
    const { random } = this.#o;
    this.pushes += 1;
    const now = this.branches.get(branch);
    const roll = random.next() * 1000;
    if (roll < this.refused) throw new Failure('LEDGER_REFUSED', { detail: 'The host refused the push.' });
    if ((now?.head ?? null) !== expect) throw new HeadMoved(branch);
    const files = new Map(now?.files);
    for (const [path, text] of change) {
      if (text === null) files.delete(path);
      else files.set(path, text);
    }
    this.#commits += 1;
    const head = `commit-${this.#commits}`;
    this.branches.set(branch, { head, files });
    this.#history.set(`${branch} ${head}`, { head, files });
    this.#o.onStored({ process, branch, before: now?.files ?? new Map(), change });
    if (roll < this.refused + this.lost) {
      this.#o.onLost();
      throw new Failure('LEDGER_REFUSED', { detail: 'The host could not be reached; whether the push landed is not known.' });
    }
    return head;
  }
}
