import { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { shapeMistakes } from '../../ops/generic/shape.ts';
import { plainOf } from '../../plan/parts.ts';
import { readYaml } from '../../plan/read-yaml.ts';
import { type ServiceFile, serviceFile } from './schema.ts';

/** Far more than a file of the catalogue has. */
const mostValues = 2000;

/** A file of the catalogue as data. A mistake in it is a defect of pilotfish. */
export function readService(text: string, name: string): ServiceFile {
  const { root, problems } = readYaml(text, `${name}.yaml`, mostValues);
  const json = plainOf(root, Number.POSITIVE_INFINITY) as Json;
  const { success, data } = serviceFile.safeParse(json);
  const mistakes = [...problems.list(), ...(success ? [] : shapeMistakes(serviceFile, json))];
  if (!success || mistakes.length > 0) throw invalid(name, mistakes.map(({ detail }) => detail).join(' '));
  if (data.name !== name) throw invalid(name, `It is named ${data.name} inside.`);
  return data;
}

const invalid = (name: string, why: string): Failure =>
  new Failure('INTERNAL', { detail: `The file ${name}.yaml of the catalogue is not valid. ${why}` });
