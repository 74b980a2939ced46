import type { DraftVariable } from '../ops/detect.ts';

/** What a repository tells of the names under which its code reads a database's address. */
export interface NamesInUse {
  /** Read by the configuration of an ORM. */
  readonly configured: readonly string[];
  /** Those of them that Prisma reads. */
  readonly prisma?: readonly string[];
  /** In `.env*` files, with the suffixes that the host in their value ends with. */
  readonly named: readonly { readonly name: string; readonly hosts: readonly string[] }[];
}

/** A variable of the build, under the name that the code reads. */
export interface NamedVariable {
  readonly key: string;
  /** No file of the repository names it. */
  readonly isGuess: boolean;
  readonly variable: DraftVariable;
}

/**
 * The names for a database's variables. What an ORM's configuration reads counts before a variable whose value is an address of this
 * database, and that before a name that is usual. An optional variable that nothing names is left out.
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
    // A name of the team's own can only be the address itself.
    const own = (names: readonly string[]) =>
      variable.optional ? undefined : names.find((key) => !taken.has(key) && !isOthers(key, variable));
    const used = usual(configured) ?? own(configured) ?? usual(addresses) ?? own(addresses) ?? usual(named.map(({ name }) => name));
    const key = used ?? (variable.optional ? undefined : variable.names[0]);
    if (key === undefined) return [];
    taken.add(key);
    return [{ key, isGuess: used === undefined, variable }];
  });
}
