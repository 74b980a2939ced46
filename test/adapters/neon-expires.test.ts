import { neon } from 'pilotfish-sandbox/neon/index';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { applied, expectQuiet, type KeptStory, longRun, openStory, planOf, storyClock, tellKept } from '../support/kept-story.ts';
import { openStage, type Stage } from '../support/stage.ts';

const day = 86_400_000;

function storyOf(params: object = { expires: '14d' }) {
  const clock = storyClock();
  const simulation = neon({ clock });
  const { world } = simulation;
  world.addBranch('pr-120');
  const story: KeptStory = {
    clock,
    simulation,
    env: { NEON_API_KEY: simulation.tokens.full },
    lines: [{ id: 'database', adapter: 'neon', op: 'branch', project_id: world.project, name: 'pr-12', ...params }],
    mine: () => world.branches().filter(({ name }) => name === 'pr-12'),
    others: () => world.branches().flatMap(({ name, id }) => (name === 'pr-12' ? [] : [{ name, id }])),
  };
  /** Days that the branch has left, by the provider's clock. */
  const left = (): number => {
    const branch = world.branch('pr-12');
    return (Date.parse(branch?.expires_at ?? '') - (simulation.log.at(-1)?.at ?? 0)) / day;
  };
  return { story, world, clock, left };
}

describe('a branch that expires', () => {
  it('is made once, and its end is drift only where somebody else changed it', async () => {
    const { story, left } = storyOf();
    const mine = () => story.mine()[0] as { expires_at: string | null };
    await tellKept({
      ...story,
      edits: [
        () => void Object.assign(mine(), { expires_at: null }),
        () => void Object.assign(mine(), { expires_at: '2027-03-01T00:00:00.000Z' }),
      ],
    });
    expect(left()).toBeNaN();
  });

  it('is renewed by an update that the plan shows once less than half is left, and not before', async () => {
    const { story, clock, left } = storyOf();
    const stage = await openStory(story);
    await applied(stage, 'the apply');
    await clock.sleep(6.9 * day);
    await expectQuiet(story, stage);
    await clock.sleep(0.6 * day);
    const plan = await stage.plan(longRun);
    expect(plan.lines).toMatchObject([
      {
        verdict: 'update',
        drift: 'none',
        why: 'its end comes near, and is renewed',
        changes: [{ field: 'expires', before: { value: '6 d left' }, after: { value: '14d' }, worn: true }],
      },
    ]);
    const { writes } = stage.watch();
    await applied(stage, 'the renewal');
    expect(writes().map(({ method }) => method)).toEqual(['PATCH']);
    expect(left()).toBeCloseTo(14, 3);
    await expectQuiet(story, stage);
  });

  it('is renewed although the line only tells drift', async () => {
    const { story, clock, left } = storyOf({ expires: '14d', drift: 'report' });
    const stage = await openStory(story);
    await applied(stage, 'the apply');
    await clock.sleep(8 * day);
    await applied(stage, 'the renewal');
    expect(left()).toBeCloseTo(14, 3);
  });

  it('has one digest for as long as the same would be sent, whatever is left', async () => {
    const { story, clock } = storyOf();
    const stage = await openStory(story);
    await applied(stage, 'the apply');
    const digest = async () => (await stage.plan(longRun)).digest;
    const first = await digest();
    await clock.sleep(3 * day);
    expect(await digest()).toBe(first);
    await clock.sleep(5 * day);
    const due = await digest();
    await clock.sleep(3 * day);
    expect([await digest(), due === first]).toEqual([due, false]);
    expect(await stage.apply({ ...longRun, expect: due })).toMatchObject({ status: 'complete' });
  });

  it('ends by itself if no job ever runs again, is made again by an apply, and a destroy finds it gone', async () => {
    for (const drift of ['put-back', 'report']) {
      const { story, clock, world } = storyOf({ expires: '14d', drift });
      const stage = await openStory(story);
      await applied(stage, 'the apply');
      await clock.sleep(15 * day);
      expect([world.branches().map(({ name }) => name), story.mine()]).toEqual([['main', 'pr-120'], []]);
      expect((await stage.plan(longRun)).lines).toMatchObject([
        { verdict: 'create', drift: 'none', why: 'its provider ended it by itself, as the plan says' },
      ]);
      await applied(stage, 'the apply after the end');
      expect(story.mine()).toHaveLength(1);
      await clock.sleep(15 * day);
      expect(await stage.destroy(longRun)).toMatchObject({ ok: true, status: 'complete' });
      expect((await stage.ledger()).records.size).toBe(0);
    }
  });

  it('that somebody else deleted before its end is drift', async () => {
    const { story, world, clock } = storyOf();
    const stage = await openStory(story);
    await applied(stage, 'the apply');
    await clock.sleep(3 * day);
    world.removeBranch('pr-12');
    expect((await stage.plan(longRun)).lines).toMatchObject([{ verdict: 'create', drift: 'missing', why: 'it was recorded and is gone' }]);
  });

  it('takes another span at once', async () => {
    const { story, left } = storyOf();
    const stage = await openStory(story);
    await applied(stage, 'the apply');
    await stage.write(planOf(story.lines.map((line) => ({ ...line, expires: '36h' }))));
    expect((await stage.plan(longRun)).lines).toMatchObject([{ verdict: 'update', drift: 'none', why: 'the plan changed' }]);
    await applied(stage, 'the shorter span');
    expect(left()).toBeCloseTo(1.5, 3);
  });

  it('at a provider that forgets its end is told like a field that is not kept, and asked for no more', async () => {
    const { story, world } = storyOf();
    world.state.forgetsExpiry = true;
    const stage = await openStory(story);
    const first = await applied(stage, 'the apply');
    expect(first.lines[0]?.notes).toEqual(['Neon did not keep `expires`: the branch has no end.']);
    for (const sent of [['PATCH', 'PATCH'], []]) {
      const { writes } = stage.watch();
      const doc = await stage.apply(longRun);
      expect(doc.lines).toMatchObject([{ error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('does not keep expires') } }]);
      expect(writes().map(({ method }) => method)).toEqual(sent);
    }
    expect(story.mine()).toHaveLength(1);
  });
});

it.each([-40 * day, 40 * day])('a runner whose clock is %i ms off renews nothing early and nothing late', async (ms) => {
  const { story, clock, left } = storyOf();
  const runner: Clock = { now: () => clock.now() + ms, mono: () => clock.mono(), sleep: (time, signal) => clock.sleep(time, signal) };
  const stage: Stage = await openStage({
    simulations: [story.simulation],
    clock: runner,
    env: { PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '120000', ...story.env },
    plan: planOf(story.lines),
  });
  await applied(stage, 'the apply');
  expect(left()).toBeCloseTo(14, 3);
  await clock.sleep(6 * day);
  await expectQuiet(story, stage);
  await clock.sleep(2 * day);
  await applied(stage, 'the renewal');
  expect(left()).toBeCloseTo(14, 3);
  await stage.close();
});

it.each([
  ['31d', {}, '`expires` is 31d. Neon takes 1h to 30d'],
  ['0d', {}, '`expires` is 0d. Neon takes 1h to 30d'],
  ['14', {}, '`expires` is 14. Neon takes 1h to 30d'],
  ['14d', { expires_at: '2027-01-31T00:00:00Z' }, '`expires_at` both say'],
])('an end of %s is a mistake in the plan', async (expires, more, detail) => {
  const { story } = storyOf({ expires, ...more });
  const stage = await openStory(story);
  await expect(stage.plan()).rejects.toMatchObject({
    failures: [{ code: 'PARAM_INVALID', detail: expect.stringContaining(detail), place: { line: 1 } }],
  });
});
