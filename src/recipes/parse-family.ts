import { Failure } from '../core/errors.ts';
import { readFamily } from './read-family.ts';
import type { Family } from './schema.ts';

/** A family file as data. A mistake in it is a defect of pilotfish, or of the plugin that brought it. */
export function parseFamily(text: string, name: string): Family {
  const { family, problems } = readFamily(text, `${name}.yaml`);
  if (family === null || problems.length > 0) {
    const details = problems.map(({ detail, place }) => `${place ? `line ${place.line}: ` : ''}${detail}`);
    throw new Failure('INTERNAL', { detail: `The recipe family ${name} is not valid. ${details.join(' ')}` });
  }
  if (family.name !== name)
    throw new Failure('INTERNAL', { detail: `The file of the recipe family ${name} is named ${family.name} inside.` });
  return family;
}
