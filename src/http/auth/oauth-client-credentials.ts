import { Failure } from '../../core/errors.ts';
import { addressOf } from '../hidden-address.ts';
import type { AuthForm } from '../types.ts';
import { override, secretVariable, variable } from './credential.ts';
import type { Signer, SignerContext } from './signer.ts';
import { overriding, tokenAddress } from './token-address.ts';

type OAuthForm = Extract<AuthForm, { oauth_client_credentials: unknown }>['oauth_client_credentials'];

/**
 * OAuth 2.0 client credentials. A run has one token at a time. One request fetches it when the first line needs it, again shortly before
 * it expires, and once more after a 401 to the current token. Lines that wait share one request.
 */
export function oauthSigner(form: OAuthForm, context: SignerContext): Signer {
  let current: Token | null = null;
  let fetching: Promise<Token> | null = null;

  const renew = (): Promise<Token> => {
    fetching ??= fetchToken(form, context)
      .then((token) => {
        current = token;
        return token;
      })
      .finally(() => {
        fetching = null;
      });
    return fetching;
  };

  return {
    headers: async () => {
      // A line's own credential is a token that somebody else obtained.
      if (context.credential !== null) return { authorization: `Bearer ${override(context.credential, context)}` };
      const token = current?.isFresh() ? current : await renew();
      return { authorization: `Bearer ${token.text}` };
    },
    refresh: async (refused) => {
      // The provider may refuse sixteen requests with one token. Only the first of them finds the token still current.
      if (current !== null && refused.authorization === `Bearer ${current.text}`) current = null;
      return context.credential === null;
    },
  };
}

interface Token {
  readonly text: string;
  isFresh(): boolean;
}

async function fetchToken(form: OAuthForm, context: SignerContext): Promise<Token> {
  const oauth = await import('oauth4webapi');
  const { block, clock, redactor } = context;
  const url = tokenUrl(form, context);
  const server = { issuer: url.origin, token_endpoint: url.href };
  const client = { client_id: variable(form.client_id_env, context) };
  const secret = oauth.ClientSecretPost(secretVariable(form.client_secret_env, context));
  const wall = clock.now();
  const mono = clock.mono();
  const response = await oauth.clientCredentialsGrantRequest(server, client, secret, asked(form, context), {
    [oauth.customFetch]: (href: string, init: { readonly body?: unknown; readonly headers: Record<string, string> }) =>
      context.fetchToken(new URL(href), { body: String(init.body), headers: init.headers }),
    [oauth.allowInsecureRequests]: url.protocol === 'http:',
  });
  const answer = await oauth.processClientCredentialsResponse(server, client, response).catch((cause: unknown) => {
    throw new Failure('PROVIDER_RESPONSE', {
      detail: `The token endpoint of ${block.api} (${url.host}) gave no bearer token with an \`access_token\`.`,
      fix: `Check the token URL of ${block.api}.`,
      cause,
    });
  });
  redactor.add(answer.access_token);
  if (!/^[\x21-\x7e]+$/.test(answer.access_token)) {
    throw new Failure('PROVIDER_RESPONSE', {
      detail: `The token endpoint of ${block.api} (${url.host}) gave a token with a character that no request header can carry.`,
      fix: `Check the token URL of ${block.api}.`,
    });
  }
  const lifetime = answer.expires_in === undefined ? Number.POSITIVE_INFINITY : answer.expires_in * 1000;
  // A token with a very short life is used for half of it, so that a token of ten seconds is still used more than once.
  const useFor = lifetime - Math.min(renewBefore, lifetime / 2);
  return {
    text: answer.access_token,
    // Either clock may stand still: one while the machine sleeps, the other when somebody sets it.
    isFresh: () => Math.max(clock.now() - wall, clock.mono() - mono) < useFor,
  };
}

const renewBefore = 30_000;

function tokenUrl(form: OAuthForm, context: SignerContext): URL {
  const { block, env } = context;
  const url = URL.parse(tokenAddress({ auth: { oauth_client_credentials: form }, base_url: block.base_url }, env) ?? '');
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname));
  if (url && secure) return url;
  throw new Failure('PLAN_INVALID', {
    detail: `The token URL of ${block.api} is not an https URL, and pilotfish sends a client secret nowhere else.`,
    fix: form.token_url_env === undefined ? 'Correct `token_url`.' : `Correct ${form.token_url_env} or \`token_url\`.`,
  });
}

/** The API of the token. A server that knows resource indicators may refuse an audience that it did not ask for. */
function asked(form: OAuthForm, context: SignerContext): { [parameter: string]: string } {
  const { resource, scope, audience: given, audience_path: path } = form;
  const hasAudience = resource === undefined || (given ?? path) !== undefined || overriding(form.audience_env, context.env) !== undefined;
  return {
    ...(hasAudience && { audience: audience(form, context) }),
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  };
}

/** Auth0's audience is the API's base URL with exactly one trailing slash. Auth0 refuses another spelling with 403. */
function audience(form: OAuthForm, { block, env, redactor }: SignerContext): string {
  const given = overriding(form.audience_env, env) ?? form.audience;
  if (given !== undefined) return given;
  if (form.audience_path !== undefined) return new URL(block.base_url).origin + form.audience_path;
  return `${addressOf(block, env, redactor).replace(/\/+$/, '')}/`;
}
