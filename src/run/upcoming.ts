import type { Client } from '../http/client.ts';
import type { LineWork } from './work.ts';

/** The writes that wait for the ledger: while it takes what they are about to do, connections for them are opened. */
export class Upcoming {
  readonly #client: Pick<Client, 'expect'>;
  /** Base URL → lines that will write there. */
  readonly #lines = new Map<string, number>();

  constructor(client: Pick<Client, 'expect'>) {
    this.#client = client;
  }

  /** Resolves with `stored`, after which the line writes. */
  async during<T>({ http }: LineWork, stored: Promise<T>): Promise<T> {
    if (!http) return await stored;
    const { block } = http;
    const add = (more: 1 | -1): number => {
      const count = (this.#lines.get(block.base_url) ?? 0) + more;
      this.#lines.set(block.base_url, count);
      return count;
    };
    this.#client.expect(block, add(1));
    try {
      return await stored;
    } finally {
      add(-1);
    }
  }
}
