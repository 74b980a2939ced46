/** As many lines as go on in one turn of the process: what the client has under way to one host at first. */
export const crowd = 16;

/**
 * Lets a crowd of lines on in each turn of the process, and the others in the turns after it. Hundreds become free at once when the
 * ledger has taken what they are about to do: what the first ones send is under way while the others come to it.
 */
export class Crowds {
  /** Those who wait, each crowd behind one promise: thousands do. */
  readonly #waiting: (PromiseWithResolvers<void> & { count: number })[] = [];
  #room = crowd;

  /** Resolves when it is one's turn. Who came first goes first. */
  pass(): Promise<void> {
    if (this.#room === crowd) setImmediate(this.#nextTurn);
    if (this.#room > 0) {
      this.#room -= 1;
      return Promise.resolve();
    }
    const last = this.#waiting.at(-1);
    const mine = last && last.count < crowd ? last : { ...Promise.withResolvers<void>(), count: 0 };
    if (mine !== last) this.#waiting.push(mine);
    mine.count += 1;
    return mine.promise;
  }

  readonly #nextTurn = (): void => {
    const next = this.#waiting.shift();
    this.#room = crowd - (next?.count ?? 0);
    if (next) setImmediate(this.#nextTurn);
    next?.resolve();
  };
}
