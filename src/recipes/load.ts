import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { type Family, familySchema } from './schema.ts';

/** A family as the index knows it, without its file. */
export interface FamilyName {
  readonly name: string;
  readonly alias?: string;
  /** Other full names of single recipes: `dns.cname` → `dns_cname`. */
  readonly opAliases?: { readonly [recipe: string]: string };
}

/** Beside this module; the build copies the folder beside its bundle. */
export const familiesFolder = new URL('./families/', import.meta.url);

const indexSchema = z.array(
  z.strictObject({ name: z.string(), alias: z.string().exactOptional(), opAliases: z.record(z.string(), z.string()).exactOptional() }),
);

export interface Families {
  /** Every family with its aliases, from one small file: a run reads the files of the families it uses and no other. */
  names(): Promise<readonly FamilyName[]>;
  /** One family by its canonical name. */
  load(name: string): Promise<Family>;
}

/** The families of a folder: YAML in the sources, checked JSON in the package, where reading one takes no time. */
export function familiesIn(folder: URL): Families {
  // The files of this version do not change while it runs.
  let names: Promise<readonly FamilyName[]> | null = null;
  const namesOnce = (): Promise<readonly FamilyName[]> => {
    names ??= readFile(new URL('index.json', folder), 'utf8').then((text) => indexSchema.parse(JSON.parse(text)));
    return names;
  };
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
      const built = await readIfThere(new URL(`${name}.json`, folder));
      // The build has checked it.
      if (built !== null) return JSON.parse(built) as Family;
      return parseFamily(await readFile(new URL(`${name}.yaml`, folder), 'utf8'), name);
    },
  };
}

const own = familiesIn(familiesFolder);
export const familyNames = (): Promise<readonly FamilyName[]> => own.names();
export const loadFamily = (name: string): Promise<Family> => own.load(name);

async function readIfThere(file: URL): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error) && error.code === 'ENOENT') return null;
    throw error;
  }
}

const isErrno = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error;

/** A family file as data. A mistake in one is a defect of pilotfish, or of the plugin it came with. */
export function parseFamily(text: string, name: string): Family {
  const result = familySchema.safeParse(parse(text));
  if (!result.success)
    throw new Failure('INTERNAL', { detail: `The recipe family ${name} is not valid. ${z.prettifyError(result.error)}` });
  if (result.data.name !== name)
    throw new Failure('INTERNAL', { detail: `The file of the recipe family ${name} is named ${result.data.name} inside.` });
  return result.data;
}
