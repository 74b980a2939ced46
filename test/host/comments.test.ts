import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { marked, markOf } from '../../src/host/comment-mark.ts';
import { commentsOf, upsertComment } from '../../src/host/upsert-comment.ts';
import { openScene, type Scene } from './scene.ts';

let scene: Scene;
beforeEach(() => {
  scene = openScene();
});
afterEach(() => scene.close());

const at = (minute: number): string => `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`;
const receipt = (commit: string) => ({ branch: 'pilotfish-receipts/preview/pr-12', commit: commit.repeat(40) });

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('the comment of a pull request', () => {
  it('is made once and changed in place from then on', async () => {
    expect(await scene.say('first', { endedAt: at(1) })).toBe('written');
    const [made] = scene.world.comments(12);
    expect(await scene.say('second', { endedAt: at(2) })).toBe('written');
    expect(scene.world.comments(12)).toMatchObject([{ id: made?.id, author: { login: 'github-actions[bot]' } }]);
    expect(scene.bodies()).toEqual([marked(scene.mark({ endedAt: at(2) }), 'second')]);
  });

  it('is left alone where it says the same already', async () => {
    await scene.say('first');
    const before = scene.host.log.length;
    expect(await scene.say('first')).toBe('unchanged');
    expect(scene.asked(before)).toEqual(['GET /issues/12/comments 200']);
  });

  it('is one for each environment and each plan', async () => {
    await scene.say('preview');
    await scene.say('staging', { environment: 'staging' });
    await scene.say('api', { plan: 'api' });
    await scene.say('preview again', { endedAt: at(1) });
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['preview again', 'staging', 'api']);
  });

  it('is found behind a hundred others', async () => {
    for (let n = 0; n < 150; n += 1) scene.world.comment(12, `no. ${n}`);
    await scene.say('first');
    for (let n = 0; n < 60; n += 1) scene.world.comment(12, `then no. ${n}`);
    const before = scene.host.log.length;
    await scene.say('second', { endedAt: at(1) });
    expect(scene.bodies().filter((body) => markOf(body))).toHaveLength(1);
    expect(scene.asked(before)).toEqual([
      'GET /issues/12/comments 200',
      'GET /issues/12/comments 200',
      'GET /issues/12/comments 200',
      expect.stringMatching(/^PATCH .* 200$/),
    ]);
  });

  it('is made anew once somebody deleted it, also between a look and the change', async () => {
    await scene.say('first');
    const [made] = scene.world.comments(12);
    scene.world.removeComment(made?.id ?? 0);
    await scene.say('second', { endedAt: at(1) });
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['second']);

    const stop = scene.host.watch(({ phase, method }) => {
      if (phase !== 'before' || method !== 'PATCH') return;
      stop();
      for (const { id } of scene.world.comments(12)) scene.world.removeComment(id);
    });
    await scene.say('third', { endedAt: at(2) });
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['third']);
  });

  it('keeps the word of the run that ended last, whoever comes last', async () => {
    await scene.say('of run 2', { run: 'r2', endedAt: at(2) });
    const before = scene.host.log.length;
    expect(await scene.say('of run 1', { run: 'r1', endedAt: at(1) })).toBe('newer');
    expect(scene.asked(before)).toEqual(['GET /issues/12/comments 200']);
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['of run 2']);
  });

  it('does not believe a run that ended hours from now', async () => {
    await scene.say('of a wrong clock', { endedAt: '2031-01-01T00:00:00.000Z' });
    expect(await scene.say('of a right one', { endedAt: at(1) })).toBe('written');
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['of a right one']);
  });

  it('goes on naming the last receipt of the scope when a plan takes its place', async () => {
    await scene.say('applied', { endedAt: at(1), receipt: receipt('a') });
    await scene.say('planned', { endedAt: at(2) });
    expect(scene.bodies().map(markOf)).toMatchObject([{ run: 'r1', scope: 'pr-12', receipt: receipt('a') }]);
    await scene.say('failed early', { endedAt: at(3), scope: null, run: null });
    expect(scene.bodies().map(markOf)).toMatchObject([{ run: null, scope: 'pr-12', receipt: receipt('a') }]);
    await scene.say('applied again', { endedAt: at(4), receipt: receipt('b') });
    expect(scene.bodies().map(markOf)).toMatchObject([{ receipt: receipt('b') }]);
    await scene.say('another scope', { endedAt: at(5), scope: 'other' });
    expect(scene.bodies().map(markOf)).toMatchObject([{ scope: 'other', receipt: null }]);
  });
});

describe('jobs that write at the same moment', () => {
  it.each([2, 3, 5])('%d of them end with one comment, the word of the one that ended last', async (jobs) => {
    const all = Array.from({ length: jobs }, (_, n) => scene.say(`of job ${n}`, { run: `r${n}`, endedAt: at((n * 7) % 10) }));
    await Promise.all(all);
    expect(scene.bodies()).toHaveLength(1);
    const latest = Array.from({ length: jobs }, (_, n) => n).toSorted((a, b) => ((b * 7) % 10) - ((a * 7) % 10))[0];
    expect(scene.bodies()[0]?.split('\n')[1]).toBe(`of job ${latest}`);
  });

  it.each(Array.from({ length: 25 }, (_, seed) => seed + 1))(
    'four of them end with one, however slow each answer is (seed %d)',
    async (seed) => {
      const random = seeded(seed);
      for (let n = 0; n < 60; n += 1) scene.host.faults.slow(() => random() < 0.5, Math.floor(random() * 900), 1);
      const jobs = [0, 1, 2, 3].map(async (n) => {
        await scene.clock.sleep(Math.floor(random() * 1_500));
        await scene.say(`of job ${n}`, { run: `r${n}`, endedAt: at(n) });
      });
      await Promise.all(jobs);
      expect(scene.bodies()).toHaveLength(1);
      expect(scene.bodies()[0]).toMatch(/\nof job \d$/);
    },
  );

  it('the oldest comment stays where there were two', async () => {
    const first = scene.world.comment(12, marked(scene.mark({ run: 'a', endedAt: at(1) }), 'one'), 'github-actions[bot]');
    scene.world.comment(12, marked(scene.mark({ run: 'b', endedAt: at(2) }), 'two'), 'github-actions[bot]');
    await scene.say('three', { run: 'c', endedAt: at(3) });
    expect(scene.world.comments(12)).toMatchObject([{ id: first.id, body: expect.stringContaining('\nthree') }]);
  });

  it('the oldest comment gets the newest word even where that is no word of this run', async () => {
    const first = scene.world.comment(12, marked(scene.mark({ run: 'a', endedAt: at(1) }), 'one'), 'github-actions[bot]');
    scene.world.comment(12, marked(scene.mark({ run: 'b', endedAt: at(9) }), 'nine'), 'github-actions[bot]');
    expect(await scene.say('three', { run: 'c', endedAt: at(3) })).toBe('newer');
    expect(scene.world.comments(12)).toMatchObject([{ id: first.id, body: expect.stringContaining('\nnine') }]);
  });
});

describe('whose comment it is', () => {
  const lookAlike = (by: string) => scene.world.comment(12, marked(scene.mark({ endedAt: at(59) }), 'mine, surely'), by);

  it("a person's look-alike is never taken, by no token", async () => {
    const theirs = lookAlike('mallory');
    for (const token of [scene.host.tokens.full, scene.world.tokenOf('ann'), scene.world.tokenOf('releaser[bot]')]) {
      await scene.say(`of ${token}`, { endedAt: at(1), environment: 'preview' }, token);
    }
    expect(scene.world.comments(12)[0]).toEqual(theirs);
    expect(scene.bodies()[0]).toContain('mine, surely');
    expect(scene.world.comments(12).map(({ author }) => author.login)).toEqual(['mallory', 'github-actions[bot]', 'ann']);
  });

  it('a person who pretends to be a bot by name is a person', async () => {
    lookAlike('ann');
    scene.world.comment(12, marked(scene.mark({ endedAt: at(58) }), 'no bot'), 'github-actions');
    await scene.say('ours');
    expect(scene.world.comments(12).map(({ author }) => author.login)).toEqual(['ann', 'github-actions', 'github-actions[bot]']);
  });

  it("a person's token writes one comment, and asks who that is only where it matters", async () => {
    const token = scene.world.tokenOf('ann');
    await scene.say('first', { endedAt: at(1) }, token);
    expect(scene.asked()).toEqual([
      'GET /issues/12/comments 200',
      'POST /issues/12/comments 201',
      'GET /issues/12/comments 200',
      'GET /user 200',
    ]);
    await scene.say('second', { endedAt: at(2) }, token);
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['second']);
  });

  it("another app's token goes on with its own comment, and with a job's where there is one", async () => {
    const token = scene.world.tokenOf('releaser[bot]');
    await scene.say('first', { endedAt: at(1) }, token);
    await scene.say('second', { endedAt: at(2) }, token);
    expect(scene.world.comments(12)).toMatchObject([{ author: { login: 'releaser[bot]' }, body: expect.stringContaining('\nsecond') }]);
    expect(scene.asked().some((line) => line.includes('/user'))).toBe(false);
  });

  it('a comment that the token may not change is left, and a new one is made', async () => {
    lookAlike('other[bot]');
    const refused = scene.host.faults.times(9, 'PATCH /repos/acme/shop/issues/comments/{id}', 403, {
      message: 'Resource not accessible by integration',
    });
    await scene.say('ours', { endedAt: at(59), run: 'r2' });
    refused.disarm();
    expect(scene.world.comments(12).map(({ author }) => author.login)).toEqual(['other[bot]', 'github-actions[bot]']);
    // From now on the job knows its own.
    await scene.say('ours again', { endedAt: at(59), run: 'r3' });
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['mine, surely', 'ours again']);
  });
});

describe('what the host refuses', () => {
  it('a token that may only read is told as it is', async () => {
    await expect(scene.say('first', {}, scene.host.tokens.readOnly)).rejects.toMatchObject({ code: 'PROVIDER_AUTH', status: 403 });
    expect(scene.asked()).toEqual(['GET /issues/12/comments 200', 'POST /issues/12/comments 403']);
  });

  it('a locked conversation, a pull request that is not there, a text too long', async () => {
    await expect(scene.say('x'.repeat(65_600))).rejects.toMatchObject({ code: 'PROVIDER_INVALID', status: 422 });
    scene.world.lock(12);
    await expect(scene.say('first')).rejects.toMatchObject({ status: 403 });
    scene.world.hide(12);
    await expect(scene.say('first')).rejects.toMatchObject({ status: 404 });
  });

  it('a comment that always goes away is given up', async () => {
    scene.host.faults.times(99, 'PATCH /repos/acme/shop/issues/comments/{id}', 404, { message: 'Not Found' });
    scene.world.comment(12, marked(scene.mark(), 'old'), 'github-actions[bot]');
    await expect(scene.say('new', { endedAt: at(1) })).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT' });
    expect(scene.asked()).toHaveLength(12);
  });
});

describe('answers that are lost', () => {
  it('a comment that was made, whose answer never came, is found and not made again', async () => {
    scene.host.faults.loseAnswer('POST /repos/acme/shop/issues/12/comments');
    await scene.say('first');
    expect(scene.bodies()).toHaveLength(1);
  });

  it.each([500, 502, 503])('a write that is answered %d is sent again after a look', async (status) => {
    scene.host.faults.once('POST /repos/acme/shop/issues/12/comments', status, { message: 'down' });
    await scene.say('first');
    scene.host.faults.once('PATCH /repos/acme/shop/issues/comments/{id}', status, { message: 'down' });
    await scene.say('second', { endedAt: at(1) });
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['second']);
  });

  it('a host that is down for good is told', async () => {
    scene.host.faults.times(99, 'POST /repos/acme/shop/issues/12/comments', 503, { message: 'down' });
    await expect(scene.say('first')).rejects.toMatchObject({ code: 'PROVIDER_TRANSIENT', status: 503 });
  });

  it('a change whose answer never came is sent again', async () => {
    await scene.say('first');
    scene.host.faults.loseAnswer('PATCH /repos/acme/shop/issues/comments/{id}');
    await scene.say('second', { endedAt: at(1) });
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['second']);
  });

  it('a list that lags behind makes no second comment', async () => {
    scene.host.faults.staleRead('GET /repos/acme/shop/issues/12/comments', 1, 9);
    await scene.say('first');
    expect(scene.bodies()).toHaveLength(1);
  });
});

describe('the limits of the host are waited out', () => {
  const within = async (text: string): Promise<number> => {
    const began = scene.clock.now();
    await scene.say(text);
    return scene.clock.now() - began;
  };

  it('the hour that is over soon', async () => {
    scene.world.spend(0, 40_000);
    expect(await within('first')).toBeGreaterThanOrEqual(40_000);
    expect(scene.asked()[0]).toBe('GET /issues/12/comments 403');
    expect(scene.bodies()).toHaveLength(1);
  });

  it.each([
    [403, 'retry-after', 20_000],
    [429, 'retry-after', 20_000],
    [403, 'message', 60_000],
    [429, 'message', 60_000],
  ] as const)('%d with %s', async (status, how, wait) => {
    scene.world.slowDown(20_000, how, status);
    expect(await within('first')).toBeGreaterThanOrEqual(wait);
    expect(scene.asked().filter((line) => line.endsWith(` ${status}`))).toHaveLength(1);
    expect(scene.bodies()).toHaveLength(1);
  });

  it('a limit that falls in the middle of it, at the write', async () => {
    scene.world.spend(1, 30_000);
    await scene.say('first');
    expect(scene.asked()).toEqual([
      'GET /issues/12/comments 200',
      'POST /issues/12/comments 403',
      'GET /issues/12/comments 200',
      'POST /issues/12/comments 201',
      'GET /issues/12/comments 200',
    ]);
  });

  it('whoever had to wait looks again, and leaves the word of a run that ended meanwhile', async () => {
    await scene.say('of run 0', { run: 'r0', endedAt: at(0) });
    const once = 'PATCH /repos/acme/shop/issues/comments/{id}';
    scene.host.faults.once(once, 403, { message: 'You have exceeded a secondary rate limit.' }, { 'retry-after': '30' });
    const older = scene.say('of run 1', { run: 'r1', endedAt: at(1) });
    await scene.clock.sleep(10_000);
    await scene.say('of run 2', { run: 'r2', endedAt: at(2) });
    expect(await older).toBe('newer');
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['of run 2']);
  });

  it('an hour that lasts longer than a minute is not waited for, and the failure says when it is over', async () => {
    scene.world.spend(0, 1_800_000);
    const began = scene.clock.now();
    await expect(scene.say('first')).rejects.toMatchObject({ code: 'PROVIDER_TRANSIENT', fix: expect.stringContaining('Wait 1800 s') });
    expect(scene.clock.now() - began).toBeLessThan(1_000);
    expect(scene.asked()).toEqual(['GET /issues/12/comments 403']);
  });

  it('the wait ends with whoever waits', async () => {
    scene.world.slowDown(50_000);
    const giveUp = new AbortController();
    const { client, host, env } = scene.clientOf(scene.host.tokens.full);
    const began = scene.clock.now();
    void scene.clock.sleep(2_000).then(() => giveUp.abort(new Error('two seconds are over')));
    const writing = upsertComment(commentsOf(client, host, 12, env), { mark: scene.mark(), text: 'first' }, giveUp.signal);
    await expect(writing).rejects.toThrow('two seconds are over');
    expect(scene.clock.now() - began).toBeLessThan(3_000);
  });
});
