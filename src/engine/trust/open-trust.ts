import type { Redactor } from '../../core/redact.ts';
import { Sealing } from '../../ledger/seals/sealing.ts';
import { credentialsNamedBy } from '../../ops/sealing-credentials.ts';
import type { Plan } from '../../plan/types.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { Keyring, type KeyringOptions } from './keyring.ts';
import { Trust, type TrustOptions } from './trust.ts';

export interface SealsOptions extends Pick<KeyringOptions, 'env' | 'readSecret'> {
  readonly redactor: Redactor;
  readonly facts: RepositoryFacts | null;
  readonly plan: Pick<Plan, 'apis' | 'providers'>;
  readonly branch: string;
}

/** The keys of a run and what it seals with them; the writer that it gives them to then completes its trust. */
export function openSeals({ facts, plan, branch, ...o }: SealsOptions) {
  const place = { repository: facts?.slug ?? facts?.remoteUrl ?? '', branch };
  const keyring = new Keyring({ ...o, repository: place.repository, named: credentialsNamedBy(plan) });
  const sealing = new Sealing(keyring, place);
  const trustIn = (ledger: Pick<TrustOptions, 'repository' | 'store' | 'writer'>): Trust =>
    new Trust({ keyring, sealing, place, ...ledger });
  return { sealing, trustIn };
}
