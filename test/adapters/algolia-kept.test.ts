import { algolia } from 'pilotfish-sandbox/algolia/index';
import { expect, it } from 'vitest';
import { applied, expectLeft, expectQuiet, type KeptStory, openStory, storyClock, tellKept } from '../support/kept-story.ts';

const name = 'products_pr-12';

/** A copy of an index, in an application in which others have indices too. */
function storyOf() {
  const clock = storyClock();
  const simulation = algolia({ clock });
  const { world } = simulation;
  for (const other of ['products', 'products_pr-13']) world.addIndex(other);
  const story: KeptStory = {
    clock,
    simulation,
    env: { ALGOLIA_API_URL: simulation.origin, ALGOLIA_APP_ID: world.appId, ALGOLIA_API_KEY: simulation.tokens.full },
    lines: [{ id: 'search', adapter: 'algolia', op: 'index', name, source_index: 'products', timeout: 60 }],
    mine: () => world.state.indices.filter((index) => index.name === name),
    others: () => world.state.indices.filter((index) => index.name !== name),
  };
  return { story, simulation, world };
}

it('a copy and a delete that are done after their answers are waited for', async () => {
  const { story, world } = storyOf();
  await tellKept({ ...story, stands: [{ records: ['a', 'b'] }], edits: [() => world.removeIndex(name)] });
});

it('a copy whose source went away just before it, whose task never ends, is given up and goes with destroy', async () => {
  const { story, simulation, world } = storyOf();
  const stop = simulation.watch(({ phase, method }) => {
    if (phase === 'before' && method === 'POST') world.removeIndex('products');
  });
  const stage = await openStory(story);
  expect(await stage.apply({ waitTimeoutMs: 200_000 })).toMatchObject({ ok: false, error: { code: 'WAIT_TIMEOUT' } });
  stop();
  expect(story.mine()).toMatchObject([{ records: [] }]);
  await expectLeft(story, stage, story.others());
});

it('on an older cluster, whose task for such a copy is done at once, it is made once and goes with destroy', async () => {
  const { story, simulation, world } = storyOf();
  world.state.isOldCluster = true;
  const stop = simulation.watch(({ phase, method }) => {
    if (phase === 'before' && method === 'POST') world.removeIndex('products');
  });
  const stage = await openStory(story);
  await applied(stage, 'the apply');
  stop();
  await expectQuiet(story, stage);
  await expectLeft(story, stage, story.others());
});
