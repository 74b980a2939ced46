import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { parseAnswer } from '../../ops/answer.ts';
import type { Io, WaitBound } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { findAll } from '../../remote/find.ts';
import type { FindSpec } from '../../remote/reach.ts';
import { identityText } from '../../remote/value.ts';
import { zonesPath } from './api.ts';
import { domain } from './params.ts';
import { plainName, shownName } from './spelling.ts';

/** Finds the hosted zone of a name, which others made. The operation does not wait: a missing zone means that the line is wrong. */
export const zone: Op = {
  kind: 'wait',
  doc: 'Finds the hosted zone of a domain, so that a plan names it by its name. It makes nothing.',
  subject: '{name}[, private {private}]',
  params: {
    name: { ...domain, required: true, doc: 'The domain of the zone. Case and a final dot do not count.', example: 'example.com' },
    private: {
      type: 'boolean',
      doc: 'Whether the private or the public zone is meant. When left out, the domain must have one zone, a public one.',
    },
  },
  outputs: { id: { doc: 'Id of the hosted zone.' }, name: { doc: 'The domain, without a final dot.' } },
  bind(params): WaitBound {
    const name = plainName(identityText(params.name, 'name'));
    const wanted = params.private === undefined ? null : params.private === true;
    return {
      kind: 'wait',
      key: `/hostedzone[name=${name},private=${wanted ?? ''}]`,
      fields: { name },
      reach: { kind: 'none' },
      poll: async (io) => {
        const id = await zoneId(io, name, wanted);
        return { state: 'ready', live: { id, values: {}, outputs: { id, name } } };
      },
    };
  },
};

const zoneSchema = z.object({ Id: z.string().min(1), Config: z.object({ PrivateZone: z.string().optional() }).optional() });

/** Lists zones from the name on. The list has no filter, and zones of one name follow each other. */
const findZones = (name: string): FindSpec => ({
  request: { method: 'GET', path: zonesPath, query: { dnsname: `${name}.`, maxitems: '100' } },
  list: '/ListHostedZonesByNameResponse/HostedZones/HostedZone',
  match: { '/Name': shownName(name) },
  id: '/Id',
});

interface Zone {
  readonly id: string;
  readonly isPrivate: boolean;
}

async function zoneId(io: Io, name: string, isPrivate: boolean | null): Promise<string> {
  const found = await findAll(io.http, findZones(name), { signal: io.signal, share: true });
  const zones = found.map(({ item }): Zone => {
    const { Id, Config } = parseAnswer(zoneSchema, item, `route53 lists the zone ${name}`);
    return { id: Id.split('/').at(-1) ?? '', isPrivate: Config?.PrivateZone === 'true' };
  });
  const meant = zones.filter((one) => isPrivate === null || one.isPrivate === isPrivate);
  const [only] = meant;
  if (only && meant.length === 1 && only.isPrivate === (isPrivate ?? false)) return only.id;
  throw zones.length === 0 ? absent(name) : unclear(name, zones, meant);
}

const absent = (name: string): Failure =>
  new Failure('PROVIDER_NOT_FOUND', {
    detail: `The account has no hosted zone ${name}, or the key may not see it.`,
    fix: 'Correct `name`: it is the domain of the zone itself, not of a name in it.',
  });

function unclear(name: string, zones: readonly Zone[], meant: readonly Zone[]): Failure {
  const listed = zones.map(({ id, isPrivate }) => `${id} (${isPrivate ? 'private' : 'public'})`).join(', ');
  const flaw = meant.length > 1 ? 'several of them are meant' : meant.length === 1 ? 'it is private' : 'none of them is meant';
  return new Failure('PARAM_INVALID', {
    detail: `${name} has ${zones.length === 1 ? 'one hosted zone' : `${zones.length} hosted zones`}, and ${flaw}: ${listed}.`,
    fix: 'Say by `private` which one is meant, or remove this line and write its id as `hosted_zone_id` of the records.',
  });
}
