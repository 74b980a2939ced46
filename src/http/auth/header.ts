import { Failure } from '../../core/errors.ts';
import type { AuthForm, CredentialHeader } from '../types.ts';
import { override, secretOrOverride, secretVariable, variable } from './credential.ts';
import type { Signer, SignerContext } from './signer.ts';
import { variablesOf } from './variables.ts';

/** One or several headers of the provider's own, each with an optional literal text or user name before its value. */
export function headerSigner(forms: readonly CredentialHeader[], context: SignerContext): Signer {
  if (context.credential !== null && forms.length > 1) {
    throw new Failure('PLAN_INVALID', {
      detail: `${context.block.api} sends ${forms.length} credential headers, so nobody can tell which of them the \`credential\` of a line replaces.`,
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

/** `Authorization: Bearer <value>` */
export function bearerSigner(auth: { readonly bearer_env: string }, context: SignerContext): Signer {
  return { headers: async () => ({ authorization: `Bearer ${secretOrOverride(auth.bearer_env, context)}` }) };
}

type BasicForm = Extract<AuthForm, { basic: unknown }>['basic'];

/** HTTP Basic: user and password from variables or literals. An empty password is a form of its own, with a key as user name. */
export function basicSigner(form: BasicForm, context: SignerContext): Signer {
  return {
    headers: async () => {
      const pair = `${user(form, context)}:${password(form, context)}`;
      // The pair is masked too, because an error text may quote the encoded header.
      if (context.credential !== null || variablesOf({ basic: form }).some(({ secret }) => secret)) context.redactor.add(pair);
      return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
    },
  };
}

function user(form: BasicForm, context: SignerContext): string {
  if (form.user_env === undefined) return form.user ?? '';
  const isSecret = variablesOf({ basic: form }).some(({ name, secret }) => name === form.user_env && secret);
  // With the key as user name, the line's credential is that key.
  if (context.credential !== null && keyIsUser(form)) return override(context.credential, context);
  return isSecret ? secretVariable(form.user_env, context) : variable(form.user_env, context);
}

function password(form: BasicForm, context: SignerContext): string {
  if (context.credential !== null && !keyIsUser(form)) return override(context.credential, context);
  return form.password_env === undefined ? (form.password ?? '') : secretVariable(form.password_env, context);
}

const keyIsUser = (form: BasicForm): boolean =>
  form.user_env !== undefined && form.password_env === undefined && (form.password ?? '') === '';
