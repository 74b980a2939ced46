import { type Call, type Fields, type Ids, json, type Refusal, type Reply, refuse, type Tokens } from '../kit/index.ts';
import type { Auth0State, Tier } from './state.ts';

/** Answers a client-credentials request: form-encoded, with the audience of the management API. */
export function issueToken(call: Call<Auth0State, unknown>, ids: Ids, tokens: Tokens): Reply {
  const { state } = call;
  if (call.contentType !== 'application/x-www-form-urlencoded') throw oauth(400, 'invalid_request', 'The body must be form-encoded');
  const fields = new Map(call.body as Fields);
  for (const name of ['grant_type', 'client_id', 'client_secret', 'audience']) {
    if (!fields.get(name)) throw oauth(400, 'invalid_request', `Missing required parameter: ${name}`);
  }
  if (fields.get('grant_type') !== 'client_credentials') throw oauth(400, 'unsupported_grant_type', 'Unsupported grant type');
  const tier = tiers.find((one) => state.machineClients[one] === fields.get('client_id'));
  if (!tier || tokens[tier] !== fields.get('client_secret')) throw oauth(401, 'access_denied', 'Unauthorized');
  const audience = fields.get('audience') ?? '';
  if (!state.audiences.includes(audience)) throw oauth(403, 'access_denied', `Service not enabled within domain: ${audience}`);

  const token = `${ids.text(36)}.${ids.text(80)}.${ids.text(43)}`;
  state.issued[token] = { tier, expiresAt: call.now + state.tokenSeconds * 1000, isRevoked: false };
  return json(200, {
    access_token: token,
    token_type: 'Bearer',
    expires_in: state.tokenSeconds,
    scope: state.scopes[tier].join(' '),
  });
}

const tiers: readonly Tier[] = ['full', 'readOnly', 'blind'];

const oauth = (status: number, error: string, description: string): Refusal => refuse(status, { error, error_description: description });
