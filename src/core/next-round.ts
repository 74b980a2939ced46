/** Work that answers only who asked before it began. Those who ask while it runs share the next round of it. */
export class NextRound {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | null = null;

  ask(work: () => Promise<void>): Promise<void> {
    this.#next ??= this.#running.then(
      () => this.#begin(work),
      () => this.#begin(work),
    );
    return this.#next;
  }

  #begin(work: () => Promise<void>): Promise<void> {
    this.#next = null;
    const running = work();
    this.#running = running;
    return running;
  }
}
