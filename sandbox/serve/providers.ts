import type { Account } from '../accounts/account.ts';
import { accounts } from '../accounts/index.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { type Counting, gatherCounting } from '../kit/ids.ts';

/** One provider of the sandbox: its simulation, and what the owner of the account there knows. */
export interface Provider extends Omit<Account, 'named' | 'keeps'> {
  /** The name of its adapter or family, which is the first part of its path here: `neon`. */
  readonly name: string;
  readonly counting: readonly Counting[];
}

/** The person who is signed in to the command lines that hand out tokens (`gcloud`, `az`). */
export const signedIn = { full: 'sandbox-token-of-a-signed-in-person' };

/** The pull request whose preview a host has before a plan names another one. */
const pull = 12;

/** Every provider's clock is that of this machine. */
const clock: Clock = { ...systemClock, ahead: 0 };

/** An account at every provider, each in the state in which a person opens the sandbox. */
export function openProviders(): readonly Provider[] {
  return Object.entries(accounts).map(([name, open]) => {
    const { made, counting } = gatherCounting(() => open({ clock, tokens: signedIn, plan: '', pull }));
    return { name, simulation: made.simulation, credentials: made.credentials, values: made.values, counting };
  });
}
