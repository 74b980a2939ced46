import { addressLine, addressOutputs, hostOf, longestLabel, untold } from '../../ops/address.ts';
import type { Op } from '../../ops/op.ts';
import { identityText } from '../../remote/value.ts';
import { readService, servicePath } from './api.ts';
import { placeOf, serviceParams } from './params.ts';

/** The address of a tag: the tag, three hyphens, and the address of the service (cloud.google.com/run/docs/rollouts-rollbacks-traffic-migration, 2026-11-27). */
export const address: Op = {
  kind: 'wait',
  doc: 'The address of a tagged revision before it is made: `<tag>---<address of the service>`, by the rule that Google documents. It makes nothing.',
  subject: 'address of {tag} of {service}, {location}, {project}',
  console: {
    page: 'https://console.cloud.google.com/run/detail/{location}/{service}/revisions?project={project}',
    key: '/v2/projects/{project}/locations/{location}/services/{service}',
  },
  notes: ['Give the host name to the `address` of the revision line as well, which fails where the revision answers elsewhere.'],
  params: serviceParams,
  outputs: addressOutputs,
  bind(params) {
    const place = placeOf(params);
    const tag = identityText(params.tag, 'tag');
    return addressLine(`${servicePath(place)}#address=${tag}`, async (io) => {
      const host = hostOf((await readService(io, place)).uri);
      if (host === null) {
        throw untold(
          'service',
          `The service ${place.service} has no address at Google, so its tags have none either.`,
          'Enable the default URL of the service, or use a domain of your own.',
        );
      }
      const hostname = `${tag}---${host}`;
      const label = hostname.split('.', 1)[0] ?? '';
      if (label.length <= longestLabel) return hostname;
      throw untold(
        'tag',
        `The name ${label} has ${label.length} characters, and a label of a host name has at most ${longestLabel}.`,
        'Use a shorter tag.',
      );
    });
  },
};
