import { afterEach, describe, expect, it } from 'vitest';
import { days, openLives, sweep, told } from '../lifecycle/lives.ts';
import { branch, type Pulls } from '../lifecycle/pulls.ts';
import { Forger, type Tree } from './forger.ts';

/* Anybody who can push to the receipts branches wants a sweep to take the objects of a pull request that is in use. */

let pulls: Pulls;
let forger: Forger;
afterEach(async () => {
  pulls.verify();
  await pulls.close();
});

const stands = (): boolean => pulls.records().some(({ name }) => name.startsWith('pr-12'));
type Entry = { run: string; renewed: { at: string; staysMs: number; label?: string; seals?: object } };

/** An open pull request with a preview of today, and one of twenty days ago in its history. */
async function inUse(): Promise<void> {
  pulls = await openLives();
  forger = new Forger(pulls.remote);
  await pulls.onPull('opened');
  await pulls.clock.sleep(20 * days);
  await pulls.onPull('reopened');
}

/** The history as text, with its lines changed. */
const withHistory =
  (change: (lines: Entry[]) => Entry[]) =>
  (files: Tree): void => {
    const lines = (files.get('history.jsonl') ?? '').split('\n').filter((line) => line !== '');
    const changed = change(lines.map((line) => JSON.parse(line) as Entry));
    files.set('history.jsonl', changed.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  };
const ofLast = (change: (renewed: Entry['renewed']) => object) =>
  withHistory((lines) => lines.map((entry, i) => (i < lines.length - 1 ? entry : { ...entry, renewed: change(entry.renewed) as never })));
const old = '2026-11-01T00:00:00.000Z';

const forgeries: { readonly [name: string]: (files: Tree) => void } = {
  'an older date': ofLast((renewed) => ({ ...renewed, at: old })),
  'a shorter span': ofLast((renewed) => ({ ...renewed, staysMs: 1 })),
  'an older date without codes': ofLast(({ seals: _, ...renewed }) => ({ ...renewed, at: old })),
  'the codes of an older line': withHistory(([first, last]) => [first, { ...last, renewed: first?.renewed }] as Entry[]),
  'no newer line': withHistory(([first]) => [first] as Entry[]),
  'an older line once more': withHistory(([first, last]) => [last, first] as Entry[]),
  'another line after the last': withHistory((lines) => [...lines, { ...lines[0], run: 'forged' } as Entry]),
  'no end': ofLast(() => undefined as never),
  'no history': (files) => void files.delete('history.jsonl'),
  'an end that is no moment': ofLast((renewed) => ({ ...renewed, staysMs: 1e300 })),
};

describe('a forged end of a scope in use takes nothing', () => {
  it.each(Object.entries(forgeries))('%s', async (_, forge) => {
    await inUse();
    await forger.push(branch, forge);
    for (const wait of [0, 60]) {
      await pulls.clock.sleep(wait * days);
      // After sixty days the scope would be over, and nobody can tell by this ledger.
      const [line] = told(await sweep(pulls));
      expect(line).toMatch(/^pr-12 kept: .*(does not expire|it goes on)/);
      expect(stands()).toBe(true);
    }
  });

  it('an older commit, put on top as it was', async () => {
    pulls = await openLives();
    forger = new Forger(pulls.remote);
    await pulls.onPull('opened');
    const then = new Map(pulls.remote.filesOf(branch));
    await pulls.clock.sleep(20 * days);
    await pulls.onPull('reopened');
    await forger.push(branch, (files) => {
      files.clear();
      for (const [path, text] of then) files.set(path, text);
    });
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('no credential of this run sealed its end')]);
    expect(stands()).toBe(true);
  });

  it('the branch, moved back by force, as the code host remembers', async () => {
    pulls = await openLives();
    await pulls.onPull('opened');
    const then = pulls.remote.branches.get(branch)?.head ?? '';
    await pulls.clock.sleep(20 * days);
    await pulls.onPull('reopened');
    const now = pulls.remote.branches.get(branch)?.head ?? '';
    pulls.remote.force(branch, then);
    pulls.pulls.world.happened({ ref: `refs/heads/${branch}`, before: now, after: then, type: 'force_push' });
    expect(told(await sweep(pulls))).toEqual([expect.stringContaining('moved its receipts branch by force')]);
    expect(stands()).toBe(true);
  });

  it('a line of another scope', async () => {
    await inUse();
    pulls.pulls.world.open(13, 'c'.repeat(40), 'other');
    const theirs = pulls.remote.filesOf(branch).get('history.jsonl') ?? '';
    await pulls.apply(pulls.asked(await pulls.pullEvent('opened', {}, 13), { pr: 13 }));
    await forger.push('pilotfish-receipts/preview/pr-13', (files) => void files.set('history.jsonl', theirs.split('\n', 1)[0] ?? ''));
    await pulls.clock.sleep(2 * days);
    expect(told(await sweep(pulls))).toContainEqual(expect.stringMatching(/^pr-13 kept/));
  });
});

it('a run that only took the lease, and died, hides no end', async () => {
  pulls = await openLives();
  await pulls.onPull('opened');
  await pulls.clock.sleep(20 * days);
  const store = pulls.store();
  const released = { v: 1, holder: 'x', run: 'r', durationMs: 3000, deadlineMs: 300, renewal: 1, released: { quietForMs: 0 }, at: '' };
  await store.append(branch, new Map([['lease.json', JSON.stringify(released)]]), await store.head(branch), 'a run');
  expect(told(await sweep(pulls))).toEqual([expect.stringMatching(/^pr-12 destroyed/)]);
});
