import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
  flawsOf,
  json,
  makeKit,
  type Refusal,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap, mapValues } from './kit/json.ts';

export interface Group extends Record<string, unknown> {
  properties: readonly Record<string, unknown>[];
  rollout_percentage: number | null;
  variant: string | null;
}

export interface Flag {
  readonly id: number;
  readonly key: string;
  name: string;
  active: boolean;
  deleted: boolean;
  version: number;
  readonly created_at: string;
  filters: { groups: Group[]; [member: string]: unknown };
  /** Its payloads are shown to nobody. */
  has_encrypted_payloads: boolean;
}

export interface PosthogState {
  /** By project, then by id. */
  readonly projects: Record<string, Record<string, Flag>>;
}

/** State, and what a person does in the app. */
export interface PosthogWorld {
  readonly state: PosthogState;
  addFlag(project: number, id: number, filters: Flag['filters'], more?: Partial<Flag>): Flag;
  /** Somebody makes a new flag of the same key: the deleted one that had it is erased. */
  addInPlaceOf(project: number, flag: Flag, id: number): Flag;
  /** Nothing is checked. */
  addGroup(flag: Flag, group: Partial<Group>): Group;
}

/**
 * Feature flags and their release conditions: https://posthog.com/docs/api/feature-flags. Where the page is silent, what the server's
 * source does (read 2026-11-21): filters are replaced whole, unknown members of them are dropped, and only a version together with the
 * flag as it was read makes a conflict.
 */
export function posthog(options: SimulationOptions = {}): Simulation<PosthogWorld> {
  const kit = makeKit('posthog', options);
  const state: PosthogState = { projects: {} };
  const flags = '/api/projects/{project}/feature_flags/';

  return simulate<PosthogState, PosthogWorld>(kit, {
    name: 'posthog',
    origin: 'https://us.posthog.com',
    state,
    blind: () => ({ projects: {} }),
    world: (live) => ({
      state: live,
      addFlag: (project, id, filters, more) => addFlag(live, project, id, filters, more),
      addInPlaceOf: (project, flag, id) => {
        if (flag.deleted) delete live.projects[project]?.[flag.id];
        return addFlag(live, project, id, { groups: [] }, { key: flag.key });
      },
      addGroup: (flag, given) => {
        const group: Group = { properties: [], rollout_percentage: 100, variant: null, ...given };
        flag.filters.groups.push(group);
        return group;
      },
    }),
    tokens: kit.tokens,
    checks: checks.posthog,
    credential: bearerOf,
    refuseCredential: (_, why) => {
      if (why === 'read-only') return failure(403, 'permission_denied', "API key missing required scope 'feature_flag:write'");
      const wrong = failure(401, 'authentication_failed', 'Personal API key found in request Authorization header is invalid.');
      return why === 'wrong' ? wrong : failure(401, 'not_authenticated', 'Authentication credentials were not provided.');
    },
    routes: [
      route('GET', flags, (call) => {
        const found = Object.values(projectOf(call)).filter((flag) => !flag.deleted && flag.key.includes(call.query.get('search') ?? ''));
        const limit = Number(call.query.get('limit') ?? 100);
        const offset = Number(call.query.get('offset') ?? 0);
        const next = new URLSearchParams({ limit: String(limit), offset: String(offset + limit) });
        return json(200, {
          count: found.length,
          next: offset + limit < found.length ? `https://us.posthog.com${call.path}?${next}` : null,
          previous: null,
          results: found.slice(offset, offset + limit).map(shown),
        });
      }),
      // One that was deleted can still be addressed, so that it can be restored.
      route('GET', `${flags}{id}/`, (call) => json(200, shown(flagOf(call)))),
      route('PATCH', `${flags}{id}/`, (call) => {
        const flag = flagOf(call);
        const { version, original_flag: original, filters, ...rest } = bodyOf(call);
        checkConflict(flag, version, original, { ...rest, filters });
        // Filters without groups are passed over, and the answer is a success.
        const isMeant = isMap(filters) && filters.groups !== undefined;
        Object.assign(flag, rest, isMeant && { filters: filtersOf(filters, flag) }, { version: flag.version + 1 });
        return json(200, shown(flag));
      }),
    ],
  });

  function addFlag(live: PosthogState, project: number, id: number, filters: Flag['filters'], more: Partial<Flag> = {}): Flag {
    const created_at = new Date(kit.clock.now()).toISOString();
    const of = { deleted: false, version: 1, created_at, filters, has_encrypted_payloads: false };
    const flag: Flag = { id, key: `flag-${id}`, name: '', active: true, ...of, ...more };
    if (filters.payloads !== undefined) flag.filters.payloads = payloadsOf(filters.payloads, flag);
    live.projects[project] = { ...live.projects[project], [id]: flag };
    return flag;
  }
}

type ProjectCall = Call<PosthogState, { readonly project: string }>;
type FlagCall = Call<PosthogState, { readonly project: string; readonly id: string }>;

const bodyOfFailure = (code: string, detail: string, attr: string | null) => ({
  type: code === 'invalid_input' ? 'validation_error' : code === 'not_found' ? 'invalid_request' : 'authentication_error',
  code,
  detail,
  attr,
});
const failure = (status: number, code: string, detail: string): Reply => json(status, bodyOfFailure(code, detail, null));
const invalid = (detail: string, attr: string): Refusal => refuse(400, bodyOfFailure('invalid_input', detail, attr));

function projectOf({ state, params }: ProjectCall): Record<string, Flag> {
  const project = state.projects[params.project];
  if (!project) throw refuse(404, bodyOfFailure('not_found', 'Project not found.', null));
  return project;
}

function flagOf(call: FlagCall): Flag {
  const flag = projectOf(call)[call.params.id];
  if (!flag) throw refuse(404, bodyOfFailure('not_found', 'Not found.', null));
  return flag;
}

/** Names of cohorts are put into what is shown; they may come back and are not stored. */
function shown(flag: Flag): Record<string, unknown> {
  const groups = flag.filters.groups.map((group) => ({
    ...group,
    properties: group.properties.map((one) => (one.type === 'cohort' ? { ...one, cohort_name: `Cohort ${String(one.value)}` } : one)),
  }));
  const { payloads } = flag.filters;
  const hidden = flag.has_encrypted_payloads && isMap(payloads) && { payloads: mapValues(payloads, () => redacted) };
  return { ...flag, filters: { ...flag.filters, groups, ...hidden }, can_edit: true, tags: [], status: 'ACTIVE', updated_at: null };
}

/** Somebody else's change is noticed only by who says which version was read and what stood there. */
function checkConflict(flag: Flag, version: unknown, original: unknown, wanted: Record<string, unknown>): void {
  if (typeof version !== 'number' || version === flag.version || !isMap(original)) return;
  const now: Record<string, unknown> = { ...flag };
  const isChanged = (name: string): boolean => wanted[name] !== undefined && JSON.stringify(original[name]) !== JSON.stringify(now[name]);
  if (Object.keys(wanted).some(isChanged))
    throw refuse(409, bodyOfFailure('conflict', 'The feature flag was updated by someone else since you started editing it.', null));
}

const nullable = (shape: Shape): Shape => ({ nullable: shape });
const updateShape: Shape = {
  open: true,
  fields: {
    name: 'string',
    active: 'boolean',
    deleted: 'boolean',
    version: 'integer',
    original_flag: { values: 'any' },
    filters: { values: 'any' },
  },
};

function bodyOf({ body, contentType }: FlagCall): Record<string, unknown> {
  if (contentType !== 'application/json' || !isMap(body)) throw invalid('JSON parse error', 'body');
  const [flaw] = flawsOf(body, updateShape);
  if (flaw) throw invalid(`Must be a valid ${flaw.expected}.`, flaw.at.slice(1));
  const known = ['name', 'active', 'deleted', 'version', 'original_flag', 'filters'];
  return Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name)));
}

const groupMembers: { readonly [name: string]: Shape } = {
  properties: nullable({
    list: {
      open: true,
      fields: { key: 'string', type: { oneOf: ['person', 'group', 'cohort', 'flag'] }, operator: nullable('string') },
      required: ['key', 'value'],
    },
  }),
  rollout_percentage: nullable('number'),
  variant: nullable('string'),
  aggregation_group_type_index: nullable('integer'),
  description: nullable('string'),
  sort_key: 'any',
  exposure_frozen: nullable('boolean'),
  exposure_frozen_cohort: nullable('integer'),
};

/** The filters as they will stand: the whole of them, without members that the server does not know. */
function filtersOf(sent: Readonly<Record<string, unknown>>, flag: Flag): Flag['filters'] {
  const kept = ['groups', 'multivariate', 'payloads', 'aggregation_group_type_index'];
  const filters = Object.fromEntries(Object.entries(sent).filter(([name]) => kept.includes(name)));
  const variants = isMap(sent.multivariate) && Array.isArray(sent.multivariate.variants) ? sent.multivariate.variants : [];
  const names = variants.map((one) => (isMap(one) ? one.key : null));
  const groups = Array.isArray(sent.groups) ? sent.groups : [];
  const payloads = sent.payloads !== undefined && { payloads: payloadsOf(sent.payloads, flag) };
  return { ...filters, ...payloads, groups: groups.map((group) => groupOf(group, names)) };
}

const redacted = '"********* (encrypted)"';

/** Each payload as JSON text. The text that stands for an encrypted one keeps what was there. */
function payloadsOf(sent: unknown, { has_encrypted_payloads: isEncrypted, filters }: Flag): Readonly<Record<string, string>> {
  if (!isMap(sent)) throw invalid('Must be a valid dictionary.', 'filters');
  const before: Readonly<Record<string, unknown>> = isMap(filters.payloads) ? filters.payloads : {};
  return mapValues(sent, (value, name) => {
    if (isEncrypted && value === redacted) return String(before[name] ?? redacted);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function groupOf(sent: unknown, variants: readonly unknown[]): Group {
  if (!isMap(sent)) throw invalid('Must be a valid dictionary.', 'filters');
  const [flaw] = flawsOf(sent, { open: true, fields: groupMembers });
  if (flaw) throw invalid(`groups${flaw.at.replaceAll('/', '.')}: must be ${flaw.expected}`, 'filters');
  const { properties, rollout_percentage: share = null, variant = null } = sent;
  if (typeof share === 'number' && (share < 0 || share > 100)) throw invalid('Rollout percentage must be between 0 and 100.', 'filters');
  if (variant !== null && !variants.includes(variant)) throw invalid(`Variant ${String(variant)} does not exist.`, 'filters');
  const known = Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(groupMembers, name)));
  const list = Array.isArray(properties) ? properties.filter(isMap) : [];
  return {
    ...known,
    properties: list.map(({ cohort_name: _, ...one }) => one),
    rollout_percentage: typeof share === 'number' ? share : null,
    variant: typeof variant === 'string' ? variant : null,
  };
}
