import { setImmediate as turn } from 'node:timers/promises';

/** Something that happens at a moment of virtual time. */
interface Event {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
  cancelled: boolean;
}

/**
 * Virtual time for everything that a seed holds: processes, providers, the git host. Nothing happens between events, so the order
 * of all that happens is decided by the seed alone.
 */
export class Timeline {
  #now = 0;
  #order = 0;
  #events: Event[] = [];
  /** Called after each event, when everything that it started has come to rest. */
  afterEach: () => void = () => undefined;

  /** Milliseconds since the start of the seed. */
  get now(): number {
    return this.#now;
  }

  /** Fires `ms` from now unless it is cancelled before; events of one moment fire in the order they were made. */
  in(ms: number, fire: () => void): { cancel(): void } {
    this.#order += 1;
    const event: Event = { at: this.#now + Math.max(0, ms), order: this.#order, fire, cancelled: false };
    this.#push(event);
    return {
      cancel: () => {
        event.cancelled = true;
      },
    };
  }

  /** Lets time pass until `isOver`, no event is left, or `latest` (ms since the start) is reached. */
  async run(isOver: () => boolean, latest: number): Promise<'over' | 'idle' | 'late'> {
    // What was started before the first event comes to rest as well.
    await turn();
    for (;;) {
      this.afterEach();
      if (isOver()) return 'over';
      const event = this.#pop();
      if (!event || event.at > latest) {
        if (event) this.#push(event);
        if (Number.isFinite(latest)) this.#now = Math.max(this.#now, latest);
        return event ? 'late' : 'idle';
      }
      this.#now = Math.max(this.#now, event.at);
      event.fire();
      await turn();
      // The little that is read from the real disk takes no virtual time.
      while (isAtWork()) await turn();
    }
  }

  #push(event: Event): void {
    const heap = this.#events;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (!parent || isBefore(parent, event)) break;
      heap[at] = parent;
      heap[up] = event;
      at = up;
    }
  }

  #pop(): Event | undefined {
    for (;;) {
      const first = this.#take();
      if (!first?.cancelled) return first;
    }
  }

  #take(): Event | undefined {
    const heap = this.#events;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    let at = 0;
    for (;;) {
      const left = heap[at * 2 + 1];
      const right = heap[at * 2 + 2];
      const child = right && left && isBefore(right, left) ? at * 2 + 2 : at * 2 + 1;
      const least = heap[child];
      if (!least || isBefore(last, least)) return first;
      heap[child] = last;
      heap[at] = least;
      at = child;
    }
  }
}

const isAtWork = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
