import * as checks from './checks.ts';
import {
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  Refusal,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A strategy as the server stores it. */
export interface Strategy {
  readonly id: string;
  name: string;
  title: string | null;
  disabled: boolean;
  sortOrder: number;
  segments: readonly number[];
  constraints: readonly Record<string, unknown>[];
  variants: readonly Record<string, unknown>[];
  parameters: Record<string, string>;
}

export interface FlagEnvironment {
  enabled: boolean;
  strategies: Strategy[];
}

export interface UnleashState {
  /** Project → flag → environment. */
  readonly projects: Record<string, Record<string, Record<string, FlagEnvironment>>>;
  /** `project/environment` in which every change needs an approval. */
  readonly changeRequests: string[];
  /** Context fields with a closed list of values. */
  readonly legalValues: Record<string, readonly string[]>;
  readonly strategyTypes: string[];
  strategyLimit: number;
  constraintLimit: number;
}

/** State, and what a person does in the admin console. */
export interface UnleashWorld {
  readonly state: UnleashState;
  addFlag(project: string, flag: string, environments: readonly string[]): void;
  /** Live: changing it is a change from outside. */
  environment(project: string, flag: string, environment: string): FlagEnvironment;
  addStrategy(project: string, flag: string, environment: string, strategy: Partial<Strategy> & { name: string }): Strategy;
}

const emptyState = (): UnleashState => ({
  projects: {},
  changeRequests: [],
  legalValues: {},
  strategyTypes: ['default', 'flexibleRollout', 'userWithId', 'remoteAddress', 'applicationHostname'],
  strategyLimit: 30,
  constraintLimit: 30,
});

/**
 * Feature flag strategies: https://docs.getunleash.io/reference/api/unleash (admin API). Where the page is silent, what
 * server 8.2.0 does (read 2026-11-21): filled parameters, what an update empties, 403 without a body, 404 of a second delete.
 */
export function unleash(options: SimulationOptions = {}): Simulation<UnleashWorld> {
  const kit = makeKit('unleash', options);
  const ids = new Ids('unleash');
  const state = emptyState();
  const strategies = '/api/admin/projects/{project}/features/{flag}/environments/{environment}/strategies';

  return simulate<UnleashState, UnleashWorld>(kit, {
    name: 'unleash',
    origin: 'https://unleash.acme.example',
    state,
    blind: emptyState,
    world: (live) => ({
      state: live,
      addFlag: (project, flag, environments) => {
        const made = Object.fromEntries(environments.map((name) => [name, { enabled: false, strategies: [] }]));
        live.projects[project] = { ...live.projects[project], [flag]: made };
      },
      environment: (project, flag, environment) => {
        const found = live.projects[project]?.[flag]?.[environment];
        if (!found) throw new Error(`the world has no ${project}/${flag}/${environment}`);
        return found;
      },
      addStrategy: (project, flag, environment, given) => {
        const list = live.projects[project]?.[flag]?.[environment]?.strategies;
        if (!list) throw new Error(`the world has no ${project}/${flag}/${environment}`);
        const strategy: Strategy = { ...blank(newId(), list), ...given };
        list.push(strategy);
        return strategy;
      },
    }),
    tokens: kit.tokens,
    checks: checks.unleash,
    // The token stands alone in the header; with a scheme before it, it is another text.
    credential: ({ headers }) => headers.get('authorization'),
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? failure(403, 'PermissionError', "You don't have the required permissions to perform this operation.")
        : failure(401, 'AuthenticationRequired', 'You must log in to use Unleash.'),
    routes: [
      route('GET', '/api/admin/projects/{project}/features/{flag}/environments/{environment}', (call) => {
        const { enabled, strategies: list } = environmentOf(call);
        const { flag, environment } = call.params;
        const type = environment === 'production' ? 'production' : 'development';
        return json(200, {
          name: environment,
          featureName: flag,
          environment,
          type,
          enabled,
          strategies: list.map((one) => listed(call, one)),
        });
      }),
      route('GET', strategies, (call) =>
        json(
          200,
          environmentOf(call).strategies.map((one) => listed(call, one)),
        ),
      ),
      route('POST', strategies, (call) => {
        const body = bodyOf(call, ['name']);
        const { strategies: list } = environmentOf(call);
        checkMayChange(call);
        const name = nameOf(call, body);
        if (list.length >= call.state.strategyLimit) throw tooMany('strategy', call.state.strategyLimit);
        const strategy: Strategy = { ...blank(newId(), list), name, ...replaced(call, name, body), ...kept(body) };
        list.push(strategy);
        return json(200, strategy);
      }),
      route('GET', `${strategies}/{id}`, (call) => json(200, strategyOf(call))),
      route('PUT', `${strategies}/{id}`, (call) => {
        const body = bodyOf(call, []);
        const strategy = strategyOf(call);
        checkMayChange(call);
        // The type comes from the body alone: without it the defaults of the stored type are not filled in.
        const name = body.name === undefined ? null : nameOf(call, body);
        Object.assign(strategy, { name: name ?? strategy.name }, replaced(call, name, body), kept(body));
        turnOffWithoutStrategy(call);
        return json(200, strategy);
      }),
      route('DELETE', `${strategies}/{id}`, (call) => {
        const strategy = strategyOf(call);
        checkMayChange(call);
        const { strategies: list } = environmentOf(call);
        list.splice(list.indexOf(strategy), 1);
        turnOffWithoutStrategy(call);
        return { status: 200 };
      }),
    ],
  });

  function newId(): string {
    return `01${ids.text(24, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')}`;
  }
}

type FlagCall = Call<UnleashState, { readonly project: string; readonly flag: string; readonly environment: string; readonly id?: string }>;

const blank = (id: string, others: readonly Strategy[]): Strategy => ({
  id,
  name: 'default',
  title: null,
  disabled: false,
  sortOrder: others.length,
  segments: [],
  constraints: [],
  variants: [],
  parameters: {},
});

const listed = ({ params }: FlagCall, strategy: Strategy) => ({ ...strategy, featureName: params.flag, milestoneId: null });

function failure(status: number, name: string, message: string): Reply {
  return json(status, { id: 'b1a6d4a0-4c1f-4f0e-9c7d-0d6f5c2e8a11', name, message, details: [{ message }] });
}
const refuseWith = (reply: Reply) => new Refusal(reply);
const badData = (message: string) =>
  refuseWith(failure(400, 'BadDataError', `Request validation failed: your request body or params contain invalid data: ${message}`));
const tooMany = (what: string, limit: number) =>
  refuseWith(failure(400, 'ExceedsLimitError', `Failed to create ${what}. You can't create more than the established limit of ${limit}.`));

function environmentOf({ params, state }: FlagCall): FlagEnvironment {
  const flags = state.projects[params.project];
  if (!flags) throw refuseWith(failure(404, 'NotFoundError', `Could not find project with id ${params.project}`));
  const flag = flags[params.flag];
  if (!flag) throw refuseWith(failure(404, 'NotFoundError', `There's no feature named "${params.flag}" in project "${params.project}"`));
  const environment = flag[params.environment];
  if (!environment) throw refuseWith(failure(404, 'NotFoundError', `The flag "${params.flag}" has no environment "${params.environment}"`));
  return environment;
}

/** The strategy of the path; one that belongs to another flag is forbidden rather than absent. */
function strategyOf(call: FlagCall): Strategy {
  const own = environmentOf(call).strategies.find(({ id }) => id === call.params.id);
  if (own) return own;
  const all = Object.values(call.state.projects).flatMap((flags) => Object.values(flags).flatMap((flag) => Object.values(flag)));
  if (all.some(({ strategies }) => strategies.some(({ id }) => id === call.params.id))) throw refuseWith({ status: 403 });
  throw refuseWith(failure(404, 'NotFoundError', `Could not find strategy with id ${call.params.id ?? ''}`));
}

function checkMayChange({ params, state }: FlagCall): void {
  if (!state.changeRequests.includes(`${params.project}/${params.environment}`)) return;
  throw refuseWith(
    failure(403, 'PermissionError', `Change requests are enabled in project "${params.project}" for environment "${params.environment}"`),
  );
}

function turnOffWithoutStrategy(call: FlagCall): void {
  const environment = environmentOf(call);
  if (environment.strategies.every(({ disabled }) => disabled)) environment.enabled = false;
}

const operators = [
  ...['NOT_IN', 'IN', 'STR_ENDS_WITH', 'STR_STARTS_WITH', 'STR_CONTAINS', 'NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'],
  ...['DATE_AFTER', 'DATE_BEFORE', 'SEMVER_EQ', 'SEMVER_GT', 'SEMVER_LT', 'REGEX'],
];
const constraintShape: Shape = {
  fields: {
    contextName: 'string',
    operator: { oneOf: operators },
    caseInsensitive: 'boolean',
    inverted: 'boolean',
    values: { list: 'string' },
    value: 'string',
  },
  required: ['contextName', 'operator'],
};
const variantShape: Shape = {
  fields: {
    name: 'string',
    weight: 'integer',
    weightType: { oneOf: ['variable', 'fix'] },
    stickiness: 'string',
    payload: { fields: { type: { oneOf: ['json', 'csv', 'string', 'number'] }, value: 'string' }, required: ['type', 'value'] },
  },
  required: ['name', 'weight', 'weightType', 'stickiness'],
  open: true,
};
const fields: { readonly [name: string]: Shape } = {
  name: 'string',
  title: { nullable: 'string' },
  disabled: { nullable: 'boolean' },
  sortOrder: 'number',
  constraints: { list: constraintShape },
  variants: { list: variantShape },
  parameters: { values: 'any' },
  segments: { list: 'number' },
};

function bodyOf(call: FlagCall, required: readonly string[]): Record<string, unknown> {
  if (call.contentType !== 'application/json') {
    throw refuse(415, {
      name: 'ContentTypeerror',
      message: `We do not accept the content-type you provided (${call.contentType || 'none'}).`,
    });
  }
  const { body } = call;
  if (!isMap(body)) throw badData('the body is not a JSON object');
  const [flaw] = flawsOf(body, { fields, required, open: true });
  if (flaw) throw badData(`${flaw.at}: ${flaw.problem === 'type' ? `should be ${flaw.expected}` : `${flaw.problem} property`}`);
  return body;
}

function nameOf({ state }: FlagCall, { name }: Record<string, unknown>): string {
  if (typeof name === 'string' && state.strategyTypes.includes(name)) return name;
  throw badData(`Could not find strategy type with name ${String(name)}`);
}

/** What every write replaces: left out, it is emptied. A flexible rollout that is named has its parameters filled up. */
function replaced(
  call: FlagCall,
  name: string | null,
  body: Record<string, unknown>,
): Pick<Strategy, 'constraints' | 'variants' | 'parameters'> {
  const sent = mapsOf(body.constraints);
  if (sent.length > call.state.constraintLimit) throw tooMany('constraints', call.state.constraintLimit);
  const given = isMap(body.parameters)
    ? Object.fromEntries(Object.entries(body.parameters).map(([key, value]) => [key, textOf(value)]))
    : {};
  // An empty stickiness is that of the project, an empty group the flag.
  const isFlexible = name === 'flexibleRollout';
  const defaults = isFlexible ? { rollout: '100', stickiness: 'default', groupId: call.params.flag } : {};
  if (isFlexible) for (const empty of ['stickiness', 'groupId']) if (given[empty] === '') delete given[empty];
  return {
    constraints: sent.map((one) => constraintOf(call, one)),
    variants: mapsOf(body.variants),
    parameters: { ...defaults, ...given },
  };
}

/** Every parameter is kept as text (ensureStringValue.ts): nothing as an empty one, an object as JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** What a write changes only when it is sent. */
function kept(body: Record<string, unknown>): Partial<Pick<Strategy, 'title' | 'disabled' | 'sortOrder' | 'segments'>> {
  const { title, disabled, sortOrder, segments } = body;
  return {
    ...(title !== undefined && { title: title === null ? null : String(title) }),
    ...(disabled !== undefined && { disabled: disabled === true }),
    ...(typeof sortOrder === 'number' && { sortOrder }),
    ...(Array.isArray(segments) && { segments: segments.map(Number) }),
  };
}

function constraintOf({ state }: FlagCall, constraint: Record<string, unknown>): Record<string, unknown> {
  const { operator, contextName, value } = constraint;
  const values = Array.isArray(constraint.values) ? constraint.values.map(String) : [];
  const long = values.find((one) => one.length < 1 || one.length > 100);
  if (long !== undefined) throw badData(`"values" length must be 1 to 100 characters long, "${long.slice(0, 20)}…" is not`);
  const legal = state.legalValues[String(contextName)];
  const illegal = legal && values.find((one) => !legal.includes(one));
  if (illegal !== undefined) throw badData(`input values are not specified as a legal value: ${illegal}`);
  const kind = String(operator).split('_')[0];
  const isRight =
    kind === 'NUM'
      ? Number.isFinite(Number.parseFloat(String(value)))
      : kind === 'DATE'
        ? !Number.isNaN(Date.parse(String(value)))
        : kind === 'SEMVER'
          ? /^\d+\.\d+\.\d+/.test(String(value))
          : true;
  if (!isRight) throw badData(`the provided value does not fit the operator ${String(operator)}`);
  return { ...constraint, values };
}

const mapsOf = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isMap) : []);
