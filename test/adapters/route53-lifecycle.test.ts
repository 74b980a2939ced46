import { type RecordSet, route53 } from 'pilotfish-sandbox/aws-route53/index';
import { describeOp } from '../support/describe-recipe.ts';

const id = 'Z0123456789ABCDEFGHIJ';
const Name = 'pr-12.acme.example.';
const whole = 'an alias is written whole or refused, and a change has to repeat every part of what stands';
const credentialOf =
  ({ world, tokens }: Pick<ReturnType<typeof route53>, 'world' | 'tokens'>) =>
  (tier: 'full' | 'readOnly' | 'blind') => ({ AWS_ACCESS_KEY_ID: world.keyIds[tier], AWS_SECRET_ACCESS_KEY: tokens[tier] });

const isMine =
  (Type: string) =>
  (one: RecordSet): boolean =>
    one.Name === Name && one.Type === Type;
const isDelete = ({ method, text }: { readonly method: string; readonly text: string }) =>
  method === 'POST' && text.includes('<Action>DELETE</Action>');
const isCreate = ({ method, text }: { readonly method: string; readonly text: string }) =>
  method === 'POST' && text.includes('<Action>CREATE</Action>') && !text.includes('DELETE');

/** A zone with what comes right before and right behind the line's own record in its list. */
function openZone({ faults, world }: ReturnType<typeof route53>, type: string) {
  faults.readyAfter(2);
  world.addZone('acme.example', { id });
  const neighbours: readonly RecordSet[] = [
    { Name: 'pr-11.acme.example.', Type: type, TTL: 60, ResourceRecords: ['cname.vercel-dns.com'] },
    { Name: 'pr-13.acme.example.', Type: type, TTL: 60, ResourceRecords: ['cname.vercel-dns.com'] },
    { Name: 'a.pr-12.acme.example.', Type: type, TTL: 60, ResourceRecords: ['cname.vercel-dns.com'] },
  ];
  for (const one of neighbours)
    world.addRecord(id, { ...one, ResourceRecords: type === 'TXT' ? ['"theirs"'] : (one.ResourceRecords ?? []) });
  if (type !== 'CNAME') world.addRecord(id, { Name, Type: 'AAAA', TTL: 60, ResourceRecords: ['2001:db8::1'] });
  const slow = {
    hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
    goesOn: () => {
      faults.readyAfter(0);
      world.finish();
    },
  };
  return {
    mine: () => world.records(id).filter(isMine(type)),
    others: () => world.records(id).filter((one) => !isMine(type)(one) && !one.Name.startsWith('crowd-')),
    remove: () => world.removeRecord(id, { Name, Type: type }),
    fill: () => Object.assign(world.state, { recordLimit: world.records(id).length }),
    slow,
    requests: { create: isCreate, remove: isDelete },
    isUnique: true,
  };
}

describeOp('route53.record', {
  simulate: route53,
  subject: (simulation) => {
    const { world } = simulation;
    const stands = { TTL: 60, ResourceRecords: ['cname.vercel-dns.com'] };
    return {
      ...openZone(simulation, 'CNAME'),
      credential: credentialOf(simulation),
      params: { hosted_zone_id: id, name: 'pr-12.acme.example', type: 'CNAME', values: ['cname.vercel-dns.com'], ttl: 60 },
      stands,
      edits: { values: { ResourceRecords: ['elsewhere.example.'] }, ttl: { TTL: 900 } },
      changes: { values: { values: ['other.vercel-dns.com'] }, ttl: { ttl: 120 } },
      same: { 'a final dot': { ResourceRecords: ['CNAME.vercel-dns.com.'] } },
      foreign: () => world.addRecord(id, { Name, Type: 'CNAME', ...structuredClone(stands) }),
      crowd: {
        fill: () => {
          for (let i = 0; i < 400; i += 1)
            world.addRecord(id, { Name: `crowd-${i}.acme.example.`, Type: 'CNAME', ...structuredClone(stands) });
        },
        looks: 1,
      },
    };
  },
  skip: { twoMatches: 'a zone has a name and type once' },
});

describeOp('route53.record', {
  simulate: route53,
  subject: (simulation) => {
    const { world } = simulation;
    return {
      ...openZone(simulation, 'TXT'),
      credential: credentialOf(simulation),
      params: {
        hosted_zone_id: id,
        name: 'PR-12.acme.example.',
        type: 'TXT',
        values: ['say "hi"', 'grün \\ rot', 'b'.repeat(300)],
        ttl: 60,
      },
      stands: { ResourceRecords: ['"say \\"hi\\""', '"gr\\303\\274n \\134 rot"', `"${'b'.repeat(255)}" "${'b'.repeat(45)}"`] },
      edits: { values: { ResourceRecords: ['"theirs"'] }, ttl: { TTL: 900 } },
      changes: { values: { values: ['other'] } },
      same: {
        'another order, and other pieces': {
          ResourceRecords: [`"${'b'.repeat(100)}" "${'b'.repeat(200)}"`, '"gr\\303\\274n \\134 rot"', '"say \\042hi\\042"'],
        },
      },
      foreign: () => world.addRecord(id, { Name, Type: 'TXT', TTL: 300, ResourceRecords: ['"theirs"'] }),
    };
  },
  skip: { twoMatches: 'a zone has a name and type once' },
});

describeOp('route53.record', {
  simulate: route53,
  subject: (simulation) => {
    const { world } = simulation;
    const AliasTarget = { HostedZoneId: 'Z2FDTNDATAQYW2', DNSName: 'd123.cloudfront.net.', EvaluateTargetHealth: false };
    return {
      ...openZone(simulation, 'A'),
      credential: credentialOf(simulation),
      params: {
        hosted_zone_id: id,
        name: 'pr-12.acme.example',
        type: 'A',
        alias_target: 'D123.cloudfront.net',
        alias_zone_id: 'Z2FDTNDATAQYW2',
        evaluate_target_health: false,
      },
      stands: { AliasTarget },
      edits: {
        alias_target: { AliasTarget: { DNSName: 'd9.cloudfront.net.' } },
        alias_zone_id: { AliasTarget: { HostedZoneId: 'Z35SXDOTRQ7X7K' } },
        evaluate_target_health: { AliasTarget: { EvaluateTargetHealth: true } },
      },
      changes: { alias_target: { alias_target: 'd9.cloudfront.net' }, evaluate_target_health: { evaluate_target_health: true } },
      foreign: () => world.addRecord(id, { Name, Type: 'A', AliasTarget: structuredClone(AliasTarget) }),
    };
  },
  skip: {
    twoMatches: 'a zone has a name and type once',
    'untidy silently-dropped: field 1 left out': whole,
    'untidy silently-dropped: field 2 left out': whole,
  },
});

describeOp('route53.zone', {
  kind: 'wait',
  simulate: route53,
  subject: (simulation) => {
    const { world } = simulation;
    for (const name of ['acme.example', 'preview.acme.example', 'acmf.example']) world.addZone(name);
    return {
      credential: credentialOf(simulation),
      params: { name: 'ACME.example.' },
      mine: () => Object.values(world.state.zones ?? {}).filter(({ name }) => name === 'acme.example.'),
      others: () => world.state.zones,
      requests: { create: { method: 'GET' } },
    };
  },
  skip: { wait: 'a zone is there, or the line is wrong: nothing is waited for' },
});
