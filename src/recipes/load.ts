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

/** Every family with its aliases, from one small file: a run reads the files of the families it uses and no other. */
export function familyNames(): Promise<readonly FamilyName[]> {
  names ??= readFile(new URL('index.json', familiesFolder), 'utf8').then((text) => indexSchema.parse(JSON.parse(text)));
  return names;
}

/** The files of this version do not change while it runs. */
let names: Promise<readonly FamilyName[]> | null = null;

/** One family by its canonical name. */
export async function loadFamily(name: string): Promise<Family> {
  const known = (await familyNames()).map((family) => family.name);
  if (!known.includes(name)) {
    throw new Failure('PLAN_INVALID', {
      detail: `There is no recipe family ${JSON.stringify(name)}.${didYouMean(name, known)}`,
      fix: `Use one of ${known.join(', ')}.`,
    });
  }
  return parseFamily(await readFile(new URL(`${name}.yaml`, familiesFolder), 'utf8'), name);
}

/** A family file as data. A mistake in one is a defect of pilotfish, or of the plugin it came with. */
export function parseFamily(text: string, name: string): Family {
  const result = familySchema.safeParse(parse(text));
  if (!result.success)
    throw new Failure('INTERNAL', { detail: `The recipe family ${name} is not valid. ${z.prettifyError(result.error)}` });
  if (result.data.name !== name)
    throw new Failure('INTERNAL', { detail: `The file of the recipe family ${name} is named ${result.data.name} inside.` });
  return result.data;
}
