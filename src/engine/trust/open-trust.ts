import type { Redactor } from '../../core/redact.ts';
import type { LedgerState } from '../../ledger/model/facts.ts';
import { sealsPath } from '../../ledger/seals/lists.ts';
import { Sealing } from '../../ledger/seals/sealing.ts';
import type { Store, Tree } from '../../ledger/stores/store.ts';
import { credentialsNamedBy } from '../../ops/sealing-credentials.ts';
import type { Plan } from '../../plan/types.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { Keyring, type KeyringOptions } from './keyring.ts';
import { Trust, type TrustOptions } from './trust.ts';

export interface SealsOptions extends Pick<KeyringOptions, 'env' | 'readSecret'> {
  readonly redactor: Redactor;
  readonly facts: RepositoryFacts | null;
  readonly plan: Pick<Plan, 'apis' | 'providers' | 'familyBlocks'>;
  readonly branch: string;
  /** The number of the pull request that the run works for. */
  readonly pull: number | null;
}

/** Makes the keys of a run and its sealing. The writer that gets the sealing then completes the run's trust. */
export function openSeals({ facts, plan, branch, pull, ...o }: SealsOptions) {
  const place = { repository: facts?.slug ?? facts?.remoteUrl ?? '', branch };
  const keyring = new Keyring({ ...o, repository: place.repository, named: credentialsNamedBy(plan) });
  const sealing = new Sealing(keyring, place, pull);
  const trustIn = (ledger: Pick<TrustOptions, 'repository' | 'store' | 'writer' | 'lost'>): Trust =>
    new Trust({ keyring, sealing, place, ...ledger });
  return { sealing, trustIn };
}

/** The trust in a ledger that no run has opened yet. */
export function trustInTree(o: Omit<SealsOptions, 'pull'> & { readonly store: Store }, tree: Tree, state: LedgerState): Trust {
  const { trustIn } = openSeals({ ...o, pull: null });
  const writer = { seals: tree.files.get(sealsPath), state, head: tree.head, commit: tree };
  return trustIn({ repository: '', store: o.store, writer });
}
