import { Failure } from '../../core/errors.ts';
import type { Sealed } from '../../core/sealed.ts';
import { missingCredential, refusedCredential } from './check.ts';
import type { SignerContext } from './signer.ts';

/** A secret of the block, from its variable, known to the redactor before anyone sees it. */
export function secretVariable(name: string, context: SignerContext): string {
  return admit(variable(name, context), name, context);
}

/** A value that is not secret by itself, such as a user name. */
export function variable(name: string, context: SignerContext): string {
  // A trailing line break from a pasted secret would make the header invalid.
  const value = context.env[name]?.trim() ?? '';
  if (value === '') throw missingCredential(context.block, name);
  return value;
}

/** The line's own credential where it has one, else the block's variable. */
export function secretOrOverride(name: string, context: SignerContext): string {
  return context.credential === null ? secretVariable(name, context) : override(context.credential, context);
}

export function override(credential: Sealed, context: SignerContext): string {
  return admit(credential.reveal().trim(), credential.origin, context);
}

function admit(value: string, origin: string, context: SignerContext): string {
  const refused = refusedCredential(context.block, value, origin, context.env);
  if (refused) throw refused;
  context.redactor.add(value);
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new Failure('PROVIDER_AUTH', {
      detail: `${origin} holds a line break or another character that no request header can carry.`,
      fix: `Set ${origin} to the credential alone.`,
    });
  }
  return value;
}
