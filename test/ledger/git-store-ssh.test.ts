import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { type GitStoreOptions, openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';

const run = promisify(execFile);
const branch = receiptsBranch('preview', 'pr-1');
const one = (text: string): ReadonlyMap<string, string> => new Map([['a', text]]);

let root: string;
let remote: string;
let env: NodeJS.ProcessEnv;
let opened: Store[];

/** A stand-in for ssh: it runs the remote's command here, and does what the file `next` says, once. */
const ssh = (folder: string): string => `#!/bin/sh
echo "$*" >> ${folder}/calls
for last; do :; done
next=$(cat ${folder}/next 2>/dev/null)
case "$next:$last" in
  unknown:*) echo 'Host key verification failed.' >&2; exit 255;;
  changed:*) echo '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @' >&2; echo 'Host key verification failed.' >&2; exit 255;;
  refuse:*) echo 'git@example.org: Permission denied (publickey).' >&2; exit 255;;
  away:*) echo 'ssh: connect to host example.org port 22: Connection refused' >&2; exit 255;;
esac
exec sh -c "$last"
`;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-ssh-'));
  remote = path.join(root, 'remote.git');
  opened = [];
  await run('git', ['init', '--quiet', '--bare', remote], { env: cleanGitEnv(root) });
  await writeFile(path.join(root, 'ssh'), ssh(root), { mode: 0o755 });
  env = { ...cleanGitEnv(root), GIT_SSH_COMMAND: path.join(root, 'ssh'), GIT_SSH_VARIANT: 'ssh' };
});

afterEach(async () => {
  for (const store of opened) await store.close();
  await rm(root, { recursive: true, force: true });
});

async function open(options: Partial<GitStoreOptions> = {}): Promise<Store> {
  const store = openGitStore({ url: `git@example.org:${remote}`, cwd: root, env, clock: quickClock, ...options });
  opened.push(store);
  return store;
}

const next = (what: string): Promise<void> => writeFile(path.join(root, 'next'), what);

/** Ends git on the remote's side right after it has moved the ref. */
async function loseNextAnswer(): Promise<void> {
  const hook = path.join(remote, 'hooks', 'reference-transaction');
  await writeFile(hook, '#!/bin/sh\n[ "$1" = committed ] || exit 0\nrm "$0"\nkill -9 $PPID\n', { mode: 0o755 });
}

const commits = async (): Promise<number> => Number((await run('git', ['--git-dir', remote, 'rev-list', '--count', branch])).stdout);

it('keeps the ledger over ssh', async () => {
  const store = await open();
  const head = await store.append(branch, one('1'), null, 'first');
  const other = await open({ cacheDir: path.join(root, 'other') });
  expect(await other.read(branch)).toMatchObject({ head, files: one('1') });
  expect(store.location).toBe(`git@example.org:${remote}`);
});

it('knows over ssh that a push landed whose answer was lost', async () => {
  const store = await open();
  const first = await store.append(branch, one('1'), null, 'first');
  await loseNextAnswer();
  const second = await store.append(branch, one('2'), first, 'second');
  expect(await store.read(branch)).toMatchObject({ head: second, files: one('2') });
  expect(await commits()).toBe(2);
  expect(await readdir(path.join(remote, 'hooks'))).not.toContain('reference-transaction');
});

it('tells a key that is refused from a host that is away', async () => {
  const store = await open();
  await next('refuse');
  await expect(store.read(branch)).rejects.toMatchObject({
    code: 'LEDGER_REFUSED',
    detail: expect.stringContaining('did not accept the credential'),
  });
  await next('away');
  await expect(store.read(branch)).rejects.toMatchObject({
    code: 'LEDGER_REFUSED',
    detail: expect.stringContaining('could not be reached'),
  });
});

it('says of a host key that is unknown, or is another one, that it is the host and not the credential', async () => {
  const store = await open();
  await next('unknown');
  await expect(store.read(branch)).rejects.toMatchObject({
    code: 'LEDGER_REFUSED',
    detail: expect.stringContaining('does not know the host key of'),
  });
  await next('changed');
  await expect(store.read(branch)).rejects.toMatchObject({
    code: 'LEDGER_REFUSED',
    detail: expect.stringContaining('a key that differs from the known one'),
  });
});

it('lets ssh ask nothing, unless the user has an ssh command of their own', async () => {
  await writeFile(path.join(root, 'bin-ssh'), '');
  const { GIT_SSH_COMMAND: _, ...bare } = env;
  const bin = path.join(root, 'bin');
  await run('mkdir', [bin]);
  await run('cp', [path.join(root, 'ssh'), path.join(bin, 'ssh')]);
  const store = await open({ env: { ...bare, PATH: `${bin}:${bare.PATH}` } });
  await store.read(branch);
  expect(await readFile(path.join(root, 'calls'), 'utf8')).toContain('-o BatchMode=yes');
});

it('shows the words of a hook that declines, in a folder too', async () => {
  await writeFile(path.join(remote, 'hooks', 'pre-receive'), '#!/bin/sh\necho "only release managers" >&2\nexit 1\n', { mode: 0o755 });
  const store = await open({ url: remote });
  const refused = store.append(branch, one('1'), null, 'first');
  await expect(refused).rejects.toMatchObject({ code: 'LEDGER_REFUSED', fix: expect.stringContaining('pilotfish-receipts/**') });
  await expect(refused).rejects.toThrow(/only release managers.*hook declined|hook declined.*only release managers/);
});
