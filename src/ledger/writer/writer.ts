import { Failure } from '../../core/errors.ts';
import { NextRound } from '../../core/next-round.ts';
import { changeOf, type Ending, type Fact } from '../model/change.ts';
import { type Entry, factsOf } from '../model/entry.ts';
import type { LedgerState, Snapshot } from '../model/facts.ts';
import { sealsPath } from '../seals/lists.ts';
import { type CommitFacts, HeadMoved } from '../stores/store.ts';
import { Branch } from './branch.ts';
import { LateWrites } from './late-writes.ts';
import { Elapsed } from './lease.ts';
import { LedgerMoved } from './ledger-moved.ts';
import { Moves } from './moves.ts';
import { OwnLease } from './own-lease.ts';
import { Pending } from './pending.ts';
import { changeOfPush, messageOfPush } from './push-change.ts';
import { Standing } from './standing.ts';
import { Tries } from './tries.ts';
import { Turn } from './turn.ts';
import type { WriterOptions } from './writer-options.ts';

export type { Ending, Fact } from '../model/change.ts';

/**
 * The one writer of a scope: it groups facts into commits, holds the lease and keeps the order.
 * Facts wait until the workers are quiet, so a wave's intents share a push with the records of the wave before.
 */
export class Writer {
  readonly #o: WriterOptions;
  readonly #branch: Branch;
  readonly #pending = new Pending(() => this.state);
  #pushing: Promise<void> | null = null;
  #taking: Promise<void> | null = null;
  readonly #lease: OwnLease;
  readonly #turn: Turn;
  readonly #standing: Standing;
  readonly #tries: Tries;
  readonly #moves: Moves;
  #urgent = false;
  readonly #comparing = new NextRound();
  /** How long writes may still land, while the lease must be given back because only pollers are left. */
  #rest: number | null = null;
  /** Until these are over no write is sent and no absence is believed. */
  readonly late: LateWrites;

  constructor(options: WriterOptions) {
    this.#o = options;
    this.#branch = new Branch(options);
    this.late = new LateWrites(options.clock);
    this.#lease = new OwnLease({
      ...options,
      pushing: () => this.#pushing,
      renew: () => this.#pushLease(),
    });
    this.#tries = new Tries({ ...options, timeoutMs: options.leaseTimeoutMs, location: options.store.location });
    this.#standing = new Standing({ pending: this.#pending, lease: this.#lease });
    this.#turn = new Turn({
      ...options,
      branch: this.#branch,
      late: this.late,
      lease: this.#lease,
    });
    this.#moves = new Moves({
      ...options,
      branch: this.#branch,
      lease: this.#lease,
      pending: this.#pending,
      standing: this.#standing,
      tries: this.#tries,
      turn: this.#turn,
    });
    options.workers.watch(() => this.#pushIfDue());
  }

  get state(): LedgerState {
    return this.#branch.state;
  }
  get history(): LedgerState['history'] {
    return this.#branch.history;
  }
  get head(): string | null {
    return this.#branch.head;
  }
  /** Parents and message of the commit that was read last, where the store can tell. */
  get commit(): CommitFacts {
    return this.#branch.commit;
  }
  /** The seal lists of the ledger, as text. */
  get seals(): string | undefined {
    return this.#branch.files.get(sealsPath);
  }
  /** A later run took the scope while this run only polled, so this run must write nothing more. */
  get isStale(): boolean {
    return this.#moves.isStale;
  }
  /** Raised when another run wrote while this one did not hold the lease: a look that began before is out of date. */
  get epoch(): number {
    return this.#moves.epoch;
  }
  get holdsLease(): boolean {
    return this.#lease.isHeld;
  }

  /** The position of an earlier run when this one last read the branch. */
  get position(): Snapshot | null {
    return this.#branch.position;
  }

  /** Facts of this run that the ledger does not hold. */
  get unstored(): readonly Fact[] {
    return this.#standing.unstored;
  }

  /** Reads the branch; waits for another run's lease, and takes over one that ran out. */
  async begin(): Promise<void> {
    await this.look();
    await this.awaitOthers();
  }

  /** Reads without waiting. A plan needs no more, because it writes nothing. */
  async look(): Promise<void> {
    await this.#turn.read();
    if (this.#branch.head === null) await this.#o.onMissing?.();
  }

  /** Shows a plan, which writes nothing, these facts as if the ledger held them. */
  assume(facts: readonly Fact[]): void {
    this.#branch.assume(changeOf({ files: this.#branch.files, facts, lease: null, snapshot: this.position, ending: null }));
  }

  /** Resolves when the facts are durable. `urgent` facts start a push as soon as the run is quiet; others ride along. */
  submit(facts: readonly Fact[], options: { urgent: boolean }): Promise<void> {
    if (facts.length === 0) return Promise.resolve();
    try {
      this.#standing.mustGoOn(facts);
    } catch (error) {
      return Promise.reject(error);
    }
    const [stored, ...more] = facts.map((fact) => this.#pending.add(fact));
    for (const fact of facts) this.#o.sealing?.made(fact);
    if (facts.some((fact) => fact.kind === 'intent')) this.#lease.want();
    if (options.urgent) this.#urgent = true;
    this.#pushIfDue();
    // Thousands of lines wait here for one push, each with one fact. A combined promise would take as much memory as all that a line keeps.
    return stored && more.length === 0 ? stored : Promise.all([stored, ...more]).then(() => undefined);
  }

  /** Resolves when this run holds the lease. Rejects with `LedgerMoved` when another run wrote before that. */
  async ensureLease(): Promise<void> {
    this.#standing.mustGoOn([]);
    if (this.#lease.isHeld) return;
    // A caller also shares a take that is under way: its look is older than any move that the take can find.
    if (this.#taking === null) {
      this.#lease.want();
      this.#urgent = true;
      this.#taking = this.#pending.add(null).finally(() => {
        this.#taking = null;
      });
      this.#pushIfDue();
    }
    await this.#taking;
  }

  /**
   * Throws `LedgerMoved` when another run wrote since `epoch`, and reads its changes; `waits` until that run is over. A line calls this for
   * what its look made of the ledger, where no push will test that.
   */
  async confirm(epoch: number, o: { waits: boolean }): Promise<void> {
    // Nobody writes under our lease, but a machine that slept may hold one that ran out.
    if (this.#lease.isHeld) this.checkLease();
    else await this.#comparing.ask(() => this.#compare(o));
    if (epoch !== this.epoch) throw new LedgerMoved();
  }

  async #compare({ waits }: { waits: boolean }): Promise<void> {
    for (;;) {
      // A push tells the same: it takes the lease on the head that was read, or finds a moved head.
      while (this.#pushing) await this.#pushing.catch(() => undefined);
      this.#standing.check();
      if (this.#lease.isHeld) return;
      const { head } = this.#branch;
      const now = await this.#branch.remoteHead();
      if (this.#pushing) continue;
      if (now === head) return this.#tries.done();
      if ((await this.#moves.found(this.#pending.entries, false)) === 'same') continue;
      if (waits) await this.#turn.await();
      this.#moves.revise([], { wasHeld: false, isLast: false });
      return;
    }
  }

  /** Throws `LEASE_LOST` when less of the lease is left than one request may take. Synchronous: call it in the turn of the send. */
  checkLease(): void {
    this.#standing.mustGoOn([]);
    if (this.#lease.lasts(this.#o.terms.deadlineMs)) return;
    throw this.#standing.lose('Less of its lease was left than one request may take; this machine may have slept.');
  }

  /** Resolves when no write of an earlier run can still land. */
  async quietMoment(signal: AbortSignal): Promise<void> {
    const left = this.late.left();
    if (left > 0) await this.#o.clock.sleep(left, signal);
  }

  /** Only pollers are left: pushes what is queued and gives the lease back. `ensureLease` takes it again for a write. */
  rest(quietForMs: number): void {
    if (!this.#lease.isHeld || this.#pushing) return;
    this.#rest = quietForMs;
    void this.#pushLease();
  }

  /** Starts a push if one is due. */
  #pushIfDue(): void {
    if (this.#pushing || !this.#urgent || !this.#o.workers.isQuiet()) return;
    void this.#startPush(null);
  }

  /**
   * The last push: what is queued, the receipt, and the release. `moved`: another run wrote before this one held the
   * lease, nothing was written, and all lines begin anew.
   */
  async finish(ending: Ending): Promise<'stored' | 'moved'> {
    const { epoch } = this;
    while (this.#pushing) await this.#pushing.catch(() => undefined);
    this.#standing.check();
    // The push under way found a move, so the lines of this end are outdated.
    if (epoch !== this.epoch) return 'moved';
    this.#lease.wantNoMore();
    this.#pending.putFirst(this.#standing.takeUnstored(this.#branch.state));
    try {
      await this.#startPush(ending);
    } catch (error) {
      if (error instanceof LedgerMoved) return 'moved';
      this.close();
      // The wait ends with the reason of the signal.
      if (!this.#o.signal.aborted || error !== this.#o.signal.reason) throw error;
      throw new Failure('INTERRUPTED', {
        detail: `The run was interrupted while another run held this scope, so its receipt was not written.${this.unstored.length === 0 ? ' It had sent nothing.' : ''}`,
        cause: error,
      });
    }
    this.close();
    return 'stored';
  }

  /** Ends a run that leaves no receipt: pushes what is queued together with the release. Without a lease nothing is pushed. */
  async release(quietForMs: number): Promise<void> {
    while (this.#pushing) await this.#pushing.catch(() => undefined);
    if (this.#lease.isHeld) {
      this.#rest = quietForMs;
      void this.#pending.add(null);
      await this.#startPush(null).catch(() => undefined);
    }
    this.close();
  }

  close(): void {
    this.#lease.endRenewal();
  }

  #startPush(ending: Ending | null): Promise<void> {
    const pushing = this.#pushAndTell(ending);
    this.#pushing = pushing;
    pushing.catch(() => undefined);
    return pushing;
  }

  /** Resolves the entries after the push is over, so a submitter that learns of its durable fact finds no push under way. */
  async #pushAndTell(ending: Ending | null): Promise<void> {
    let stored: readonly Entry[] = [];
    try {
      stored = await this.#push(ending);
    } finally {
      this.#pushing = null;
      for (const entry of stored) entry.resolve();
      this.#pushIfDue();
    }
  }

  /** Gives the entries that it made durable. */
  async #push(ending: Ending | null): Promise<readonly Entry[]> {
    let batch = this.#pending.take();
    const rest = this.#rest;
    this.#rest = null;
    this.#urgent = false;
    const isLast = ending !== null;
    try {
      while (batch.length > 0 || isLast) {
        if (this.#moves.mustWait(batch)) {
          await this.#turn.await();
          batch = this.#moves.revise(batch, { wasHeld: false, isLast });
          continue;
        }
        const facts = factsOf(batch);
        const mark = new Elapsed(this.#o.clock);
        const pending = changeOfPush({ ...this.#o, branch: this.#branch, lease: this.#lease, late: this.late }, { facts, ending, rest });
        const change = pending instanceof Promise ? await pending : pending;
        try {
          await this.#branch.append(change, messageOfPush({ ...this.#o, branch: this.#branch }, { facts, isLast, change }), facts);
          this.#tries.done();
          this.#o.onPush?.(mark.ms());
          if (ending || rest !== null) this.#lease.gaveBack({ isResting: rest !== null });
          else if (this.#lease.isWanted) this.#turn.came(mark);
          return batch;
        } catch (error) {
          if (!(error instanceof HeadMoved)) throw error;
          const found = await this.#moves.found(batch, isLast);
          if (found !== 'same') batch = this.#moves.revise(batch, { wasHeld: found === 'held', isLast });
        }
      }
    } catch (error) {
      if (error instanceof LedgerMoved) throw error;
      this.#standing.keep(batch, error);
      for (const entry of batch) entry.reject(error);
      if (ending) throw error;
    }
    return [];
  }

  /** The second half of `begin`: waits for its turn. */
  awaitOthers(): Promise<void> {
    return this.#turn.await();
  }

  #pushLease(): Promise<void> {
    const stored = this.#pending.add(null);
    void this.#startPush(null);
    return stored;
  }
}
