import { parseState } from '../../src/ledger/model/state.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { told } from './told.ts';

/**
 * Reads one branch in a process of its own, because only a whole process tells how much memory that took:
 * `node read-ledger.ts <address or folder of a local ledger> <branch>`.
 */
const [address = '', branch = ''] = process.argv.slice(2);
const store = address.endsWith('/ledger')
  ? openLocalStore({ folder: address })
  : openGitStore({ url: address, cwd: process.cwd(), env: process.env });
try {
  const tree = await store.read(branch);
  const state = parseState(tree?.files ?? new Map(), branch);
  told(`${state.records.size} records`);
} catch (error) {
  told(String(error));
}
await store.close();
process.exit(0);
