import { split } from 'pilotfish-sandbox/split';
import { describe, expect, it } from 'vitest';
import { isMap } from '../../src/core/json.ts';
import { getAt } from '../../src/core/pointer.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const flag = ['5a6b7c80', 'new_checkout', '6b7c8d90'] as const;
const [workspace_id, feature_flag, environment_id] = flag;
const match = 'pr-12.acme.example';
const own = {
  condition: { matchers: [{ type: 'IN_LIST_STRING', attribute: 'host', strings: [match] }] },
  buckets: [{ treatment: 'on', size: 100 }],
};
const theirs = {
  condition: { combiner: 'AND', matchers: [{ type: 'IN_LIST_STRING', attribute: 'host', strings: ['pr-13.acme.example', match] }] },
  buckets: [
    { treatment: 'on', size: 50 },
    { treatment: 'off', size: 50 },
  ],
};
const ofSegment = {
  condition: { combiner: 'AND', matchers: [{ type: 'IN_SEGMENT', string: 'staff' }] },
  buckets: [{ treatment: 'on', size: 100 }],
};
const isMine = (rule: unknown) => isMap(rule) && getAt(rule, '/condition/matchers/0/strings/0') === match;

/** A flag that has other rules, and one whose only rule is the line's. */
for (const others of [[ofSegment, theirs], []]) {
  describeRecipe('split.targeting_rule', {
    simulate: split,
    subject: ({ world }) => {
      const definition = world.addFlag(...flag, {
        rules: structuredClone(others),
        treatments: [{ name: 'on', configurations: '{"a":1}', keys: ['ada'], segments: [] }, { name: 'off' }],
        trafficAllocation: 80,
        baselineTreatment: 'on',
        killed: true,
      });
      const rest = () => definition.rules.filter((rule) => !isMine(rule));
      return {
        credential: 'SPLIT_ADMIN_API_KEY',
        params: { workspace_id, feature_flag, environment_id, match, attribute: 'host' },
        mine: () => definition.rules.filter(isMine),
        others: () => ({ ...definition, rules: rest(), lastUpdateTime: null }),
        stands: own,
        edits: { value: { buckets: [{ treatment: 'off', size: 100 }] } },
        changes: { value: { treatment: 'off' } },
        remove: () => Object.assign(definition, { rules: rest() }),
        foreign: () => Object.assign(definition, { rules: [...definition.rules, structuredClone(own)] }),
        requests: { create: { method: 'PUT' }, remove: { method: 'PUT' } },
      };
    },
  });
}

const line = { id: 'on', recipe: 'flags_e.targeting_rule', workspace_id, feature_flag, environment_id, match };

async function open(o: { readonly env?: Record<string, string>; readonly providers?: object } = {}) {
  const simulation = split();
  const definition = simulation.world.addFlag(...flag, { rules: [ofSegment] });
  const stage = await openStage({
    simulations: [simulation],
    env: o.env ?? { SPLIT_ADMIN_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, ...(o.providers && { providers: o.providers }), changes: [line] }),
  });
  return { simulation, definition, stage };
}

describe('a rule of a flag', () => {
  it('compares the key of the customer where no attribute is named, and is asked after the rules of others', async () => {
    const { definition, stage } = await open();
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(definition.rules).toEqual([
      ofSegment,
      {
        condition: { combiner: 'AND', matchers: [{ type: 'IN_LIST_STRING', strings: [match] }] },
        buckets: [{ treatment: 'on', size: 100 }],
      },
    ]);
    await stage.close();
  });

  it('that somebody negated is drift, and is put back', async () => {
    const { definition, stage } = await open();
    await stage.apply();
    const matcher = getAt(definition.rules, '/1/condition/matchers/0');
    Object.assign(isMap(matcher) ? matcher : {}, { negate: true });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'update', drift: 'changed' }] });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(getAt(definition.rules, '/1/condition/matchers/0')).toEqual({ type: 'IN_LIST_STRING', strings: [match] });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
    await stage.close();
  });

  it('is refused where changes need an approval, with the reason of the provider', async () => {
    const { simulation, definition, stage } = await open();
    simulation.world.state.approvals.push(environment_id);
    const { ok, error } = await stage.apply();
    expect(ok).toBe(false);
    expect(error?.detail).toContain('Approvals are required');
    expect(definition.rules).toEqual([ofSegment]);
    await stage.close();
  });

  it('is refused where changes need a title, with the reason of the provider', async () => {
    const { simulation, definition, stage } = await open();
    simulation.world.state.titles.push(environment_id);
    const { ok, error } = await stage.apply();
    expect({ ok, code: error?.code }).toEqual({ ok: false, code: 'PROVIDER_INVALID' });
    expect(error?.detail).toContain('Title and comment are required');
    expect(definition.rules).toEqual([ofSegment]);
    await stage.close();
  });

  it('is written with a token of Harness where the plan says so', async () => {
    const { tokens } = split();
    const { simulation, definition, stage } = await open({
      env: { HARNESS_TOKEN: tokens.full },
      providers: { http: { split: { auth: { header: 'x-api-key', value_env: 'HARNESS_TOKEN' } } } },
    });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(definition.rules).toHaveLength(2);
    expect(new Set(simulation.exchanges.flatMap(({ credentials }) => credentials))).toEqual(new Set(['x-api-key']));
    await stage.close();
  });
});
