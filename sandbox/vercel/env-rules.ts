import { badRequest, error } from './errors.ts';
import type { EnvType, EnvVar, Project, Target, VercelState } from './state.ts';

export interface AskedEnv {
  readonly key: string;
  readonly value: string;
  readonly type: EnvType;
  readonly target: readonly Target[];
  readonly gitBranch: string | null;
}

/** What the API refuses of a variable, whoever else has one. */
export function checkEnv(state: VercelState, project: Project, asked: AskedEnv): void {
  const { key, target, gitBranch, type } = asked;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
    throw badRequest(`The name \`${key}\` of the Environment Variable contains invalid characters.`);
  if (/^(VERCEL|VERCEL_URL|VERCEL_ENV|VERCEL_REGION|NOW_REGION)$/.test(key)) {
    throw error(400, 'RESERVED_ENV_VARIABLE', `The name of the Environment Variable \`${key}\` is reserved.`);
  }
  if (target.length === 0) throw badRequest('Invalid request: `target` should NOT have fewer than 1 items.');
  if (type === 'sensitive' && target.includes('development')) {
    throw badRequest('You cannot set a Sensitive Environment Variable’s target to development.');
  }
  if (state.sensitiveOnly && type !== 'sensitive' && target.some((one) => one !== 'development')) {
    throw badRequest('Your team requires Environment Variables for production and preview to be sensitive.');
  }
  if (gitBranch !== null) checkBranch(project, target, gitBranch);
}

/** Not confirmed by the vendor: that a project without a repository refuses a branch with 400 (reported 2026-11-21). */
function checkBranch({ repository }: Project, target: readonly Target[], branch: string): void {
  if (target.length !== 1 || target[0] !== 'preview') throw badRequest('The property `gitBranch` can only be used with target=preview.');
  if (!repository) throw badRequest('Cannot set a branch on a project that is not connected to a Git repository.');
  if (branch === repository.productionBranch) throw badRequest(`Branch "${branch}" is the production branch of the project.`);
  if (!Object.hasOwn(repository.heads, branch)) throw badRequest(`Branch "${branch}" not found in the connected Git repository.`);
}

/** Variables that one of this key, these targets and this branch would stand beside. */
export const rivalsOf = (project: Project, asked: Pick<AskedEnv, 'key' | 'target' | 'gitBranch'>): readonly EnvVar[] =>
  project.env.filter(
    (one) => one.key === asked.key && one.gitBranch === asked.gitBranch && one.target.some((target) => asked.target.includes(target)),
  );

export const sameTargets = (a: readonly Target[], b: readonly Target[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));
