import type { Outcome } from '../kit/types.ts';
import type { Shown } from './objects.ts';

/** What the page is told, by the name of the event. */
export interface Told {
  readonly providers: readonly ProviderShown[];
  readonly provider: ProviderShown;
  readonly request: RequestShown;
  readonly switches: Switches;
}

export interface ProviderShown {
  readonly name: string;
  readonly objects: readonly Shown[];
  /** What a plan may name there, by param. */
  readonly values: Readonly<Record<string, string>>;
}

/** A request that a provider saw. It has no header, no query and no body, so no credential. */
export interface RequestShown {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly provider: string;
  readonly method: string;
  readonly path: string;
  /** `null` where no answer was made. */
  readonly status: number | null;
  readonly write: boolean;
  readonly outcome: Outcome | 'not served';
}

/** Faults by provider; `*` is every provider. */
export interface Switches {
  readonly armed: { readonly [place: string]: readonly FaultName[] };
}

/** In the order in which the page shows them. */
export const faults = {
  lose: 'Lose the next answer to a write',
  limit: 'Refuse the next request: 429',
  slow: 'Answer slowly: 3 seconds each',
  untidy: 'Spell values in other ways',
} as const;

export type FaultName = keyof typeof faults;

/** What the page asks for. */
export type Order =
  | { readonly do: 'fault'; readonly place: string; readonly fault: FaultName; readonly on: boolean }
  | { readonly do: 'remove'; readonly provider: string; readonly path: readonly (string | number)[] }
  | {
      readonly do: 'change';
      readonly provider: string;
      readonly path: readonly (string | number)[];
      readonly field: string;
      readonly value: unknown;
    };
