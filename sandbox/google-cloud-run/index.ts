import {
  bearerOf,
  type Call,
  Ids,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../kit/index.ts';
import { etagOf, operationAnswer, revisionAnswer, serviceAnswer } from './answers.ts';
import {
  byLatest,
  byRevision,
  type CloudRunState,
  emptyState,
  isHeld,
  type Operation,
  poll,
  type Revision,
  type Service,
  type Started,
  start,
  type Target,
  type Template,
} from './state.ts';
import { checkRevision, checkTraffic, kept, readWrite } from './writes.ts';

export type { CloudRunState, Revision, Service } from './state.ts';

/** State, and what people do in the console. */
export interface CloudRunWorld {
  readonly state: CloudRunState;
  /** A service that was deployed once and serves its newest revision. */
  addService(id: string): Service;
  service(id: string): Service;
  /** Somebody deploys a revision; with a tag it gets no traffic. */
  deploy(service: string, options?: { readonly tag?: string; readonly image?: string; readonly name?: string }): Revision;
  revision(service: string, tag: string): Revision | undefined;
  removeTag(service: string, tag: string): void;
  /** With what names it. */
  removeRevision(service: string, name: string): void;
  setTraffic(service: string, traffic: readonly Target[]): void;
}

const base = '/v2/projects/{project}/locations/{location}';

/** Services, revisions and operations (Cloud Run Admin API v2): https://cloud.google.com/run/docs/reference/rest/v2/projects.locations.services */
export function cloudRun(options: SimulationOptions = {}): Simulation<CloudRunWorld> {
  const kit = makeKit('google-cloud-run', options);
  const ids = new Ids('google-cloud-run');
  const state = emptyState();

  function serviceOf({ state: now, params }: Call<CloudRunState, Where>): Service {
    if (!now.isPermitted) throw denied('run.services.get');
    const found =
      params.project === now.project && params.location === now.location && now.services.find(({ id }) => id === params.service);
    if (!found)
      throw error(404, 'NOT_FOUND', `Resource '${params.service}' of kind 'SERVICE' in region '${params.location}' does not exist`);
    poll(found);
    return found;
  }

  function revisionOf(call: Call<CloudRunState, Where & { readonly revision: string }>): readonly [Service, Revision] {
    const service = serviceOf(call);
    const found = service.revisions.find(({ name, state: is }) => name === call.params.revision && is !== 'coming');
    if (!found) throw error(404, 'NOT_FOUND', `Resource '${call.params.revision}' of kind 'REVISION' does not exist`);
    return [service, found];
  }

  /** The operation of a write, which is in force some looks later. */
  const began = (now: CloudRunState, service: Service, revision: string | null): Operation => {
    const operation = { id: ids.uuid(), service: service.id, generation: service.generation, revision };
    now.operations.push(operation);
    return operation;
  };

  return simulate<CloudRunState, CloudRunWorld>(kit, {
    name: 'google-cloud-run',
    origin: 'https://run.googleapis.com',
    state,
    blind: () => emptyState(false),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? denied('run.services.update').reply
        : error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.').reply,
    world: (live) => worldOf(live, () => kit.clock.now()),
    routes: [
      route('GET', `${base}/services`, ({ state: now }) => {
        if (!now.isPermitted) throw denied('run.services.list');
        return json(200, { services: now.services.map((one) => serviceAnswer(now, one)) });
      }),
      route('GET', `${base}/services/{service}`, (call) => json(200, serviceAnswer(call.state, serviceOf(call)))),
      route('PATCH', `${base}/services/{service}`, (call) => {
        const service = serviceOf(call);
        const { etag, template, traffic } = readWrite(call.body, call.query.get('updateMask'), invalid);
        if (etag !== undefined && etag !== etagOf(service))
          throw error(
            409,
            'ABORTED',
            `Conflict for resource '${service.id}': version '${etag}' was specified but current version is '${etagOf(service)}'.`,
          );
        const name = template?.revision ?? `${service.id}-${String(service.generation + 1).padStart(5, '0')}-${ids.text(3)}`;
        if (template) checkRevision(service, name, invalid);
        if (template && service.revisions.some((one) => one.name === name))
          throw error(409, 'ALREADY_EXISTS', `Revision named '${String(name)}' with different configuration already exists.`);
        if (traffic) checkTraffic(service, traffic, template ? String(name) : null, invalid);
        write(service, {
          template: template && { ...template, revision: String(name) },
          traffic,
          polls: kit.faults.pollsUntilReady,
          now: call.now,
          fails: call.state.fails,
        });
        return json(200, operationAnswer(call.state, began(call.state, service, template ? String(name) : null)));
      }),
      route('GET', `${base}/services/{service}/revisions/{revision}`, (call) => json(200, revisionAnswer(call.state, ...revisionOf(call)))),
      route('DELETE', `${base}/services/{service}/revisions/{revision}`, (call) => {
        const [service, revision] = revisionOf(call);
        const refused = (why: string): Refusal =>
          error(400, 'FAILED_PRECONDITION', `Revision '${revision.name}' cannot be deleted: ${why}.`);
        if (isHeld(service, revision.name)) throw refused('it is able to receive traffic');
        // https://cloud.google.com/run/docs/managing/revisions
        if (service.latestCreated === revision.name) throw refused('it is the latest revision of its service');
        revision.leaving ??= Math.min(2, kit.faults.pollsUntilReady);
        return json(200, operationAnswer(call.state, began(call.state, service, null)));
      }),
      route('GET', `${base}/operations/{operation}`, ({ state: now, params }) => {
        const found = now.operations.find(({ id }) => id === params.operation);
        if (!found) throw error(404, 'NOT_FOUND', 'The operation does not exist');
        const service = now.services.find(({ id }) => id === found.service);
        if (service) poll(service);
        return json(200, operationAnswer(now, found));
      }),
    ],
  });
}

type Where = { readonly project: string; readonly location: string; readonly service: string };

const error = (code: number, status: string, message: string): Refusal => refuse(code, { error: { code, message, status } });
const invalid = (message: string): Refusal => error(400, 'INVALID_ARGUMENT', message);
const denied = (permission: string): Refusal =>
  error(403, 'PERMISSION_DENIED', `Permission '${permission}' denied on resource (or it may not exist).`);

interface Write extends Started {
  readonly template: Template | undefined;
  readonly traffic: Target[] | undefined;
}

function write(service: Service, { template, traffic, polls, now, fails }: Write): void {
  service.generation += 1;
  if (template) {
    service.template = kept(template);
    start(service, service.template, { polls, now, fails });
  }
  if (traffic) service.traffic = structuredClone(traffic);
  service.reconciling = true;
  service.pollsLeft = Math.min(polls, 3);
}

function worldOf(state: CloudRunState, now: () => number): CloudRunWorld {
  const must = (id: string): Service => {
    const found = state.services.find((one) => one.id === id);
    if (!found) throw new Error(`there is no service ${id}`);
    return found;
  };
  const settle = (service: Service): void => {
    for (let i = 0; i < 3; i += 1) poll(service);
  };
  const world: CloudRunWorld = {
    state,
    service: must,
    addService: (id) => {
      const service: Service = {
        id,
        generation: 1,
        template: {
          revision: `${id}-00001-abc`,
          scaling: { maxInstanceCount: 10 },
          serviceAccount: 'shop@acme-shop.iam.gserviceaccount.com',
          containers: [
            {
              image: `europe-west1-docker.pkg.dev/acme-shop/web/${id}:main`,
              ports: [{ name: 'http1', containerPort: 8080 }],
              env: [{ name: 'APP_ENV', value: 'production' }],
              resources: { limits: { cpu: '1', memory: '512Mi' }, cpuIdle: true },
            },
          ],
        },
        traffic: [{ type: byLatest, percent: 100 }],
        inForce: [],
        revisions: [],
        latestCreated: '',
        latestReady: '',
        reconciling: true,
        pollsLeft: 0,
      };
      start(service, service.template, { polls: 0, now: now(), fails: false });
      settle(service);
      state.services.push(service);
      return service;
    },
    deploy: (id, { tag, image, name } = {}) => {
      const service = must(id);
      const template = structuredClone(service.template);
      template.revision = name ?? `${id}-${String(service.generation + 1).padStart(5, '0')}-def`;
      // What the vendor's command line leaves behind (GoogleCloudPlatform/cloud-foundation-fabric PR 1436, 2026-11-25).
      template.labels = { ...(template.labels as object), 'client.knative.dev/nonce': `nonce-${service.generation}` };
      template.annotations = { ...(template.annotations as object), 'client.knative.dev/user-image': image ?? 'shop:main' };
      const [first] = template.containers as Template[];
      if (first && image !== undefined) first.image = image;
      const serving = service.traffic.map((one) =>
        tag !== undefined && one.type === byLatest && one.percent
          ? { type: byRevision, revision: service.latestReady, percent: one.percent }
          : one,
      );
      const traffic = tag === undefined ? service.traffic : [...serving, { type: byRevision, revision: String(template.revision), tag }];
      write(service, { template, traffic, polls: 0, now: now(), fails: false });
      settle(service);
      const made = service.revisions.at(-1);
      if (!made) throw new Error('nothing was deployed');
      return made;
    },
    revision: (id, tag) => {
      const service = must(id);
      const held = service.traffic.find((one) => one.tag === tag)?.revision;
      return service.revisions.find(({ name }) => name === held);
    },
    removeTag: (id, tag) =>
      world.setTraffic(
        id,
        must(id).traffic.filter((one) => one.tag !== tag),
      ),
    removeRevision: (id, name) => {
      const service = must(id);
      if (service.latestCreated === name) world.deploy(id);
      world.setTraffic(
        id,
        service.traffic.filter((one) => one.revision !== name),
      );
      const at = service.revisions.findIndex((one) => one.name === name);
      if (at >= 0) service.revisions.splice(at, 1);
    },
    setTraffic: (id, traffic) => {
      const service = must(id);
      write(service, { template: undefined, traffic: [...traffic], polls: 0, now: now(), fails: false });
      settle(service);
    },
  };
  return world;
}
