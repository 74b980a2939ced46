import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { describeStore } from '../support/describe-store.ts';

describeStore(
  'local',
  async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-local-'));
    return {
      open: async () => openLocalStore({ folder: path.join(root, 'ledger') }),
      openUnreachable: async () => {
        await writeFile(path.join(root, 'file'), 'in the way');
        return openLocalStore({ folder: path.join(root, 'file', 'ledger') });
      },
      close: () => rm(root, { recursive: true, force: true }),
    };
  },
  {
    lostAnswers: 'a rename in a folder answers or the process is gone',
    smallAppends: 'a branch is a file that every append writes whole',
  },
);
