import * as checks from './checks.ts';
import { environmentsOf, keptValue, refusal } from './growthbook/kept.ts';
import {
  bearerOf,
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A rule as the provider stores it; what else it has depends on its type. */
export interface Rule extends Record<string, unknown> {
  readonly id: string;
  type: string;
  description: string;
  enabled: boolean;
}

export interface Feature {
  readonly id: string;
  readonly dateCreated: string;
  dateUpdated: string;
  readonly valueType: 'boolean' | 'string' | 'number' | 'json';
  readonly environments: Record<string, { readonly enabled: boolean; readonly defaultValue: string }>;
  rules: Rule[];
  version: number;
}

export interface GrowthbookState {
  readonly features: Record<string, Feature>;
  /** Environments in which a change needs an approval. */
  readonly reviewed: string[];
}

/** State, and what a person does in the app. */
export interface GrowthbookWorld {
  readonly state: GrowthbookState;
  addFeature(id: string, environments: readonly string[], valueType?: Feature['valueType']): Feature;
  /** Nothing is checked. */
  addRule(feature: string, rule: Record<string, unknown> & { readonly type: string }): Rule;
}

const emptyState = (): GrowthbookState => ({ features: {}, reviewed: [] });

/**
 * Features and their rules: https://docs.growthbook.io/api/ (description 5.0.1, v2). Writes are closed as described there; an absent
 * feature is a 400, as the server's source has it (read 2026-11-21).
 */
export function growthbook(options: SimulationOptions = {}): Simulation<GrowthbookWorld> {
  const kit = makeKit('growthbook', options);
  const ids = new Ids('growthbook');
  const state = emptyState();
  const time = () => new Date(kit.clock.now()).toISOString();
  const stored = (given: Record<string, unknown> & { readonly type: string }): Rule => ({
    id: `fr_${ids.text(16)}`,
    description: '',
    condition: '',
    enabled: true,
    allProjects: true,
    projects: [],
    savedGroupTargeting: [],
    prerequisites: [],
    scheduleRules: [],
    scheduleType: 'none',
    ...given,
    ...environmentsOf(given),
  });

  return simulate<GrowthbookState, GrowthbookWorld>(kit, {
    name: 'growthbook',
    origin: 'https://api.growthbook.io',
    basePath: '/api',
    state,
    blind: emptyState,
    world: (live) => ({
      state: live,
      addFeature: (id, environments, valueType = 'boolean') => {
        const known = Object.fromEntries(environments.map((name) => [name, { enabled: true, defaultValue: 'false' }]));
        const feature: Feature = {
          id,
          dateCreated: time(),
          dateUpdated: time(),
          valueType,
          environments: known,
          rules: [],
          version: 1,
        };
        live.features[id] = feature;
        return feature;
      },
      addRule: (id, given) => {
        const rule = stored(given);
        live.features[id]?.rules.push(rule);
        return rule;
      },
    }),
    tokens: kit.tokens,
    checks: checks.growthbook,
    credential: bearerOf,
    refuseCredential: (_, why) => {
      if (why === 'read-only') return json(403, { message: 'You do not have permission to perform this action.' });
      return json(401, { message: why === 'wrong' ? 'Invalid API key' : 'Missing Authorization header' });
    },
    routes: [
      route('GET', '/api/v2/features/{id}', (call) => json(200, { feature: shown(featureOf(call)) })),
      route('POST', '/api/v2/features/{id}', (call) => {
        const feature = featureOf(call);
        const { rules } = bodyOf(call);
        if (!Array.isArray(rules)) return json(200, { feature: shown(feature) });
        const next = rules.map((rule, i) => written(feature, rule, `rules.${i}`));
        const touched = Object.keys(feature.environments).filter((name) => rulesIn(feature.rules, name) !== rulesIn(next, name));
        if (touched.some((name) => call.state.reviewed.includes(name)))
          throw refusal(403, 'This feature requires a review and the API key being used does not have permission to bypass reviews.');
        Object.assign(feature, { rules: next, version: feature.version + 1, dateUpdated: time() });
        return json(200, { feature: shown(feature) });
      }),
    ],
  });

  /** A rule of the body as it will stand. What is only shown stays with the rule that has it; what was left out is not there any more. */
  function written(feature: Feature, value: unknown, at: string): Rule {
    const shape = isMap(value) && typeof value.type === 'string' ? writable[value.type] : undefined;
    if (!isMap(value) || shape === undefined) throw refusal(400, `Request body: ${at}.type: Invalid input`);
    const [flaw] = flawsOf(value, shape);
    if (flaw)
      throw refusal(
        400,
        `Request body: ${at}${flaw.at.replaceAll('/', '.')}: ${flaw.problem === 'unknown' ? 'Unrecognized key' : 'Invalid input'}`,
      );
    const environments = Array.isArray(value.environments) ? value.environments.map(String) : [];
    const unknown = environments.find((name) => !Object.hasOwn(feature.environments, name));
    if (unknown !== undefined) throw refusal(400, `Environment "${unknown}" not found`);
    if (value.allEnvironments === false && value.environments === undefined) throw refusal(400, `${at}: environments is required`);
    const there = feature.rules.find(({ id }) => id === value.id);
    if (value.type === 'safe-rollout' && there?.safeRolloutId !== value.safeRolloutId)
      throw refusal(400, `Safe rollout ${String(value.safeRolloutId)} is not of this feature`);
    if (typeof value.condition === 'string' && value.condition !== '') checkCondition(value.condition, at);
    const readOnly = Object.fromEntries(Object.entries(there ?? {}).filter(([name]) => shownOnly.includes(name)));
    const kept = typeof value.value === 'string' && { value: keptValue(feature.valueType, value.value, at) };
    return stored({ ...value, ...kept, ...readOnly, type: String(value.type) });
  }
}

const shownOnly = ['scheduleType', 'rampScheduleId', 'pendingRamp'];

function featureOf({ state, params }: Call<GrowthbookState, { readonly id: string }>): Feature {
  const feature = state.features[params.id];
  if (!feature) throw refusal(400, 'Could not find a feature with that key');
  return feature;
}

const someone = { type: 'dashboard', id: 'u_1', name: 'Someone', email: 'someone@acme.example' };
const shown = ({ version, ...feature }: Feature) => ({
  ...feature,
  archived: false,
  description: '',
  owner: '',
  project: '',
  defaultValue: 'false',
  tags: [],
  prerequisites: [],
  revision: { version, comment: '', date: feature.dateUpdated, createdBy: someone, publishedBy: someone },
});

/** The rules that hold in one environment, to see whether a write touches it. */
const rulesIn = (rules: readonly Rule[], environment: string): string =>
  JSON.stringify(
    rules.filter((one) => one.allEnvironments === true || (Array.isArray(one.environments) && one.environments.includes(environment))),
  );

function checkCondition(text: string, at: string): void {
  try {
    if (isMap(JSON.parse(text))) return;
  } catch {
    // Said below, with what is no object.
  }
  throw refusal(400, `${at}.condition: must be a JSON object`);
}

const nullable = (shape: Shape): Shape => ({ nullable: shape });
const common: { readonly [name: string]: Shape } = {
  description: 'string',
  condition: 'string',
  savedGroups: { list: { fields: { match: { oneOf: ['all', 'none', 'any'] }, ids: { list: 'string' } }, required: ['match', 'ids'] } },
  savedGroupTargeting: {
    list: {
      fields: { matchType: { oneOf: ['all', 'none', 'any'] }, savedGroups: { list: 'string' } },
      required: ['matchType', 'savedGroups'],
    },
  },
  prerequisites: { list: { fields: { id: 'string', condition: 'string' }, required: ['id', 'condition'] } },
  scheduleRules: { list: { fields: { timestamp: nullable('string'), enabled: 'boolean' }, required: ['timestamp', 'enabled'] } },
  id: 'string',
  enabled: 'boolean',
  type: 'string',
  allEnvironments: 'boolean',
  environments: { list: 'string' },
  allProjects: 'boolean',
  projects: { list: 'string' },
};

/** What a rule of each type may be written with. An inline experiment and a contextual bandit are shown and cannot be written. */
const writable: { readonly [type: string]: Shape } = {
  force: { fields: { ...common, value: 'string', config: nullable('string'), sparse: 'boolean' }, required: ['type', 'value'] },
  rollout: {
    fields: {
      ...common,
      value: 'string',
      config: nullable('string'),
      sparse: 'boolean',
      coverage: 'number',
      hashAttribute: 'string',
      seed: 'string',
      hashVersion: 'integer',
    },
    required: ['type', 'value', 'coverage', 'hashAttribute'],
  },
  'experiment-ref': {
    fields: {
      ...common,
      variations: {
        list: { fields: { value: 'string', variationId: 'string', config: nullable('string') }, required: ['value', 'variationId'] },
      },
      experimentId: 'string',
      sparse: 'boolean',
    },
    required: ['type', 'variations', 'experimentId'],
  },
  'safe-rollout': {
    fields: {
      ...common,
      controlValue: 'string',
      variationValue: 'string',
      hashAttribute: 'string',
      trackingKey: 'string',
      seed: 'string',
      safeRolloutId: 'string',
      status: { oneOf: ['running', 'released', 'rolled-back', 'stopped'] },
    },
    required: ['type', 'controlValue', 'variationValue', 'hashAttribute', 'safeRolloutId'],
  },
};

const updateShape: Shape = {
  fields: {
    description: 'string',
    archived: 'boolean',
    project: 'string',
    targetingAllProjects: 'boolean',
    targetingProjects: { list: 'string' },
    owner: 'string',
    defaultValue: 'string',
    baseConfig: nullable('string'),
    defaultValueConfig: nullable('string'),
    tags: { list: 'string' },
    rules: { list: 'any' },
    environments: { values: { fields: { enabled: 'boolean' }, required: ['enabled'] } },
    prerequisites: { list: 'string' },
    jsonSchema: 'string',
    customFields: { values: 'any' },
    holdout: 'any',
    ignoreWarnings: 'boolean',
    skipSchemaValidation: 'boolean',
    skipHooks: 'boolean',
  },
};

function bodyOf({ body, contentType }: Call<GrowthbookState, unknown>): Record<string, unknown> {
  if (contentType !== 'application/json' || !isMap(body)) throw refusal(400, 'Request body: Invalid input: expected object');
  const [flaw] = flawsOf(body, updateShape);
  if (flaw) throw refusal(400, `Request body: ${flaw.at.slice(1)}: ${flaw.problem === 'unknown' ? 'Unrecognized key' : 'Invalid input'}`);
  return body;
}
