import { bounds, inMb } from '../../core/bounds.ts';
import { Failure, Failures } from '../../core/errors.ts';
import { type FamilyEntry, type Registry, takenNames } from '../../ops/registry.ts';
import { decodeFile, type FileKind } from '../../plan/read-file.ts';
import type { ProviderEntry } from '../../plan/types.ts';
import { familyByHand } from '../expand.ts';
import { type FamilyReading, readFamily, recipeFailures } from '../read-family.ts';
import type { Family } from '../schema.ts';
import { blockOf, familyProblems } from './check-family.ts';

/** A family of the user's, as the registry takes it. */
export interface OwnFamily extends FamilyEntry {
  /** The API block that it declares. */
  readonly block: ProviderEntry;
}

const kind: FileKind = {
  name: 'recipe family',
  mostBytes: bounds.family,
  size: inMb(bounds.family),
  fix: 'Name the file of a recipe family.',
  empty: 'Write a recipe family into it, or do not name it.',
};

/** The words that name something already, and what they name. */
export type Taken = Map<string, string>;

export const takenIn = (registry: Registry): Taken =>
  new Map([...takenNames(registry)].map((name) => [name, 'an adapter or a recipe family of pilotfish or of a plugin']));

/** Reads one file, and notes its names as taken. Throws `Failures` with every mistake and its place. */
export function ownFamily(bytes: Uint8Array, file: string, taken: Taken): OwnFamily {
  const reading = readFamily(textOf(bytes, file), file);
  const { family } = reading;
  const problems = [...reading.problems, ...(family ? [...familyProblems(family, reading), ...nameProblems(family, reading, taken)] : [])];
  const [first, ...rest] = problems;
  if (first) throw new Failures([first, ...rest]);
  if (!family) throw new Error(`${file} has neither a family nor a mistake`);
  for (const name of namesOf(family)) taken.set(name, `the recipe family in ${file}`);
  const { name, alias } = family;
  const aliases = Object.entries(family.ops).flatMap(([op, one]) => (one.alias === undefined ? [] : [[one.alias, op] as const]));
  const adapter = familyByHand(family);
  return {
    name,
    ...(alias !== undefined && { alias }),
    ...(aliases.length > 0 && { opAliases: Object.fromEntries(aliases) }),
    load: async () => adapter,
    block: blockOf(family, reading.placeOf),
  };
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return decodeFile(bytes, file, kind);
  } catch (thrown) {
    throw thrown instanceof Failure ? recipeFailures(thrown) : thrown;
  }
}

const namesOf = ({ name, alias = name }: Family): ReadonlySet<string> => new Set([name, alias]);

function nameProblems(family: Family, { placeOf }: FamilyReading, taken: Taken): readonly Failure[] {
  return [...namesOf(family)].flatMap((name) => {
    const by = taken.get(name);
    if (by === undefined) return [];
    return new Failure('RECIPE_INVALID', {
      detail: `The name ${name} is taken by ${by}.`,
      fix: 'Give the family a name of its own.',
      place: placeOf([name === family.name ? 'name' : 'alias']),
    });
  });
}
