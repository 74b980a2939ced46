import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Io } from '../op.ts';
import { codeOf, type EnvIdentity, isSameEnv, listEnv, readProject, targetsOf } from './api.ts';

/** Why the provider did not create a variable: from a refused request, or from `failed` of an answer that says 201. */
export interface EnvRefusal {
  readonly code: string;
  readonly detail: string;
  readonly cause: HttpFailure | null;
}

/** The refusal that an error tells; `null` when the request may have landed after all, or was refused for another reason. */
export function refusalOf(thrown: unknown): EnvRefusal | null {
  if (!(thrown instanceof HttpFailure) || thrown.unanswered || thrown.repeatable) return null;
  const code = codeOf(thrown);
  // 403 means both "it exists" and "not permitted" (checked 2026-11-21): only the code tells them apart.
  const isKnown = code !== null && (exists.has(code) || code === tooMany);
  return isKnown || thrown.status === 400 ? { code: code ?? '', detail: thrown.detail, cause: thrown } : null;
}

/** Another update of the project's variables is under way: what was asked is not wrong, and none of it was done (400, 2026-11-21). */
export const isOngoing = ({ cause, detail }: EnvRefusal): boolean => cause?.status === 400 && /ongoing update/i.test(detail);

const exists = new Set(['ENV_ALREADY_EXISTS', 'ENV_CONFLICT', 'EXISTING_KEY_AND_TARGET']);
const tooMany = 'MAX_ENVS_EXCEEDED';

/** What a refused create means for the line. Reads what the refusal leaves open. */
export async function envFailure(io: Io, identity: EnvIdentity, { code, detail, cause }: EnvRefusal): Promise<Failure> {
  const { project, key } = identity;
  const facts = { ...(cause && { cause }), ...(cause?.status !== undefined && cause.status !== null && { status: cause.status }) };
  if (exists.has(code)) return await conflict(io, identity, facts);
  if (code === tooMany) {
    return new Failure('PROVIDER_QUOTA', { detail: `The Vercel project ${project} takes no more variables. ${detail}`, ...facts });
  }
  // When the project cannot be read, the provider's own words stand.
  const owner = identity.gitBranch === null ? null : await readProject(io, project).catch(() => null);
  if (owner && !owner.link) {
    return new Failure('PARAM_INVALID', {
      detail: `${key} is for the git branch ${identity.gitBranch}, and the Vercel project ${project} is not connected to a repository.`,
      fix: 'Connect the project to its repository in the Vercel dashboard, or leave `git_branch` out.',
      ...facts,
    });
  }
  return cause ?? new Failure('PROVIDER_INVALID', { detail: `Vercel did not create ${key}: ${detail || code || 'it gave no reason'}.` });
}

async function conflict(io: Io, identity: EnvIdentity, facts: { cause?: HttpFailure; status?: number }): Promise<Failure> {
  const { project, key, target, gitBranch } = identity;
  const all = await listEnv({ ...io, share: false }, project);
  const rival = all.find((one) => {
    const overlaps = targetsOf(one).some((each) => target.includes(each));
    return one.key === key && (one.gitBranch ?? null) === gitBranch && overlaps && !isSameEnv(one, identity);
  });
  if (rival && !all.some((one) => isSameEnv(one, identity))) {
    // Taking one target away from it, or overwriting it, would change what others see.
    return new Failure('RESOURCE_FOREIGN', {
      detail: `${key} of the Vercel project ${project} exists for ${targetsOf(rival).join(', ')} together, and this line is for ${target.join(', ')} alone.`,
      fix: 'Split the variable in the Vercel dashboard, bind this one to a `git_branch`, or use another key.',
      ...facts,
    });
  }
  return new Failure('PROVIDER_CONFLICT', { detail: `Vercel says that ${key} of the project ${project} exists already.`, ...facts });
}
