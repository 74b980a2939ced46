import {
  bearerOf,
  type Call,
  flawsOf,
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

type Members = Record<string, unknown>;

/** A flag's definition in one environment, without what the path says. */
export interface Definition {
  treatments: readonly Members[];
  defaultTreatment: string;
  baselineTreatment?: string;
  /** In the order in which they are asked. They have no id and no name. */
  rules: readonly Members[];
  defaultRule: readonly Members[];
  trafficAllocation: number;
  killed: boolean;
  lastUpdateTime: number;
}

export interface SplitState {
  /** `workspace/flag/environment` → the definition there. */
  readonly definitions: Record<string, Definition>;
  /** Ids of environments whose changes need an approval. */
  readonly approvals: string[];
  /** Ids of environments in which a change needs a title and a comment. */
  readonly titles: string[];
}

export interface SplitWorld {
  readonly state: SplitState;
  addFlag(workspace: string, flag: string, environment: string, definition?: Partial<Definition>): Definition;
}

const emptyState = (): SplitState => ({ definitions: {}, approvals: [], titles: [] });

/**
 * Feature flag definitions by the Admin API: https://docs.split.io/reference/full-update-split-definition-in-environment. A key of Split
 * goes as bearer, a token of Harness as `x-api-key`. What a flag without definition there answers to a write is not documented: 404
 * here; a missing title is 400.
 */
export function split(options: SimulationOptions = {}): Simulation<SplitWorld> {
  const kit = makeKit('split', options);
  const state = emptyState();
  const place = '/internal/api/v2/splits/ws/{workspace}/{flag}/environments/{environment}';

  return simulate<SplitState, SplitWorld>(kit, {
    name: 'split',
    origin: 'https://api.split.io',
    basePath: '/internal/api/v2',
    state,
    blind: emptyState,
    world: (live) => ({
      state: live,
      addFlag: (workspace, flag, environment, given = {}) => {
        const definition: Definition = { ...fresh(), ...given };
        live.definitions[`${workspace}/${flag}/${environment}`] = definition;
        return definition;
      },
    }),
    tokens: kit.tokens,
    secretHeaders: ['authorization', 'x-api-key'],
    credential: (call) => bearerOf(call) ?? call.headers.get('x-api-key'),
    refuseCredential: (_, why) => (why === 'read-only' ? failure(403, 'Forbidden') : failure(401, 'Unauthorized')),
    routes: [
      route('GET', place, (call) => shown(call)),
      route('PUT', place, (call) => {
        const definition = definitionOf(call);
        const { environment } = call.params;
        if (call.state.approvals.includes(environment)) throw refusal(403, 'Approvals are required for this environment');
        const body = bodyOf(call);
        if (call.state.titles.includes(environment) && (!body.title || !body.comment)) throw refusal(400, 'Title and comment are required');
        Object.assign(definition, {
          treatments: body.treatments,
          defaultTreatment: body.defaultTreatment,
          baselineTreatment: body.baselineTreatment ?? body.defaultTreatment,
          rules: mapsOf(body.rules).map(stored),
          defaultRule: body.defaultRule,
          trafficAllocation: body.trafficAllocation ?? 100,
          lastUpdateTime: Math.floor(call.now),
        });
        return shown(call);
      }),
    ],
  });
}

type FlagCall = Call<SplitState, { readonly workspace: string; readonly flag: string; readonly environment: string }>;

const fresh = (): Definition => ({
  treatments: [
    { name: 'on', configurations: '', keys: [], segments: [] },
    { name: 'off', configurations: '', keys: [], segments: [] },
  ],
  defaultTreatment: 'off',
  baselineTreatment: 'off',
  rules: [],
  defaultRule: [{ treatment: 'off', size: 100 }],
  trafficAllocation: 100,
  killed: false,
  lastUpdateTime: 1_767_225_600_000,
});

const failure = (status: number, message: string): Reply => json(status, { code: status, message, details: '', transactionId: 't-01' });
const refusal = (status: number, message: string): Refusal => new Refusal(failure(status, message));
const mapsOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isMap) : []);

function definitionOf({ params, state }: FlagCall): Definition {
  const definition = state.definitions[`${params.workspace}/${params.flag}/${params.environment}`];
  if (!definition) throw refusal(404, `There is no definition of ${params.flag} in this environment`);
  return definition;
}

function shown(call: FlagCall): Reply {
  const { workspace, flag, environment } = call.params;
  return json(200, {
    id: `${workspace}:${flag}`,
    name: flag,
    environment: { id: environment, name: 'Preview' },
    trafficType: { id: 'tt-user', name: 'user' },
    ...definitionOf(call),
    creationTime: 1_767_225_600_000,
    flagSets: [],
  });
}

/** A rule as it is shown again: the one combiner there is stands in it, and only a matcher that is negated says so. */
function stored(rule: Members): Members {
  const condition = isMap(rule.condition) ? rule.condition : {};
  const matchers = mapsOf(condition.matchers).map(({ negate, ...matcher }) => ({ ...matcher, ...(negate === true && { negate }) }));
  return { ...rule, condition: { combiner: 'AND', ...condition, matchers } };
}

const buckets: Shape = { list: { fields: { treatment: 'string', size: 'integer' }, required: ['treatment', 'size'] } };
const matcherTypes = [
  ...['IN_SEGMENT', 'EQUAL_SET', 'ANY_OF_SET', 'ALL_OF_SET', 'PART_OF_SET', 'ON_DATE', 'ON_OR_AFTER_DATE', 'ON_OR_BEFORE_DATE'],
  ...['BETWEEN_DATE', 'BOOLEAN', 'EQUAL_NUMBER', 'LESS_THAN_OR_EQUAL_NUMBER', 'GREATER_THAN_OR_EQUAL_NUMBER', 'BETWEEN_NUMBER'],
  ...['IN_LIST_STRING', 'STARTS_WITH_STRING', 'ENDS_WITH_STRING', 'CONTAINS_STRING', 'MATCHES_STRING', 'IN_SPLIT'],
];
const matcher: Shape = {
  fields: {
    type: { oneOf: matcherTypes },
    attribute: 'string',
    negate: 'boolean',
    string: 'string',
    strings: { list: 'string' },
    bool: 'boolean',
    number: 'integer',
    date: 'integer',
    between: { values: 'integer' },
    depends: { values: 'any' },
  },
  required: ['type'],
};
/** What a write takes; what is only shown, such as name and killed, it does not. */
const shape: Shape = {
  fields: {
    treatments: {
      list: {
        fields: { name: 'string', configurations: 'string', description: 'string', keys: { list: 'string' }, segments: { list: 'string' } },
      },
    },
    defaultTreatment: 'string',
    baselineTreatment: 'string',
    rules: { list: { fields: { condition: { fields: { combiner: { oneOf: ['AND'] }, matchers: { list: matcher } } }, buckets } } },
    defaultRule: buckets,
    trafficAllocation: 'integer',
    title: 'string',
    comment: 'string',
  },
  required: ['treatments', 'defaultTreatment', 'rules', 'defaultRule'],
};

function bodyOf({ body }: FlagCall): Members {
  const [flaw] = flawsOf(body, shape);
  if (flaw || !isMap(body)) throw refusal(400, flaw ? `${flaw.at} is ${flaw.problem}, expected ${flaw.expected}` : 'The body is not JSON');
  const treatments = mapsOf(body.treatments).map(({ name }) => name);
  for (const list of [mapsOf(body.defaultRule), ...mapsOf(body.rules).map((rule) => mapsOf(rule.buckets))]) {
    const sum = list.reduce((all, { size }) => all + Number(size), 0);
    if (sum !== 100) throw refusal(400, 'The sizes of the buckets of a rule must add up to 100');
    const stranger = list.find(({ treatment }) => !treatments.includes(treatment));
    if (stranger) throw refusal(400, `The flag has no treatment ${String(stranger.treatment)}`);
  }
  return body;
}
