import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { withoutFullStop } from '../../core/plain-text.ts';
import { Sealed } from '../../core/sealed.ts';
import { addressParam, expectedOf, holdAddress, hostOf } from '../../ops/address.ts';
import type { Desired, Io, ObjectBound, Params, Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import type { ParamProblem } from '../../ops/problem.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { type Live, unreadable } from '../../remote/live-object.ts';
import type { Value } from '../../remote/value.ts';
import { identityText } from '../../remote/value.ts';
import {
  lastOf,
  locationPath,
  type Operation,
  type Place,
  patchService,
  type Revision,
  readOperation,
  readRevision,
  readService,
  type Service,
  servicePath,
} from './api.ts';
import { reasonOf, standingOf } from './conditions.ts';
import { placeOf, serviceParams } from './params.ts';
import { fieldsOf, templateWith, valuesOf } from './template.ts';
import { followsLatest, servedBy, taggedOf, trafficWith } from './traffic.ts';

/** Seconds to wait: the provider must pull an image and start a container. */
const patience = 600;
/** Characters of service name and tag together, because one label of the address holds both. */
const longestAddress = 46;

/**
 * A revision of an existing service, made from the service's template. Its tag gives it an address of its own and is its
 * identity within the service. A revision never changes: another image or variable makes a new one, and the tag moves to the new one.
 */
export const revision: Op = {
  kind: 'object',
  doc: 'A tagged revision of an existing Cloud Run service, made from its template. It gets no traffic unless `pin_latest` is true.',
  notes: [
    'The template of the revision becomes the template of the service, so a later deployment takes over every variable that it does not set itself. Give previews a service of their own, or set all variables at each deployment.',
    'Traffic that follows the newest revision is bound to the revision that serves it, because the newest one is the preview. `gcloud run services update-traffic <service> --to-latest` undoes that.',
    'The newest revision of a service cannot be deleted: destroy takes its tag away and leaves it without address and traffic. Destroy refuses a revision that serves traffic.',
  ],
  subject: '{tag} of {service}, {location}, {project}',
  console: {
    page: 'https://console.cloud.google.com/run/detail/{location}/{service}/revisions?project={project}',
    key: '/v2/projects/{project}/locations/{location}/services/{service}',
  },
  params: {
    ...serviceParams,
    image: {
      type: 'string',
      min_length: 1,
      doc: 'Image of the container. Name it by its digest or the commit: an equal name makes no new revision.',
      example: 'europe-west1-docker.pkg.dev/acme-shop/web/shop:${ctx.git.sha}',
    },
    container: {
      type: 'string',
      min_length: 1,
      doc: 'Name of the container to change, where the template has several; the one with a port when left out.',
    },
    command: { type: 'list', items: 'string', doc: 'Entry point of the container.' },
    args: { type: 'list', items: 'string', doc: 'Arguments of the entry point.' },
    env: {
      type: 'map',
      doc: 'Variables by name. The values stand in the service as plain text; other variables of the template stay.',
      example: { LOG_LEVEL: 'debug' },
    },
    secret_env: {
      type: 'list',
      items: 'string',
      doc: 'Variables that come from Secret Manager: the name of the variable, the name of the secret, and its version (the newest when left out).',
      example: ['STRIPE_KEY=stripe-test:latest'],
    },
    cpu: { type: 'string', min_length: 1, doc: 'Limit of CPUs.', example: '1' },
    memory: { type: 'string', pattern: '^[0-9.]+[A-Za-z]*$', doc: 'Limit of memory.', example: '512Mi' },
    service_account: { type: 'string', min_length: 1, doc: 'Email of the service account that the revision runs as.' },
    max_instance_request_concurrency: { type: 'integer', minimum: 1, maximum: 1000, doc: 'Requests that one instance takes at a time.' },
    min_instance_count: { type: 'integer', minimum: 0, doc: 'Least number of running instances.' },
    max_instance_count: { type: 'integer', minimum: 1, doc: 'Greatest number of instances.' },
    pin_latest: {
      type: 'boolean',
      default: false,
      doc: 'Whether the revision gets all traffic of the service. It can then be removed only after another one took its place.',
    },
    address: addressParam,
    timeout: timeoutParam(patience),
  },
  destroys: 'Destroy takes the tag away, then deletes the revision. The service and its other revisions stay.',
  outputs: {
    id: { doc: 'Name of the revision.' },
    url: { doc: 'Address of the revision, by its tag.' },
    hostname: { doc: 'Host name of that address, for lists of domains.' },
    service_url: { doc: 'Address of the service.' },
  },
  bind(params) {
    return new RevisionLine(placeOf(params), identityText(params.tag, 'tag'), params);
  },
};

class RevisionLine implements ObjectBound {
  readonly kind = 'object';
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly immutable: readonly string[];
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly ParamProblem[];
  readonly timeout: number;
  readonly #place: Place;
  readonly #tag: string;
  readonly #container: string | null;
  readonly #pin: boolean;
  readonly #expected: string | null;
  /** The fields that make a new revision when they change. */
  readonly #made: ObjectBound['fields'];

  constructor(place: Place, tag: string, params: Params) {
    this.#place = place;
    this.#tag = tag;
    this.#container = params.container === undefined ? null : identityText(params.container, 'container');
    this.#pin = params.pin_latest === true;
    this.#expected = expectedOf(params);
    const path = servicePath(place);
    this.key = `${path}#tag=${tag}`;
    const made = fieldsOf(params);
    this.#made = made;
    this.immutable = Object.keys(made);
    this.fields = { ...made, tag, ...(this.#pin && { pin_latest: true }) };
    this.timeout = timeoutOf(params, patience);
    this.problems = problemsOf(place, tag, made, params);
    const revisions = `${path}/revisions/{id}`;
    this.reach = {
      kind: 'object',
      find: {
        request: { method: 'GET', path },
        list: '/traffic',
        // The answer has no traffic for a service whose traffic was never set.
        empty: {},
        match: { '/tag': tag, '/type': 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION' },
        id: '/revision',
        none: [404, 410],
      },
      remove: { method: 'DELETE', path: revisions },
      until_gone: { read: { method: 'GET', path: revisions }, seconds: patience },
      detach: {
        parent: {
          path: `${path}?updateMask=traffic`,
          read_path: path,
          method: 'PATCH',
          list_path: '/traffic',
          shape: 'array',
          key_field: '/tag',
          version: { from: '/etag', body: '/etag' },
        },
        item: tag,
        holds: '/revision',
        in_use: '/percent',
        kept_as: '/latestCreatedRevision',
        in_force: '/trafficStatuses',
        seconds: patience,
      },
      witness: { method: 'GET', path: `${locationPath(place)}/services`, query: { pageSize: '1' } },
    };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const service = await readService(io, this.#place);
    const id = taggedOf(service, this.#tag);
    if (id === null) return [];
    return [this.#live(service, id, await readRevision(io, this.#place, id))];
  }

  /** A revision still exists after somebody took its tag away. */
  async read(io: Io, id: string): Promise<Live | null> {
    const found = await readRevision(io, this.#place, id);
    return found && this.#live(await readService(io, this.#place), id, found);
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    const { service: of } = this.#place;
    let made = '';
    let follows = false;
    const operation = await patchService(
      io,
      this.#place,
      (service) => {
        // Each change of a service raises its generation, so the name is new.
        made = `${of}-${this.#tag}-g${service.generation + 1}`;
        this.#checkTag(service);
        follows = followsLatest(service) && !this.#pin;
        const template = templateWith(service.template, desired, { revision: made, container: this.#container });
        return { template, traffic: trafficWith(service, this.#tagged(made)) };
      },
      'none',
    );
    if (follows)
      io.note(
        `The traffic of ${of} followed its newest revision. It is now bound to the revision that served it, so that ${made} gets none.`,
      );
    return { id: made, values: {}, outputs: { id: made }, raw: operation };
  }

  /** Tag and traffic are one list, and an update writes both as planned. */
  readonly leaving = () => 'as planned' as const;

  /** Sets the tag, or the traffic, as planned. Nothing else of a revision can change. */
  async update(io: Io, live: Live): Promise<Live> {
    const operation = await patchService(
      io,
      this.#place,
      (service) => {
        this.#checkTag(service, live.id);
        return { traffic: trafficWith(service, this.#tagged(live.id)) };
      },
      'table',
    );
    return { ...live, raw: operation };
  }

  /** Ready when the operation of the last write is done, the revision is ready, and its address is in force. */
  async ready(shared: Io, live: Live): Promise<Readiness> {
    // A shared read would show the state of the first look for ever.
    const io: Io = { ...shared, share: false };
    if (isOperation(live.raw)) {
      const operation = await readOperation(io, live.raw.name);
      if (operation?.error) return this.#failed(live.id, operation.error.message);
      if (operation && !operation.done) return wait('being deployed');
    }
    const revision = await readRevision(io, this.#place, live.id);
    if (revision === null) return wait('waiting for the revision');
    const standing = standingOf(revision.conditions.find(({ type }) => type === 'Ready'));
    if (standing.state === 'failed') return this.#failed(live.id, standing.reason);
    if (standing.state === 'wait') return wait(standing.detail);
    const service = await readService(io, this.#place);
    const known = this.#live(service, live.id, revision);
    if (known.outputs.url !== undefined) {
      const hosts = service.urls.flatMap((url) => hostOf(url) ?? []).map((host) => `${this.#tag}---${host}`);
      holdAddress(this.#expected, `The revision ${live.id}`, [...new Set([String(known.outputs.hostname), ...hosts])]);
      return { state: 'ready', live: known };
    }
    if (!service.reconciling && service.terminalCondition?.state === 'CONDITION_FAILED')
      return this.#failed(live.id, reasonOf(service.terminalCondition));
    return wait('waiting for its address');
  }

  #tagged = (revision: string) => ({ place: this.#place, tag: this.#tag, revision, pin: this.#pin });

  /** Refuses when another revision has the tag: somebody else took the tag between the look and the write. */
  #checkTag(service: Service, own?: string): void {
    const held = taggedOf(service, this.#tag);
    if (held === null || held === own || held.startsWith(`${this.#place.service}-${this.#tag}-g`)) return;
    throw new Failure('PROVIDER_CONFLICT', {
      detail: `The tag ${this.#tag} of the service ${this.#place.service} went to ${held} between the look and the write.`,
      fix: 'Give the line another tag, or take the tag away from that revision.',
    });
  }

  #failed(id: string, reason: string | null | undefined): Readiness {
    return { state: 'failed', detail: `The revision ${id} did not become ready${reason ? `: ${withoutFullStop(reason)}` : ''}.` };
  }

  #live(service: Service, id: string, revision: Revision | null): Live {
    // For some seconds after the write only the template of the revision exists.
    const isComing = revision === null && service.template.revision === id;
    const made = revision ?? (isComing ? service.template : null);
    const values = made
      ? valuesOf(made, this.#container, this.#made)
      : Object.fromEntries(this.immutable.map((field) => [field, unreadable]));
    const status = service.trafficStatuses.find((one) => one.tag === this.#tag && lastOf(one.revision) === id);
    const tag = taggedOf(service, this.#tag) === id ? { tag: this.#tag } : {};
    return {
      id,
      values: { ...values, ...tag, pin_latest: servedBy(service, id) === 100 },
      outputs: { id, ...(status?.uri && addressOf(status.uri)), ...(service.uri && { service_url: service.uri }) },
      ...(revision?.createTime !== undefined && { createdAt: revision.createTime }),
    };
  }
}

function addressOf(url: string): { readonly [output: string]: string } {
  const hostname = URL.parse(url)?.hostname;
  return { url, ...(hostname !== undefined && { hostname }) };
}

const wait = (detail: string): Readiness => ({ state: 'wait', detail });
const isOperation = (raw: unknown): raw is Operation => isMap(raw) && typeof raw.name === 'string';

function problemsOf({ service }: Place, tag: string, fields: { readonly [field: string]: Value }, params: Params): ParamProblem[] {
  const problems: ParamProblem[] = [];
  if (service.length + tag.length > longestAddress)
    problems.push({
      at: ['tag'],
      detail: `tag ${tag} and the service name ${service} have more than ${longestAddress} characters together, which is too long for an address.`,
    });
  const names = Object.keys(fields).flatMap((field) => /^(?:secret_)?env\/(.*)$/.exec(field)?.[1] ?? []);
  const twice = names.find((one, i) => names.indexOf(one) !== i);
  if (twice !== undefined) problems.push({ at: ['env'], detail: `env and secret_env both set ${twice}.` });
  const wrong = names.find((one) => one === '' || one.includes('='));
  if (wrong !== undefined)
    problems.push({ at: ['env'], detail: `env has the name ${JSON.stringify(wrong)}, but a variable cannot have that name.` });
  if (wrongReference(params.secret_env))
    problems.push({
      at: ['secret_env'],
      detail:
        'secret_env takes the names of secrets, each as `VARIABLE=secret` or `VARIABLE=secret:version`. A `{ secret }` belongs under env.',
    });
  return problems;
}

const wrongReference = (value: Value | undefined): boolean =>
  Array.isArray(value) &&
  (value as readonly Value[]).some(
    (one) => one instanceof Sealed || (typeof one === 'string' && !/^[^=\s]+=[A-Za-z0-9_/-]+(:[A-Za-z0-9_-]+)?$/.test(one)),
  );
