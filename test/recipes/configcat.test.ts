import { configcat } from 'pilotfish-sandbox/configcat';
import { expect, it } from 'vitest';
import { describeRecipe, type RecipeSuite } from '../support/describe-recipe.ts';
import { withBench } from '../support/suite/bench.ts';

const back = 'every rule goes back as it was shown, and without its value none is taken';

const environment_id = '08d86d63-2726-47cd-8bfc-59608ecb91e2';
const host = 'pr-12.acme.example';
const rule = (...matches: string[]) => ({
  conditions: [
    {
      userCondition: {
        comparisonAttribute: 'Host',
        comparator: 'isOneOf',
        comparisonValue: { stringValue: null, doubleValue: null, listValue: matches.map((value) => ({ value, hint: null })) },
      },
    },
  ],
  percentageOptions: null,
  value: { boolValue: true },
});

const op = 'configcat.targeting_rule';
const suite: RecipeSuite<ReturnType<typeof configcat>['world']> = {
  skip: { 'untidy silently-dropped': back, 'untidy shown-otherwise': back },
  simulate: configcat,
  subject: ({ world, tokens }) => {
    const flag = world.addFlag(environment_id, 1523, { percentageEvaluationAttribute: 'Country' });
    const segment = { segmentId: '08d86d63-0000-4000-8000-0000000000aa', comparator: 'isIn' };
    const options = [30, 70].map((percentage, i) => ({ percentage, value: { boolValue: i === 0 } }));
    flag.targetingRules.push(
      rule('pr-13.acme.example'),
      rule('shop.acme.example', host),
      { conditions: [{ segmentCondition: segment }], value: { boolValue: true } },
      { conditions: [], percentageOptions: options },
    );
    const nameOf = (one: unknown) => /"listValue":\[{"value":"([^"]+)"/.exec(JSON.stringify(one))?.[1];
    const others = () => flag.targetingRules.filter((one) => nameOf(one) !== host);
    return {
      credential: (tier) => ({ CONFIGCAT_API_USER: world.user, CONFIGCAT_API_PASS: tokens[tier] }),
      params: { environment_id, setting_id: '1523', attribute: 'Host', match: host },
      mine: () => flag.targetingRules.filter((one) => nameOf(one) === host),
      others: () => ({ default: flag.defaultValue, by: flag.percentageEvaluationAttribute, rules: others() }),
      stands: {
        conditions: [
          { userCondition: { comparisonAttribute: 'Host', comparator: 'isOneOf', comparisonValue: { listValue: [{ value: host }] } } },
        ],
        value: { boolValue: true },
      },
      edits: { value: { value: { boolValue: false } } },
      changes: { value: { serve: false, comparator: 'sensitiveIsOneOf', attribute: 'Hostname' } },
      undeclared: { percentageOptions: [] },
      remove: () => Object.assign(flag, { targetingRules: others() }),
      fill: () => Object.assign(world.state.ruleLimit, { count: flag.targetingRules.length }),
      untell: () => Object.assign(world.state.ruleLimit, { isTold: false }),
      foreign: () => flag.targetingRules.push({ ...rule(host), value: { boolValue: false } }),
      requests: { create: { method: 'PUT' }, remove: { method: 'PUT' } },
    };
  },
};
describeRecipe(op, suite);

it('an environment that demands a reason gets one', () =>
  withBench(
    {
      op,
      isRecipe: true,
      simulate: configcat,
      subject: (simulation) => {
        simulation.world.state.reasonRequired.push(environment_id);
        return suite.subject(simulation);
      },
    },
    async ({ applied, destroy, subject }) => {
      await applied();
      expect(subject.mine()).toHaveLength(1);
      expect(await destroy()).toMatchObject({ ok: true });
      expect(subject.mine()).toEqual([]);
    },
  ));

it('a flag that serves texts is refused before any write', () =>
  withBench(
    {
      op,
      isRecipe: true,
      simulate: configcat,
      subject: (simulation) => {
        simulation.world.addFlag(environment_id, 1524, { settingType: 'string', defaultValue: { stringValue: 'a' } });
        return suite.subject(simulation);
      },
    },
    async ({ apply, change, planned, simulation }) => {
      await change({ setting_id: '1524' });
      const refusal = { code: 'PARAM_INVALID', fix: expect.stringContaining('boolean flag') };
      expect(await planned()).toMatchObject({ error: refusal });
      expect(await apply()).toMatchObject({ ok: false, error: refusal });
      expect(simulation.writes()).toEqual([]);
    },
  ));

it('a condition that somebody added to the rule is drift and is taken out again', () =>
  withBench({ op, isRecipe: true, ...suite }, async ({ applied, planned, subject }) => {
    await applied();
    const [mine] = subject.mine() as [{ conditions: unknown[] }];
    mine.conditions.push({ segmentCondition: { segmentId: '08d86d63-0000-4000-8000-0000000000aa', comparator: 'isNotIn' } });
    expect(await planned()).toMatchObject({ verdict: 'update', drift: 'changed' });
    await applied();
    expect(subject.mine()).toMatchObject([{ conditions: [{}] }]);
    expect(await planned()).toMatchObject({ verdict: 'none' });
  }));
