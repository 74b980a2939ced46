import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type S3ObjectsWorld, serveS3Objects } from 'pilotfish-sandbox/aws-s3-objects';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bounds } from '../../src/core/bounds.ts';
import { Failure } from '../../src/core/errors.ts';
import { Redactor } from '../../src/core/redact.ts';
import { receiptsBranch, receiptsOf } from '../../src/ledger/model/names.ts';
import { noteRemoved } from '../../src/ledger/model/removed.ts';
import type { S3StoreOptions } from '../../src/ledger/stores/s3/s3-store.ts';
import { HistoryLost, readSound, type Store } from '../../src/ledger/stores/store.ts';
import { quickPauses } from '../support/quick-clock.ts';
import { openAt } from '../support/s3-place.ts';
import { startS3Proxy } from '../support/s3-proxy.ts';
import { tempFolder } from '../support/temp-folder.ts';

const branch = receiptsBranch('preview', 'pr-1');
const key = `acme/web/branches/refs/heads/${branch}`;
const one = (text: string): ReadonlyMap<string, string> => new Map([['a', text]]);

let server: S3ObjectsWorld;
let opened: Store[] = [];
beforeEach(async () => {
  server = await serveS3Objects();
});
afterEach(async () => {
  for (const store of opened) await store.close();
  opened = [];
  await server.stop();
});

type Open = Parameters<typeof openAt>[1] & { readonly bucket?: string; readonly region?: string; readonly keys?: Record<string, string> };
const open = async ({ bucket = 'ledgers', region = server.region, keys = { ...server.keys.full }, ...o }: Open = {}): Promise<Store> => {
  const store = await openAt({ port: server.port, region, bucket, keys }, o);
  opened.push(store);
  return store;
};
const objects = () => server.buckets.get('ledgers') ?? new Map();

async function refused(work: Promise<unknown>, code = 'LEDGER_REFUSED'): Promise<Failure> {
  const thrown = await work.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Failure);
  expect(thrown).toMatchObject({ code });
  const told = inspect(thrown, { depth: 6 });
  expect(told).not.toContain(server.keys.full.AWS_SECRET_ACCESS_KEY);
  return thrown as Failure;
}

describe('a store that ignores conditions', () => {
  it.each([
    ['if-none-match', 'If-None-Match'],
    ['if-match', 'If-Match'],
  ] as const)('is refused with its name before the first fact: %s', async (header, name) => {
    server.ignores = [header];
    const failure = await refused((await open()).append(branch, one('1'), null, 'first'));
    expect(failure.detail).toContain(`it ignores ${name}`);
    expect(failure.detail).toContain(`127.0.0.1:${server.port}`);
    expect([...objects().keys()]).toEqual([]);
  });

  it('is asked once a process, reads need no proof, and no probe stays', async () => {
    const store = await open();
    expect(await store.read(branch)).toBeNull();
    expect(server.requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
    let head = await store.append(branch, one('1'), null, 'first');
    const probes = () => server.requests.filter((line) => line.includes('/probe/')).length;
    const first = probes();
    expect(first).toBeGreaterThan(3);
    head = await store.append(branch, one('2'), head, 'second');
    await store.remove(branch, head);
    expect(probes()).toBe(first);
    expect([...objects().keys()].sort()).toEqual([key, 'acme/web/ledger.json'].sort());
  });

  it('would lose a write that it told as done, if the probe did not look', async () => {
    const [here, there] = [await open(), await open()];
    const head = await here.append(branch, one('0'), null, 'first');
    await there.append(receiptsBranch('preview', 'pr-2'), one('0'), null, 'first');
    expect((await there.read(branch))?.head).toBe(head);
    server.ignores = ['if-match'];
    await here.append(branch, new Map([['here', '1']]), head, 'here');
    await there.append(branch, new Map([['there', '1']]), head, 'there');
    expect([...((await here.read(branch))?.files.keys() ?? [])]).toEqual(['a', 'there']);
  });

  it('is proven anew where it compares ETags without quotes', async () => {
    server.hasBareTags = true;
    const store = await open();
    const head = await store.append(branch, one('1'), null, 'first');
    expect(await store.append(branch, one('2'), head, 'second')).toBe(await store.head(branch));
  });
});

describe('a bucket that does not serve', () => {
  it.each<[string, Open, string, string]>([
    ['that is not there', { bucket: 'nowhere' }, 'does not exist there', 'nowhere'],
    ['of another region', { region: 'us-east-2' }, 'is not in the region us-east-2, but in eu-central-1', 'region=eu-central-1'],
  ])('is told with its fix: %s', async (_, o, what, fix) => {
    for (const attempt of [(store: Store) => store.read(branch), (store: Store) => store.append(branch, one('1'), null, 'first')]) {
      const failure = await refused(attempt(await open(o)));
      expect(failure.detail).toContain(what);
      expect(failure.detail).toContain(`127.0.0.1:${server.port}`);
      expect(failure.fix).toContain(fix);
    }
  });

  it('tells of keys that may only read, at the first write', async () => {
    const store = await open({ keys: { ...server.keys.readOnly } });
    expect(await store.read(branch)).toBeNull();
    const failure = await refused(store.append(branch, one('1'), null, 'first'));
    expect(failure.detail).toContain('does not let these keys write to it');
    expect(failure.fix).toContain('docs/guide/s3.md');
  });

  it('tells of keys that are wrong, and of those that are missing', async () => {
    const { AWS_ACCESS_KEY_ID } = server.keys.full;
    const wrong = await refused(
      (await open({ keys: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYOTHERKEY' } })).read(branch),
    );
    expect(`${wrong.detail} ${wrong.fix}`).toMatch(/does not accept the signature.*AWS_SECRET_ACCESS_KEY/);
    const unknown = await refused(
      (await open({ keys: { AWS_ACCESS_KEY_ID: 'AKIAOTHER', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYOTHERKEY' } })).read(
        branch,
      ),
    );
    expect(unknown.fix).toContain('AWS_ACCESS_KEY_ID');
    const missing = await refused((await open({ keys: {} })).read(branch), 'CREDENTIAL_MISSING');
    expect(missing.detail).toContain('AWS_ACCESS_KEY_ID is not set');
  });

  it('takes the time of the store where the clock of this machine is wrong', async () => {
    server.aheadMs = 3_600_000;
    const store = await open();
    const head = await store.append(branch, one('1'), null, 'first');
    expect(await store.head(branch)).toBe(head);
  });

  it('masks the secret key in the words of the store', async () => {
    const redactor = new Redactor();
    await (await open({ redactor })).read(branch);
    expect(redactor.text(`x ${server.keys.full.AWS_SECRET_ACCESS_KEY} y`)).toBe('x *** y');
  });
});

describe('encryption at the server', () => {
  it('is asked for with every write, and heads hold although ETags are no digests', async () => {
    const store = await open({ more: '&sse=aws:kms&sse-key=alias/ledger' });
    const first = await store.append(branch, one('1'), null, 'first');
    const second = await store.append(branch, one('2'), first, 'second');
    expect(await (await open()).read(branch)).toMatchObject({ head: second, parent: first });
    expect((await store.list(receiptsOf('preview')))[0]).toEqual({ branch, head: second });
    for (const [, { encryption }] of objects()) {
      expect(encryption).toMatchObject({
        'x-amz-server-side-encryption': 'aws:kms',
        'x-amz-server-side-encryption-aws-kms-key-id': 'alias/ledger',
      });
    }
  });
});

describe('a ledger in S3', () => {
  it('is that of one repository', async () => {
    await (await open()).append(branch, one('1'), null, 'first');
    const other = await open({ repository: 'acme/api' } as Partial<S3StoreOptions>);
    const failure = await refused(other.read(branch));
    expect(failure.detail).toContain('is that of acme/web, and this checkout is of acme/api');
    await refused(other.append(branch, one('2'), null, 'first'));
    // Locks are those of all who share them.
    const locks = await open({ repository: null } as Partial<S3StoreOptions>);
    await locks.append('refs/pilotfish/locks/0123', one('1'), null, 'lock');
  });

  it('of a newer pilotfish is refused', async () => {
    await (await open()).append(branch, one('1'), null, 'first');
    const owner = objects().get('acme/web/ledger.json');
    objects().set('acme/web/ledger.json', { ...owner, body: Buffer.from('{"v":2}') });
    await refused((await open()).read(branch), 'LEDGER_VERSION');
  });

  it('costs one request for a read, an append and a head each, and one for a thousand scopes of a list', async () => {
    const store = await open();
    let head = await store.append(branch, one('1'), null, 'first');
    const count = async (work: () => Promise<unknown>): Promise<number> => {
      const before = server.requests.length;
      await work();
      return server.requests.length - before;
    };
    expect(
      await count(async () => {
        head = await store.append(branch, one('2'), head, 'second');
      }),
    ).toBe(1);
    expect(await count(() => store.read(branch))).toBe(1 + 1);
    expect(await count(() => store.read(branch))).toBe(1);
    expect(await count(() => store.head(branch))).toBe(1);
    const body = objects().get(key);
    for (let i = 0; i < 2_500; i += 1)
      objects().set(`acme/web/branches/refs/heads/${receiptsOf('preview')}s-${i}`, {
        ...body,
        etag: `"${randomBytes(16).toString('hex')}"`,
      });
    expect(await count(async () => expect(await store.list(receiptsOf('preview'))).toHaveLength(2_501))).toBe(3);
  });

  it('holds a large branch in two objects, and takes away the one that no commit needs', async () => {
    const [here, there] = [await open(), await open()];
    const texts = () => [...objects().keys()].filter((name) => name.includes('/texts/'));
    const large = (text: string): ReadonlyMap<string, string> => new Map([['large', text.repeat(400_000)]]);
    let head = await here.append(branch, large('1'), null, 'first');
    expect(texts()).toHaveLength(1);
    const [first] = texts();
    head = await here.append(branch, new Map([['small', '2']]), head, 'second');
    expect(texts()).toEqual([first]);
    expect(await there.read(branch)).toMatchObject({ head, files: new Map([...large('1'), ['small', '2']]) });
    head = await there.append(branch, large('3'), head, 'third');
    expect(texts()).toHaveLength(1);
    expect(texts()).not.toEqual([first]);
    expect((await here.readAt(branch, head))?.files.get('large')?.slice(0, 3)).toBe('333');
    head = await here.append(branch, new Map([['large', null]]), head, 'fourth');
    expect(texts()).toEqual([]);
    expect((await there.read(branch))?.files).toEqual(new Map([['small', '2']]));
  });

  it('stands as it was where a writer died between two objects, and what the dead one left goes with the branch', async () => {
    const proxy = await startS3Proxy(server.port);
    onTestFinished(() => proxy.stop());
    const dying = await open({ port: proxy.port, patienceMs: 0 });
    const here = await open();
    let head = await here.append(branch, one('1'), null, 'first');
    proxy.judge(({ method, target }) => (method === 'PUT' && target.includes('/branches/') ? { fate: 'before' } : null));
    await refused(dying.append(branch, new Map([['large', 'x'.repeat(400_000)]]), head, 'second'));
    const texts = () => [...objects().keys()].filter((name) => name.includes('/texts/'));
    const [left = ''] = texts();
    expect(texts()).toHaveLength(1);
    expect(await here.read(branch)).toMatchObject({ head, files: one('1') });
    head = await here.append(branch, one('2'), head, 'second');
    objects().set(left, { ...objects().get(left), at: new Date(Date.now() - 25 * 3_600_000) });
    await here.remove(branch, head);
    expect(texts()).toEqual([]);
    expect(await here.read(branch)).toBeNull();
  });

  it('is damaged where an object was changed by hand, and its other branches are read', async () => {
    const store = await open();
    const other = receiptsBranch('preview', 'pr-2');
    await store.append(branch, one('1'), null, 'first');
    await store.append(other, one('2'), null, 'first');
    const there = objects().get(key);
    objects().set(key, { ...there, body: Buffer.from(there.body.toString().replace('first', 'fIrst')), etag: '"0"' });
    const failure = await refused((await open()).read(branch), 'LEDGER_CORRUPT');
    expect(failure.detail).toContain(`s3://ledgers/${key}`);
    const found = [];
    for await (const entry of (await open()).readAll?.(receiptsOf('preview')) ?? [])
      found.push('tree' in entry ? entry.tree.files : entry.error.code);
    expect(found).toEqual(['LEDGER_CORRUPT', one('2')]);
  });

  it('takes no change that no later run could read', async () => {
    const store = await open();
    const head = await store.append(branch, one('1'), null, 'first');
    const failure = await refused(store.append(branch, new Map([['b', 'x'.repeat(bounds.file + 1)]]), head, 'too much'));
    expect(failure.detail).toContain('would be larger than a run reads');
    expect(await store.read(branch)).toMatchObject({ head, files: one('1') });
  });

  it('that is put back to an older state is known for that by a machine that saw more', async () => {
    const cacheDir = join(await tempFolder('s3'), 'machine');
    const store = await open({ cacheDir });
    const first = await store.append(branch, one('1'), null, 'first');
    const older = objects().get(key);
    const second = await store.append(branch, one('2'), first, 'second');
    objects().set(key, older);
    const again = await open({ cacheDir });
    await expect(readSound(again, branch)).rejects.toBeInstanceOf(HistoryLost);
    expect(await again.remembered?.(branch)).toMatchObject({ head: second, copy: null });
    expect(await readSound(await open(), branch)).toMatchObject({ head: first });
    const last = { v: 1, run: 'r', mode: 'destroy' } as never;
    await noteRemoved(await open(), 'preview', {
      v: 1,
      scope: 'pr-1',
      plan: null,
      branch,
      head: second,
      removedAt: '2026-11-27T00:00:00Z',
      last,
    });
    expect(await readSound(again, branch)).toMatchObject({ head: first });
    for (const file of readdirSync(cacheDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
      expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(server.keys.full.AWS_SECRET_ACCESS_KEY);
    }
  });

  it('ends at its patience where the store stays away', async () => {
    const store = await open({ patienceMs: 200, clock: quickPauses });
    const head = await store.append(branch, one('1'), null, 'first');
    await server.stop();
    const failure = await refused(store.append(branch, one('2'), head, 'second'));
    expect(failure.detail).toContain('could not be reached');
    server = await serveS3Objects();
  });
});
