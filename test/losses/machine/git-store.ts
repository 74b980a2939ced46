import type { GitStoreOptions } from '../../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../../src/ledger/stores/store.ts';
import { here } from './machine.ts';

/** In place of `src/ledger/stores/git/git-store.ts`: branches of the simulated git host. Other tests hold the real store to the contract. */
export const openGitStore = ({ url }: GitStoreOptions): Store => here().openStore(url);
