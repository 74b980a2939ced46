import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type GitStoreOptions, openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { describeStore } from '../support/describe-store.ts';
import { quickClock } from '../support/quick-clock.ts';
import { branch, openField } from './kit/field.ts';
import { type GitHost, type Repository, startGitHost } from './kit/git-host.ts';
import { findLighttpd } from './kit/lighttpd.ts';
import { loseNextAnswer } from './kit/lost-answer.ts';
import { planOfThings, serveThings, type Things } from './kit/things.ts';

const program = findLighttpd();
const password = 'word-0123456789-abcdef';
const one = (text: string): ReadonlyMap<string, string> => new Map([['a', text]]);

describe.skipIf(program === null)('a ledger on git http-backend under lighttpd', () => {
  let host: GitHost;
  let repository: Repository;

  beforeAll(async () => {
    if (program === null) throw new Error('there is no lighttpd');
    host = await startGitHost({ program, user: 'ci', password });
  });
  beforeEach(async () => {
    repository = await host.repository();
  });
  afterAll(() => host?.stop());

  const open = async (o: Partial<GitStoreOptions> = {}): Promise<Store> =>
    openGitStore({ url: repository.urlWithAuth, cwd: host.root, env: await host.machine(), clock: quickClock, ...o });
  const opened = async (o: Partial<GitStoreOptions> = {}): Promise<Store> => {
    const store = await open(o);
    onTestFinished(() => store.close());
    return store;
  };
  /** A machine whose git has a credential helper that answers with these. */
  const machineWithHelper = async (user: string, secret: string): Promise<NodeJS.ProcessEnv> => {
    const env = await host.machine();
    const helper = `!f() { echo "$1" >> ${join(env.HOME ?? '', 'asked')}; test "$1" = get && echo username=${user} && echo password=${secret}; }; f`;
    await writeFile(join(env.HOME ?? '', '.gitconfig'), `[credential]\n\thelper = ${JSON.stringify(helper)}\n`);
    return env;
  };

  describe.each(['sha1', 'sha256'] as const)('with %s', (objectFormat) => {
    describeStore(`git over lighttpd, ${objectFormat},`, async () => {
      const { urlWithAuth, dir } = await host.repository(objectFormat);
      return {
        open: () => open({ url: urlWithAuth }),
        loseNextAnswer: (afterwards) => loseNextAnswer(dir, afterwards),
        openUnreachable: () => open({ url: `http://ci:${password}@127.0.0.1:9/shop/web.git`, format: objectFormat }),
        close: async () => undefined,
      };
    });
  });

  describe('with whole runs', () => {
    let things: Things;
    beforeEach(async () => {
      things = await serveThings();
      onTestFinished(() => things.stop());
    });
    const runs = async (o: Partial<GitStoreOptions>): Promise<void> => {
      const plan = planOfThings(`      base_url: ${things.base}\n      auth: null\n`, ['one', 'two', 'three']);
      const field = await openField({ plan, env: {}, store: () => open(o) });
      expect(await field.apply()).toMatchObject({ ok: true, status: 'complete' });
      expect(things.things.size).toBe(3);
      const before = things.seen.length;
      expect(await field.apply()).toMatchObject({ ok: true });
      expect(things.seen.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await field.destroy()).toMatchObject({ ok: true });
      expect(things.things.size).toBe(0);
      const everything = await repository.git('log', '-p', '--format=%an %ae %B', branch);
      expect(everything).not.toContain(password);
    };

    it('signs in with the user and password of the address', () => runs({}));

    it('signs in with what a credential helper of git gives', async () => {
      await runs({ url: repository.url, env: await machineWithHelper('ci', password) });
    });

    it('signs in with the token variable of the host', async () => {
      const env = { ...(await host.machine()), GITHUB_SERVER_URL: `http://${host.host}`, GITHUB_TOKEN: 'token-0123456789abcdef' };
      await writeFile(join(host.root, 'users'), `ci:${password}\nx-access-token:token-0123456789abcdef\n`);
      await runs({ url: repository.url, env });
    });
  });

  describe('with SHA-256', () => {
    beforeEach(async () => {
      repository = await host.repository('sha256');
    });

    it('pushes megabytes at once, and reads them back on another machine', async () => {
      const big = new Map(Array.from({ length: 40 }, (_, i) => [`records/${i}.txt`, randomBytes(100_000).toString('hex')]));
      const head = await (await opened()).append(branch, big, null, 'first');
      expect(head).toMatch(/^[0-9a-f]{64}$/);
      expect(await (await opened()).read(branch)).toMatchObject({ head, files: big });
      await repository.git('fsck', '--strict');
    });

    it('says that a wrong password was not accepted, and does not show it', async () => {
      const wrong = 'wrong-0123456789';
      const store = await opened({ url: repository.urlWithAuth.replace(password, wrong), format: 'sha256' });
      const thrown = await store.append(branch, one('1'), null, 'first').catch((error: unknown) => error);
      expect(thrown).toMatchObject({
        code: 'LEDGER_REFUSED',
        detail: expect.stringContaining('did not accept the credential'),
        status: 401,
      });
      expect(JSON.stringify(thrown)).not.toContain(wrong);
    });

    it('tells that the repository is not there', async () => {
      const store = await opened({ url: repository.urlWithAuth.replace(/web-\d+/, 'nowhere'), format: 'sha256' });
      await expect(store.read(branch)).rejects.toMatchObject({ code: 'LEDGER_REFUSED', status: 404 });
    });

    it('says that a credential may not write, where the host serves reads only', async () => {
      await repository.git('config', 'http.receivepack', 'false');
      const refused = (await opened()).append(branch, one('1'), null, 'first');
      await expect(refused).rejects.toMatchObject({ detail: expect.stringContaining('does not let this credential write'), status: 403 });
    });

    it('shows the words of a hook that protects the branch', async () => {
      await repository.hook('pre-receive', '#!/bin/sh\necho "release managers only" >&2; exit 1\n');
      const refused = (await opened()).append(branch, one('1'), null, 'first');
      await expect(refused).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('release managers only') });
    });
  });

  it('says that a wrong password was not accepted, and does not show it', async () => {
    const wrong = 'wrong-0123456789';
    const env = await machineWithHelper('ci', wrong);
    const said: string[] = [];
    const store = await opened({ url: repository.url, env, onSecret: (text) => said.push(text) });
    const thrown = await store.read(branch).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('did not accept the credential'), status: 401 });
    expect(String(thrown)).not.toContain(wrong);
    expect(said).toContain(wrong);
  });

  it('says the same of a push with a wrong password', async () => {
    const store = await opened({ url: repository.urlWithAuth.replace(password, 'wrong') });
    await expect(store.append(branch, one('1'), null, 'first')).rejects.toMatchObject({ code: 'LEDGER_REFUSED', status: 401 });
    expect(await repository.git('for-each-ref')).toBe('');
  });

  it('tells that the repository is not there', async () => {
    const store = await opened({ url: repository.urlWithAuth.replace(/web-\d+/, 'nowhere') });
    await expect(store.read(branch)).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('no repository there'),
      status: 404,
    });
  });

  it('says that a credential may not write, where the host serves reads only', async () => {
    await repository.git('config', 'http.receivepack', 'false');
    const store = await opened();
    expect(await store.read(branch)).toBeNull();
    await expect(store.append(branch, one('1'), null, 'first')).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('does not let this credential write'),
      status: 403,
    });
  });

  it('shows the words of a hook that protects the branch, and leaves other branches', async () => {
    await repository.hook(
      'pre-receive',
      '#!/bin/sh\nwhile read old new ref; do case $ref in */production/*) echo "release managers only: $ref" >&2; exit 1;; esac; done\n',
    );
    const store = await opened();
    const refused = store.append('pilotfish-receipts/production/production', one('1'), null, 'first');
    await expect(refused).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('release managers only: refs/heads/pilotfish-receipts/production/production'),
      fix: expect.stringContaining('pilotfish-receipts/**'),
    });
    await store.append(branch, one('1'), null, 'first');
    expect(await repository.git('for-each-ref', '--format=%(refname)')).toBe(`refs/heads/${branch}`);
  });

  it('pushes megabytes at once, and reads them back on another machine', async () => {
    const big = new Map(Array.from({ length: 40 }, (_, i) => [`records/${i}.txt`, randomBytes(100_000).toString('hex')]));
    const head = await (await opened()).append(branch, big, null, 'first');
    expect(await (await opened()).read(branch)).toMatchObject({ head, files: big });
  });
});

describe.skipIf(program === null)('a git host with a bound on what it takes', () => {
  it('says that the host refused the size of a push, and has changed nothing', async () => {
    if (program === null) throw new Error('there is no lighttpd');
    // In kilobytes.
    const host = await startGitHost({ program, user: 'ci', password, config: 'server.max-request-size = 64' });
    onTestFinished(() => host.stop());
    const repository = await host.repository();
    const store = openGitStore({ url: repository.urlWithAuth, cwd: host.root, env: await host.machine(), clock: quickClock });
    onTestFinished(() => store.close());
    const first = await store.append(branch, one('1'), null, 'first');
    for (const bytes of [200_000, 10_000_000]) {
      const refused = store.append(branch, one(randomBytes(bytes).toString('hex')), first, 'second');
      await expect(refused).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('too large'), status: 413 });
      expect(await store.head(branch)).toBe(first);
    }
  });
});
