import { contentful } from 'pilotfish-sandbox/contentful/index';
import { expect, it } from 'vitest';
import { applied, expectLeft, expectQuiet, type KeptStory, openStory, storyClock, tellKept } from '../support/kept-story.ts';

/** An environment and the access of a key to it, in a space in which others have both. */
function storyOf() {
  const clock = storyClock();
  const simulation = contentful({ clock });
  const { world } = simulation;
  const space = world.addSpace('shop');
  world.addEnvironment('shop', 'pr-13');
  const key = world.addKey('shop', 'website', ['master', 'pr-13']);
  const environments = () => world.environments('shop');
  const links = () => (key.environments ?? []).map(({ sys }) => sys.id);
  const line = { adapter: 'contentful', space_id: 'shop' };
  const story: KeptStory = {
    clock,
    simulation,
    env: { CONTENTFUL_MANAGEMENT_TOKEN: simulation.tokens.full },
    lines: [
      { id: 'content', ...line, op: 'environment', environment_id: 'pr-12', name: 'Preview 12' },
      { id: 'access', ...line, op: 'api_key_access', api_key_id: 'website', environment_id: { from: 'content.id' } },
    ],
    mine: () => [...environments().filter(({ id }) => id === 'pr-12'), ...links().filter((id) => id === 'pr-12')],
    others: () => [environments().filter(({ id }) => id !== 'pr-12'), links().filter((id) => id !== 'pr-12'), space.aliases],
  };
  const edit = (change: object): void => void Object.assign(environments().find(({ id }) => id === 'pr-12') ?? {}, change);
  return { story, simulation, edit };
}

it('an environment that is made as queued is used once it is ready', async () => {
  const { story, edit } = storyOf();
  await tellKept({ ...story, edits: [() => edit({ name: 'renamed by hand' })] });
});

it('an environment whose create lost its answer is looked for, and nothing is sent over the one that is there', async () => {
  const { story, simulation } = storyOf();
  const stage = await openStory(story);
  const others = structuredClone(story.others());
  const create = { method: 'PUT', path: /environments\/pr-12$/ } as const;
  const lost = simulation.faults.loseAnswer(create);
  await applied(stage, 'the first apply');
  expect(lost.hits).toBe(1);
  await expectQuiet(story, stage);
  await expectLeft(story, stage, others);
});
