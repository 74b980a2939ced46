import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import { type GitStoreOptions, openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { cleanGitEnv, type GitRemoteOptions, startGitRemote } from './git-remote.ts';
import { quickClock } from './quick-clock.ts';

/** A git host and the stores that one test opens at it, on a machine whose home is `root`. */
export async function openGitPlace(options: GitRemoteOptions) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-git-'));
  const remote = await startGitRemote(options);
  const dispatcher = new Agent({ allowH2: false });
  const opened: Store[] = [];
  return {
    root,
    remote,
    open: async (change: Partial<GitStoreOptions> = {}): Promise<Store> => {
      const at = { url: remote.urlWithAuth, cwd: root, env: cleanGitEnv(root), dispatcher, clock: quickClock };
      const store = openGitStore({ ...at, ...change });
      opened.push(store);
      return store;
    },
    close: async (): Promise<void> => {
      for (const store of opened) await store.close();
      await dispatcher.destroy();
      await remote.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export type GitPlace = Awaited<ReturnType<typeof openGitPlace>>;
