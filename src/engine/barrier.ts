import type { Clock } from '../core/clock.ts';
import type { Snapshot } from '../ledger/model/facts.ts';
import type { Workers } from '../ledger/writer/writer-options.ts';

/** While the lines are this young, those that poll count as at work, so that a wave's facts share one push. */
const patienceMs = 30_000;

/**
 * The barrier knows which lines of a run are at work, which wait and which poll. The run is quiet when nobody at work could add another
 * fact, and then the writer pushes. The barrier is made before the writer and the lines, and both have it.
 */
export class Barrier implements Workers {
  readonly #clock: Clock;
  readonly #watchers = new Set<() => void>();
  #crew: Crew | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** New lines begin, and count as at work until `started`. The lines before them are outdated: their work counts no more. */
  begin(lines: CrewLines): Crew {
    this.#crew = new Crew(lines, this.#clock.mono(), (crew) => {
      if (crew === this.#crew) this.tell();
    });
    return this.#crew;
  }

  /** True when nobody at work could add another fact, and when no lines have begun. */
  isQuiet(): boolean {
    const crew = this.#crew;
    return crew === null || crew.isQuiet({ pollersCount: this.#isYoung(crew) });
  }

  /** The lines are no longer young, and nothing but polling is left. */
  isOnlyPolling(): boolean {
    const crew = this.#crew;
    return crew !== null && !this.#isYoung(crew) && crew.isQuiet({ pollersCount: false });
  }

  /** The position of the lines; `null` where none have begun, and for those of a destroy. */
  position(): Snapshot | null {
    return this.#crew?.lines.position() ?? null;
  }

  /** Another run wrote before this one held the lease: what the lines looked at may be out of date. */
  outdate(): void {
    this.#crew?.lines.outdate();
  }

  #isYoung({ began }: Crew): boolean {
    return this.#clock.mono() - began < patienceMs;
  }

  /** Calls `watcher` whenever the run may have become quiet, until the returned function is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Tells the watchers. A line that polls calls it: the run may have become quiet by time alone. */
  tell(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /**
   * The line handed its facts to the ledger, or waits for something that is not its own. It is not at work until `resume` or its next state.
   * `isLast`: the line has nothing left to do but to see its facts become durable.
   */
  hold(line: string, o: { readonly isLast: boolean }): void {
    this.#crew?.hold(line, o);
  }

  resume(line: string): void {
    this.#crew?.resume(line);
  }

  /** Runs a wait of a line. The line does not count as at work meanwhile. */
  async aside<T>(line: string, wait: () => Promise<T>): Promise<T> {
    this.hold(line, { isLast: false });
    try {
      return await wait();
    } finally {
      this.resume(line);
    }
  }
}

/** The activity of a line in its present state. */
export interface Activity {
  readonly isAtWork: boolean;
  readonly isPolling: boolean;
  readonly isFinal: boolean;
}

/** Lines that begin, as the barrier must know them. */
export interface CrewLines {
  readonly ids: Iterable<string>;
  position(): Snapshot | null;
  outdate(): void;
}

/** The lines of one start, as the scheduler tells of them. */
export class Crew {
  readonly lines: CrewLines;
  /** Monotonic time. */
  readonly began: number;
  readonly #tell: (crew: Crew) => void;
  readonly #busy = new Set<string>();
  readonly #polling = new Set<string>();
  /** Lines that wait for the ledger, each with the set that it was in before. */
  readonly #held = new Map<string, Set<string>>();
  /** Lines that have not come to their last durable step. */
  readonly #unsettled: Set<string>;
  /** The count of acts that wait for the transitions under way to end: lines are about to start, or to end. */
  #pending = 1;

  constructor(lines: CrewLines, began: number, tell: (crew: Crew) => void) {
    this.lines = lines;
    this.#unsettled = new Set(lines.ids);
    this.began = began;
    this.#tell = tell;
  }

  isQuiet({ pollersCount }: { readonly pollersCount: boolean }): boolean {
    return this.#busy.size === 0 && this.#pending === 0 && (!pollersCount || this.#polling.size === 0);
  }

  /** Every line has ended, or only waits for its last facts to become durable. */
  get isEnding(): boolean {
    return this.#unsettled.size === 0 && this.#pending === 0;
  }

  /** The lines that may start have been told to. */
  started(): void {
    this.#pending -= 1;
    this.#tell(this);
  }

  /** The line came to another state. */
  enter(line: string, { isAtWork, isPolling, isFinal }: Activity): void {
    this.#held.delete(line);
    place(this.#busy, line, isAtWork);
    place(this.#polling, line, isPolling);
    place(this.#unsettled, line, !isFinal);
    this.#tell(this);
  }

  /** The line is over. */
  leave(line: string): void {
    for (const known of [this.#busy, this.#polling, this.#held, this.#unsettled]) known.delete(line);
    this.#tell(this);
  }

  hold(line: string, { isLast }: { readonly isLast: boolean }): void {
    for (const set of [this.#busy, this.#polling]) if (set.delete(line)) this.#held.set(line, set);
    if (isLast) this.#unsettled.delete(line);
    this.#tell(this);
  }

  resume(line: string): void {
    this.#held.get(line)?.add(line);
    this.#held.delete(line);
  }

  /** Runs `act` after the transitions under way. The run is not quiet before. */
  soon(act: () => void): void {
    this.#pending += 1;
    queueMicrotask(() => {
      this.#pending -= 1;
      act();
      // Otherwise no watcher may hear that nothing is pending any more.
      this.#tell(this);
    });
  }
}

function place(set: Set<string>, line: string, isIn: boolean): void {
  if (isIn) set.add(line);
  else set.delete(line);
}
