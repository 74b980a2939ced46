import { ably } from '../../simulate/ably.ts';
import { auth0 } from '../../simulate/auth0/index.ts';
import { amplify } from '../../simulate/aws-amplify.ts';
import { s3ByPath } from '../../simulate/aws-s3.ts';
import { bugsnag } from '../../simulate/bugsnag.ts';
import { datadog } from '../../simulate/datadog.ts';
import { firebaseAuth } from '../../simulate/firebase-auth.ts';
import { firebaseHosting } from '../../simulate/firebase-hosting.ts';
import { fly } from '../../simulate/fly.ts';
import { github } from '../../simulate/github.ts';
import { heroku } from '../../simulate/heroku.ts';
import { bypassHeader, inngest } from '../../simulate/inngest.ts';
import { mongodbAtlas } from '../../simulate/mongodb-atlas.ts';
import { okta } from '../../simulate/okta.ts';
import { posthog } from '../../simulate/posthog.ts';
import { railway } from '../../simulate/railway.ts';
import { render } from '../../simulate/render.ts';
import { resend } from '../../simulate/resend.ts';
import { rollbar } from '../../simulate/rollbar.ts';
import { sanity } from '../../simulate/sanity.ts';
import { sendgrid } from '../../simulate/sendgrid.ts';
import { sentry } from '../../simulate/sentry.ts';
import { stripe } from '../../simulate/stripe/index.ts';
import { svix } from '../../simulate/svix.ts';
import { turso } from '../../simulate/turso.ts';
import { twilio } from '../../simulate/twilio.ts';
import { unleash } from '../../simulate/unleash.ts';
import { qstash } from '../../simulate/upstash-qstash.ts';
import { upstashRedis } from '../../simulate/upstash-redis.ts';
import { workos } from '../../simulate/workos.ts';
import { account, type OpenAccount } from './account.ts';

const region = 'eu-central-1';
/** The secret key of one person, who may do all of it. */
const aws = { full: 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY01' };

/** Accounts at the providers of recipes. */
export const recipes: { readonly [provider: string]: OpenAccount } = {
  ably: ({ clock }) => {
    const simulation = ably({ clock });
    simulation.world.addApp('28AB6x');
    return account(simulation, 'ABLY_CONTROL_TOKEN', { app_id: '28AB6x' });
  },
  amplify: ({ clock }) => {
    const simulation = amplify({ clock, tokens: aws });
    simulation.world.addApp('d2xyz0abc1def');
    const credentials = { AWS_ACCESS_KEY_ID: simulation.world.keyIds.full, AWS_SECRET_ACCESS_KEY: simulation.tokens.full };
    return account(simulation, credentials, { app_id: 'd2xyz0abc1def', region, base_url: `https://amplify.${region}.amazonaws.com` });
  },
  auth0: ({ clock }) => {
    const simulation = auth0({ clock });
    const client_id = 'shopWebAbCdEfGhIjKlMnOpQrStUvWxY';
    simulation.world.addClient(client_id, { name: 'shop', callbacks: [], allowed_logout_urls: [] });
    const credentials = { AUTH0_CLIENT_ID: simulation.world.machineClients.full, AUTH0_CLIENT_SECRET: simulation.tokens.full };
    return account(simulation, credentials, { client_id, base_url: `${simulation.origin}${simulation.basePath}` });
  },
  bugsnag: ({ clock }) => account(bugsnag({ clock }), 'BUGSNAG_API_KEY'),
  datadog: ({ clock }) => {
    const simulation = datadog({ clock });
    return account(simulation, { DD_API_KEY: simulation.world.apiKey, DD_APP_KEY: simulation.tokens.full });
  },
  firebase_auth: ({ clock, tokens }) => {
    const simulation = firebaseAuth({ clock, tokens });
    simulation.world.addProject('acme-shop', ['localhost', 'acme.example']);
    return account(simulation, {}, { project: 'acme-shop' });
  },
  firebase_hosting: ({ clock, tokens }) => {
    const simulation = firebaseHosting({ clock, tokens });
    simulation.world.addSite('acme-shop', 'acme-shop');
    return account(simulation, {}, { project: 'acme-shop', site: 'acme-shop' });
  },
  fly: ({ clock }) => account(fly({ clock }), 'FLY_API_TOKEN', { org_slug: 'acme' }),
  github: ({ clock }) => {
    const simulation = github({ clock });
    simulation.world.addRepository('acme/shop');
    return account(simulation, 'GITHUB_TOKEN', { repo: 'acme/shop' });
  },
  heroku: ({ clock }) => {
    const simulation = heroku({ clock });
    simulation.world.addApp('tickets-pr-12');
    return account(simulation, 'HEROKU_API_KEY', { app: 'tickets-pr-${ctx.pr.number}' });
  },
  inngest: ({ clock }) => {
    // The request goes to the preview itself, which lets everybody in.
    const simulation = inngest({ clock });
    const handle = (request: Request): Promise<Response> => {
      request.headers.set(bypassHeader, simulation.tokens.full);
      return simulation.handle(request);
    };
    return account({ ...simulation, handle }, {}, { url: simulation.origin });
  },
  mongodb_atlas: ({ clock }) => {
    const simulation = mongodbAtlas({ clock });
    const project_id = '64d9f3a1b2c3d4e5f6a7b8c9';
    simulation.world.addProject(project_id);
    const credentials = { MONGODB_ATLAS_PUBLIC_KEY: simulation.world.publicKey, MONGODB_ATLAS_PRIVATE_KEY: simulation.tokens.full };
    return account(simulation, credentials, { project_id });
  },
  okta: ({ clock }) => {
    const simulation = okta({ clock });
    const app_id = '0oa1gjh63g214q0Hq0g4';
    simulation.world.addApp(app_id, { redirect_uris: ['https://acme.example/login/callback'], post_logout_redirect_uris: [] });
    return account(simulation, 'OKTA_API_TOKEN', { app_id, base_url: simulation.origin });
  },
  posthog: ({ clock }) => {
    const simulation = posthog({ clock });
    simulation.world.addFlag(58123, 40211, { groups: [], multivariate: null, payloads: {}, aggregation_group_type_index: null });
    return account(simulation, 'POSTHOG_PERSONAL_API_KEY', { project_id: '"58123"', flag_id: '"40211"' });
  },
  qstash: ({ clock }) => account(qstash({ clock }), 'QSTASH_TOKEN'),
  railway: ({ clock }) => {
    const simulation = railway({ clock });
    const place = { project_id: '4f2b8c1e-project', environment_id: '9a7d3e5f-preview', service_id: '1c6e0b2d-web' };
    simulation.world.addEnvironment(place.project_id, place.environment_id, place.service_id);
    return account(simulation, 'RAILWAY_API_TOKEN', place);
  },
  render: ({ clock }) => {
    const simulation = render({ clock });
    const service_id = 'srv-ct2k9s5svqrc73d0o7ag';
    simulation.world.addService(service_id);
    return account(simulation, 'RENDER_API_KEY', { service_id });
  },
  resend: ({ clock }) => account(resend({ clock }), 'RESEND_API_KEY'),
  rollbar: ({ clock }) => account(rollbar({ clock }), 'ROLLBAR_ACCESS_TOKEN'),
  s3: ({ clock }) => {
    const simulation = s3ByPath({ clock, tokens: aws });
    const credentials = { AWS_ACCESS_KEY_ID: simulation.world.keyIds.full, AWS_SECRET_ACCESS_KEY: simulation.tokens.full };
    return account(simulation, credentials, { bucket: 'shop-assets', region, base_url: `https://s3.${region}.amazonaws.com` });
  },
  sanity: ({ clock }) => {
    const simulation = sanity({ clock });
    simulation.world.addProject('k2x9f0qd');
    return account(simulation, 'SANITY_AUTH_TOKEN', { project_id: 'k2x9f0qd' });
  },
  sendgrid: ({ clock }) => account(sendgrid({ clock }), 'SENDGRID_API_KEY'),
  sentry: ({ clock }) => {
    const simulation = sentry({ clock });
    simulation.world.addOrganization('acme', ['shop']);
    // It is one of a team's own servers.
    const credentials = { SENTRY_AUTH_TOKEN: simulation.tokens.full, SENTRY_URL: simulation.origin };
    return account(simulation, credentials, { organization: 'acme', projects: '[shop]' });
  },
  stripe: ({ clock }) => account(stripe({ clock }), 'STRIPE_SECRET_KEY'),
  svix: ({ clock }) => {
    const simulation = svix({ clock });
    return account(simulation, 'SVIX_AUTH_TOKEN', { app_id: simulation.world.addApp('acme') });
  },
  turso: ({ clock }) => {
    const simulation = turso({ clock });
    simulation.world.addOrganization('acme');
    simulation.world.addDatabase('acme', 'wiki');
    return account(simulation, 'TURSO_API_TOKEN', { organization: 'acme', parent: 'wiki', group: 'default' });
  },
  twilio: ({ clock }) => {
    const simulation = twilio({ clock });
    const credentials = { TWILIO_API_KEY: simulation.world.keySid, TWILIO_API_SECRET: simulation.tokens.full };
    return account(simulation, credentials, { account_sid: simulation.world.addAccount() });
  },
  unleash: ({ clock }) => {
    const simulation = unleash({ clock });
    simulation.world.addFlag('default', 'checkout', ['development', 'production']);
    return account(simulation, 'UNLEASH_API_TOKEN', { feature: 'checkout', environment: 'development', base_url: simulation.origin });
  },
  upstash_redis: ({ clock }) => {
    const simulation = upstashRedis({ clock });
    const credentials = { UPSTASH_EMAIL: simulation.world.email, UPSTASH_API_KEY: simulation.tokens.full };
    return account(simulation, credentials, { primary_region: region });
  },
  workos: ({ clock }) => account(workos({ clock }), 'WORKOS_API_KEY'),
};
