import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type GitStoreOptions, openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';
import { branch, openField } from './kit/field.ts';
import { findSshd, type Sshd, startSshd } from './kit/sshd.ts';
import { planOfThings, serveThings } from './kit/things.ts';

const run = promisify(execFile);
const program = findSshd();

describe.skipIf(program === null)('a ledger on a real sshd', () => {
  let root: string;
  let sshd: Sshd;
  let repositories = 0;
  let remote: string;
  let url: string;
  let env: NodeJS.ProcessEnv;

  const freshRemote = async (): Promise<void> => {
    repositories += 1;
    remote = join(root, `web-${repositories}.git`);
    url = sshd.url(remote);
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote], { env: cleanGitEnv(root) });
  };
  const machine = async (): Promise<string> => mkdtemp(join(root, 'machine-'));
  const open = async (change: Partial<GitStoreOptions> = {}): Promise<Store> =>
    openGitStore({ url, cwd: root, env: { ...env, XDG_CACHE_HOME: await machine() }, clock: quickClock, ...change });
  const opened = async (change: Partial<GitStoreOptions> = {}): Promise<Store> => {
    const store = await open(change);
    onTestFinished(() => store.close());
    return store;
  };

  beforeAll(async () => {
    if (program === null) throw new Error('there is no sshd');
    root = await mkdtemp(join(tmpdir(), 'pilotfish-sshd-'));
    sshd = await startSshd(program, root);
    const clean = cleanGitEnv(root);
    env = { ...clean, PATH: `${sshd.bin}:${clean.PATH}` };
  });
  beforeEach(freshRemote);
  afterAll(async () => {
    await sshd?.stop();
    await rm(root, { recursive: true, force: true });
  });

  it('holds whole runs: apply, an apply that changes nothing, destroy', async () => {
    const things = await serveThings();
    onTestFinished(() => things.stop());
    const plan = planOfThings(`      base_url: ${things.base}\n      auth: null\n`, ['one', 'two']);
    const field = await openField({ plan, env: {}, store: () => open() });
    expect(await field.apply()).toMatchObject({ ok: true, status: 'complete' });
    const before = things.seen.length;
    expect(await field.apply()).toMatchObject({ ok: true });
    expect(things.seen.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await field.destroy()).toMatchObject({ ok: true });
    expect(things.things.size).toBe(0);
    const { stdout } = await run('git', ['--git-dir', remote, 'log', '--format=%s', branch]);
    expect(stdout.trim().split('\n').length).toBeGreaterThan(4);
  });

  it('knows that a push landed whose answer was lost', async () => {
    const store = await opened();
    const first = await store.append(branch, new Map([['a', '1']]), null, 'first');
    // git on the host dies right after it has moved the ref.
    const hook = join(remote, 'hooks', 'reference-transaction');
    await writeFile(hook, '#!/bin/sh\n[ "$1" = committed ] || exit 0\nrm "$0"\nkill -9 $PPID\n', { mode: 0o755 });
    const second = await store.append(branch, new Map([['a', '2']]), first, 'second');
    expect(await store.read(branch)).toMatchObject({ head: second, files: new Map([['a', '2']]) });
    const { stdout } = await run('git', ['--git-dir', remote, 'rev-list', '--count', branch]);
    expect(Number(stdout)).toBe(2);
  });

  it('says that a host key is unknown, and how to come to know it', async () => {
    await writeFile(sshd.knownHosts, '');
    onTestFinished(() => writeFile(sshd.knownHosts, sshd.hostLine));
    const store = await opened();
    await expect(store.read(branch)).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringMatching(/does not know the host key of.*Host key verification failed/),
      fix: expect.stringContaining('known_hosts'),
    });
    expect(await readFile(sshd.knownHosts, 'utf8')).toBe('');
  });

  it('asks nothing about an unknown host key, whatever ssh command the user has', async () => {
    await writeFile(sshd.knownHosts, '');
    onTestFinished(() => writeFile(sshd.knownHosts, sshd.hostLine));
    const store = await opened({ env: { ...env, GIT_SSH_COMMAND: 'ssh -o StrictHostKeyChecking=ask' } });
    await expect(store.read(branch)).rejects.toMatchObject({ detail: expect.stringContaining('does not know the host key of') });
  });

  it('takes no host that has another key than the known one', async () => {
    const other = join(await machine(), 'key');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other]);
    const key = (await readFile(`${other}.pub`, 'utf8')).trim();
    await writeFile(sshd.knownHosts, `[127.0.0.1]:${sshd.port} ${key}\n`);
    onTestFinished(() => writeFile(sshd.knownHosts, sshd.hostLine));
    const store = await opened();
    await expect(store.append(branch, new Map([['a', '1']]), null, 'first')).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('a key that differs from the known one'),
    });
  });

  it('says so when the host refuses the key of the user', async () => {
    const accepted = await readFile(sshd.authorizedKeys);
    await writeFile(sshd.authorizedKeys, '');
    onTestFinished(() => writeFile(sshd.authorizedKeys, accepted));
    const store = await opened();
    await expect(store.read(branch)).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringMatching(/did not accept the credential.*Permission denied/),
    });
  });

  it('tells that the repository is not there', async () => {
    const store = await opened({ url: sshd.url('/nowhere/web.git') });
    await expect(store.read(branch)).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining('has no repository there'),
    });
  });

  it('shows the words of a hook that protects the branch', async () => {
    const words = 'receipts are kept by the release managers';
    await writeFile(join(remote, 'hooks', 'pre-receive'), `#!/bin/sh\necho '${words}' >&2\nexit 1\n`, { mode: 0o755 });
    const store = await opened();
    await expect(store.append(branch, new Map([['a', '1']]), null, 'first')).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      detail: expect.stringContaining(words),
      fix: expect.stringContaining('pilotfish-receipts/**'),
    });
  });
});
