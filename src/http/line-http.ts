import type { Sealed } from '../core/sealed.ts';
import type { KnownSigner } from './auth/signers.ts';
import { excerpt } from './excerpt.ts';
import { accessOf, joinReads, sendRequest } from './send.ts';
import type { Api, Shared } from './shared.ts';
import type { Answer, Http, Joined, Known, ProviderBlock, RequestSpec, SendOptions } from './types.ts';

/** One API as one line uses it. There are thousands of them in a run, so what they share they do not each have. */
export class LineHttp implements Http, Api {
  readonly block: ProviderBlock;
  readonly line: string | null;
  readonly known: Known;
  readonly #credential: Sealed | null;
  readonly #client: ClientParts;

  constructor(client: ClientParts, o: { block: ProviderBlock; credential: Sealed | null; line: string | null; known: Known }) {
    this.#client = client;
    this.block = o.block;
    this.line = o.line;
    this.known = o.known;
    this.#credential = o.credential;
  }

  send(request: RequestSpec, options: SendOptions): Promise<Answer> {
    return sendRequest(this.#client.shared, this, request, options);
  }

  joined<T>(what: Joined, read: () => Promise<T>): Promise<T> {
    return joinReads(this.#client.shared, this, what, read);
  }

  get access(): string {
    return accessOf(this);
  }

  quote(body: unknown): string {
    return excerpt(body, this.#client.shared.redactor);
  }

  time(): number | null {
    const base = URL.parse(this.block.base_url);
    return base && this.#client.shared.originOf(base).timeAt(this.block.base_url).now();
  }

  signer(): KnownSigner {
    return this.#client.signerOf(this.block, this.#credential);
  }
}

interface ClientParts {
  readonly shared: Shared;
  readonly signerOf: (block: ProviderBlock, credential: Sealed | null) => KnownSigner;
}
