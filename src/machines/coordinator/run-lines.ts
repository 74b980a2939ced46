import { type Actor, createActor, type DoneActorEvent, type ErrorActorEvent, fromCallback, type InspectionEvent } from 'xstate';
import type { ErrorData } from '../../core/errors.ts';
import type { VerdictName } from '../line/decide.ts';
import { type LineContext, type LineEvent, type LineInput, type lineMachine, newLine } from '../line/line.machine.ts';
import { stateOf, type Transition, watch } from '../watch.ts';
import { type CoordinatorEvent, coordinatorMachine, type EndedLine } from './coordinator.machine.ts';
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
  /** Called on every transition of the coordinator itself, after it. */
  readonly onMachine?: (transition: Transition) => void;
  /** Something may have become quiet. */
  readonly onQuiet: () => void;
}

export interface LinesRun {
  /** Resolves when every line has ended. */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  interrupt(): void;
  /** True when no line is at work: all wait for the ledger or for others; with `pollersCount` a line that polls is at work too. */
  isQuiet(o: { pollersCount: boolean }): boolean;
  /**
   * The line handed its facts to the ledger, or asked for the lease, and is not at work until `resume` or its next state.
   * `isLast`: nothing of it is left to do but to see them become durable.
   */
  hold(id: string, o: { isLast: boolean }): void;
  resume(id: string): void;
  /** How many lines have neither ended nor come to where they only wait for their record to become durable. */
  left(): number;
  /** True when none is left. */
  isEnding(): boolean;
  positions(): readonly LinePosition[];
}

/**
 * Starts lines as actors beside the coordinator: spawning thousands as its children would copy their map each time. They share one
 * system, whose root is told how each of them ended: a system and observers for each would be two thirds of what an actor takes.
 */
export function runLines(o: RunLinesOptions): LinesRun {
  const schedule = new Schedule(o.nodes);
  /** Of the lines that have begun and not ended. */
  const actors = new Map<string, Actor<LineMachine>>();
  const last = new Map<string, string>();
  const seen = new Map<string, string>();
  const available = new Set<string>();
  /** How each line ended: its actor and all that hangs on it are let go, which is most of what thousands of lines take. */
  const ended = new Map<string, LinePosition>();
  const busy = new Set<string>();
  const polling = new Set<string>();
  /** Lines that wait for the ledger, with what they were at before: at work, or polling. */
  const held = new Map<string, Set<string>>();
  /** Lines that have not come to their last durable step. */
  const unsettled = new Set(o.nodes.map((node) => node.id));
  /** What is to happen after the transitions under way: lines are about to start, or to end. */
  let pending = 0;
  /** Lines that the coordinator has not been told of yet. */
  let news: { readonly available: string[]; readonly ended: EndedLine[] } | null = null;
  /** Lines that may start, the next first. */
  const ready: string[] = [];
  let isStarting = false;
  /** Those that may start at once have. */
  let hasBegun = false;

  const inspect = (event: InspectionEvent): void => {
    const id = 'id' in event.actorRef ? String(event.actorRef.id) : '';
    if (event.type === '@xstate.microstep') tellStep(id, stateOf(event.snapshot), event.event.type);
    else if (event.type === '@xstate.snapshot') note(id);
  };

  const tellStep = (id: string, to: string | null, event: string): void => {
    const from = last.get(id);
    if (to === null || from === undefined || to === from) return;
    last.set(id, to);
    o.onTransition(id, from, to, event);
  };

  const inputOf = (id: string): LineInput => {
    const restored = o.restored.get(id);
    return { line: id, purpose: o.purpose, ...(restored && { restored }) };
  };

  /** The line's actor, made when it is first told something. */
  const actorOf = (id: string): Actor<LineMachine> => actors.get(id) ?? make(id);

  const make = (id: string): Actor<LineMachine> => {
    const actor = createActor(o.machine, { id, input: inputOf(id), parent: system });
    actors.set(id, actor);
    last.set(id, 'waiting');
    return actor.start();
  };

  /** After every event of a line, also one that changed nothing: a line that waits for the ledger goes on waiting. */
  const note = (id: string): void => {
    const snapshot = actors.get(id)?.getSnapshot();
    const state = stateOf(snapshot);
    if (!snapshot || state === seen.get(id)) return;
    if (state !== null) seen.set(id, state);
    held.delete(id);
    place(busy, id, !snapshot.hasTag('idle') && !snapshot.hasTag('polling') && !snapshot.hasTag('final'));
    place(polling, id, snapshot.hasTag('polling'));
    place(unsettled, id, !snapshot.hasTag('final'));
    if (snapshot.hasTag('available') && !available.has(id)) {
      available.add(id);
      newsNow().available.push(id);
    }
    o.onQuiet();
  };

  const positionOf = (id: string): LinePosition => {
    const snapshot = actors.get(id)?.getSnapshot();
    if (!snapshot) return { id, state: 'waiting', context: newLine(inputOf(id)) };
    return { id, state: stateOf(snapshot) ?? 'failed', context: snapshot.context };
  };

  /** A line that has ended is told nothing more. */
  const send = (id: string, event: LineEvent): void => {
    if (ended.has(id)) return;
    const actor = actorOf(id);
    // One that is about to end would warn on the user's terminal.
    if (actor.getSnapshot().status === 'active') actor.send(event);
  };

  const end = (id: string): void => {
    if (ended.has(id)) return;
    note(id);
    const snapshot = actors.get(id)?.getSnapshot();
    const position = positionOf(id);
    ended.set(id, position);
    actors.delete(id);
    for (const known of [busy, held, polling, unsettled]) known.delete(id);
    const ok = available.has(id) && snapshot?.status === 'done' && !endsBadly.has(position.state);
    newsNow().ended.push({ line: id, ok });
    o.onQuiet();
  };

  /** After the transitions under way; the run is not quiet before. */
  const soon = (act: () => void): void => {
    pending += 1;
    queueMicrotask(() => {
      pending -= 1;
      act();
      // Nobody else may come to tell that nothing is pending any more.
      o.onQuiet();
    });
  };

  /** What the coordinator will be told of next: all that comes until then is told at once. */
  const newsNow = (): NonNullable<typeof news> => {
    if (news) return news;
    const now = { available: [], ended: [] };
    news = now;
    soon(() => {
      news = null;
      if (now.available.length > 0) tell({ type: 'lines.available', lines: now.available });
      if (now.ended.length > 0) tell({ type: 'lines.ended', lines: now.ended });
    });
    return now;
  };

  /** The coordinator may be done before the last line's outputs are announced. */
  const tell = (event: CoordinatorEvent): void => {
    if (coordinator.getSnapshot().status === 'active') coordinator.send(event);
  };

  /**
   * At first no more than a crowd starts in one turn of the process, so that what they ask is under way while the others are being started:
   * none of them writes before the run is quiet. Then only a few at a time: an answer that comes meanwhile, as a page that names the next,
   * is not to wait for many of them. Later all that become ready start together, or what they write to together would be written several
   * times.
   */
  const startSome = (): void => {
    const most = hasBegun ? ready.length : actors.size === 0 ? crowd : few;
    for (const id of ready.splice(0, most)) send(id, { type: 'line.start' });
    isStarting = ready.length > 0;
    hasBegun ||= !isStarting;
    if (isStarting) setImmediate(startSome);
    o.onQuiet();
  };

  const skip = (id: string, because: string): void => {
    if (!ended.has(id)) send(id, { type: 'line.skip', error: o.skipError(id, because) });
  };

  const system = createActor(
    fromCallback<DoneActorEvent | ErrorActorEvent>(({ receive }) => receive(({ actorId }) => end(actorId))),
    { inspect },
  ).start();
  const coordinator = createActor(
    coordinatorMachine.provide({
      actions: {
        startReady: () => {
          for (const id of schedule.takeReady()) ready.push(id);
          if (isStarting || ready.length === 0) return;
          isStarting = true;
          // After this transition: an actor that is made within it would take its own for custom ones.
          queueMicrotask(startSome);
        },
        release: (_, { lines }) => {
          for (const line of lines) schedule.succeed(line);
        },
        close: (_, { lines }) => {
          // Whoever got its outputs goes on, although its own record was lost.
          const lost = lines.filter(({ line, ok }) => !ok && !available.has(line));
          if (lost.length === 0) return;
          const skipped = lost.flatMap(({ line }) => schedule.fail(line));
          // After this transition: a skipped line ends and reports back to the coordinator.
          soon(() => {
            for (const { id, because } of skipped) skip(id, because);
          });
        },
        interruptLines: () => {
          queueMicrotask(() => {
            for (const { id } of o.nodes) send(id, { type: 'line.interrupt' });
          });
        },
      },
    }),
    {
      input: { lines: o.nodes.length },
      ...(o.onMachine && { inspect: watch({ machine: 'coordinator', actor: 'coordinator', initial: '' }, o.onMachine) }),
    },
  );
  const done = new Promise<{ interrupted: boolean }>((resolve, reject) => {
    coordinator.subscribe({ complete: () => resolve({ interrupted: coordinator.getSnapshot().value === 'interrupted' }), error: reject });
  });

  coordinator.start();

  return {
    done,
    interrupt: () => tell({ type: 'run.interrupt' }),
    isQuiet: ({ pollersCount }) => busy.size === 0 && pending === 0 && !isStarting && (!pollersCount || polling.size === 0),
    left: () => unsettled.size,
    isEnding: () => unsettled.size === 0 && pending === 0,
    hold: (id, { isLast }) => {
      for (const set of [busy, polling]) if (set.delete(id)) held.set(id, set);
      if (isLast) unsettled.delete(id);
      o.onQuiet();
    },
    resume: (id) => {
      held.get(id)?.add(id);
      held.delete(id);
    },
    positions: () => o.nodes.map(({ id }) => ended.get(id) ?? positionOf(id)),
  };
}

/** As many lines as start in the first turn: what the client has under way to one host at first. */
export const crowd = 16;

/** As many lines as start in one turn while answers are coming in. */
const few = 4;

const endsBadly = new Set(['failed', 'refused', 'skipped', 'interrupted', 'paused']);

function place(set: Set<string>, id: string, isIn: boolean): void {
  if (isIn) set.add(id);
  else set.delete(id);
}
