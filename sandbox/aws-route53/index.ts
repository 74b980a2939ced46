import { refusalOf } from '../kit/aws-v4-verifier.ts';
import { type Call, Ids, makeKit, Refusal, route, type Simulation, type SimulationOptions, simulate, type Tokens } from '../kit/index.ts';
import { changesIn, document, element, failure, readName, refusal, shownSet } from './documents.ts';
import { changed, compareSets, type RecordSet, type Route53State, type Zone } from './state.ts';

export type { RecordSet } from './state.ts';

export interface Route53World {
  readonly state: Route53State;
  /** The key ids that the tokens are the secret keys of. */
  readonly keyIds: Readonly<Record<keyof Tokens, string>>;
  /** Gives its id. The zone has the two records that every zone begins with. */
  addZone(name: string, options?: { readonly id?: string; readonly isPrivate?: boolean }): string;
  addRecord(zone: string, set: RecordSet): RecordSet;
  /** Live: changing one is a change from outside. */
  records(zone: string): readonly RecordSet[];
  removeRecord(zone: string, which: Pick<RecordSet, 'Name' | 'Type'>): void;
  /** From now on every server has what was changed. */
  finish(): void;
}

const host = 'route53.amazonaws.com';

/** Records of hosted zones: https://docs.aws.amazon.com/Route53/latest/APIReference/API_ChangeResourceRecordSets.html. */
export function route53(options: SimulationOptions = {}): Simulation<Route53World> {
  const kit = makeKit('aws-route53', options);
  const ids = new Ids('aws-route53');
  const keyIds = { full: 'AKIAIOSFODNN7EXAMPLE', readOnly: 'AKIAI44QH8DHBEXAMPLE', blind: 'AKIAJ7QK2WLN4EXAMPLE' };
  const { full, readOnly, blind } = kit.tokens;
  const secrets: Readonly<Record<string, string>> = { [keyIds.full]: full, [keyIds.readOnly]: readOnly, [keyIds.blind]: blind };
  const accounts = Object.fromEntries(Object.entries(secrets).map(([id, secret]) => [id, { secret }]));
  /** It is a global service, whose requests are signed for one region. */
  const refusedProof = (call: Call<Route53State, unknown>): string | null =>
    refusalOf(
      {
        method: call.method,
        target: `${call.path}?${call.query.toString()}`,
        headers: { host, ...Object.fromEntries(call.headers) },
        body: Buffer.from(call.text),
      },
      { accounts, region: 'us-east-1', service: 'route53', now: kit.clock.now() },
    );
  const state: Route53State = { zones: {}, changes: {}, recordLimit: 10_000, busy: 0 };
  const newZone = (): string => `Z${ids.text(20, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')}`;
  return simulate<Route53State, Route53World>(kit, {
    name: 'aws-route53',
    origin: `https://${host}`,
    state,
    blind: () => ({ ...state, zones: null }),
    world: (live) => worldOf(live, keyIds, newZone),
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('authorization'),
    tokenOf: (_, call) => (refusedProof(call) === null ? (secrets[keyIdIn(call)] ?? null) : null),
    refuseCredential: (call, why) =>
      why === 'wrong'
        ? failure(403, refusedProof(call) ?? 'InvalidClientTokenId', 'The security token included in the request is invalid.')
        : why === 'missing'
          ? failure(403, 'MissingAuthenticationToken', 'Missing Authentication Token')
          : denied(),
    routes: [
      route('GET', '/2013-04-01/hostedzone/{zone}/rrset', (call) => listRecords(call)),
      route('POST', '/2013-04-01/hostedzone/{zone}/rrset', (call) => change(call, kit.faults.pollsUntilReady)),
      route('GET', '/2013-04-01/change/{change}', (call) => {
        if (call.state.zones === null) throw new Refusal(denied());
        const left = call.state.changes[call.params.change];
        if (left === undefined) throw refusal(404, 'NoSuchChange', `Could not find resource with ID: ${call.params.change}`);
        call.state.changes[call.params.change] = Math.max(0, left - 1);
        return document('GetChangeResponse', changeInfo(call.params.change, left === 0 ? 'INSYNC' : 'PENDING', call.now));
      }),
      route('GET', '/2013-04-01/hostedzonesbyname', (call) => listZones(call)),
    ],
  });
}

type Route53Call = Call<Route53State, unknown>;
type ZoneCall = Call<Route53State, { readonly zone: string }>;

const keyIdIn = ({ headers }: { readonly headers: Headers }): string =>
  /Credential=([^/]+)\//.exec(headers.get('authorization') ?? '')?.[1] ?? '';

const denied = () => failure(403, 'AccessDenied', 'User is not authorized to access this resource');

function zoneOf({ state, params }: ZoneCall): Zone {
  if (state.zones === null) throw new Refusal(denied());
  const zone = state.zones[params.zone];
  if (!zone) throw refusal(404, 'NoSuchHostedZone', `No hosted zone found with ID: ${params.zone}`);
  return zone;
}

/** Name and type say where the list begins, and filter nothing. */
function listRecords(call: ZoneCall) {
  const { records } = zoneOf(call);
  const [name, type] = [call.query.get('name'), call.query.get('type')];
  if (type !== null && name === null) throw refusal(400, 'InvalidInput', 'The type parameter needs the name parameter');
  const size = sizeOf(call, 300);
  const start: RecordSet = {
    Name: name === null ? '' : readName(name),
    Type: type ?? '',
    SetIdentifier: call.query.get('identifier') ?? '',
  };
  const from = name === null ? records : records.filter((one) => compareSets(one, start) >= 0);
  const next = from[size];
  return document(
    'ListResourceRecordSetsResponse',
    `<ResourceRecordSets>${from.slice(0, size).map(shownSet).join('')}</ResourceRecordSets>${element('IsTruncated', next !== undefined)}` +
      (next
        ? element('NextRecordName', next.Name) + element('NextRecordType', next.Type) + element('NextRecordIdentifier', next.SetIdentifier)
        : '') +
      element('MaxItems', size),
  );
}

function sizeOf(call: Route53Call, most: number): number {
  const size = Number(call.query.get('maxitems') ?? most);
  if (!Number.isInteger(size) || size < 1) throw refusal(400, 'InvalidInput', 'maxitems must be a positive number');
  return Math.min(size, most);
}

function change(call: ZoneCall, polls: number) {
  const zone = zoneOf(call);
  const changes = changesIn(call.text);
  if (call.state.busy > 0) {
    call.state.busy -= 1;
    throw refusal(400, 'PriorRequestNotComplete', 'The request was rejected because Route 53 was still processing a prior request.');
  }
  const { records, messages } = changed(zone, changes, call.state.recordLimit);
  if (messages.length > 0) throw refusal(400, 'InvalidChangeBatch', `[${messages.join(', ')}]`);
  const id = `C${String(Object.keys(call.state.changes).length + 1).padStart(20, '0')}`;
  zone.records = records;
  call.state.changes[id] = polls;
  return document('ChangeResourceRecordSetsResponse', changeInfo(id, 'PENDING', call.now));
}

const changeInfo = (id: string, status: string, now: number): string =>
  `<ChangeInfo>${element('Id', `/change/${id}`)}${element('Status', status)}${element('SubmittedAt', new Date(now).toISOString())}</ChangeInfo>`;

/** Zones from that name on; several may have one name. */
function listZones(call: Route53Call) {
  if (call.state.zones === null) throw new Refusal(denied());
  const [name, after] = [call.query.get('dnsname'), call.query.get('hostedzoneid') ?? ''];
  const size = sizeOf(call, 100);
  const key = (dns: string, id: string): string => `${dns.split('.').filter(Boolean).reverse().join('.')} ${id}`;
  const all = Object.entries(call.state.zones).sort(([a, x], [b, y]) => (key(x.name, a) < key(y.name, b) ? -1 : 1));
  const from = name === null ? all : all.filter(([id, zone]) => key(zone.name, id) >= key(readName(name), after));
  const next = from[size];
  const shown = ([id, zone]: (typeof all)[number]): string =>
    `<HostedZone>${element('Id', `/hostedzone/${id}`)}${element('Name', zone.name)}${element('CallerReference', id)}` +
    `<Config>${element('PrivateZone', zone.isPrivate)}</Config>${element('ResourceRecordSetCount', zone.records.length)}</HostedZone>`;
  return document(
    'ListHostedZonesByNameResponse',
    `<HostedZones>${from.slice(0, size).map(shown).join('')}</HostedZones>${element('IsTruncated', next !== undefined)}` +
      (next ? element('NextDNSName', next[1].name) + element('NextHostedZoneId', next[0]) : '') +
      element('MaxItems', size),
  );
}

function worldOf(live: Route53State, keyIds: Route53World['keyIds'], newId: () => string): Route53World {
  const zoneAt = (id: string): Zone => {
    const zone = live.zones?.[id];
    if (!zone) throw new Error(`there is no zone ${id}`);
    return zone;
  };
  return {
    state: live,
    keyIds,
    addZone: (name, { id = newId(), isPrivate = false } = {}) => {
      const Name = readName(name);
      const records = [
        { Name, Type: 'NS', TTL: 172_800, ResourceRecords: ['ns-1.awsdns-01.org.', 'ns-2.awsdns-02.co.uk.'] },
        { Name, Type: 'SOA', TTL: 900, ResourceRecords: ['ns-1.awsdns-01.org. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400'] },
      ];
      live.zones = { ...live.zones, [id]: { name: Name, isPrivate, records } };
      return id;
    },
    addRecord: (zone, set) => {
      const { records } = zoneAt(zone);
      records.push(set);
      records.sort(compareSets);
      return set;
    },
    records: (zone) => zoneAt(zone).records,
    removeRecord: (zone, { Name, Type }) => {
      const at = zoneAt(zone);
      at.records = at.records.filter((one) => one.Name !== Name || one.Type !== Type);
    },
    finish: () => {
      live.changes = Object.fromEntries(Object.keys(live.changes).map((id) => [id, 0]));
    },
  };
}
