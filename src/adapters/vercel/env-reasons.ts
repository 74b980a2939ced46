import type { z } from 'zod';
import type { createdSchema, EnvIdentity } from './api.ts';
import type { EnvRefusal } from './env-refusal.ts';

/** Why one of several variables was not created, as the answer to all of them says it. */
export type FailedEnv = z.output<typeof createdSchema>['failed'][number]['error'];

/** What an answer says of one variable. */
export interface Reasons {
  readonly refusals: readonly EnvRefusal[];
  /** Each of them is of this variable. Else each is of this one or of another. */
  readonly isSure: boolean;
}

/**
 * The reasons of each variable that was not created. A project may hold several of one key, so a reason is matched by all that it names:
 * key, branch and targets. One that may mean several variables is told to each of them.
 */
export function reasonsOf(unmade: readonly EnvIdentity[], failed: readonly FailedEnv[]): ReadonlyMap<EnvIdentity, Reasons> {
  const meant = failed.map((reason) => ({ reason, of: candidates(unmade, reason) }));
  const sure = new Set(meant.flatMap(({ of }) => (of.length === 1 ? of : [])));
  const told = new Map<EnvIdentity, { refusals: EnvRefusal[]; isSure: boolean }>();
  for (const { reason, of } of meant) {
    // One that has a reason of its own hardly has another one's.
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

/** Those that a reason may mean: what it names, and all where it names none of them. */
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

/** What fits, or all where nothing does. */
function narrowed<T>(all: readonly T[], fits: (one: T) => boolean): readonly T[] {
  const fit = all.filter(fits);
  return fit.length > 0 ? fit : all;
}

/** Whether the words name the variable: `DATABASE_URL` does not name `URL`. */
const names = (words: string, key: string): boolean => words.split(/[^A-Za-z0-9_]+/).includes(key);
