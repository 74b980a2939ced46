import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runApply } from '../../src/engine/run.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { acquireSharedLock } from '../../src/ledger/locks/lock-place.ts';
import { lockBranch } from '../../src/ledger/model/names.ts';
import { restoreLedger } from '../../src/ledger/recovery/restore.ts';
import { type GitStoreOptions, openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { HeadMoved, type Store } from '../../src/ledger/stores/store.ts';
import { branch, lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { quickClock } from '../support/quick-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

const one = (text: string): ReadonlyMap<string, string> => new Map([['a', text]]);
const ref = `refs/heads/${branch}`;

let remote: GitRemoteServer;
let agent: Agent;
const opened: Store[] = [];
beforeEach(async () => {
  remote = await startGitRemote({ user: 'ci', password: 'word' });
  agent = new Agent({ allowH2: false });
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await agent.destroy();
  await remote.stop();
});

const hook = async (name: string, script: string): Promise<void> => {
  const file = path.join(remote.dir, 'hooks', name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
};
const refuse = (words: string): Promise<void> => hook('pre-receive', `cat >/dev/null\ncat >&2 <<'END'\n${words}\nEND\nexit 1`);
/** What others may have put at the remote before the first run. */
const mainBranch = async (name: string): Promise<string> => {
  const tree = await remote.git('hash-object', '-w', '-t', 'tree', '/dev/null');
  const commit = await remote.git('commit-tree', '-m', 'code', tree);
  await remote.git('update-ref', `refs/heads/${name}`, commit);
  return commit;
};

describe.each(['http', 'path'] as const)('a push over %s', (transport) => {
  const open = async (): Promise<Store> => {
    const home = await tempFolder('moved');
    const url = transport === 'http' ? remote.urlWithAuth : remote.dir;
    const store = openGitStore({ url, cwd: home, env: cleanGitEnv(home), dispatcher: agent, clock: quickClock });
    opened.push(store);
    return store;
  };

  it('that a branch above stands in the way of names that branch', async () => {
    await mainBranch('pilotfish-receipts');
    const refused = (await open()).append(branch, one('1'), null, 'first');
    await expect(refused).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringMatching(/branch pilotfish-receipts .*blocks/),
      fix: expect.stringContaining('`pilotfish-receipts`'),
    });
    expect(await remote.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/pilotfish-receipts');
  });

  it('that a branch below stands in the way of names that branch', async () => {
    await mainBranch(`${branch}/backup`);
    const refused = (await open()).append(branch, one('1'), null, 'first');
    await expect(refused).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining(`${branch}/backup`) });
  });

  it('of a lock that a ref above stands in the way of goes where the remote takes locks', async () => {
    await remote.git('update-ref', 'refs/pilotfish', await mainBranch('main'));
    const store = await open();
    const clock = new LeapingClock();
    const terms = { holder: 'here', run: 'a', durationMs: 3_000, deadlineMs: 300 };
    const more = { timeoutMs: 60_000, signal: new AbortController().signal, onWait: () => undefined };
    await (await acquireSharedLock({ store, clock, terms, name: 'list', ...more })).release(0);
    expect(await store.head(lockBranch('list', 'branch'))).not.toBeNull();
  });

  it('that meets the lock file of a git that died is refused in the words of the host', async () => {
    const store = await open();
    const head = await store.append(branch, one('1'), null, 'first');
    await writeFile(path.join(remote.dir, `${ref}.lock`), '');
    await expect(store.append(branch, one('2'), head, 'second')).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('.lock'),
      fix: expect.stringContaining('.lock'),
    });
    expect(await store.head(branch)).toBe(head);
  });

  it('whose ref the host cannot write is refused', async () => {
    await mkdir(path.join(remote.dir, 'refs/heads/pilotfish-receipts'), { recursive: true });
    await writeFile(path.join(remote.dir, 'refs/heads/pilotfish-receipts/preview'), 'no ref\n');
    await expect((await open()).append(branch, one('1'), null, 'first')).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
  });

  it.each([
    'hint: Updates were rejected: fetch first',
    'non-fast-forward',
    "error: cannot lock ref 'refs/heads/x': is at 1 but expected 2",
    'failed to update ref',
    'stale info',
    'reference already exists',
    'fatal: write error: No space left on device',
    'error: remote unpack failed: unable to create temporary object directory: Disk quota exceeded',
    'GH006: Protected branch update failed',
    'the policy server answered: connection refused, timed out',
  ])('that a hook refuses with "%s" is no push that came too late', async (words) => {
    await refuse(words);
    const store = await open();
    const refused = store.append(branch, one('1'), null, 'first');
    await expect(refused).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining(words.replace(/^hint: /, '')) });
    await remote.rejectPushes(null);
    const head = await store.append(branch, one('1'), null, 'first');
    await refuse(words);
    await expect(store.append(branch, one('2'), head, 'second')).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    await expect(store.remove(branch, head)).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(await store.head(branch)).toBe(head);
  });

  it('that another one came before says so, also where a hook lies about it', async () => {
    const [here, there] = [await open(), await open()];
    const head = await here.append(branch, one('1'), null, 'first');
    await there.append(branch, one('2'), await there.head(branch), 'second');
    await expect(here.append(branch, one('3'), head, 'third')).rejects.toBeInstanceOf(HeadMoved);
    await refuse('all is well');
    await expect(here.append(branch, one('3'), head, 'third')).rejects.toBeInstanceOf(HeadMoved);
  });
});

describe('a run', () => {
  let shop: Shop;
  afterEach(async () => {
    shop.verify();
    await shop.close();
  });
  const storeOf = async (): Promise<Store> => {
    const home = await tempFolder('moved');
    const store = openGitStore({ url: remote.urlWithAuth, cwd: home, env: cleanGitEnv(home), dispatcher: agent, clock: shop.clock });
    opened.push(store);
    return store;
  };
  const applyOver = (store: Store, change: Partial<RunRequest> = {}, signal?: AbortSignal) =>
    runApply(shop.request(change), {
      clock: shop.clock,
      dispatcher: shop.dispatcher,
      store,
      repository: null,
      ...(signal && { signal }),
    });

  it('whose receipts branch cannot be made ends with that, after a push or two', async () => {
    shop = await openShop(planOf(lines.dns, lines.callback));
    await mainBranch('pilotfish-receipts');
    const seen = shop.watch();
    const { error, status } = await applyOver(await storeOf());
    expect([status, error?.code]).toEqual(['failed', 'LEDGER_REFUSED']);
    expect(error?.detail).toContain('pilotfish-receipts');
    expect(seen.writes().filter(({ path: at }) => at !== '/oauth/token')).toEqual([]);
    expect(remote.count.pushes).toBeLessThan(10);
    expect(seen.all().length).toBeLessThan(20);
  });

  /** A store that says of each push that it came too late, while the head stays. */
  const lying = (remoteStore: Store, o: { readonly of?: RegExp; readonly at?: (count: number) => void } = {}) => {
    const count = { appends: 0 };
    const store: Store = {
      ...remoteStore,
      append: async (name, ...rest) => {
        if (!(o.of ?? /receipts/).test(name)) return await remoteStore.append(name, ...rest);
        count.appends += 1;
        o.at?.(count.appends);
        if (count.appends > 2_000) throw new Error('it does not end');
        throw new HeadMoved(name);
      },
    };
    return { store, count };
  };
  const minutes = (n: number): number => n * 60_000;
  const waiting = { leaseTimeoutMs: minutes(2) };

  it.each(['apply', 'destroy'] as const)(
    'that is told again and again that its push came too late ends within the lease timeout: %s',
    async (what) => {
      shop = await openShop(planOf(lines.dns));
      if (what === 'destroy') await shop.apply();
      const { store, count } = lying(shop.remote.open());
      const [seen, since] = [shop.watch(), shop.clock.mono()];
      const ended = await applyOver(store, { ...waiting, destroy: what === 'destroy' }).then(
        ({ error, status }) => ({ code: error?.code, status }),
        (thrown) => ({ code: thrown.code, status: 'failed' }),
      );
      expect(ended).toEqual({ code: 'LEDGER_REFUSED', status: 'failed' });
      expect(shop.clock.mono() - since).toBeLessThan(minutes(5));
      expect(count.appends).toBeLessThan(200);
      expect(seen.all().length).toBeLessThan(20);
      expect(seen.writes()).toEqual([]);
    },
  );

  it('that is told so ends on the signal', async () => {
    shop = await openShop(planOf(lines.dns));
    const stop = new AbortController();
    const { store, count } = lying(shop.remote.open(), { at: (n) => n === 5 && stop.abort(new Error('SIGINT')) });
    const since = shop.clock.mono();
    const ended = await applyOver(store, { leaseTimeoutMs: minutes(600) }, stop.signal).then(
      ({ error, status }) => error?.code ?? status,
      (thrown) => thrown.code,
    );
    expect(['INTERRUPTED', 'interrupted', 'LEDGER_REFUSED']).toContain(ended);
    expect(count.appends).toBeLessThan(15);
    expect(shop.clock.mono() - since).toBeLessThan(minutes(2));
  });

  it('that is overtaken again and again ends within the lease timeout', async () => {
    shop = await openShop(planOf(lines.dns));
    const inner = shop.remote.open();
    let others = 0;
    const store: Store = {
      ...inner,
      append: async (name, ...rest) => {
        if (name === branch) {
          others += 1;
          if (others > 2_000) throw new Error('it does not end');
          await shop.clock.sleep(1_000);
          await inner.append(name, new Map([[`others/${others}`, 'x']]), await inner.head(name), 'a bot');
        }
        return await inner.append(name, ...rest);
      },
    };
    const ended = await applyOver(store, waiting).then(
      ({ error }) => error?.code,
      (thrown) => thrown.code,
    );
    expect(ended).toBe('LEASE_HELD');
    expect(others).toBeLessThan(200);
  });

  it.each(['hidden', 'branch'] as const)('that is told so of a lock below %s ends within the lease timeout', async (place) => {
    shop = await openShop(planOf(lines.callback));
    const of = place === 'hidden' ? /^refs\/pilotfish/ : /pilotfish-locks\/[0-9a-f]+$/;
    if (place === 'branch') await shop.remote.open().append('refs/heads/pilotfish-locks/_place', one('x'), null, 'place');
    const { store, count } = lying(shop.remote.open(), { of });
    const before = shop.callbacks();
    const doc = await applyOver(store, waiting);
    expect(doc.lines.map(({ error }) => error?.code)).toEqual(['LEDGER_REFUSED']);
    expect(count.appends).toBeLessThan(200);
    expect(shop.callbacks()).toEqual(before);
  });

  it('that restores a ledger and is told so ends within the lease timeout, and on the signal', async () => {
    shop = await openShop(planOf(lines.dns));
    const { receipt } = await shop.apply();
    const { store, count } = lying(shop.remote.open());
    const signal = new AbortController();
    const o = { store, branch, commit: receipt.commit ?? '', clock: shop.clock, signal: signal.signal, onWait: () => undefined };
    const terms = { holder: 'here', run: 'r', durationMs: 3_000, deadlineMs: 300 };
    await expect(restoreLedger({ ...o, terms, leaseTimeoutMs: minutes(2) })).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(count.appends).toBeLessThan(200);
    const stopped = restoreLedger({ ...o, terms, leaseTimeoutMs: minutes(600) });
    void shop.clock.sleep(minutes(1)).then(() => signal.abort(new Error('SIGINT')));
    await expect(stopped).rejects.toThrow('SIGINT');
    expect(count.appends).toBeLessThan(400);
  });
});

describe('a host that asks for patience', () => {
  const busyStore = async (change: Partial<GitStoreOptions>): Promise<Store> => {
    const server = createServer((_, response) => void response.writeHead(429, { 'retry-after': '60' }).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const home = await tempFolder('moved');
    const url = `http://ci:word@127.0.0.1:${port}/shop/web.git`;
    const store = openGitStore({ url, cwd: home, env: cleanGitEnv(home), dispatcher: agent, ...change });
    opened.push(store);
    return store;
  };

  it.each(['read', 'push'] as const)('is waited for no longer than the lease timeout: %s', async (what) => {
    const clock = new LeapingClock();
    const store = await busyStore({ clock, patienceMs: 90_000 });
    const asked = what === 'read' ? store.head(branch) : store.append(branch, one('1'), null, 'first');
    await expect(asked).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('429') });
    expect(clock.mono()).toBeGreaterThan(0);
    expect(clock.mono()).toBeLessThanOrEqual(90_000);
  });

  it('is not waited for after the signal', async () => {
    const clock = new LeapingClock();
    const stop = new AbortController();
    const store = await busyStore({ clock, signal: stop.signal });
    const asked = store.append(branch, one('1'), null, 'first');
    void clock.sleep(10_000).then(() => stop.abort(new Error('SIGINT')));
    await expect(asked).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(clock.mono()).toBeLessThan(11_000);
    await expect(store.head(branch)).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(clock.mono()).toBeLessThan(12_000);
  });
});
