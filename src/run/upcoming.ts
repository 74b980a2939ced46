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
    const baseUrl = http?.block.base_url ?? '';
    const count = (this.#lines.get(baseUrl) ?? 0) + 1;
    this.#lines.set(baseUrl, count);
    this.#client.expect(baseUrl, count);
    try {
      return await stored;
    } finally {
      this.#lines.set(baseUrl, (this.#lines.get(baseUrl) ?? 1) - 1);
    }
  }
}
