import { createHash } from 'node:crypto';
import { type Deployment, type Project, scopeOf, type VercelState } from './state.ts';

/**
 * Aliases of a deployment: that of its branch, and the domains of the project that showed the branch when it was built. The form is that of
 * https://vercel.com/docs/deployments/generated-urls. The rest is as users report it (2026-11-27): a slash becomes a hyphen, dots,
 * underscores and plus signs go, and a name that is too long for a label ends in a hash before the team. A name that another account
 * has gets the team once more.
 */
export function aliasesOf(state: VercelState, { domains, repository }: Project, one: Deployment): readonly string[] {
  if (one.readyState !== 'READY' || one.aliasError !== null) return [];
  const isProduction = one.target === 'production';
  const shown = domains.filter(
    ({ gitBranch, redirect, verified, createdAt }) =>
      redirect === null && verified && createdAt < one.createdAt && (isProduction ? gitBranch === null : gitBranch === one.ref),
  );
  return [...(repository ? [branchAlias(state, one)] : []), ...shown.map(({ name }) => name)];
}

function branchAlias(state: VercelState, { name, ref }: Deployment): string {
  const scope = scopeOf(state);
  const branch = ref
    .toLowerCase()
    .replaceAll('/', '-')
    .replaceAll(/[^a-z0-9-]/g, '')
    .replaceAll(/-+/g, '-');
  const whole = `${name}-git-${branch}-${scope}`;
  const label = whole.length <= 63 ? whole : shortened(whole, `git-${ref}${name}`, scope);
  return state.takenAliases.includes(`${label}.vercel.app`) ? `${label}-${scope}.vercel.app` : `${label}.vercel.app`;
}

function shortened(whole: string, of: string, scope: string): string {
  const end = `-${createHash('sha256').update(of).digest('hex').slice(0, 6)}-${scope}`;
  return `${whole.slice(0, 63 - end.length)}${end}`;
}
