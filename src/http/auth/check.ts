import { Failure } from '../../core/errors.ts';
import { howToSet } from '../../core/how-to-set.ts';
import type { ProviderBlock } from '../types.ts';
import { variablesOf } from './variables.ts';

/** Finds faults of the block's credential before any request: variables that are not set, keys that are refused. */
export function checkCredentials(block: ProviderBlock, env: NodeJS.ProcessEnv): Failure[] {
  if (block.auth === null) return [];
  const { auth, session_token_env: session } = block;
  const keyId = 'aws_v4' in auth ? (env[auth.aws_v4.access_key_id_env]?.trim() ?? '') : '';
  const isWanted = session !== undefined && ((env[session]?.trim() ?? '') !== '' || isTemporary(keyId));
  return [...variablesOf(auth), ...(isWanted ? [{ name: session, secret: true }] : [])].flatMap(({ name, secret }) => {
    const value = env[name]?.trim() ?? '';
    if (value === '') return [missingCredential(block, name, env)];
    if (controls.test(value)) return [malformedCredential(name)];
    const refused = secret ? refusedCredential(block, value, name, env) : null;
    return refused ? [refused] : [];
  });
}

/** Key ids that begin with ASIA are temporary, and need their session token. */
export const isTemporary = (keyId: string): boolean => keyId.startsWith('ASIA');

/** Matches a pasted line break, or another character that cannot be part of a credential. */
export const controls = /\p{Cc}/u;

/** The error does not show the value. `origin` is its variable, or the output that it came from. */
export function malformedCredential(origin: string): Failure {
  return new Failure('PROVIDER_AUTH', {
    detail: `${origin} holds a line break or another character that no request header can carry.`,
    fix: `Set ${origin} to the credential alone.`,
  });
}

export function missingCredential(block: ProviderBlock, variable: string, env: NodeJS.ProcessEnv): Failure {
  return new Failure('CREDENTIAL_MISSING', {
    detail: `${variable} is not set. It holds the credential of ${block.api}.`,
    fix: howToSet([variable], env),
  });
}

/** A live-mode key where a test-mode key belongs (`refuse_credential`), or `null`. `origin` names it, never its text. */
export function refusedCredential(block: ProviderBlock, value: string, origin: string, env: NodeJS.ProcessEnv): Failure | null {
  const rule = block.refuse_credential;
  const prefix = rule?.prefixes.find((one) => value.startsWith(one));
  if (!rule || prefix === undefined) return null;
  const allowed = rule.unless_env === undefined ? '' : (env[rule.unless_env]?.trim().toLowerCase() ?? '');
  if (allowed === '1' || allowed === 'true') return null;
  const optOut = rule.unless_env === undefined ? '' : `, or set ${rule.unless_env}=1 if you mean this one`;
  return new Failure('PROVIDER_AUTH', {
    detail: `${origin} starts with "${prefix}". pilotfish does not write to ${block.api} with such a credential.`,
    fix: `Use another credential${optOut}.`,
  });
}
