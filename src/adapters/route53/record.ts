import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { parseAnswer } from '../../ops/answer.ts';
import { type Bulk, type Desired, type Io, lookBy, type ObjectBound, type Params, type Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { type FindOptions, findAll } from '../../remote/find.ts';
import type { Live } from '../../remote/live-object.ts';
import type { FindSpec } from '../../remote/reach.ts';
import { asBody, asJson } from '../../remote/stored-json.ts';
import { hasSealed, identityText, type Value } from '../../remote/value.ts';
import {
  batchOf,
  change,
  isInSync,
  isRefusedBatch,
  listAt,
  type RecordSet,
  recordSetSchema,
  recordsPath,
  saysOf,
  setAtChange,
} from './api.ts';
import { recordParams, recordProblems } from './params.ts';
import { fieldsOf, isAlready, type Place, setOf, valuesOf, valuesWritten } from './record-set.ts';
import { plainName, shownName } from './spelling.ts';

/** Seconds; the servers of a zone have a change within one minute as a rule. */
const longest = 300;

/**
 * A record set of a hosted zone. Name and type are its identity. An existing record is refused (CREATE, never UPSERT). A change and a delete
 * name the record that they take away, so neither overwrites a record that somebody wrote since the look.
 */
export const record: Op = {
  kind: 'object',
  doc: 'A record set of a hosted zone. Identified by its name and type.',
  destroys: 'Destroy deletes the record set of that name and type as it stands then; one with a set identifier stays.',
  subject: '{type} {name} in zone {hosted_zone_id}',
  console: {
    page: 'https://console.aws.amazon.com/route53/v2/hostedzones#ListRecordSets/{hosted_zone_id}',
    key: '/hostedzone/{hosted_zone_id}/',
  },
  params: { ...recordParams, timeout: timeoutParam(longest) },
  outputs: { id: { doc: 'Type and name of the record set.' }, fqdn: { doc: 'Its name, fully qualified, without a final dot.' } },
  quota: {
    limit: 'A hosted zone holds 10,000 record sets, unless AWS raised the quota of the account.',
    // The words that clients see; the description has no text for it (2026-11-27).
    answers: [{ method: 'POST', status: 400, match: { '': { contains: 'number of records limit' } } }],
  },
  notes: [
    'Record sets of others with a set identifier (weighted, latency, failover, …) under the same name and type are never touched: the line is refused.',
    'A name that has a CNAME has no other record, and the top of a zone has none: an alias may stand there.',
    'A hosted zone may be private, and then its names are seen in its networks alone.',
    'An account has five requests a second at Route 53 for all of its zones.',
  ],
  bind(params) {
    if (hasSealed(params.values)) throw isPublic();
    const place = {
      zone: identityText(params.hosted_zone_id, 'hosted_zone_id'),
      name: plainName(identityText(params.name, 'name')),
      type: identityText(params.type, 'type'),
    };
    return new RecordLine(place, params);
  },
};

/** A batch has at most 1,000 changes and 32,000 characters of values (2026-11-27). */
const mostAtOnce = 50;

/** One write, and two more if others wrote in between. */
const mostWrites = 3;

/** Milliseconds after which a change counts as done if its id is lost: a minute, by the provider's description. */
const spread = 60_000;

class RecordLine implements ObjectBound {
  readonly kind = 'object';
  readonly coexist = false;
  readonly key: string;
  readonly fields: { readonly [field: string]: Value };
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly string[];
  readonly timeout: number;
  readonly bulk: Bulk;
  readonly #place: Place;
  readonly #find: FindSpec;
  /** The first look of this wait, by the provider's clock. */
  #since: number | null = null;

  constructor(place: Place, params: Params) {
    const { zone, name, type } = place;
    this.#place = place;
    this.timeout = timeoutOf(params, longest);
    this.fields = fieldsOf(params);
    this.problems = recordProblems(type, params);
    const path = recordsPath(zone);
    this.key = `/hostedzone/${zone}/rrset[name=${name},type=${type}]`;
    this.#find = {
      // The list begins there and goes on with the next records, so its first entry may be another record.
      request: { method: 'GET', path, query: { name: `${name}.`, type, maxitems: '1' } },
      list: listAt,
      match: { '/Name': shownName(name), '/Type': type },
      id: '',
      chosen_id: `${type} ${name}`,
    };
    this.reach = {
      kind: 'object',
      find: { ...this.#find, absent: ['/SetIdentifier'] },
      remove: { method: 'POST', path, body: batchOf({ Action: 'DELETE', ResourceRecordSet: { Name: `${name}.`, Type: type } }) },
      // Route 53 deletes a record only if the request repeats its TTL and all of its values.
      repeats: { [setAtChange]: '' },
    };
    this.bulk = { key: path, most: mostAtOnce, create: (io, wanted) => this.#createAll(io, wanted) };
  }

  async find(io: Io): Promise<readonly Live[]> {
    return (await this.#standing(io, lookBy(io))).map((item) => this.#live(item));
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    try {
      const id = await change(io, this.#place.zone, [this.#creation(desired)], false);
      return this.#made(desired, id);
    } catch (thrown) {
      throw this.#explained(thrown);
    }
  }

  /** Makes all or none. A line that is refused because of another line is sent again alone. */
  async #createAll(io: Io, wanted: Parameters<Bulk['create']>[1]): Promise<readonly Live[] | null> {
    const lines = wanted.flatMap(({ bound, desired }) => (bound instanceof RecordLine ? [{ line: bound, desired }] : []));
    try {
      const changes = lines.map(({ line, desired }) => line.#creation(desired));
      const id = await change(io, this.#place.zone, changes, false);
      return lines.map(({ line, desired }) => line.#made(desired, id));
    } catch (thrown) {
      if (isRefusedBatch(thrown) || (thrown instanceof Failure && thrown.code === 'PARAM_INVALID')) return null;
      throw thrown;
    }
  }

  /** Takes the old record away and makes the new one in one change. Route 53 refuses the change if another record stands there by then. */
  async update(io: Io, _live: Live, desired: Desired): Promise<Live> {
    let before: string | null = null;
    for (let writes = 1; ; writes += 1) {
      const [stands] = await this.#standing(io, { signal: io.signal, share: false });
      if (stands === undefined) {
        throw new Failure('PROVIDER_CONFLICT', { detail: `${this.#text} was removed by somebody else at the same moment.` });
      }
      const set = this.#parsed(stands);
      const wanted = setOf(this.#place, desired, set);
      if (isAlready(wanted, set)) return this.#live(stands);
      try {
        const old = { Action: 'DELETE', ResourceRecordSet: asBody(stands) } as const;
        const id = await change(io, this.#place.zone, [old, { Action: 'CREATE', ResourceRecordSet: wanted }], true);
        const [now] = await this.#standing(io, { signal: io.signal, share: false });
        return now === undefined ? this.#made(desired, id) : { ...this.#live(now), raw: { change: id } };
      } catch (thrown) {
        const seen = canonicalJson(asJson(stands));
        // If nobody changed the record, the refusal has another reason.
        if (!isRefusedBatch(thrown) || seen === before || writes === mostWrites) throw thrown;
        before = seen;
      }
    }
  }

  async ready(io: Io, { raw }: Live): Promise<Readiness> {
    const id = isMap(raw) && typeof raw.change === 'string' ? raw.change : null;
    if (id !== null && !(await isInSync(io, id))) return spreading;
    const [live] = await this.find({ ...io, share: false });
    if (live === undefined) return { state: 'failed', detail: `${this.#text} was removed by somebody else.` };
    return id === null && this.#isYoung(io) ? spreading : { state: 'ready', live };
  }

  /** Whether a change of an earlier run, whose id is lost, may still be spreading. Measures by the provider's clock. */
  #isYoung({ http }: Io): boolean {
    const now = http.time?.() ?? null;
    this.#since ??= now;
    return now !== null && this.#since !== null && now - this.#since < spread;
  }

  /** The record set in the list, none or one. Throws `RESOURCE_FOREIGN` if others share the name among several record sets. */
  async #standing(io: Io, o: FindOptions): Promise<readonly unknown[]> {
    const found = (await findAll(io.http, this.#find, o)).map(({ item }) => item);
    const shared = found.map((item) => this.#parsed(item).SetIdentifier).find((one) => one !== undefined);
    if (shared === undefined) return found;
    throw new Failure('RESOURCE_FOREIGN', {
      detail: `${this.#text} is answered by record sets with set identifiers (one of them is ${JSON.stringify(shared)}), and this operation makes no such record set.`,
      fix: 'Give the line another name.',
    });
  }

  #parsed = (item: unknown): RecordSet => parseAnswer(recordSetSchema, item, `route53 lists ${this.#text}`);

  #creation = (desired: Desired) => ({ Action: 'CREATE', ResourceRecordSet: setOf(this.#place, desired, null) }) as const;

  #live(item: unknown): Live {
    return { ...this.#named, values: valuesOf(this.#place.type, this.fields, this.#parsed(item)) };
  }

  #made(desired: Desired, id: string): Live {
    return { ...this.#named, values: valuesWritten(desired), raw: { change: id } };
  }

  get #text(): string {
    return `${this.#place.type} ${this.#place.name}`;
  }

  get #named(): Pick<Live, 'id' | 'outputs'> {
    return { id: this.#text, outputs: { id: this.#text, fqdn: this.#place.name } };
  }

  #explained(thrown: unknown): unknown {
    if (!isRefusedBatch(thrown) || !saysOf(thrown, 'but it already exists')) return thrown;
    return new Failure('PROVIDER_CONFLICT', {
      detail: `${this.#text} was made by somebody else at the same moment. ${thrown.detail}`,
      cause: thrown,
      status: 400,
    });
  }
}

const isPublic = (): Failure =>
  new Failure('PARAM_INVALID', {
    detail: 'One of the values is a secret, but everybody can read the values of a DNS record.',
    fix: 'Write `{ public: <text> }` for a text that only looks secret.',
  });

const spreading: Readiness = { state: 'wait', detail: 'servers of Route 53 do not have the change yet' };
