import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { HeadMoved, type Store } from '../../src/ledger/stores/store.ts';
import { openAt, type S3Place } from './s3-place.ts';
import { type Fate, type S3Proxy, startS3Proxy } from './s3-proxy.ts';

const branch = receiptsBranch('preview', 'pr-1');
const one = (text: string): ReadonlyMap<string, string> => new Map([['a', text]]);

/** Every fate of a request, and whether its effect stands. */
const fates: readonly Fate[] = ['before', 'after', 'late', 'twice', 'landed-500', 503, 500];

/** What a ledger in S3 keeps to where a proxy cuts, delays and repeats requests. `isWhole`: the long race too. */
export function describeS3Trouble(name: string, start: () => Promise<S3Place>, { writes }: { readonly writes: number }): void {
  describe(`a ledger in ${name} behind a proxy`, () => {
    let place: S3Place;
    let proxy: S3Proxy;
    let worlds = 0;
    beforeAll(async () => {
      place = await start();
      proxy = await startS3Proxy(place.port);
    }, 180_000);
    afterAll(async () => {
      for (const store of opened) await store.close();
      await proxy?.stop();
      await place?.stop();
    });
    const opened: Store[] = [];
    const open = async (prefix: string): Promise<Store> => {
      const store = await openAt(place, { port: proxy.port, prefix });
      opened.push(store);
      return store;
    };
    const world = (): string => {
      proxy.judge(() => null);
      worlds += 1;
      return `trouble-${worlds}`;
    };
    describe.each(fates)('that lets a write have the fate %s', (fate) => {
      it('makes a branch, moves it and removes it once each', async () => {
        const prefix = world();
        const [here, there] = [await open(prefix), await open(prefix)];
        proxy.onNextCommit({ fate });
        const first = await here.append(branch, one('1'), null, 'first');
        expect(await there.read(branch)).toMatchObject({ head: first, files: one('1') });
        proxy.onNextCommit({ fate });
        const second = await here.append(branch, one('2'), first, 'second');
        expect(await there.read(branch)).toMatchObject({ head: second, files: one('2'), parent: first });
        expect(await there.history?.(branch)).toEqual([second, first]);
        proxy.onNextCommit({ fate });
        await here.remove(branch, second);
        expect(await there.read(branch)).toBeNull();
        proxy.onNextCommit({ fate });
        const anew = await there.append(branch, one('3'), null, 'anew');
        expect(await here.read(branch)).toMatchObject({ head: anew, files: one('3') });
      });

      it('tells the loser of a race that it lost', async () => {
        const prefix = world();
        const [here, there] = [await open(prefix), await open(prefix)];
        const first = await here.append(branch, one('1'), null, 'first');
        expect((await there.read(branch))?.head).toBe(first);
        const second = await there.append(branch, one('2'), first, 'second');
        proxy.onNextCommit({ fate });
        await expect(here.append(branch, one('late'), first, 'late')).rejects.toBeInstanceOf(HeadMoved);
        expect(await there.read(branch)).toMatchObject({ head: second, files: one('2') });
      });
    });

    it('says that nobody knows where a write landed and nothing can be looked up after it', async () => {
      const prefix = world();
      const store = await open(prefix);
      const head = await store.append(branch, one('1'), null, 'first');
      let isLost = false;
      proxy.judge(({ method, target }) => {
        if (!target.includes('/branches/')) return null;
        if (isLost) return method === 'GET' ? { fate: 503 } : null;
        isLost = true;
        return { fate: 'after' };
      });
      const thrown = await store.append(branch, one('2'), head, 'second').catch((error: unknown) => error);
      expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('nobody knows whether it landed') });
      proxy.judge(() => null);
      expect((await store.read(branch))?.files).toEqual(one('2'));
    });

    it('proves its conditions where a request is repeated on its way', async () => {
      const prefix = world();
      let left = 3;
      proxy.judge(({ method, target }) => (method === 'PUT' && target.includes('/probe/') && left-- > 0 ? { fate: 'twice' } : null));
      const store = await open(prefix);
      const head = await store.append(branch, one('1'), null, 'first');
      expect(await store.head(branch)).toBe(head);
    });

    it('keeps a large branch whole, whatever happens to its texts', async () => {
      const prefix = world();
      const [here, there] = [await open(prefix), await open(prefix)];
      const random = seeded(7);
      proxy.judge(() => (random() < 0.2 ? { fate: fates[Math.floor(random() * fates.length)] ?? 'after' } : null));
      let head: string | null = null;
      for (let i = 0; i < 6; i += 1) {
        const texts = new Map([
          ['large', `${i}`.repeat(300_000)],
          ['small', `${i}`],
        ]);
        head = await appended(here, texts, head);
        const tree = await eventually(() => there.read(branch));
        expect(tree?.head).toBe(head);
        expect([tree?.files.get('small'), tree?.files.get('large')?.slice(0, 2)]).toEqual([`${i}`, `${i}${i}`]);
      }
      proxy.judge(() => null);
      expect(await here.history?.(branch)).toContain(head);
    });

    it(`loses none of ${writes} writes of four machines and doubles none`, { timeout: 300_000 }, async () => {
      const prefix = world();
      const machines = await Promise.all([0, 1, 2, 3].map(() => open(prefix)));
      const random = seeded(42);
      proxy.judge(() => (random() < 0.15 ? { fate: fates[Math.floor(random() * fates.length)] ?? 'after' } : null));
      const done: string[] = [];
      const unknown: string[] = [];
      await Promise.all(
        machines.map(async (store, machine) => {
          for (let i = 0; i < writes / machines.length; i += 1) {
            const mark = `${machine}-${i}`;
            const outcome = await addOnce(store, mark);
            if (outcome === 'done') done.push(mark);
            else unknown.push(mark);
          }
        }),
      );
      proxy.judge(() => null);
      const lines = ((await (await open(prefix)).read(branch))?.files.get('log') ?? '').split('\n').filter((line) => line !== '');
      expect(new Set(lines).size).toBe(lines.length);
      expect(done.filter((mark) => !lines.includes(mark))).toEqual([]);
      expect(lines.filter((mark) => !done.includes(mark) && !unknown.includes(mark))).toEqual([]);
      expect(done.length).toBeGreaterThan(writes * 0.9);
      console.log(
        `${name}: ${writes} writes, ${done.length} told as done, ${unknown.length} left open, ${proxy.passed()} requests, 0 lost, 0 doubled`,
      );
    });
  });
}

/** Adds a line to a log that everybody adds to. `open`: nobody knows whether the line is there. */
async function addOnce(store: Store, mark: string): Promise<'done' | 'open'> {
  for (;;) {
    const tree = await eventually(() => store.read(branch));
    try {
      await store.append(branch, new Map([['log', `${tree?.files.get('log') ?? ''}${mark}\n`]]), tree?.head ?? null, mark);
      return 'done';
    } catch (thrown) {
      if (thrown instanceof HeadMoved) continue;
      if (thrown instanceof Failure && /nobody knows/.test(thrown.detail)) return 'open';
      if (!(thrown instanceof Failure)) throw thrown;
    }
  }
}

/** A read that fails is asked again: the proxy gives up on some for longer than a run would wait. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'LEDGER_REFUSED' || tries >= 20) throw thrown;
    }
  }
}

async function appended(store: Store, texts: ReadonlyMap<string, string>, expected: string | null): Promise<string> {
  for (;;) {
    const tree = await eventually(() => store.read(branch));
    if (tree && tree.files.get('small') === texts.get('small')) return tree.head;
    expect(tree?.head ?? null).toBe(expected);
    const head = await store.append(branch, texts, tree?.head ?? null, 'next').catch((thrown: unknown) => {
      if (thrown instanceof Failure) return null;
      throw thrown;
    });
    if (head !== null) return head;
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
