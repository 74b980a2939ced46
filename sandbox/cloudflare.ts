import * as checks from './checks.ts';
import { deploymentRoutes } from './cloudflare/deployment-routes.ts';
import { failure, refusal, success } from './cloudflare/envelope.ts';
import { hostname, qualified } from './cloudflare/names.ts';
import { emptyPages, type PagesState, type PagesWorld, pagesRoutes, pagesWorld } from './cloudflare/pages.ts';
import {
  bearerOf,
  type Call,
  Ids,
  makeKit,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** One DNS record as the provider stores it. */
export interface DnsRecord {
  readonly id: string;
  type: string;
  /** Fully qualified, lower case, in ASCII. */
  name: string;
  content: string;
  ttl: number;
  proxied: boolean;
  comment?: string;
  tags: readonly string[];
  settings: { readonly [name: string]: unknown };
  readonly created_on: string;
  modified_on: string;
}

export interface CloudflareState {
  /** By zone id. */
  readonly zones: Record<string, { readonly name: string; records: DnsRecord[] }>;
  recordLimit: number;
  /** How an identical record is reported: it varies, and nobody knows by what. */
  identical: 81053 | 81057 | 81058;
  /** Another error that stands before it in the list. */
  before: { readonly code: number; readonly message: string } | null;
  readonly pages: PagesState;
}

/** State, and what a person does in the dashboard. */
export interface CloudflareWorld extends PagesWorld {
  readonly state: CloudflareState;
  /** Returns the zone's id. */
  addZone(name: string, id?: string): string;
  /** Live: changing one is a change from outside. */
  records(zone: string): readonly DnsRecord[];
  /** Any type; nothing is checked. */
  addRecord(zone: string, record: Pick<DnsRecord, 'type' | 'name' | 'content'> & Partial<DnsRecord>): DnsRecord;
  removeRecord(zone: string, id: string): void;
}

/**
 * Variables of Pages projects, and DNS records of a zone:
 * https://developers.cloudflare.com/api/resources/dns/subresources/records/ (API v4). Writes of records know the CNAME form; the dashboard makes any type. Of the codes only 81044 and those of a clash (81053, 81054, 81057, 81058) are certain: independent clients agree on them.
 */
export function cloudflare(options: SimulationOptions = {}): Simulation<CloudflareWorld> {
  const kit = makeKit('cloudflare', options);
  const ids = new Ids('cloudflare');
  const fresh = (): CloudflareState => ({ zones: {}, recordLimit: 1000, identical: 81058, before: null, pages: emptyPages() });
  const state = fresh();
  const hexId = () => ids.text(32, '0123456789abcdef');
  const time = () => new Date(kit.clock.now()).toISOString().replace('Z', '000Z');
  const newRecord = (given: Pick<DnsRecord, 'type' | 'name' | 'content'> & Partial<DnsRecord>): DnsRecord => ({
    id: hexId(),
    ttl: 1,
    proxied: false,
    tags: [],
    settings: {},
    created_on: time(),
    modified_on: time(),
    ...given,
  });
  const records = '/client/v4/zones/{zone}/dns_records';

  return simulate<CloudflareState, CloudflareWorld>(kit, {
    name: 'cloudflare',
    origin: 'https://api.cloudflare.com',
    basePath: '/client/v4',
    state,
    blind: fresh,
    world: (live) => ({
      ...pagesWorld(live.pages, () => kit.clock.now()),
      state: live,
      addZone: (name, id = hexId()) => {
        live.zones[id] = { name, records: [] };
        return id;
      },
      records: (zone) => live.zones[zone]?.records ?? [],
      addRecord: (zone, given) => {
        const record = newRecord(given);
        live.zones[zone]?.records.push(record);
        return record;
      },
      removeRecord: (zone, id) => {
        const found = live.zones[zone];
        if (found) found.records = found.records.filter((record) => record.id !== id);
      },
    }),
    tokens: kit.tokens,
    checks: checks.cloudflare,
    credential: bearerOf,
    refuseCredential: (_, why) => {
      if (why === 'missing') return failure(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers');
      return why === 'wrong' ? failure(403, 9109, 'Invalid access token') : failure(403, 10000, 'Authentication error');
    },
    routes: [
      ...pagesRoutes,
      ...deploymentRoutes(kit),
      route('GET', records, (call) => list(call)),
      route('POST', records, (call) => {
        const zone = zoneOf(call);
        const wanted = fieldsOf(call, {}, ['type', 'name', 'content', 'ttl']);
        checkPlace(call.state, zone.records, wanted);
        if (zone.records.length >= call.state.recordLimit) throw refusal(400, 81045, 'The record quota has been exceeded.');
        const record = newRecord(wanted);
        zone.records.push(record);
        return success(shown(record));
      }),
      route('GET', `${records}/{id}`, (call) => success(shown(recordOf(call)))),
      route('PATCH', `${records}/{id}`, (call) => {
        const record = recordOf(call);
        return change(call, record, fieldsOf(call, record, []));
      }),
      route('PUT', `${records}/{id}`, (call) => {
        const record = recordOf(call);
        const wanted = fieldsOf(call, {}, ['type', 'name', 'content', 'ttl']);
        delete record.comment;
        return change(call, record, { proxied: false, tags: [], settings: {}, ...wanted });
      }),
      route('DELETE', `${records}/{id}`, (call) => {
        const record = recordOf(call);
        const zone = zoneOf(call);
        zone.records = zone.records.filter((other) => other !== record);
        return success({ id: record.id });
      }),
    ],
  });

  function change(call: ZoneCall, record: DnsRecord, wanted: Wanted): Reply {
    checkPlace(
      call.state,
      zoneOf(call).records.filter((other) => other !== record),
      wanted,
    );
    Object.assign(record, wanted, { modified_on: time() });
    return success(shown(record));
  }
}

type ZoneCall = Call<CloudflareState, { readonly zone: string; readonly id?: string }>;
type Wanted = Pick<DnsRecord, 'type' | 'name' | 'content' | 'ttl'> & Partial<DnsRecord>;

/** Every switch is shown, also of a record that never had settings; an empty comment is none. */
const shown = ({ comment, settings, ...record }: DnsRecord) => ({
  ...record,
  ...(comment !== undefined && comment !== '' && { comment }),
  settings: { flatten_cname: false, ipv4_only: false, ipv6_only: false, ...settings },
  proxiable: ['A', 'AAAA', 'CNAME'].includes(record.type),
  meta: {},
});

function zoneOf({ params, state }: ZoneCall) {
  if (!/^[0-9a-f]{32}$/.test(params.zone)) {
    throw refusal(404, 7003, `Could not route to /zones/${params.zone}/dns_records, perhaps your object identifier is invalid?`);
  }
  const zone = state.zones[params.zone];
  // A zone that the token may not see and one that does not exist are told apart by nobody.
  if (!zone) throw refusal(403, 9109, 'Unauthorized to access requested resource');
  return zone;
}

function recordOf(call: ZoneCall): DnsRecord {
  const record = zoneOf(call).records.find(({ id }) => id === call.params.id);
  if (!record) throw refusal(404, 81044, 'Record does not exist.');
  return record;
}

/** The record as the body wants it, over what is there; each field checked as the provider does. */
function fieldsOf(call: ZoneCall, there: Partial<DnsRecord>, required: readonly string[]): Wanted {
  if (!isMap(call.body)) throw refusal(400, 9207, 'Request body is invalid.');
  const { body } = call;
  const missing = required.find((name) => body[name] === undefined);
  if (missing !== undefined) throw refusal(400, 9000, `DNS record ${missing} is required.`);
  const { type = there.type, ttl = there.ttl, proxied, comment, tags, settings } = body;
  if (type !== 'CNAME') throw refusal(400, 9004, `Record type ${String(type)} is not served here.`);
  if (typeof ttl !== 'number' || (ttl !== 1 && (ttl < 60 || ttl > 86_400))) {
    throw refusal(400, 9021, 'Invalid TTL. Must be between 60 and 86,400 seconds, or 1 for Automatic.');
  }
  if (proxied !== undefined && typeof proxied !== 'boolean') throw refusal(400, 9004, 'DNS record proxied is invalid.');
  if (comment !== undefined && typeof comment !== 'string') throw refusal(400, 9004, 'DNS record comment is invalid.');
  if (tags !== undefined && !Array.isArray(tags)) throw refusal(400, 9004, 'DNS record tags are invalid.');
  const name = qualified(body.name ?? there.name, zoneOf(call).name);
  const content = hostname(body.content ?? there.content);
  if (content === null) throw refusal(400, 9007, 'Content for CNAME record is invalid.');
  if (content === name) throw refusal(400, 9039, 'CNAME content cannot reference itself.');
  return {
    type,
    name,
    content,
    // The ttl of a proxied record is the service's own, whatever was meant.
    ttl: (proxied ?? there.proxied) === true ? 1 : ttl,
    ...(proxied !== undefined && { proxied }),
    ...(comment !== undefined && { comment }),
    ...(Array.isArray(tags) && { tags: tags.map(String) }),
    ...(isMap(settings) && { settings: { ...there.settings, ...settings } }),
  };
}

/** A host name holds one CNAME, or address records, never both. */
function checkPlace({ identical, before }: CloudflareState, others: readonly DnsRecord[], { name, type, content }: Wanted): void {
  const there = others.filter((other) => other.name === name && ['A', 'AAAA', 'CNAME'].includes(other.type));
  const [first] = there;
  if (!first) return;
  const isSame = there.some((other) => other.type === type && other.content === content);
  const code = isSame ? identical : 81053;
  const errors = [...(before ? [before] : []), { code, message: clashes[code] }];
  throw refuse(400, { result: null, success: false, errors, messages: [] });
}

const clashes = {
  81053: 'An A, AAAA, or CNAME record with that host already exists.',
  81057: 'The record already exists.',
  81058: 'An identical record already exists.',
} as const;

const texts = {
  name: (r: DnsRecord) => [r.name],
  content: (r: DnsRecord) => [r.content],
  comment: (r: DnsRecord) => (r.comment ? [r.comment] : []),
  tag: (r: DnsRecord) => r.tags,
};
const comparisons: Record<string, (text: string, wanted: string) => boolean> = {
  exact: (text, wanted) => text === wanted,
  contains: (text, wanted) => text.includes(wanted),
  startswith: (text, wanted) => text.startsWith(wanted),
  endswith: (text, wanted) => text.endsWith(wanted),
  present: () => true,
};

/** One query parameter as a question about a record; `null` for one that filters nothing. */
function filterOf(parameter: string, value: string): ((record: DnsRecord) => boolean) | null {
  const wanted = value.toLowerCase();
  if (parameter === 'type') return ({ type }) => type === value;
  if (parameter === 'proxied') return ({ proxied }) => String(proxied) === wanted;
  if (parameter === 'search') return (record) => `${record.name} ${record.content} ${record.comment ?? ''}`.toLowerCase().includes(wanted);
  const [field = '', how = 'exact'] = parameter.split('.');
  if (field !== 'name' && field !== 'content' && field !== 'comment' && field !== 'tag') return null;
  const of = texts[field];
  if (how === 'absent') return (record) => of(record).length === 0;
  const compare = comparisons[how];
  return compare ? (record) => of(record).some((text) => compare(text.toLowerCase(), wanted)) : null;
}

/** Pages by number; `match=any` is an OR of the filters. */
function list(call: ZoneCall): Reply {
  const { query } = call;
  const { records } = zoneOf(call);
  const number = (name: string, otherwise: number, most: number): number => {
    const value = Number(query.get(name) ?? otherwise);
    if (!Number.isInteger(value) || value < 1 || value > most) throw refusal(400, 9004, `${name} must be between 1 and ${most}.`);
    return value;
  };
  const size = number('per_page', 100, 5_000_000);
  const page = number('page', 1, Number.MAX_SAFE_INTEGER);
  const filters = [...query].flatMap(([name, value]) => filterOf(name, value) ?? []);
  const isAny = query.get('match') === 'any';
  const found = records.filter(
    (record) => filters.length === 0 || (isAny ? filters.some((f) => f(record)) : filters.every((f) => f(record))),
  );
  const order = query.get('order') ?? 'type';
  const keyOf = (record: DnsRecord): string => String(Reflect.get(record, order));
  const sign = query.get('direction') === 'desc' ? -1 : 1;
  const sorted = [...found].sort((one, other) => sign * keyOf(one).localeCompare(keyOf(other)));
  const shownPage = sorted.slice((page - 1) * size, page * size).map(shown);
  const result_info = {
    page,
    per_page: size,
    count: shownPage.length,
    total_count: found.length,
    total_pages: Math.ceil(found.length / size),
  };
  return success(shownPage, { result_info });
}
