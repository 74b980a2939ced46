import { account as doppler } from '../doppler.ts';
import type { OpenAccount } from './account.ts';
import { builtIn } from './built-in.ts';
import { flags } from './flags.ts';
import { recipes } from './recipes.ts';

/** An account at every provider, by the name of its adapter or family. A simulation may bring what the owner of an account there knows. */
export const accounts: { readonly [provider: string]: OpenAccount } = { doppler, ...flags, ...recipes, ...builtIn };
