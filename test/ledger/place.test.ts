import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sealed } from '../../src/core/sealed.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { openStore } from '../../src/ledger/stores/open-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import type { RepositoryFacts } from '../../src/platform/checkout.ts';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { quickClock } from '../support/quick-clock.ts';

const branch = 'pilotfish-receipts/preview/pr-12';
const place = 'pilotfish-receipts/_place';
const facts = new Map([['note.txt', 'a fact']]);

let home: string;
let git: GitRemoteServer;
let elsewhere: { readonly one: MemoryRemote; readonly two: MemoryRemote };
let machines = 0;
const opened: Store[] = [];

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-place-'));
  git = await startGitRemote({ user: 'ci', password: 'word-of-ci', readOnlyPassword: 'word-of-reader' });
  elsewhere = { one: new MemoryRemote(), two: new MemoryRemote() };
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await git.stop();
  await rm(home, { recursive: true, force: true });
});

type Receipts = 'git-branch' | 'local' | 'plugin:one' | 'plugin:two' | null;
interface Machine {
  /** A machine that was here before has its memory. */
  readonly home?: string;
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isForWriting?: boolean;
}

async function open(receipts: Receipts, { home: own, url = git.urlWithAuth, env = {}, isForWriting = true }: Machine = {}): Promise<Store> {
  machines += 1;
  const top = own ?? path.join(home, `machine-${machines}`);
  const store = await openStore({
    receipts,
    facts: { top, slug: 'shop/web', remote: new Sealed(url, 'the remote'), remoteUrl: git.url } as RepositoryFacts,
    cwd: home,
    env: { ...cleanGitEnv(top), ...env },
    clock: quickClock,
    isForWriting,
    plugins: new Map([
      ['one', async () => elsewhere.one.open()],
      ['two', async () => elsewhere.two.open()],
    ]),
  });
  opened.push(store);
  return store;
}

const named = async (): Promise<unknown> => JSON.parse(await git.git('show', `${place}:.pilotfish/place.json`));
const branches = async (): Promise<readonly string[]> =>
  (await git.git('for-each-ref', '--format=%(refname:short)')).split('\n').filter(Boolean);
type Work = (store: Store) => Promise<unknown>;
const refusal = (opening: Promise<Store>, work: Work = (store) => store.read(branch)) =>
  opening.then(work).then(
    () => {
      throw new Error('not refused');
    },
    (error: { code: string; detail: string; fix: string }) => error,
  );

describe('the place of a ledger', () => {
  it('is git where nobody named another, and that costs no branch and, before a write, no question', async () => {
    const store = await open(null);
    expect(await store.read(branch)).toBeNull();
    const head = await store.append(branch, facts, null, 'a');
    expect(await branches()).toEqual([branch]);
    const { requests } = git.count;
    const plain = openGitStore({
      url: git.urlWithAuth,
      cwd: home,
      env: cleanGitEnv(path.join(home, 'plain')),
      clock: quickClock,
      isForWriting: true,
    });
    opened.push(plain);
    expect((await plain.read(branch))?.head).toBe(head);
    const usual = git.count.requests - requests;
    expect((await (await open('git-branch')).read(branch))?.head).toBe(head);
    expect(git.count.requests - requests - usual).toBe(usual);
  });

  it('is named on the git remote before the first fact stands elsewhere, and not by a run that only reads', async () => {
    const reader = await open('plugin:one', { isForWriting: false });
    expect([await reader.read(branch), await reader.list('pilotfish-receipts/')]).toEqual([null, []]);
    expect(await branches()).toEqual([]);
    let before: readonly string[] = [];
    elsewhere.one.before = async () => {
      before = await branches();
    };
    const store = await open('plugin:one');
    await store.append(branch, facts, null, 'a');
    expect(before).toEqual([place]);
    expect(await named()).toMatchObject({ v: 1, place: 'plugin:one' });
    // Later runs only read it.
    const { pushes } = git.count;
    const other = await open('plugin:one', { url: git.urlWithAuth.replace('word-of-ci', 'word-of-reader') });
    await other.append(branch, facts, (await other.read(branch))?.head ?? null, 'b');
    expect(git.count.pushes).toBe(pushes);
  });

  it('is refused, never followed, where a plan that is gone or that a pull request changed says otherwise', async () => {
    const works: readonly Work[] = [
      (store: Store) => store.read(branch),
      (store: Store) => store.list('pilotfish-receipts/'),
      (store: Store) => store.append(branch, facts, null, 'b'),
      async (store: Store) => {
        for await (const _ of store.readAll?.('pilotfish-receipts/') ?? []) throw new Error('read');
        await store.head(branch);
      },
    ];
    await (await open('plugin:one')).append(branch, facts, null, 'a');
    for (const [receipts, said] of [
      [null, 'neither the plan nor PILOTFISH_RECEIPTS says so'],
      ['git-branch', 'says git-branch'],
      ['plugin:two', 'says plugin:two'],
    ] as const) {
      for (const isForWriting of [true, false]) {
        for (const work of isForWriting ? works : works.slice(0, 1)) {
          const error = await refusal(open(receipts, { isForWriting }), work);
          expect(error).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('is at plugin:one') });
          expect(error.detail).toContain(said);
        }
      }
    }
    expect([elsewhere.two.commits.length, await branches()]).toEqual([0, [place]]);
  });

  it('is not another one while git branches name objects', async () => {
    const record = new Map([['records/aa/broken.json', '{}']]);
    const store = await open(null);
    const head = await store.append(branch, record, null, 'a');
    for (const work of [(other) => other.read(branch), (other) => other.append(branch, facts, null, 'b')] satisfies Work[]) {
      expect(await refusal(open('plugin:one'), work)).toMatchObject({
        code: 'LEDGER_REFUSED',
        detail: expect.stringContaining(`${branch} of`),
        fix: expect.stringContaining('pilotfish ledger copy git-branch plugin:one'),
      });
    }
    // A scope whose objects are gone holds nobody back.
    await store.append(branch, new Map([['records/aa/broken.json', null]]), head, 'destroyed');
    await (await open('plugin:one')).append(branch, facts, null, 'c');
    expect(await named()).toMatchObject({ place: 'plugin:one' });
  });

  it('is one place, where two runs begin a ledger at the same moment in two', async () => {
    const [one, two] = [await open('plugin:one'), await open('plugin:two')];
    const ends = await Promise.allSettled([one.append(branch, facts, null, 'a'), two.append(branch, facts, null, 'b')]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(elsewhere.one.commits.length + elsewhere.two.commits.length).toBe(1);
  });

  it('is missed where its branch was removed, on a machine that saw it', async () => {
    const here = path.join(home, 'here');
    await (await open('plugin:one', { home: here })).append(branch, facts, null, 'a');
    await git.git('update-ref', '-d', `refs/heads/${place}`);
    for (const receipts of [null, 'plugin:one', 'plugin:two'] as const) {
      const error = await refusal(open(receipts, { home: here }));
      expect(error).toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining(`${place}, which names the place`) });
    }
  });

  it.each([
    ['{', 'it is not JSON'],
    ['{"v":1}', 'it holds no place'],
    ['{"v":1,"place":"plugin:one\\u001b[2J"}', 'it holds no place'],
  ])('that cannot be read (%s) leads nowhere', async (text, why) => {
    const writer = openGitStore({ url: git.urlWithAuth, cwd: home, env: cleanGitEnv(path.join(home, 'forger')), clock: quickClock });
    opened.push(writer);
    await writer.append(place, new Map([['place.json', text]]), null, 'forged');
    for (const receipts of [null, 'plugin:one'] as const) {
      const error = await refusal(open(receipts));
      expect(error).toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining(why) });
    }
  });

  it('needs a run that may write the branch, and one that may read it, and says so', async () => {
    const reader = git.urlWithAuth.replace('word-of-ci', 'word-of-reader');
    const unwritten = await refusal(open('plugin:one', { url: reader }), (store) => store.append(branch, facts, null, 'a'));
    expect(unwritten).toMatchObject({ code: 'LEDGER_REFUSED', fix: expect.stringContaining('contents: write') });
    const stranger = git.urlWithAuth.replace('word-of-ci', 'word-of-stranger');
    const unread = await refusal(open('plugin:one', { url: stranger }));
    expect(unread).toMatchObject({ code: 'LEDGER_REFUSED', fix: expect.stringContaining('contents: read') });
    expect(elsewhere.one.commits).toEqual([]);
  });

  it('is no folder of a CI machine while the remote has a ledger; a folder of a person needs no remote', async () => {
    await (await open(null)).append(branch, new Map([['records/aa/broken.json', '{}']]), null, 'a');
    const error = await refusal(open('local', { env: { CI: 'true' } }));
    expect(error).toMatchObject({ code: 'LEDGER_REFUSED' });
    await git.stop();
    expect(await (await open('local')).read(branch)).toBeNull();
  });

  it('that is being moved takes no write, and the command that goes on with it is told', async () => {
    const writer = openGitStore({ url: git.urlWithAuth, cwd: home, env: cleanGitEnv(path.join(home, 'mover')), clock: quickClock });
    opened.push(writer);
    const moving = { v: 1, place: 'git-branch', moving: 'plugin:one', at: '2026-11-28T00:00:00.000Z' };
    await writer.append(place, new Map([['place.json', JSON.stringify(moving)]]), null, 'moving');
    for (const receipts of [null, 'plugin:one'] as const) {
      const error = await refusal(open(receipts), (store) => store.append(branch, facts, null, 'a'));
      expect(error).toMatchObject({ code: 'LEDGER_REFUSED', fix: expect.stringContaining('ledger copy git-branch plugin:one') });
    }
  });
});
