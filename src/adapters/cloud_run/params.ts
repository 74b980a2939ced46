import type { Params } from '../../ops/bound.ts';
import type { ParamSpec } from '../../ops/op.ts';
import { identityText } from '../../remote/value.ts';
import type { Place } from './api.ts';

export const namePattern = '^[a-z]([a-z0-9-]*[a-z0-9])?$';

/** The params that name a service, and a tag of it. */
export const serviceParams: { readonly [name: string]: ParamSpec } = {
  project: {
    type: 'string',
    required: true,
    pattern: '^[a-z0-9][a-z0-9:.-]*$',
    doc: 'Id of the project.',
    todo: 'Google Cloud console, the project picker, column ID.',
    example: 'acme-shop',
  },
  location: { type: 'string', required: true, pattern: '^[a-z]+-[a-z]+\\d+$', doc: 'Region of the service.', example: 'europe-west1' },
  service: {
    type: 'string',
    required: true,
    pattern: namePattern,
    max_length: 49,
    doc: 'Name of the service; it must exist.',
    todo: 'Google Cloud console, Cloud Run, Services, the name in the list.',
    example: 'shop',
  },
  tag: {
    type: 'string',
    required: true,
    pattern: namePattern,
    doc: 'Tag of the revision, which begins its address. Tag and service name together have at most 46 characters.',
    example: '${ctx.scope}',
  },
};

export const placeOf = (params: Params): Place => ({
  project: identityText(params.project, 'project'),
  location: identityText(params.location, 'location'),
  service: identityText(params.service, 'service'),
});
