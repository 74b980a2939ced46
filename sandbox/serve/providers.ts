import type { Account } from '../accounts/account.ts';
import { accounts } from '../accounts/index.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { type Counting, gatherCounting } from '../kit/ids.ts';

/** One provider of the sandbox: its simulation, and what the owner of the account there knows. */
export interface Provider extends Omit<Account, 'named' | 'keeps' | 'values'> {
  /** The name of its adapter or family, which is the first part of its path here: `neon`. */
  readonly name: string;
  /** What a plan may name there, by param. */
  values: Account['values'];
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

/**
 * A plan that names an address which answers by itself, as that of a preview, names the one that it has here. The base address of an API
 * stays as it is, because `<NAME>_API_URL` goes before it. `at`: the sandbox's origin.
 */
export function moveHere(providers: readonly Provider[], at: string): void {
  for (const provider of providers) {
    const { origin } = provider.simulation;
    const hereOf = (param: string, value: string): string =>
      param === 'base_url' ? value : value.replace(origin, `${at}/${provider.name}`);
    provider.values = Object.fromEntries(Object.entries(provider.values).map(([param, value]) => [param, hereOf(param, value)]));
  }
}
