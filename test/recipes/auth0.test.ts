import { auth0 } from '../simulate/auth0/index.ts';
import { describeRecipe } from '../support/describe-recipe.ts';

const client_id = 'shopWebAbCdEfGhIjKlMnOpQrStUvWxY';
const own = 'https://pr-12.acme.example';
const theirs = 'https://pr-13.acme.example';

for (const [op, list, param] of [
  ['callback_url', 'callbacks', 'url'],
  ['logout_url', 'allowed_logout_urls', 'url'],
  ['web_origin', 'web_origins', 'origin'],
  ['allowed_origin', 'allowed_origins', 'origin'],
] as const) {
  describeRecipe(`auth0.${op}`, {
    simulate: auth0,
    subject: ({ origin, basePath, tokens, world }) => {
      const client = world.addClient(client_id, {
        callbacks: [theirs],
        web_origins: [theirs],
        allowed_origins: [theirs],
        [list]: [theirs],
      });
      const entries = (): readonly unknown[] => (Array.isArray(client[list]) ? client[list] : []);
      const mine = () => entries().filter((entry) => entry === own);
      return {
        credential: (tier) => ({ AUTH0_CLIENT_ID: world.machineClients[tier], AUTH0_CLIENT_SECRET: tokens[tier] }),
        env: { AUTH0_API_URL: origin + basePath },
        params: { client_id, [param]: own },
        mine,
        others: () => ({ ...client, [list]: entries().filter((entry) => entry !== own) }),
        remove: () => Object.assign(client, { [list]: entries().filter((entry) => entry !== own) }),
        foreign: () => Object.assign(client, { [list]: [...entries(), own] }),
        secrets: () => Object.keys(world.state.issued),
        requests: { create: { method: 'PATCH' }, remove: { method: 'PATCH' } },
      };
    },
    skip: { twoMatches: 'an entry is its own name: two of them are one' },
  });
}
