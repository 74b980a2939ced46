import { Failure } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { familyIndexName, type ReadFamilyFile, readFamilyFile } from './family-files.ts';
import type { Family } from './schema.ts';

/** A family as the index knows it, without its file. */
export interface FamilyName {
  readonly name: string;
  readonly alias?: string;
  /** Other full names of single recipes: `dns.cname` → `dns_cname`. */
  readonly opAliases?: { readonly [recipe: string]: string };
}

export interface Families {
  /** Every family with its aliases, from one small file, so that a run reads only the files of the families that it uses. */
  names(): Promise<readonly FamilyName[]>;
  /** One family by its canonical name. */
  load(name: string): Promise<Family>;
}

/** The families of these files: YAML in the sources, and checked JSON in a build, where reading one takes no time. */
export function familiesOf(read: ReadFamilyFile): Families {
  // The files of this version do not change while it runs.
  let names: Promise<readonly FamilyName[]> | null = null;
  const namesOnce = (): Promise<readonly FamilyName[]> => {
    // `write-index.ts` makes the index from the families, in the sources as in a build.
    names ??= needed(familyIndexName, read).then((text) => JSON.parse(text) as readonly FamilyName[]);
    return names;
  };
  const loaded = new Map<string, Promise<Family>>();
  return {
    names: namesOnce,
    load: async (name) => {
      const known = (await namesOnce()).map((family) => family.name);
      if (!known.includes(name)) {
        throw new Failure('PLAN_INVALID', {
          detail: `There is no recipe family ${JSON.stringify(name)}.${didYouMean(name, known)}`,
          fix: `Use one of ${known.join(', ')}.`,
        });
      }
      const family = loaded.get(name) ?? readFamily(name, read);
      loaded.set(name, family);
      return await family;
    },
  };
}

async function readFamily(name: string, read: ReadFamilyFile): Promise<Family> {
  const built = await read(`${name}.json`);
  // The build has checked this file.
  if (built !== null) return JSON.parse(built) as Family;
  const { parseFamily } = await import('./parse-family.ts');
  return parseFamily(await needed(`${name}.yaml`, read), name);
}

const own = familiesOf(readFamilyFile);
export const familyNames = (): Promise<readonly FamilyName[]> => own.names();
export const loadFamily = (name: string): Promise<Family> => own.load(name);

async function needed(name: string, read: ReadFamilyFile): Promise<string> {
  const text = await read(name);
  if (text === null) throw new Failure('INTERNAL', { detail: `The file ${name} of the recipe families is missing.` });
  return text;
}
