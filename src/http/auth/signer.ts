import type { Headers } from 'undici';
import type { Clock } from '../../core/clock.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Sealed } from '../../core/sealed.ts';
import type { RunCommand } from '../../platform/command.ts';
import type { Answer, ProviderBlock } from '../types.ts';

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** The headers beside the credential. A signer must not change them. */
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
}

/** The headers of one attempt that prove who asks. */
export type Proof = Readonly<Record<string, string>>;

/** Proves to the provider who is asking, anew for every attempt. */
export interface Signer {
  headers(request: SignedRequest): Promise<Record<string, string>>;
  /** Gives the address in the spelling that is signed. A signer without this leaves the address as it is. */
  address?(url: URL): URL;
  /**
   * Called after a 401 to these headers: makes the next `headers` differ from the refused ones. `false` says that sending again
   * would change nothing. For a signer without this a 401 is final.
   */
  refresh?(refused: Proof, headers: Answer['headers']): Promise<boolean>;
  /** Whether a refusal with another status is like a 401: nothing happened, and `refresh` may help. */
  isUnproven?(answer: Answer): boolean;
  /** How often one request may be sent again after a 401; once where this is left out. */
  readonly rounds?: number;
  /** Called at the end of each attempt that asked for headers; `null` when the attempt got no answer, or was not sent at all. */
  ended?(proof: Proof, answer: Pick<Answer, 'status' | 'headers'> | null): void;
  /** Why a refusal is the credential's fault, where its status alone does not say so. */
  explain?(answer: Answer): { readonly detail: string; readonly fix: string } | null;
}

export interface SignerContext {
  readonly block: ProviderBlock;
  /** Replaces the value of the block's credential for one line. */
  readonly credential: Sealed | null;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** Starts a program that prints a token. The end of the run ends the program. */
  readonly run: RunCommand;
  /** Sends a token request with the client's proxy, deadline, retries and counts, and without a signer. */
  readonly fetchToken: (url: URL, init: { readonly body: string; readonly headers: Readonly<Record<string, string>> }) => Promise<Response>;
}
