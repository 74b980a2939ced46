import { ably } from '../ably.ts';
import { auth0 } from '../auth0/index.ts';
import { amplify } from '../aws-amplify.ts';
import { s3ByPath } from '../aws-s3.ts';
import { azureStaticWebApps } from '../azure-static-web-apps.ts';
import { bugsnag } from '../bugsnag.ts';
import { cockroachdb } from '../cockroachdb.ts';
import { convex } from '../convex.ts';
import { datadog } from '../datadog.ts';
import { firebaseAuth } from '../firebase-auth.ts';
import { firebaseHosting } from '../firebase-hosting.ts';
import { fly } from '../fly.ts';
import { github } from '../github.ts';
import { gcs } from '../google-cloud-storage.ts';
import { healthchecks } from '../healthchecks.ts';
import { heroku } from '../heroku.ts';
import { honeycomb } from '../honeycomb.ts';
import { bypassHeader, inngest } from '../inngest.ts';
import { kinde } from '../kinde.ts';
import { mailgun } from '../mailgun.ts';
import { mongodbAtlas } from '../mongodb-atlas.ts';
import { newrelic } from '../newrelic.ts';
import { okta } from '../okta.ts';
import { postmark } from '../postmark.ts';
import { prismaPostgres } from '../prisma-postgres.ts';
import { railway } from '../railway.ts';
import { render } from '../render.ts';
import { resend } from '../resend.ts';
import { rollbar } from '../rollbar.ts';
import { sanity } from '../sanity.ts';
import { sendgrid } from '../sendgrid.ts';
import { sentry } from '../sentry.ts';
import { stripe } from '../stripe/index.ts';
import { stytch } from '../stytch.ts';
import { svix } from '../svix.ts';
import { turso } from '../turso.ts';
import { twilio } from '../twilio.ts';
import { qstash } from '../upstash-qstash.ts';
import { upstashRedis } from '../upstash-redis.ts';
import { workos } from '../workos.ts';
import { account, aws, type OpenAccount } from './account.ts';

const region = 'eu-central-1';

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
  azure_static_web_apps: ({ clock, tokens }) => {
    const simulation = azureStaticWebApps({ clock, tokens });
    const subscription_id = '8d4b1d3e-6f2a-4c58-9b7e-1a2b3c4d5e6f';
    simulation.world.deploy(simulation.world.addSite(subscription_id, 'shop', 'shop-web'), '12', {});
    return account(simulation, {}, { subscription_id, resource_group: 'shop', site: 'shop-web' });
  },
  bugsnag: ({ clock }) => account(bugsnag({ clock }), 'BUGSNAG_API_KEY'),
  cockroachdb: ({ clock }) => {
    const simulation = cockroachdb({ clock });
    const cluster_id = '1a9f3c52-77d0-4d2e-9a5e-3c0d5b8f6e21';
    simulation.world.addCluster(cluster_id);
    return account(simulation, 'COCKROACH_API_KEY', { cluster_id });
  },
  convex: ({ clock }) => {
    const simulation = convex({ clock });
    simulation.world.addDeployment(123456, 'main', 'prod');
    return account(simulation, 'CONVEX_TEAM_ACCESS_TOKEN', { project_id: '"123456"' });
  },
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
  fly: ({ clock, plan, pull }) => {
    const simulation = fly({ clock });
    // A workflow makes the app of a pull request before pilotfish runs.
    const made = plan.matchAll(/^ +app: (\S+)$/gm);
    for (const name of new Set(Array.from(made, ([, app = '']) => app.replace('${ctx.pr.number}', String(pull)))))
      simulation.world.addApp('acme', name);
    return account(simulation, 'FLY_API_TOKEN', { org_slug: 'acme' });
  },
  github: ({ clock }) => {
    const simulation = github({ clock });
    simulation.world.addRepository('acme/shop');
    return account(simulation, 'GITHUB_TOKEN', { repo: 'acme/shop' });
  },
  google_cloud_storage: ({ clock, tokens }) => account(gcs({ clock, tokens }), {}, { bucket: 'shop-assets' }),
  healthchecks: ({ clock }) => account(healthchecks({ clock }), 'HEALTHCHECKS_API_KEY'),
  heroku: ({ clock, pull }) => {
    const simulation = heroku({ clock });
    simulation.world.addApp(`tickets-pr-${pull}`);
    return account(simulation, 'HEROKU_API_KEY', { app: 'tickets-pr-${ctx.pr.number}' });
  },
  honeycomb: ({ clock }) => account(honeycomb({ clock }), 'HONEYCOMB_API_KEY'),
  inngest: ({ clock }) => {
    // The request goes to the preview itself, which lets everybody in.
    const simulation = inngest({ clock });
    const handle = (request: Request): Promise<Response> => {
      request.headers.set(bypassHeader, simulation.tokens.full);
      return simulation.handle(request);
    };
    return account({ ...simulation, handle }, {}, { url: simulation.origin });
  },
  kinde: ({ clock }) => {
    const simulation = kinde({ clock });
    const app_id = '3b0b5c6c8fcc464fab397f4969b5f482';
    simulation.world.addApplication(app_id);
    const { machineClients } = simulation.world;
    const credentials = { KINDE_MANAGEMENT_CLIENT_ID: machineClients.full, KINDE_MANAGEMENT_CLIENT_SECRET: simulation.tokens.full };
    return account(simulation, credentials, { app_id, base_url: `${simulation.origin}${simulation.basePath}` });
  },
  mailgun: ({ clock }) => account(mailgun({ clock }), 'MAILGUN_API_KEY'),
  mongodb_atlas: ({ clock }) => {
    const simulation = mongodbAtlas({ clock });
    const project_id = '64d9f3a1b2c3d4e5f6a7b8c9';
    simulation.world.addProject(project_id);
    const credentials = { MONGODB_ATLAS_PUBLIC_KEY: simulation.world.publicKey, MONGODB_ATLAS_PRIVATE_KEY: simulation.tokens.full };
    return account(simulation, credentials, { project_id });
  },
  newrelic: ({ clock }) => {
    const simulation = newrelic({ clock });
    const entity_guid = 'MTIzNDU2N3xBUE18QVBQTElDQVRJT058ODkwMTIz';
    simulation.world.addEntity(entity_guid);
    return account(simulation, 'NEW_RELIC_API_KEY', { entity_guid });
  },
  okta: ({ clock }) => {
    const simulation = okta({ clock });
    const app_id = '0oa1gjh63g214q0Hq0g4';
    simulation.world.addApp(app_id, { redirect_uris: ['https://acme.example/login/callback'], post_logout_redirect_uris: [] });
    return account(simulation, 'OKTA_API_TOKEN', { app_id, base_url: simulation.origin });
  },
  postmark: ({ clock }) => account(postmark({ clock }), 'POSTMARK_ACCOUNT_TOKEN'),
  postmark_server: ({ clock }) => account(postmark({ clock }), 'POSTMARK_SERVER_TOKEN'),
  prisma_postgres: ({ clock }) => {
    const simulation = prismaPostgres({ clock });
    simulation.world.addProject('proj_cmf3k2v9x0001');
    return account(simulation, 'PRISMA_SERVICE_TOKEN', { project_id: 'proj_cmf3k2v9x0001' });
  },
  qstash: ({ clock }) => account(qstash({ clock }), 'QSTASH_TOKEN'),
  railway: ({ clock }) => {
    const simulation = railway({ clock });
    const place = { project_id: '4f2b8c1e-project', environment_id: '9a7d3e5f-preview', service_id: '1c6e0b2d-web' };
    simulation.world.addEnvironment(place.project_id, place.environment_id, place.service_id);
    return account(simulation, 'RAILWAY_API_TOKEN', place);
  },
  render: ({ clock, plan, pull }) => {
    const simulation = render({ clock });
    // Render makes a service for each pull request.
    const services = Array.from(plan.matchAll(/name: "(\S+) PR #\$/g), ([, name = '']) => name.replace(/^your-(?:\w+-)?service$/, 'shop'));
    for (const [i, name] of [...new Set(['shop', ...services])].entries())
      simulation.world.addService(`srv-ct2k9s5svqrc73d0o7a${i}`, {}, `${name} PR #${pull}`);
    return account(simulation, 'RENDER_API_KEY', { service_id: 'srv-ct2k9s5svqrc73d0o7a0' });
  },
  resend: ({ clock }) => account(resend({ clock }), 'RESEND_API_KEY'),
  rollbar: ({ clock }) => account(rollbar({ clock }), 'ROLLBAR_ACCESS_TOKEN'),
  s3: ({ clock }) => {
    const simulation = s3ByPath({ clock, tokens: aws });
    // A bucket of a team has a rule. The first one of all is seen only minutes after its write.
    simulation.world.setRules([{ AllowedMethod: ['GET'], AllowedOrigin: ['https://acme.example'] }]);
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
  stytch: ({ clock }) => {
    const simulation = stytch({ clock });
    simulation.world.addEnvironment('shop', 'test');
    const credentials = { STYTCH_WORKSPACE_KEY_ID: simulation.world.keyId, STYTCH_WORKSPACE_KEY_SECRET: simulation.tokens.full };
    return account(simulation, credentials, { project_slug: 'shop', environment_slug: 'test' });
  },
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
  upstash_redis: ({ clock }) => {
    const simulation = upstashRedis({ clock });
    const credentials = { UPSTASH_EMAIL: simulation.world.email, UPSTASH_API_KEY: simulation.tokens.full };
    return account(simulation, credentials, { primary_region: region });
  },
  workos: ({ clock }) => account(workos({ clock }), 'WORKOS_API_KEY'),
};
