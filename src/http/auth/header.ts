import { Failure } from '../../core/errors.ts';
import type { CredentialHeader } from '../types.ts';
import { secretOrOverride, variable } from './credential.ts';
import type { Signer, SignerContext } from './signer.ts';

/** One or several headers of the provider's own, each with literal text or a user name before its value where it has one. */
export function headerSigner(forms: readonly CredentialHeader[], context: SignerContext): Signer {
  if (context.credential !== null && forms.length > 1) {
    throw new Failure('PLAN_INVALID', {
      detail: `${context.block.api} sends ${forms.length} credential headers, so the \`credential\` of a line cannot tell which of them it replaces.`,
      fix: 'Use an API block of its own for this line.',
    });
  }
  return {
    headers: async () =>
      Object.fromEntries(
        forms.map((form) => [
          form.header.toLowerCase(),
          `${form.prefix ?? ''}${userOf(form, context)}${secretOrOverride(form.value_env, context)}`,
        ]),
      ),
  };
}

const userOf = ({ user_env }: CredentialHeader, context: SignerContext): string =>
  user_env === undefined ? '' : `${variable(user_env, context)}:`;
