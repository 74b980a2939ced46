import { cockroachdb } from 'pilotfish-sandbox/cockroachdb';
import { expect, it } from 'vitest';
import { type KeptStory, openStory, storyClock, tellKept } from '../support/kept-story.ts';

const cluster_id = '1a9f3c52-77d0-4d2e-9a5e-3c0d5b8f6e21';

/** A user of a cluster in which others have users too. */
function storyOf() {
  const clock = storyClock();
  const simulation = cockroachdb({ clock });
  const { users } = simulation.world.addCluster(cluster_id);
  for (const name of ['shop_pr_1', 'shop_pr_120']) users[name] = { name, password: `${name}-and-secret` };
  const story: KeptStory = {
    clock,
    simulation,
    env: { COCKROACH_API_KEY: simulation.tokens.full, PASSWORD: 'pr-12-hunter2-hunter2', NEXT: 'pr-12-hunter3-hunter3' },
    lines: [{ id: 'user', recipe: 'cockroachdb.sql_user', cluster_id, name: 'Shop_PR_12', password: { secret: 'env://PASSWORD' } }],
    mine: () => Object.values(users).filter(({ name }) => name === 'shop_pr_12'),
    others: () => Object.values(users).filter(({ name }) => name !== 'shop_pr_12'),
  };
  return { story, users, simulation };
}

it('a user whose name is kept in lower case, and whose password nobody sees, is made once', async () => {
  const { story, users } = storyOf();
  await tellKept({
    ...story,
    stands: [{ name: 'shop_pr_12', password: 'pr-12-hunter2-hunter2' }],
    edits: [() => void delete users.shop_pr_12],
  });
});

it('a user whose name somebody has in lower case is refused as foreign, and stays', async () => {
  const { story, users } = storyOf();
  users.shop_pr_12 = { name: 'shop_pr_12', password: 'theirs-and-secret' };
  const stage = await openStory(story);
  const { ok, error } = await stage.apply();
  expect([ok, ['RESOURCE_FOREIGN', 'PROVIDER_CONFLICT'].includes(error?.code ?? '')], JSON.stringify(error)).toEqual([false, true]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(users.shop_pr_12).toEqual({ name: 'shop_pr_12', password: 'theirs-and-secret' });
});

it('a user in lower case whose create lost its answer is claimed and goes with destroy', async () => {
  const { story, simulation } = storyOf();
  const lost = simulation.faults.loseAnswer({ method: 'POST' });
  await tellKept(story);
  expect(lost.hits).toBe(1);
});
