import { neon } from 'pilotfish-sandbox/neon/index';
import { expect, it } from 'vitest';
import { applied, type KeptStory, openStory, storyClock, tellKept } from '../support/kept-story.ts';

/** A branch in a project in which others have branches with like names. */
function storyOf(params: object = {}) {
  const clock = storyClock();
  const simulation = neon({ clock });
  const { world, faults } = simulation;
  faults.readyAfter(2);
  for (const name of ['pr-120', 'pr-12-old', 'pr-1']) world.addBranch(name);
  const mine = () => world.branches().filter(({ name }) => name === 'pr-12');
  const story: KeptStory = {
    clock,
    simulation,
    env: { NEON_API_KEY: simulation.tokens.full },
    lines: [{ id: 'database', adapter: 'neon', op: 'branch', project_id: world.project, name: 'pr-12', ...params }],
    mine,
    // Reads alone move a branch on to being ready.
    others: () => world.branches().flatMap(({ name, id, expires_at }) => (name === 'pr-12' ? [] : [{ name, id, expires_at }])),
  };
  return { story, world, faults };
}

it('a branch that expires is shown with the length of its life, and is made once', async () => {
  const { story } = storyOf({ expires_at: '2027-01-31T01:00:00+01:00' });
  await tellKept({
    ...story,
    edits: [() => void Object.assign(story.mine()[0] ?? {}, { expires_at: null })],
  });
});

it('a branch that stands on a later page of the list, whose cursor is at pagination.next, is made once', async () => {
  const { story, world } = storyOf({ protected: false });
  world.state.pageSize = 1;
  await tellKept({ ...story, edits: [() => void Object.assign(story.mine()[0] ?? {}, { isProtected: true })] });
});

it('a branch whose delete is sent twice, because its first answer was lost, is gone by the 422 or 404 to the second', async () => {
  for (const status of [422, 404]) {
    const { story, world, faults } = storyOf();
    const stage = await openStory(story);
    await applied(stage, 'the apply');
    if (status === 404) world.branch('pr-12')?.leaving.shift();
    const lost = faults.loseAnswer({ method: 'DELETE' });
    const watched = stage.watch();
    expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
    expect([lost.hits, watched.writes().map((one) => one.status)]).toEqual([1, [200, status]]);
    expect(story.mine()).toEqual([]);
    expect((await stage.ledger()).records.size).toBe(0);
  }
});

it('a branch that has children keeps its record when its delete is refused, and says why', async () => {
  const { story, world } = storyOf();
  const stage = await openStory(story);
  await applied(stage, 'the apply');
  world.addBranch('child', { parent: 'pr-12' });
  expect(await stage.destroy()).toMatchObject({ ok: false, error: { detail: expect.stringContaining('children') } });
  expect(story.mine()).toHaveLength(1);
  world.removeBranch('child');
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(story.mine()).toEqual([]);
});
