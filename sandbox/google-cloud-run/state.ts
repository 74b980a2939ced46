export interface Target {
  type: string;
  revision?: string;
  percent?: number;
  tag?: string;
}

export type Template = { [member: string]: unknown };

export interface Revision {
  readonly name: string;
  readonly template: Template;
  readonly createTime: string;
  state: 'coming' | 'starting' | 'ready' | 'failed';
  /** Looks that still see it starting. */
  pollsLeft: number;
  /** Whether it ends badly. */
  readonly fails: boolean;
  /** Looks that still see it, once its delete was accepted. */
  leaving: number | null;
}

export interface Service {
  readonly id: string;
  generation: number;
  template: Template;
  traffic: Target[];
  /** What is in force: it follows `traffic`. */
  inForce: Target[];
  readonly revisions: Revision[];
  latestCreated: string;
  latestReady: string;
  reconciling: boolean;
  /** Looks until the last write is in force. */
  pollsLeft: number;
}

export interface Operation {
  readonly id: string;
  readonly service: string;
  readonly generation: number;
  readonly revision: string | null;
}

export interface CloudRunState {
  readonly project: string;
  readonly location: string;
  readonly services: Service[];
  readonly operations: Operation[];
  /** Whether revisions that start from now on fail. */
  fails: boolean;
  /** Whether the token may see anything of the project. */
  readonly isPermitted: boolean;
}

export const byRevision = 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION';
export const byLatest = 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST';

export const emptyState = (isPermitted = true): CloudRunState => ({
  project: 'acme-shop',
  location: 'europe-west1',
  services: [],
  operations: [],
  fails: false,
  isPermitted,
});

/** One look at a service: its revisions start, then its traffic comes into force. */
export function poll(service: Service): void {
  for (const one of service.revisions) {
    if (one.leaving !== null) one.leaving -= 1;
    if (one.state === 'coming') one.state = 'starting';
    if (one.state !== 'starting') continue;
    one.pollsLeft -= 1;
    if (one.pollsLeft > 0) continue;
    one.state = one.fails ? 'failed' : 'ready';
    if (one.state === 'ready' && one.name === service.latestCreated) service.latestReady = one.name;
  }
  const gone = service.revisions.filter(({ leaving }) => leaving !== null && leaving <= 0);
  for (const one of gone) service.revisions.splice(service.revisions.indexOf(one), 1);
  if (!service.reconciling) return;
  service.pollsLeft -= 1;
  if (service.pollsLeft > 0 || service.revisions.some((one) => one.state === 'starting')) return;
  service.reconciling = false;
  service.inForce = structuredClone(service.traffic);
}

/** Whether a revision has an address, or serves anybody. */
export const isHeld = (service: Service, name: string): boolean =>
  [...service.traffic, ...service.inForce].some(({ revision }) => revision === name);

export interface Started {
  readonly polls: number;
  readonly now: number;
  readonly fails: boolean;
}

/** A revision of a service, not yet started. */
export function start(service: Service, template: Template, { polls, now, fails }: Started): Revision {
  const revision: Revision = {
    name: String(template.revision),
    template: structuredClone(template),
    createTime: new Date(now).toISOString(),
    state: polls > 0 ? 'coming' : 'starting',
    pollsLeft: polls,
    fails,
    leaving: null,
  };
  service.revisions.push(revision);
  service.latestCreated = revision.name;
  return revision;
}
