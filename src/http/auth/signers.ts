import { canonicalJson, sha256 } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import type { Sealed } from '../../core/sealed.ts';
import type { ProviderBlock } from '../types.ts';
import { awsSigner } from './aws-v4.ts';
import { commandSigner } from './command.ts';
import { digestSigner } from './digest.ts';
import { basicSigner, bearerSigner, headerSigner } from './header.ts';
import { oauthSigner } from './oauth-client-credentials.ts';
import type { Signer, SignerContext } from './signer.ts';

/** The signers of one client: one per API and credential, so that all lines of a run share its token. */
export function createSigners({
  fetcherOf,
  ...shared
}: Pick<SignerContext, 'env' | 'redactor' | 'clock' | 'run'> & {
  readonly fetcherOf: (block: ProviderBlock) => SignerContext['fetchToken'];
}) {
  const known = new Map<string, Signer>();
  // Thousands of lines use one block with its own credential. Lines from the ledger have equal blocks.
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

export function signerFor(context: SignerContext): Signer {
  const { auth, api } = context.block;
  if (auth === null) {
    if (context.credential === null) return { headers: async () => ({}) };
    throw new Failure('PLAN_INVALID', {
      detail: `A line of ${api} has a credential of its own, but ${api} has no \`auth\` that says how to send it.`,
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
