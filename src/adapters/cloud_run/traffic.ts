import { Failure } from '../../core/errors.ts';
import type { Place, Service, Target } from './api.ts';
import { lastOf } from './api.ts';

const byRevision = 'TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION';
const byLatest = 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST';

export interface Tagged {
  readonly place: Place;
  readonly tag: string;
  /** Name of the revision that gets the tag. */
  readonly revision: string;
  /** Whether the revision gets all traffic. */
  readonly pin: boolean;
}

/**
 * The traffic of a service with the tag on a revision. Every other tag stays. The revision gets all traffic or none. Traffic that followed
 * the newest revision stays where it is, because the newest one is now this one.
 */
export function trafficWith(service: Service, { place, tag, revision, pin }: Tagged): Target[] {
  const now = service.traffic.length > 0 ? service.traffic : [{ type: byLatest, percent: 100 }];
  if (pin) {
    const tags = now.filter((target) => target.tag !== undefined && target.tag !== tag).map(({ percent: _, ...target }) => target);
    return [...tags, { type: byRevision, revision, percent: 100, tag }];
  }
  const others = now.flatMap((target): Target[] => {
    const isServing = (target.percent ?? 0) > 0;
    if (target.type === byLatest && isServing) return [{ ...withoutTag(target, tag), type: byRevision, revision: readyOf(service, place) }];
    if (target.tag !== tag) return [target];
    // The tag moves, but the traffic of its revision stays with that revision.
    return isServing ? [withoutTag(target, tag)] : [];
  });
  return [...summed(others, revision, tag)];
}

export const followsLatest = ({ traffic }: Service): boolean =>
  traffic.length === 0 || traffic.some(({ type, percent }) => type === byLatest && (percent ?? 0) > 0);

/** The revision with a tag. A tag may also follow the newest revision. */
export function taggedOf(service: Service, tag: string): string | null {
  const target = service.traffic.find((one) => one.tag === tag);
  if (!target) return null;
  return target.type === byLatest ? lastOf(service.latestCreatedRevision) : (target.revision ?? null);
}

/** Percent of the traffic that a revision serves by its name. */
export const servedBy = ({ traffic }: Service, revision: string): number =>
  traffic.reduce((sum, target) => sum + (target.revision === revision ? (target.percent ?? 0) : 0), 0);

/** Joins targets: a revision without a tag has one target, and the tagged target takes the share that the revision has already. */
function summed(targets: readonly Target[], revision: string, tag: string): Target[] {
  const share = targets.reduce((sum, one) => sum + (one.revision === revision && one.tag === undefined ? (one.percent ?? 0) : 0), 0);
  const out: Target[] = [];
  for (const target of targets) {
    if (target.tag === undefined && target.revision === revision) continue;
    const same = out.findIndex((one) => one.revision !== undefined && one.revision === target.revision && one.tag === undefined);
    const before = out[same];
    if (target.tag === undefined && before) out[same] = { ...before, percent: (before.percent ?? 0) + (target.percent ?? 0) };
    else out.push(target);
  }
  return [...out, { type: byRevision, revision, ...(share > 0 && { percent: share }), tag }];
}

function withoutTag(target: Target, tag: string): Target {
  if (target.tag !== tag) return target;
  const { tag: _, ...rest } = target;
  return rest;
}

function readyOf(service: Service, { service: name }: Place): string {
  const ready = lastOf(service.latestReadyRevision);
  if (ready !== '') return ready;
  throw new Failure('PROVIDER_INVALID', {
    detail: `The service ${name} has no ready revision, so its traffic would go to the new one.`,
    fix: 'Deploy the service first, or add `pin_latest: true`.',
  });
}
