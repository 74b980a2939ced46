import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { describeStore } from '../support/describe-store.ts';
import { cleanGitEnv, startGitRemote } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';

describeStore('git over http', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-git-'));
  const remote = await startGitRemote({ user: 'ci', password: 'word' });
  const dispatcher = new Agent({ allowH2: false });
  let machines = 0;
  const openAt = async (url: string): Promise<Store> => {
    machines += 1;
    const home = path.join(root, `machine-${machines}`);
    return openGitStore({ url, cwd: root, env: cleanGitEnv(home), dispatcher, clock: quickClock, isForWriting: true });
  };
  return {
    open: () => openAt(remote.urlWithAuth),
    openUnreachable: () => openAt('http://ci:word@127.0.0.1:9/shop/web.git'),
    loseNextAnswer: (afterwards) => remote.cutNextPushAnswer(afterwards),
    async close() {
      await dispatcher.destroy();
      await remote.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
});
