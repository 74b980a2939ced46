import { rm } from 'node:fs/promises';
import { Agent } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { acquireSharedLock } from '../../src/ledger/locks/lock-place.ts';
import { lockBranch, lockPlace } from '../../src/ledger/model/names.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function host(): Promise<{ remote: GitRemoteServer; open: (name: string) => Store }> {
  const remote = await startGitRemote({ user: 'ci', password: 'word' });
  const root = await tempFolder('locks');
  const dispatcher = new Agent({ allowH2: false });
  onTestFinished(async () => {
    await dispatcher.destroy();
    await remote.stop();
    await rm(root, { recursive: true, force: true });
  });
  const open = (name: string) =>
    openGitStore({ url: remote.urlWithAuth, cwd: root, env: cleanGitEnv(`${root}/${name}`), dispatcher, clock: quickClock });
  return { remote, open };
}

const take = (store: Store, run: string) =>
  acquireSharedLock({
    store,
    name: 'apps/1',
    clock: quickClock,
    terms: { holder: 'here', run, durationMs: 120_000, deadlineMs: 30_000 },
    timeoutMs: 600_000,
    signal: new AbortController().signal,
    onWait: () => undefined,
  });

it('keeps locks below refs/heads on a host that hides refs of its own, and every machine sees that', async () => {
  const { remote, open } = await host();
  await remote.git('config', 'receive.hideRefs', 'refs/pilotfish');
  const [here, there] = [open('a'), open('b')];
  await (await take(here, 'a')).release(0);
  await (await take(there, 'b')).release(0);
  const refs = (await remote.git('for-each-ref', '--format=%(refname)')).split('\n');
  expect(refs).toEqual([lockPlace, lockBranch('apps/1', 'branch')].sort());
  expect(await remote.git('rev-list', '--count', lockPlace)).toBe('1');
  expect(await remote.git('rev-list', '--count', lockBranch('apps/1', 'branch'))).toBe('4');
});

it('says what both places need when a rule refuses them', async () => {
  const { remote, open } = await host();
  await remote.rejectPushes('GH013: Repository rule violations found for this ref');
  const refused = take(open('a'), 'a');
  await expect(refused).rejects.toMatchObject({ code: 'LEDGER_REFUSED', fix: expect.stringContaining('`pilotfish-locks/**`') });
  await expect(refused).rejects.toThrow('GH013');
});
