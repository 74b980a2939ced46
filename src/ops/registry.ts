import type { SecretSource } from '../secrets/source.ts';
import type { Adapter, Op } from './op.ts';

/** An adapter by name. Its code is loaded only when a plan or a record names it. */
export interface AdapterEntry {
  readonly name: string;
  /** The specification's neutral name. */
  readonly alias?: string;
  load(): Promise<Adapter>;
}

/** A recipe family by name. Its file is read only when a plan names it. */
export interface FamilyEntry extends AdapterEntry {
  /** Other spellings of single recipes: `dns.cname` → `dns_cname`. */
  readonly opAliases?: { readonly [recipe: string]: string };
}

export interface RecipeMatch {
  readonly family: Adapter;
  readonly opName: string;
  /** `null` where the family has no such recipe. */
  readonly op: Op | null;
}

/** Everything a plan may name. A plugin gets it: `export function register(registry) { registry.addAdapter(…) }`. */
export interface Registry {
  addAdapter(adapter: Adapter): void;
  /** Adds an adapter that is loaded when somebody asks for it. */
  addLateAdapter(entry: AdapterEntry): void;
  addFamily(family: FamilyEntry): void;
  addSecretSource(source: SecretSource): void;
  /** A built-in or plugged-in adapter by name or alias. */
  adapter(name: string): Promise<Adapter | null>;
  /** Canonical names. */
  adapterNames(): readonly string[];
  /** Every name of this adapter, the canonical one first; empty where there is no such adapter. */
  adapterSpellings(name: string): readonly string[];
  /** A recipe family by name or alias. */
  family(name: string): Promise<Adapter | null>;
  /** Canonical names. */
  familyNames(): readonly string[];
  /** Every name under which an API block of this family may stand in a plan; the canonical one first. */
  familySpellings(name: string): readonly string[];
  /** `<family>.<op>` in any spelling; `null` where there is no such family. */
  recipe(reference: string): Promise<RecipeMatch | null>;
  secretSource(scheme: string): SecretSource | null;
  secretSchemes(): readonly string[];
  /** One text for the code of all plugins as loaded so far. The digest of a plan covers it. Left out where there are no plugins. */
  pluginCode?(): string;
}

/** An empty registry. A provider may be an adapter and a recipe family at once, but each word has one meaning within its kind. */
export function createRegistry(): Registry {
  const adapters = new Names<AdapterEntry>('adapter');
  const families = new Names<FamilyEntry>('recipe family');
  const recipes = new Map<string, { readonly family: string; readonly op: string }>();
  const loading = new Map<AdapterEntry, Promise<Adapter>>();
  const sources = new Map<string, SecretSource>();

  const loaded = async (entry: AdapterEntry | null): Promise<Adapter | null> => {
    if (!entry) return null;
    const known = loading.get(entry) ?? entry.load();
    loading.set(entry, known);
    return await known;
  };
  const family = (name: string): Promise<Adapter | null> => loaded(families.get(name));

  return {
    addAdapter(adapter) {
      const { name, alias } = adapter;
      adapters.add({ name, ...(alias !== undefined && { alias }), load: async () => adapter });
    },
    addLateAdapter: (entry) => adapters.add(entry),
    addFamily(entry) {
      families.add(entry);
      for (const [spelling, op] of Object.entries(entry.opAliases ?? {})) {
        if (recipes.has(spelling)) throw new Error(`the recipe name ${spelling} is taken`);
        recipes.set(spelling, { family: entry.name, op });
      }
    },
    addSecretSource(source) {
      if (!/^[a-z][a-z0-9+.-]*$/.test(source.scheme)) throw new Error(`${JSON.stringify(source.scheme)} is not a scheme`);
      if (sources.has(source.scheme)) throw new Error(`the secret source ${source.scheme}:// is taken`);
      sources.set(source.scheme, source);
    },
    adapter: (name) => loaded(adapters.get(name)),
    adapterNames: () => adapters.canonical(),
    adapterSpellings(name) {
      const entry = adapters.get(name);
      if (!entry) return [];
      return [entry.name, ...(entry.alias === undefined ? [] : [entry.alias])];
    },
    family,
    familyNames: () => families.canonical(),
    familySpellings(name) {
      const entry = families.get(name);
      if (!entry) return [];
      const prefixes = Object.keys(entry.opAliases ?? {}).map((spelling) => familyPart(spelling));
      return [...new Set([entry.name, ...(entry.alias === undefined ? [] : [entry.alias]), ...prefixes])];
    },
    async recipe(reference) {
      const spelled = recipes.get(reference);
      const found = await family(spelled?.family ?? familyPart(reference));
      if (!found) return null;
      const opName = spelled?.op ?? reference.slice(familyPart(reference).length + 1);
      return { family: found, opName, op: (Object.hasOwn(found.ops, opName) && found.ops[opName]) || null };
    },
    secretSource: (scheme) => sources.get(scheme) ?? null,
    secretSchemes: () => [...sources.keys()],
  };
}

/** The registry with more recipe families. None of their names may be taken: `takenNames` tells which are. */
export function withFamilies(base: Registry, families: readonly FamilyEntry[]): Registry {
  const own = createRegistry();
  for (const family of families) own.addFamily(family);
  return {
    ...base,
    family: async (name) => (await own.family(name)) ?? (await base.family(name)),
    familyNames: () => [...base.familyNames(), ...own.familyNames()],
    familySpellings(name) {
      const spellings = own.familySpellings(name);
      return spellings.length > 0 ? spellings : base.familySpellings(name);
    },
    recipe: async (reference) => (await own.recipe(reference)) ?? (await base.recipe(reference)),
  };
}

/** Every word that names an adapter or a family. A family of that name would be mistaken for it, and would share its variables. */
export const takenNames = (registry: Registry): ReadonlySet<string> =>
  new Set([
    ...registry.adapterNames().flatMap((name) => registry.adapterSpellings(name)),
    ...registry.familyNames().flatMap((name) => registry.familySpellings(name)),
  ]);

const familyPart = (recipe: string): string => recipe.split('.', 1)[0] ?? recipe;

/** Things by name and alias. A taken name is refused, so that no plugin silently replaces a built-in thing. */
class Names<Thing extends { readonly name: string; readonly alias?: string }> {
  readonly #kind: string;
  readonly #things = new Map<string, Thing>();
  constructor(kind: string) {
    this.#kind = kind;
  }

  add(thing: Thing): void {
    const names = new Set([thing.name, thing.alias ?? thing.name]);
    for (const name of names) {
      if (!/^[a-z][a-z0-9_]*$/.test(name)) {
        throw new Error(`${JSON.stringify(name)} is no name for an ${this.#kind}: a name has lower-case letters, digits and underscores`);
      }
      if (this.#things.has(name)) throw new Error(`the ${this.#kind} name ${name} is taken`);
    }
    for (const name of names) this.#things.set(name, thing);
  }

  get(name: string): Thing | null {
    return this.#things.get(name) ?? null;
  }

  canonical(): string[] {
    return [...new Set([...this.#things.values()].map((thing) => thing.name))];
  }
}
