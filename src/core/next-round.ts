/** Work that answers only who asked before it began. Those who ask while it runs share the next round of it. */
export class NextRound<T = void> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | null = null;

  /** Nobody waits for a round that is still to begin. */
  get isLast(): boolean {
    return this.#next === null;
  }

  ask(work: () => Promise<T>): Promise<T> {
    this.#next ??= this.#running.then(
      () => this.#begin(work),
      () => this.#begin(work),
    );
    return this.#next;
  }

  #begin(work: () => Promise<T>): Promise<T> {
    this.#next = null;
    const running = work();
    this.#running = running;
    return running;
  }
}
