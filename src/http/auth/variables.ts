import type { AuthForm, CredentialHeader, ProviderBlock } from '../types.ts';

/** Every variable that the block's credential form names, secret or not, in the order of the form. */
export function credentialVariables(block: ProviderBlock): readonly string[] {
  if (block.auth === null) return [];
  const named = variablesOf(block.auth).map((variable) => variable.name);
  return block.session_token_env === undefined ? named : [...named, block.session_token_env];
}

/** The variables of a form, and whether each value is secret: a user name or client id is not. */
export function variablesOf(auth: AuthForm): readonly { readonly name: string; readonly secret: boolean }[] {
  if ('bearer_env' in auth) return [{ name: auth.bearer_env, secret: true }];
  if ('header' in auth) return headerVariables(auth);
  if ('headers' in auth) return auth.headers.flatMap(headerVariables);
  if ('oauth_client_credentials' in auth) {
    const { client_id_env, client_secret_env } = auth.oauth_client_credentials;
    return [
      { name: client_id_env, secret: false },
      { name: client_secret_env, secret: true },
    ];
  }
  if ('command' in auth) return [];
  if ('aws_v4' in auth) {
    const { access_key_id_env, secret_access_key_env } = auth.aws_v4;
    return [
      { name: access_key_id_env, secret: false },
      { name: secret_access_key_env, secret: true },
    ];
  }
  if ('digest' in auth) {
    const { user_env, password_env } = auth.digest;
    return [
      { name: user_env, secret: false },
      { name: password_env, secret: true },
    ];
  }
  const { user_env, password_env, password } = auth.basic;
  const named = [];
  // APIs with a key alone want the key as the user name, with an empty password.
  const userIsKey = password_env === undefined && (password === undefined || password === '');
  if (user_env !== undefined) named.push({ name: user_env, secret: userIsKey || secretLooking.test(user_env) });
  if (password_env !== undefined) named.push({ name: password_env, secret: true });
  return named;
}

/** The variables of the form that hold the token endpoint and the audience. Their values are no secrets. */
export function addressVariables({ auth }: ProviderBlock): readonly string[] {
  if (auth === null || !('oauth_client_credentials' in auth)) return [];
  const { token_url_env, audience_env } = auth.oauth_client_credentials;
  return [token_url_env, audience_env].filter((name) => name !== undefined);
}

const headerVariables = ({ user_env, value_env }: CredentialHeader) => [
  ...(user_env === undefined ? [] : [{ name: user_env, secret: false }]),
  { name: value_env, secret: true },
];

const secretLooking = /(?:TOKEN|SECRET|KEY|PASSWORD|PASSWD)$/i;

/** The rest of a form for a line that brings the secret part itself. */
export function withoutSecret(auth: AuthForm | null): AuthForm | null {
  // A form with the user name alone needs just that one variable.
  if (auth !== null && 'digest' in auth) return { basic: { user_env: auth.digest.user_env, password: '' } };
  if (auth === null || !('basic' in auth) || auth.basic.password_env === undefined) return null;
  return { basic: { ...(auth.basic.user_env !== undefined && { user_env: auth.basic.user_env }), password: '' } };
}
