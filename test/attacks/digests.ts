import type { Json } from '../../src/core/json.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { lines, openShop, planOf } from '../lifecycle/shop.ts';

export const secrets = {
  FIRST_TOKEN: 'first-token-0123456789',
  SECOND_TOKEN: 'second-token-0123456789',
  CLIENT_ID: 'client-0123456789',
  OTHER_ID: 'other-0123456789',
  VAULT_ADDR: 'https://vault.example',
  VAULT_TOKEN: 'vault-token-0123456789',
};

/** A shop that tells the digests of plans. */
export async function openDigests() {
  const shop = await openShop(planOf(lines.dns));
  const { CLOUDFLARE_API_TOKEN, STRIPE_SECRET_KEY, VERCEL_TOKEN } = shop.world.credentials;
  // A run learns every credential of its environment, and these are thousands of runs.
  const none = Object.fromEntries(Object.keys(shop.world.credentials).map((name) => [name, undefined]));
  const few = { ...none, CLOUDFLARE_API_TOKEN, STRIPE_SECRET_KEY, VERCEL_TOKEN, ...secrets };
  return {
    shop,
    /** The digest of a plan, or `null` for one that is refused: nobody applies that. */
    digestOf: async (plan: Json | string, change: Partial<RunRequest> = {}): Promise<string | null> => {
      await shop.write(typeof plan === 'string' ? plan : JSON.stringify(plan));
      return await shop.plan({ ...change, env: { ...few, ...change.env } }).then(
        ({ digest }) => digest,
        () => null,
      );
    },
  };
}
