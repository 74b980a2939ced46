/** Work that answers only callers who asked before it began. Callers who ask while it runs share the next round. */
export class NextRound<T = void> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | null = null;

  /** True when nobody waits for another round. */
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
