import type { Clock } from '../../../core/clock.ts';
import { Failure } from '../../../core/errors.ts';
import { placeBranch, receiptsPrefix, scopeOf } from '../../model/names.ts';
import { isLedgerDamage } from '../../model/state.ts';
import { readAll } from '../read-all.ts';
import { HeadMoved, readSound, type Store, type Tree } from '../store.ts';
import { type NamedPlace, placeChange, placeIn } from './place-file.ts';
import { stands } from './stands.ts';

/** Where this run has its ledger, and why. */
export interface ChosenPlace {
  /** As it may be told and compared. */
  readonly place: string;
  /** The plan or the variable names the place; otherwise it is the usual one. */
  readonly isNamed: boolean;
}

/**
 * Holds a run to the place that the git remote names for the ledger of this repository. A plan that is gone, and a pull request that changes
 * `receipts:`, would otherwise lead to another place, where nothing is known of what was made.
 */
export class LedgerPlace {
  readonly #git: Store;
  readonly #chosen: ChosenPlace;
  readonly #clock: Clock;
  #checked: Promise<Tree | null> | null = null;
  #claimed: Promise<void> | null = null;

  constructor(git: Store, chosen: ChosenPlace, clock: Clock) {
    this.#git = git;
    this.#chosen = chosen;
    this.#clock = clock;
  }

  /** Reads the name once. Throws `LEDGER_REFUSED` where this run would look elsewhere. */
  async check(): Promise<void> {
    this.#checked ??= this.#look();
    await this.#checked;
  }

  /** Writes the name before the first fact goes to another place than git. */
  async claim(): Promise<void> {
    await this.check();
    const { place } = this.#chosen;
    // A ledger in a folder of this machine is nobody else's.
    if (place === 'git-branch' || place === 'local') return;
    this.#claimed ??= this.#write();
    await this.#claimed;
  }

  async #look(): Promise<Tree | null> {
    const git = this.#git;
    const tree = await readSound(git, placeBranch).catch((thrown: unknown) => {
      throw this.#unread(thrown);
    });
    const known = tree === null ? await git.remembered?.(placeBranch) : null;
    if (known) throw this.#gone(known.head, known.place);
    const named = placeIn(tree, git.location);
    if (named !== null) this.#mustAgree(named);
    else if (this.#chosen.place !== 'git-branch') await this.#mustBeFirst();
    return tree;
  }

  async #write(): Promise<void> {
    if ((await this.#checked) !== null) return;
    const named: NamedPlace = { v: 1, place: this.#chosen.place, at: new Date(this.#clock.now()).toISOString() };
    try {
      await this.#git.append(placeBranch, placeChange(named), null, `the ledger is at ${named.place}`);
    } catch (thrown) {
      if (!(thrown instanceof HeadMoved)) throw this.#unwritten(thrown);
      // Another run was first.
      this.#checked = this.#look();
      await this.#checked;
    }
  }

  #mustAgree({ place, moving }: NamedPlace): void {
    const { place: here, isNamed } = this.#chosen;
    if (moving !== undefined) {
      throw new Failure('LEDGER_REFUSED', {
        detail: `The ledger of this repository is being moved from ${place} to ${moving}, and no run may write meanwhile.`,
        fix: `Wait until that is done. If it was stopped, run \`pilotfish ledger copy ${place} ${moving}\` again: it goes on from there.`,
      });
    }
    if (place === here) return;
    const said = isNamed ? `the plan or PILOTFISH_RECEIPTS says ${here}` : 'neither the plan nor PILOTFISH_RECEIPTS says so';
    const goThere =
      place === 'git-branch' ? 'leave `receipts:` and PILOTFISH_RECEIPTS out' : `let \`receipts:\` or PILOTFISH_RECEIPTS name ${place}`;
    throw new Failure('LEDGER_REFUSED', {
      detail: `The ledger of this repository is at ${place}: the branch ${placeBranch} of ${this.#git.location} names it, and ${said}. Elsewhere nothing is known of what was made.`,
      fix: `To use that ledger, ${goThere}. To move it, run \`pilotfish ledger copy ${place} ${here}\`.`,
    });
  }

  /** A ledger on git branches came before the branch that names a place. */
  async #mustBeFirst(): Promise<void> {
    const { place } = this.#chosen;
    for await (const read of readAll(this.#git, receiptsPrefix)) {
      const name = scopeOf(read.branch);
      if (name === null || ('tree' in read && !stands(read.tree, read.branch))) continue;
      throw new Failure('LEDGER_REFUSED', {
        detail: `The plan or PILOTFISH_RECEIPTS says that the ledger is at ${place}, and ${read.branch} of ${this.#git.location} holds one with objects of the scope ${name.scope}. A ledger elsewhere would know nothing of them.`,
        fix: `Run \`pilotfish ledger copy git-branch ${place}\`, or destroy the scopes that stand there first.`,
      });
    }
  }

  #unread(thrown: unknown): unknown {
    if (this.#chosen.place === 'git-branch' || isLedgerDamage(thrown) || !(thrown instanceof Failure)) return thrown;
    return new Failure(thrown.code, {
      detail: `The branch ${placeBranch} of the git remote names the place of the ledger, and every run reads it first. ${thrown.detail}`,
      fix: `Let this run read the remote (in a GitHub job: \`permissions: contents: read\`). ${thrown.fix}`,
      cause: thrown,
    });
  }

  #unwritten(thrown: unknown): unknown {
    if (!(thrown instanceof Failure)) return thrown;
    return new Failure(thrown.code, {
      detail: `The ledger begins at ${this.#chosen.place}, and the branch ${placeBranch} of the git remote must say so before anything is made. ${thrown.detail}`,
      fix: `Let one run write that branch (in a GitHub job: \`permissions: contents: write\`); later runs only read it. ${thrown.fix}`,
      cause: thrown,
    });
  }

  #gone(head: string, mark: string): Failure {
    return new Failure('LEDGER_CORRUPT', {
      detail: `The branch ${placeBranch}, which names the place of the ledger, is no longer on ${this.#git.location}. This machine saw it there at ${head.slice(0, 12)}.`,
      fix: `Restore the branch at ${head}. If it was removed on purpose, remove ${mark}.`,
    });
  }
}
