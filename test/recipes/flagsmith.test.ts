import { flagsmith } from 'pilotfish-sandbox/flagsmith';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const project = 1204;
const name = 'pr-12';

describeRecipe('flagsmith.environment', {
  simulate: flagsmith,
  subject: ({ world }) => {
    world.addProject(project);
    world.addProject(7);
    world.addEnvironment(7, name);
    // More than a page of them, so that the line's own stands on the second one.
    for (let n = 13; n < 26; n += 1) world.addEnvironment(project, `pr-${n}`);
    const isMine = (one: { readonly project: number; readonly name: string }) => one.project === project && one.name === name;
    return {
      credential: 'FLAGSMITH_API_KEY',
      params: {
        project,
        name,
        description: 'Preview of pull request 12',
        allow_client_traits: false,
        hide_disabled_flags: true,
        hide_sensitive_data: true,
        use_identity_composite_key_for_hashing: true,
        use_identity_overrides_in_local_eval: true,
        banner_text: 'Preview',
        banner_colour: '#3d4db6',
      },
      mine: () => world.state.environments.filter(isMine),
      others: () => world.state.environments.filter((one) => !isMine(one) && one.project !== 8),
      stands: {
        project,
        name,
        description: 'Preview of pull request 12',
        allow_client_traits: false,
        hide_disabled_flags: true,
        hide_sensitive_data: true,
        use_identity_composite_key_for_hashing: true,
        use_identity_overrides_in_local_eval: true,
        banner_text: 'Preview',
        banner_colour: '#3d4db6',
      },
      edits: {
        description: { description: null },
        allow_client_traits: { allow_client_traits: true },
        hide_disabled_flags: { hide_disabled_flags: null },
        hide_sensitive_data: { hide_sensitive_data: false },
        use_identity_composite_key_for_hashing: { use_identity_composite_key_for_hashing: false },
        use_identity_overrides_in_local_eval: { use_identity_overrides_in_local_eval: false },
        banner_text: { banner_text: 'changed' },
        banner_colour: { banner_colour: '#000000' },
      },
      changes: {
        description: { description: 'Preview of pull request 12, changed' },
        allow_client_traits: { allow_client_traits: true },
        hide_disabled_flags: { hide_disabled_flags: false },
        banner_text: { banner_text: 'Preview 12' },
        banner_colour: { banner_colour: '#1f9d55' },
      },
      undeclared: { minimum_change_request_approvals: 2, metadata: [{ id: 5, model_field: 3, field_value: 'web' }] },
      remove: () => Object.assign(world.state, { environments: world.state.environments.filter((one) => !isMine(one)) }),
      foreign: () => world.addEnvironment(project, name),
      isUnique: true,
      // Two pages, and the environment itself.
      crowd: {
        fill: () => {
          world.addProject(8);
          for (let n = 30; n < 60; n += 1) world.addEnvironment(8, `pr-${n}`);
        },
        looks: 3,
      },
    };
  },
  skip: { twoMatches: 'a name is taken once in a project' },
});

/** An environment beside one whose name differs in the case of its letters alone, on the third page of the project. */
const livesHere = (then: Parameters<typeof livesOn<ReturnType<typeof flagsmith>['world']>>[3]) =>
  livesOn(
    'flagsmith.environment',
    flagsmith,
    ({ world }) => {
      world.addProject(project);
      world.addEnvironment(project, 'PR-12');
      for (let n = 13; n < 36; n += 1) world.addEnvironment(project, `pr-${n}`);
      return {
        credential: 'FLAGSMITH_API_KEY',
        params: { project, name, description: 'Preview 12' },
        mine: () => world.state.environments.filter((one) => one.name === name),
        others: () => world.state.environments.filter((one) => one.name !== name),
        stands: { name, description: 'Preview 12' },
        edits: { description: { description: null } },
      };
    },
    then,
  );

it('metadata that somebody gave outlive every change, although an update deletes what it does not send', () =>
  livesHere(async (bench, { world }) => {
    // From now on the organisation requires the field of each.
    world.state.required.push(3);
    const metadata = [{ id: 5, model_field: 3, field_value: 'web' }];
    Object.assign(bench.one() ?? {}, { metadata });
    await bench.change({ description: 'Preview 12, again' });
    await bench.applied();
    expect(bench.one()).toMatchObject({ description: 'Preview 12, again', metadata });
  }));

it('an environment on a later page is found, and one whose name differs in case alone is another', () =>
  livesHere(async (bench) => {
    await bench.applied({ recreate: ['line'] });
    expect(bench.one()).toMatchObject({ name });
  }));

it('a name is free as soon as its environment is deleted, for Flagsmith only hides it', () =>
  livesHere(async (bench, { world }) => {
    const [before] = bench.subject.mine();
    expect(await bench.destroy()).toMatchObject({ ok: true });
    expect(world.state.deleted).toEqual([before]);
    await bench.applied();
    expect(bench.one()).not.toEqual(before);
  }));

it.each(['name', 'description', 'banner_text'])(
  'a %s with outer spaces, which Flagsmith takes off, is refused before any request',
  async (param) => {
    const simulation = flagsmith();
    simulation.world.addProject(project);
    const line = { id: 'flags', recipe: 'flagsmith.environment', project, name, [param]: ` ${name} ` };
    const stage = await openStage({
      simulations: [simulation],
      env: { FLAGSMITH_API_KEY: simulation.tokens.full },
      plan: JSON.stringify({ version: 1, changes: [line] }),
    });
    await expect(stage.plan()).rejects.toThrow(`flags.${param} must match`);
    expect(simulation.log).toEqual([]);
    await stage.close();
  },
);
