import { familyNames } from '../../../src/recipes/load.ts';
import type { OpenAccount } from './account.ts';
import { builtIn } from './built-in.ts';
import { flags } from './flags.ts';
import { recipes } from './recipes.ts';

/** An account at every provider, by the name of its adapter or family. */
export const accounts: { readonly [provider: string]: OpenAccount } = { ...(await ownAccounts()), ...flags, ...recipes, ...builtIn };

/** A simulation may bring what the owner of an account there knows: `account` of `sandbox/<provider>.ts`. */
async function ownAccounts(): Promise<{ readonly [provider: string]: OpenAccount }> {
  const names = (await familyNames()).map(({ name }) => name).filter((name) => !(name in flags || name in recipes || name in builtIn));
  const found = await Promise.all(
    names.map(async (name): Promise<[string, OpenAccount]> => {
      const { account }: { readonly account: OpenAccount } = await import(`pilotfish-sandbox/${name.replaceAll('_', '-')}`);
      return [name, account];
    }),
  );
  return Object.fromEntries(found);
}
