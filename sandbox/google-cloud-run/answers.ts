import { byLatest, type CloudRunState, type Operation, type Revision, type Service, type Target } from './state.ts';

export const nameOf = ({ project, location }: CloudRunState, { id }: Service): string =>
  `projects/${project}/locations/${location}/services/${id}`;
export const etagOf = ({ generation }: Service): string => `"CJ${String(generation).padStart(6, '0')}/cHJvamVjdHM"`;

const addressOf = (state: CloudRunState, service: Service, tag: string | undefined): string =>
  `https://${tag === undefined ? '' : `${tag}---`}${service.id}-7xk2p3qjza-${state.location.replace(/[^a-z]/g, '').slice(0, 2)}.a.run.app`;

/** Zeros and empty texts are left out of answers. */
const target = ({ type, revision, percent, tag }: Target) => ({
  type,
  ...(revision !== undefined && { revision }),
  ...(percent && { percent }),
  ...(tag !== undefined && { tag }),
});

export function serviceAnswer(state: CloudRunState, service: Service): Record<string, unknown> {
  const name = nameOf(state, service);
  const failed = service.revisions.some((one) => one.state === 'failed' && one.name === service.latestCreated);
  const condition = service.reconciling ? 'CONDITION_RECONCILING' : failed ? 'CONDITION_FAILED' : 'CONDITION_SUCCEEDED';
  return {
    name,
    uid: `6f1c2d3e-0000-4000-8000-${service.id
      .padEnd(12, '0')
      .slice(0, 12)
      .replace(/[^0-9a-f]/g, '0')}`,
    generation: String(service.generation),
    observedGeneration: String(service.generation - (service.reconciling ? 1 : 0)),
    etag: etagOf(service),
    createTime: '2026-01-01T00:00:00Z',
    ingress: 'INGRESS_TRAFFIC_ALL',
    launchStage: 'GA',
    template: service.template,
    ...(service.traffic.length > 0 && { traffic: service.traffic.map(target) }),
    trafficStatuses: service.inForce.map((one) => ({
      ...target(one),
      ...(one.type === byLatest && { revision: service.latestReady }),
      ...(one.tag !== undefined && { uri: addressOf(state, service, one.tag) }),
    })),
    latestReadyRevision: `${name}/revisions/${service.latestReady}`,
    latestCreatedRevision: `${name}/revisions/${service.latestCreated}`,
    terminalCondition: { type: 'Ready', state: condition },
    ...(service.reconciling && { reconciling: true }),
    uri: addressOf(state, service, undefined),
  };
}

export function revisionAnswer(state: CloudRunState, service: Service, one: Revision): Record<string, unknown> {
  const { revision: _, ...template } = one.template;
  return {
    ...template,
    name: `${nameOf(state, service)}/revisions/${one.name}`,
    uid: '7a1c2d3e-0000-4000-8000-000000000000',
    generation: '1',
    createTime: one.createTime,
    service: service.id,
    ...(one.state === 'starting' && { reconciling: true }),
    conditions: [{ type: 'Ready', ...readiness[one.state] }],
  };
}

const starting = { state: 'CONDITION_RECONCILING', revisionReason: 'PENDING' } as const;
const readiness = {
  coming: starting,
  starting,
  ready: { state: 'CONDITION_SUCCEEDED' },
  failed: {
    state: 'CONDITION_FAILED',
    revisionReason: 'HEALTH_CHECK_CONTAINER_ERROR',
    message: 'The user-provided container failed to start and listen on the port defined by the PORT=8080 environment variable.',
  },
} as const;

export function operationAnswer(state: CloudRunState, operation: Operation): Record<string, unknown> {
  const name = `projects/${state.project}/locations/${state.location}/operations/${operation.id}`;
  const service = state.services.find(({ id }) => id === operation.service);
  const revision = service?.revisions.find((one) => one.name === operation.revision);
  const done = !service?.reconciling || service.generation > operation.generation;
  if (revision?.state === 'failed' && done) return { name, done, error: { code: 9, message: `Revision '${revision.name}' is not ready.` } };
  return { name, ...(done && { done }) };
}
