import type { Clock } from '../kit/clock.ts';
import type { Simulation } from '../kit/index.ts';

/** Somebody's account at a provider, and what its owner knows. */
export interface Account {
  readonly simulation: Simulation;
  /** Variables that the report of `init` names. */
  readonly credentials: Readonly<Record<string, string>>;
  /** What the owner writes in the place of a placeholder, by param. */
  readonly values: Readonly<Record<string, string>>;
  /** The same of one of several sites, by the placeholder that names the site. */
  readonly named?: Readonly<Record<string, string>>;
  /** Params whose values in the plan this account has as they are. */
  readonly keeps?: readonly string[];
}

export interface AccountOptions {
  readonly clock: Clock;
  /** Of the person who is signed in to a CLI that hands tokens out. */
  readonly tokens: { readonly full: string };
  /** The plan that asks. */
  readonly plan: string;
  /** The pull request whose preview the host has. */
  readonly pull: number;
}

export type OpenAccount = (options: AccountOptions) => Account;

/** The secret key of one person at AWS, who may do all of it at each of its services. */
export const aws = { full: 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY01' };

/** An account whose credential is one token, in the variable of that name, or several variables. */
export const account = (simulation: Simulation, credentials: string | Account['credentials'], values: Account['values'] = {}): Account => ({
  simulation,
  credentials: typeof credentials === 'string' ? { [credentials]: simulation.tokens.full } : credentials,
  values,
});
