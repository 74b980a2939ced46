import { isSecretName } from '../../plan/secret-names.ts';

/** Variables that a CI system gives one job: they end with it. */
const ofJobs = /^(?:ACTIONS_.+|CI_JOB_.+|CI_BUILD_TOKEN|SYSTEM_ACCESSTOKEN|BITBUCKET_STEP_.+)$/;

/** Beginnings of tokens that the host made for one job or one installation: GitHub's, and temporary keys of AWS. */
const shortLivedPrefixes = /^(?:ghs_|glcbt-|ASIA)/;

/** A token that says that it ends sooner lives no longer than a run. */
const leastLifeSeconds = 24 * 3_600;

/**
 * Whether a credential ends with the run: a job's token, or a signed one that says so itself. What it seals nobody could check
 * tomorrow.
 */
export function isShortLived(name: string, value: string): boolean {
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
 * Whether a variable can be a credential that only its owner set. The text of a branch, title or commit stands in variables as well, and
 * who writes those knows their values: such a value seals nothing. `named`: variables that the plan calls credentials.
 */
export function isSettable(name: string, env: NodeJS.ProcessEnv, named: ReadonlySet<string>): boolean {
  const value = env[name]?.trim() ?? '';
  if (value === '' || !(isSecretName(name) || named.has(name))) return false;
  return !Object.entries(env).some(([other, text]) => other !== name && !isSecretName(other) && text?.trim() === value);
}
