import { statsig } from 'pilotfish-sandbox/statsig';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const gate_id = 'new_checkout';
const name = 'shop pr-12';
const host = { type: 'custom_field', field: 'host', operator: 'any', targetValue: ['pr-12.acme.example'] };
const staff = { type: 'email', operator: 'str_contains_any', targetValue: ['@acme.example'] };

/** As the service keeps a condition: a list of one value is that value. */
const alone = <T extends { readonly targetValue: readonly unknown[] }>(one: T) => ({ ...one, targetValue: one.targetValue[0] });

describeRecipe('statsig.gate_rule', {
  simulate: statsig,
  subject: ({ world }) => {
    world.addGate(gate_id);
    world.addGate('other_gate');
    world.addRule(gate_id, { name: 'shop pr-13', passPercentage: 100, conditions: [host] });
    world.addRule('other_gate', { name, passPercentage: 100, conditions: [host] });
    const rules = world.rules(gate_id);
    return {
      credential: 'STATSIG_CONSOLE_KEY',
      params: { gate_id, name, pass_percentage: 50, conditions: [host, staff], rule_environments: ['development', 'staging'] },
      mine: () => rules.filter((one) => one.name === name),
      others: () => [rules.filter((one) => one.name !== name), world.rules('other_gate')],
      stands: { name, passPercentage: 50, conditions: [host, staff].map(alone), environments: ['development', 'staging'] },
      edits: {
        passPercentage: { passPercentage: 100 },
        conditions: { conditions: [{ ...host, targetValue: ['*'] }] },
        environments: { environments: null },
      },
      changes: {
        passPercentage: { pass_percentage: 12.25 },
        conditions: { conditions: [{ ...host, targetValue: ['pr-12b.acme.example'] }] },
        environments: { rule_environments: ['development'] },
      },
      same: {
        conditions: { conditions: [staff, host].map((one) => ({ customID: null, field: null, ...alone(one) })) },
        environments: { environments: ['staging', 'development'] },
      },
      undeclared: { returnValue: { theirs: true } },
      remove: () => {
        const at = rules.findIndex((one) => one.name === name);
        if (at >= 0) rules.splice(at, 1);
      },
      foreign: () => world.addRule(gate_id, { name }),
    };
  },
});

it('every request says the version of the API, and a line without environments leaves them as they are', async () => {
  const simulation = statsig();
  simulation.world.addGate(gate_id);
  const stage = await openStage({
    simulations: [simulation],
    env: { STATSIG_CONSOLE_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'on', recipe: 'flags_f.gate_rule', gate_id, name, conditions: [host] }] }),
  });
  await stage.apply();
  const [rule] = simulation.world.rules(gate_id);
  expect(rule).toMatchObject({ passPercentage: 100, environments: null });
  Object.assign(rule ?? {}, { environments: ['staging'], passPercentage: 10 });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(simulation.world.rules(gate_id)).toMatchObject([{ passPercentage: 100, environments: ['staging'] }]);
  await stage.destroy();
  expect(simulation.world.rules(gate_id)).toEqual([]);
  const versions = simulation.exchanges.map(({ headers }) => headers['statsig-api-version']);
  expect(new Set(versions)).toEqual(new Set(['20240601']));
  await stage.close();
});

it.each([
  ['a list of one text', ['pr-12.acme.example'], 'pr-12.acme.example'],
  ['one text', 'pr-12.acme.example', 'pr-12.acme.example'],
  ['a list of one number', [12], 12],
  ['one number', 12, 12],
  ['a list of texts', ['a', 'b'], ['a', 'b']],
])('%s as the target of a condition is written once, however Statsig keeps it', (_, targetValue, kept) =>
  livesOn('statsig.gate_rule', statsig, ({ world }) => {
    world.addGate(gate_id);
    world.addRule(gate_id, { name: 'shop pr-13', passPercentage: 100, conditions: [host] });
    const rules = world.rules(gate_id);
    return {
      credential: 'STATSIG_CONSOLE_KEY',
      params: { gate_id, name, conditions: [{ ...host, targetValue }] },
      mine: () => rules.filter((one) => one.name === name),
      others: () => rules.filter((one) => one.name !== name),
      stands: { conditions: [{ ...host, targetValue: kept }] },
      edits: { conditions: { conditions: [{ ...host, targetValue: '*' }] } },
    };
  }),
);
