import { auth0 } from 'pilotfish-sandbox/auth0/index';
import type { Simulation, SimulationOptions } from 'pilotfish-sandbox/kit/index';
import { rollbar } from 'pilotfish-sandbox/rollbar';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { unleash } from 'pilotfish-sandbox/unleash';
import type { Clock } from '../../src/core/clock.ts';
import type { Described } from '../crash/collect/described.ts';
import type { Subject } from '../support/suite/subject.ts';

/** An operation of each kind, for the tests that run with all others. `npm run live -- --sandbox --all` proves every operation. */
const describe = <W>(
  op: string,
  simulate: (options: SimulationOptions) => Simulation<W>,
  subject: (simulation: Simulation<W>) => Subject,
  kind?: 'action',
): Described => ({
  op,
  isRecipe: true,
  kind,
  skip: {},
  open: (clock: Clock) => {
    const simulation = simulate({ clock });
    return { simulation, subject: subject(simulation) };
  },
});

const flag = ['shop', 'checkout', 'development'] as const;
const title = 'shop pr-12';

export const flagStrategy = describe('unleash.flag_strategy', unleash, ({ origin, world }) => {
  world.addFlag('shop', 'checkout', ['development']);
  world.addStrategy(...flag, { name: 'flexibleRollout', title: 'of somebody' });
  const environment = world.environment(...flag);
  return {
    credential: 'UNLEASH_API_TOKEN',
    env: { UNLEASH_API_URL: origin },
    params: {
      project: 'shop',
      feature: 'checkout',
      environment: 'development',
      title,
      constraints: [{ contextName: 'host', operator: 'IN', values: ['pr-12.acme.example'] }],
      parameters: { rollout: '50' },
      segments: [3, 4],
      disabled: false,
    },
    mine: () => environment.strategies.filter((one) => one.title === title),
    others: () => environment.strategies.filter((one) => one.title !== title),
    foreign: () => world.addStrategy(...flag, { name: 'flexibleRollout', title }),
  };
});

const client_id = 'shopWebAbCdEfGhIjKlMnOpQrStUvWxY';
const callback = 'https://pr-12.acme.example/callback';

export const callbackUrl = describe('auth0.callback_url', auth0, ({ origin, basePath, tokens, world }) => {
  const client = world.addClient(client_id, { callbacks: ['https://shop.acme.example/callback'] });
  const entries = (): readonly unknown[] => (Array.isArray(client.callbacks) ? client.callbacks : []);
  return {
    credential: (tier) => ({ AUTH0_CLIENT_ID: world.machineClients[tier], AUTH0_CLIENT_SECRET: tokens[tier] }),
    env: { AUTH0_API_URL: origin + basePath },
    params: { client_id, url: callback },
    mine: () => entries().filter((entry) => entry === callback),
    others: () => entries().filter((entry) => entry !== callback),
  };
});

/** Its signing secret is shown only in the answer to the create. */
export const webhookEndpoint = describe('stripe.webhook_endpoint', stripe, ({ world }) => {
  world.addEndpoint('https://shop.acme.example/hook', { metadata: { pilotfish_name: 'of somebody' } });
  const isMine = ({ metadata }: { readonly metadata: { readonly pilotfish_name?: string } }): boolean =>
    metadata.pilotfish_name === 'shop-pr-12';
  return {
    credential: 'STRIPE_SECRET_KEY',
    params: { name: 'shop-pr-12', url: 'https://pr-12.acme.example', enabled_events: ['invoice.paid', 'charge.failed'] },
    mine: () => world.endpoints().filter(isMine),
    others: () => world.endpoints().filter((one) => !isMine(one)),
  };
});

export const deploy = describe(
  'rollbar.deploy',
  rollbar,
  ({ world }) => ({
    credential: 'ROLLBAR_ACCESS_TOKEN',
    params: { environment: 'pr-12', revision: '4f2a91c' },
    mine: () => world.deploys,
    others: () => [],
  }),
  'action',
);
