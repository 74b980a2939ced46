import { auth0 } from './auth0/index.ts';
import { cloudflare } from './cloudflare.ts';
import { github } from './github.ts';
import { type Clock, systemClock } from './kit/clock.ts';
import type { Simulation } from './kit/index.ts';
import { neon } from './neon/index.ts';
import { rollbar } from './rollbar.ts';
import { sentry } from './sentry.ts';
import { stripe } from './stripe/index.ts';
import { unleash } from './unleash.ts';
import { vercel } from './vercel/index.ts';

export interface WorldOptions {
  readonly clock?: Clock;
  /** Wall time in milliseconds; the rest of the clock is the system's. `clock` wins. */
  readonly now?: () => number;
}

/** What stands in a fresh world: the parents that a plan names by id. */
export const seed = {
  neonProject: 'quiet-river-12345678',
  vercelProject: 'shop',
  auth0Client: 'shopWebAbCdEfGhIjKlMnOpQrStUvWxY',
  repository: 'acme/shop',
  flag: { project: 'shop', name: 'checkout', environment: 'development' },
  zone: { id: '5f0c1d2e3b4a59687786a5b4c3d2e1f0', name: 'acme.example' },
  sentry: { organization: 'acme', project: 'shop' },
} as const;

export type World = ReturnType<typeof createWorld>;

/** One company's accounts at every simulated provider, and the environment variables that open them. */
export function createWorld(options: WorldOptions = {}) {
  const clock: Clock = options.clock ?? { ...systemClock, ...(options.now && { now: options.now }) };
  const providers = {
    neon: neon({ clock, project: seed.neonProject }),
    vercel: vercel({ clock }),
    auth0: auth0({ clock }),
    github: github({ clock }),
    stripe: stripe({ clock }),
    unleash: unleash({ clock }),
    cloudflare: cloudflare({ clock }),
    sentry: sentry({ clock }),
    rollbar: rollbar({ clock }),
  };
  const { world: tenant, tokens: secrets } = providers.auth0;
  tenant.addClient(seed.auth0Client, { name: 'shop', callbacks: ['https://shop.acme.example/callback'], allowed_logout_urls: [] });
  providers.github.world.addRepository(seed.repository);
  providers.unleash.world.addFlag(seed.flag.project, seed.flag.name, [seed.flag.environment, 'production']);
  providers.cloudflare.world.addZone(seed.zone.name, seed.zone.id);
  providers.sentry.world.addOrganization(seed.sentry.organization, [seed.sentry.project]);

  const simulations: readonly Simulation[] = Object.values(providers);
  const credentials: Readonly<Record<string, string>> = {
    NEON_API_KEY: providers.neon.tokens.full,
    VERCEL_TOKEN: providers.vercel.tokens.full,
    AUTH0_CLIENT_ID: tenant.machineClients.full,
    AUTH0_CLIENT_SECRET: secrets.full,
    GITHUB_TOKEN: providers.github.tokens.full,
    STRIPE_SECRET_KEY: providers.stripe.tokens.full,
    UNLEASH_API_TOKEN: providers.unleash.tokens.full,
    CLOUDFLARE_API_TOKEN: providers.cloudflare.tokens.full,
    SENTRY_AUTH_TOKEN: providers.sentry.tokens.full,
    ROLLBAR_ACCESS_TOKEN: providers.rollbar.tokens.full,
  };
  return { ...providers, simulations, credentials, seed };
}
