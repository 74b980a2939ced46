import { type Filter, matching, noFilter } from '../filter.ts';
import type { Chosen } from '../graph-model.ts';
import type { RunTrace } from '../model.ts';

/** The current view of the page. */
export interface View {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly isPlaying: boolean;
  readonly chosen: Chosen;
  readonly filter: Filter;
  /** Indexes of lines that match the filter. */
  readonly shown: readonly number[];
  /** A counter that rises when colours or sizes change. */
  readonly look: number;
}

type Listener = (view: View, changed: ReadonlySet<keyof View>) => void;

/** Holds everything that can change. Every part of the page draws from the store, at most once per frame. */
export class Store {
  readonly trace: RunTrace;
  #view: View;
  readonly #listeners: Listener[] = [];
  readonly #changed = new Set<keyof View>();
  #isScheduled = false;

  constructor(trace: RunTrace) {
    this.trace = trace;
    const at = trace.ms;
    this.#view = { at, isPlaying: false, chosen: null, filter: noFilter, shown: matching(trace, noFilter, at), look: 0 };
  }

  get view(): View {
    return this.#view;
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener);
    for (const key of Object.keys(this.#view) as (keyof View)[]) this.#changed.add(key);
    this.#schedule();
  }

  set(change: Partial<Omit<View, 'shown'>>): void {
    const at = change.at === undefined ? this.#view.at : Math.min(Math.max(0, change.at), this.trace.ms);
    const next = { ...this.#view, ...change, at };
    for (const key of Object.keys(next) as (keyof View)[]) if (next[key] !== this.#view[key]) this.#changed.add(key);
    this.#view = next;
    if (this.#changed.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  /** Draws all changes now, because printing does not wait for the next frame. */
  flush(): void {
    this.#filter();
    const changed = new Set(this.#changed);
    this.#changed.clear();
    for (const listener of this.#listeners) listener(this.#view, changed);
  }

  /** Finds the matching lines. The moment matters only if the filter names a state or a verdict. */
  #filter(): void {
    const { filter, at, shown } = this.#view;
    const isOfTheMoment = filter.text !== '' || filter.state !== '' || filter.verdict !== '';
    if (!this.#changed.has('filter') && !(isOfTheMoment && this.#changed.has('at'))) return;
    const found = matching(this.trace, filter, at);
    if (found.length === shown.length && found.every((index, i) => index === shown[i])) return;
    this.#view = { ...this.#view, shown: found };
    this.#changed.add('shown');
  }
}
