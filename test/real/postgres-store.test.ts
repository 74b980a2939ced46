import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/ledger/stores/postgres/postgres-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { describeStore } from '../support/describe-store.ts';
import { quickClock } from '../support/quick-clock.ts';
import { type CommitProxy, startCommitProxy } from './kit/commit-proxy.ts';
import { findPostgres, type Postgres, password, startPostgres } from './kit/postgres.ts';

const program = findPostgres();

describe.skipIf(program === null)('a ledger in PostgreSQL', () => {
  let server: Postgres;
  let proxy: CommitProxy;
  let worlds = 0;

  beforeAll(async () => {
    if (program === null) throw new Error('there is no PostgreSQL');
    server = await startPostgres(program);
    proxy = await startCommitProxy(server.port);
  });
  afterAll(async () => {
    await proxy?.stop();
    await server?.stop();
  });

  /** A store on a machine of its own. */
  const open = async (url: string, o: Partial<PostgresStoreOptions> = {}): Promise<Store> => {
    const cacheDir = await mkdtemp(join(server.root, 'machine-'));
    return openPostgresStore({ url, cwd: server.root, env: {}, repository: 'acme/web', clock: quickClock, cacheDir, ...o });
  };

  describeStore('postgres', async () => {
    worlds += 1;
    const more = `?schema=world_${worlds}`;
    return {
      open: () => open(server.url({ at: proxy.port, more })),
      loseNextAnswer: (afterwards) => void proxy.onNextCommit('after', afterwards),
      openUnreachable: () => open(server.url({ at: 9 })),
      close: async () => undefined,
    };
  });

  it('is reached through a socket', async () => {
    const store = await open(`postgres://ci:${password}@${encodeURIComponent(server.root)}:${server.port}/ledger?schema=socket`);
    const head = await store.append('by-socket', new Map([['a', '1']]), null, 'first');
    expect(await store.read('by-socket')).toMatchObject({ head });
    await store.close();
  });

  it('is told by its address without user info', async () => {
    const store = await open(server.url({ more: '?schema=shop' }));
    expect([store.kind, store.location]).toEqual(['postgres', `postgres://127.0.0.1:${server.port}/ledger?schema=shop`]);
    await store.close();
  });
});
