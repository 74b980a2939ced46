import { readdir } from 'node:fs/promises';
import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure, Failures } from '../../src/core/errors.ts';
import { type Exports, runExports } from '../../src/engine/exports/run-exports.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { lines, openShop, planOf, type Shop } from './shop.ts';

const database = `
  - id: database
    adapter: neon
    op: branch
    project_id: ${seed.neonProject}
    name: shop-\${ctx.scope}`;
const variable = (id: string, key: string, value: string): string => `
  - id: ${id}
    adapter: vercel
    op: env
    project: ${seed.vercelProject}
    key: ${key}
    value: ${value}
    git_branch: feature`;
const exporting = (exports: string, ...changes: readonly string[]): string => `exports: ${exports}\n${planOf(...changes)}`;

let shop: Shop;
afterEach(() => shop.close());

async function read(change: Partial<RunRequest> = {}, world: { signal?: AbortSignal } = {}): Promise<Exports> {
  const request = shop.request({ branch: 'feature', ...change });
  return await runExports(request, {
    dispatcher: shop.dispatcher,
    store: shop.remote.open(),
    clock: shop.clock,
    repository: null,
    ...world,
  });
}

async function refusal(change: Partial<RunRequest> = {}): Promise<readonly Failure[]> {
  const thrown: unknown = await read(change).then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof Failures) return thrown.failures;
  if (thrown instanceof Failure) return [thrown];
  throw new Error(`not refused: ${String(thrown)}`);
}

const codes = (failures: readonly Failure[]): readonly string[] => failures.map(({ code }) => code);
const asMap = ({ values }: Exports) => Object.fromEntries(values.map(({ name, text }) => [name, text]));
const writes = (): number => shop.world.simulations.reduce((sum, { writes: of }) => sum + of().length, 0);

describe('the variables of a command', () => {
  it('are those of `exports`: outputs, texts with outputs in them, secrets and literals', async () => {
    shop = await openShop(
      exporting(
        '{ DATABASE_URL: { from: database.connection_uri }, WHERE: "db ${database.name} of ${ctx.scope}", TOKEN: { secret: env://SOME_TOKEN }, MODE: test, PORT: 5432 }',
        database,
        lines.dns,
      ),
    );
    await shop.apply({ branch: 'feature' });
    const [heads, before] = [JSON.stringify([...shop.remote.branches].map(([name, { head }]) => [name, head])), writes()];
    const exports = await read({ env: { ...shop.request().env, SOME_TOKEN: 'token-canary-4711' } });
    expect(asMap(exports)).toEqual({
      DATABASE_URL: shop.world.neon.world.uri('shop-pr-12'),
      WHERE: 'db shop-pr-12 of pr-12',
      TOKEN: 'token-canary-4711',
      MODE: 'test',
      PORT: '5432',
    });
    expect(exports.document.variables).toEqual([
      { name: 'DATABASE_URL', from: 'database.connection_uri', sensitive: true },
      { name: 'WHERE', from: 'db ${database.name} of pr-12', sensitive: false },
      { name: 'TOKEN', from: 'env://SOME_TOKEN', sensitive: true },
      { name: 'MODE', from: 'test', sensitive: false },
      { name: 'PORT', from: '5432', sensitive: false },
    ]);
    expect(writes()).toBe(before);
    expect(JSON.stringify([...shop.remote.branches].map(([name, { head }]) => [name, head]))).toBe(heads);
    expect(await readdir(shop.folder)).toEqual(['release.plan.yaml']);
  });

  it('asks no provider but those of the lines that it needs, and wants no other credential', async () => {
    shop = await openShop(exporting('{ DATABASE_URL: { from: database.connection_uri } }', database, lines.dns));
    await shop.apply({ branch: 'feature' });
    const asked = shop.world.cloudflare.log.length;
    const { CLOUDFLARE_API_TOKEN: _, ...env } = shop.request().env;
    expect(Object.keys(asMap(await read({ env })))).toEqual(['DATABASE_URL']);
    expect(shop.world.cloudflare.log.length).toBe(asked);
  });

  it('are those that lines give to a host, without `exports`', async () => {
    shop = await openShop(
      planOf(
        database,
        variable('url', 'DATABASE_URL', '{ from: database.pooled_connection_uri }'),
        variable('mode', 'APP_MODE', 'preview'),
        lines.dns,
      ),
    );
    await shop.apply({ branch: 'feature' });
    expect(Object.keys(asMap(await read()))).toEqual(['DATABASE_URL', 'APP_MODE']);
  });

  it('must not have two values', async () => {
    shop = await openShop(
      planOf(
        database,
        variable('url', 'DATABASE_URL', '{ from: database.pooled_connection_uri }'),
        variable('other', 'DATABASE_URL', '{ from: database.connection_uri }').replace('git_branch: feature', 'git_branch: other'),
      ),
    );
    const [failure] = await refusal();
    expect(failure?.detail).toContain(
      'url and other give DATABASE_URL different values, database.pooled_connection_uri and database.connection_uri',
    );
  });
});

describe('a command is refused', () => {
  it('when the scope is not applied', async () => {
    shop = await openShop(exporting('{ DATABASE_URL: { from: database.connection_uri } }', database));
    const [failure] = await refusal();
    expect(failure).toMatchObject({
      code: 'NOT_APPLIED',
      detail: 'The command needs database, and this scope does not have it: apply would create it.',
    });
    expect(failure?.fix).toContain('apply --scope pr-12');
  });

  it('when the object was replaced or removed by somebody', async () => {
    shop = await openShop(exporting('{ DATABASE_URL: { from: database.connection_uri } }', database));
    await shop.apply({ branch: 'feature' });
    for (const branch of shop.world.neon.world.branches())
      if (branch.name === 'shop-pr-12') branch.deleted_at = new Date(shop.clock.now()).toISOString();
    expect(codes(await refusal())).toEqual(['NOT_APPLIED']);
  });

  it('when an output existed once, with the command that makes it anew', async () => {
    shop = await openShop(exporting('{ HOOK_SECRET: { from: payments.secret } }', lines.payments));
    await shop.apply();
    const [failure] = await refusal();
    expect(failure?.code).toBe('OUTPUT_UNAVAILABLE');
    expect(failure?.fix).toContain('--recreate payments');
  });

  it('while another run changes these lines, and not while that run waits for others', async () => {
    shop = await openShop(exporting('{ DATABASE_URL: { from: database.connection_uri } }', database, lines.dns));
    await shop.apply({ branch: 'feature' });
    const hold = async (state: string): Promise<void> => {
      const branch = 'pilotfish-receipts/preview/pr-12';
      const lease = {
        v: 1,
        holder: 'ci/7',
        run: 'abcdefabcdef',
        durationMs: 3000,
        deadlineMs: 300,
        renewal: 0,
        released: null,
        at: new Date(shop.clock.now()).toISOString(),
      };
      const line = { id: 'database', state, verdict: 'none', identity: null, generation: 1 };
      const snapshot = { v: 1, run: lease.run, digest: 'd', commit: null, machine: 1, lines: [line] };
      const store = shop.remote.open();
      const change = new Map([
        ['lease.json', JSON.stringify(lease)],
        ['snapshot.json', JSON.stringify(snapshot)],
      ]);
      await store.append(branch, change, await store.head(branch), 'a run begins');
    };
    await hold('creating');
    const [failure] = await refusal();
    expect(failure).toMatchObject({ code: 'LEASE_HELD' });
    expect(failure?.detail).toContain('Run abcdefabcdef of ci/7 holds this scope and has not settled database');
    await hold('settled');
    expect(Object.keys(asMap(await read()))).toEqual(['DATABASE_URL']);
  });

  it('never gets values of an object that a whole other run replaced while they were read', async () => {
    shop = await openShop(exporting('{ DATABASE_URL: { from: database.connection_uri } }', database));
    await shop.apply({ branch: 'feature' });
    let replacing = 1;
    let isOther = false;
    // Another run begins and ends at the moment at which the address of the database is read.
    shop.world.neon.watch(async ({ path, phase }) => {
      if (phase !== 'after' || !path.includes('connection_uri') || replacing === 0 || isOther) return;
      replacing -= 1;
      isOther = true;
      await shop.apply({ branch: 'feature', recreate: ['database'] });
      isOther = false;
    });
    const before = shop.world.neon.world.uri('shop-pr-12');
    const told = asMap(await read());
    const after = shop.world.neon.world.uri('shop-pr-12');
    expect([told.DATABASE_URL, after === before]).toEqual([after, false]);
    replacing = 100;
    const [failure] = await refusal();
    expect(failure).toMatchObject({ code: 'LEASE_HELD', detail: expect.stringContaining('each of the 3 times') });
  });

  it('when the environment does not have the line: an earlier value of that name must not be used', async () => {
    shop = await openShop(exporting('{ DATABASE_URL: { from: database.connection_uri } }', `${database}\n    environments: [production]`));
    const [failure] = await refusal();
    expect(failure).toMatchObject({ code: 'REF_UNKNOWN' });
    expect(failure?.detail).toContain('this environment does not have the line database');
  });
});

describe('`exports` of a plan', () => {
  it.each([
    ['{ PATH: /tmp }', 'PLAN_INVALID', 'PATH decides which code a command loads'],
    ['{ node_options: "--require x" }', 'PLAN_INVALID', 'node_options decides which code'],
    ['{ LD_PRELOAD: x }', 'PLAN_INVALID', 'LD_PRELOAD decides'],
    ['{ "A B": x }', 'PLAN_INVALID', 'is no name of an environment variable'],
    ['{ A: { keep: true } }', 'PLAN_INVALID', 'has no live value to keep'],
    ['{}', 'PLAN_INVALID', '`exports` is empty'],
    ['[A]', 'PLAN_INVALID', '`exports` must be a map'],
    ['{ A: { from: databse.name } }', 'REF_UNKNOWN', 'Did you mean "database"?'],
    ['{ A: { from: database.nam } }', 'REF_OUTPUT_UNKNOWN', 'Did you mean "name"?'],
    ['{ A: "x-${database.nam}" }', 'REF_OUTPUT_UNKNOWN', 'Did you mean "name"?'],
    ['{ STRIPE_SECRET_KEY: sk_live_4eC39HqLyjWDarjtT1zdp7dc }', 'SECRET_LITERAL', 'exports.STRIPE_SECRET_KEY'],
    ['{ A: { secret: env://NOT_SET_HERE } }', 'SECRET_UNRESOLVED', 'NOT_SET_HERE'],
  ])('%s is refused before the first request', async (exports, code, words) => {
    shop = await openShop(exporting(exports, database));
    const [failure] = await refusal();
    expect(failure?.code).toBe(code);
    expect(failure?.detail).toContain(words);
    expect(shop.world.neon.log).toEqual([]);
  });

  it('with a mistake refuses a plan and an apply too, and without one changes neither', async () => {
    shop = await openShop(exporting('{ A: { from: database.nam } }', database));
    await expect(shop.plan({ branch: 'feature' })).rejects.toThrow('REF_OUTPUT_UNKNOWN');
    await shop.write(planOf(database));
    const without = await shop.plan({ branch: 'feature' });
    await shop.write(exporting('{ A: { from: database.name } }', database));
    expect((await shop.plan({ branch: 'feature' })).digest).toBe(without.digest);
  });
});

describe('what stands otherwise than planned', () => {
  it('is told, and the command gets what stands', async () => {
    shop = await openShop(exporting('{ HOST: { from: dns.hostname } }', lines.dns));
    await shop.apply();
    const [record] = shop.records();
    if (record) record.content = 'elsewhere.example.com';
    const exports = await read();
    expect(asMap(exports)).toEqual({ HOST: `pr-12.${seed.zone.name}` });
    expect(exports.document.warnings.join()).toContain('dns differs from the plan in');
  });
});
