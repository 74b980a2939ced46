import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bounds } from '../../src/core/bounds.ts';
import { systemClock } from '../../src/core/clock.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { noteRemoved } from '../../src/ledger/model/removed.ts';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/ledger/stores/postgres/postgres-store.ts';
import { HeadMoved, HistoryLost, readSound, type Store } from '../../src/ledger/stores/store.ts';
import { quickClock } from '../support/quick-clock.ts';
import { type CommitProxy, startCommitProxy } from './kit/commit-proxy.ts';
import { findPostgres, type Postgres, password, startPostgres } from './kit/postgres.ts';

const program = findPostgres();
const branch = receiptsBranch('preview', 'pr-1');
const one = (text: string): ReadonlyMap<string, string> => new Map([['a', text]]);

describe.skipIf(program === null)('a ledger in PostgreSQL in trouble', () => {
  let server: Postgres;
  let proxy: CommitProxy;
  let more = '';
  let worlds = 0;

  beforeAll(async () => {
    if (program === null) throw new Error('there is no PostgreSQL');
    server = await startPostgres(program);
    proxy = await startCommitProxy(server.port);
  });
  beforeEach(() => {
    worlds += 1;
    more = `?schema=world_${worlds}`;
  });
  afterAll(async () => {
    await proxy?.stop();
    await server?.stop();
  });

  const machine = (): Promise<string> => mkdtemp(join(server.root, 'machine-'));
  const open = async (url = server.url({ more }), o: Partial<PostgresStoreOptions> = {}): Promise<Store> => {
    const cacheDir = await machine();
    const store = openPostgresStore({ url, cwd: server.root, env: {}, repository: 'acme/web', clock: quickClock, cacheDir, ...o });
    onTestFinished(() => store.close());
    return store;
  };
  const throughProxy = (o: Partial<PostgresStoreOptions> = {}): Promise<Store> => open(server.url({ at: proxy.port, more }), o);
  const refused = async (work: Promise<unknown>): Promise<string> => {
    const thrown = await work.catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(inspect(thrown, { depth: 8, showHidden: true })).not.toContain(password);
    return String((thrown as { detail?: unknown }).detail);
  };

  describe('whose connection is cut', () => {
    it.each(['before', 'during', 'late', 'after'] as const)('%s a commit: the append is there, once', async (fate) => {
      const [here, there] = [await throughProxy(), await open()];
      const first = await here.append(branch, one('1'), null, 'first');
      void proxy.onNextCommit(fate);
      const second = await here.append(branch, one('2'), first, 'second');
      expect(await there.read(branch)).toMatchObject({ head: second, parent: first, files: one('2') });
      expect(await there.history?.(branch)).toEqual([second, first]);
      await expect(there.append(branch, one('x'), first, 'late')).rejects.toBeInstanceOf(HeadMoved);
    });

    it.each(['before', 'during', 'late', 'after'] as const)('%s the commit that makes the branch: it is there, once', async (fate) => {
      const [here, there] = [await throughProxy(), await open()];
      await there.append('other', one('0'), null, 'so that the tables are there');
      void proxy.onNextCommit(fate);
      const head = await here.append(branch, one('1'), null, 'first');
      expect(await there.history?.(branch)).toEqual([head]);
    });

    it.each(['before', 'during', 'late', 'after'] as const)('%s the commit of a removal: the branch is gone', async (fate) => {
      const [here, there] = [await throughProxy(), await open()];
      const head = await here.append(branch, one('1'), null, 'first');
      void proxy.onNextCommit(fate);
      await here.remove(branch, head);
      expect(await there.read(branch)).toBeNull();
    });

    it.each(['before', 'during', 'late', 'after'] as const)('%s the commit that makes the tables: they are there', async (fate) => {
      const [here, there] = [await throughProxy(), await open()];
      void proxy.onNextCommit(fate);
      const head = await here.append(branch, one('1'), null, 'first');
      expect(await there.head(branch)).toBe(head);
    });

    it('by another run that writes in between: only one of them is believed', async () => {
      const [here, there] = [await throughProxy(), await open()];
      const first = await here.append(branch, one('1'), null, 'first');
      void proxy.onNextCommit('before');
      const outcomes = await Promise.allSettled([
        here.append(branch, one('here'), first, 'second'),
        there.append(branch, one('there'), first, 'second'),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await there.history?.(branch))?.length).toBe(2);
    });
  });

  it('that answers nothing any more is cut off soon after the run is told to stop, and asked once more', async () => {
    const stop = new AbortController();
    const store = await throughProxy({ signal: stop.signal, clock: systemClock });
    const first = await store.append(branch, one('1'), null, 'first');
    const silent = proxy.onNextCommit('silence');
    const append = store.append(branch, one('2'), first, 'second');
    await silent;
    stop.abort();
    const second = await append;
    expect(await (await open()).history?.(branch)).toEqual([second, first]);
  }, 30_000);

  it('that is gone for good after a commit was sent says what is not known', async () => {
    const other = await startCommitProxy(server.port);
    const store = await open(server.url({ at: other.port, more }));
    const first = await store.append(branch, one('1'), null, 'first');
    void other.onNextCommit('after', other.stop);
    expect(await refused(store.append(branch, one('2'), first, 'second'))).toContain('nobody knows whether it landed');
  });

  it.each(['SIGINT', 'SIGQUIT'] as const)('that is started again after %s goes on, and has lost nothing', async (signal) => {
    const store = await open(undefined, { clock: systemClock });
    let head = await store.append(branch, one('0'), null, 'first');
    const restarted = server.restart(signal);
    for (let n = 1; n <= 20; n += 1) head = await store.append(branch, one(String(n)), head, `number ${n}`);
    await restarted;
    expect(await store.read(branch)).toMatchObject({ head, files: one('20') });
    expect((await store.history?.(branch))?.length).toBe(21);
  });

  it('loses no append of processes that race, and makes its tables once', async () => {
    const url = server.url({ more });
    const racers = ['a', 'b', 'c'].map((name) => {
      const loop = join(import.meta.dirname, '../ledger/append-loop.ts');
      const env = { PATH: process.env.PATH ?? '', HOME: server.root };
      return spawn(process.execPath, [loop, url, name, '8'], { stdio: ['ignore', 'ignore', 'inherit'], env });
    });
    const ends = await Promise.all(racers.map((racer) => once(racer, 'exit')));
    expect(ends.map(([code]) => code)).toEqual([0, 0, 0]);
    const tree = await (await open()).read('race');
    expect([tree?.files.get('sum'), tree?.files.size]).toEqual(['24', 25]);
  });

  describe('with its tables', () => {
    it('makes them at the first write, and no read does', async () => {
      const [reader, writer] = [await open(), await open()];
      const made = async () => (await server.sql(`select 1 from pg_namespace where nspname = 'world_${worlds}'`, 'ledger')).length;
      expect([await reader.read(branch), await reader.head(branch), await reader.list('x')]).toEqual([null, null, []]);
      expect(await reader.history?.(branch)).toEqual([]);
      expect(await made()).toBe(0);
      const head = await writer.append(branch, one('1'), null, 'first');
      expect(await made()).toBe(1);
      expect(await reader.head(branch)).toBe(head);
    });

    it('makes them once where many begin together', async () => {
      const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
      const heads = await Promise.all(
        stores.map((store, i) => store.append(receiptsBranch('preview', `pr-${i}`), one('1'), null, 'first')),
      );
      expect((await stores[0]?.list('pilotfish-receipts/'))?.map(({ head }) => head).sort()).toEqual([...heads].sort());
    });

    it('refuses those of a later version', async () => {
      await (await open()).append(branch, one('1'), null, 'first');
      await server.sql(`update world_${worlds}.ledger set version = 99`, 'ledger');
      await expect((await open()).read(branch)).rejects.toMatchObject({ code: 'LEDGER_VERSION', detail: expect.stringContaining('99') });
    });

    it('refuses a checkout of another repository, and takes the same one in any case', async () => {
      await (await open()).append(branch, one('1'), null, 'first');
      expect(await (await open(undefined, { repository: 'Acme/Web' })).read(branch)).toMatchObject({ files: one('1') });
      expect(await (await open(undefined, { repository: null })).read(branch)).toMatchObject({ files: one('1') });
      const other = await open(undefined, { repository: 'acme/shop' });
      for (const work of [
        () => other.read(branch),
        () => other.list('pilotfish-receipts/'),
        () => other.append('x', one('1'), null, 'x'),
      ]) {
        expect(await refused(work())).toContain('that of acme/web, and this checkout is of acme/shop');
      }
    });

    it('keeps people from deleting a branch whose commits stand', async () => {
      await (await open()).append(branch, one('1'), null, 'first');
      await expect(server.sql(`delete from world_${worlds}.branches`, 'ledger')).rejects.toMatchObject({ code: '23503' });
    });
  });

  describe('that does not let a run in', () => {
    it('says why it could not be reached, at each address of its name', async () => {
      const store = await open(server.url({ at: 9 }).replace('127.0.0.1', 'localhost'));
      expect(await refused(store.read(branch))).toContain('ECONNREFUSED 127.0.0.1:9');
    });

    it('says that a wrong password was not accepted', async () => {
      const store = await open(server.url({ user: 'ci:wrong-0123456789' }));
      const thrown = await store.read(branch).catch((error: unknown) => error);
      expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('did not accept the credential') });
      expect(inspect(thrown, { depth: 8 })).not.toContain('wrong-0123456789');
    });

    it('says that a password is missing, whatever the variables and files of other clients hold', async () => {
      for (const name of ['PGPASSWORD', 'PGPASSFILE']) {
        vi.stubEnv(name, password);
      }
      expect(await refused((await open(server.url({ user: 'ci' }))).read(branch))).toContain(
        'asks for a password, and the address has none',
      );
    });

    it('says that a database is not there', async () => {
      expect(await refused((await open(server.url({ database: 'nowhere' }))).read(branch))).toContain('nowhere does not exist');
    });

    it('says what a role may not do, and lets one that may only look look', async () => {
      await (await open()).append(branch, one('1'), null, 'first');
      await server.sql(`create role looks_${worlds} login password '${password}'`);
      const url = server.url({ user: `looks_${worlds}:${password}`, more });
      expect(await refused((await open(url)).read(branch))).toContain('the rights that a ledger needs');
      await server.sql(`grant usage on schema world_${worlds} to looks_${worlds}`, 'ledger');
      await server.sql(`grant select on all tables in schema world_${worlds} to looks_${worlds}`, 'ledger');
      const looking = await open(url);
      const tree = await looking.read(branch);
      expect(tree?.files).toEqual(one('1'));
      expect(await refused(looking.append(branch, one('2'), tree?.head ?? null, 'second'))).toContain('the rights that a ledger needs');
      expect((await looking.read(branch))?.head).toBe(tree?.head);
    });

    it('needs no more than a schema of its own', async () => {
      await server.sql(`create role least_${worlds} login password '${password}'`);
      await server.sql(`create schema world_${worlds} authorization least_${worlds}`, 'ledger');
      const store = await open(server.url({ user: `least_${worlds}:${password}`, more }));
      const head = await store.append(branch, one('1'), null, 'first');
      await store.remove(branch, head);
    });
  });

  describe('whose host has to prove who it is', () => {
    const tls = (host: string, rest: string): string => server.url({ more: `${more}&${rest}` }).replace('127.0.0.1', host);

    it('is used where the authority vouches for the name', async () => {
      const store = await open(tls('localhost', `sslmode=verify-full&sslrootcert=${server.authority}`));
      const head = await store.append(branch, one('1'), null, 'first');
      expect((await store.read(branch))?.head).toBe(head);
      const sessions = await server.sql(
        "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'pilotfish'",
      );
      expect(sessions).toContainEqual({ ssl: true });
    });

    it.each([
      ['an authority that nobody named', 'localhost', () => 'sslmode=verify-full'],
      ['another name', '127.0.0.1', () => `sslmode=require&sslrootcert=${server.authority}`],
    ])('is refused with %s, and learns no password', async (_, host, rest) => {
      expect(await refused((await open(tls(host, rest()))).read(branch))).toContain('did not prove its identity');
    });

    it('is refused where it speaks no TLS', async () => {
      const plain = await startCommitProxy(server.port, { refusesTls: true });
      onTestFinished(() => plain.stop());
      expect(await refused((await open(server.url({ at: plain.port, more: `${more}&sslmode=require` }))).read(branch))).toContain(
        'prove its identity',
      );
    });
  });

  describe('that holds more than a run reads', () => {
    it('is refused before any of it is sent', async () => {
      const store = await open();
      await store.append(branch, one('1'), null, 'first');
      await server.sql(`update world_${worlds}.files set content = convert_to(repeat('x', ${bounds.file + 1}), 'UTF8')`, 'ledger');
      await expect(store.read(branch)).rejects.toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining('32') });
      expect(await store.head(branch)).toMatch(/^[0-9a-f]{40}$/);
    });

    it('takes no change that would make it so, and keeps what was there', async () => {
      const store = await open();
      const head = await store.append(branch, one('1'), null, 'first');
      const large = new Map([['b', 'x'.repeat(bounds.file + 1)]]);
      expect(await refused(store.append(branch, large, head, 'too much'))).toContain('would be larger than a run reads');
      expect(await store.read(branch)).toMatchObject({ head, files: one('1') });
    });

    it('is damaged where a text is no text', async () => {
      const store = await open();
      await store.append(branch, one('1'), null, 'first');
      await server.sql(`update world_${worlds}.files set content = '\\xff'`, 'ledger');
      await expect(store.read(branch)).rejects.toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining('not UTF-8') });
    });
  });

  describe('that is put back to an older state', () => {
    const back = async (head: string): Promise<void> => {
      const s = `world_${worlds}`;
      const [{ number } = {}] = await server.sql(`select number from ${s}.commits where head = '${head}'`, 'ledger');
      await server.sql(
        `begin; delete from ${s}.files where since > ${number}; update ${s}.files set until = null where until > ${number};
         delete from ${s}.commits where number > ${number}; update ${s}.branches set head = '${head}', number = ${number}; commit`,
        'ledger',
      );
    };

    it('is known for that by a machine that saw more, and by no other', async () => {
      const cacheDir = await machine();
      const store = await open(undefined, { cacheDir });
      const first = await store.append(branch, one('1'), null, 'first');
      const second = await store.append(branch, one('2'), first, 'second');
      await back(first);
      const again = await open(undefined, { cacheDir });
      await expect(readSound(again, branch)).rejects.toBeInstanceOf(HistoryLost);
      expect(await again.remembered?.(branch)).toMatchObject({ head: second, copy: null });
      expect(await readSound(await open(), branch)).toMatchObject({ head: first });
    });

    it('is known where the whole branch is gone, and not where it was removed by right', async () => {
      const cacheDir = await machine();
      const store = await open(undefined, { cacheDir });
      const head = await store.append(branch, one('1'), null, 'first');
      for (const table of ['files', 'commits', 'branches']) await server.sql(`delete from world_${worlds}.${table}`, 'ledger');
      expect(await store.read(branch)).toBeNull();
      expect(await store.remembered?.(branch)).toMatchObject({ head });
      const other = await open();
      await other.append(branch, one('other'), null, 'anew');
      await expect(readSound(store, branch)).rejects.toBeInstanceOf(HistoryLost);
      const last = { v: 1, run: 'r', mode: 'destroy' } as never;
      await noteRemoved(other, 'preview', { v: 1, scope: 'pr-1', plan: null, branch, head, removedAt: '2026-11-27T00:00:00Z', last });
      expect(await readSound(store, branch)).toMatchObject({ files: one('other') });
    });
  });

  it('keeps no password in what this machine remembers, and no other client is asked about its commits', async () => {
    const cacheDir = await machine();
    const store = await open(undefined, { cacheDir });
    const head = await store.append(branch, one('1'), null, 'preview/pr-1: lease');
    const kept = readdirSync(cacheDir, { recursive: true, withFileTypes: true });
    for (const file of kept.filter((entry) => entry.isFile())) {
      expect(readFileSync(join(file.parentPath, file.name), 'utf8') + file.name).not.toContain(password);
    }
    expect(await store.message?.(head)).toBe('preview/pr-1: lease');
    expect(await store.message?.('main')).toBeNull();
    expect(await store.message?.('0123456789abcdef0123456789abcdef01234567')).toBeNull();
  });
});
