import { door } from '../core/door.ts';
import { Failure, Failures } from '../core/errors.ts';
import { whyNotText } from '../core/plain-text.ts';
import { longestText, textFailure } from './given-text.ts';
import type { Context } from './types.ts';

/** Environments of a plan that lists none. */
export const defaultEnvironments: readonly string[] = ['preview', 'production'];

/** Production needs an approval and has one scope. `production-eu` and `Production` are production too. */
export const isProduction = (environment: string): boolean => /^production/i.test(environment);

export interface ContextSources {
  readonly flags: {
    readonly scope: string | null;
    readonly pr: number | null;
    readonly branch: string | null;
    readonly sha: string | null;
    readonly environment: string;
  };
  /** Reads the facts about the change from the event that started this job; `null` for a fact that the event does not give. */
  readonly event: () => { readonly pr: number | null; readonly sha: string | null; readonly branch: string | null };
  /** The checkout, or `null` outside a repository. `branch` is `null` when no branch is checked out. */
  readonly git: { readonly sha: string | null; readonly branch: string | null } | null;
}

/**
 * The change that this run is about. A flag wins over the event of the code host, and the event wins over the checkout: in a pull request
 * job the checkout is often the merge commit, whose sha no deployment has. The scope is never taken from the branch.
 */
export function resolveContext({ flags, event: readEvent, git }: ContextSources): Context {
  const failures = flagFailures(flags);
  const [first, ...rest] = failures;
  if (first) throw new Failures([first, ...rest]);
  const event = readEvent();
  // An event about another pull request says nothing about this one.
  const facts = flags.pr === null || event.pr === null || event.pr === flags.pr ? event : { pr: null, sha: null, branch: null };
  const number = flags.pr ?? facts.pr;
  return {
    environment: flags.environment,
    scope: scopeOf(flags.scope, flags.environment, number),
    git: { sha: flags.sha ?? facts.sha ?? git?.sha ?? null, branch: flags.branch ?? facts.branch ?? git?.branch ?? null },
    pr: { number },
  };
}

const productionScope = 'production';

function scopeOf(flag: string | null, environment: string, pr: number | null): string | null {
  if (flag !== null) return flag;
  if (isProduction(environment)) return productionScope;
  return pr === null ? null : `pr-${pr}`;
}

function flagFailures(flags: ContextSources['flags']): readonly Failure[] {
  const failures: Failure[] = [];
  const refuse = (detail: string, fix: string): void => void failures.push(new Failure('USAGE', { detail, fix }));
  const { scope, pr } = flags;
  if (scope !== null) {
    // Lone surrogates have no UTF-8 form, so two of them would become one file name.
    const why = whyNotText(scope, longestText.scope);
    if (why !== null) refuse(`The scope ${why}.`, `Pass a ${door.named('scope')} of visible characters.`);
    else if (isProduction(flags.environment) && scope !== productionScope) {
      refuse(
        `The environment ${flags.environment} has one scope, ${productionScope}, but ${door.named('scope')} names another.`,
        `Leave ${door.named('scope')} out.`,
      );
    }
  }
  if (pr !== null && !(Number.isSafeInteger(pr) && pr > 0))
    refuse(`${door.named('pr')} must be the number of a pull request.`, `Pass ${door.passed('pr')}.`);
  for (const [name, text] of [
    ['branch', flags.branch],
    ['sha', flags.sha],
    ['env', flags.environment],
  ] as const) {
    const failure = text === null ? null : textFailure(name, text);
    if (failure) failures.push(failure);
  }
  return failures;
}
