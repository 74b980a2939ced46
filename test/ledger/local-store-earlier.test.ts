import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptsOf } from '../../src/ledger/model/names.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import sample from './earlier-folder.json' with { type: 'json' };

// A ledger as an earlier version left it: a folder a branch, with commits and packs. pr-1 has 32 of its 35 commits, pr-2 was removed, the
// newest commit of pr-3 is torn.

const [whole, gone, torn] = ['pr-1', 'pr-2', 'pr-3'].map((scope) => `pilotfish-receipts/preview/${scope}`) as [string, string, string];
const lock = 'refs/pilotfish/locks/0123456789abcdef';
const commits = sample.commits.map(([head, files]) => ({ head: String(head), files: new Map(Object.entries(files ?? {})) }));
const heads = commits.map(({ head }) => head);

let root: string;
let store: Store;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-earlier-'));
  for (const [name, text] of Object.entries(sample.files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  store = openLocalStore({ folder: path.join(root, 'ledger') });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const put = (text: string): ReadonlyMap<string, string> => new Map([['new', text]]);

describe('a ledger of an earlier version', () => {
  it('is read with all its commits, and reading changes nothing of it', async () => {
    expect(await store.read(whole)).toMatchObject(commits[0] ?? {});
    expect(store.lost?.(whole)).toBeNull();
    expect(await store.head(whole)).toBe(heads[0]);
    expect(await store.history?.(whole)).toEqual(heads);
    for (const commit of commits) expect(await store.readAt(whole, commit.head.slice(0, 12))).toMatchObject(commit);
    expect((await store.read(lock))?.files).toEqual(new Map([['lock.json', '{}']]));
    const left = await readdir(root, { recursive: true, withFileTypes: true });
    expect(left.filter((one) => one.isFile())).toHaveLength(Object.keys(sample.files).length);
  });

  it('is carried over by the first append, with the commits that are kept', async () => {
    await expect(store.append(whole, put('x'), heads[1] ?? null, 'late')).rejects.toMatchObject({ name: 'HeadMoved' });
    const head = await store.append(whole, put('x'), heads[0] ?? null, 'carried over');
    const names = (await readdir(path.join(root, 'ledger'))).filter((name) => name.includes('pr-1'));
    expect(names).toEqual(['heads,pilotfish-receipts,preview,pr-1']);
    for (const other of [store, openLocalStore({ folder: path.join(root, 'ledger') })]) {
      expect(await other.read(whole)).toMatchObject({
        head,
        files: new Map([...(commits[0]?.files ?? []), ['new', 'x']].sort() as [string, string][]),
      });
      expect(other.lost?.(whole)).toBeNull();
      expect(await other.history?.(whole)).toEqual([head, ...heads.slice(0, 31)]);
      for (const commit of commits.slice(0, 31)) expect(await other.readAt(whole, commit.head)).toMatchObject(commit);
    }
  });

  it('lists its branches beside those of today, without those that were removed', async () => {
    const head = await store.append('pilotfish-receipts/preview/pr-9', put('x'), null, 'first');
    const listed = await store.list(receiptsOf('preview'));
    expect(listed).toEqual([
      { branch: whole, head: heads[0] },
      { branch: torn, head: expect.stringMatching(/^damaged-/) },
      { branch: 'pilotfish-receipts/preview/pr-9', head },
    ]);
    expect([await store.read(gone), await store.head(gone)]).toEqual([null, null]);
    await store.append(gone, put('anew'), null, 'anew');
    expect((await store.read(gone))?.files).toEqual(put('anew'));
    expect(await store.history?.(gone)).toHaveLength(1);
  });

  it('is removed whole, also where a process died while it was carried over', async () => {
    const folder = path.join(root, 'ledger', 'refs,heads,pilotfish-receipts,preview,pr-1');
    const text = await readFile(path.join(folder, 'commits', '000000035', 'commit.json'));
    const head = await store.append(whole, put('x'), heads[0] ?? null, 'carried over');
    await mkdir(path.join(folder, 'commits', '000000035'), { recursive: true });
    await writeFile(path.join(folder, 'commits', '000000035', 'commit.json'), text);
    expect(await store.head(whole)).toBe(head);
    await store.remove(whole, head);
    expect(await store.head(whole)).toBeNull();
    const [other] = [await store.head(lock)];
    await store.remove(lock, other ?? '');
    expect(await store.read(lock)).toBeNull();
  });

  it('that is damaged is refused, and its last sound commit can be put in its place', async () => {
    await expect(store.read(torn)).rejects.toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining('it is not JSON') });
    const head = await store.head(torn);
    const [first = ''] = (await store.history?.(torn)) ?? [];
    await expect(store.append(torn, put('x'), head, 'on it')).rejects.toMatchObject({ code: 'LEDGER_CORRUPT' });
    await store.append(torn, put('x'), head, 'restored', first);
    expect((await store.read(torn))?.files).toEqual(new Map([['a', 'first'], ...put('x')]));
  });
});

it('a text of an earlier version that is gone or another is damage', async () => {
  const texts = path.join(root, 'ledger', 'refs,heads,pilotfish-receipts,preview,pr-1', 'texts');
  const commit = JSON.parse(await readFile(path.join(path.dirname(texts), 'commits', '000000035', 'commit.json'), 'utf8'));
  const pack = path.join(texts, commit.packs.at(-1).name);
  await writeFile(pack, 'other');
  await expect(store.read(whole)).rejects.toMatchObject({
    code: 'LEDGER_CORRUPT',
    detail: expect.stringContaining('was changed after pilotfish wrote it'),
  });
  await rm(pack);
  await expect(store.read(whole)).rejects.toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining('is missing') });
});
