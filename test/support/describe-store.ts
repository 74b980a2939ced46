import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { lockBranch, receiptsBranch, receiptsOf } from '../../src/ledger/model/names.ts';
import { readAll } from '../../src/ledger/stores/read-all.ts';
import { HeadMoved, type Store } from '../../src/ledger/stores/store.ts';

/** One place that ledgers are kept in. Every `open` acts as another machine. */
export interface StoreWorld {
  open(): Promise<Store>;
  /** A store of the same kind whose place cannot be reached or used. */
  openUnreachable(): Promise<Store>;
  /** Makes the next append take effect and lose its answer, with `afterwards` in between; absent where answers cannot be lost. */
  readonly loseNextAnswer?: (afterwards?: () => Promise<void>) => void;
  close(): Promise<void>;
}

const branch = receiptsBranch('preview', 'pr-1');

/** The contract of `src/ledger/stores/store.ts`. Every store passes it; what a store cannot do is left out with its reason. */
export function describeStore(
  name: string,
  make: () => Promise<StoreWorld>,
  without: { readonly lostAnswers?: string; readonly smallAppends?: string } = {},
): void {
  describe(`the ${name} store`, () => {
    let world: StoreWorld;
    let opened: Store[];
    const open = async (): Promise<Store> => {
      const store = await world.open();
      opened.push(store);
      return store;
    };
    beforeEach(async () => {
      world = await make();
      opened = [];
    });
    afterEach(async () => {
      for (const store of opened) await store.close();
      await world.close();
    });

    it('reads an absent branch as null', async () => {
      const store = await open();
      expect(await store.read(branch)).toBeNull();
      expect(await store.head(branch)).toBeNull();
      expect(await store.list(receiptsOf('preview'))).toEqual([]);
    });

    it('creates a branch that another machine reads', async () => {
      const [here, there] = [await open(), await open()];
      const head = await here.append(branch, changes({ 'records/ab/1.json': '{"a":1}', 'lease.json': '{}' }), null, 'first');
      expect(await there.read(branch)).toMatchObject({
        head,
        files: new Map([
          ['lease.json', '{}'],
          ['records/ab/1.json', '{"a":1}'],
        ]),
      });
      expect(await there.head(branch)).toBe(head);
      expect((await here.read(branch))?.head).toBe(head);
    });

    it('refuses a second creation and changes nothing', async () => {
      const [here, there] = [await open(), await open()];
      const head = await here.append(branch, changes({ a: 'here' }), null, 'first');
      await expect(there.append(branch, changes({ a: 'there' }), null, 'first')).rejects.toBeInstanceOf(HeadMoved);
      expect(await there.read(branch)).toMatchObject({ head, files: new Map([['a', 'here']]) });
    });

    it('refuses an append to a stale head and changes nothing', async () => {
      const [here, there] = [await open(), await open()];
      const first = await here.append(branch, changes({ a: '1' }), null, 'first');
      expect((await there.read(branch))?.head).toBe(first);
      const second = await here.append(branch, changes({ a: '2' }), first, 'second');
      await expect(there.append(branch, changes({ b: 'stale' }), first, 'late')).rejects.toBeInstanceOf(HeadMoved);
      await expect(here.append(branch, changes({ b: 'stale' }), first, 'late')).rejects.toBeInstanceOf(HeadMoved);
      for (const store of [here, there]) expect(await store.read(branch)).toMatchObject({ head: second, files: new Map([['a', '2']]) });
    });

    it('refuses an append to a branch that does not exist', async () => {
      const [here, there] = [await open(), await open()];
      const head = await here.append(branch, changes({ a: '1' }), null, 'first');
      const other = receiptsBranch('preview', 'pr-2');
      await expect(there.append(other, changes({ a: '1' }), head, 'wrong branch')).rejects.toBeInstanceOf(HeadMoved);
      expect(await there.read(other)).toBeNull();
    });

    it('lets exactly one of two equal appends win', async () => {
      const stores = [await open(), await open(), await open()];
      const outcomes = await Promise.allSettled(stores.map((store) => store.append(branch, changes({ a: 'same' }), null, 'same')));
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    });

    it('keeps the change of every winner of a race', async () => {
      const stores = [await open(), await open()];
      const appends = Array.from({ length: 8 }, async (_, i) => addOne(stores[i % 2] ?? (await open()), i));
      await Promise.all(appends);
      for (const store of stores) {
        const files = (await store.read(branch))?.files;
        expect(files?.get('sum')).toBe('8');
        expect([...(files?.keys() ?? [])].filter((path) => path.startsWith('by/'))).toHaveLength(8);
      }
    });

    it('moves the head with every append, also one that changes nothing', async () => {
      const store = await open();
      const first = await store.append(branch, changes({ a: '1' }), null, 'first');
      const second = await store.append(branch, changes({ a: '1' }), first, 'again');
      const third = await store.append(branch, new Map(), second, 'nothing');
      expect(new Set([first, second, third]).size).toBe(3);
      expect(await store.read(branch)).toMatchObject({ head: third, files: new Map([['a', '1']]) });
    });

    it('removes paths, also the last one of a folder and of the branch', async () => {
      const [here, there] = [await open(), await open()];
      const first = await here.append(
        branch,
        changes({ 'records/ab/1': '1', 'records/ab/2': '2', 'records/cd/3': '3', a: 'a' }),
        null,
        'first',
      );
      const second = await here.append(branch, changes({ 'records/ab/1': null, 'records/cd/3': null, 'not/there': null }), first, 'fewer');
      expect([...((await there.read(branch))?.files.keys() ?? [])]).toEqual(['a', 'records/ab/2']);
      const third = await here.append(branch, changes({ 'records/ab/2': null, a: null }), second, 'none');
      expect(await there.read(branch)).toMatchObject({ head: third, files: new Map() });
      await there.append(branch, changes({ 'records/ab/9': '9' }), third, 'again');
      expect((await here.read(branch))?.files).toEqual(new Map([['records/ab/9', '9']]));
    });

    it('keeps strange scopes apart', async () => {
      const store = await open();
      const scopes = ['feat', 'feat/x', 'feat-x', 'FEAT', 'con', '..', '%2f', '_history', 'Ünï/日本', 'x'.repeat(300)];
      const heads = new Map<string, string>();
      for (const scope of scopes) {
        const own = receiptsBranch('preview', scope);
        heads.set(own, await store.append(own, changes({ scope }), null, scope));
      }
      const other = await open();
      for (const scope of scopes) expect((await other.read(receiptsBranch('preview', scope)))?.files.get('scope')).toBe(scope);
      const listed = await other.list(receiptsOf('preview'));
      expect(new Map(listed.map((entry) => [entry.branch, entry.head]))).toEqual(heads);
    });

    it('lists by prefix, in the form of the prefix', async () => {
      const store = await open();
      const names = [receiptsBranch('preview', 'pr-1'), receiptsBranch('preview', 'pr-12'), receiptsBranch('preview2', 'pr-1')];
      for (const own of names) await store.append(own, changes({ a: '1' }), null, 'first');
      const lock = lockBranch('auth0/client/1');
      const head = await store.append(lock, changes({ 'lock.json': '{}' }), null, 'lock');
      const listed = async (prefix: string): Promise<readonly string[]> => (await store.list(prefix)).map((entry) => entry.branch);
      expect(await listed(receiptsOf('preview'))).toEqual(names.slice(0, 2));
      expect(await listed('pilotfish-receipts/preview/pr-12')).toEqual([names[1]]);
      expect(await listed('refs/heads/pilotfish-receipts/')).toEqual(names.map((own) => `refs/heads/${own}`));
      expect(await store.list('refs/pilotfish/locks/')).toEqual([{ branch: lock, head }]);
      expect((await (await open()).read(lock))?.files).toEqual(new Map([['lock.json', '{}']]));
    });

    it('reads all branches of a prefix as it reads each alone, as one fetch', async () => {
      const store = await open();
      const own = ['a', 'b', 'c d', 'é'].map((scope) => receiptsBranch('preview', scope)).sort();
      for (const one of own) await store.append(one, changes({ 'records/aa/x.json': one, 'history.jsonl': 'línea\n' }), null, 'first');
      await store.append(receiptsBranch('preview2', 'a'), changes({ a: '1' }), null, 'of another environment');
      const only = await store.append(
        own[1] ?? '',
        changes({ 'records/aa/x.json': null, 'history.jsonl': null }),
        (await store.head(own[1] ?? '')) ?? '',
        'empty',
      );
      const fresh = await open();
      const found = await gathered(readAll(fresh, receiptsOf('preview')));
      expect(fresh.stats.fetches).toBe(1);
      expect(found.map(({ branch: name }) => name)).toEqual(own);
      for (const one of found) {
        const alone = await fresh.read(one.branch);
        expect('tree' in one && { ...one.tree, files: [...one.tree.files] }).toEqual(alone && { ...alone, files: [...alone.files] });
      }
      expect(found.flatMap((one) => ('tree' in one && one.branch === own[1] ? [one.tree.head, one.tree.files.size] : []))).toEqual([
        only,
        0,
      ]);
      expect((await gathered(readAll(fresh, 'refs/heads/pilotfish-receipts/'))).length).toBe(own.length + 1);
      expect(await gathered(readAll(fresh, receiptsOf('nowhere')))).toEqual([]);
    });

    it('takes a short name and a full ref for the same branch', async () => {
      const store = await open();
      const head = await store.append(branch, changes({ a: '1' }), null, 'first');
      expect((await store.read(`refs/heads/${branch}`))?.head).toBe(head);
      expect(await store.append(`refs/heads/${branch}`, changes({ a: '2' }), head, 'second')).toBe(await store.head(branch));
    });

    it('gives back every text as it was written', async () => {
      const store = await open();
      const texts = {
        'größe/日本.json': '{"ö":"日本 🐟"}',
        empty: '',
        bom: '\ufeffx',
        lines: 'a\r\nb\n\n',
        nul: 'a\u0000b',
        long: 'é'.repeat(100_000),
      };
      await store.append(branch, changes(texts), null, 'größe 🐟');
      expect((await (await open()).read(branch))?.files).toEqual(new Map(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1))));
    });

    it('refuses a path that leaves the branch', async () => {
      const store = await open();
      for (const path of ['../a', '/a', 'a//b', 'a/./b', 'a\\b', '.git/config', '']) {
        const refused = (async () => store.append(branch, changes({ [path]: 'x' }), null, 'bad'))();
        await expect(refused).rejects.toMatchObject({ code: 'INTERNAL' });
      }
      expect(await store.read(branch)).toBeNull();
    });

    const whole = without.smallAppends;
    const large = `appends to a large tree in about the time that it takes with a small one${whole ? ` (skipped: ${whole})` : ''}`;
    it.skipIf(whole !== undefined)(large, { timeout: 60_000 }, async () => {
      const store = await open();
      const many = Array.from(
        { length: 2_000 },
        (_, i) => [`records/${hex(i % 256)}/${i}.json`, JSON.stringify({ i, text: 'x'.repeat(300) })] as const,
      );
      const [first, whole] = await timed(() => store.append(branch, new Map(many), null, 'all'));
      const small = receiptsBranch('preview', 'pr-2');
      let [head, smallHead] = [first, await store.append(small, changes({ a: '1' }), null, 'first')];
      const [times, smallTimes]: [number[], number[]] = [[], []];
      for (let i = 0; i < 5; i += 1) {
        const [next, ms] = await timed(() =>
          store.append(branch, changes({ [`records/07/${i * 256 + 7}.json`]: `{"i":${i}}` }), head, 'one'),
        );
        head = next;
        times.push(ms);
        const [smallNext, smallMs] = await timed(() => store.append(small, changes({ a: String(i) }), smallHead, 'one'));
        smallHead = smallNext;
        smallTimes.push(smallMs);
      }
      const tree = await (await open()).read(branch);
      expect(tree?.files.size).toBe(2_000);
      expect(tree?.files.get('records/07/263.json')).toBe('{"i":1}');
      expect(median(times)).toBeLessThan(whole / 3 + 3 * median(smallTimes));
    });

    it('counts a read as one fetch and an append as one push, locks apart', async () => {
      const store = await open();
      expect(store.stats).toEqual({ fetches: 0, pushes: 0, lockPushes: 0 });
      await store.read(branch);
      await store.append(branch, changes({ a: '1' }), null, 'first');
      await store.append(lockBranch('x'), changes({ a: '1' }), null, 'lock');
      await store.append(lockBranch('x', 'branch'), changes({ a: '1' }), null, 'lock');
      await store.read(lockBranch('x'));
      expect(store.stats).toEqual({ fetches: 1, pushes: 1, lockPushes: 2 });
    });

    it('reads an older commit of the same branch, also by the start of its name', async () => {
      const [here, there] = [await open(), await open()];
      const first = await here.append(branch, changes({ a: '1', 'records/ab/1': '1' }), null, 'first');
      const second = await here.append(branch, changes({ a: '2', 'records/ab/1': null }), first, 'second');
      const third = await here.append(branch, changes({ b: '3' }), second, 'third');
      const files = { a: '1', 'records/ab/1': '1' };
      for (const store of [here, there]) {
        expect(await store.readAt(branch, first)).toMatchObject({ head: first, files: new Map(Object.entries(files)) });
        expect(await store.readAt(branch, second.slice(0, 12))).toMatchObject({ head: second, files: new Map([['a', '2']]) });
        expect((await store.readAt(branch, third))?.files.get('b')).toBe('3');
        expect((await store.read(branch))?.head).toBe(third);
      }
    });

    it('gives no commit that is not in the history of the branch', async () => {
      const store = await open();
      const other = receiptsBranch('preview', 'pr-2');
      await store.append(branch, changes({ a: '1' }), null, 'first');
      const foreign = await store.append(other, changes({ a: 'other' }), null, 'first');
      expect(await store.readAt(branch, foreign)).toBeNull();
      expect(await store.readAt(branch, '0123456789abcdef0123456789abcdef01234567')).toBeNull();
      expect(await store.readAt(receiptsBranch('preview', 'pr-3'), foreign)).toBeNull();
    });

    it('makes a commit of the files of an older one, on top of what is there', async () => {
      const [here, there] = [await open(), await open()];
      const first = await here.append(branch, changes({ a: '1', 'records/ab/1': '1', 'records/cd/2': '2' }), null, 'first');
      const second = await here.append(branch, changes({ a: '2', 'records/ab/1': null, 'records/ef/3': '3' }), first, 'second');
      await expect(there.append(branch, changes({ a: 'x' }), first, 'stale', first)).rejects.toBeInstanceOf(HeadMoved);
      const third = await there.append(branch, changes({ 'records/cd/2': null, b: 'new' }), second, 'restored', first);
      const files = new Map(Object.entries({ a: '1', b: 'new', 'records/ab/1': '1' }));
      for (const store of [here, there]) expect(await store.read(branch)).toMatchObject({ head: third, files });
      expect((await here.readAt(branch, second))?.files.get('records/ef/3')).toBe('3');
      await here.append(branch, changes({ c: '4' }), third, 'on top');
      expect((await there.read(branch))?.files.get('records/ab/1')).toBe('1');
    });

    it('tells the heads of its last commits, the newest first', async () => {
      const store = await open();
      const first = await store.append(branch, changes({ a: '1' }), null, 'first');
      const second = await store.append(branch, changes({ a: '2' }), first, 'second');
      if (store.history === undefined) throw new Error('this store has no history');
      expect(await store.history(branch)).toEqual([second, first]);
      expect(await store.history(receiptsBranch('preview', 'pr-2'))).toEqual([]);
    });

    it('gives a commit that no branch leads to, where it can', async () => {
      const [here, there] = [await open(), await open()];
      if (!there.recall) return;
      const first = await here.append(branch, changes({ a: '1' }), null, 'first');
      const second = await here.append(branch, changes({ a: '2', 'records/ab/1': '2' }), first, 'second');
      await here.remove(branch, second);
      const files = new Map(Object.entries({ a: '2', 'records/ab/1': '2' }));
      expect(await there.recall(second)).toMatchObject({ head: second, files, parent: first });
      expect(await there.recall('0123456789abcdef0123456789abcdef01234567')).toBeNull();
      expect(await there.recall('main')).toBeNull();
    });

    it('tells how the commit that is read came about, and one file of the commits before that', async () => {
      const [here, there] = [await open(), await open()];
      const first = await here.append(branch, changes({ a: '1', b: '1' }), null, 'the first');
      expect(await there.read(branch)).toMatchObject({ parent: null, message: expect.stringContaining('the first') });
      const second = await here.append(branch, changes({ a: null }), first, 'the second');
      const third = await here.append(branch, changes({ a: '3' }), second, 'the third\n\nSeal x y');
      expect(await there.read(branch)).toMatchObject({ parent: second, message: expect.stringMatching(/^the third\n\nSeal x y(\n|$)/) });
      if (!there.past) {
        expect(await there.readAt(branch, second)).toMatchObject({ parent: first, message: 'the second' });
        expect(await there.readAt(branch, first)).toMatchObject({ parent: null, message: 'the first' });
        return;
      }
      const commits = [
        { head: third, parent: second, text: '3' },
        { head: second, parent: first, text: undefined },
        { head: first, parent: null, text: '1' },
      ];
      expect(await there.past(branch, 'a', 50)).toMatchObject({ commits, isAll: true });
      expect(await (await open()).past?.(branch, 'a', 2)).toMatchObject({ commits: commits.slice(0, 2), isAll: false });
      expect(await there.past(receiptsBranch('preview', 'pr-2'), 'a', 50)).toEqual({ commits: [], isAll: true });
    });

    it('removes a branch, which another machine then sees as absent and can begin anew', async () => {
      const [here, there] = [await open(), await open()];
      const first = await here.append(branch, changes({ a: '1' }), null, 'first');
      const head = await here.append(branch, changes({ a: '2' }), first, 'second');
      expect((await there.read(branch))?.head).toBe(head);
      await here.remove(branch, head);
      for (const store of [here, there]) {
        expect(await store.read(branch)).toBeNull();
        expect(await store.head(branch)).toBeNull();
        expect(await store.list(receiptsOf('preview'))).toEqual([]);
        expect(await store.readAt(branch, first)).toBeNull();
      }
      await expect(there.append(branch, changes({ a: '3' }), head, 'late')).rejects.toBeInstanceOf(HeadMoved);
      const anew = await there.append(branch, changes({ b: '1' }), null, 'anew');
      expect(await here.read(branch)).toMatchObject({ head: anew, files: new Map([['b', '1']]) });
    });

    it('removes no branch that moved, and none twice', async () => {
      const [here, there] = [await open(), await open()];
      const first = await here.append(branch, changes({ a: '1' }), null, 'first');
      const second = await there.append(branch, changes({ a: '2' }), first, 'second');
      await expect(here.remove(branch, first)).rejects.toBeInstanceOf(HeadMoved);
      expect((await here.read(branch))?.head).toBe(second);
      const removals = await Promise.allSettled([here.remove(branch, second), there.remove(branch, second)]);
      expect(removals.map((removal) => removal.status).sort()).toEqual(['fulfilled', 'rejected']);
      await expect(here.remove(branch, second)).rejects.toBeInstanceOf(HeadMoved);
      expect(await there.read(branch)).toBeNull();
    });

    it('lets exactly one of an append and a removal win', async () => {
      const [here, there] = [await open(), await open()];
      const head = await here.append(branch, changes({ a: '1' }), null, 'first');
      const [removal, append] = await Promise.allSettled([
        here.remove(branch, head),
        there.append(branch, changes({ a: '2' }), head, 'second'),
      ]);
      expect([removal.status, append.status].sort()).toEqual(['fulfilled', 'rejected']);
      const now = (await here.read(branch))?.files.get('a') ?? null;
      expect(now).toBe(append.status === 'fulfilled' ? '2' : null);
    });

    it('says so when the place of the ledger cannot be reached', async () => {
      const store = await world.openUnreachable();
      opened.push(store);
      for (const attempt of [() => store.read(branch), () => store.append(branch, changes({ a: '1' }), null, 'first')]) {
        const thrown = await attempt().catch((error: unknown) => error);
        expect(thrown).toBeInstanceOf(Failure);
        expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED' });
        expect(String(thrown)).toContain(store.location);
      }
    });

    const reason = without.lostAnswers;
    describe.skipIf(reason !== undefined)(`when the answer to an append is lost${reason ? ` (skipped: ${reason})` : ''}`, () => {
      const lose = (afterwards?: () => Promise<void>): void => {
        if (world.loseNextAnswer === undefined) throw new Error('this world cannot lose an answer');
        world.loseNextAnswer(afterwards);
      };

      it('knows that the append landed, once', async () => {
        const [here, there] = [await open(), await open()];
        const first = await here.append(branch, changes({ a: '1' }), null, 'first');
        lose();
        const second = await here.append(branch, changes({ a: '2' }), first, 'second');
        expect(await there.read(branch)).toMatchObject({ head: second, files: new Map([['a', '2']]) });
        await here.append(branch, changes({ a: '3' }), second, 'third');
        expect((await there.read(branch))?.files.get('a')).toBe('3');
      });

      it('knows that a removal landed', async () => {
        const store = await open();
        const head = await store.append(branch, changes({ a: '1' }), null, 'first');
        lose();
        await store.remove(branch, head);
        expect(await store.read(branch)).toBeNull();
      });

      it('knows it also when the branch was created by it', async () => {
        const store = await open();
        lose();
        const head = await store.append(branch, changes({ a: '1' }), null, 'first');
        expect(await store.head(branch)).toBe(head);
      });

      it('knows it also when another machine has built on it meanwhile', async () => {
        const [here, there] = [await open(), await open()];
        const first = await here.append(branch, changes({ a: '1' }), null, 'first');
        lose(async () => {
          const head = await there.head(branch);
          await there.append(branch, changes({ b: '1' }), head, 'on top');
        });
        await here.append(branch, changes({ a: '2' }), first, 'second');
        expect((await here.read(branch))?.files).toEqual(
          new Map([
            ['a', '2'],
            ['b', '1'],
          ]),
        );
      });
    });
  });
}

/** Adds one to a sum that everybody changes, and leaves a mark of its own. */
async function addOne(store: Store, by: number): Promise<void> {
  for (;;) {
    const tree = await store.read(branch);
    const sum = Number(tree?.files.get('sum') ?? 0) + 1;
    try {
      await store.append(branch, changes({ sum: String(sum), [`by/${by}`]: 'x' }), tree?.head ?? null, `add ${by}`);
      return;
    } catch (thrown) {
      if (!(thrown instanceof HeadMoved)) throw thrown;
    }
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

const changes = (texts: { readonly [path: string]: string | null }): ReadonlyMap<string, string | null> => new Map(Object.entries(texts));
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const hex = (value: number): string => value.toString(16).padStart(2, '0');

async function gathered<T>(from: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
}
