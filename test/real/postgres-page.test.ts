import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../../scripts/docs/read-page.ts';
import { root } from '../../scripts/tasks.ts';
import { openPostgresStore } from '../../src/ledger/stores/postgres/postgres-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { findPostgres, type Postgres, startPostgres } from './kit/postgres.ts';

const program = findPostgres();
const branch = 'pilotfish-receipts/preview/pr-12';

describe.skipIf(program === null)('the statements of docs/guide/postgres.md', () => {
  let server: Postgres;
  let blocks: readonly string[] = [];
  beforeAll(async () => {
    if (program === null) throw new Error('there is no PostgreSQL');
    server = await startPostgres(program);
    const page = readPage(await readFile(join(root, 'docs/guide/postgres.md'), 'utf8'));
    blocks = page.blocks.filter(({ language }) => language === 'sql').map(({ text }) => text);
  });
  afterAll(() => server?.stop());

  const open = (user: string, database = 'pilotfish'): Store =>
    openPostgresStore({
      url: server.url({ user: `${user}:replace-me`, database }),
      cwd: server.root,
      env: {},
      repository: 'acme/web',
      cacheDir: join(server.root, user),
    });

  it('give a run what it needs, a person what they may see, and show both', async () => {
    const [database = '', schema = '', looks = '', look = ''] = blocks;
    // A database is made outside of any transaction, so one statement is sent at a time.
    for (const statement of database.split(';').filter((one) => one.trim() !== '')) await server.sql(statement);
    const store = open('pilotfish');
    const files = new Map([['receipt.json', '{"outcome":"complete"}']]);
    const head = await store.append(branch, files, null, 'preview/pr-12: receipt');
    await store.close();

    await server.sql('create database shared');
    await server.sql(schema, 'shared');
    const beside = open('pilotfish', 'shared');
    await beside.append(branch, files, null, 'first');
    await beside.close();

    await server.sql(looks, 'pilotfish');
    const looking = open('looks');
    expect(await looking.read(branch)).toMatchObject({ head, files });
    await expect(looking.append(branch, files, head, 'second')).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    await looking.close();

    const answers = [];
    for (const statement of look.split(';').filter((one) => one.trim() !== '')) answers.push(...(await server.sql(statement, 'pilotfish')));
    expect(answers).toEqual([
      { ref: `refs/heads/${branch}`, head, commits: '1' },
      { made_at: expect.any(Date), message: 'preview/pr-12: receipt' },
      { convert_from: '{"outcome":"complete"}' },
      { ref: `refs/heads/${branch}`, pg_size_pretty: '22 bytes' },
    ]);
  });
});
