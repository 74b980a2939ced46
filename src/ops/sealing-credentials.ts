import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import { variablesOf } from '../http/auth/variables.ts';
import type { ProviderBlock } from '../http/types.ts';
import { isSecretName } from '../plan/secret-names.ts';
import type { Plan } from '../plan/types.ts';

/** The part of an API block that describes its credential. */
export interface BlockCredential extends Pick<ProviderBlock, 'auth'> {
  readonly session_token_env?: string | undefined;
}

/**
 * Whether the credential of an API block seals nothing, because no later run holds it, or because somebody else knows it. An unset variable
 * is judged by its name. `named`: variables that the plan calls credentials.
 */
export function sealsNothing({ auth, session_token_env }: BlockCredential, env: NodeJS.ProcessEnv, named: ReadonlySet<string>): boolean {
  if (auth === null || 'command' in auth) return true;
  const held = (name: string): string => env[name]?.trim() ?? '';
  if (session_token_env !== undefined && held(session_token_env) !== '') return true;
  const secrets = variablesOf(auth).filter(({ secret }) => secret);
  return (
    secrets.some(({ name }) => isShortLived(name, held(name))) ||
    // A block without any secret seals nothing either.
    !secrets.some(({ name }) => isSettable(name, env, named))
  );
}

/** The same for a line's own secret. `value`: the text of a secret that no variable holds, where it was read. */
export function secretSealsNothing(reference: string, env: NodeJS.ProcessEnv, named: ReadonlySet<string>, value = ''): boolean {
  const variable = /^env:\/\/(.*)$/s.exec(reference)?.[1];
  if (variable === undefined) return isShortLived('', value);
  return isShortLived(variable, env[variable]?.trim() ?? '') || !isSettable(variable, env, named);
}

/** Variables that API blocks of the plan and of its recipe families call credentials. */
export function credentialsNamedBy({
  apis,
  providers,
  familyBlocks,
}: Pick<Plan, 'apis' | 'providers' | 'familyBlocks'>): ReadonlySet<string> {
  return new Set([...apis.values(), ...providers.values(), ...familyBlocks].flatMap(({ values }) => envNames(values.auth)));
}

/** Every `*_env` member within a credential form. */
const envNames = (auth: unknown): readonly string[] =>
  isMap(auth)
    ? Object.entries(auth).flatMap(([name, value]) => (name.endsWith('_env') && typeof value === 'string' ? [value] : envNames(value)))
    : Array.isArray(auth)
      ? auth.flatMap(envNames)
      : [];

/** The variable with keys that seal every fact, whatever the credentials are. */
export const ledgerKeyVariable = 'PILOTFISH_LEDGER_KEY';

/** Characters of the shortest key. A shorter key could be guessed from the ledger. */
const shortestKey = 32;

/** The keys of `PILOTFISH_LEDGER_KEY`, with space or commas between them. Throws `USAGE` for one that is too short. */
export function ledgerKeysIn(env: NodeJS.ProcessEnv): readonly string[] {
  const keys = (env[ledgerKeyVariable] ?? '').split(/[\s,]+/).filter((key) => key !== '');
  if (keys.every((key) => key.length >= shortestKey)) return keys;
  throw new Failure('USAGE', {
    detail: `${ledgerKeyVariable} holds a key of fewer than ${shortestKey} characters. Somebody could guess such a key from the ledger.`,
    fix: 'Make a key with `openssl rand -hex 32`, or unset the variable.',
  });
}

/** Variables that a CI system gives to one job. They end with the job. */
const ofJobs = /^(?:ACTIONS_.+|CI_JOB_.+|CI_BUILD_TOKEN|SYSTEM_ACCESSTOKEN|BITBUCKET_STEP_.+)$/;

/** Beginnings of tokens that the host made for one job or one installation: GitHub's, and temporary keys of AWS. */
const shortLivedPrefixes = /^(?:ghs_|glcbt-|ASIA)/;

/** A token that ends sooner, by its own claims, lives no longer than a run. */
const leastLifeSeconds = 24 * 3_600;

/**
 * Whether a credential ends with the run: a job's token, or a signed token whose claims say so. Tomorrow nobody could check the facts
 * that it sealed.
 */
function isShortLived(name: string, value: string): boolean {
  if (ofJobs.test(name) || shortLivedPrefixes.test(value)) return true;
  const [, payload, signature] = value.split('.');
  if (payload === undefined || signature === undefined) return false;
  try {
    const { exp, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as {
      readonly exp?: unknown;
      readonly iat?: unknown;
    };
    return typeof exp === 'number' && typeof iat === 'number' && exp - iat < leastLifeSeconds;
  } catch {
    return false;
  }
}

/**
 * Whether a variable can be a credential that only its owner set. Variables also hold the text of a branch, title or commit, and the
 * author of that text knows the value. Such a value seals nothing.
 */
function isSettable(name: string, env: NodeJS.ProcessEnv, named: ReadonlySet<string>): boolean {
  if (!isSecretName(name) && !named.has(name)) return false;
  const value = env[name]?.trim() ?? '';
  return value === '' || !Object.entries(env).some(([other, text]) => other !== name && !isSecretName(other) && text?.trim() === value);
}
