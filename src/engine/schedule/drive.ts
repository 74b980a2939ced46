import { errorTable } from '../../core/error-table.ts';
import { type ErrorData, showPlace } from '../../core/errors.ts';
import type { Snapshot } from '../../ledger/model/facts.ts';
import { crowd, type LinePosition, runLines } from '../../machines/coordinator/run-lines.ts';
import type { Node } from '../../machines/coordinator/schedule.ts';
import type { VerdictName } from '../../machines/line/decide.ts';
import { lineMachineVersion } from '../../machines/line/line.machine.ts';
import { named } from '../finish/documents.ts';
import { wiredLineMachine } from '../line/steps.ts';
import { type LineWork, letGo } from '../line/work.ts';
import type { OpenSession } from '../prepare/open-session.ts';
import { planDigest } from '../prepare/resume.ts';
import { workOf } from '../session.ts';
import type { Parents } from '../shared/parents.ts';
import type { Prepared } from '../types.ts';
import type { LinesEnd } from './lines-end.ts';

/** While a run is this young, lines that poll count as at work, so that a wave's facts share one push. */
const patienceMs = 30_000;

const finalStates = new Set(['planned', 'settled', 'refused', 'failed', 'skipped', 'interrupted', 'paused']);

export interface Drive {
  /** Another run wrote before this one held the lease: these lines looked before that, they end, and count no more. */
  readonly isOutdated: boolean;
  /** Resolves when every line has ended, or only waits for the last push, or when they are outdated. */
  ending(): Promise<void>;
  readonly done: Promise<{ positions(): readonly LinePosition[] }>;
  positions(): readonly LinePosition[];
  snapshot(): Snapshot | null;
}

/** Runs the lines of a session and connects them with the ledger's writer and the signals. */
export function driveLines(o: {
  opened: OpenSession;
  nodes: readonly Node[];
  purpose: 'plan' | 'apply' | 'destroy';
  parents: Parents;
  end: LinesEnd;
  restored: ReadonlyMap<string, VerdictName>;
  prepared: Prepared | null;
}): Drive {
  const { session, connect } = o.opened;
  const started = session.clock.mono();
  let reachEnd: () => void = () => undefined;
  // The first transitions come while the lines are still being made.
  const isConnected = { now: false };
  const isOutdated = (): boolean => o.end.isOutdated;
  const isPatient = (): boolean => session.clock.mono() - started < patienceMs;
  session.tell({ type: 'run', state: 'begun', run: session.runId, lines: o.nodes.length, at: session.clock.now() });
  session.tell({
    type: 'lines',
    lines: o.nodes.map(({ id, after }) => ({ id, after, ...named(workOf(session, id)) })),
    at: session.clock.now(),
  });
  const lines = runLines({
    nodes: o.nodes,
    // A plan of a destroy looks no further than the verdict either.
    purpose: session.purpose === 'plan' ? 'plan' : o.purpose,
    machine: wiredLineMachine(session, o.parents, isOutdated),
    restored: o.restored,
    skipError: (line, because) => {
      const error = dependencyFailed(workOf(session, line), because);
      session.tell({ type: 'failure', line, error, at: session.clock.now() });
      return error;
    },
    onTransition: (line, from, to, event) => {
      if (isOutdated()) return;
      const work = workOf(session, line);
      if (finalStates.has(to)) work.endedAt ??= session.clock.now();
      if (to === 'settled') letGo(work);
      session.tell({ type: 'line', line, from, to, event, at: session.clock.now() });
    },
    onMachine: (transition) => {
      if (!isOutdated()) session.tell({ type: 'machine', ...transition, at: session.clock.now() });
    },
    onQuiet: () => {
      if (!isConnected.now) return;
      session.writer.nudge();
      if (lines.isEnding()) reachEnd();
      else if (lines.left() <= crowd) session.writer.storeAhead();
    },
  });
  const snapshot = (): Snapshot | null => (o.prepared ? snapshotOf(o.prepared) : null);
  const snapshotOf = (prepared: Prepared): Snapshot => ({
    v: 1,
    run: session.runId,
    digest: planDigest(prepared),
    commit: session.sha,
    machine: lineMachineVersion,
    lines: lines.positions().map(({ id, state, context }) => {
      const work = workOf(session, id);
      return { id, state, verdict: context.verdict ?? 'pending', identity: work.identity, generation: work.record?.generation ?? 0 };
    }),
  });
  isConnected.now = true;
  session.writer.isQuiet = () => lines.isQuiet({ pollersCount: isPatient() });
  const interrupt = (): void => lines.interrupt();
  connect({
    hold: lines.hold,
    resume: lines.resume,
    snapshot,
    onlyPolls: () => !isPatient() && lines.isQuiet({ pollersCount: false }),
    moved: () => {
      // A plan holds no lease: its lines look again one by one.
      if (session.purpose === 'plan') return;
      o.end.outdate();
      interrupt();
      reachEnd();
    },
  });
  if (session.stopping.aborted) interrupt();
  else session.stopping.addEventListener('abort', interrupt, { once: true });
  return {
    get isOutdated() {
      return isOutdated();
    },
    ending: async () => {
      // A turn later: lines whose facts were just refused have not told yet that they look again.
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (lines.isEnding() || isOutdated()) return;
      await new Promise<void>((resolve) => {
        reachEnd = resolve;
      });
    },
    done: lines.done.then(() => {
      o.end.release();
      return { positions: lines.positions };
    }),
    positions: lines.positions,
    snapshot,
  };
}

const dependencyFailed = ({ id, place }: LineWork, because: string): ErrorData => ({
  code: 'DEPENDENCY_FAILED',
  summary: errorTable.DEPENDENCY_FAILED.summary,
  detail: `${id}: it needs ${because}, which did not succeed, so nothing was sent for it.`,
  fix: `Correct ${because} first.`,
  ...(place && { place: showPlace(place) }),
});
