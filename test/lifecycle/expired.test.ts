import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { type CommentMark, marked } from '../../src/host/comment-mark.ts';
import { days, openLives, sweep, told, withLifetime } from './lives.ts';
import { branch, noToken, type Pulls, shaB } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  await pulls.close();
});

const names = (): readonly string[] => pulls.records().map(({ name }) => name.replace('.acme.example', ''));
const over = /^pr-12 destroyed: it was not applied, and its time was over/;

/** An open pull request whose preview was applied, and this many days after that. */
async function afterDays(time: number, ...open: Parameters<typeof openLives>): Promise<void> {
  pulls = await openLives(...open);
  expect((await pulls.onPull('opened')).status).toBe('complete');
  await pulls.clock.sleep(time * days);
}

describe('a scope that nobody applied for longer than its lifetime', () => {
  it('goes with --expired, and the next push makes it again', async () => {
    await afterDays(14.1);
    expect(told(await sweep(pulls, { isExpired: false }))).toEqual(['pr-12 kept: the pull request 12 is open']);
    expect(names()).toEqual(['pr-12']);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(over)]);
    expect(names()).toEqual([]);
    expect((await pulls.ledger()).history.at(-1)).toMatchObject({ pr: 12, pull: 'open', outcome: 'destroyed: complete' });
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(/^pr-12 gone/)]);
    pulls.pulls.world.push(12, shaB);
    expect((await pulls.onPull('synchronize')).status).toBe('complete');
    expect(names()).toEqual(['pr-12']);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(/^pr-12 kept: .*it goes on/)]);
  });

  it('does not come back by a deployment', async () => {
    await afterDays(15);
    await sweep(pulls);
    expect((await pulls.onDeployment(pulls.pulls.world.pull(12).head)).status).toBe('stale');
    expect(names()).toEqual([]);
  });

  it('stays until its time is over, and each apply renews it', async () => {
    await afterDays(13.9);
    expect((await sweep(pulls)).scopes).toMatchObject([
      {
        outcome: 'kept',
        why: expect.stringContaining('it goes on 5 Dec 2026 unless it is applied again'),
        lifetime: { label: 'keep-preview' },
      },
    ]);
    await pulls.onPull('reopened');
    await pulls.clock.sleep(13 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('pr-12 kept')]);
    await pulls.clock.sleep(1.1 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(over)]);
  });

  it.each([-40, -3, 3, 40])('goes neither early nor late by a runner whose clock is %i days off', async (off) => {
    await afterDays(13.9, '{ idle: 14d }', { runnersAhead: off * days, providersAhead: 11 * days });
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('pr-12 kept')]);
    await pulls.clock.sleep(0.2 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(over)]);
  });

  it('stays where its plan says nothing any more, and where its last apply told no end', async () => {
    await afterDays(15);
    await pulls.write(planOf(lines.dns));
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('it does not expire: the plan has no `lifetime.idle`')]);
    await pulls.write(withLifetime('{ idle: 1d }'));
    await pulls.onPull('reopened', { env: noToken });
    await pulls.clock.sleep(30 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('its last apply stored no end')]);
    expect(names()).toEqual(['pr-12']);
  });

  it('goes no earlier than its last apply said, whatever the plan says by now', async () => {
    await afterDays(10);
    await pulls.write(withLifetime('{ idle: 2d }'));
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('pr-12 kept')]);
    await pulls.write(withLifetime('{ idle: 30d }'));
    await pulls.clock.sleep(10 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('pr-12 kept')]);
  });

  it('is only told by a plan, which writes nothing', async () => {
    await afterDays(15);
    const [commits, { writes }] = [pulls.remote.commits.length, pulls.watch()];
    const doc = await sweep(pulls, { isPlan: true });
    expect(doc).toMatchObject({ command: 'plan', mode: 'closed', ok: true, summary: { 'would destroy': 1 } });
    pulls.pulls.world.close(12);
    expect((await sweep(pulls, { isPlan: true, isExpired: false })).scopes).toMatchObject([
      { outcome: 'would destroy', why: 'the pull request 12 is closed' },
    ]);
    expect([pulls.remote.commits.length, writes(), names()]).toEqual([commits, [], ['pr-12']]);
  });
});

describe('a label that keeps a scope', () => {
  it('is believed until it is taken away', async () => {
    await afterDays(20);
    pulls.pulls.world.label(12, ['keep-preview']);
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('its label keep-preview keeps it')]);
    pulls.pulls.world.label(12, []);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(over)]);
  });

  it('that was set in the last minute counts: after the list, and under the lease', async () => {
    await afterDays(20);
    for (const answers of [1, 2]) {
      pulls.pulls.world.label(12, []);
      let asked = 0;
      const off = pulls.pulls.watch(({ phase }) => {
        if (phase === 'after' && ++asked === answers) pulls.pulls.world.label(12, ['keep-preview']);
      });
      const doc = await sweep(pulls);
      off();
      expect(told(doc)).toEqual([expect.stringMatching(/^pr-12 kept: .*has the label keep-preview, which keeps it/)]);
      expect(names()).toEqual(['pr-12']);
    }
  });

  it.each([401, 404, 500])('that cannot be read, because the host answers %i, means keep', async (status) => {
    await afterDays(20);
    pulls.pulls.faults.times(20, 'GET /repos/{o}/{r}/pulls/{n}', status, { message: 'no' });
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('it is not known whether a label keeps it')]);
    expect(names()).toEqual(['pr-12']);
    pulls.pulls.faults.clear();
  });
});

describe('a scope in use while the sweep runs', () => {
  const applyAt = async (isTime: (event: RunEvent) => boolean) => {
    const applies: Promise<unknown>[] = [];
    const listen = (event: RunEvent): void => {
      if (applies.length === 0 && isTime(event)) applies.push(pulls.onPull('reopened'));
    };
    const doc = await sweep(pulls, {}, { listen });
    expect(applies).toHaveLength(1);
    await Promise.all(applies);
    return doc;
  };

  it('stays: an apply that ended between the look and the destroy', async () => {
    await afterDays(20);
    let asked = 0;
    const off = pulls.pulls.watch(async ({ phase }) => {
      if (phase === 'after' && ++asked === 2) await pulls.onPull('reopened');
    });
    const doc = await sweep(pulls);
    off();
    expect(told(doc)).toEqual([expect.stringMatching(/^pr-12 kept: .*another run wrote to it since the sweep looked/)]);
    expect(names()).toEqual(['pr-12']);
  });

  it('stays: an apply that begins with the destroy', async () => {
    await afterDays(20);
    await applyAt(({ type }) => type === 'lines');
    await pulls.clock.sleep(days);
    const doc = await sweep(pulls);
    // Whichever came first, the end is the same: the apply that was asked for has its preview.
    expect(told(doc)).toEqual([expect.stringMatching(/^pr-12 kept: .*it goes on/)]);
    expect(names()).toEqual(['pr-12']);
  });

  /** A run took the lease and has written nothing else yet. */
  const hold = async (renewal: number): Promise<void> => {
    const store = pulls.store();
    const lease = JSON.stringify({ v: 1, holder: 'x', run: 'r', durationMs: 3000, deadlineMs: 300, renewal, released: null, at: '' });
    await store.append(branch, new Map([['lease.json', lease]]), await store.head(branch), 'a run');
  };

  it('stays: a run holds its lease and renews it', async () => {
    await afterDays(20);
    await hold(1);
    const sleep = pulls.clock.sleep.bind(pulls.clock);
    let renewals = 1;
    // The holder renews its lease while the sweep waits, and then ends as a run that wrote its history.
    pulls.clock.sleep = async (...given) => {
      pulls.clock.sleep = renewals < 3 ? pulls.clock.sleep : sleep;
      if (renewals < 3) await hold(++renewals);
      else await pulls.onPull('reopened');
      await sleep(...given);
    };
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(/^pr-12 kept: .*another run wrote to it since the sweep looked/)]);
    expect(names()).toEqual(['pr-12']);
  });

  it('goes all the same where a runner died with its lease', async () => {
    await afterDays(20);
    await hold(1);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(over)]);
    expect(names()).toEqual([]);
  });
});

describe('a scope without a pull request', () => {
  const ann = { scope: 'ann', env: { GITHUB_REPOSITORY: 'acme/shop' } };

  it('goes only where the plan says how long others stay', async () => {
    pulls = await openLives('{ idle: 14d }');
    await pulls.apply(ann);
    await pulls.clock.sleep(400 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(/^ann kept: .*no `lifetime.others`/)]);
    await pulls.write(withLifetime('{ others: 30d }'));
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(/^ann kept: .*its last apply stored no end/)]);
    await pulls.apply(ann);
    await pulls.clock.sleep(29 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(/^ann kept: .*it goes on/)]);
    await pulls.clock.sleep(2 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(/^ann destroyed: no pull request has it/)]);
    expect(names()).toEqual([]);
  });
});

describe('the comment of a preview', () => {
  const bodies = (): readonly string[] => pulls.pulls.world.comments(12).map(({ body }) => body);
  const mark = (scope = 'pr-12'): CommentMark => ({
    environment: 'preview',
    plan: null,
    scope,
    run: 'r',
    endedAt: '2026-11-21T00:00:00.000Z',
    receipt: null,
  });
  const commented = async (time: number, body = marked(mark(), 'the report')): Promise<void> => {
    await afterDays(time);
    pulls.pulls.world.comment(12, body, 'github-actions[bot]');
  };

  it('warns two days before, once, and tells when the preview went', async () => {
    await commented(11.9);
    await sweep(pulls);
    expect(bodies()).toEqual([marked(mark(), 'the report')]);
    await pulls.clock.sleep(0.2 * days);
    await sweep(pulls);
    const warned = `> ⏳ **This preview goes on 5 Dec 2026** unless it is applied again. The label \`keep-preview\` keeps it.\n\nthe report`;
    expect(bodies()).toEqual([marked(mark(), warned)]);
    const { writes } = pulls.watch();
    for (let hour = 0; hour < 3; hour += 1) {
      await pulls.clock.sleep(3_600_000);
      await sweep(pulls);
    }
    expect(writes()).toEqual([]);
    await pulls.clock.sleep(2 * days);
    await sweep(pulls);
    expect(bodies()).toEqual([
      marked(mark(), '> ⏳ **This preview is gone**: its time was over on 5 Dec 2026. The next push makes it again.\n\nthe report'),
    ]);
  });

  it('is left alone where it is of another scope or of a person, and nothing is written where there is none', async () => {
    await commented(12.1, marked(mark('pr-99'), 'the report'));
    pulls.pulls.world.comment(12, marked(mark(), 'mine'), 'mallory');
    const [before, { writes }] = [bodies(), pulls.watch()];
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('it goes on')]);
    expect([bodies(), writes()]).toEqual([before, []]);
  });

  it.each([403, 500])('that cannot be written, because the host answers %i, changes nothing else', async (status) => {
    await commented(12.1);
    pulls.pulls.faults.times(20, 'PATCH /repos/{o}/{r}/issues/comments/{id}', status, { message: 'no' });
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('it goes on')]);
    await pulls.clock.sleep(2.1 * days);
    expect(told(await sweep(pulls))).toEqual([expect.stringMatching(over)]);
    pulls.pulls.faults.clear();
  });
});
