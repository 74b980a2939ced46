import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockBranch, receiptsBranch, receiptsOf } from '../../src/ledger/model/names.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { type Change, HeadMoved, type Store } from '../../src/ledger/stores/store.ts';

const branch = receiptsBranch('preview', 'pr-1');
let root: string;
let folder: string;
let store: Store;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-folder-'));
  folder = path.join(root, 'ledger');
  store = openLocalStore({ folder });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const home = (): string => path.join(folder, 'refs,heads,pilotfish-receipts,preview,pr-1');
const commitFile = (number: number): string => path.join(home(), 'commits', String(number).padStart(9, '0'), 'commit.json');
const commits = () => readdir(path.join(home(), 'commits'));
const texts = () => readdir(path.join(home(), 'texts'));
const drafts = async (): Promise<readonly string[]> => (await readdir(home())).filter((name) => name.startsWith('draft-'));
const put = (files: { readonly [file: string]: string | null }): Change => new Map(Object.entries(files));
/** Appends one commit after another and gives their heads. */
async function appendAll(count: number, change: (i: number) => Change): Promise<readonly string[]> {
  const heads: string[] = [];
  for (let i = 1; i <= count; i += 1) heads.push(await store.append(branch, change(i), await store.head(branch), `commit ${i}`));
  return heads;
}
const ago = (ms: number): Date => new Date(Date.now() - ms);
const damage = (text: string) => ({
  code: 'LEDGER_CORRUPT',
  detail: expect.stringContaining(text),
  fix: expect.stringContaining('from a backup'),
});

describe('the folder of a branch', () => {
  it('holds a commit a folder, by number, and what it changed in one file under a name that begins with its digest', async () => {
    const [head] = await appendAll(1, () => put({ b: '2', a: '1' }));
    expect(await commits()).toEqual(['000000001']);
    const commit = JSON.parse(await readFile(commitFile(1), 'utf8'));
    expect(commit).toMatchObject({ v: 1, branch: `refs/heads/${branch}`, head, parent: null, message: 'commit 1' });
    const [name = '', ...more] = await texts();
    expect([commit.packs, more]).toEqual([[{ name, size: 20 }], []]);
    expect(name).toMatch(/^[0-9a-f]{32}\.[0-9a-z]+$/);
    expect(await readFile(path.join(home(), 'texts', name), 'utf8')).toBe('[["a",1],["b",1]]\n12');
    expect(await drafts()).toEqual([]);
    expect([store.kind, store.location]).toEqual(['local', folder]);
  });

  it('keeps the last 32 commits with their texts, and no others', async () => {
    const heads = await appendAll(40, (i) => put({ a: `text ${i}`, ...(i === 1 && { b: 'stays' }) }));
    const kept = await commits();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([32, '000000009', '000000040']);
    expect(await texts()).toHaveLength(32);
    expect((await store.read(branch))?.files).toEqual(
      new Map([
        ['a', 'text 40'],
        ['b', 'stays'],
      ]),
    );
    expect(await store.readAt?.(branch, heads[7] ?? '')).toBeNull();
    expect((await store.readAt?.(branch, heads[8] ?? ''))?.files.get('a')).toBe('text 9');
    expect(await drafts()).toEqual([]);
  });

  it('is cleared of what killed processes left, once that is old enough', async () => {
    await appendAll(1, () => put({ a: '1' }));
    const [here] = await texts();
    const left = { old: path.join(home(), 'draft-old'), young: path.join(home(), 'draft-young'), other: path.join(home(), 'notes') };
    for (const one of Object.values(left)) await mkdir(one);
    await writeFile(path.join(home(), 'texts', 'lost.1'), 'x');
    await writeFile(path.join(home(), 'texts', 'young.1'), 'x');
    const old = ago(2 * 3_600_000);
    for (const one of [left.old, left.other, path.join(home(), 'texts', 'lost.1'), path.join(home(), 'texts', here ?? '')])
      await utimes(one, old, old);
    await appendAll(30, (i) => put({ b: String(i) }));
    expect(await texts()).toContain('lost.1');
    await appendAll(1, () => put({ b: 'last' }));
    expect((await readdir(home())).sort()).toEqual(['commits', 'draft-young', 'notes', 'texts']);
    expect(await texts()).not.toContain('lost.1');
    expect(await texts()).toEqual(expect.arrayContaining(['young.1', here]));
    expect((await store.read(branch))?.files).toEqual(
      new Map([
        ['a', '1'],
        ['b', 'last'],
      ]),
    );
  });

  it('keeps what was restored for as long as it is the newest, whatever becomes of the commit it came from', async () => {
    const [first = ''] = await appendAll(2, (i) => put({ a: `text ${i}`, big: 'x'.repeat(500) }));
    await store.append(branch, put({ b: 'restored' }), await store.head(branch), 'restore', first);
    await appendAll(40, (i) => put({ c: String(i) }));
    expect([...((await store.read(branch))?.files ?? [])].map(([name]) => name)).toEqual(['a', 'b', 'big', 'c']);
    expect((await store.read(branch))?.files.get('a')).toBe('text 1');
  });

  it('holds what every append left of what was there before, in few files', async () => {
    const expected = new Map<string, string>();
    let most = 0;
    for (let i = 0; i < 300; i += 1) {
      // Some paths come, some come again, and some go; the texts have lengths that differ much.
      const [name, gone] = [`f${(i * 7) % 40}`, `f${(i * 11) % 40}`];
      const text = `${i} 🐟`.repeat(1 + ((i * i) % 90));
      const change = put({ [name]: text, ...(gone !== name && { [gone]: null }) });
      await store.append(branch, change, await store.head(branch), `commit ${i}`);
      expected.set(name, text);
      if (gone !== name) expected.delete(gone);
      const { packs } = JSON.parse(await readFile(commitFile(i + 1), 'utf8'));
      most = Math.max(most, packs.length);
      if (i % 20 === 0) expect((await store.read(branch))?.files).toEqual(new Map([...expected].sort()));
    }
    const files = [...((await store.read(branch))?.files ?? [])];
    expect(files).toEqual([...expected].sort());
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(10);
  });

  it('reads a large pack again for an append that leaves some of it as it was, and not for one that says everything anew', async () => {
    const many = (text: string) => Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, text.repeat(50_000)]));
    const [head = ''] = await appendAll(1, () => put(many('a')));
    const [pack = ''] = await texts();
    await rm(path.join(home(), 'texts', pack));
    const second = await store.append(branch, put(many('b')), head, 'all of it');
    expect(Object.fromEntries((await store.read(branch))?.files ?? [])).toEqual(many('b'));
    await store.append(branch, put({ ...many('c'), f7: null, f8: null }), second, 'all but two');
    const { f7: _f7, f8: _f8, ...rest } = many('c');
    expect(Object.fromEntries((await store.read(branch))?.files ?? [])).toEqual(rest);
    const { f9: _f9, ...most } = rest;
    await store.append(
      branch,
      put(Object.fromEntries(Object.keys(most).map((name) => [name, 'd'.repeat(40_000)]))),
      await store.head(branch),
      'one stays',
    );
    expect((await store.read(branch))?.files.get('f9')).toBe('c'.repeat(50_000));
    expect(await texts()).not.toContain(pack);
  });

  it('writes with an append what that one changes, and not what the branch holds', async () => {
    const bytes = async (lines: number): Promise<number> => {
      const own = receiptsBranch('preview', `lines-${lines}`);
      const all = Array.from({ length: lines }, (_, i) => [`records/${i}.json`, 'x'.repeat(100)] as const);
      let head = await store.append(own, new Map(all), null, 'all');
      const at = path.join(folder, `refs,heads,pilotfish-receipts,preview,lines-${lines}`);
      const written = async (): Promise<number> => {
        const files = await readdir(at, { recursive: true, withFileTypes: true });
        const sizes = await Promise.all(
          files.filter((file) => file.isFile()).map(async (file) => (await readFile(path.join(file.parentPath, file.name))).length),
        );
        return sizes.reduce((sum, size) => sum + size, 0);
      };
      const before = await written();
      for (let i = 0; i < 8; i += 1) head = await store.append(own, put({ 'lease.json': String(i) }), head, 'one');
      return (await written()) - before;
    };
    const [few, many] = [await bytes(100), await bytes(4_000)];
    expect(many).toBeLessThan(few * 1.1);
  });

  it('holds nothing of who lost a race', async () => {
    await appendAll(1, () => put({ a: '1' }));
    const head = await store.head(branch);
    const stores = [1, 2, 3, 4].map(() => openLocalStore({ folder }));
    const ends = await Promise.allSettled(stores.map((one, i) => one.append(branch, put({ b: `by ${i}` }), head, 'race')));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(HeadMoved);
    expect([await commits(), (await texts()).length, await drafts()]).toEqual([['000000001', '000000002'], 2, []]);
  });

  it('may hold folders with other names beside its commits', async () => {
    await appendAll(2, (i) => put({ a: String(i) }));
    for (const name of ['x000000009', '000000009x', 'notes']) await mkdir(path.join(home(), 'commits', name));
    expect((await store.read(branch))?.files.get('a')).toBe('2');
    await appendAll(1, () => put({ a: '3' }));
    expect(await commits()).toContain('000000003');
  });
});

describe('damage', () => {
  const read = () => store.read(branch);
  const rewrite = async (change: (commit: { [member: string]: unknown }) => unknown): Promise<void> =>
    writeFile(commitFile(2), JSON.stringify(change(JSON.parse(await readFile(commitFile(2), 'utf8')))));

  it.each<[string, string, () => Promise<unknown>]>([
    ['a commit that is half written', 'it is not JSON', () => writeFile(commitFile(2), '{"v":1,')],
    ['a commit that is nothing', 'it is not a commit of this branch', () => writeFile(commitFile(2), 'null')],
    ['a commit that is a text', 'it is not a commit of this branch', () => writeFile(commitFile(2), '"v"')],
    ['a commit without its packs', 'it is not a commit of this branch', () => rewrite(({ packs: _packs, ...rest }) => rest)],
    ['a commit of another branch', 'it is not a commit of this branch', () => rewrite((commit) => ({ ...commit, branch: 'refs/heads/x' }))],
    ['a version that is no number', 'it is not a commit of this branch', () => rewrite((commit) => ({ ...commit, v: '2' }))],
    ['a commit without its file', 'commit 2 is empty', () => rm(commitFile(2))],
    ['a pack that is another', 'is not what was written', async () => writeFile(await packOf(2), 'other')],
    ['a pack that is gone', 'a file that the newest commit names is missing', async () => rm(await packOf(2))],
  ])('of %s is refused, and nothing is built on it', async (_, why, harm) => {
    await appendAll(2, (i) => put({ a: `text ${i}` }));
    await harm();
    await expect(read()).rejects.toMatchObject(damage(why));
    const before = await commits();
    const isPack = /written|missing/.test(why);
    if (!isPack) await expect(store.append(branch, put({ b: '1' }), await store.head(branch), 'on it')).rejects.toMatchObject(damage(why));
    expect(await commits()).toEqual(before);
  });

  const packOf = async (number: number): Promise<string> => {
    const commit = JSON.parse(await readFile(commitFile(number), 'utf8'));
    return path.join(home(), 'texts', commit.packs[0].name);
  };

  it('of a pack does not keep a later append from being kept', async () => {
    const [first = ''] = await appendAll(2, (i) => put({ a: `text ${i}` }));
    await writeFile(await packOf(2), 'other');
    store = openLocalStore({ folder });
    const head = await store.append(branch, put({ b: 'made since' }), await store.head(branch), 'on it');
    await expect(read()).rejects.toMatchObject(damage('is not what was written'));
    await store.append(branch, put({ b: 'made since' }), head, 'restore', first);
    expect((await read())?.files).toEqual(
      new Map([
        ['a', 'text 1'],
        ['b', 'made since'],
      ]),
    );
  });

  it('of a pack, and of a commit, is made good by who wrote them and writes again', async () => {
    const [, head = ''] = await appendAll(2, (i) => put({ a: `text ${i}` }));
    await writeFile(await packOf(2), 'other');
    await writeFile(commitFile(2), 'torn');
    await store.append(branch, put({ b: 'made since' }), head, 'on it');
    expect((await openLocalStore({ folder }).read(branch))?.files).toEqual(
      new Map([
        ['a', 'text 2'],
        ['b', 'made since'],
      ]),
    );
  });

  it('of a newer version is no damage, and is refused as what it is', async () => {
    await appendAll(2, (i) => put({ a: `text ${i}` }));
    await rewrite((commit) => ({ ...commit, v: 2 }));
    await expect(read()).rejects.toMatchObject({ code: 'LEDGER_VERSION', detail: expect.stringContaining('of version 2') });
  });

  it('has a head of its own, and an older commit can be put in its place', async () => {
    const [first] = await appendAll(2, (i) => put({ a: `text ${i}` }));
    await writeFile(commitFile(2), 'torn');
    const head = await store.head(branch);
    expect(head).toMatch(/^damaged-2-[0-9a-f]{32}$/);
    expect(await store.history?.(branch)).toEqual([first]);
    await expect(store.append(branch, new Map(), head, 'restore', 'nobody')).rejects.toBeInstanceOf(HeadMoved);
    const restored = await store.append(branch, put({ b: 'new' }), head, 'restore', first);
    expect(await read()).toEqual({
      head: restored,
      files: new Map([
        ['a', 'text 1'],
        ['b', 'new'],
      ]),
    });
  });

  it('has another head with each other damage', async () => {
    await appendAll(1, () => put({ a: '1' }));
    const heads = new Set<string | null>();
    for (const text of ['torn', 'torn again', '']) {
      await writeFile(commitFile(1), text);
      heads.add(await store.head(branch));
    }
    expect(heads).toHaveLength(3);
  });

  it('of an older commit is told when that one is asked for', async () => {
    const [first = ''] = await appendAll(2, (i) => put({ a: `text ${i}` }));
    const file = await packOf(1);
    await rm(file);
    await expect(store.readAt?.(branch, first)).rejects.toMatchObject(damage('a file that commit 1 names is missing'));
    await mkdir(file);
    await expect(store.readAt?.(branch, first)).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect((await store.read(branch))?.files.get('a')).toBe('text 2');
  });

  it('of an older commit keeps nothing from being tidied, and no text of it that another may name', async () => {
    await appendAll(1, () => put({ a: 'first' }));
    const [firstText] = await texts();
    await appendAll(30, (i) => put({ a: String(i) }));
    await writeFile(commitFile(2), 'torn');
    await writeFile(path.join(home(), 'texts', 'lost.1'), 'x');
    await utimes(path.join(home(), 'texts', 'lost.1'), ago(7_200_000), ago(7_200_000));
    await appendAll(1, () => put({ a: 'last' }));
    expect(await texts()).not.toContain('lost.1');
    // The one after it cannot be read, so nobody knows which texts of the first are still named.
    await appendAll(2, (i) => put({ a: `more ${i}` }));
    expect([(await commits())[0], (await texts()).includes(firstText ?? '')]).toEqual(['000000003', true]);
  });

  it('is no disk that cannot be read: that is told as what it is, and nothing is concluded', async () => {
    await appendAll(2, (i) => put({ a: String(i) }));
    await rm(commitFile(2));
    await mkdir(commitFile(2));
    const refused = { code: 'LEDGER_REFUSED', detail: expect.stringContaining('EISDIR') };
    await expect(store.read(branch)).rejects.toMatchObject(refused);
    await expect(store.head(branch)).rejects.toMatchObject(refused);
    await expect(store.history?.(branch)).rejects.toMatchObject(refused);
  });

  it('of the place is told with its reason', async () => {
    await appendAll(1, () => put({ a: '1' }));
    await rm(path.join(home(), 'commits'), { recursive: true });
    await writeFile(path.join(home(), 'commits'), 'a file in the way');
    await expect(read()).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('ENOTDIR') });
  });
});

describe('the branches of a folder', () => {
  it('are listed in order, and nothing that is none of them', async () => {
    for (const scope of ['pr-2', 'pr-1', 'pr-3']) await store.append(receiptsBranch('preview', scope), put({ a: '1' }), null, 'first');
    for (const name of ['notes', 'refs,heads,pilotfish-receipts,preview,=zz', 'xrefs,heads,pilotfish-receipts,preview,pr-9'])
      await mkdir(path.join(folder, name), { recursive: true });
    await mkdir(path.join(folder, 'refs,heads,pilotfish-receipts,preview,empty'));
    expect((await store.list(receiptsOf('preview'))).map((one) => one.branch)).toEqual(
      ['pr-1', 'pr-2', 'pr-3'].map((s) => receiptsBranch('preview', s)),
    );
  });

  it('have folders that any file system can hold, whatever their names are', async () => {
    const strange = 'refs/heads/Größe,und=mehr 🐟';
    const head = await store.append(strange, put({ a: '1' }), null, 'first');
    expect((await store.read(strange))?.head).toBe(head);
    expect(await store.list('refs/heads/Gr')).toEqual([{ branch: strange, head }]);
    for (const name of await readdir(folder)) expect(name).toMatch(/^[a-z0-9._%,=-]+$/);
  });

  it('are gone when they are removed, and may begin anew', async () => {
    await appendAll(3, (i) => put({ a: String(i) }));
    const head = await store.head(branch);
    await expect(store.remove?.(branch, 'another')).rejects.toBeInstanceOf(HeadMoved);
    await store.remove?.(branch, head ?? '');
    expect([await store.read(branch), await store.head(branch), await store.list(receiptsOf('preview'))]).toEqual([null, null, []]);
    expect([await commits(), await texts()]).toEqual([['000000004'], []]);
    expect(JSON.parse(await readFile(commitFile(4), 'utf8'))).toMatchObject({ message: 'removed', removed: true, parent: head });
    expect(await store.readAt?.(branch, head ?? '')).toBeNull();
    await store.append(branch, put({ b: '1' }), null, 'anew');
    expect((await store.read(branch))?.files).toEqual(new Map([['b', '1']]));
    expect(await store.history?.(branch)).toHaveLength(1);
  });

  it('and locks are counted apart', async () => {
    await store.append(lockBranch('x'), put({ a: '1' }), null, 'lock');
    await store.read(lockBranch('x'));
    await store.read(branch);
    await store.read(branch);
    const head = await store.append(branch, put({ a: '1' }), null, 'first');
    await store.remove?.(branch, head);
    expect(store.stats).toEqual({ fetches: 2, pushes: 2, lockPushes: 1 });
  });

  it('are remembered beside the folder, and locks are not', async () => {
    const head = await store.append(branch, put({ a: '1' }), null, 'first');
    await store.append(lockBranch('x'), put({ a: '1' }), null, 'lock');
    expect(await store.remembered?.(branch)).toMatchObject({ head });
    expect(await store.remembered?.(lockBranch('x'))).toBeNull();
    await store.remove?.(branch, head);
    expect(await store.remembered?.(branch)).toBeNull();
  });

  it('are given by the start of a head, the newest that has it', async () => {
    const heads = await appendAll(12, (i) => put({ a: String(i) }));
    expect((await store.readAt?.(branch, ''))?.head).toBe(heads.at(-1));
    expect((await store.readAt?.(branch, heads[3]?.slice(0, 12) ?? ''))?.files.get('a')).toBe('4');
  });

  it('that were never there cannot be removed', async () => {
    await expect(store.remove?.(branch, 'x')).rejects.toBeInstanceOf(HeadMoved);
    expect(await store.head(branch)).toBeNull();
  });
});
