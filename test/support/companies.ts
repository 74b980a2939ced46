import { createWorld } from 'pilotfish-sandbox/all';
import { amplify } from 'pilotfish-sandbox/aws-amplify';
import { s3ByPath } from 'pilotfish-sandbox/aws-s3';
import { clerk } from 'pilotfish-sandbox/clerk';
import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { firebaseAuth } from 'pilotfish-sandbox/firebase-auth';
import { cloudRun } from 'pilotfish-sandbox/google-cloud-run/index';
import { heroku } from 'pilotfish-sandbox/heroku';
import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { launchdarkly } from 'pilotfish-sandbox/launchdarkly';
import { neon } from 'pilotfish-sandbox/neon/index';
import { netlify } from 'pilotfish-sandbox/netlify/index';
import { okta } from 'pilotfish-sandbox/okta';
import { planetscale } from 'pilotfish-sandbox/planetscale/index';
import { sendgrid } from 'pilotfish-sandbox/sendgrid';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { turso } from 'pilotfish-sandbox/turso';
import { vercel } from 'pilotfish-sandbox/vercel/index';
import type { Clock } from '../../src/core/clock.ts';

/** What an example is run against: accounts that hold things of others as well. */
export interface Company {
  readonly simulations: readonly Simulation[];
  /** Variables that the example's README must name. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Accounts with a host of their own, which the plan or a variable names. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The token of the person who is signed in to `gcloud`, where the example asks that program. */
  readonly signedIn?: string;
  /** What must be as it was once the scope is destroyed; everything that the providers hold when left out. */
  readonly remains?: () => unknown;
}

/** By the name of the example. */
export const companies: { readonly [example: string]: (clock: Clock) => Company } = {
  preview: (clock) => {
    const world = createWorld({ clock });
    return { simulations: world.simulations, credentials: world.credentials, addresses: { SENTRY_URL: world.sentry.origin } };
  },

  heroku: (clock) => {
    const providers = { heroku: heroku({ clock }), sendgrid: sendgrid({ clock }), stripe: stripe({ clock }) };
    providers.heroku.world.addApp('shop-pr-12', { LOG_LEVEL: 'debug' });
    providers.sendgrid.world.addSetting('mail.acme.example', 'https://acme.example/mail');
    return {
      simulations: Object.values(providers),
      credentials: {
        HEROKU_API_KEY: providers.heroku.tokens.full,
        SENDGRID_API_KEY: providers.sendgrid.tokens.full,
        STRIPE_SECRET_KEY: providers.stripe.tokens.full,
      },
      addresses: {},
      // Heroku counts releases, and Stripe remembers its answers.
      remains: () => [
        providers.heroku.world.state.apps.map(({ vars }) => vars),
        providers.sendgrid.dump(),
        providers.stripe.world.state.endpoints,
      ],
    };
  },

  'aws-amplify': (clock) => {
    const providers = { amplify: amplify({ clock }), s3: s3ByPath({ clock }), okta: okta({ clock }) };
    providers.amplify.world.addApp('d2xyz0abc1def');
    providers.s3.world.setRules([{ AllowedMethod: ['GET'], AllowedOrigin: ['https://acme.example'] }]);
    providers.okta.world.addApp('0oa1gjh63g214q0Hq0g4', {
      redirect_uris: ['https://acme.example/login/callback'],
      post_logout_redirect_uris: ['https://acme.example'],
    });
    return {
      simulations: Object.values(providers),
      credentials: {
        AWS_ACCESS_KEY_ID: providers.amplify.world.keyIds.full,
        AWS_SECRET_ACCESS_KEY: providers.amplify.tokens.full,
        UPLOADS_KEY_ID: providers.s3.world.keyIds.full,
        UPLOADS_SECRET_KEY: providers.s3.tokens.full,
        OKTA_API_TOKEN: providers.okta.tokens.full,
      },
      addresses: {},
    };
  },

  'nextjs-vercel': (clock) => {
    const providers = {
      neon: neon({ clock, project: 'quiet-river-12345678' }),
      vercel: vercel({ clock }),
      stripe: stripe({ clock }),
      clerk: clerk({ clock }),
    };
    providers.neon.faults.readyAfter(2);
    providers.vercel.faults.readyAfter(2);
    providers.vercel.world.setEnv('DATABASE_URL', 'postgres://production', { target: ['production'] });
    providers.vercel.world.setEnv('DATABASE_URL', 'postgres://pr-13', { target: ['preview'], gitBranch: 'other' });
    // The host began to build when the commit was pushed, without the variables.
    providers.vercel.world.push('feature', '1'.repeat(40));
    providers.clerk.world.addUrl('https://acme.example/sso-callback');
    return {
      simulations: Object.values(providers),
      credentials: {
        NEON_API_KEY: providers.neon.tokens.full,
        VERCEL_TOKEN: providers.vercel.tokens.full,
        STRIPE_SECRET_KEY: providers.stripe.tokens.full,
        CLERK_SECRET_KEY: providers.clerk.tokens.full,
      },
      addresses: {},
      // Deployments stay: they are the host's.
      remains: () => [
        providers.neon.world.branches(),
        providers.vercel.world.project().env,
        providers.stripe.world.endpoints(),
        providers.clerk.dump(),
      ],
    };
  },

  netlify: (clock) => {
    const providers = { netlify: netlify({ clock }), planetscale: planetscale({ clock }), launchdarkly: launchdarkly({ clock }) };
    const site = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
    providers.netlify.world.addSite('acme', site);
    providers.netlify.world.setValue(site, 'DATABASE_URL', 'mysql://production', { context: 'production', secret: true });
    providers.netlify.world.setValue(site, 'DATABASE_URL', 'mysql://pr-13', { context: 'branch', branch: 'other' });
    providers.planetscale.faults.readyAfter(3);
    providers.planetscale.world.addPassword('main', 'production');
    providers.launchdarkly.world.addFlag('shop/checkout-v2', ['test', 'production']);
    providers.launchdarkly.world.environment('shop/checkout-v2', 'test').on = true;
    providers.launchdarkly.world.serve('shop/checkout-v2', 'test', 0, 'preview-pr-13', 'deployment');
    return {
      simulations: Object.values(providers),
      credentials: {
        NETLIFY_AUTH_TOKEN: providers.netlify.tokens.full,
        PLANETSCALE_SERVICE_TOKEN_ID: providers.planetscale.world.tokenId,
        PLANETSCALE_SERVICE_TOKEN: providers.planetscale.tokens.full,
        LAUNCHDARKLY_ACCESS_TOKEN: providers.launchdarkly.tokens.full,
      },
      addresses: {},
      // Versions and the moments of changes go on.
      remains: () => [
        structuredClone(providers.netlify.world.variable(site, 'DATABASE_URL')?.values),
        providers.netlify.world.variable(site, 'PREVIEW_KEY'),
        providers.planetscale.dump(),
        structuredClone(providers.launchdarkly.world.environment('shop/checkout-v2', 'test').targets),
      ],
    };
  },

  'cloudflare-pages': (clock) => {
    const providers = { cloudflare: cloudflare({ clock }), turso: turso({ clock }) };
    const zone = providers.cloudflare.world.addZone('acme.example', '5f0c1d2e3b4a59687786a5b4c3d2e1f0');
    providers.cloudflare.world.addRecord(zone, { type: 'CNAME', name: 'pr-13.preview.acme.example', content: 'pr-13.shop.pages.dev' });
    providers.cloudflare.world.addPages('023e105f4ecef8ad9ca31a8372d0c353', 'shop', {
      TURSO_AUTH_TOKEN: { type: 'secret_text', value: 'of the group' },
      TURSO_HOST_PR_13: { type: 'plain_text', value: 'shop-pr-13-acme.turso.io' },
    });
    providers.turso.world.addOrganization('acme');
    providers.turso.world.addDatabase('acme', 'shop');
    providers.turso.world.addDatabase('acme', 'shop-pr-13', 'shop');
    return {
      simulations: Object.values(providers),
      credentials: { CLOUDFLARE_API_TOKEN: providers.cloudflare.tokens.full, TURSO_API_TOKEN: providers.turso.tokens.full },
      addresses: {},
    };
  },

  'cloud-run': (clock) => {
    const tokens = { full: 'ya29.signed-in-as-a-person' };
    const providers = { cloudRun: cloudRun({ clock, tokens }), auth: firebaseAuth({ clock, tokens }) };
    providers.cloudRun.faults.readyAfter(2);
    const service = providers.cloudRun.world.addService('shop-previews');
    providers.cloudRun.world.deploy('shop-previews', { tag: 'pr-13' });
    providers.auth.world.addProject('acme-shop', ['localhost', 'acme.example']);
    const theirs = service.revisions.map(({ name }) => name);
    return {
      simulations: Object.values(providers),
      credentials: {},
      addresses: {},
      signedIn: tokens.full,
      // The newest revision of a service cannot be removed; nothing leads to it.
      remains: () => [
        service.revisions.map(({ name }) => name).filter((name) => theirs.includes(name)),
        service.traffic
          .filter(({ percent, tag }) => tag !== undefined || (percent ?? 0) > 0)
          .map(({ revision, tag }) => ({ revision, tag })),
        providers.auth.dump(),
      ],
    };
  },
};
