import type { Client } from '../../http/client.ts';
import type { Http } from '../../http/types.ts';

/** The writes that wait for the ledger: while it takes what they are about to do, connections for them are opened. */
export class Upcoming {
  readonly #client: Pick<Client, 'expect'>;
  readonly #hosts = new Map<string, Host>();

  constructor(client: Pick<Client, 'expect'>) {
    this.#client = client;
  }

  /** `stored`: the promise after which the line writes. */
  during<T>({ http }: { readonly http: Http | null }, stored: Promise<T>): Promise<T> {
    if (!http) return stored;
    const { block } = http;
    const host = this.#hosts.get(block.base_url) ?? newHost();
    this.#hosts.set(block.base_url, host);
    host.lines += 1;
    this.#client.expect(block, host.lines);
    stored.then(host.end, host.end);
    return stored;
  }
}

/** The writes of one base URL. */
interface Host {
  /** The count of lines that will write there. */
  lines: number;
  /** One of these lines no longer waits. */
  readonly end: () => void;
}

function newHost(): Host {
  const host: Host = {
    lines: 0,
    end: () => {
      host.lines -= 1;
    },
  };
  return host;
}
