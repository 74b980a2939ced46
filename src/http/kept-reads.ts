/** Reads of one look. A second look of the same kind gets their answers, and sends only its other reads. */
export class KeptReads {
  readonly #reads = new Map<string, Promise<unknown>>();

  /** The key stands for `T`. A read that failed is not kept. */
  join<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#reads.get(key);
    if (known) return known as Promise<T>;
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => this.#reads.delete(key));
    return reading;
  }
}
