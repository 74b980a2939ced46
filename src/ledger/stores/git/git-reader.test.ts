import { expect, it } from 'vitest';
import { freshGitCache, type GitCache } from './git-cache.ts';
import { gitObject } from './git-object.ts';
import { GitReader } from './git-reader.ts';

/** Git hands its answer on in pieces, so the large text comes in several of them. */
const texts = ['', 'one\n', '\n\n\n', 'x'.repeat(300_000), `${'0'.repeat(40)} blob 3\nabc`].map((text) => Buffer.from(text));
const blobs = texts.map((text) => gitObject('blob', text, 'sha1'));
const oids = blobs.map(({ oid }) => oid);
const absent = 'f'.repeat(40);

async function withReader(act: (reader: GitReader, cache: GitCache) => Promise<void>): Promise<void> {
  const cache = await freshGitCache(process.env, 'sha1');
  await cache.put(blobs);
  const reader = new GitReader(cache);
  try {
    await act(reader, cache);
  } finally {
    await reader.close();
    await cache.remove();
  }
}

it('many questions at once get their own answers, and an object that is not here is none', async () => {
  await withReader(async (reader) => {
    const asked = Array.from({ length: 200 }, (_, n) => [oids[n % oids.length] ?? '', absent, oids[(n * 3 + 1) % oids.length] ?? '']);
    const [contents, sizes] = await Promise.all([
      Promise.all(asked.map((some) => reader.contents(some, 1_000_000))),
      Promise.all(asked.map((some) => reader.sizes(some))),
    ]);
    for (const [n, some] of asked.entries()) {
      const own = new Map(some.filter((oid) => oid !== absent).map((oid) => [oid, texts[oids.indexOf(oid)]]));
      expect(contents[n]).toEqual(own);
      expect(sizes[n]).toEqual(new Map([...own].map(([oid, text]) => [oid, text?.length])));
    }
  });
});

it('objects with more bytes than asked for pass by, and the next question is answered', async () => {
  await withReader(async (reader) => {
    const [large, small] = await Promise.all([reader.contents(oids, 299_999), reader.contents(oids.slice(0, 2), 4)]);
    expect(large).toBeNull();
    expect(small).toEqual(new Map([0, 1].map((n) => [oids[n], texts[n]])));
    expect(await reader.contents([], 0)).toEqual(new Map());
  });
});

it('a git that ends early fails every question that waits, and nothing hangs', async () => {
  await withReader(async (reader, cache) => {
    await cache.remove();
    const waiting = [reader.contents(oids, 1_000_000), reader.contents(oids, 1_000_000), reader.sizes(oids)];
    for (const one of await Promise.allSettled(waiting)) expect(one.status).toBe('rejected');
    await expect(reader.contents(oids, 1_000_000)).rejects.toThrow();
  });
});
