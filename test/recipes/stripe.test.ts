import { stripe } from '../simulate/stripe/index.ts';
import { describeRecipe } from '../support/describe-recipe.ts';

const url = 'https://pr-12.acme.example';
const name = 'shop-pr-12';

describeRecipe('stripe.webhook_endpoint', {
  simulate: stripe,
  subject: ({ world }) => {
    if (world.endpoints().length === 0)
      world.addEndpoint('https://pr-13.acme.example/hook', { metadata: { pilotfish_name: 'shop-pr-13' } });
    const mine = () => world.endpoints().filter(({ metadata }) => metadata.pilotfish_name === name);
    return {
      credential: 'STRIPE_SECRET_KEY',
      params: { name, url, enabled_events: ['invoice.paid', 'charge.failed'], description: 'preview 12', api_version: '2026-07-29.dahlia' },
      mine,
      others: () => world.endpoints().filter(({ metadata }) => metadata.pilotfish_name !== name),
      stands: {
        url: `${url}/api/webhooks/stripe`,
        enabled_events: ['invoice.paid', 'charge.failed'],
        description: 'preview 12',
        status: 'enabled',
        api_version: '2026-07-29.dahlia',
      },
      edits: {
        url: { url: 'https://elsewhere.example/hook' },
        enabled_events: { enabled_events: ['*'] },
        description: { description: null },
        status: { status: 'disabled' },
      },
      changes: {
        url: { url: 'https://pr-12b.acme.example' },
        enabled_events: { enabled_events: ['invoice.paid'] },
        description: { description: 'preview 12, changed' },
      },
      fixed: { api_version: { api_version: '2026-06-30.clover' } },
      undeclared: { metadata: { team: 'payments' } },
      remove: () => {
        for (const { id } of mine()) world.removeEndpoint(id);
      },
      fill: () => Object.assign(world.state, { endpointLimit: 1 }),
      foreign: () => world.addEndpoint(`${url}/api/webhooks/stripe`, { metadata: { pilotfish_name: name } }),
      secrets: () => world.endpoints().map(({ secret }) => secret),
    };
  },
  skip: {
    blind: 'the key of another account reads an empty list, as an empty account does',
    blindDestroy: 'the key of another account reads an empty list, as an empty account does',
  },
});
