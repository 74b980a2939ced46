import * as checks from './checks.ts';
import {
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A rule as the gate shows it; `environments` is null for all of them. */
export interface GateRule {
  readonly id: string;
  readonly baseID: string;
  name: string;
  passPercentage: number;
  conditions: readonly Record<string, unknown>[];
  environments: readonly string[] | null;
  returnValue?: Record<string, unknown>;
}

export interface StatsigState {
  /** Gate → its rules in the order in which they are asked. */
  readonly gates: Record<string, GateRule[]>;
}

export interface StatsigWorld {
  readonly state: StatsigState;
  addGate(id: string): void;
  /** Live: changing one is a change from outside. */
  rules(gate: string): GateRule[];
  addRule(gate: string, rule: Partial<GateRule> & { readonly name: string }): GateRule;
}

/**
 * Rules of feature gates by the console API: https://docs.statsig.com/console-api/gates. Writes of one rule answer the whole gate.
 * What an absent gate or rule answers is not documented: 404 here; a key that may not do it meets 403. Names are not unique.
 */
export function statsig(options: SimulationOptions = {}): Simulation<StatsigWorld> {
  const kit = makeKit('statsig', options);
  const ids = new Ids('statsig');
  const state: StatsigState = { gates: {} };
  const gate = '/console/v1/gates/{gate}';

  return simulate<StatsigState, StatsigWorld>(kit, {
    name: 'statsig',
    origin: 'https://statsigapi.net',
    state,
    blind: () => ({ gates: {} }),
    world: (live) => ({
      state: live,
      addGate: (id) => {
        live.gates[id] = [];
      },
      rules: (id) => live.gates[id] ?? [],
      addRule: (id, given) => {
        const rules = live.gates[id];
        if (!rules) throw new Error(`the world has no gate ${id}`);
        const rule: GateRule = { ...blank(), ...given };
        rules.push(rule);
        return rule;
      },
    }),
    tokens: kit.tokens,
    checks: checks.statsig,
    credential: ({ headers }) => headers.get('statsig-api-key'),
    secretHeaders: ['statsig-api-key'],
    refuseCredential: () => failure(403, 'Forbidden resource'),
    routes: [
      route('GET', '/console/v1/gates', ({ state: live }) =>
        json(200, {
          message: 'Gates listed successfully.',
          data: Object.entries(live.gates).map(([id, rules]) => gateOf(id, rules)),
          pagination: { itemsPerPage: 100, pageNumber: 1, nextPage: null, previousPage: null },
        }),
      ),
      route('GET', gate, (call) => shown(call, 'Gate read successfully.')),
      route('POST', `${gate}/rule`, (call) => {
        const rules = rulesOf(call);
        const body = bodyOf(call, ['name', 'passPercentage', 'conditions']);
        rules.push({ ...blank(), ...body });
        return shown(call, 'Gate rule added successfully.');
      }),
      route('PATCH', `${gate}/rules/{rule}`, (call) => {
        const rule = ruleOf(call);
        Object.assign(rule, bodyOf(call, []));
        return shown(call, 'Gate rule updated successfully.');
      }),
      route('DELETE', `${gate}/rules/{rule}`, (call) => {
        const rules = rulesOf(call);
        rules.splice(rules.indexOf(ruleOf(call)), 1);
        return shown(call, 'Gate rule deleted successfully.');
      }),
    ],
  });

  function blank(): GateRule {
    const id = ids.text(22, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
    return { id, baseID: id, name: '', passPercentage: 0, conditions: [], environments: null, returnValue: {} };
  }
}

type GateCall = Call<StatsigState, { readonly gate: string }>;
type RuleCall = Call<StatsigState, { readonly gate: string; readonly rule: string }>;

const failure = (status: number, message: string): Reply => json(status, { status, message });

function rulesOf({ params, state }: GateCall): GateRule[] {
  const rules = state.gates[params.gate];
  if (!rules) throw refuse(404, { status: 404, message: 'Gate not found.' });
  return rules;
}

function ruleOf(call: RuleCall): GateRule {
  const rule = rulesOf(call).find(({ id }) => id === call.params.rule);
  if (!rule) throw refuse(404, { status: 404, message: 'Rule not found.' });
  return rule;
}

const shown = (call: GateCall, message: string): Reply => json(200, { message, data: gateOf(call.params.gate, rulesOf(call)) });

const gateOf = (id: string, rules: readonly GateRule[]) => ({
  id,
  name: id,
  idType: 'userID',
  description: '',
  lastModifierID: null,
  lastModifiedTime: null,
  lastModifierEmail: null,
  lastModifierName: null,
  createdTime: 1_767_225_600_000,
  creatorName: null,
  checksPerHour: null,
  status: 'In Progress',
  type: 'TEMPORARY',
  typeReason: 'NONE',
  isEnabled: true,
  rules,
});

const conditionTypes = [
  ...['app_version', 'browser_name', 'browser_version', 'country', 'custom_field', 'email', 'environment_tier', 'fails_gate'],
  ...['fails_segment', 'ip_address', 'locale', 'os_name', 'os_version', 'passes_gate', 'passes_segment', 'public', 'time'],
  ...['unit_id', 'user_id', 'url', 'javascript', 'device_model', 'target_app'],
];
const condition: Shape = {
  fields: {
    type: { oneOf: conditionTypes },
    targetValue: 'any',
    operator: 'string',
    field: { nullable: 'string' },
    customID: { nullable: 'string' },
  },
  required: ['type'],
};
const rollouts: Shape = { list: { fields: { time: 'number', passPercent: 'number' }, required: ['time', 'passPercent'] } };
const fields: { readonly [name: string]: Shape } = {
  name: 'string',
  passPercentage: 'number',
  conditions: { list: condition },
  environments: { nullable: { list: 'string' } },
  id: 'string',
  baseID: 'string',
  returnValue: { values: 'any' },
  completedAutomatedRollouts: rollouts,
  pendingAutomatedRollouts: rollouts,
};

/** What a write sets: only what it carries. Conditions are stored with the members that they leave out, and a list of one as that one. */
function bodyOf({ body }: Pick<GateCall, 'body'>, required: readonly string[]): Partial<GateRule> {
  const [flaw] = flawsOf(body, { fields, required });
  if (flaw || !isMap(body)) throw refuse(400, { status: 400, message: flaw ? `${flaw.at}: ${flaw.problem}` : 'Invalid JSON' });
  const { passPercentage: percent, conditions } = body;
  if (typeof percent === 'number' && (percent < 0 || percent > 100)) throw refuse(400, { status: 400, message: 'Invalid passPercentage' });
  const filled = Array.isArray(conditions)
    ? conditions.filter(isMap).map((one) => ({ field: null, customID: null, ...one, ...targetOf(one) }))
    : undefined;
  return { ...body, ...(filled && { conditions: filled }) };
}

/** A list of one value is kept as the value itself. */
const targetOf = ({ targetValue: target }: Readonly<Record<string, unknown>>): { readonly targetValue?: unknown } =>
  Array.isArray(target) && target.length === 1 ? { targetValue: target[0] as unknown } : {};
