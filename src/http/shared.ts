import type { Headers } from 'undici';
import type { Redactor } from '../core/redact.ts';
import type { SignedRequest, Signer } from './auth/signer.ts';
import type { Wire } from './exchange.ts';
import type { KeptReads } from './kept-reads.ts';
import type { Origin } from './origin.ts';
import type { GraphqlRequest, Known, Method, ProviderBlock, SendOptions, WriteGate } from './types.ts';

export interface RequestFacts {
  readonly line: string | null;
  readonly method: Method;
  readonly url: string;
  /** `null` where no answer came. */
  readonly status: number | null;
  readonly ms: number;
  /** Counts from 1. */
  readonly attempt: number;
}

/** Every request of one client shares this. */
export interface Shared extends Wire {
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly gate: WriteGate | null;
  readonly random: () => number;
  originOf(url: URL): Origin;
  /** The address of a block's requests. The block itself may hold only the known form of its address. */
  addressOf(block: ProviderBlock): string;
  count(facts: { readonly line: string | null; readonly write: boolean }): void;
  tell(facts: RequestFacts): void;
}

/** One API as one line uses it. */
export interface Api {
  readonly block: ProviderBlock;
  readonly line: string | null;
  readonly known: Known;
  /** The reads of an earlier look that this look repeats; `null` where there was none. */
  readonly kept: KeptReads | null;
  readonly signer: () => { readonly id: string; readonly signer: Signer };
}

/** A request that is ready to be sent any number of times. Only its credential is made anew each time. */
export interface Prepared {
  readonly block: ProviderBlock;
  readonly line: string | null;
  readonly known: Known;
  readonly method: Method;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | null;
  /** Says where the body stands in the answer. */
  readonly graphql: GraphqlRequest | null;
  readonly signed: SignedRequest;
  /** `null` for a request that carries no credential. */
  readonly signer: Signer | null;
  readonly options: SendOptions;
  readonly write: boolean;
}
