import { secretOrOverride } from './credential.ts';
import type { Signer, SignerContext } from './signer.ts';

/** `Authorization: Bearer <value>` */
export function bearerSigner(auth: { readonly bearer_env: string }, context: SignerContext): Signer {
  return { headers: async () => ({ authorization: `Bearer ${secretOrOverride(auth.bearer_env, context)}` }) };
}
