import { canonicalJson, sha256 } from '../../core/canonical.ts';
import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Sealed } from '../../core/sealed.ts';
import type { RunCommand } from '../../platform/command.ts';
import type { HeaderView } from '../request-headers.ts';
import type { Answer, ProviderBlock } from '../types.ts';
import { awsSigner } from './aws-v4.ts';
import { basicSigner } from './basic.ts';
import { bearerSigner } from './bearer.ts';
import { commandSigner } from './command.ts';
import { digestSigner } from './digest.ts';
import { headerSigner } from './header.ts';
import { oauthSigner } from './oauth-client-credentials.ts';

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** What the request is sent with beside its credential. Not to be changed. */
  readonly headers: HeaderView;
  readonly body?: string | Uint8Array;
}

/** The headers that one attempt was sent with to prove who asks. */
export type Proof = Readonly<Record<string, string>>;

/** What proves to the provider who is asking. Asked anew for every attempt. */
export interface Signer {
  headers(request: SignedRequest): Promise<Record<string, string>>;
  /** The address in the spelling that is signed; as it is where this is left out. */
  address?(url: URL): URL;
  /**
   * After a 401 with these headers: makes the next `headers` differ from the refused ones. `false` says that sending again
   * would change nothing. Without it a 401 is final.
   */
  refresh?(refused: Proof, headers: Answer['headers']): Promise<boolean>;
  /** Whether a refusal with another status is like a 401: nothing happened, and `refresh` may help. */
  isUnproven?(answer: Answer): boolean;
  /** How often one request may be sent again after a 401; once where this is left out. */
  readonly rounds?: number;
  /** Told how each attempt ended whose headers were asked for; `null` when it got no answer, or was not sent at all. */
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
  /** Starts a program that prints a token; the end of the run ends it. */
  readonly run: RunCommand;
  /** Sends a token request: with the client's proxy, deadline, retries and counts, and without a signer. */
  readonly fetchToken: (url: URL, init: { readonly body: string; readonly headers: Readonly<Record<string, string>> }) => Promise<Response>;
}

/** The signers of one client: one per API and credential, so that all lines of a run share its token. */
export function createSigners({
  fetcherOf,
  ...shared
}: Pick<SignerContext, 'env' | 'redactor' | 'clock' | 'run'> & {
  readonly fetcherOf: (block: ProviderBlock) => SignerContext['fetchToken'];
}) {
  const known = new Map<string, Signer>();
  // Thousands of lines use one block with its own credential, or, where they come from the ledger, blocks that say the same.
  const ofBlock = new WeakMap<ProviderBlock, KnownSigner>();
  const ofText = new Map<string, KnownSigner>();
  const partsOf = ({ base_url, auth, region, session_token_env }: ProviderBlock) => [
    base_url,
    auth,
    region ?? null,
    session_token_env ?? null,
  ];
  const signerOf = (block: ProviderBlock, credential: Sealed | null): KnownSigner => {
    const id = sha256(canonicalJson([...partsOf(block), credential?.reveal() ?? null]));
    const signer = known.get(id) ?? signerFor({ ...shared, block, credential, fetchToken: fetcherOf(block) });
    known.set(id, signer);
    return { id, signer };
  };
  return (block: ProviderBlock, credential: Sealed | null): KnownSigner => {
    if (credential !== null) return signerOf(block, credential);
    const known = ofBlock.get(block);
    if (known) return known;
    const text = JSON.stringify(partsOf(block));
    const found = ofText.get(text) ?? signerOf(block, null);
    ofText.set(text, found);
    ofBlock.set(block, found);
    return found;
  };
}

export interface KnownSigner {
  readonly id: string;
  readonly signer: Signer;
}

function signerFor(context: SignerContext): Signer {
  const { auth, api } = context.block;
  if (auth === null) {
    if (context.credential === null) return { headers: async () => ({}) };
    throw new Failure('PLAN_INVALID', {
      detail: `A line of ${api} has a credential of its own, and ${api} has no \`auth\` that says how to send it.`,
      fix: 'Give the API block an `auth`, or remove the `credential` of the line.',
    });
  }
  if ('bearer_env' in auth) return bearerSigner(auth, context);
  if ('header' in auth) return headerSigner([auth], context);
  if ('headers' in auth) return headerSigner(auth.headers, context);
  if ('basic' in auth) return basicSigner(auth.basic, context);
  if ('command' in auth) return commandSigner(auth.command, context);
  if ('aws_v4' in auth) return awsSigner(auth.aws_v4, context);
  if ('digest' in auth) return digestSigner(auth.digest, context);
  return oauthSigner(auth.oauth_client_credentials, context);
}
