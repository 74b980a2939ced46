import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import type { GitStoreOptions } from '../../src/ledger/stores/git/git-store.ts';
import { HeadMoved, type Store } from '../../src/ledger/stores/store.ts';
import { type GitPlace, openGitPlace } from '../support/git-place.ts';
import { cleanGitEnv, type GitRemoteServer } from '../support/git-remote.ts';

/** A run that writes asks its remote for heads once: the same answer serves its first look and its pushes. */
const branch = receiptsBranch('preview', 'pr-1');
const one = (text: string): ReadonlyMap<string, string> => new Map([['records/ab/1.json', text]]);

let place: GitPlace;
let remote: GitRemoteServer;

beforeEach(async () => {
  place = await openGitPlace({ user: 'ci', password: 'word', readOnlyPassword: 'look' });
  ({ remote } = place);
});
afterEach(() => place.close());

const open = ({ machine = 'one', ...change }: Partial<GitStoreOptions> & { readonly machine?: string } = {}): Promise<Store> =>
  place.open({ env: cleanGitEnv(path.join(place.root, machine)), isForWriting: true, ...change });

async function asked(work: () => Promise<unknown>): Promise<number> {
  const before = remote.count.requests;
  await work();
  return remote.count.requests - before;
}

it('is one question, and one request for each push, also where a copy of the branch is kept', async () => {
  const first = await open();
  const made = await asked(async () => {
    expect(await first.read(branch)).toBeNull();
    const head = await first.append(branch, one('1'), null, 'first');
    await first.append(branch, one('2'), head, 'second');
  });
  expect(made).toBe(3);
  await first.close();
  const next = await open();
  const changed = await asked(async () => {
    const tree = await next.read(branch);
    expect(tree?.files).toEqual(one('2'));
    const head = await next.append(branch, one('3'), tree?.head ?? null, 'third');
    await next.append(branch, one('4'), head, 'fourth');
  });
  expect(changed).toBe(3);
  expect(await remote.git('show', `${branch}:.pilotfish/records/ab/1.json`)).toBe('4');
});

it('brings the objects of a branch that this machine has not seen', async () => {
  const writer = await open({ machine: 'other' });
  const head = await writer.append(branch, one('1'), null, 'first');
  const store = await open();
  expect(await store.read(branch)).toMatchObject({ head, files: one('1') });
  expect(await asked(() => store.append(branch, one('2'), head, 'second'))).toBe(1);
});

it('is refused where another machine pushed since, and built on what that one left', async () => {
  const [mine, other] = [await open(), await open({ machine: 'other' })];
  const head = await mine.append(branch, one('1'), null, 'first');
  const theirs = await other.append(branch, one('2'), (await other.read(branch))?.head ?? null, 'theirs');
  await expect(mine.append(branch, one('3'), head, 'mine')).rejects.toBeInstanceOf(HeadMoved);
  expect(await remote.git('rev-parse', branch)).toBe(theirs);
  const tree = await mine.read(branch);
  expect(tree).toMatchObject({ head: theirs, files: one('2') });
  await mine.append(branch, one('3'), theirs, 'mine');
  await expect(other.append(branch, one('4'), theirs, 'theirs again')).rejects.toBeInstanceOf(HeadMoved);
  expect((await other.read(branch))?.files).toEqual(one('3'));
});

it('is asked again where a branch was made, deleted or moved back since', async () => {
  const store = await open();
  expect(await store.read(branch)).toBeNull();
  const other = await open({ machine: 'other' });
  await other.append(branch, one('1'), null, 'theirs');
  await expect(store.append(branch, one('2'), null, 'mine')).rejects.toBeInstanceOf(HeadMoved);
  const first = (await store.read(branch))?.head ?? '';
  const second = await store.append(branch, one('2'), first, 'mine');
  await remote.git('update-ref', `refs/heads/${branch}`, first);
  await expect(store.append(branch, one('3'), second, 'mine')).rejects.toBeInstanceOf(HeadMoved);
  expect((await store.read(branch))?.head).toBe(first);
  await remote.git('update-ref', '-d', `refs/heads/${branch}`);
  await expect(store.append(branch, one('3'), first, 'mine')).rejects.toBeInstanceOf(HeadMoved);
  expect(await remote.git('for-each-ref')).toBe('');
  expect(await store.read(branch)).toBeNull();
});

it('does not end in two commits when the answer to a push was lost', async () => {
  const store = await open();
  const first = await store.append(branch, one('1'), null, 'first');
  remote.cutNextPushAnswer();
  const second = await store.append(branch, one('2'), first, 'second');
  expect(await remote.git('rev-list', '--count', branch)).toBe('2');
  remote.answerNextPush(503);
  await store.append(branch, one('3'), second, 'third');
  expect(await remote.git('rev-list', '--count', branch)).toBe('3');
});

it('is answered with the permission that is missing before anything else is asked', async () => {
  const url = remote.urlWithAuth.replace(':word@', ':look@');
  expect(await (await open({ url, isForWriting: false })).read(branch)).toBeNull();
  const thrown = await (await open({ url })).read(branch).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED', status: 403, fix: expect.stringContaining('pilotfish-receipts/**') });
});

it('says what to make writable where no cache can be opened, and closes all the same', async () => {
  await place.open({ env: cleanGitEnv(path.join(place.root, 'other')) }).then((other) => other.append(branch, one('1'), null, 'first'));
  await writeFile(path.join(place.root, 'file'), '');
  vi.stubEnv('TMPDIR', path.join(place.root, 'file', 'tmp'));
  const store = await open({ cacheDir: path.join(place.root, 'file', 'cache') });
  const thrown = await store.read(branch).catch((error: unknown) => error);
  vi.unstubAllEnvs();
  expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED', fix: expect.stringContaining('temporary folder') });
  await store.close();
});
