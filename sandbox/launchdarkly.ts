import * as checks from './checks.ts';
import {
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  Refusal,
  type Reply,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface Variation {
  readonly _id: string;
  readonly value: unknown;
  readonly name?: string;
  readonly description?: string;
}

/** Names that are served one variation, by its place in the list of the flag. */
export interface Target {
  values: string[];
  readonly variation: number;
  readonly contextKind: string;
}

export interface FlagEnvironment {
  on: boolean;
  version: number;
  /** Of every context kind. */
  targets: Target[];
  needsApproval: boolean;
  /** A scheduled change or approval request that takes this key for granted. */
  pending: string | null;
}

export interface Flag {
  readonly key: string;
  version: number;
  readonly variations: Variation[];
  readonly environments: Record<string, FlagEnvironment>;
}

export interface LaunchdarklyState {
  /** `project/flag` → the flag. */
  readonly flags: Record<string, Flag>;
  /** Patches that still meet another change in flight. */
  conflicts: number;
}

/** State, and what a person does in the dashboard. */
export interface LaunchdarklyWorld {
  readonly state: LaunchdarklyState;
  addFlag(path: string, environments: readonly string[], variations?: readonly Omit<Variation, '_id'>[]): Flag;
  flag(path: string): Flag;
  environment(path: string, environment: string): FlagEnvironment;
  /** Serves a variation, by its place, to a key; nothing else of the key's targets changes. */
  serve(path: string, environment: string, variation: number, key: string, contextKind?: string): void;
  /** The places of the variations that a key is a target of. */
  servedTo(path: string, environment: string, key: string, contextKind?: string): readonly number[];
  release(path: string, environment: string, key: string, contextKind?: string): void;
}

const emptyState = (): LaunchdarklyState => ({ flags: {}, conflicts: 0 });
const semanticPatch = 'launchdarkly.semanticpatch';

/** Targets of feature flags: https://launchdarkly.com/docs/api/feature-flags (API 2.0, 2026-11-21). */
export function launchdarkly(options: SimulationOptions = {}): Simulation<LaunchdarklyWorld> {
  const kit = makeKit('launchdarkly', options);
  const ids = new Ids('launchdarkly');
  const path = '/api/v2/flags/{project}/{flag}';

  return simulate<LaunchdarklyState, LaunchdarklyWorld>(kit, {
    name: 'launchdarkly',
    origin: 'https://app.launchdarkly.com',
    state: emptyState(),
    blind: emptyState,
    tokens: kit.tokens,
    checks: checks.launchdarkly,
    credential: ({ headers }) => headers.get('authorization'),
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? failure(403, 'forbidden', 'Access to the requested resource was denied')
        : failure(401, 'unauthorized', 'Invalid access token'),
    world: (live) => worldOf(live, () => ids.text(8)),
    routes: [
      route('GET', path, (call) => json(200, flagAnswer(flagOf(call), call.query.get('env')))),
      route('PATCH', path, (call) => {
        const flag = flagOf(call);
        const { environmentKey, instructions } = patchOf(call);
        const environment = flag.environments[environmentKey];
        if (!environment) throw refused(400, 'invalid_request', `environment ${environmentKey} is not known`);
        if (call.state.conflicts > 0) {
          call.state.conflicts -= 1;
          throw refused(409, 'optimistic_locking_error', 'Conflict. Optimistic lock error. Try again.');
        }
        if (environment.needsApproval) throw refused(405, 'method_not_allowed', 'approval is required to make this request');
        if (call.query.get('ignoreConflicts') !== 'true' && instructions.some(({ values }) => values.includes(environment.pending ?? ''))) {
          throw refused(400, 'invalid_request', 'the change conflicts with a scheduled change');
        }
        const after = structuredClone(environment.targets);
        for (const one of instructions) follow(flag, after, one);
        environment.targets = after;
        environment.version += 1;
        flag.version += 1;
        return json(200, flagAnswer(flag, environmentKey));
      }),
    ],
  });
}

type FlagCall = Call<LaunchdarklyState, { readonly project: string; readonly flag: string }>;

const failure = (status: number, code: string, message: string): Reply => json(status, { code, message });
const refused = (status: number, code: string, message: string) => new Refusal(failure(status, code, message));

function flagOf({ params, state }: FlagCall): Flag {
  const found = state.flags[`${params.project}/${params.flag}`];
  if (!found) throw refused(404, 'not_found', 'Unknown feature flag key');
  return found;
}

interface Instruction {
  readonly kind: 'addTargets' | 'removeTargets';
  readonly values: readonly string[];
  readonly contextKind?: string;
  readonly variationId: string;
}

const patchShape: Shape = {
  fields: {
    comment: 'string',
    environmentKey: 'string',
    instructions: {
      list: {
        fields: {
          kind: { oneOf: ['addTargets', 'removeTargets'] },
          values: { list: 'string' },
          contextKind: 'string',
          variationId: 'string',
        },
        required: ['kind', 'values', 'variationId'],
      },
    },
  },
  required: ['environmentKey', 'instructions'],
};

function patchOf({ body, headers }: FlagCall): { readonly environmentKey: string; readonly instructions: readonly Instruction[] } {
  // Without the domain model the body is read as a JSON patch, which this is not.
  const isSemantic = (headers.get('content-type') ?? '').replaceAll(' ', '').includes(`;domain-model=${semanticPatch}`);
  if (!isSemantic) throw refused(400, 'invalid_request', 'the body is not a valid JSON patch');
  const [flaw] = flawsOf(body, patchShape);
  if (flaw || !isMap(body)) throw refused(400, 'invalid_request', `${flaw?.at ?? 'the body'}: ${flaw?.problem ?? 'not an object'}`);
  return body as { readonly environmentKey: string; readonly instructions: readonly Instruction[] };
}

/** One instruction, on a copy: a patch is followed whole or not at all. */
function follow({ variations }: Flag, targets: Target[], { kind, values, contextKind = 'user', variationId }: Instruction): void {
  const variation = variations.findIndex(({ _id }) => _id === variationId);
  if (variation < 0) throw refused(400, 'invalid_request', `variation ${variationId} is not known`);
  const own = targets.filter((one) => one.contextKind === contextKind);
  const at = own.find((one) => one.variation === variation);
  if (kind === 'removeTargets') {
    if (at) at.values = at.values.filter((one) => !values.includes(one));
    return;
  }
  const taken = values.find((value) => own.some((one) => one !== at && one.values.includes(value)));
  if (taken !== undefined) throw refused(400, 'invalid_request', `${taken} is already targeted by another variation`);
  if (!at) targets.push({ values: [...values], variation, contextKind });
  else at.values = [...new Set([...at.values, ...values])];
}

const site = { href: '/shop', type: 'text/html' };

/** A name or description that is empty is left out. */
const withoutEmpty = ({ name, description, ...rest }: Variation) => ({
  ...rest,
  ...(name && { name }),
  ...(description && { description }),
});

/** Environments are shown to those who name them. Users stand in `targets`, other kinds in `contextTargets`. */
function flagAnswer(flag: Flag, environment: string | null): Record<string, unknown> {
  const shown = Object.entries(flag.environments).filter(([name]) => name === environment);
  return {
    name: flag.key,
    kind: flag.variations.every(({ value }) => typeof value === 'boolean') ? 'boolean' : 'multivariate',
    description: '',
    key: flag.key,
    _version: flag.version,
    creationDate: 1_700_000_000_000,
    variations: flag.variations.map(withoutEmpty),
    temporary: false,
    tags: [],
    _links: {},
    experiments: { baselineIdx: 0, items: [] },
    customProperties: {},
    archived: false,
    ...(environment !== null && {
      environments: Object.fromEntries(
        shown.map(([name, { on, version, targets }]) => [
          name,
          {
            on,
            archived: false,
            salt: 'c2FsdA',
            sel: 'c2Vs',
            lastModified: 1_700_000_000_000,
            version,
            targets: targets.filter(({ contextKind, values }) => contextKind === 'user' && values.length > 0),
            contextTargets: targets.filter(({ contextKind, values }) => contextKind !== 'user' && values.length > 0),
            rules: [],
            offVariation: flag.variations.length - 1,
            fallthrough: { variation: 0 },
            prerequisites: [],
            _site: site,
            _environmentName: name,
            trackEvents: false,
            trackEventsFallthrough: false,
          },
        ]),
      ),
    }),
  };
}

function worldOf(live: LaunchdarklyState, newId: () => string): LaunchdarklyWorld {
  const flag = (path: string): Flag => {
    const found = live.flags[path];
    if (!found) throw new Error(`the world has no flag ${path}`);
    return found;
  };
  const environment = (path: string, name: string): FlagEnvironment => {
    const found = flag(path).environments[name];
    if (!found) throw new Error(`the world has no environment ${name} of ${path}`);
    return found;
  };
  const targetsOf = (path: string, name: string, contextKind: string) =>
    environment(path, name).targets.filter((one) => one.contextKind === contextKind);
  return {
    state: live,
    addFlag: (path, environments, variations = [{ value: true, name: 'Available' }, { value: false }]) => {
      const made: Flag = {
        key: path.split('/')[1] ?? path,
        version: 1,
        variations: variations.map((one) => ({ ...one, _id: `e43${newId()}-4a1b-4c5d-8e6f-0123456789ab` })),
        environments: Object.fromEntries(
          environments.map((name) => [name, { on: true, version: 1, targets: [], needsApproval: false, pending: null }]),
        ),
      };
      live.flags[path] = made;
      return made;
    },
    flag,
    environment,
    serve: (path, name, variation, key, contextKind = 'user') => {
      const at = targetsOf(path, name, contextKind).find((one) => one.variation === variation);
      if (at) at.values.push(key);
      else environment(path, name).targets.push({ values: [key], variation, contextKind });
    },
    servedTo: (path, name, key, contextKind = 'user') =>
      targetsOf(path, name, contextKind).flatMap(({ values, variation }) => (values.includes(key) ? [variation] : [])),
    release: (path, name, key, contextKind = 'user') => {
      for (const one of targetsOf(path, name, contextKind)) one.values = one.values.filter((value) => value !== key);
    },
  };
}
