import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

const file = (): string => path.join(folder, 'heads,pilotfish-receipts,preview,pr-1');
const names = async (): Promise<readonly string[]> => (await readdir(folder)).sort();
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

describe('the file of a branch', () => {
  it('is all that a first append leaves: a line with a digest, a line with paths and sizes, and the texts', async () => {
    const [head] = await appendAll(1, () => put({ b: '2', a: 'ö' }));
    expect(await names()).toEqual([path.basename(file())]);
    const [top = '', index = '', texts] = (await readFile(file(), 'utf8')).split('\n');
    expect(JSON.parse(top)).toEqual({ v: 2, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const files = [
      ['a', 2],
      ['b', 1],
    ];
    expect(JSON.parse(index)).toEqual({ head, message: 'commit 1', number: 1, branch: `refs/heads/${branch}`, files, older: [] });
    expect(texts).toBe('ö2');
    expect([store.kind, store.location]).toEqual(['local', folder]);
  });

  it('has the file before beside it, and nothing else, however often it is written', async () => {
    await appendAll(2, (i) => put({ a: String(i) }));
    const before = await readFile(file());
    await appendAll(1, () => put({ a: '3' }));
    expect(await names()).toEqual([path.basename(file()), `${path.basename(file())}~before`]);
    expect(await readFile(`${file()}~before`)).toEqual(before);
  });

  it('keeps the last 32 commits, and no others', async () => {
    const heads = await appendAll(40, (i) => put({ a: `text ${i}`, ...(i === 1 && { b: 'stays' }) }));
    expect(await store.history?.(branch)).toEqual(heads.slice(8).reverse());
    expect((await store.read(branch))?.files).toEqual(
      new Map([
        ['a', 'text 40'],
        ['b', 'stays'],
      ]),
    );
    expect(await store.readAt?.(branch, heads[7] ?? '')).toBeNull();
    expect((await store.readAt?.(branch, heads[8] ?? ''))?.files.get('a')).toBe('text 9');
  });

  it('keeps what was restored for as long as it is the newest, whatever becomes of the commit it came from', async () => {
    const [first = ''] = await appendAll(2, (i) => put({ a: `text ${i}`, big: 'x'.repeat(500) }));
    await store.append(branch, put({ b: 'restored' }), await store.head(branch), 'restore', first);
    await appendAll(40, (i) => put({ c: String(i) }));
    expect([...((await store.read(branch))?.files ?? [])].map(([name]) => name)).toEqual(['a', 'b', 'big', 'c']);
    expect((await store.read(branch))?.files.get('a')).toBe('text 1');
  });

  it('holds what every append left of what was there before, and every commit as it was', async () => {
    const expected = new Map<string, string>();
    const commits: (readonly [head: string, files: ReadonlyMap<string, string>])[] = [];
    for (let i = 0; i < 300; i += 1) {
      // Some paths come, some come again, and some go; the texts have lengths that differ much.
      const [name, gone] = [`f${(i * 7) % 40}`, `f${(i * 11) % 40}`];
      const text = `${i} 🐟`.repeat(1 + ((i * i) % 90));
      const change = put({ [name]: text, ...(gone !== name && { [gone]: null }) });
      const head = await store.append(branch, change, await store.head(branch), `commit ${i}`);
      expected.set(name, text);
      if (gone !== name) expected.delete(gone);
      commits.push([head, new Map([...expected].sort())]);
      if (i % 20 === 0) expect((await store.read(branch))?.files).toEqual(commits.at(-1)?.[1]);
    }
    for (const [head, files] of commits.slice(-32)) expect(await store.readAt(branch, head)).toMatchObject({ head, files });
  });

  it('grows with an append by what that one changes, and not by what the branch holds', async () => {
    const bytes = async (lines: number): Promise<number> => {
      const own = receiptsBranch('preview', `lines-${lines}`);
      const all = Array.from({ length: lines }, (_, i) => [`records/${i}.json`, 'x'.repeat(100)] as const);
      let head = await store.append(own, new Map(all), null, 'all');
      const written = async (): Promise<number> =>
        (await readFile(path.join(folder, `heads,pilotfish-receipts,preview,lines-${lines}`))).length;
      const before = await written();
      for (let i = 0; i < 8; i += 1) head = await store.append(own, put({ 'lease.json': String(i) }), head, 'one');
      return (await written()) - before;
    };
    const [few, many] = [await bytes(100), await bytes(4_000)];
    expect(many).toBeLessThan(few * 1.1);
  });

  it('has nothing beside it of who lost a race', async () => {
    await appendAll(1, () => put({ a: '1' }));
    const head = await store.head(branch);
    const stores = [1, 2, 3, 4].map(() => openLocalStore({ folder }));
    const ends = await Promise.allSettled(stores.map((one, i) => one.append(branch, put({ b: `by ${i}` }), head, 'race')));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(HeadMoved);
    expect(await names()).toEqual([path.basename(file()), `${path.basename(file())}~before`]);
    expect(await store.history?.(branch)).toHaveLength(2);
  });
});

describe('the lock of a file', () => {
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const lock = (): string => `${file()}~lock`;

  it('is taken over from a process that died, with the draft that it left', async () => {
    const [head = ''] = await appendAll(1, () => put({ a: '1' }));
    await writeFile(lock(), `${ended} 0123456789abcdef ${os.hostname()}`);
    await writeFile(`${file()}~0123456789abcdef`, 'half a dra');
    await store.append(branch, put({ a: '2' }), head, 'second');
    expect(await names()).toEqual([path.basename(file()), `${path.basename(file())}~before`]);
  });

  it('is taken over from a process that died and had the number of this one, as in a container that begins again', async () => {
    await appendAll(1, () => put({ a: '1' }));
    await writeFile(lock(), `${process.pid} 0123456789abcdef ${os.hostname()}`);
    await appendAll(1, () => put({ a: '2' }));
    expect((await store.read(branch))?.files.get('a')).toBe('2');
    expect(await names()).toHaveLength(2);
  });

  it.each([
    ['of a process that was killed before it wrote its name', ''],
    ['of another machine', `1 0123456789abcdef another-host`],
  ])('%s is taken over once it is old', async (_, text) => {
    await appendAll(1, () => put({ a: '1' }));
    await writeFile(lock(), text);
    const waiting = appendAll(1, () => put({ a: '2' }));
    await setTimeout(100);
    expect((await store.read(branch))?.files.get('a')).toBe('1');
    await utimes(lock(), ago(120_000), ago(120_000));
    await waiting;
    expect((await store.read(branch))?.files.get('a')).toBe('2');
    expect(await names()).toHaveLength(2);
  });

  it('is taken over where a living process has the number of a dead holder', async () => {
    await appendAll(1, () => put({ a: '1' }));
    await writeFile(lock(), `${process.ppid} 0123456789abcdef ${os.hostname()}`);
    await utimes(lock(), ago(660_000), ago(660_000));
    await appendAll(1, () => put({ a: '2' }));
    expect((await store.read(branch))?.files.get('a')).toBe('2');
    expect(await names()).toHaveLength(2);
  });

  it('of a process that lives is waited for', async () => {
    await appendAll(1, () => put({ a: '1' }));
    await writeFile(lock(), `${process.ppid} 0123456789abcdef ${os.hostname()}`);
    await utimes(lock(), ago(120_000), ago(120_000));
    const waiting = appendAll(1, () => put({ a: '2' }));
    await setTimeout(100);
    expect((await store.read(branch))?.files.get('a')).toBe('1');
    await rm(lock());
    await waiting;
    expect((await store.read(branch))?.files.get('a')).toBe('2');
  });
});

describe('damage', () => {
  const read = () => store.read(branch);
  const change = async (edit: (text: string) => string): Promise<void> => writeFile(file(), edit(await readFile(file(), 'utf8')));

  it.each<[string, string, () => Promise<unknown>]>([
    ['is half written', 'it was changed after pilotfish wrote it', () => change((text) => text.slice(0, -1))],
    ['is cut off in its first line', 'it is not JSON', () => change((text) => text.slice(0, 20))],
    ['is empty', 'it is not JSON', () => change(() => '')],
    ['is nothing', 'it was changed after pilotfish wrote it', () => change(() => 'null\n')],
    ['has one letter changed', 'it was changed after pilotfish wrote it', () => change((text) => text.replace('text 2', 'text 3'))],
    [
      'tells a version that is no number',
      'it was changed after pilotfish wrote it',
      () => change((text) => text.replace('"v":2', '"v":"x"')),
    ],
    [
      'is of another branch',
      'it belongs to refs/heads/other',
      () => store.append('other', put({}), null, 'x').then(() => rename(path.join(folder, 'heads,other'), file())),
    ],
  ])('of a file that %s is refused, and nothing is built on it', async (_, why, harm) => {
    const [, head = ''] = await appendAll(2, (i) => put({ a: `text ${i}` }));
    await harm();
    await expect(read()).rejects.toMatchObject(damage(why));
    const before = await readFile(file());
    for (const from of [head, await store.head(branch)])
      await expect(store.append(branch, put({ b: '1' }), from, 'on it')).rejects.toMatchObject(damage(why));
    expect(await readFile(file())).toEqual(before);
  });

  it('of a newer version is no damage, and is refused as what it is', async () => {
    await appendAll(2, (i) => put({ a: `text ${i}` }));
    await change((text) => text.replace('"v":2', '"v":3'));
    await expect(read()).rejects.toMatchObject({ code: 'LEDGER_VERSION', detail: expect.stringContaining('of version 3') });
  });

  it('has a head of its own, and an older commit can be put in its place', async () => {
    const [first, second] = await appendAll(3, (i) => put({ a: `text ${i}` }));
    await writeFile(file(), 'torn');
    const head = await store.head(branch);
    expect(head).toMatch(/^damaged-[0-9a-f]{32}$/);
    expect(await store.history?.(branch)).toEqual([second, first]);
    await expect(store.append(branch, new Map(), head, 'restore', 'nobody')).rejects.toBeInstanceOf(HeadMoved);
    const restored = await store.append(branch, put({ b: 'new' }), head, 'restore', first);
    expect(await read()).toMatchObject({
      head: restored,
      files: new Map([
        ['a', 'text 1'],
        ['b', 'new'],
      ]),
    });
    expect(await store.history?.(branch)).toEqual([restored, second, first]);
    expect((await store.readAt(branch, second ?? ''))?.files.get('a')).toBe('text 2');
    expect(store.lost?.(branch)).toBeNull();
  });

  it('has another head with each other damage', async () => {
    await appendAll(1, () => put({ a: '1' }));
    const heads = new Set<string | null>();
    for (const text of ['torn', 'torn again', '']) {
      await writeFile(file(), text);
      heads.add(await store.head(branch));
    }
    expect(heads).toHaveLength(3);
  });

  it('of the file before, too, leaves no older commit', async () => {
    const [first = ''] = await appendAll(2, (i) => put({ a: String(i) }));
    for (const one of [file(), `${file()}~before`]) await writeFile(one, 'torn');
    expect([await store.history?.(branch), await store.readAt(branch, first)]).toEqual([[], null]);
  });

  it('is no disk that cannot be read: that is told as what it is, and nothing is concluded', async () => {
    await mkdir(file(), { recursive: true });
    const refused = { code: 'LEDGER_REFUSED', detail: expect.stringContaining('EISDIR') };
    await expect(store.read(branch)).rejects.toMatchObject(refused);
    await expect(store.head(branch)).rejects.toMatchObject(refused);
    await expect(store.history?.(branch)).rejects.toMatchObject(refused);
    await expect(store.append(branch, put({ a: '1' }), null, 'first')).rejects.toMatchObject(refused);
  });

  it('of the place is told with its reason', async () => {
    await writeFile(folder, 'a file in the way');
    await expect(read()).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('ENOTDIR') });
  });
});

describe('the branches of a folder', () => {
  it('are listed in order, and nothing that is none of them', async () => {
    for (const scope of ['pr-2', 'pr-1', 'pr-3']) await store.append(receiptsBranch('preview', scope), put({ a: '1' }), null, 'first');
    for (const name of ['notes', 'heads,pilotfish-receipts,preview,=zz', 'xheads,pilotfish-receipts,preview,pr-9'])
      await mkdir(path.join(folder, name), { recursive: true });
    for (const name of ['pr-1~lock', 'pr-9~before']) await writeFile(path.join(folder, `heads,pilotfish-receipts,preview,${name}`), 'x');
    await mkdir(path.join(folder, 'refs,heads,pilotfish-receipts,preview,empty'));
    expect((await store.list(receiptsOf('preview'))).map((one) => one.branch)).toEqual(
      ['pr-1', 'pr-2', 'pr-3'].map((s) => receiptsBranch('preview', s)),
    );
  });

  it('have files that any file system can hold, whatever their names are', async () => {
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
    expect(await names()).toEqual([]);
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

  it('that an older backup was put in the place of tell so, however many commits they have', async () => {
    const heads = await appendAll(40, (i) => put({ a: String(i) }));
    const backup = await readFile(file());
    const newest = await store.append(branch, put({ a: 'newest' }), heads.at(-1) ?? null, 'newest');
    await writeFile(file(), backup);
    expect((await store.read(branch))?.head).toBe(heads.at(-1));
    expect(store.lost?.(branch)).toMatchObject({ known: { head: newest } });
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
