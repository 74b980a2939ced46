/** As many lines as go on in one turn of the process: what the client has under way to one host at first. */
export const crowd = 16;

/**
 * Lets a crowd of lines on in each turn of the process, and the others in the turns after it. Hundreds become free at once when the
 * ledger has taken what they are about to do: what the first ones send is under way while the others come to it.
 */
export class Crowds {
  readonly #waiting: (() => void)[] = [];
  #room = crowd;

  /** Resolves when it is one's turn. Who came first goes first. */
  pass(): Promise<void> {
    if (this.#room === crowd) setImmediate(this.#nextTurn);
    if (this.#room === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#room -= 1;
    return Promise.resolve();
  }

  readonly #nextTurn = (): void => {
    const next = this.#waiting.splice(0, crowd);
    this.#room = crowd - next.length;
    if (next.length > 0) setImmediate(this.#nextTurn);
    for (const resolve of next) resolve();
  };
}
