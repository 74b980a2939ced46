import { z } from 'zod';
import { HttpFailure } from '../../http/failure.ts';
import { ask } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import { asBody } from '../../remote/stored-json.ts';

const condition = z.object({
  type: z.string().optional(),
  state: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  revisionReason: z.string().optional(),
});
export type Condition = z.output<typeof condition>;

const variable = z.looseObject({
  name: z.string(),
  value: z.string().optional(),
  valueSource: z.looseObject({ secretKeyRef: z.looseObject({ secret: z.string(), version: z.string().optional() }).optional() }).optional(),
});

const container = z.looseObject({
  name: z.string().optional(),
  image: z.string().optional(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  env: z.array(variable).optional(),
  ports: z.array(z.looseObject({})).optional(),
  resources: z.looseObject({ limits: z.record(z.string(), z.string()).optional() }).optional(),
});
export type Container = z.output<typeof container>;

/** The common members of a template and a revision made from it. Other members pass. */
const configuration = z.looseObject({
  containers: z.array(container).default([]),
  scaling: z.looseObject({ minInstanceCount: z.number().optional(), maxInstanceCount: z.number().optional() }).optional(),
  serviceAccount: z.string().optional(),
  maxInstanceRequestConcurrency: z.number().optional(),
});
export type Configuration = z.output<typeof configuration>;

const target = z.object({
  type: z.string().optional(),
  revision: z.string().optional(),
  percent: z.number().optional(),
  tag: z.string().optional(),
});
export type Target = z.output<typeof target>;

const service = z.object({
  etag: z.string(),
  // An int64 is a text in JSON.
  generation: z.coerce.number().default(0),
  reconciling: z.boolean().default(false),
  template: configuration,
  traffic: z.array(target).default([]),
  trafficStatuses: z.array(target.extend({ uri: z.string().optional() })).default([]),
  latestReadyRevision: z.string().optional(),
  latestCreatedRevision: z.string().optional(),
  terminalCondition: condition.optional(),
  uri: z.string().optional(),
  urls: z.array(z.string()).default([]),
});
export type Service = z.output<typeof service>;

const revision = configuration.extend({
  name: z.string(),
  createTime: z.string().optional(),
  deleteTime: z.string().optional(),
  reconciling: z.boolean().optional(),
  conditions: z.array(condition).default([]),
});
export type Revision = z.output<typeof revision>;

const operation = z.object({
  name: z.string(),
  done: z.boolean().default(false),
  error: z.object({ code: z.number().optional(), message: z.string().optional() }).optional(),
});
export type Operation = z.output<typeof operation>;

/** The place of a service. */
export interface Place {
  readonly project: string;
  readonly location: string;
  readonly service: string;
}

export const locationPath = ({ project, location }: Place): string =>
  `/v2/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
export const servicePath = (place: Place): string => `${locationPath(place)}/services/${encodeURIComponent(place.service)}`;
export const revisionPath = (place: Place, name: string): string => `${servicePath(place)}/revisions/${encodeURIComponent(name)}`;

/** The last part of a path: answers name revisions by their whole path, and traffic by its last part. */
export const lastOf = (name: string | undefined): string => name?.split('/').at(-1) ?? '';

const readOf = (io: Io) => ({ purpose: 'read', signal: io.signal, share: io.share !== false }) as const;

export async function readService(io: Io, place: Place): Promise<Service> {
  return await ask(io.http, { method: 'GET', path: servicePath(place) }, readOf(io), service);
}

/** `null` while the revision does not exist yet, or no longer exists. */
export async function readRevision(io: Io, place: Place, name: string): Promise<Revision | null> {
  try {
    const found = await ask(io.http, { method: 'GET', path: revisionPath(place, name) }, readOf(io), revision);
    return found.deleteTime ? null : found;
  } catch (thrown) {
    if (thrown instanceof HttpFailure && (thrown.status === 404 || thrown.status === 410)) return null;
    throw thrown;
  }
}

/** `null` when the provider no longer keeps the operation, because it ended long ago. */
export async function readOperation(io: Io, name: string): Promise<Operation | null> {
  try {
    return await ask(io.http, { method: 'GET', path: `/v2/${name}` }, { purpose: 'read', signal: io.signal, share: false }, operation);
  } catch (thrown) {
    if (thrown instanceof HttpFailure && (thrown.status === 404 || thrown.status === 410)) return null;
    throw thrown;
  }
}

/** The changes of a write to a service as it was read. */
export type Change = (service: Service) => { readonly [member: string]: object };

/** Most writes of one change. A write is repeated when somebody else wrote in between. */
const mostWrites = 10;

/**
 * Changes a service. The write names the version that was read. When somebody else wrote since, nothing happened, and the service
 * is read and changed again.
 */
export async function patchService(io: Io, place: Place, change: Change, retry: 'table' | 'none'): Promise<Operation> {
  for (let writes = 1; ; writes += 1) {
    const now = await readService({ ...io, share: false }, place);
    const members = change(now);
    const query = { updateMask: Object.keys(members).join(',') };
    const request = { method: 'PATCH', path: servicePath(place), query, body: asBody({ ...members, etag: now.etag }) } as const;
    try {
      // The provider refuses a second send, because the first one made another version.
      return await ask(io.http, request, { purpose: 'write', signal: io.signal, idempotent: true, retry }, operation);
    } catch (thrown) {
      if (!isOutdated(thrown) || writes >= mostWrites) throw thrown;
    }
  }
}

const refusal = z.object({ error: z.object({ status: z.string() }) });

/**
 * Whether a write was refused because of another version. The description names no status for that; by the conventions of Google's APIs it is
 * 409 ABORTED (2026-11-21). A taken name is 409, too.
 */
const isOutdated = (thrown: unknown): boolean =>
  thrown instanceof HttpFailure &&
  !thrown.unanswered &&
  (thrown.status === 409 || thrown.status === 412) &&
  refusal.safeParse(thrown.body).data?.error.status !== 'ALREADY_EXISTS';
