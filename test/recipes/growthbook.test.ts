import { growthbook } from 'pilotfish-sandbox/growthbook';
import { expect, it } from 'vitest';
import { describeRecipe, type RecipeSuite } from '../support/describe-recipe.ts';
import { withBench } from '../support/suite/bench.ts';
import { livesOn } from '../support/suite/kept.ts';

const feature = 'new-checkout';
const description = 'shop pr-12';
const condition = '{"host":"pr-12.acme.example"}';

const op = 'growthbook.force_rule';
const suite: RecipeSuite<ReturnType<typeof growthbook>['world']> = {
  skip: {
    'untidy stringified: booleans': 'the value of a rule is a text, and true is one of them',
    'untidy default-dropped': 'every rule goes back as it was shown, and its description asks for each of these members',
  },
  simulate: growthbook,
  subject: ({ world }) => {
    world.addFeature(feature, ['dev', 'production']);
    world.addRule(feature, {
      type: 'force',
      description: 'shop pr-13',
      condition,
      value: 'true',
      allEnvironments: false,
      environments: ['dev'],
    });
    world.addRule(feature, {
      type: 'rollout',
      value: 'true',
      coverage: 0.2,
      hashAttribute: 'id',
      seed: 'autumn',
      hashVersion: 2,
      scheduleType: 'ramp',
      rampScheduleId: 'ramp_4f1',
      pendingRamp: 'detach',
      allProjects: false,
      projects: ['prj_web'],
    });
    world.addRule(feature, {
      type: 'safe-rollout',
      description: 'careful',
      controlValue: 'false',
      variationValue: 'true',
      hashAttribute: 'id',
      trackingKey: 'careful',
      safeRolloutId: 'sr_1',
      status: 'running',
    });
    const all = () => world.state.features[feature]?.rules ?? [];
    const isMine = (one: { readonly description: string }) => one.description === description;
    const others = () => all().filter((one) => !isMine(one));
    return {
      credential: 'GROWTHBOOK_API_KEY',
      params: { feature_id: feature, environment: 'dev', description, condition, value: 'true', enabled: true },
      mine: () => all().filter(isMine),
      others,
      stands: { type: 'force', condition, value: 'true', enabled: true, allEnvironments: false, environments: ['dev'] },
      edits: { value: { value: 'false', enabled: false, condition: '{}', allEnvironments: true, environments: [] } },
      changes: { value: { value: 'false', enabled: false, environment: 'production' } },
      undeclared: { scheduleRules: [{ timestamp: '2026-12-01T00:00:00Z', enabled: false }], allProjects: false, projects: ['prj_web'] },
      remove: () => Object.assign(world.state.features[feature] ?? {}, { rules: others() }),
      foreign: () => world.addRule(feature, { type: 'force', description, value: 'false' }),
      requests: { create: { method: 'POST' }, remove: { method: 'POST' } },
    };
  },
};
describeRecipe(op, suite);

it('a feature that is not there is said to be so, although that is a 400', () =>
  withBench({ op, isRecipe: true, ...suite }, async ({ apply, change, simulation }) => {
    await change({ feature_id: 'old-checkout' });
    expect(await apply()).toMatchObject({
      ok: false,
      error: { code: 'PROVIDER_NOT_FOUND', detail: expect.stringContaining('Could not find a feature with that key') },
    });
    expect(simulation.writes()).toEqual([]);
  }));

it('an environment whose changes need a review is PROVIDER_AUTH, and nothing is recorded', () =>
  withBench(
    {
      op,
      isRecipe: true,
      simulate: growthbook,
      subject: (simulation) => {
        simulation.world.state.reviewed.push('dev');
        return suite.subject(simulation);
      },
    },
    async ({ apply, ledger, subject }) => {
      expect(await apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_AUTH' } });
      expect(subject.mine()).toEqual([]);
      expect((await ledger()).records.size).toBe(0);
    },
  ));

/** A rule that says no more than it must, of a feature of this type. */
const livesAs = (valueType: 'boolean' | 'number' | 'json', value: string, stands: object) =>
  livesOn(op, growthbook, ({ world }) => {
    const { rules } = world.addFeature(feature, ['dev', 'production'], valueType);
    const theirs = valueType === 'number' ? '7' : 'true';
    world.addRule(feature, { type: 'force', description: 'shop pr-13', value: theirs, allEnvironments: true, environments: ['dev'] });
    const all = () => world.state.features[feature]?.rules ?? rules;
    return {
      credential: 'GROWTHBOOK_API_KEY',
      params: { feature_id: feature, environment: 'dev', description, value, enabled: { keep: true } },
      mine: () => all().filter((one) => one.description === description),
      others: () => all().filter((one) => one.description !== description),
      stands: { type: 'force', allEnvironments: false, environments: ['dev'], ...stands },
      edits: { environments: { allEnvironments: true, environments: [] } },
      requests: { create: { method: 'POST' }, remove: { method: 'POST' } },
    };
  });

it('a rule that somebody made one for all environments has its own again, and what it does not say is filled in', () =>
  livesAs('boolean', 'true', { condition: '', enabled: true, id: expect.stringMatching(/^fr_/) }));

it.each([
  ['boolean', 'on', 'true'],
  ['boolean', 'false', 'false'],
  ['number', '12', '12'],
  ['json', "{colour: 'blue', sizes: [1, 2]}", '{"colour":"blue","sizes":[1,2]}'],
] as const)('a %s value %s, kept as the text %s, is written once', (type, value, kept) => livesAs(type, value, { value: kept }));
