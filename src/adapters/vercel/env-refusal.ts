import type { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Io } from '../../ops/bound.ts';
import { codeOf, type createdSchema, type EnvIdentity, type EnvVar, isSameEnv, listEnv, readProject, targetsOf } from './api.ts';

/** Why the provider did not create a variable: from a refused request, or from `failed` of an answer that says 201. */
export interface EnvRefusal {
  readonly code: string;
  readonly detail: string;
  readonly cause: HttpFailure | null;
}

/** The refusal in an error; `null` when the request may have landed after all, or was refused for another reason. */
export function refusalOf(thrown: unknown): EnvRefusal | null {
  if (!(thrown instanceof HttpFailure) || thrown.unanswered || thrown.repeatable) return null;
  const code = codeOf(thrown);
  // 403 means both "it exists" and "not permitted" (checked 2026-11-21): only the code tells them apart.
  const isKnown = code !== null && (exists.has(code) || code === tooMany);
  return isKnown || thrown.status === 400 ? { code: code ?? '', detail: thrown.detail, cause: thrown } : null;
}

/** Whether another update of the project's variables is under way. The request was right, and nothing of it was done (400, 2026-11-21). */
export const isOngoing = ({ cause, detail }: EnvRefusal): boolean => cause?.status === 400 && /ongoing update/i.test(detail);

const exists = new Set(['ENV_ALREADY_EXISTS', 'ENV_CONFLICT', 'EXISTING_KEY_AND_TARGET']);
const tooMany = 'MAX_ENVS_EXCEEDED';

/** The failure of a line whose create was refused. Reads the facts that the refusal leaves open. */
export async function envFailure(io: Io, identity: EnvIdentity, { code, detail, cause }: EnvRefusal): Promise<Failure> {
  const { project, key } = identity;
  const facts = { ...(cause && { cause }), ...(cause?.status !== undefined && cause.status !== null && { status: cause.status }) };
  if (exists.has(code)) return await conflict(io, identity, facts);
  if (code === tooMany) {
    return new Failure('PROVIDER_QUOTA', { detail: `The Vercel project ${project} takes no more variables. ${detail}`, ...facts });
  }
  // When the project cannot be read, the error has only the provider's own words.
  const owner = identity.gitBranch === null ? null : await readProject(io, project).catch(() => null);
  if (owner && !owner.link) {
    return new Failure('PARAM_INVALID', {
      detail: `${key} is for the git branch ${identity.gitBranch}, but the Vercel project ${project} is not connected to a repository.`,
      fix: 'Connect the project to its repository in the Vercel dashboard, or leave `git_branch` out.',
      ...facts,
    });
  }
  return (
    cause ??
    new Failure('PROVIDER_INVALID', {
      detail: `Vercel did not create ${key}: ${(detail || code || 'it gave no reason').replace(/\.$/, '')}.`,
    })
  );
}

/** The failure of one variable of several that were created together. The error says where a reason may belong to another variable. */
export async function failureFor(io: Io, identity: EnvIdentity, reasons: Reasons | undefined): Promise<Failure> {
  const [only, ...more] = reasons?.refusals ?? [];
  if (!reasons || !only) return await envFailure(io, identity, { code: '', detail: '', cause: null });
  if (reasons.isSure) {
    const detail = [only, ...more].map((one) => one.detail).join(' ');
    return await envFailure(io, identity, { ...only, detail });
  }
  // A look shows the variable in the way, whatever the answer says.
  if (reasons.refusals.some(({ code }) => exists.has(code)) && (await rivalsOf(io, identity)).length > 0) {
    return await conflict(io, identity, {});
  }
  const said = reasons.refusals.map(({ code, detail }) => detail || code).join(' Or: ');
  return new Failure(reasons.refusals.every(({ code }) => code === tooMany) ? 'PROVIDER_QUOTA' : 'PROVIDER_INVALID', {
    detail: `Vercel did not create ${identity.key} for ${placeOf(identity)}. It did not create several variables together, and does not say which reason belongs to which. The reason is one of: ${said}`,
  });
}

const placeOf = ({ target, gitBranch }: EnvIdentity): string =>
  `${target.join(' and ')}${gitBranch === null ? '' : ` on the branch ${gitBranch}`}`;

/** Variables of the same key and branch that serve one of the targets, including this very one. */
async function rivalsOf(io: Io, { project, key, target, gitBranch }: EnvIdentity): Promise<readonly EnvVar[]> {
  const all = await listEnv({ ...io, share: false }, project);
  return all.filter(
    (one) => one.key === key && (one.gitBranch ?? null) === gitBranch && targetsOf(one).some((each) => target.includes(each)),
  );
}

async function conflict(io: Io, identity: EnvIdentity, facts: { cause?: HttpFailure; status?: number }): Promise<Failure> {
  const { project, key, target } = identity;
  const rivals = await rivalsOf(io, identity);
  const rival = rivals.find((one) => !isSameEnv(one, identity));
  if (rival && !rivals.some((one) => isSameEnv(one, identity))) {
    // Taking a target from that variable, or overwriting it, would change values that others see.
    return new Failure('RESOURCE_FOREIGN', {
      detail: `${key} of the Vercel project ${project} exists for ${targetsOf(rival).join(', ')} together, but this line is for ${target.join(', ')} alone.`,
      fix: 'Split the variable in the Vercel dashboard, bind this line to a `git_branch`, or use another key.',
      ...facts,
    });
  }
  return new Failure('PROVIDER_CONFLICT', { detail: `Vercel says that ${key} of the project ${project} exists already.`, ...facts });
}

/** Why one of several variables was not created, as the answer to all of them says. */
export type FailedEnv = z.output<typeof createdSchema>['failed'][number]['error'];

/** The reasons in an answer for one variable. */
export interface Reasons {
  readonly refusals: readonly EnvRefusal[];
  /** True where each reason belongs to this variable. Otherwise each belongs to this one or to another. */
  readonly isSure: boolean;
}

/**
 * The reasons of each variable that was not created. A project may hold several variables of one key, so a reason is matched by key, branch
 * and targets. A reason that may belong to several variables counts for each of them.
 */
export function reasonsOf(unmade: readonly EnvIdentity[], failed: readonly FailedEnv[]): ReadonlyMap<EnvIdentity, Reasons> {
  const meant = failed.map((reason) => ({ reason, of: candidates(unmade, reason) }));
  const sure = new Set(meant.flatMap(({ of }) => (of.length === 1 ? of : [])));
  const told = new Map<EnvIdentity, { refusals: EnvRefusal[]; isSure: boolean }>();
  for (const { reason, of } of meant) {
    // A variable with a reason of its own hardly has the reason of another one.
    const still = of.length === 1 ? of : narrowed(of, (one) => !sure.has(one));
    for (const one of still) {
      const known = told.get(one) ?? { refusals: [], isSure: true };
      if (!known.refusals.some(({ code, detail }) => code === reason.code && detail === reason.message)) {
        known.refusals.push({ code: reason.code, detail: reason.message, cause: null });
      }
      known.isSure &&= still.length === 1;
      told.set(one, known);
    }
  }
  return told;
}

/** The variables that a reason may belong to: those that it names, or all where it names none. */
function candidates(unmade: readonly EnvIdentity[], { envVarKey, key, gitBranch, target, message }: FailedEnv): readonly EnvIdentity[] {
  const name = envVarKey ?? key;
  const ofKey = narrowed(unmade, (one) => (name === undefined ? names(message, one.key) : one.key === name));
  const ofBranch = narrowed(ofKey, (one) => one.gitBranch === (gitBranch ?? null));
  if (target === undefined) return ofBranch;
  const targets = [target].flat();
  const has = (one: EnvIdentity): boolean => targets.every((each) => one.target.includes(each));
  const exact = ofBranch.filter((one) => has(one) && one.target.length === new Set(targets).size);
  if (exact.length > 0) return exact;
  const within = ofBranch.filter(has);
  return within.length > 0 ? within : narrowed(ofBranch, (one) => targets.some((each) => one.target.includes(each)));
}

/** The entries that fit, or all where none does. */
function narrowed<T>(all: readonly T[], fits: (one: T) => boolean): readonly T[] {
  const fit = all.filter(fits);
  return fit.length > 0 ? fit : all;
}

/** Whether the words name the variable: `DATABASE_URL` does not name `URL`. */
const names = (words: string, key: string): boolean => words.split(/[^A-Za-z0-9_]+/).includes(key);
