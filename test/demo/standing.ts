import type { World } from 'pilotfish-sandbox/all';
import type { Team } from './team.ts';

/** What stands at the providers that a scope could have made, by where it stands. A destroy must lead back to what was there before. */
export function standing({ world }: Pick<Team, 'world'>): { readonly [where: string]: readonly string[] } {
  const { neon, vercel, stripe, github, cloudflare, unleash, auth0, seed } = world;
  const client = auth0.world.client(seed.auth0Client);
  const { project, name, environment } = seed.flag;
  return sorted({
    'neon branches': neon.world.branches().map((branch) => branch.name),
    'vercel variables': vercel.world.project(seed.vercelProject).env.map((one) => `${one.key} ${one.gitBranch ?? ''}`),
    'stripe endpoints': stripe.world.endpoints().map((endpoint) => endpoint.url),
    'github hooks': github.world.hooks(seed.repository).map((hook) => hook.config.url),
    'cloudflare records': cloudflare.world.records(seed.zone.id).map((record) => record.name),
    'unleash strategies': unleash.world.environment(project, name, environment).strategies.map((strategy) => strategy.title ?? ''),
    'auth0 callback URLs': texts(client.callbacks),
    'auth0 logout URLs': texts(client.allowed_logout_urls),
    'auth0 web origins': texts(client.web_origins),
    'auth0 CORS origins': texts(client.allowed_origins),
  });
}

/** What the rest of the team has at the same places: none of it is pilotfish's business. */
export function whatOthersMade({ neon, vercel, stripe, github, cloudflare, unleash, auth0, seed }: World): void {
  neon.world.addBranch('staging');
  vercel.world.setEnv('LOG_LEVEL', 'info');
  stripe.world.addEndpoint('https://staging.acme.example/api/webhooks/stripe');
  github.world.addHook(seed.repository, { url: 'https://chat.acme.example/hooks/github' });
  cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: 'www.acme.example', content: 'cname.vercel-dns.com' });
  const { project, name, environment } = seed.flag;
  unleash.world.addStrategy(project, name, environment, { name: 'flexibleRollout', title: 'our testers' });
  Object.assign(auth0.world.client(seed.auth0Client), { web_origins: ['https://shop.acme.example'] });
}

/** Secrets that the providers made: connection strings and signing keys, as their own state holds them. */
export function madeSecrets({ world }: Pick<Team, 'world'>): readonly string[] {
  const passwords = world.neon.world.branches().flatMap((branch) => branch.roles.map((role) => role.password));
  const signing = world.vercel.world.env('STRIPE_WEBHOOK_SECRET')?.value;
  return [...passwords, ...(signing === undefined ? [] : [signing])];
}

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const sorted = (all: { readonly [where: string]: readonly string[] }) =>
  Object.fromEntries(Object.entries(all).map(([where, names]) => [where, names.toSorted()]));
