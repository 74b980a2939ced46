import type { Team } from '../../demo/team.ts';
import { callbackUrls, hostOf, keyOf } from './plans.ts';

/** Something that stands at a provider because a scope made it. */
export interface Standing {
  /** The line that it is for. */
  readonly line: string;
  /** As the provider names it: what a record holds. */
  readonly id: string;
  /** What a change of the plan changes, or what came from another line. */
  readonly value: string;
}

const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

function places({ world }: Team) {
  const { neon, vercel, stripe, github, cloudflare, unleash, auth0, seed } = world;
  const { project, name, environment } = seed.flag;
  const client = auth0.world.client(seed.auth0Client);
  return {
    branches: neon.world.branches(),
    variables: vercel.world.project(seed.vercelProject).env,
    endpoints: stripe.world.endpoints(),
    hooks: github.world.hooks(seed.repository),
    records: cloudflare.world.records(seed.zone.id),
    strategies: unleash.world.environment(project, name, environment).strategies,
    callbacks: list(client.callbacks),
    logouts: list(client.allowed_logout_urls),
    origins: list(client.web_origins),
  };
}

/** Everything of one scope, found by its names and not by the ledger. */
export function objectsOf(team: Team, scope: string): readonly Standing[] {
  const { branches, variables, endpoints, hooks, records, strategies, callbacks, logouts } = places(team);
  const host = hostOf(scope);
  const keys: { readonly [key: string]: string } = {
    [keyOf('STRIPE', scope)]: 'payments-secret',
    [keyOf('DATABASE', scope)]: 'database-url',
    [keyOf('NOTE', scope)]: 'note',
  };
  const urls = new Map(callbackUrls(scope, 9).map((url, i) => [url, `callback-${i}`]));
  urls.set(`https://${host}/callback`, 'sign-in');
  return [
    ...branches.flatMap(({ id, name }) => (name === `shop-${scope}` ? [{ line: 'database', id, value: '' }] : [])),
    ...variables.flatMap(({ id, key, value }) => (keys[key] === undefined ? [] : [{ line: keys[key], id, value }])),
    ...endpoints.flatMap((one) =>
      one.url.includes(`//${host}/`) ? [{ line: 'payments', id: one.id, value: one.enabled_events.join() }] : [],
    ),
    ...hooks.flatMap((one) =>
      one.config.url.includes(`//${host}/`) ? [{ line: 'pushes', id: String(one.id), value: one.events.join() }] : [],
    ),
    ...records.flatMap((one) => (one.name === host ? [{ line: 'dns', id: one.id, value: one.content }] : [])),
    ...strategies.flatMap((one) =>
      one.title === `shop ${scope}` ? [{ line: 'flag', id: one.id, value: String(one.parameters?.rollout) }] : [],
    ),
    ...callbacks.flatMap((url) => (urls.has(url) ? [{ line: urls.get(url) ?? '', id: url, value: '' }] : [])),
    ...logouts.flatMap((url) => (url === `https://${host}` ? [{ line: 'sign-out', id: url, value: '' }] : [])),
  ];
}

/** What does not belong to any of the scopes, whole, as one text a place: it must never change. */
export function foreignOf(team: Team, scopes: readonly string[]): readonly string[] {
  const names = scopes.flatMap((scope) => [hostOf(scope), `shop-${scope}"`, `shop ${scope}"`, keyOf('X', scope).slice(1)]);
  const isForeign = (one: unknown): boolean => {
    const text = JSON.stringify(one);
    return !names.some((name) => text.includes(name));
  };
  return Object.entries(places(team)).map(([place, all]) => `${place} ${JSON.stringify([...all].filter(isForeign))}`);
}

/** Secrets that providers made so far. */
export const madeSecretsOf = (team: Team): readonly string[] => [
  ...team.world.neon.world.branches().flatMap(({ roles }) => roles.map(({ password }) => password)),
  ...team.world.stripe.world.endpoints().map(({ secret }) => secret),
];
