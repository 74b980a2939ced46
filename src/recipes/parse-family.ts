import { parse } from 'yaml';
import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { type Family, familySchema } from './schema.ts';

/** A family file as data. A mistake in it is a defect of pilotfish, or of the plugin that brought it. */
export function parseFamily(text: string, name: string): Family {
  const result = familySchema.safeParse(parse(text));
  if (!result.success)
    throw new Failure('INTERNAL', { detail: `The recipe family ${name} is not valid. ${z.prettifyError(result.error)}` });
  if (result.data.name !== name)
    throw new Failure('INTERNAL', { detail: `The file of the recipe family ${name} is named ${result.data.name} inside.` });
  return result.data;
}
