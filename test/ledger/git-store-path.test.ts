import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { describeStore } from '../support/describe-store.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';

const run = promisify(execFile);

describe.each(['sha1', 'sha256'])('with %s', (format) =>
  describeStore(
    `git in a folder, ${format},`,
    async () => {
      const root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-git-'));
      const remote = path.join(root, 'remote.git');
      await run('git', ['init', '--quiet', '--bare', `--object-format=${format}`, remote], { env: cleanGitEnv(root) });
      let machines = 0;
      const openAt = async (url: string): Promise<Store> => {
        machines += 1;
        return openGitStore({ url, cwd: root, env: cleanGitEnv(path.join(root, `machine-${machines}`)), clock: quickClock });
      };
      return {
        open: () => openAt(machines % 2 === 0 ? remote : `file://${remote}`),
        openUnreachable: () => openAt(path.join(root, 'nothing.git')),
        close: () => rm(root, { recursive: true, force: true }),
      };
    },
    { lostAnswers: 'the other end is a local process; the ssh test loses one' },
  ),
);
