import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { describeStore } from '../support/describe-store.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';
import { loseNextAnswer } from './kit/lost-answer.ts';
import { isAlone } from './kit/program.ts';
import { findSshd, startSshd } from './kit/sshd.ts';

const run = promisify(execFile);
const program = isAlone('The contract of stores over ssh takes a minute or two') ? findSshd() : null;

describe.skipIf(program === null)('the contract of stores, on a real sshd', () => {
  describe.each(['sha1', 'sha256'])('with %s', (format) =>
    describeStore(`git over sshd, ${format},`, async () => {
      if (program === null) throw new Error('there is no sshd');
      const root = await mkdtemp(join(tmpdir(), 'pilotfish-sshd-'));
      const sshd = await startSshd(program, root);
      const clean = cleanGitEnv(root);
      const remote = join(root, 'web.git');
      await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', `--object-format=${format}`, remote], { env: clean });
      let machines = 0;
      const openAt = async (url: string): Promise<Store> => {
        machines += 1;
        const env = { ...clean, PATH: `${sshd.bin}:${clean.PATH}`, XDG_CACHE_HOME: join(root, `machine-${machines}`) };
        return openGitStore({ url, cwd: root, env, clock: quickClock });
      };
      return {
        open: () => openAt(sshd.url(remote)),
        loseNextAnswer: (afterwards) => loseNextAnswer(remote, afterwards),
        openUnreachable: () => openAt('ssh://git@127.0.0.1:9/shop/web.git'),
        close: async () => {
          await sshd.stop();
          await rm(root, { recursive: true, force: true });
        },
      };
    }),
  );
});
