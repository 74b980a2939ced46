import { Failure } from '../../core/errors.ts';
import { secretOrOverride } from './credential.ts';
import type { Signer, SignerContext } from './signer.ts';

interface CredentialHeader {
  readonly header: string;
  readonly value_env: string;
  readonly prefix?: string;
}

/** One or several headers of the provider's own, each with literal text before its value where it has a prefix. */
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
        forms.map((form) => [form.header.toLowerCase(), `${form.prefix ?? ''}${secretOrOverride(form.value_env, context)}`]),
      ),
  };
}
