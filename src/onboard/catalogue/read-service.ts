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
  const mistakes = [...problems.list(), ...shapeMistakes(serviceFile, json)].map(({ detail }) => detail);
  if (mistakes.length > 0)
    throw new Failure('INTERNAL', { detail: `The file ${name}.yaml of the catalogue is not valid. ${mistakes.join(' ')}` });
  const service = serviceFile.parse(json);
  if (service.name !== name)
    throw new Failure('INTERNAL', { detail: `The file ${name}.yaml of the catalogue is named ${service.name} inside.` });
  return service;
}
