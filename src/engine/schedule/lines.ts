import {
  type Actor,
  type AnyActorRef,
  createActor,
  type DoneActorEvent,
  type ErrorActorEvent,
  fromCallback,
  type InspectionEvent,
} from 'xstate';
import type { Snapshot } from '../../ledger/model/facts.ts';
import { type CoordinatorEvent, coordinatorMachine, type EndedLine } from '../../machines/coordinator/coordinator.machine.ts';
import { type Node, Schedule } from '../../machines/coordinator/schedule.ts';
import type { VerdictName } from '../../machines/line/decide.ts';
import { hasTag, type lineMachine } from '../../machines/line/line.machine.ts';
import { type LineContext, type LineEvent, type LineInput, newLine } from '../../machines/line/line-setup.ts';
import { stateOf, type Transition, watch } from '../../machines/watch.ts';
import type { Barrier, Crew } from '../barrier.ts';

type LineMachine = typeof lineMachine;

/** The state of one line. */
export interface LinePosition {
  readonly id: string;
  readonly state: string;
  readonly context: LineContext;
}

export interface LinesOptions {
  readonly nodes: readonly Node[];
  readonly purpose: LineContext['purpose'];
  /** The line machine with its actors provided. */
  readonly machine: LineMachine;
  readonly barrier: Barrier;
  /** The position of the lines, for a commit that is made anyway. */
  readonly position: () => Snapshot | null;
  /** Another run wrote before this one held the lease. */
  readonly outdate: () => void;
  /** Told of lines that wait for others: at their start, and when some of those are available and some are not. */
  readonly lookEarly: (lines: readonly string[]) => void;
  /** Lines that an interrupted run settled, with their verdict then. */
  readonly restored: ReadonlyMap<string, VerdictName>;
  /** Called on every transition of a line, after it. `because`: the line whose end ends this one before its turn. */
  readonly onTransition: (line: string, from: string, to: string, event: string, because?: string) => void;
  /** Called on every transition of the coordinator itself, after it. */
  readonly onMachine?: (transition: Transition) => void;
}

/**
 * The lines of one start: actors beside the coordinator, which tells them when to begin. Spawning thousands as its children would copy
 * their map each time. They share one system, whose root hears how each of them ended.
 */
export class Lines {
  readonly crew: Crew;
  /** Resolves when every line has ended. */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  readonly #o: LinesOptions;
  readonly #schedule: Schedule;
  readonly #system: AnyActorRef;
  readonly #coordinator: Actor<typeof coordinatorMachine>;
  /** The actors of the lines that have begun and not ended. */
  readonly #actors = new Map<string, Actor<LineMachine>>();
  /** The end of each line. Its actor is dropped with all that hangs on it, which would be most of the memory of thousands of lines. */
  readonly #ended = new Map<string, LinePosition>();
  /** The state of each line as it was told last, and as it was counted last. */
  readonly #told = new Map<string, string>();
  readonly #counted = new Map<string, string>();
  readonly #available = new Set<string>();
  /** The line whose end ends this one before its turn. */
  readonly #because = new Map<string, string>();
  /** Lines that the coordinator has not been told of yet. */
  #news: News | null = null;

  constructor(o: LinesOptions) {
    this.#o = o;
    this.#schedule = new Schedule(o.nodes);
    this.crew = o.barrier.begin({ ids: o.nodes.map(({ id }) => id), position: o.position, outdate: o.outdate });
    this.#system = createActor(
      fromCallback<DoneActorEvent | ErrorActorEvent>(({ receive }) => receive(({ actorId }) => this.#end(actorId))),
      { inspect: (event) => this.#inspect(event) },
    ).start();
    this.#coordinator = this.#makeCoordinator();
    this.done = new Promise((resolve, reject) => {
      const complete = (): void => resolve({ interrupted: this.#coordinator.getSnapshot().value === 'interrupted' });
      this.#coordinator.subscribe({ complete, error: reject });
    });
  }

  /** Tells the lines that come after none to begin. */
  start(): void {
    this.#coordinator.start();
    this.crew.started();
  }

  interrupt(): void {
    this.#tell({ type: 'run.interrupt' });
  }

  positions(): readonly LinePosition[] {
    return this.#o.nodes.map(({ id }) => this.#ended.get(id) ?? this.#positionOf(id));
  }

  #makeCoordinator(): Actor<typeof coordinatorMachine> {
    const { nodes, onMachine } = this.#o;
    const machine = coordinatorMachine.provide({
      actions: {
        startReady: () => this.#startReady(),
        release: (_, { lines }) => {
          for (const line of lines) this.#schedule.succeed(line);
        },
        close: (_, { lines }) => this.#endBelow(lines),
        interruptLines: () => {
          queueMicrotask(() => {
            for (const { id } of nodes) this.#send(id, { type: 'line.interrupt' });
          });
        },
      },
    });
    return createActor(machine, {
      input: { lines: nodes.length },
      ...(onMachine && { inspect: watch({ machine: 'coordinator', actor: 'coordinator', initial: '' }, onMachine) }),
    });
  }

  /** Runs after this transition: an actor that is made within a transition would take its own actions for custom ones. */
  #startReady(): void {
    const ready = this.#schedule.takeReady();
    const waiting = this.#schedule.takeWaiting();
    if (ready.length === 0 && waiting.length === 0) return;
    this.crew.soon(() => {
      for (const id of ready) this.#send(id, { type: 'line.start' });
      this.#o.lookEarly(waiting);
    });
  }

  /**
   * Ends the lines that come after lines without outputs: below a paused line they wait like it, and below any other they are skipped. A
   * line that got their outputs goes on, even if their own record was lost.
   */
  #endBelow(lines: readonly EndedLine[]): void {
    const lost = lines.filter(({ line, ok }) => !ok && !this.#available.has(line));
    if (lost.length === 0) return;
    const below = lost.flatMap(({ line }) => this.#schedule.fail(line).map((id) => ({ id, because: line })));
    // After this transition: such a line ends and reports back to the coordinator.
    this.crew.soon(() => {
      for (const { id, because } of below) {
        if (this.#ended.has(id)) continue;
        this.#because.set(id, because);
        this.#send(id, { type: this.#ended.get(because)?.state === 'paused' ? 'line.pause' : 'line.skip' });
      }
    });
  }

  #inspect(event: InspectionEvent): void {
    const id = 'id' in event.actorRef ? String(event.actorRef.id) : '';
    if (event.type === '@xstate.microstep') this.#tellStep(id, stateOf(event.snapshot), event.event.type);
    else if (event.type === '@xstate.snapshot') this.#count(id);
  }

  #tellStep(id: string, to: string | null, event: string): void {
    const from = this.#told.get(id);
    if (to === null || from === undefined || to === from) return;
    this.#told.set(id, to);
    this.#o.onTransition(id, from, to, event, this.#because.get(id));
  }

  /** Counts a line after every event. An event that changed nothing leaves a line that waits for the ledger waiting. */
  #count(id: string): void {
    const snapshot = this.#actors.get(id)?.getSnapshot();
    const state = stateOf(snapshot);
    if (!snapshot || state === this.#counted.get(id)) return;
    if (state !== null) this.#counted.set(id, state);
    const [isIdle, isPolling, isFinal] = [snapshot.hasTag('idle'), snapshot.hasTag('polling'), snapshot.hasTag('final')];
    if (snapshot.hasTag('available') && !this.#available.has(id)) {
      this.#available.add(id);
      this.#newsNow().available.push(id);
    }
    this.crew.enter(id, { isAtWork: !isIdle && !isPolling && !isFinal, isPolling, isFinal });
  }

  #end(id: string): void {
    if (this.#ended.has(id)) return;
    this.#count(id);
    const isDone = this.#actors.get(id)?.getSnapshot().status === 'done';
    const position = this.#positionOf(id);
    this.#ended.set(id, position);
    this.#actors.delete(id);
    const ok = isDone && hasTag(position.state, 'available');
    this.#newsNow().ended.push({ line: id, ok });
    this.crew.leave(id);
  }

  #positionOf(id: string): LinePosition {
    const snapshot = this.#actors.get(id)?.getSnapshot();
    if (!snapshot) return { id, state: 'waiting', context: newLine(this.#inputOf(id)) };
    return { id, state: stateOf(snapshot) ?? 'failed', context: snapshot.context };
  }

  /** Makes the line's actor when it is first told something. A line that has ended is told nothing more. */
  #send(id: string, event: LineEvent): void {
    if (this.#ended.has(id)) return;
    const actor = this.#actors.get(id) ?? this.#make(id);
    // An event to an actor that is about to end would print a warning on the user's terminal.
    if (actor.getSnapshot().status === 'active') actor.send(event);
  }

  #make(id: string): Actor<LineMachine> {
    const actor = createActor(this.#o.machine, { id, input: this.#inputOf(id), parent: this.#system });
    this.#actors.set(id, actor);
    this.#told.set(id, 'waiting');
    return actor.start();
  }

  #inputOf(id: string): LineInput {
    const restored = this.#o.restored.get(id);
    return { line: id, purpose: this.#o.purpose, ...(restored && { restored }) };
  }

  /** Collects news until the end of this turn, and the coordinator then hears of all of it at once. */
  #newsNow(): News {
    if (this.#news) return this.#news;
    const now: News = { available: [], ended: [] };
    this.#news = now;
    this.crew.soon(() => {
      this.#news = null;
      if (now.available.length > 0) this.#tell({ type: 'lines.available', lines: now.available });
      if (now.ended.length > 0) this.#tell({ type: 'lines.ended', lines: now.ended });
    });
    return now;
  }

  /** The coordinator may be done before the last line's outputs are announced. */
  #tell(event: CoordinatorEvent): void {
    if (this.#coordinator.getSnapshot().status === 'active') this.#coordinator.send(event);
  }
}

interface News {
  readonly available: string[];
  readonly ended: EndedLine[];
}
