import { Failure, Failures } from '../../core/errors.ts';
import type { JsonMap } from '../../core/json.ts';
import { resolveBlock } from '../../ops/provider.ts';
import { Problems } from '../../plan/problems.ts';
import { findSecretLiterals } from '../../plan/secret-literal.ts';
import { valueAt } from '../../plan/tree.ts';
import type { ProviderEntry } from '../../plan/types.ts';
import { asRecipe, type FamilyPath, type FamilyReading } from '../read-family.ts';
import type { Family } from '../schema.ts';

/** What a family of the user's must not hold, although the schema takes it from families that were reviewed with pilotfish. */
export function familyProblems(family: Family, { root, placeOf }: FamilyReading): readonly Failure[] {
  const literals = new Problems();
  // The hints of `detect` speak about secrets and hold none.
  for (const at of ['provider', 'ops']) {
    const part = valueAt(root, at);
    if (part) findSecretLiterals(part, { name: null, at }, literals);
  }
  return [...literals.list(), ...blockProblems(family, placeOf), ...aliasProblems(family, placeOf)];
}

/** The API block that the family declares. */
export const blockOf = ({ name, provider }: Family, placeOf: FamilyReading['placeOf']): ProviderEntry => ({
  name,
  place: placeOf(['provider']),
  values: Object.fromEntries(Object.entries(provider as JsonMap).filter(([key, value]) => key !== 'base_url' || value !== null)),
  placeOf: (path: FamilyPath) => placeOf(['provider', ...path]),
});

/** The block is checked like a block of a plan: forms of credentials, names of headers, addresses. */
function blockProblems(family: Family, placeOf: FamilyReading['placeOf']): readonly Failure[] {
  const entry = blockOf(family, placeOf);
  // The block of a plan may give the address and the region.
  const defaults = { base_url: null, auth: null, region: 'region-1' };
  try {
    resolveBlock({ name: family.name, defaults, entry, env: {}, isApi: true, baseless: family.provider.base_url === null });
    return [];
  } catch (thrown) {
    if (thrown instanceof Failures) return thrown.failures.map(asRecipe);
    throw thrown;
  }
}

/** Another name of a recipe may only begin with a name of its own family, so that each word leads to one family. */
function aliasProblems({ name, alias = name, ops }: Family, placeOf: FamilyReading['placeOf']): readonly Failure[] {
  return Object.entries(ops).flatMap(([op, { alias: other }]) => {
    const [first, second = ''] = other?.split('.') ?? [];
    if (other === undefined || ([name, alias].includes(first ?? '') && !Object.hasOwn(ops, second))) return [];
    return new Failure('RECIPE_INVALID', {
      detail: `ops.${op}.alias is ${other}, but the other name of a recipe is ${[...new Set([name, alias])].join(' or ')}, a dot, and a word that no operation has.`,
      fix: 'Take the alias out: a line can name the recipe without it.',
      place: placeOf(['ops', op, 'alias']),
    });
  });
}
