import { follow } from '../../http/abort.ts';
import type { Snapshot } from '../../ledger/model/facts.ts';
import { LedgerMoved } from '../../ledger/writer/ledger-moved.ts';
import type { Node } from '../../machines/coordinator/schedule.ts';
import type { VerdictName } from '../../machines/line/decide.ts';
import { hasTag, lineMachineVersion } from '../../machines/line/line.machine.ts';
import { named } from '../finish/documents.ts';
import { lookEarly } from '../line/look-early.ts';
import { settled } from '../line/phases.ts';
import { wiredLineMachine } from '../line/steps.ts';
import { planDigest } from '../prepare/resume.ts';
import { keep, type Session, workOf } from '../session.ts';
import type { Parents } from '../shared/parents.ts';
import type { Prepared } from '../types.ts';
import { type LinePosition, Lines } from './lines.ts';

export interface DriveOptions {
  readonly session: Session;
  readonly nodes: readonly Node[];
  readonly purpose: 'plan' | 'apply' | 'destroy';
  readonly parents: Parents;
  readonly end: LinesEnd;
  readonly restored: ReadonlyMap<string, VerdictName>;
  readonly prepared: Prepared | null;
  /** The lines of the plan, which ended before these orphans begin. */
  readonly before?: Drive;
}

/** The lines of a run from one start on, until they end or another run outdates them. */
export class Drive {
  readonly done: Promise<{ positions(): readonly LinePosition[] }>;
  readonly #o: DriveOptions;
  readonly #lines: Lines;
  #reachEnd: () => void = () => undefined;

  constructor(o: DriveOptions) {
    const { session, nodes, purpose, parents, end, restored } = o;
    this.#o = o;
    session.tell({ type: 'run', state: 'begun', run: session.runId, lines: nodes.length, at: session.clock.now() });
    session.tell({
      type: 'lines',
      lines: nodes.map(({ id, after }) => ({ id, after, ...named(workOf(session, id)) })),
      at: session.clock.now(),
    });
    this.#lines = new Lines({
      nodes,
      // A plan of a destroy ends at the verdict, too.
      purpose: session.purpose === 'plan' ? 'plan' : purpose,
      machine: wiredLineMachine(session, parents, () => end.isOutdated),
      barrier: session.barrier,
      position: () => this.position(),
      outdate: () => this.#outdate(),
      lookEarly: (ids) => this.#lookEarly(ids),
      restored,
      onTransition: (...step) => this.#tellStep(...step),
      onMachine: (transition) => {
        if (!end.isOutdated) session.tell({ type: 'machine', ...transition, at: session.clock.now() });
      },
    });
    const unwatch = session.barrier.watch(() => {
      if (this.#lines.crew.isEnding) this.#reachEnd();
    });
    this.#lines.start();
    if (session.stopping.aborted) this.#lines.interrupt();
    else session.stopping.addEventListener('abort', () => this.#lines.interrupt(), { once: true });
    this.done = this.#lines.done.then(() => {
      end.release();
      unwatch();
      return { positions: () => this.positions() };
    });
  }

  /** Another run wrote before this one held the lease. These lines looked before that, so they end and count no more. */
  get isOutdated(): boolean {
    return this.#o.end.isOutdated;
  }

  positions(): readonly LinePosition[] {
    return this.#lines.positions();
  }

  /** Resolves when every line has ended, or only waits for the last push, or when they are outdated. */
  async ending(): Promise<void> {
    // This waits one turn: lines whose facts were just refused have not told yet that they look again.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#lines.crew.isEnding || this.isOutdated) return;
    await new Promise<void>((resolve) => {
      this.#reachEnd = resolve;
    });
  }

  /** The position of the lines of a plan, from which the next run goes on; `null` for those of a destroy. */
  position(): Snapshot | null {
    const { session, prepared, before } = this.#o;
    if (prepared === null) return before?.position() ?? null;
    return {
      v: 1,
      run: session.runId,
      digest: planDigest(prepared),
      commit: session.sha,
      machine: lineMachineVersion,
      lines: this.positions().map(({ id, state, context }) => {
        const work = workOf(session, id);
        return { id, state, verdict: context.verdict ?? 'pending', identity: work.identity, generation: work.record?.generation ?? 0 };
      }),
    };
  }

  #lookEarly(lines: readonly string[]): void {
    const { session, purpose, restored } = this.#o;
    if (session.purpose !== 'apply' || purpose !== 'apply') return;
    for (const id of lines) {
      const line = workOf(session, id);
      if (!line.isHeld && !restored.has(id)) void lookEarly(session, line);
    }
  }

  /** A plan holds no lease: its lines look again one by one. Orphans begin anew with the lines of the plan. */
  #outdate(): void {
    const { session, end, before } = this.#o;
    if (session.purpose === 'plan') return;
    if (before) before.#outdate();
    end.outdate();
    this.#lines.interrupt();
    this.#reachEnd();
  }

  #tellStep(line: string, from: string, to: string, event: string, because?: string): void {
    const { session, end } = this.#o;
    if (end.isOutdated) return;
    const work = workOf(session, line);
    const ended = { ...work, endedAt: work.endedAt ?? session.clock.now() };
    if (to === 'settled') keep(session, settled(ended));
    else if (hasTag(to, 'final')) keep(session, ended);
    session.tell({ type: 'line', line, from, to, event, ...(because !== undefined && { because }), at: session.clock.now() });
  }
}

/** Two things end the lines of one drive: the run is told to stop, or another run wrote and they begin anew. */
export interface LinesEnd {
  /** Every line of the drive has this signal, and so has all work for the line. */
  readonly stopping: AbortSignal;
  readonly isOutdated: boolean;
  outdate(): void;
  /** The lines have ended. The run's own signal lives on without them. */
  release(): void;
}

export function linesEnd(run: AbortSignal): LinesEnd {
  const outdated = new AbortController();
  const { signal, release } = follow([run, outdated.signal]);
  return {
    stopping: signal,
    get isOutdated() {
      return outdated.signal.aborted;
    },
    outdate: () => outdated.abort(new LedgerMoved()),
    release,
  };
}
