import { flawsOf, type Refusal, type Shape } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { byLatest, byRevision, type Service, type Target, type Template } from './state.ts';

type Invalid = (message: string) => Refusal;

const variable: Shape = {
  required: ['name'],
  fields: {
    name: 'string',
    value: 'string',
    valueSource: { fields: { secretKeyRef: { required: ['secret'], fields: { secret: 'string', version: 'string' } } } },
  },
};

const template: Shape = {
  fields: {
    revision: 'string',
    labels: { values: 'string' },
    annotations: { values: 'string' },
    scaling: { fields: { minInstanceCount: 'integer', maxInstanceCount: 'integer' } },
    vpcAccess: 'any',
    timeout: 'string',
    serviceAccount: 'string',
    volumes: { list: 'any' },
    executionEnvironment: 'string',
    maxInstanceRequestConcurrency: 'integer',
    sessionAffinity: 'boolean',
    containers: {
      list: {
        required: ['image'],
        fields: {
          name: 'string',
          image: 'string',
          command: { list: 'string' },
          args: { list: 'string' },
          env: { list: variable },
          resources: { fields: { limits: { values: 'string' }, cpuIdle: 'boolean', startupCpuBoost: 'boolean' } },
          ports: { list: { fields: { name: 'string', containerPort: 'integer' } } },
          volumeMounts: { list: 'any' },
          startupProbe: 'any',
          livenessProbe: 'any',
          workingDir: 'string',
        },
      },
    },
  },
};

const target: Shape = {
  fields: { type: { oneOf: [byLatest, byRevision] }, revision: 'string', percent: 'integer', tag: 'string' },
};

const body: Shape = { fields: { etag: 'string', template, traffic: { list: target } } };

export interface Asked {
  readonly etag: string | undefined;
  readonly template: Template | undefined;
  readonly traffic: Target[] | undefined;
}

/** The write of a service: only members of the mask count, and names that the description does not have are refused. */
export function readWrite(given: unknown, mask: string | null, invalid: Invalid): Asked {
  const [flaw] = flawsOf(given, body);
  if (flaw) throw invalid(`Invalid value at 'service${flaw.at.replaceAll('/', '.')}': ${flaw.problem}, expected ${flaw.expected}`);
  if (!isMap(given)) throw invalid('service is required');
  const names = mask?.split(',') ?? Object.keys(given);
  const stranger = names.find((name) => !['template', 'traffic', 'etag'].includes(name));
  if (stranger !== undefined) throw invalid(`update_mask names "${stranger}"`);
  return {
    etag: typeof given.etag === 'string' ? given.etag : undefined,
    template: names.includes('template') ? ((given.template ?? {}) as Template) : undefined,
    traffic: names.includes('traffic') ? ((given.traffic ?? []) as Target[]) : undefined,
  };
}

/**
 * A template as the service keeps it: whole CPUs without thousandths (hashicorp/terraform-provider-google issue 28253), and an
 * annotation of its own beside those that were sent (2026-11-25).
 */
export function kept(given: Template): Template {
  const template = structuredClone(given);
  const annotations = isMap(template.annotations) ? template.annotations : {};
  template.annotations = { ...annotations, 'run.googleapis.com/operation-id': `operation-of-${String(template.revision)}` };
  for (const container of Array.isArray(template.containers) ? template.containers : []) {
    const limits: unknown = isMap(container) && isMap(container.resources) ? container.resources.limits : undefined;
    if (isMap(limits) && typeof limits.cpu === 'string') limits.cpu = limits.cpu.replace(/^(\d+)000m$/, '$1');
  }
  return template;
}

/** The name of a revision: of the service, in the form of a host name. */
export function checkRevision(service: Service, name: unknown, invalid: Invalid): void {
  if (typeof name !== 'string' || name.length > 63 || !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name) || !name.startsWith(`${service.id}-`))
    throw invalid(`template.revision: must be a name of at most 63 characters that begins with "${service.id}-"`);
}

/** Traffic that adds up, on revisions that there are. */
export function checkTraffic(service: Service, traffic: readonly Target[], coming: string | null, invalid: Invalid): void {
  const sum = traffic.reduce((all, { percent = 0 }) => all + percent, 0);
  if (traffic.length > 0 && sum !== 100) throw invalid(`traffic: the percentages add up to ${sum} and not to 100`);
  const tags = traffic.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
  if (new Set(tags).size !== tags.length) throw invalid('traffic.tag: a tag is given twice');
  for (const tag of tags) {
    if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(tag)) throw invalid(`traffic.tag: "${tag}" is not valid`);
    if (tag.length + service.id.length > 46)
      throw invalid(`traffic.tag: traffic tag "${tag}" and service name "${service.id}" together are too long`);
  }
  const shares = traffic.flatMap(({ tag, revision }) => (tag === undefined && revision !== undefined ? [revision] : []));
  if (new Set(shares).size !== shares.length) throw invalid('traffic: a revision is named twice without a tag');
  for (const { type, revision } of traffic) {
    if (type === byLatest && revision !== undefined) throw invalid('traffic.revision: not beside the type LATEST');
    if (type !== byRevision) continue;
    const isKnown = revision === coming || service.revisions.some((one) => one.name === revision && one.leaving === null);
    if (!isKnown) throw invalid(`traffic.revision: Revision '${revision}' does not exist or is deleted`);
  }
}
