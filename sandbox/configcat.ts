import * as checks from './checks.ts';
import {
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface TargetingRule extends Record<string, unknown> {
  conditions: readonly Record<string, unknown>[];
}

/** The value of one flag in one environment. */
export interface SettingValue {
  readonly settingId: number;
  readonly settingType: 'boolean' | 'string' | 'int' | 'double';
  readonly evaluationVersion: 'v1' | 'v2';
  defaultValue: Record<string, unknown>;
  targetingRules: TargetingRule[];
  percentageEvaluationAttribute: string | null;
  updatedAt: string;
  lastVersionId: string;
}

export interface ConfigcatState {
  /** By environment, then by setting. */
  readonly environments: Record<string, Record<string, SettingValue>>;
  /** Environments whose writes need a reason. */
  readonly reasonRequired: string[];
  readonly ruleLimit: { count: number; isTold: boolean };
}

/** State, and what a person does in the dashboard. */
export interface ConfigcatWorld {
  readonly state: ConfigcatState;
  /** The name in the credential of each kind; its token is the password. */
  readonly user: string;
  addFlag(environment: string, setting: number, given?: Partial<SettingValue>): SettingValue;
}

/**
 * Values of feature flags: https://api.configcat.com/docs (Public Management API, the value operations of v2). Closed as described there:
 * a replaced value has what was sent and nothing else.
 */
export function configcat(options: SimulationOptions = {}): Simulation<ConfigcatWorld> {
  const kit = makeKit('configcat', options);
  const ids = new Ids('configcat');
  const state: ConfigcatState = { environments: {}, reasonRequired: [], ruleLimit: { count: 100, isTold: true } };
  const user = 'configcat-api-user';
  const value = '/v2/environments/{environment}/settings/{setting}/value';
  const time = () => new Date(kit.clock.now()).toISOString();

  return simulate<ConfigcatState, ConfigcatWorld>(kit, {
    name: 'configcat',
    origin: 'https://api.configcat.com',
    state,
    blind: () => ({ environments: {}, reasonRequired: [], ruleLimit: { count: 100, isTold: true } }),
    world: (live) => ({
      state: live,
      user,
      addFlag: (environment, settingId, given = {}) => {
        const flag: SettingValue = {
          settingId,
          settingType: 'boolean',
          evaluationVersion: 'v2',
          defaultValue: { boolValue: false },
          targetingRules: [],
          percentageEvaluationAttribute: null,
          updatedAt: time(),
          lastVersionId: ids.uuid(),
          ...given,
        };
        live.environments[environment] = { ...live.environments[environment], [settingId]: flag };
        return flag;
      },
    }),
    tokens: kit.tokens,
    checks: checks.configcat,
    credential: ({ headers }) => {
      const [, coded] = /^Basic (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
      if (coded === undefined) return null;
      const [name, ...password] = Buffer.from(coded, 'base64').toString().split(':');
      return name === user ? password.join(':') : 'unknown';
    },
    refuseCredential: (_, why) => (why === 'read-only' ? empty(403) : empty(401)),
    routes: [
      route('GET', value, (call) => json(200, shown(call, flagOf(call)))),
      route('PUT', value, (call) => {
        const flag = flagOf(call);
        checkReason(call);
        const body = bodyOf(call, flag);
        Object.assign(flag, { percentageEvaluationAttribute: null, targetingRules: [] }, body, {
          updatedAt: time(),
          lastVersionId: ids.uuid(),
        });
        return json(200, shown(call, flag));
      }),
    ],
  });
}

type ValueCall = Call<ConfigcatState, { readonly environment: string; readonly setting: string }>;

function flagOf({ state, params }: ValueCall): SettingValue {
  const flag = state.environments[params.environment]?.[params.setting];
  if (!flag) throw refuse(404, 'Not found.');
  if (flag.evaluationVersion === 'v1') throw invalid('config', 'The config is a V1 config. Use the V1 endpoints.');
  return flag;
}

const invalid = (field: string, message: string): Refusal => refuse(400, { [field]: [message] });

function checkReason({ state, params, query }: ValueCall): void {
  if (state.reasonRequired.includes(params.environment) && (query.get('reason') ?? '') === '')
    throw invalid('reason', 'Reason is required.');
}

function shown({ state, params }: ValueCall, flag: SettingValue): Record<string, unknown> {
  const { settingId, settingType, evaluationVersion, ...value } = flag;
  const organization = { organizationId: '08d86d63-0000-4000-8000-000000000001', name: 'Acme' };
  const product = {
    productId: '08d86d63-0000-4000-8000-000000000002',
    name: 'Shop',
    description: null,
    order: 0,
    reasonRequired: false,
    organization,
  };
  return {
    ...value,
    setting: { settingId, key: 'newCheckout', name: 'New checkout', hint: null, settingType, order: 0, isWatching: false },
    lastUpdaterUserEmail: null,
    lastUpdaterUserFullName: null,
    integrationLinks: [],
    settingTags: [],
    settingIdsWherePrerequisite: [],
    config: {
      product,
      configId: '08d86d63-0000-4000-8000-000000000003',
      name: 'Main',
      description: null,
      order: 0,
      migratedConfigId: null,
      evaluationVersion,
    },
    environment: {
      product,
      environmentId: params.environment,
      name: 'Staging',
      color: null,
      description: null,
      order: 0,
      reasonRequired: state.reasonRequired.includes(params.environment),
    },
    readOnly: false,
    featureFlagLimitations: {
      maxPercentageOptionCount: 10,
      ...(state.ruleLimit.isTold && { maxTargetingRuleCount: state.ruleLimit.count }),
      maxComparisonValueLength: 65_535,
      maxComparisonValueListLength: 100,
      maxComparisonValueListItemLength: 100,
      maxStringFlagValueLength: 65_535,
      maxConditionPerTargetingRuleCount: 5,
    },
  };
}

const nullable = (shape: Shape): Shape => ({ nullable: shape });
const flagValue: Shape = {
  fields: {
    boolValue: nullable('boolean'),
    stringValue: nullable('string'),
    intValue: nullable('integer'),
    doubleValue: nullable('number'),
  },
};
const comparators = [
  ...['isOneOf', 'isNotOneOf', 'containsAnyOf', 'doesNotContainAnyOf', 'semVerIsOneOf', 'semVerIsNotOneOf', 'semVerLess'],
  ...['semVerLessOrEquals', 'semVerGreater', 'semVerGreaterOrEquals', 'numberEquals', 'numberDoesNotEqual', 'numberLess'],
  ...[
    'numberLessOrEquals',
    'numberGreater',
    'numberGreaterOrEquals',
    'sensitiveIsOneOf',
    'sensitiveIsNotOneOf',
    'dateTimeBefore',
    'dateTimeAfter',
  ],
  ...['sensitiveTextEquals', 'sensitiveTextDoesNotEqual', 'sensitiveTextStartsWithAnyOf', 'sensitiveTextNotStartsWithAnyOf'],
  ...['sensitiveTextEndsWithAnyOf', 'sensitiveTextNotEndsWithAnyOf', 'sensitiveArrayContainsAnyOf', 'sensitiveArrayDoesNotContainAnyOf'],
  ...['textEquals', 'textDoesNotEqual', 'textStartsWithAnyOf', 'textNotStartsWithAnyOf', 'textEndsWithAnyOf', 'textNotEndsWithAnyOf'],
  ...['arrayContainsAnyOf', 'arrayDoesNotContainAnyOf'],
];
const conditionShape: Shape = {
  fields: {
    userCondition: nullable({
      fields: {
        comparisonAttribute: 'string',
        comparator: { oneOf: comparators },
        comparisonValue: {
          fields: {
            stringValue: nullable('string'),
            doubleValue: nullable('number'),
            listValue: nullable({ list: { fields: { value: 'string', hint: nullable('string') }, required: ['value'] } }),
          },
        },
      },
      required: ['comparisonAttribute', 'comparator', 'comparisonValue'],
    }),
    segmentCondition: nullable({
      fields: { segmentId: 'string', comparator: { oneOf: ['isIn', 'isNotIn'] } },
      required: ['segmentId', 'comparator'],
    }),
    prerequisiteFlagCondition: nullable({
      fields: {
        prerequisiteSettingId: 'integer',
        comparator: { oneOf: ['equals', 'doesNotEqual'] },
        prerequisiteComparisonValue: flagValue,
      },
      required: ['prerequisiteSettingId', 'comparator', 'prerequisiteComparisonValue'],
    }),
  },
};
const updateShape: Shape = {
  fields: {
    defaultValue: flagValue,
    targetingRules: nullable({
      list: {
        fields: {
          conditions: nullable({ list: conditionShape }),
          percentageOptions: nullable({
            list: { fields: { percentage: 'integer', value: flagValue }, required: ['percentage', 'value'] },
          }),
          value: nullable(flagValue),
        },
      },
    }),
    percentageEvaluationAttribute: nullable('string'),
  },
  required: ['defaultValue'],
};

/** What the PUT carries, held to the description, to the type of the setting and to the limit of rules. */
function bodyOf({ body, contentType, state }: ValueCall, { settingType }: SettingValue): Record<string, unknown> {
  if (contentType !== 'application/json' || !isMap(body)) throw invalid('body', 'A JSON object is expected.');
  const [flaw] = flawsOf(body, updateShape);
  if (flaw)
    throw invalid(flaw.at.slice(1).replaceAll('/', '.'), flaw.problem === 'unknown' ? 'Unknown member.' : `Must be ${flaw.expected}.`);
  const rules = Array.isArray(body.targetingRules) ? body.targetingRules.filter(isMap) : [];
  if (rules.length > state.ruleLimit.count)
    throw invalid('targetingRules', `At most ${state.ruleLimit.count} targeting rules are allowed.`);
  const served = { boolean: 'boolValue', string: 'stringValue', int: 'intValue', double: 'doubleValue' }[settingType];
  const isServed = (value: unknown): boolean => isMap(value) && (value[served] ?? null) !== null;
  for (const rule of rules) {
    const hasOptions = Array.isArray(rule.percentageOptions) && rule.percentageOptions.length > 0;
    if (!hasOptions && !isServed(rule.value)) throw invalid('targetingRules', `A rule must serve a ${settingType}.`);
  }
  if (!isServed(body.defaultValue)) throw invalid('defaultValue', `Must be a ${settingType}.`);
  return { ...body, targetingRules: rules };
}
