import type { AuthForm } from '../types.ts';
import { override, secretVariable, variable } from './credential.ts';
import type { Signer, SignerContext } from './signer.ts';
import { variablesOf } from './variables.ts';

type BasicForm = Extract<AuthForm, { basic: unknown }>['basic'];

/** HTTP Basic: user and password from variables or literals; an empty password is a form of its own (a key as user name). */
export function basicSigner(form: BasicForm, context: SignerContext): Signer {
  return {
    headers: async () => {
      const pair = `${user(form, context)}:${password(form, context)}`;
      // Both together are masked too: an error text may quote the encoded header.
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
