import type { DraftVariable } from '../ops/detect.ts';

/** The names in a repository from which its code may read a database's address. */
export interface NamesInUse {
  /** The names that the configuration of an ORM reads. */
  readonly configured: readonly string[];
  /** The ones of them that Prisma reads. */
  readonly prisma?: readonly string[];
  /** The names in `.env*` files, with the suffixes that the host in their value ends with. */
  readonly named: readonly { readonly name: string; readonly hosts: readonly string[] }[];
}

/** A variable of the build, with the name that the code reads. */
export interface NamedVariable {
  readonly key: string;
  /** No file of the repository names it. */
  readonly isGuess: boolean;
  readonly variable: DraftVariable;
}

/**
 * Chooses the names of a database's variables. A name that an ORM's configuration reads counts first, then a variable whose value is an
 * address of this database, then the usual name. An optional variable that nothing names is left out.
 */
export function nameVariables(
  variables: readonly DraftVariable[],
  hosts: readonly string[],
  { configured, named }: NamesInUse,
): readonly NamedVariable[] {
  const taken = new Set<string>();
  const isOthers = (key: string, own: DraftVariable) => variables.some((other) => other !== own && other.names.includes(key));
  return variables.flatMap((variable) => {
    const addresses = named.filter((one) => one.hosts.some((suffix) => hosts.includes(suffix))).map(({ name }) => name);
    const usual = (names: readonly string[]) => names.find((key) => !taken.has(key) && variable.names.includes(key));
    // A name that the team invented can only hold the address itself.
    const own = (names: readonly string[]) =>
      variable.optional ? undefined : names.find((key) => !taken.has(key) && !isOthers(key, variable));
    const used = usual(configured) ?? own(configured) ?? usual(addresses) ?? own(addresses) ?? usual(named.map(({ name }) => name));
    const key = used ?? (variable.optional ? undefined : variable.names[0]);
    if (key === undefined) return [];
    taken.add(key);
    return [{ key, isGuess: used === undefined, variable }];
  });
}
