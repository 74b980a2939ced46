import type { Clock } from '../../src/core/clock.ts';
import { auth0 } from '../simulate/auth0/index.ts';
import { amplify } from '../simulate/aws-amplify.ts';
import { s3ByPath } from '../simulate/aws-s3.ts';
import { clerk } from '../simulate/clerk.ts';
import { cloudflare } from '../simulate/cloudflare.ts';
import { firebaseAuth } from '../simulate/firebase-auth.ts';
import { firebaseHosting } from '../simulate/firebase-hosting.ts';
import { fly } from '../simulate/fly.ts';
import { github } from '../simulate/github.ts';
import { cloudRun } from '../simulate/google-cloud-run/index.ts';
import { heroku } from '../simulate/heroku.ts';
import type { Simulation } from '../simulate/kit/index.ts';
import { launchdarkly } from '../simulate/launchdarkly.ts';
import { neon } from '../simulate/neon/index.ts';
import { netlify } from '../simulate/netlify/index.ts';
import { okta } from '../simulate/okta.ts';
import { planetscale } from '../simulate/planetscale/index.ts';
import { posthog } from '../simulate/posthog.ts';
import { render } from '../simulate/render.ts';
import { resend } from '../simulate/resend.ts';
import { rollbar } from '../simulate/rollbar.ts';
import { sanity } from '../simulate/sanity.ts';
import { sendgrid } from '../simulate/sendgrid.ts';
import { sentry } from '../simulate/sentry.ts';
import { stripe } from '../simulate/stripe/index.ts';
import { supabase } from '../simulate/supabase/index.ts';
import { turso } from '../simulate/turso.ts';
import { unleash } from '../simulate/unleash.ts';
import { upstashRedis } from '../simulate/upstash-redis.ts';
import { vercel } from '../simulate/vercel/index.ts';
import { workos } from '../simulate/workos.ts';

/** Somebody's account at a provider, and what its owner knows. */
export interface Account {
  readonly simulation: Simulation;
  /** Variables that the report of `init` names. */
  readonly credentials: Readonly<Record<string, string>>;
  /** What the owner writes in the place of a placeholder, by param. */
  readonly values: Readonly<Record<string, string>>;
}

export interface AccountOptions {
  readonly clock: Clock;
  /** Of the person who is signed in to a CLI that hands tokens out. */
  readonly tokens: { readonly full: string };
  /** The plan that asks. */
  readonly plan: string;
}

type Open = (options: AccountOptions) => Account;

/** By the name of the provider in a plan. */
export const accounts: { readonly [provider: string]: Open } = {
  neon: ({ clock }) => {
    const simulation = neon({ clock, project: 'quiet-river-12345678' });
    return { simulation, credentials: { NEON_API_KEY: simulation.tokens.full }, values: { project_id: 'quiet-river-12345678' } };
  },
  vercel: ({ clock, plan }) => {
    const simulation = vercel({ clock });
    // As `vercel link` wrote them into a fixture.
    Object.assign(simulation.world.project('shop'), { id: 'prj_8QfZ2vYk1mN4rT7wX0bC3dE6gH9j' });
    const team = /\bteam_id: (\w+)/.exec(plan)?.[1];
    if (team !== undefined) simulation.world.state.team = { id: team, slug: 'acme' };
    simulation.world.push('feature', '1'.repeat(40));
    return { simulation, credentials: { VERCEL_TOKEN: simulation.tokens.full }, values: { project: 'shop' } };
  },
  clerk: ({ clock }) => {
    const simulation = clerk({ clock });
    return { simulation, credentials: { CLERK_SECRET_KEY: simulation.tokens.full }, values: {} };
  },
  netlify: ({ clock }) => {
    const simulation = netlify({ clock });
    const site = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
    simulation.world.addSite('acme', site);
    return { simulation, credentials: { NETLIFY_AUTH_TOKEN: simulation.tokens.full }, values: { account_id: 'acme', site_id: site } };
  },
  planetscale: ({ clock }) => {
    const simulation = planetscale({ clock });
    return {
      simulation,
      credentials: { PLANETSCALE_SERVICE_TOKEN_ID: simulation.world.tokenId, PLANETSCALE_SERVICE_TOKEN: simulation.tokens.full },
      values: { organization: 'acme', database: 'shop' },
    };
  },
  launchdarkly: ({ clock }) => {
    const simulation = launchdarkly({ clock });
    simulation.world.addFlag('shop/checkout-v2', ['test', 'production']);
    return {
      simulation,
      credentials: { LAUNCHDARKLY_ACCESS_TOKEN: simulation.tokens.full },
      values: { project_key: 'shop', flag_key: 'checkout-v2', environment_key: 'test' },
    };
  },
  supabase: ({ clock }) => {
    const simulation = supabase({ clock });
    simulation.world.addProject('abcdefghijklmnopqrst');
    return {
      simulation,
      credentials: { SUPABASE_ACCESS_TOKEN: simulation.tokens.full },
      values: { project_ref: 'abcdefghijklmnopqrst' },
    };
  },
  cloudflare: ({ clock }) => {
    const simulation = cloudflare({ clock });
    const account = '023e105f4ecef8ad9ca31a8372d0c353';
    const zone = simulation.world.addZone('acme.example', '5f0c1d2e3b4a59687786a5b4c3d2e1f0');
    simulation.world.addPages(account, 'wiki');
    return {
      simulation,
      credentials: { CLOUDFLARE_API_TOKEN: simulation.tokens.full },
      values: { account_id: account, project_name: 'wiki', zone_id: zone },
    };
  },
  turso: ({ clock }) => {
    const simulation = turso({ clock });
    simulation.world.addOrganization('acme');
    simulation.world.addDatabase('acme', 'wiki');
    return {
      simulation,
      credentials: { TURSO_API_TOKEN: simulation.tokens.full },
      values: { organization: 'acme', parent: 'wiki', group: 'default' },
    };
  },
  cloud_run: ({ clock, tokens }) => {
    const simulation = cloudRun({ clock, tokens });
    simulation.world.addService('shop-previews');
    return {
      simulation,
      credentials: {},
      values: {
        project: 'acme-shop',
        location: 'europe-west1',
        service: 'shop-previews',
        image: 'europe-west1-docker.pkg.dev/acme-shop/web/shop:${ctx.git.sha}',
      },
    };
  },
  firebase_auth: ({ clock, tokens }) => {
    const simulation = firebaseAuth({ clock, tokens });
    simulation.world.addProject('acme-shop', ['localhost', 'acme.example']);
    return { simulation, credentials: {}, values: { project: 'acme-shop' } };
  },
  firebase_hosting: ({ clock, tokens }) => {
    const simulation = firebaseHosting({ clock, tokens });
    simulation.world.addSite('acme-shop', 'acme-shop');
    return { simulation, credentials: {}, values: { project: 'acme-shop', site: 'acme-shop' } };
  },
  heroku: ({ clock }) => {
    const simulation = heroku({ clock });
    simulation.world.addApp('tickets-pr-12');
    return { simulation, credentials: { HEROKU_API_KEY: simulation.tokens.full }, values: { app: 'tickets-pr-12' } };
  },
  stripe: ({ clock }) => {
    const simulation = stripe({ clock });
    return { simulation, credentials: { STRIPE_SECRET_KEY: simulation.tokens.full }, values: {} };
  },
  sendgrid: ({ clock }) => {
    const simulation = sendgrid({ clock });
    return { simulation, credentials: { SENDGRID_API_KEY: simulation.tokens.full }, values: {} };
  },
  amplify: ({ clock }) => {
    const simulation = amplify({ clock });
    simulation.world.addApp('d2xyz0abc1def');
    return {
      simulation,
      credentials: { AWS_ACCESS_KEY_ID: simulation.world.keyIds.full, AWS_SECRET_ACCESS_KEY: simulation.tokens.full },
      values: { app_id: 'd2xyz0abc1def', region: 'eu-central-1', base_url: 'https://amplify.eu-central-1.amazonaws.com' },
    };
  },
  s3: ({ clock }) => {
    const simulation = s3ByPath({ clock });
    return {
      simulation,
      credentials: { AWS_ACCESS_KEY_ID: simulation.world.keyIds.full, AWS_SECRET_ACCESS_KEY: simulation.tokens.full },
      values: { bucket: 'shop-assets', region: 'eu-central-1', base_url: 'https://s3.eu-central-1.amazonaws.com' },
    };
  },
  okta: ({ clock }) => {
    const simulation = okta({ clock });
    simulation.world.addApp('0oa1gjh63g214q0Hq0g4', {
      redirect_uris: ['https://acme.example/login/callback'],
      post_logout_redirect_uris: [],
    });
    return {
      simulation,
      credentials: { OKTA_API_TOKEN: simulation.tokens.full },
      values: { app_id: '0oa1gjh63g214q0Hq0g4', base_url: simulation.origin },
    };
  },
  auth0: ({ clock }) => {
    const simulation = auth0({ clock });
    const client = 'shopWebAbCdEfGhIjKlMnOpQrStUvWxY';
    simulation.world.addClient(client, { name: 'shop', callbacks: [], allowed_logout_urls: [] });
    return {
      simulation,
      credentials: { AUTH0_CLIENT_ID: simulation.world.machineClients.full, AUTH0_CLIENT_SECRET: simulation.tokens.full },
      values: { client_id: client, base_url: `${simulation.origin}${simulation.basePath}` },
    };
  },
  unleash: ({ clock }) => {
    const simulation = unleash({ clock });
    simulation.world.addFlag('shop', 'checkout', ['development', 'production']);
    return {
      simulation,
      credentials: { UNLEASH_API_TOKEN: simulation.tokens.full },
      values: { project: 'shop', feature: 'checkout', environment: 'development', base_url: simulation.origin },
    };
  },
  sentry: ({ clock }) => {
    const simulation = sentry({ clock });
    simulation.world.addOrganization('acme', ['shop']);
    return {
      simulation,
      credentials: { SENTRY_AUTH_TOKEN: simulation.tokens.full },
      values: { organization: 'acme', projects: 'shop', base_url: simulation.origin },
    };
  },
  rollbar: ({ clock }) => {
    const simulation = rollbar({ clock });
    return { simulation, credentials: { ROLLBAR_ACCESS_TOKEN: simulation.tokens.full }, values: {} };
  },
  github: ({ clock }) => {
    const simulation = github({ clock });
    simulation.world.addRepository('acme/shop');
    return { simulation, credentials: { GITHUB_TOKEN: simulation.tokens.full }, values: { repo: 'acme/shop' } };
  },
  fly: ({ clock }) => {
    const simulation = fly({ clock });
    simulation.world.addApp('acme', 'orbit-api');
    return { simulation, credentials: { FLY_API_TOKEN: simulation.tokens.full }, values: { org_slug: 'acme' } };
  },
  upstash_redis: ({ clock }) => {
    const simulation = upstashRedis({ clock });
    return {
      simulation,
      credentials: { UPSTASH_EMAIL: simulation.world.email, UPSTASH_API_KEY: simulation.tokens.full },
      values: { primary_region: 'eu-central-1' },
    };
  },
  resend: ({ clock }) => {
    const simulation = resend({ clock });
    return { simulation, credentials: { RESEND_API_KEY: simulation.tokens.full }, values: {} };
  },
  workos: ({ clock }) => {
    const simulation = workos({ clock });
    return { simulation, credentials: { WORKOS_API_KEY: simulation.tokens.full }, values: {} };
  },
  posthog: ({ clock }) => {
    const simulation = posthog({ clock });
    return {
      simulation,
      credentials: { POSTHOG_PERSONAL_API_KEY: simulation.tokens.full },
      values: { project_id: '58123', flag_id: '40211' },
    };
  },
  render: ({ clock }) => {
    const simulation = render({ clock });
    simulation.world.addService('srv-ct2k9s5svqrc73d0o7ag');
    return { simulation, credentials: { RENDER_API_KEY: simulation.tokens.full }, values: { service_id: 'srv-ct2k9s5svqrc73d0o7ag' } };
  },
  sanity: ({ clock }) => {
    const simulation = sanity({ clock });
    simulation.world.addProject('k2x9f0qd');
    return { simulation, credentials: { SANITY_AUTH_TOKEN: simulation.tokens.full }, values: { project_id: 'k2x9f0qd' } };
  },
};
