import { type Actor, createActor, type InspectionEvent } from 'xstate';
import type { ErrorData } from '../../core/errors.ts';
import type { VerdictName } from '../line/decide.ts';
import type { LineContext, LineInput, lineMachine } from '../line/line.machine.ts';
import { coordinatorMachine } from './coordinator.machine.ts';
import { type Node, Schedule } from './schedule.ts';

type LineMachine = typeof lineMachine;

/** Where one line stands. */
export interface LinePosition {
  readonly id: string;
  readonly state: string;
  readonly context: LineContext;
}

export interface RunLinesOptions {
  readonly nodes: readonly Node[];
  readonly purpose: LineContext['purpose'];
  /** The line machine with its actors provided. */
  readonly machine: LineMachine;
  /** Lines that an interrupted run settled, with their verdict then. */
  readonly restored: ReadonlyMap<string, VerdictName>;
  /** Lines of a plan whose producers failed are still shown: the error says which. */
  readonly skipError: (line: string, because: string) => ErrorData;
  /** Called on every transition of a line, after it. */
  readonly onTransition: (line: string, from: string, to: string, event: string) => void;
  /** Something may have become quiet. */
  readonly onQuiet: () => void;
}

export interface LinesRun {
  /** Resolves when every line has ended. */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  interrupt(): void;
  /** True when no line is at work: all wait for the ledger, for others, or (`polling`) for something to become ready. */
  isQuiet(o: { pollersCount: boolean }): boolean;
  /** True when every line has ended or only waits for its record to become durable. */
  isEnding(): boolean;
  positions(): readonly LinePosition[];
}

/** Starts lines as root actors beside the coordinator: spawning thousands as children would copy their map each time. */
export function runLines(o: RunLinesOptions): LinesRun {
  const schedule = new Schedule(o.nodes);
  const actors = new Map<string, Actor<LineMachine>>();
  const last = new Map<string, string>();
  const available = new Set<string>();
  const ended = new Set<string>();
  const byId = new Map(o.nodes.map((node) => [node.id, node]));

  const inspect = (event: InspectionEvent): void => {
    if (event.type !== '@xstate.microstep') return;
    const to = stateOf(event.snapshot);
    const id = 'id' in event.actorRef ? String(event.actorRef.id) : '';
    const from = last.get(id);
    if (to === null || from === undefined || to === from) return;
    last.set(id, to);
    o.onTransition(id, from, to, event.event.type);
  };

  const make = (id: string): Actor<LineMachine> => {
    const restored = o.restored.get(id);
    const input: LineInput = { line: id, purpose: o.purpose, ...(restored && { restored }) };
    const actor = createActor(o.machine, { id, input, inspect });
    actors.set(id, actor);
    last.set(id, 'waiting');
    actor.subscribe({
      next: (snapshot) => {
        if (snapshot.hasTag('available') && !available.has(id)) {
          available.add(id);
          queueMicrotask(() => coordinator.send({ type: 'line.available', line: id }));
        }
        o.onQuiet();
      },
      complete: () => end(id),
      error: () => end(id),
    });
    actor.start();
    return actor;
  };

  const end = (id: string): void => {
    if (ended.has(id)) return;
    ended.add(id);
    coordinator.send({
      type: 'line.ended',
      line: id,
      ok: available.has(id) && actors.get(id)?.getSnapshot().status === 'done' && !isFailure(actors.get(id)),
    });
    o.onQuiet();
  };

  const skip = (id: string, because: string): void => {
    actors.get(id)?.send({ type: 'line.skip', error: o.skipError(id, because) });
  };

  const coordinator = createActor(
    coordinatorMachine.provide({
      actions: {
        startReady: () => {
          for (const id of schedule.takeReady()) actors.get(id)?.send({ type: 'line.start' });
        },
        release: (_, { line }) => schedule.succeed(line),
        close: (_, { line, ok }) => {
          if (ok) return;
          const skipped = schedule.fail(line);
          // Sent after this transition: a skipped line ends and reports back to the coordinator.
          queueMicrotask(() => {
            for (const { id, because } of skipped) skip(id, because);
          });
        },
        interruptLines: () => {
          queueMicrotask(() => {
            for (const actor of actors.values()) actor.send({ type: 'line.interrupt' });
          });
        },
      },
    }),
    { input: { lines: o.nodes.length } },
  );
  const done = new Promise<{ interrupted: boolean }>((resolve, reject) => {
    coordinator.subscribe({ complete: () => resolve({ interrupted: coordinator.getSnapshot().value === 'interrupted' }), error: reject });
  });

  for (const node of o.nodes) make(node.id);
  coordinator.start();

  const open = function* (): Iterable<Actor<LineMachine>> {
    for (const [id, actor] of actors) if (!ended.has(id)) yield actor;
  };
  return {
    done,
    interrupt: () => coordinator.send({ type: 'run.interrupt' }),
    isQuiet: ({ pollersCount }) => {
      for (const actor of open()) {
        const snapshot = actor.getSnapshot();
        if (snapshot.value === 'waiting') {
          // A line that waits for producers which are all available is about to start.
          if (isStarting(actor.id)) return false;
        } else if (!snapshot.hasTag('idle') && (pollersCount || !snapshot.hasTag('polling'))) return false;
      }
      return true;
    },
    isEnding: () => {
      for (const actor of open()) {
        const snapshot = actor.getSnapshot();
        if (
          !snapshot.matches('recording') &&
          !snapshot.matches('recordingRemoval') &&
          !snapshot.matches('recordingUnready') &&
          !snapshot.matches('recordingInterrupted')
        )
          return false;
      }
      return true;
    },
    positions: () =>
      [...actors].map(([id, actor]) => ({ id, state: stateOf(actor.getSnapshot()) ?? 'failed', context: actor.getSnapshot().context })),
  };

  function isStarting(id: string): boolean {
    const node = byId.get(id);
    return node ? node.after.every((producer) => available.has(producer)) : false;
  }
}

const isFailure = (actor: Actor<LineMachine> | undefined): boolean => {
  const snapshot = actor?.getSnapshot();
  return (
    !snapshot ||
    snapshot.matches('failed') ||
    snapshot.matches('refused') ||
    snapshot.matches('skipped') ||
    snapshot.matches('interrupted') ||
    snapshot.matches('paused')
  );
};

function stateOf(snapshot: unknown): string | null {
  if (typeof snapshot !== 'object' || snapshot === null || !('value' in snapshot)) return null;
  return typeof snapshot.value === 'string' ? snapshot.value : JSON.stringify(snapshot.value);
}
