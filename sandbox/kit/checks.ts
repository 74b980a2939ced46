import { type Route, route } from './router.ts';
import type { Call, Reply } from './types.ts';

/** Which credential came: `missing`, `wrong`, one of the three that every simulation has, or another kind by its name. */
export type Kind = string;

/** What a provider says of a credential itself, as `init --setup` asks it. */
export interface Checks {
  /** Reads that ask about the credential alone, by their path; `null` refuses it as a wrong one. */
  readonly answers?: { readonly [path: string]: (kind: Kind, call: Call<object>) => Reply | null };
  /** Credentials of further kinds, by name: what the provider says to a request of such a one, `null` where it serves it. */
  readonly others?: { readonly [kind: string]: (call: Call<object>) => Reply | null };
}

/** The token of a further kind. */
export const tokenOfKind = (provider: string, kind: string): string => `${provider}-token-${kind}-0123456789abcdef`;

/** The routes of the reads, each with what answers it. */
export function checkRoutes<S extends object>({ answers = {} }: Checks): Map<Route<S>, (kind: Kind, call: Call<S>) => Reply | null> {
  const never = (): Reply => {
    throw new Error('a check is answered by its kind of credential');
  };
  return new Map(Object.entries(answers).map(([path, answer]) => [route<S, string>('GET', path, never), answer]));
}
