import type { RepositoryFacts } from './checkout.ts';
import { gitInCheckout, runGit } from './git-system.ts';

/**
 * Whether `older` is a proper ancestor of `newer` in this checkout. `false` also where nobody can tell: outside a checkout, for
 * commits that are not here, and always in a shallow clone, whose history is cut off at a place that says nothing about the project.
 */
export async function isAncestor(
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly facts: Pick<RepositoryFacts, 'shallow'> | null },
  older: string,
  newer: string,
): Promise<boolean> {
  if (where.facts === null || where.facts.shallow || !isCommit(older) || !isCommit(newer) || older === newer) return false;
  const answer = await runGit(['merge-base', '--is-ancestor', older, newer], {
    cwd: where.cwd,
    env: gitInCheckout(where.env),
    timeoutMs: 20_000,
  });
  return answer.code === 0;
}

/** A flag of git must not pass for a commit. */
const isCommit = (text: string): boolean => /^[0-9a-f]{7,64}$/i.test(text);
