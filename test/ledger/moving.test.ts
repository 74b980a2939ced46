import { beforeEach, describe, expect, it } from 'vitest';
import { placeBranch, receiptsBranch } from '../../src/ledger/model/names.ts';
import { parseState } from '../../src/ledger/model/state.ts';
import { copyLedger, type LedgerMove } from '../../src/ledger/moving/copy-ledger.ts';
import { sealsPath } from '../../src/ledger/seals/lists.ts';
import type { Change } from '../../src/ledger/stores/store.ts';
import { leaseFact } from '../../src/ledger/writer/lease.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';

const branchOf = (number: number): string => receiptsBranch('preview', `pr-${number}`);
const terms = { holder: 'ci/7', run: 'abcdefabcdef', durationMs: 120_000, deadlineMs: 30_000 };

let git: MemoryRemote;
let database: MemoryRemote;
let clock: LeapingClock;
beforeEach(() => {
  [git, database, clock] = [new MemoryRemote(), new MemoryRemote(), new LeapingClock()];
});

const move = (more: Partial<LedgerMove> = {}): Promise<Awaited<ReturnType<typeof copyLedger>>> => {
  const store = git.open();
  return copyLedger({
    from: { store, place: 'git-branch' },
    to: { store: database.open(), place: 'postgres://db.example/ledger' },
    git: store,
    clock,
    signal: new AbortController().signal,
    patienceMs: 900_000,
    isDryRun: false,
    ...more,
  });
};
const back = () =>
  move({
    from: { store: database.open(), place: 'postgres://db.example/ledger' },
    to: { store: git.open(), place: 'git-branch' },
  });
const push = async (remote: MemoryRemote, branch: string, change: Change): Promise<string> => {
  const store = remote.open();
  return await store.append(branch, change, await store.head(branch), 'a run');
};
const record = (text = '{"a":1}'): Change => new Map([['records/aa/fact.json', text]]);
const factsAt = (remote: MemoryRemote, branch: string) =>
  Object.fromEntries([...remote.filesOf(branch)].filter(([path]) => path !== 'moved.json'));
const named = (): unknown => JSON.parse(git.filesOf(placeBranch).get('place.json') ?? 'null');

async function fill(count: number): Promise<void> {
  for (let i = 1; i <= count; i += 1) {
    await push(git, branchOf(i), new Map([...record(`{"scope":${i}}`), ['history.jsonl', `{"n":${i}}\n`]]));
    if (i % 3 === 0) await push(git, branchOf(i), new Map([['records/aa/second.json', `{"scope":${i}}`]]));
  }
  await push(git, 'pilotfish-receipts/preview/_history', new Map([['removed/pr-900.json', '{}']]));
}

describe('a ledger that is moved', () => {
  it('stands whole at the other place, which the git remote names, and is marked where it was', async () => {
    await fill(7);
    const before = new Map([...git.branches].map(([branch]) => [branch, factsAt(git, branch)]));
    const { branches, place } = await move();
    expect([branches.length, new Set(branches.map(({ end }) => end)), place]).toEqual([
      8,
      new Set(['copied']),
      'postgres://db.example/ledger',
    ]);
    for (const [branch, facts] of before) {
      expect(factsAt(database, branch)).toEqual(facts);
      expect(factsAt(git, branch)).toEqual(facts);
      expect(() => parseState(git.filesOf(branch), branch)).toThrow(/was moved to postgres:/);
    }
    expect(named()).toMatchObject({ place: 'postgres://db.example/ledger' });
    expect(named()).not.toHaveProperty('moving');
  });

  it('is only told of with `isDryRun`', async () => {
    await fill(2);
    const commits = git.commits.length;
    const { branches, place } = await move({ isDryRun: true });
    expect(branches.map(({ branch, end, files }) => [branch, end, files])).toEqual([
      ['pilotfish-receipts/preview/_history', 'would copy', 1],
      [branchOf(1), 'would copy', 2],
      [branchOf(2), 'would copy', 2],
    ]);
    expect([place, git.commits.length, database.commits.length]).toEqual(['git-branch', commits, 0]);
  });

  it('loses nothing and holds nothing twice, at whichever of fifty moments its process is killed', async () => {
    await fill(1_000);
    const before = new Map([...git.branches].map(([branch]) => [branch, factsAt(git, branch)]));
    let left = 0;
    let isDead = false;
    // A commit that stood is as good a moment as one that never came. Nothing of a dead process goes on.
    const die = (): void => {
      left -= 1;
      isDead ||= left === 0;
      if (isDead) throw new Error('killed');
    };
    for (const remote of [git, database]) Object.assign(remote, { before: die, after: die });
    for (let kill = 1; kill <= 50; kill += 1) {
      left = 1 + ((kill * 37) % 83);
      await expect(move()).rejects.toThrow('killed');
      await new Promise((resolve) => setTimeout(resolve));
      isDead = false;
    }
    left = 0;
    const { branches } = await move();
    expect(branches.filter(({ end }) => end !== 'copied' && end !== 'present')).toEqual([]);
    for (const [branch, facts] of before) expect(factsAt(database, branch), branch).toEqual(facts);
    expect([...database.branches.keys()].sort()).toEqual([...before.keys()].sort());
    expect(git.on(branchOf(500)).filter((change) => change.has('moved.json'))).toHaveLength(1);
    expect(named()).toMatchObject({ place: 'postgres://db.example/ledger' });
  });

  it('waits for a run that holds a scope, and what that run writes comes along', async () => {
    await push(git, branchOf(1), new Map([...record(), ['lease.json', JSON.stringify(leaseFact(terms, 1, clock.now()))]]));
    let looks = 0;
    const store = git.open();
    const head = store.head.bind(store);
    store.head = async (branch) => {
      looks += 1;
      if (looks === 5) await push(git, branch, record('{"a":"new"}'));
      if (looks === 9) await push(git, branch, new Map([['lease.json', JSON.stringify(leaseFact(terms, 2, clock.now(), 0))]]));
      return await head(branch);
    };
    const { branches } = await move({ from: { store, place: 'git-branch' } });
    expect(branches).toMatchObject([{ end: 'copied' }]);
    expect(database.filesOf(branchOf(1)).get('records/aa/fact.json')).toBe('{"a":"new"}');
  });

  it('takes over from a run that is dead, with its lease, and leaves the scope of one that lives', async () => {
    await push(git, branchOf(1), new Map([...record(), ['lease.json', JSON.stringify(leaseFact(terms, 1, clock.now()))]]));
    expect((await move({ patienceMs: 60_000 })).branches).toMatchObject([{ end: 'busy' }]);
    expect(named()).toMatchObject({ place: 'git-branch', moving: 'postgres://db.example/ledger' });
    expect((await move()).branches).toMatchObject([{ end: 'copied' }]);
    expect(database.filesOf(branchOf(1)).has('lease.json')).toBe(true);
  });

  it('has the facts of a run that wrote between the copy and its mark', async () => {
    await push(git, branchOf(1), record());
    let late = 2;
    database.after = async (branch) => {
      late -= 1;
      if (late >= 0) await push(git, branch, record(`{"late":${late}}`));
    };
    await move();
    expect(database.filesOf(branchOf(1)).get('records/aa/fact.json')).toBe('{"late":0}');
  });

  it('has the branch of a run that began before', async () => {
    await push(git, branchOf(1), record());
    let isFirst = true;
    database.after = async () => {
      if (isFirst) await push(git, branchOf(2), record());
      isFirst = false;
    };
    expect((await move()).branches.map(({ branch }) => branch)).toEqual([branchOf(1), branchOf(2)]);
  });

  it('keeps, below its last commit, a fact that a seal names and that somebody took away', async () => {
    const lists = JSON.stringify({
      v: 2,
      lists: [{ key: 'a'.repeat(16), n: 1, source: 'ledger', beside: [], facts: { 'records/aa/fact.json': 'x' }, pulls: [], mac: 'm' }],
    });
    await push(git, branchOf(1), new Map([...record(), [sealsPath, lists]]));
    await push(git, branchOf(1), new Map([['records/aa/fact.json', null]]));
    await move();
    const store = database.open();
    expect(database.filesOf(branchOf(1)).has('records/aa/fact.json')).toBe(false);
    const [, older = ''] = (await store.history?.(branchOf(1))) ?? [];
    expect((await store.readAt(branchOf(1), older))?.files.get('records/aa/fact.json')).toBe('{"a":1}');
  });

  it('comes back to the place that it left, and goes away again', async () => {
    await fill(3);
    await move();
    await push(database, branchOf(1), record('{"changed":"there"}'));
    const { branches, place } = await back();
    expect([branches.every(({ end }) => end === 'copied'), place]).toEqual([true, 'git-branch']);
    expect(git.filesOf(branchOf(1)).get('records/aa/fact.json')).toBe('{"changed":"there"}');
    expect(git.filesOf(branchOf(1)).has('moved.json')).toBe(false);
    expect((await move()).place).toBe('postgres://db.example/ledger');
  });

  it('keeps such a fact also where it comes back to', async () => {
    await fill(1);
    await move();
    const lists = JSON.stringify({
      v: 2,
      lists: [{ key: 'a'.repeat(16), n: 1, source: 'ledger', beside: [], facts: { 'records/aa/new.json': 'x' }, pulls: [], mac: 'm' }],
    });
    await push(
      database,
      branchOf(1),
      new Map([
        ['records/aa/new.json', '{"b":2}'],
        [sealsPath, lists],
      ]),
    );
    await push(database, branchOf(1), new Map([['records/aa/new.json', null]]));
    await back();
    expect(git.filesOf(branchOf(1)).has('records/aa/new.json')).toBe(false);
    const store = git.open();
    const heads = (await store.history?.(branchOf(1))) ?? [];
    const older = await Promise.all(heads.map(async (head) => (await store.readAt(branchOf(1), head))?.files.get('records/aa/new.json')));
    expect(older).toContain('{"b":2}');
  });

  it('is moved once by two processes at the same moment', async () => {
    await fill(12);
    const before = new Map([...git.branches].map(([branch]) => [branch, factsAt(git, branch)]));
    const ends = await Promise.all([move(), move()]);
    expect(ends.map(({ place }) => place)).toEqual(['postgres://db.example/ledger', 'postgres://db.example/ledger']);
    for (const [branch, facts] of before) expect(factsAt(database, branch)).toEqual(facts);
    for (const branch of before.keys()) expect(git.on(branch).filter((change) => change.has('moved.json'))).toHaveLength(1);
    expect(named()).not.toHaveProperty('moving');
  });

  it('is not mixed with another ledger, and is moved to one place alone', async () => {
    await fill(2);
    await push(database, branchOf(77), record('not a record'));
    await expect(move()).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining(branchOf(77)) });
    expect(git.branches.has(placeBranch)).toBe(false);
    database = new MemoryRemote();
    git.before = (branch) => {
      if (branch === branchOf(2)) throw new Error('killed');
    };
    await expect(move()).rejects.toThrow('killed');
    git.before = () => undefined;
    const other = { store: new MemoryRemote().open(), place: 'postgres://db.example/other' };
    await expect(move({ to: other })).rejects.toMatchObject({
      fix: expect.stringContaining('copy git-branch postgres://db.example/ledger'),
    });
    await move();
    await expect(move({ to: other })).rejects.toMatchObject({
      detail: expect.stringContaining('is at postgres://db.example/ledger, and not at git-branch'),
    });
    // The same command again has nothing to do.
    expect((await move()).branches.every(({ end }) => end === 'present')).toBe(true);
  });

  it('keeps runs away while one branch cannot be read, and tells which', async () => {
    await fill(2);
    const store = git.open();
    const read = store.read.bind(store);
    const { Failure } = await import('../../src/core/errors.ts');
    store.read = async (branch) => {
      if (branch === branchOf(1)) throw new Failure('LEDGER_CORRUPT', { detail: 'its tree is damaged' });
      return await read(branch);
    };
    const { branches, place } = await move({ from: { store, place: 'git-branch' } });
    expect(branches.map(({ end }) => end)).toEqual(['copied', 'failed', 'copied']);
    expect([place, branches[1]?.error?.code]).toEqual(['git-branch', 'LEDGER_CORRUPT']);
    expect(named()).toMatchObject({ moving: 'postgres://db.example/ledger' });
  });
});
