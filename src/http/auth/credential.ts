import { Sealed } from '../../core/sealed.ts';
import { controls, malformedCredential, missingCredential, refusedCredential } from './check.ts';
import type { SignerContext } from './signer.ts';

/** A secret of the block, from its variable. The redactor knows it before anyone sees it. */
export function secretVariable(name: string, context: SignerContext): string {
  return admit(variable(name, context), name, context, headerText);
}

/** A secret that is only hashed, so that it may hold characters that no header can carry. */
export function hashedSecret(name: string, context: SignerContext): string {
  return admit(variable(name, context), name, context, anyText);
}

/** A value that is not secret by itself, such as a user name. */
export function variable(name: string, context: SignerContext): string {
  // A trailing line break from a pasted secret would make the header invalid.
  const value = context.env[name]?.trim() ?? '';
  if (value === '') throw missingCredential(context.block, name, context.env);
  if (controls.test(value)) throw malformedCredential(name);
  return value;
}

/** The line's own credential where it has one, else the block's variable. */
export function secretOrOverride(name: string, context: SignerContext): string {
  return context.credential === null ? secretVariable(name, context) : override(context.credential, context);
}

export function override(credential: Sealed, context: SignerContext): string {
  return admit(credential.reveal().trim(), credential.origin, context, headerText);
}

/** The line's own credential, for a form that only hashes it. */
export function hashedOverride(credential: Sealed, context: SignerContext): string {
  return admit(credential.reveal().trim(), credential.origin, context, anyText);
}

/** A secret that was made in this run and stands in no variable. */
export function producedSecret(value: string, origin: string, context: SignerContext): string {
  return admit(value, origin, context, headerText);
}

const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;
const anyText = /^\P{Cc}*$/u;

function admit(value: string, origin: string, context: SignerContext, allowed: RegExp): string {
  const refused = refusedCredential(context.block, value, origin, context.env);
  if (refused) throw refused;
  context.redactor.add(new Sealed(value, origin));
  if (!allowed.test(value)) throw malformedCredential(origin);
  return value;
}
