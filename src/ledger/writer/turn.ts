import type { Lease } from '../model/facts.ts';
import { toText } from '../model/file-text.ts';
import { paths } from '../model/state.ts';
import { HeadMoved } from '../stores/store.ts';
import type { Branch } from './branch.ts';
import type { LateWrites } from './late-writes.ts';
import { awaitLease, Elapsed, isHeldByAnother } from './lease.ts';
import type { OwnLease } from './own-lease.ts';
import type { WriterOptions } from './writer-options.ts';

export interface TurnOptions extends Pick<WriterOptions, 'clock' | 'terms' | 'leaseTimeoutMs' | 'signal' | 'message' | 'onWait'> {
  readonly branch: Branch;
  readonly late: LateWrites;
  /** The lease of a run that is over becomes this one. */
  readonly lease: OwnLease;
}

/** A run's turn with its scope: it knows what others wrote, how long their requests may land, and whose lease has run out. */
export class Turn {
  readonly #o: TurnOptions;
  /** Counts since this run last held the lease: a run that takes the scope again and again is not waited for anew each time. */
  #waitedMs = 0;

  constructor(options: TurnOptions) {
    this.#o = options;
  }

  async read(): Promise<void> {
    const { branch, late, terms } = this.#o;
    await branch.read();
    const { lease } = branch.state;
    if (lease?.released && lease.run !== terms.run) late.landWithin(lease.released.quietForMs);
  }

  /** This run holds the lease, by a push that was sent after `mark`. Any later wait is a new one. */
  came(mark: Elapsed): void {
    this.#o.lease.hold(mark);
    this.#waitedMs = 0;
  }

  /** Resolves when no other run holds the lease that was read. Throws when this wait and the ones before take longer than `leaseTimeoutMs`. */
  async await(): Promise<void> {
    const now = new Elapsed(this.#o.clock);
    const before = this.#waitedMs;
    const waited = { ms: () => before + now.ms() };
    try {
      await this.#await(waited);
    } finally {
      this.#waitedMs = waited.ms();
    }
  }

  async #await(waited: Pick<Elapsed, 'ms'>): Promise<void> {
    const { branch, clock, terms } = this.#o;
    for (;;) {
      const { lease } = branch.state;
      if (!isHeldByAnother(lease, terms.run) || branch.head === null) return;
      const outcome = await awaitLease({
        clock,
        lease,
        seenHead: branch.head,
        head: () => branch.remoteHead(),
        waited,
        timeoutMs: this.#o.leaseTimeoutMs,
        signal: this.#o.signal,
        onWait: this.#o.onWait,
      });
      if (outcome === 'moved') await this.read();
      else if (await this.#takeOver(lease)) return;
    }
  }

  /** Takes a lease that ran out before anything else, to start the quiet moment. That moment is as long as a request of the old holder. */
  async #takeOver({ run, deadlineMs }: Lease): Promise<boolean> {
    const { branch, clock, late, lease } = this.#o;
    const mark = new Elapsed(clock);
    const change = new Map<string, string | null>([[paths.lease, toText(lease.fact())]]);
    // The position belongs to a run that is over, and lacks what this run changes.
    if (branch.files.has(paths.snapshot)) change.set(paths.snapshot, null);
    try {
      await branch.append(change, this.#o.message([], false));
    } catch (error) {
      if (!(error instanceof HeadMoved)) throw error;
      await this.read();
      return false;
    }
    // The mark is from before the push was sent.
    lease.hold(mark);
    late.outlive(run, deadlineMs);
    return true;
  }
}
